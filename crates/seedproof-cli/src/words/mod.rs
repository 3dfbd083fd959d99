//! `seedproof words`: the words of a generator alone, before any op makes numbers of them.
//!
//! Each generator has an op whose output is its words. What another implementation drew is judged as that output, so that
//! the whole diagnosis applies: rounds, orders, bytes, counters, places in the stream.

pub(crate) mod options;

use std::fmt::Write as _;

use clap::ValueEnum as _;
use seedproof::judging::{Catalogue, ad_hoc};
use seedproof::whois::{self, Sought};
use seedproof_ops::{
    Alignment, Backend as _, DmlGenerator, DmlRandomGenerator, Dtype, FeatureLevel, Limits, RandomUniform,
    Request, RngAlgorithm, RngBitGenerator, Scalar, Shape, Tensor,
};

use crate::dump::{self, Dump};
use crate::exit::{CommandResult, Error, Exit};
use crate::{explain, io};
use options::{Generator, WordsArgs};
use seedproof_read::{self as read, Listing, Opened};

/// `seedproof words`.
pub(crate) fn words(args: &WordsArgs) -> CommandResult {
    let catalogue = Catalogue::new(Limits::default());
    let Some(path) = &args.file else {
        let count = usize::try_from(args.count).unwrap_or(usize::MAX);
        let mut text = String::new();
        for word in right(&catalogue, &args.request(count)?)? {
            writeln!(text, "{word:08x}").expect("a String takes every write");
        }
        io::print(&text);
        return Ok(Exit::Conforms);
    };
    let (name, file) = io::file(path)?;
    let read = drawn(&file).map_err(|what| Error::Usage(format!("failed to read {name}: {what}")))?;
    for note in read.notes {
        io::note(&format!("{name}: {note}"));
    }
    let drawn: Vec<u32> = read.output.elements().expect("it was read as u32").collect();
    let request = args.request(drawn.len())?;
    let right = right(&catalogue, &request)?;
    let mut text = format!("{}: {} words\n", args.stream(), drawn.len());
    let other = right.iter().zip(&drawn).position(|(right, drawn)| right != drawn);
    if let Some(index) = other {
        let (place, right, drawn) = (args.generator.place(index), right[index], drawn[index]);
        writeln!(
            text,
            "the first difference is at word {index}{place}: expected {right:#010x}, yours {drawn:#010x}"
        )
        .expect("a String takes every write");
    }
    if !args.json {
        io::print(&text);
    }
    let given = explain::Outputs {
        outputs: vec![Some(args.generator.output(&drawn, &right))],
        within: None,
    };
    // The words themselves say more than the op that they are judged as.
    let seed = u64::try_from(args.key & u128::from(u64::MAX)).unwrap_or(0);
    let sought = Sought::new(Tensor::vector(&drawn), seed, 0);
    let streams = || {
        let longer = args.request(2 * drawn.len() + (1 << 13)).ok();
        let words = longer.and_then(|request| self::right(&catalogue, &request).ok());
        whois::streams(&sought, &words.into_iter().collect::<Vec<_>>())
    };
    let judging = explain::Judging {
        catalogue: &catalogue,
        reading: "spec",
        is_json: args.json,
        streams: Some(&streams),
    };
    let exit = explain::judge_outputs(&ad_hoc(request), given, &judging)?;
    Ok(exit)
}

/// The words that a request takes.
fn right(catalogue: &Catalogue, request: &Request) -> Result<Vec<u32>, Error> {
    let stages = catalogue.reference().stages(request);
    let stages =
        stages.ok_or_else(|| Error::Usage("the reference draws no words for this request".to_owned()))?;
    Ok(stages.words)
}

/// The words of a file, however many there are.
fn drawn(file: &[u8]) -> Result<Dump, String> {
    let shape = |count: usize| {
        let shape = Shape::new(&[u64::try_from(count).unwrap_or(u64::MAX)]);
        shape.map_err(|error| error.to_string()).and_then(|shape| {
            if shape.count() > 0 {
                Ok(shape)
            } else {
                Err("it is empty".to_owned())
            }
        })
    };
    match read::open(file)? {
        Opened::Arrays(arrays) => {
            let array = dump::one(arrays, None)?;
            let words = words_of(&array.tensor)
                .ok_or_else(|| format!("{}; expected words of 32 bits", array.what))?;
            Ok(Dump {
                output: Tensor::vector(&words),
                notes: Vec::new(),
                within: None,
            })
        }
        Opened::Text(text) => {
            let listing = Listing::parse(&text);
            if listing.leaves_out {
                return Err(dump::LEFT_OUT.to_owned());
            }
            // Bytes in hexadecimal that are run together, as `xxd -p` prints them.
            let together = str::from_utf8(file).ok().and_then(dump::read_hex);
            let is_apart = listing.numbers.iter().all(|number| number.len() <= 11);
            match together.filter(|bytes| !is_apart && bytes.len().is_multiple_of(4)) {
                Some(bytes) => Ok(of_bytes(&bytes)),
                None => dump::listed(&listing, Dtype::U32, shape(listing.numbers.len())?).map_err(|error| {
                    listing
                        .stray(file)
                        .unwrap_or_else(|| format!("expected a list of words: {error}"))
                }),
            }
        }
        Opened::Bytes(bytes) if bytes.len().is_multiple_of(4) => {
            shape(bytes.len() / 4).map(|_| of_bytes(&bytes))
        }
        Opened::Bytes(bytes) => Err(format!(
            "{} bytes are not a whole number of 4-byte words",
            bytes.len()
        )),
    }
}

