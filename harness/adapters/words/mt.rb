# Ruby's Random, for words_adapter.py. Its bytes are those of its words, the least significant first.
$stdout.binmode
$stdout.sync = true
puts "ruby-Random #{RUBY_VERSION} mt19937"
generator = Random.new(0)
while (line = $stdin.gets)
  verb, number = line.split
  if verb == "seed"
    generator = Random.new(number.to_i)
  else
    $stdout.write(generator.bytes(4 * number.to_i))
  end
end
