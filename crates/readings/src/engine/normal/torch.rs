//! PyTorch's normals: of a generator, and of keys.

use seedproof_ops::{Dtype, ErrorKind, Failure, PhiloxNormal, Shape, TorchNormal};

use super::pair::{Drawn, Pair};
use crate::answers::{
    AngleIn, BoxMuller, Cache, Functions, GroupPairs, HalfKernel, HalfWords, Tail, Vectorised,
};
use crate::engine::check;
use crate::engine::mt19937::Mt19937;
use crate::engine::philox::{Block, split_64};
use crate::engine::philox_keys::{Batch, Key, bound, counter, keys_of};
use crate::engine::seeds::torch_generator;
use crate::engine::stream::changed;
use crate::engine::units::Convert;
use crate::reading::Reading;
use crate::round::f32_of;

/// How many elements a kernel makes at a time.
const GROUP: usize = 16;

/// normal_: a seed, mean and standard deviation.
#[derive(Clone, Copy)]
pub(super) struct Generated {
    seed: u64,
    execution: usize,
    mean: f64,
    std: f64,
}

impl Generated {
    /// # Errors
    /// What is refused of the parameters.
    pub(super) fn new(request: &TorchNormal) -> Result<Self, Failure> {
        let (mean, std) = (bound("mean", &request.mean)?, bound("std", &request.std)?);
        // NaN compares false and is refused as well.
        if std >= 0.0 {
            let execution = usize::try_from(request.execution).unwrap_or(usize::MAX);
            return Ok(Self {
                seed: request.seed,
                execution,
                mean,
                std,
            });
        }
        check::refuse(ErrorKind::Range, format!("std is {std}"))
    }

    pub(super) fn draw(self, reading: &Reading, dtype: Dtype, count: usize) -> Drawn {
        let by_groups = match reading.torch_fill.vectorised {
            Vectorised::From16 => count >= GROUP,
            Vectorised::Never => false,
            Vectorised::Always => count > 0,
        };
        let mut source = Source {
            generator: torch_generator(reading, self.seed),
            reading,
        };
        if by_groups {
            self.groups(&mut source, dtype, count)
        } else {
            let values = self.singles(&mut source, count);
            Drawn {
                values,
                words: None,
                per_block: 1,
            }
        }
    }

    /// All that the executions up to this one draw one by one, the last elements of which are this one's.
    fn singles(self, source: &mut Source<'_>, count: usize) -> Vec<f64> {
        let reading = source.reading;
        let cache = reading.torch_fill.cache;
        let pair = Pair(&reading.torch_single);
        let mut values = Vec::new();
        let mut kept = None;
        for _ in 0..=self.execution {
            values.clear();
            if cache == Cache::Dropped {
                kept = None;
            }
            for _ in 0..count {
                let normal = kept.take().unwrap_or_else(|| {
                    let [first, second] = pair.of_doubles([source.double(), source.double()]);
                    kept = (cache != Cache::Unused).then_some(second);
                    first
                });
                values.push(f64::from(f32_of(pair.scaled_double(normal, self.mean, self.std))));
            }
        }
        values
    }

    fn groups(self, source: &mut Source<'_>, dtype: Dtype, count: usize) -> Drawn {
        let reading = source.reading;
        let answers = &reading.torch_fill;
        let is_half = dtype != Dtype::F32;
        let parameters = [self.mean, self.std].map(f32_of);
        let (pair, parameters) = if is_half && answers.half_kernel == HalfKernel::Plain {
            (
                plain(&reading.torch_normal),
                parameters.map(|it| rounded(dtype, it)),
            )
        } else {
            ((*reading.torch_normal).clone(), parameters)
        };
        let rest = count % GROUP;
        let tail = match answers.tail {
            // There is nothing before them to be made once more.
            Tail::SameWords | Tail::InPlace if count < GROUP => Tail::Cut,
            tail => tail,
        };
        let redraws = rest > 0 && matches!(tail, Tail::Redrawn | Tail::RestAlone);
        let mut words = Vec::new();
        for _ in 0..=self.execution {
            words.clear();
            let first = match tail {
                Tail::Cut => count.next_multiple_of(GROUP),
                _ if redraws && is_half && answers.half_words == HalfWords::Blocks => count - rest,
                _ => count,
            };
            source.words(first, &mut words);
            if redraws {
                words.truncate(count - rest);
                let mut last = Vec::new();
                source.words(GROUP, &mut last);
                words.extend(last);
            }
        }
        let mut values = Vec::new();
        let mut own = Vec::new();
        if redraws && tail == Tail::RestAlone {
            let last = words.split_off(words.len() - GROUP);
            for group in words.chunks_exact(GROUP) {
                values.extend(source.group(&pair, parameters, group));
            }
            values.extend(&source.group(&pair, parameters, &last)[GROUP - rest..]);
            return Drawn {
                values,
                words: None,
                per_block: 1,
            };
        }
        let overlaps = redraws && count > GROUP;
        let group_count = words.len() / GROUP;
        for (i, group) in words.chunks_exact(GROUP).enumerate() {
            // The tail covers the end of the group before it.
            let stays = if overlaps && i + 2 == group_count {
                rest
            } else {
                GROUP
            };
            values.extend(&source.group(&pair, parameters, group)[..stays]);
            own.extend_from_slice(&group[..stays]);
        }
        if rest > 0 && tail == Tail::SameWords {
            values.truncate(count - GROUP);
            values.extend(source.group(&pair, parameters, &words[count - GROUP..count]));
            own.clone_from(&words);
        }
        if rest > 0 && tail == Tail::InPlace {
            let units = words[count - rest..count].iter().map(|&word| source.unit(word));
            let held: Vec<f32> = values[count - GROUP..]
                .iter()
                .map(|&it| f32_of(it))
                .chain(units)
                .collect();
            values.truncate(count - GROUP);
            let held = held.try_into().expect("sixteen elements are held");
            values.extend(source.group_of(&pair, parameters, held));
        }
        values.truncate(count);
        own.truncate(count);
        let per_block = 1;
        let words = (values.len() == own.len()).then_some(own);
        Drawn {
            values,
            words,
            per_block,
        }
    }
}

