//! Streams of words that go on from chunk to chunk, and the kernels that make elements of them.

use seedproof_cpu::{Pairs, Philox, PhiloxKey, Threefry};
use seedproof_ops::Failure;
use wgpu::{Buffer, CommandEncoder};

use crate::kernels::{Entry, Module};
use crate::rule::{Origin, Rule, halves, words};
use crate::session::Session;

/// The most bytes of one buffer: half of what every device can bind.
pub(crate) const CHUNK: usize = 64 << 20;
/// Words of a generation of MT19937.
const GENERATION: usize = 624;

/// Where words come from.
#[derive(Clone, Debug)]
pub(crate) enum Stream {
    /// Blocks of Philox.
    Philox(Philox),
    /// The words of MT19937 from a seed.
    Mt19937(u32),
    /// The same number of blocks of each key.
    Keys(Vec<PhiloxKey>, usize),
    /// Pairs of Threefry in the order of an output.
    Threefry(Threefry, Pairs),
    /// Blocks by their numbers.
    Counted(Counter),
    /// Sums of two streams alike, first the one of the lower bits.
    Sums([Counter; 2]),
    /// Blocks of Threefry by this key, one for each number.
    Listed(u64, Vec<u64>),
}

/// A stream of which each block is made by its number alone.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Counter {
    /// Philox, and the distance from a block to the next.
    Philox(Philox, u32),
    /// Threefry, as JAX counts.
    Threefry(Counted),
}

/// Threefry, as JAX counts: `counted.wgsl`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Counted {
    key: u64,
    /// The number of the first element, or of the first word of the original order.
    first: u64,
    /// Half of the words of the original order, rounded up, and all; 0 of today's.
    halves: [u32; 2],
    /// Elements that a word makes; 0 where an element takes both words of a block.
    pieces: u32,
}

impl Counted {
    /// Today's order, from an element on: both words of a block, or one word made of them.
    pub(crate) fn today(key: u64, first: u64, both: bool) -> Self {
        Self {
            key,
            first,
            halves: [0, 0],
            pieces: u32::from(!both),
        }
    }

    /// The original order of `count` elements that take `taken` bytes each.
    pub(crate) fn original(key: u64, count: usize, taken: usize) -> Self {
        let total = (count * taken).div_ceil(4);
        Self {
            key,
            first: 0,
            halves: [total.div_ceil(2), total].map(as_u32),
            pieces: as_u32(4 / taken),
        }
    }
}

impl Counter {
    /// Where the next blocks begin; the ones after them begin `blocks` later.
    fn take(&mut self, blocks: usize) -> Origin {
        match self {
            Self::Philox(philox, step) => {
                let origin = Origin {
                    counter: words(philox.counter),
                    key: philox.key,
                    first: 0,
                    step: *step,
                };
                *philox = philox.skip(as_u64(blocks) * u64::from(*step));
                origin
            }
            Self::Threefry(counted) => {
                let ([low, high], [half, total]) = (halves(counted.first), counted.halves);
                // Each step of a kernel stores four elements of a word, or two that take both words of a block. A word of the
                // original order holds `pieces` elements, so that a step takes fewer words where they are narrow.
                let numbers = 4_u32.checked_div(counted.pieces).unwrap_or(2);
                counted.first += as_u64(blocks) * u64::from(numbers);
                Origin {
                    counter: [low, high, half, total],
                    key: counted.key,
                    first: 0,
                    step: counted.pieces,
                }
            }
        }
    }
}

/// Blocks of a chunk.
pub(crate) fn chunk_blocks(stream: &Stream, rule: &Rule) -> usize {
    let blocks = CHUNK / rule.bytes_per_block().max(16);
    match stream {
        // Whole generations, so that the next chunk begins with one.
        Stream::Mt19937(_) => blocks / (GENERATION / 4) * (GENERATION / 4),
        _ => blocks,
    }
}

/// A stream that goes on from chunk to chunk.
pub(crate) struct Running<'a> {
    session: Session<'a>,
    kind: Kind,
}

enum Kind {
    Counted(Counter),
    Sums([Counter; 2]),
    Mt19937 {
        seed: u32,
        begun: bool,
        words: Buffer,
        state: Buffer,
    },
    /// All of the keys are one chunk.
    Keys {
        keys: Buffer,
        blocks_of_each: usize,
    },
    Threefry {
        threefry: Threefry,
        pairs: Pairs,
        /// Elements that were made.
        made: usize,
    },
    Listed {
        key: u64,
        numbers: Vec<u64>,
        /// Numbers whose blocks were made.
        made: usize,
    },
}

