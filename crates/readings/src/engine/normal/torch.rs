//! PyTorch's normals: of a generator, and of keys.

use seedproof_ops::{Dtype, ErrorKind, Failure, PhiloxNormal, Shape, Tensor, TorchNormal};

use super::pair::{Drawn, Pair};
use crate::answers::{
    AngleIn, BoxMuller, Cache, Functions, GroupPairs, GroupSize, HalfKernel, HalfWords, NormalUnit,
    SingleDigits, Tail, Vectorised,
};
use crate::engine::check;
use crate::engine::forms::changed;
use crate::engine::mt19937::Mt19937;
use crate::engine::philox::{Block, split_64};
use crate::engine::philox_keys::{Batch, Key, counter, keys_of};
use crate::engine::seeds::torch_generator;
use crate::engine::units::Convert;
use crate::reading::Reading;
use crate::round::f32_of;

/// How many elements there are at least where a kernel makes several at a time.
const LEAST: usize = 16;

/// How many it makes at a time.
fn size(reading: &Reading) -> usize {
    match reading.torch_fill.group {
        GroupSize::G8 => 8,
        GroupSize::G16 => 16,
        GroupSize::G32 => 32,
        GroupSize::G64 => 64,
    }
}

fn parameters(mean: &Tensor, std: &Tensor) -> Result<[f64; 2], Failure> {
    let mean = check::one("mean", mean, Dtype::F64)?.to_f64();
    Ok([mean, check::one("std", std, Dtype::F64)?.to_f64()])
}

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
        let [mean, std] = parameters(&request.mean, &request.std)?;
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
            Vectorised::From16 => count >= LEAST,
            Vectorised::Never => false,
            Vectorised::Always | Vectorised::Padded => count > 0,
        };
        let mut source = Source {
            generator: torch_generator(reading, self.seed),
            reading,
            steps: Steps::Single,
        };
        if by_groups {
            self.groups(source, dtype, count)
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
            source.generator.end_call();
        }
        values
    }

    fn groups(self, mut source: Source<'_>, dtype: Dtype, count: usize) -> Drawn {
        let reading = source.reading;
        let answers = &reading.torch_fill;
        let size = size(reading);
        let is_half = dtype != Dtype::F32;
        let parameters = [self.mean, self.std].map(f32_of);
        let (pair, parameters) = if is_half && answers.half_kernel != HalfKernel::AsF32 {
            (
                plain(&reading.torch_normal),
                parameters.map(|it| rounded(dtype, it)),
            )
        } else {
            ((*reading.torch_normal).clone(), parameters)
        };
        source.steps = Steps::new(answers.half_kernel, dtype);
        let rest = count % size;
        let tail = match answers.tail {
            // There is nothing before them to be made once more.
            Tail::SameWords | Tail::InPlace if count < size => Tail::Cut,
            _ if count < LEAST && answers.vectorised == Vectorised::Padded => Tail::Cut,
            tail => tail,
        };
        let redraws = rest > 0 && matches!(tail, Tail::Redrawn | Tail::RestAlone);
        let mut words = Vec::new();
        for _ in 0..=self.execution {
            words.clear();
            let first = match tail {
                Tail::Cut => count.next_multiple_of(size),
                _ if redraws && is_half && answers.half_words == HalfWords::Blocks => count - rest,
                _ => count,
            };
            source.words(first, &mut words);
            if redraws {
                words.truncate(count - rest);
                let mut last = Vec::new();
                source.words(size, &mut last);
                words.extend(last);
            }
            source.generator.end_call();
        }
        let mut values = Vec::new();
        let mut own = Vec::new();
        if redraws && tail == Tail::RestAlone {
            let last = words.split_off(words.len() - size);
            for group in words.chunks_exact(size) {
                values.extend(source.group(&pair, parameters, group));
            }
            values.extend(&source.group(&pair, parameters, &last)[size - rest..]);
            return Drawn {
                values,
                words: None,
                per_block: 1,
            };
        }
        // Words of the tail may be more than there are elements.
        if redraws && count < size {
            let last = words.split_off(words.len() - size);
            let values = source.group(&pair, parameters, &last);
            let from = if count < LEAST { 0 } else { size - count };
            return Drawn {
                values: values[from..][..count].to_vec(),
                words: (from == 0).then(|| last[..count].to_vec()),
                per_block: 1,
            };
        }
        let overlaps = redraws && count > size;
        let group_count = words.len() / size;
        for (i, group) in words.chunks_exact(size).enumerate() {
            // The tail covers the end of the group before it.
            let stays = if overlaps && i + 2 == group_count {
                rest
            } else {
                size
            };
            values.extend(&source.group(&pair, parameters, group)[..stays]);
            own.extend_from_slice(&group[..stays]);
        }
        if rest > 0 && tail == Tail::SameWords {
            values.truncate(count - size);
            values.extend(source.group(&pair, parameters, &words[count - size..count]));
            own.clone_from(&words);
        }
        if rest > 0 && tail == Tail::InPlace {
            let units = words[count - rest..count].iter().map(|&word| source.unit(word));
            let held: Vec<f32> = values[count - size..]
                .iter()
                .map(|&it| f32_of(it))
                .chain(units)
                .collect();
            values.truncate(count - size);
            values.extend(source.group_of(&pair, parameters, &held));
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
    steps: Steps,
}

/// What the steps of a kernel that makes several at a time are rounded to.
#[derive(Clone, Copy)]
enum Steps {
    /// All to f32.
    Single,
    /// All to a 16-bit type.
    Of(Dtype),
    /// Variables to a 16-bit type, and the results of functions to f32.
    Stored(Dtype),
}

impl Steps {
    const fn new(kernel: HalfKernel, dtype: Dtype) -> Self {
        match (kernel, dtype) {
            (HalfKernel::EachStep, Dtype::F16 | Dtype::Bf16) | (HalfKernel::Variables, Dtype::Bf16) => {
                Self::Of(dtype)
            }
            (HalfKernel::Variables, Dtype::F16) => Self::Stored(dtype),
            _ => Self::Single,
        }
    }
}

impl Source<'_> {
    fn words(&mut self, count: usize, words: &mut Vec<u32>) {
        let from = words.len();
        words.extend((0..count).map(|_| self.generator.next()));
        changed(self.reading.memory.words, &mut words[from..]);
    }

    /// A number of a normal that is made by itself.
    fn double(&mut self) -> f64 {
        let mut words = Vec::new();
        if self.reading.torch_fill.single == SingleDigits::Narrow {
            self.words(1, &mut words);
            return self.unit(words[0]).into();
        }
        self.words(2, &mut words);
        Convert::Mt(&self.reading.mt_convert).unit(Dtype::F64, &words)
    }

    /// The sixteen normals of sixteen words: eight firsts of a pair, then their seconds.
    fn group(&self, answers: &BoxMuller, parameters: [f32; 2], words: &[u32]) -> Vec<f64> {
        let units: Vec<f32> = words.iter().map(|&word| self.unit(word)).collect();
        self.group_of(answers, parameters, &units)
    }

    fn group_of(&self, answers: &BoxMuller, parameters: [f32; 2], units: &[f32]) -> Vec<f64> {
        let pair = Pair(answers);
        let half = units.len() / 2;
        let mut values = vec![0.0; units.len()];
        for i in 0..half {
            let (apart, beside) = ([i, i + half], [2 * i, 2 * i + 1]);
            let (from, places) = match self.reading.torch_fill.pairs {
                GroupPairs::EightApart => (apart, apart),
                GroupPairs::Neighbours => (beside, beside),
                GroupPairs::StoredAsNeighbours => (apart, beside),
                GroupPairs::StoredApart => (beside, apart),
            };
            let numbers = from.map(|place| units[place]);
            let scaled = match self.steps {
                Steps::Single => pair.of(numbers).map(|it| pair.scaled(it, parameters)),
                Steps::Of(dtype) | Steps::Stored(dtype) => {
                    let step = |x| match self.steps {
                        Steps::Of(dtype) => rounded(dtype, x),
                        _ => x,
                    };
                    let [mean, std] = parameters;
                    let normals = pair.of_halves(numbers, |x| rounded(dtype, x), step);
                    normals.map(|it| step(it * std) + mean)
                }
            };
            for (place, value) in places.into_iter().zip(scaled) {
                values[place] = f64::from(value);
            }
        }
        values
    }

    fn unit(&self, word: u32) -> f32 {
        let dtype = match self.steps {
            Steps::Single => Dtype::F32,
            Steps::Of(dtype) | Steps::Stored(dtype) => dtype,
        };
        f32_of(Convert::Mt(&self.reading.mt_convert).unit(dtype, &[word]))
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
        let parameters = parameters(&request.mean, &request.std)?;
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
            let normal = pair.of(half.map(|word| unit(reading, word)))[number % 2];
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
fn unit(reading: &Reading, word: u32) -> f32 {
    let half = match reading.key_values.normal {
        NormalUnit::Rounded => f32::from_bits(0x2f00_0000),
        NormalUnit::WithoutHalf => 0.0,
        NormalUnit::Whole => return f32_of((f64::from(word) + 0.5) / 4_294_967_296.0),
    };
    (word as f32).mul_add(f32::from_bits(0x2f80_0000), half)
}
