//! What `--help` prints below the arguments.

pub(crate) const PROGRAM: &str = "\
Examples:
  seedproof                                          run everything that is present
  seedproof run --adapter 'python3 my_adapter.py'    judge a program that speaks the adapter protocol
  seedproof run --backend reference 'ru8/tensorflow/f16/*'
  seedproof run --reading torch-2.12 --adapter ./my_torch
  seedproof show ru8/tensorflow/f32/spec-example-1   words, unit interval and scaled values
  seedproof explain ru8/tensorflow/f32/spec-example-1 --actual dump.bin
  seedproof draw ru8 --alignment TENSORFLOW --dtype f32 --seeds 150,10 --shape 3,3 --range 0,1

Queries select cases: a glob on ids, where `*` also crosses `/`, or a key and a glob on its value. Keys are op, dtype, \
clause, erratum, provenance, flag, file, and the attributes and inputs of ops, such as alignment.
  'ru8/tensorflow/*'          ids
  dtype:f16 dtype:bf16        several queries are a union
  op:ru8+dtype:f16            `+` joins terms: cases that satisfy all of them
  op:ru8+!dtype:f16           `!` after a `+` negates the term
  '!clause:ru8.philox.*'      `!` in front excludes what the rest selects

Exit status: 0 conforms, 1 does not, 2 usage, 3 infrastructure, 4 drift or lint, 5 nothing selected, nothing asked or no value compared, 129, 130 and 143 interrupted.";

pub(crate) const LIST: &str = "\
Examples:
  seedproof list 'ru8/tensorflow/f16/*'
  seedproof list op:ru8+dtype:f16 '!provenance:capture'

`seedproof --help` describes queries.";

pub(crate) const RUN: &str = "\
Examples:
  seedproof run --adapter 'python3 my_adapter.py' 'ru8/tensorflow/*'
  seedproof run --reading auto -- ./my_adapter --device 0
  seedproof run --backend reference --backend readings/torch-2.12 dtype:f16
  seedproof run --adapter ./my_adapter --shard 2/8 --events 2.jsonl
  seedproof run --adapter ./my_adapter --expect known.yaml --bless
  seedproof run --adapter ./my_adapter --require-claimed 90%";

pub(crate) const SMOKE: &str = "\
Examples:
  seedproof smoke --adapter 'python3 my_adapter.py'
  seedproof smoke --reading torch-2.12 -- ./my_torch --device 0";

pub(crate) const DRAW: &str = "\
Examples:
  seedproof draw ru8 --alignment TENSORFLOW --dtype f32 --seeds 150,10 --shape 3,3 --range 0,1
  seedproof draw ru8 --alignment PYTORCH --dtype f16 --seeds 150,10 --shape 9 --range -1,1 --stages
  seedproof draw mn13 --convert_type i64 --seeds 1,2 --probs 'f32:[[0.1, 0.9]]' --num_samples 2
  seedproof draw dml --feature_level 4.0 --shape 2,5 --input_state 0,0,10,0,150,0 -o words.npy
  seedproof draw ru8 … --reading all             every reading that draws something else, in full
  seedproof draw ru8 … --actual dump.npy         explain why my output differs; `-` reads standard input

`seedproof draw OP --help` lists the options of an op. A value is decimal, or bits such as 0x3f000000. An input is one \
element, a list such as [[0.1, 0.9]], or @file.npy. If the op accepts several element types, put the type in front: f32:0.5.

Exit status: 0 drawn, or the output is the expected one; 1 it is not; 2 the request or the file is wrong; 5 the digits are too few to tell.";

pub(crate) const WORDS: &str = "\
Examples:
  seedproof words philox --key 150 --counter 0xa0000000000000000 --count 8
  seedproof words philox --key 150 my_words.txt        explain why mine differ: text, .npy or raw bytes
  ./my_generator | seedproof words threefry --key 0x0123456789abcdef --counter 7 -
  seedproof words mt19937 --seed 5489 words.npy        seeded by one word, as std::mt19937 and RandomState are

The words are judged as the output of an op that returns plain words; the first lines name its request.

Exit status: 0 if the words are printed or right, 1 if they are wrong, 2 if the arguments or the file are invalid.";

pub(crate) const LIBM: &str = "\
Examples:
  seedproof libm                       this machine's three functions, on 2^24 inputs each
  seedproof libm logf --all            on every input that an op reaches
  seedproof libm sinf pairs.npy        another machine's results: pairs of an input and its result

