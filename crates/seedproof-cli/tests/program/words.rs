//! `seedproof words`, and the page about it.

use std::fs;
use std::process::Command;

use crate::{PROGRAM, Place, Ran};

const PHILOX: [&str; 5] = [
    "philox",
    "--key",
    "0x0123456789abcdef",
    "--counter",
    "0xa0000000000000005",
];
const THREEFRY: [&str; 5] = ["threefry", "--key", "0x0123456789abcdef", "--counter", "7"];
const MT19937: [&str; 3] = ["mt19937", "--seed", "42"];

/// The first words of a stream.
fn stream(generator: &[&str], count: &str) -> Vec<u32> {
    let ran = Place::new()
        .seedproof(&[&["words"], generator, &["--count", count]].concat())
        .exits(0);
    ran.out
        .lines()
        .map(|word| u32::from_str_radix(word, 16).unwrap())
        .collect()
}

/// What is said of words as text.
fn judged(generator: &[&str], words: &[u32]) -> Ran {
    let text: String = words.iter().map(|word| format!("{word:#010x}\n")).collect();
    Place::new().seedproof_reading(&[&["words"], generator, &["-"]].concat(), text)
}

#[test]
fn words_that_are_right_conform() {
    for generator in [&PHILOX[..], &THREEFRY, &MT19937] {
        for count in ["1", "63", "1300"] {
            judged(generator, &stream(generator, count))
                .exits(0)
                .says(" pass");
        }
    }
}

#[test]
fn words_that_are_others_are_looked_up_in_the_stream() {
    let [philox, threefry, twister] =
        [&PHILOX[..], &THREEFRY, &MT19937].map(|generator| stream(generator, "400"));
    let swapped: Vec<u32> = philox.iter().map(|word| word.swap_bytes()).collect();
    judged(&PHILOX, &swapped)
        .exits(1)
        .says("explained by  word-bytes-reversed");
    judged(&PHILOX, &philox[28..])
        .exits(1)
        .says("the first difference is at word 0 (word 0 of block 0): expected 0x2b849f02, yours 0x08086a12")
        .says("are at 28 (block 7, word 0)")
        .says("block i of the output is block i + 7 of the stream");
    let reversed: Vec<u32> = philox
        .chunks(4)
        .flat_map(|block| block.iter().rev().copied())
        .collect();
    judged(&PHILOX, &reversed)
        .exits(1)
        .says("explained by  words-reversed");
    let other_key = ["philox", "--key", "0x89abcdef01234567", PHILOX[3], PHILOX[4]];
    judged(&other_key, &philox)
        .exits(1)
        .says("the key's high word is read and written before its low word");
    let mut tail = philox;
    tail[395..].fill(0);
    judged(&PHILOX, &tail)
        .exits(1)
        .says("the first difference is at word 395 (word 3 of block 98)")
        .says("word-zero in last(5)");
    // A few words stand anywhere in the next thousands, and many further ahead.
    let long = stream(&PHILOX, "21001");
    for (words, dropped) in [(&long[5_001..5_017], 5_001), (&long[12_001..], 12_001)] {
        judged(&PHILOX, words)
            .exits(1)
            .says(&format!("{dropped} words are dropped before the first element"));
    }
    judged(&THREEFRY, &threefry[6..])
        .exits(1)
        .says("element i is the stream's element i + 3");
    judged(&MT19937, &twister[1..])
        .exits(1)
        .says("the first word is dropped");
}

#[test]
fn words_of_a_counter_with_its_halves_exchanged_are_named() {
    let (low, high) = (5_u128, 10_u128);
    let with = |counter: u128, count| {
        let counter = counter.to_string();
        stream(&["philox", "--key", "150", "--counter", &counter], count)
    };
    let whole = (high << 64 | low).to_string();
    let right = ["philox", "--key", "150", "--counter", &whole];
    judged(&right, &with(low << 64 | high, "64"))
        .exits(1)
        .says("the counter's high half is read and written before its low half");
    let exchanged: Vec<u32> = (0..16)
        .flat_map(|block| with((low + block) << 64 | high, "4"))
        .collect();
    judged(&right, &exchanged)
        .exits(1)
        .says("the counter's halves are exchanged");
}