/// The generator, and how its words become numbers.
struct Source<'a> {
    generator: Mt19937,
    reading: &'a Reading,
}

impl Source<'_> {
    fn words(&mut self, count: usize, words: &mut Vec<u32>) {
        let from = words.len();
        words.extend((0..count).map(|_| self.generator.next()));
        changed(self.reading.memory.words, &mut words[from..]);
    }

    fn double(&mut self) -> f64 {
        let mut words = Vec::new();
        self.words(2, &mut words);
        Convert::Mt(&self.reading.mt_convert).unit(Dtype::F64, &words)
    }

    /// The sixteen normals of sixteen words: eight firsts of a pair, then their seconds.
    fn group(&self, answers: &BoxMuller, parameters: [f32; 2], words: &[u32]) -> [f64; GROUP] {
        let mut units = [0.0; GROUP];
        for (unit, &word) in units.iter_mut().zip(words) {
            *unit = self.unit(word);
        }
        self.group_of(answers, parameters, units)
    }

    fn group_of(&self, answers: &BoxMuller, parameters: [f32; 2], units: [f32; GROUP]) -> [f64; GROUP] {
        let pair = Pair(answers);
        let mut values = [0.0; GROUP];
        for i in 0..GROUP / 2 {
            let places = match self.reading.torch_fill.pairs {
                GroupPairs::EightApart => [i, i + GROUP / 2],
                GroupPairs::Neighbours => [2 * i, 2 * i + 1],
            };
            let normals = pair.of(places.map(|place| units[place]));
            for (place, normal) in places.into_iter().zip(normals) {
                values[place] = f64::from(pair.scaled(normal, parameters));
            }
        }
        values
    }

    fn unit(&self, word: u32) -> f32 {
        f32_of(Convert::Mt(&self.reading.mt_convert).unit(Dtype::F32, &[word]))
    }
}

/// The answers of the plain kernel, which 16-bit types had in PyTorch 2.12.
fn plain(answers: &BoxMuller) -> BoxMuller {
    BoxMuller {
        functions: Functions::Glibc,
        angle: AngleIn::Double,
        ..answers.clone()
    }
}

fn rounded(dtype: Dtype, x: f32) -> f32 {
    match dtype {
        Dtype::F16 => half::f16::from_f32(x).to_f32(),
        Dtype::Bf16 => half::bf16::from_f32(x).to_f32(),
        _ => x,
    }
}

/// torch.func._random.normal: keys, mean and standard deviation.
#[derive(Clone)]
pub(super) struct Keyed {
    keys: Vec<Key>,
    batch: Batch,
    parameters: [f32; 2],
}

impl Keyed {
    /// # Errors
    /// What is refused of the keys and the parameters.
    pub(super) fn new(reading: &Reading, request: &PhiloxNormal) -> Result<Self, Failure> {
        let keys = keys_of(reading, &request.key)?;
        check::strides(&reading.validation, &request.output_sizes)?;
        let batch = Batch::new(reading.philox_keys.batch, &request.key, &request.output_sizes)?;
        let parameters = [bound("mean", &request.mean)?, bound("std", &request.std)?];
        Ok(Self {
            keys,
            batch,
            parameters: parameters.map(f32_of),
        })
    }

    pub(super) fn draw(&self, reading: &Reading, shape: &Shape) -> Drawn {
        let pair = Pair(&reading.philox_normal);
        let (mut values, mut own) = (Vec::new(), Vec::new());
        for element in 0..shape.count() {
            let (key, number) = self.batch.place(shape, element);
            let key = self.keys[key];
            let block = Block::new(&reading.philox, split_64(key.seed));
            let mut words = block.words(counter(reading, key).at(0, number / 4));
            changed(reading.memory.words, &mut words);
            let half = if number % 4 < 2 {
                [words[0], words[1]]
            } else {
                [words[2], words[3]]
            };
            let normal = pair.of(half.map(unit))[number % 2];
            values.push(f64::from(pair.scaled(normal, self.parameters)));
            own.push(words[number % 4]);
        }
        let per_block = if self.keys.len() == 1 { 4 } else { 1 };
        Drawn {
            values,
            words: Some(own),
            per_block,
        }
    }
}

/// A number of (0, 1] of a word: half a step more than its multiple of 2^-32.
#[expect(clippy::cast_precision_loss, reason = "that the word is rounded is the point")]
fn unit(word: u32) -> f32 {
    (word as f32).mul_add(f32::from_bits(0x2f80_0000), f32::from_bits(0x2f00_0000))
}
