//! Streams of words that go on from chunk to chunk, and the kernels that make elements of them.

use seedproof_cpu::{Pairs, Philox, PhiloxKey, Threefry};
use seedproof_ops::Failure;
use wgpu::{Buffer, CommandEncoder};

use crate::kernels::{Entry, Module};
use crate::rule::{Rule, halves, words};
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
    Philox(Philox),
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
}

impl<'a> Running<'a> {
    /// The stream of which at most `chunk` blocks are made at a time.
    pub(crate) fn new(session: Session<'a>, stream: Stream, chunk: usize) -> Self {
        let kind = match stream {
            Stream::Philox(philox) => Kind::Philox(philox),
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
        let output = (rule.output_binding(), output);
        let blocks32 = as_u32(blocks);
        let entry = |module| Entry {
            module,
            name: rule.kernel,
        };
        match &mut self.kind {
            Kind::Philox(philox) => {
                let first = *philox;
                *philox = philox.skip(as_u64(blocks));
                encode_philox(session, encoder, first, rule, blocks, output.1)
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
                let parameters = session.uniform(&rule.parameters([0; 4], 0, blocks32, 0));
                let bindings = [(0, &parameters), output, (3, &*words)];
                session.dispatch_grid(encoder, entry(Module::Stored), &bindings, blocks32)
            }
            Kind::Keys { keys, blocks_of_each } => {
                let counter = [as_u32(*blocks_of_each), 0, 0, 0];
                let parameters = session.uniform(&rule.parameters(counter, 0, blocks32, 0));
                let bindings = [(0, &parameters), output, (5, &*keys)];
                session.dispatch_grid(encoder, entry(Module::Keyed), &bindings, blocks32)
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
                let counter = [low, high, as_u32(halved), as_u32(pairs.inner)];
                let first = as_u32(*made % elements);
                let parameters = session.uniform(&rule.parameters(counter, key, blocks32, first));
                *made += 4 * blocks;
                let bindings = [(0, &parameters), output];
                session.dispatch_grid(encoder, entry(Module::Threefry), &bindings, blocks32)
            }
        }
    }
}

/// The commands that write the elements of some blocks of Philox.
pub(crate) fn encode_philox(
    session: Session<'_>,
    encoder: &mut CommandEncoder,
    philox: Philox,
    rule: &Rule,
    blocks: usize,
    output: &Buffer,
) -> Result<(), Failure> {
    let blocks = as_u32(blocks);
    let parameters = session.uniform(&rule.parameters(words(philox.counter), philox.key, blocks, 0));
    let entry = Entry {
        module: Module::Philox,
        name: rule.kernel,
    };
    let bindings = [(0, &parameters), (rule.output_binding(), output)];
    session.dispatch_grid(encoder, entry, &bindings, blocks)
}

/// A size as the device's interface takes it.
pub(crate) fn as_u64(size: usize) -> u64 {
    u64::try_from(size).expect("a size fits 64 bits")
}

/// A number of a chunk as kernels take it.
pub(crate) fn as_u32(count: usize) -> u32 {
    u32::try_from(count).expect("a chunk is at most 2^26 bytes, and a period at most 2^31 elements")
}
