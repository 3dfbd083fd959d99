<?php
// PHP's mt_rand, for words_adapter.py. Over the whole range of 32 bits it hands out its words as they are.
echo "php-mt_rand ", PHP_VERSION, " mt19937\n";
while (($line = fgets(STDIN)) !== false) {
    [$verb, $number] = explode(" ", trim($line));
    if ($verb === "seed") {
        mt_srand((int) $number);
        continue;
    }
    for ($left = (int) $number; $left > 0; $left -= 4096) {
        $words = [];
        for ($i = min($left, 4096); $i > 0; $i--) $words[] = mt_rand(0, 0xFFFFFFFF);
        fwrite(STDOUT, pack("V*", ...$words));
    }
}