fn of_bytes(bytes: &[u8]) -> Dump {
    let (words, _) = bytes.as_chunks::<4>();
    let words: Vec<u32> = words.iter().map(|&word| u32::from_le_bytes(word)).collect();
    Dump {
        output: Tensor::vector(&words),
        notes: Vec::new(),
        within: None,
    }
}

/// The words of an array: elements of 32 bits, or wider ones that are words. Negative ones are words of a signed type.
fn words_of(array: &Tensor) -> Option<Vec<u32>> {
    let dtype = array.dtype();
    let word = |scalar: Scalar| match dtype {
        Dtype::U32 | Dtype::I32 => u32::try_from(scalar.bits()).ok(),
        _ if dtype.is_float() => scalar
            .to_dtype(Dtype::U32)
            .and_then(|it| u32::try_from(it.bits()).ok()),
        _ => u32::try_from(scalar.to_i128()).ok(),
    };
    array.scalars().map(word).collect()
}

impl Generator {
    /// The place of a word among blocks, in words.
    fn place(self, index: usize) -> String {
        let per_block = match self {
            Self::Philox => 4,
            Self::Threefry => 2,
            Self::Mt19937 => return String::new(),
        };
        format!(" (word {} of block {})", index % per_block, index / per_block)
    }

    /// Words as the output of the op.
    fn output(self, words: &[u32], right: &[u32]) -> Tensor {
        match self {
            Self::Threefry if words.len().is_multiple_of(2) => {
                let (pairs, _) = words.as_chunks::<2>();
                let elements = pairs
                    .iter()
                    .map(|[low, high]| u64::from(*low) | u64::from(*high) << 32);
                Tensor::vector(&elements.collect::<Vec<_>>())
            }
            Self::Philox | Self::Threefry => Tensor::vector(words),
            Self::Mt19937 => {
                // The op draws 0 for the right word 0xffffffff. Any other word stays itself, and a zero in place of that
                // word is not the op's zero.
                let elements = words
                    .iter()
                    .zip(right)
                    .map(|(&word, &right)| match (word, right) {
                        (u32::MAX, u32::MAX) => 0,
                        (0, u32::MAX) => -1,
                        _ => i64::from(word),
                    });
                Tensor::vector(&elements.collect::<Vec<_>>())
            }
        }
    }
}

/// The low and the high word.
fn halves(number: u64) -> [u32; 2] {
    let [a, b, c, d, e, f, g, h] = number.to_le_bytes();
    [u32::from_le_bytes([a, b, c, d]), u32::from_le_bytes([e, f, g, h])]
}

impl WordsArgs {
    /// The stream in words.
    fn stream(&self) -> String {
        let name = self.generator.to_possible_value();
        let name = name.map_or_else(String::new, |value| value.get_name().to_owned());
        match self.counter {
            Some(counter) => format!("{name}, key {:#x}, counter {counter:#x}", self.key),
            None => format!("{name}, key {:#x}", self.key),
        }
    }