Two correct implementations draw different normals from one seed if their logf, sinf or cosf differ in rounding.

Exit status: 0 every function is a known sequence, 1 one is not, 2 the file does not hold such pairs.";

pub(crate) const EXPLAIN: &str = "\
Examples:
  seedproof explain ru8/tensorflow/f32/spec-example-1
  seedproof explain ru8/tensorflow/f32/spec-example-1 --actual dump.npy
  my-program | seedproof explain ru8/tensorflow/f32/spec-example-1 --actual -

Text has one number for each element: its bits in hexadecimal (3f337cd6), or a decimal, which may be rounded. Bytes in \
memory order are written without separators (d67c333f).

Exit status: 0 the output is the expected one, 1 it is not, 2 the file does not hold such an output, 5 the digits are too few to tell.";

pub(crate) const EXPORT: &str = "\
Examples:
  seedproof export json cases/                                the whole corpus, with the answers of the specifications
  seedproof export npz arrays/ op:ru8+dtype:f16               the cases that these queries select
  seedproof export npz arrays/ 'mn13/*' --reading openvino-cpu-2026.4   the answers of another reading
  seedproof export onnx-node-tests tests/                     ONNX's drafts of generators
  seedproof export onnx-node-tests tests/ --reading onnx-reference-1.23

A case is left out if it has no single answer under the reading or if the form cannot express it; the last line counts \
the reasons. The folder is written as a whole or not at all. README.md in it describes the form.

Exit status: 0 exported, 2 the folder has files that no export wrote, 3 it cannot be written, 5 nothing is selected or nothing has an \
answer.";

pub(crate) const REPORT: &str = "\
Examples:
  seedproof report events.jsonl -o report.html
  seedproof report shards/*.jsonl --junit junit.xml --markdown summary.md";

pub(crate) const DIFF: &str = "\
Examples:
  seedproof run --adapter ./my_adapter --events new.jsonl
  seedproof diff old.jsonl new.jsonl

Exit status: 0 if nothing is worse; 1 if there is a new failure, if a case that passed is no longer claimed or judged, or \
if an expectation no longer holds; 3 if a log cannot be read or is incomplete, or if a reading of one name has other \
answers in each; 5 if the logs have no finding in common. A failure that an expectation file expects does not count.";

pub(crate) const WHOIS: &str = "\
Examples:
  seedproof whois dump.npy --seed 42
  seedproof whois dump.npy --seed 42 --op-seed 7 --range -1,1
  seedproof whois dump.npy --seed 0..1000000     try each of these seeds
  echo 0.4963 0.7682 0.0885 0.1320 | seedproof whois - --seed 0     numbers as they were printed
  seedproof whois tokens.npy --logits logits.npy --seed 42 --position 100 --temperature 0.7

The search tries every op that needs only seeds, a shape and a range, first with every reading and then with every mistake. \
Ops whose elements depend on the size of the output are tried with mistakes only up to 16,384 elements. The answer is \
`possible` if the array has too few bits to be sure. With `--logits`, the samplers of tokens are tried instead.

Exit status: 0 if something is named, 1 if nothing is or if another seed or range draws the array, 2 if the file does not hold such an array.";

pub(crate) const SAME: &str = "\
Examples:
  seedproof same mine.npy theirs.npy
  seedproof same mine.npy theirs.npy --strict-nan     NaNs are compared by their bits too

Exit status: 0 if the bits are equal, 1 if they differ, 2 if a file is not an array or the types or shapes differ, 3 if a file is missing.";

pub(crate) const CONVERT: &str = "\
Examples:
  seedproof convert model.onnx
  seedproof convert saved_model/ --to openvino --hint f16
  seedproof convert model.pt2                                   PyTorch's torch.export.save
  seedproof convert model.xml --inference 1 --elements 16     the values that OpenVINO draws

Nothing is run: the prediction follows from the readings of both ends. The verdict on the whole model comes first, over the first three inferences of \
one compiled model. For each random op it then says whether its bits are kept, at which stage they are lost, what the op becomes, and what \
to do instead.

Exit status: 0 the model draws the same numbers in every inference that is looked at, 1 it does not, is refused, or cannot be \
predicted, 2 the file is not such a model, 3 it is missing, 5 the model has no random op.";