impl<'a> Running<'a> {
    /// The stream of which at most `chunk` blocks are made at a time.
    pub(crate) fn new(session: Session<'a>, stream: Stream, chunk: usize) -> Self {
        let kind = match stream {
            Stream::Philox(philox) => Kind::Counted(Counter::Philox(philox, 1)),
            Stream::Counted(counter) => Kind::Counted(counter),
            Stream::Sums(counters) => Kind::Sums(counters),
            Stream::Mt19937(seed) => Kind::Mt19937 {
                seed,
                begun: false,
                words: session.output(4 * as_u64((4 * chunk).next_multiple_of(GENERATION))),
                state: session.output(4 * as_u64(GENERATION)),
            },
            Stream::Keys(keys, blocks_of_each) => {
                let numbers = keys.iter().flat_map(|key| [key.seed, key.offset]);
                let bytes: Vec<u8> = numbers.flat_map(u64::to_le_bytes).collect();
                Kind::Keys {
                    keys: session.input(&bytes),
                    blocks_of_each,
                }
            }
            Stream::Threefry(threefry, pairs) => Kind::Threefry {
                threefry,
                pairs,
                made: 0,
            },
            Stream::Listed(key, numbers) => Kind::Listed {
                key,
                numbers,
                made: 0,
            },
        };
        Self { session, kind }
    }

    /// The commands that write the elements of the next blocks.
    pub(crate) fn encode(
        &mut self,
        encoder: &mut CommandEncoder,
        rule: &Rule,
        blocks: usize,
        output: &Buffer,
    ) -> Result<(), Failure> {
        let session = self.session;
        let nothing = Origin::default();
        let (module, origins, more) = match &mut self.kind {
            Kind::Counted(counter) => {
                let module = match counter {
                    Counter::Philox(..) => Module::Philox,
                    Counter::Threefry(_) => Module::Counted,
                };
                (module, [counter.take(blocks), nothing], None)
            }
            Kind::Sums(counters) => {
                let module = match counters {
                    [Counter::Philox(..), _] => Module::PhiloxSums,
                    [Counter::Threefry(_), _] => Module::CountedSums,
                };
                let origins = counters.each_mut().map(|counter| counter.take(blocks));
                (module, origins, None)
            }
            Kind::Mt19937 {
                seed,
                begun,
                words,
                state,
            } => {
                let generations = as_u32((4 * blocks).div_ceil(GENERATION));
                session.poison(encoder, words);
                let stream = session.uniform(&[*seed, u32::from(*begun), generations, 0]);
                *begun = true;
                let generate = Entry {
                    module: Module::Mt19937,
                    name: "generate",
                };
                let bindings = [(0, &stream), (1, &*words), (2, &*state)];
                session.dispatch(encoder, generate, &bindings, 1)?;
                (Module::Stored, [nothing; 2], Some((3, words.clone())))
            }
            Kind::Keys { keys, blocks_of_each } => {
                let origin = Origin {
                    counter: [as_u32(*blocks_of_each), 0, 0, 0],
                    ..nothing
                };
                (Module::Keyed, [origin, nothing], Some((5, keys.clone())))
            }
            Kind::Threefry {
                threefry,
                pairs,
                made,
            } => {
                let [elements, pairs_of_them] = pairs.period();
                let Threefry { key, counter } = threefry.skip(as_u64(*made / elements * pairs_of_them));
                let [low, high] = halves(counter);
                // What is even is halved as 2 is.
                let halved = if pairs.halved.is_multiple_of(2) {
                    2
                } else {
                    pairs.halved
                };
                let origin = Origin {
                    counter: [low, high, as_u32(halved), as_u32(pairs.inner)],
                    key,
                    first: as_u32(*made % elements),
                    ..nothing
                };
                *made += 4 * blocks;
                (Module::Pairs, [origin, nothing], None)
            }
            Kind::Listed { key, numbers, made } => {
                // A kernel makes two blocks at a time, so that the last chunk may need a number that is not there; nothing
                // reads its block.
                let listed = numbers.iter().skip(*made).chain(std::iter::repeat(&0));
                let bytes: Vec<u8> = listed.take(2 * blocks).flat_map(|x| x.to_le_bytes()).collect();
                *made += 2 * blocks;
                let origin = Origin { key: *key, ..nothing };
                (
                    Module::Listed,
                    [origin, nothing],
                    Some((5, session.input(&bytes))),
                )
            }
        };
        let blocks = as_u32(blocks);
        let parameters = session.uniform(&rule.parameters(blocks, origins));
        let mut bindings = vec![(0, &parameters), (rule.output_binding(), output)];
        bindings.extend(more.as_ref().map(|(binding, buffer)| (*binding, buffer)));
        let entry = Entry {
            module,
            name: rule.kernel,
        };
        session.dispatch_grid(encoder, entry, &bindings, blocks)
    }
}

/// A size as the device's interface takes it.
pub(crate) fn as_u64(size: usize) -> u64 {
    u64::try_from(size).expect("a size fits 64 bits")
}

/// A number of a chunk as kernels take it.
pub(crate) fn as_u32(count: usize) -> u32 {
    u32::try_from(count)
        .expect("a chunk has at most 2^26 bytes, a period 2^31 elements, and the original order 2^32 words")
}