    /// The request whose output is `count` words of the stream.
    fn request(&self, count: usize) -> Result<Request, Error> {
        let count = u64::try_from(count).unwrap_or(u64::MAX);
        let over = |what: &str, bits: u32| Error::Usage(format!("--{what} has more than {bits} bits"));
        let counter = self.counter.unwrap_or(0);
        match self.generator {
            Generator::Philox => {
                let key = u64::try_from(self.key).map_err(|_| over("key", 64))?;
                let [low, high] = [counter & u128::from(u64::MAX), counter >> 64]
                    .map(|half| u64::try_from(half).expect("it has 64 bits"));
                let state: Vec<u32> = [low, high, key].into_iter().flat_map(halves).collect();
                Ok(Request::DmlRandomGenerator(DmlRandomGenerator {
                    generator: DmlGenerator::Philox4x32_10.into(),
                    feature_level: FeatureLevel::Level4_0.into(),
                    output_sizes: vec![count],
                    output_state: false,
                    input_state: Tensor::vector(&state),
                }))
            }
            Generator::Threefry => {
                let key = u64::try_from(self.key).map_err(|_| over("key", 64))?;
                let counter = u64::try_from(counter).map_err(|_| over("counter", 64))?;
                let is_even = count.is_multiple_of(2);
                Ok(Request::RngBitGenerator(RngBitGenerator {
                    rng_algorithm: RngAlgorithm::ThreeFry.into(),
                    // Of 64 bits each block is an element, whatever the output's extents.
                    output_type: if is_even { Dtype::U64 } else { Dtype::U32 }.into(),
                    output_sizes: vec![if is_even { count / 2 } else { count }],
                    initial_state: Tensor::vector(&[key, counter]),
                }))
            }
            Generator::Mt19937 if self.counter.is_some() => {
                Err(Error::Usage("mt19937 has no counter".to_owned()))
            }
            Generator::Mt19937 => {
                let seed = u32::try_from(self.key).map_err(|_| over("key", 32))?;
                let count = i64::try_from(count).unwrap_or(i64::MAX);
                // The widest range that takes one word for an element.
                let bounds = [0, i64::from(u32::MAX)];
                // The op's own seed has no effect, but for two seeds of zero, which ask for any stream.
                let seeds = [u64::from(seed), u64::from(seed == 0)];
                let request = RandomUniform::new(Alignment::Pytorch, &[count], bounds, seeds);
                Ok(Request::RandomUniform(request))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn args(generator: Generator, key: u128, counter: Option<u128>) -> WordsArgs {
        WordsArgs {
            generator,
            file: None,
            key,
            counter,
            count: 0,
            json: false,
        }
    }

    fn first(args: &WordsArgs, count: usize) -> Vec<u32> {
        right(&Catalogue::new(Limits::default()), &args.request(count).unwrap()).unwrap()
    }

    #[test]
    fn words_are_the_known_answers() {
        let philox = args(
            Generator::Philox,
            0x299f_31d0_a409_3822,
            Some(0x0370_7344_1319_8a2e_85a3_08d3_243f_6a88),
        );
        assert_eq!(
            first(&philox, 4),
            [0xd16c_fe09, 0x94fd_cceb, 0x5001_e420, 0x2412_6ea1]
        );
        let threefry = args(
            Generator::Threefry,
            0x0370_7344_1319_8a2e,
            Some(0x85a3_08d3_243f_6a88),
        );
        assert_eq!(first(&threefry, 3)[..2], [0xc492_3a9c, 0x483d_f7a0]);
        assert_eq!(
            first(&args(Generator::Mt19937, 5489, None), 2),
            [3_499_211_612, 581_869_302]
        );
        assert_eq!(first(&args(Generator::Mt19937, 0, None), 1), [2_357_136_044]);
    }

    #[test]
    fn words_of_a_file_are_counted_by_its_form() {
        let read =
            |file: &[u8]| drawn(file).map(|dump| dump.output.elements::<u32>().unwrap().collect::<Vec<_>>());
        let words = vec![0x0102_0304, 0xa000_0001];
        assert_eq!(read(b"01020304\na0000001\n"), Ok(words.clone()));
        assert_eq!(read(b"0x01020304 0xa0000001"), Ok(words.clone()));
        assert_eq!(read(b"16909060 2684354561"), Ok(words.clone()));
        assert_eq!(
            read(b"04030201010000a0"),
            Ok(words.clone()),
            "bytes in the order of memory"
        );
        assert_eq!(read(&[4, 3, 2, 1, 1, 0, 0, 0xa0]), Ok(words.clone()));
        assert_eq!(read(&read::npy::write(&Tensor::vector(&words))), Ok(words));
        assert!(read(b"").is_err());
        let rows = Tensor::from_elements(Shape::new(&[2, 1]).unwrap(), &[1_u32, 2]).unwrap();
        assert_eq!(read(&read::npy::write(&rows)), Ok(vec![1, 2]));
        for same in [
            Tensor::vector(&[-1_i32, 5]),
            Tensor::vector(&[4_294_967_295_i64, 5]),
            Tensor::vector(&[4_294_967_295.0_f64, 5.0]),
        ] {
            assert_eq!(read(&read::npy::write(&same)), Ok(vec![u32::MAX, 5]));
        }
        for other in [Tensor::vector(&[-1_i64]), Tensor::vector(&[0.5_f64])] {
            assert!(read(&read::npy::write(&other)).is_err());
        }
        for file in [&b"no words"[..], b"1 2 threeeee", &[1, 0, 0, 0xff, 2]] {
            assert!(read(file).is_err(), "{file:?}");
        }
    }

    /// The op draws 0 for the greatest word. No seed is known that draws this word soon.
    #[test]
    fn words_of_the_twister_are_judged_as_its_op_draws_them() {
        let right = [u32::MAX, u32::MAX, u32::MAX, 0];
        assert_eq!(
            Generator::Mt19937.output(&[u32::MAX, 0, 7, 0], &right),
            Tensor::vector(&[0_i64, -1, 7, 0])
        );
    }

    #[test]
    fn words_refuse_what_a_generator_has_not() {
        let refused = |args: &WordsArgs| args.request(1).err().unwrap().to_string();
        assert!(refused(&args(Generator::Mt19937, 1, Some(0))).contains("no counter"));
        assert!(refused(&args(Generator::Mt19937, 1 << 32, None)).contains("more than 32 bits"));
        assert!(refused(&args(Generator::Philox, 1 << 64, None)).contains("more than 64 bits"));
        assert!(refused(&args(Generator::Threefry, 1, Some(1 << 64))).contains("more than 64 bits"));
    }
}