#[test]
fn words_of_another_stream_are_none_of_this() {
    let noise: Vec<u32> = (1..65_u32)
        .map(|i| i.wrapping_mul(2_654_435_761).wrapping_mul(i))
        .collect();
    judged(&PHILOX, &noise).exits(1).says("no known cause");
    judged(&MT19937, &stream(&["mt19937", "--seed", "43"], "64"))
        .exits(1)
        .says("no known cause");
}

#[test]
fn words_are_printed_up_to_a_million() {
    for count in ["0", "1048577", "4294967295"] {
        let ran = Place::new().seedproof(&[&["words"], &MT19937[..], &["--count", count]].concat());
        ran.exits(2).complains("1..=1048576");
    }
}

#[test]
fn words_need_a_key_and_a_file_that_has_words() {
    let place = Place::new();
    place.seedproof(&["words", "philox"]).exits(2).complains("--key");
    place.seedproof(&["words", "mt19937", "--key", "-1"]).exits(2);
    place
        .seedproof(&["words", "mt19937", "--key", "1", "--counter", "0"])
        .exits(2)
        .complains("mt19937 has no counter");
    place
        .seedproof_reading(&["words", "philox", "--key", "1", "-"], "")
        .exits(2)
        .complains("failed to read standard input: it is empty");
}

/// The blocks of a page in a language.
fn blocks<'a>(page: &'a str, language: &str) -> Vec<&'a str> {
    let start = format!("```{language}\n");
    page.split(&start)
        .skip(1)
        .filter_map(|rest| rest.split_once("```"))
        .map(|(block, _)| block)
        .collect()
}

/// Runs a line of the page in a place, with this program for `seedproof`.
fn shell(place: &Place, line: &str) -> Ran {
    let line = line.replace("seedproof ", &format!("'{PROGRAM}' "));
    crate::ran(
        Command::new("sh").args(["-c", &line]).current_dir(place.path()),
        b"",
    )
}

#[cfg(unix)]
#[test]
fn page_about_words_is_right() {
    let page = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/words.md")).unwrap();
    let lines = blocks(&page, "sh");
    let place = Place::new();
    if Command::new("cc").arg("--version").output().is_err() {
        println!("not run: the page's C, as cc is absent");
        return;
    }
    place.seedproof(&["new-adapter", "c", "starter"]).exits(0);
    let build = "cc -O1 -Wall -Wextra -o mine mine.c";
    let kernel = "#include \"starter/generators.h\"\n\
                  void philox(uint64_t low, uint64_t high, uint64_t key, uint32_t out[4]) {\n\
                  sp_philox(low, high, key, out);\n}\n";
    place.write("mine.c", format!("{}\n{kernel}", blocks(&page, "c")[0]));
    let said = shell(&place, build).exits(0).err;
    assert_eq!(said, "");
    shell(&place, lines[0]).exits(0).says("256 words").says("pass");
    // The failure that the page shows.
    let wrong = place
        .read("starter/generators.h")
        .replace("round < 10", "round < 9");
    place.write("starter/generators.h", wrong);
    shell(&place, build).exits(0);
    let shown = page.rsplit("```").nth(1).unwrap().trim();
    shell(&place, lines[0])
        .exits(1)
        .says(shown)
        .says("explained by  rounds-9");
    if Command::new("python3")
        .args(["-c", "import numpy"])
        .output()
        .is_ok_and(|ran| ran.status.success())
    {
        place.write("draw.py", blocks(&page, "python")[0]);
        shell(&place, "python3 draw.py").exits(0);
        shell(&place, lines[1]).exits(0).says("4096 words").says("pass");
    } else {
        println!("not run: the page's Python, as NumPy is absent");
    }
}
