//! Outputs of any size: in chunks that every device can bind, with counters and states carried from one to
//! the next, and each chunk read while the next is made.

use seedproof_cpu::{Generator, Philox};
use seedproof_ops::Failure;
use wgpu::{Buffer, CommandEncoder, SubmissionIndex};

use crate::kernels::{Entry, Module};
use crate::rule::Rule;
use crate::session::Session;

/// The most bytes of one buffer: half of what every device can bind.
pub(crate) const CHUNK: usize = 64 << 20;
/// Words of a generation of MT19937.
const GENERATION: usize = 624;

/// The elements of a stream, from its first word on.
///
/// # Errors
/// [`Failure::Broken`] in the driver's words.
pub(crate) fn fill(
    session: Session<'_>,
    generator: Generator,
    rule: &Rule,
    count: usize,
) -> Result<Vec<u8>, Failure> {
    let bytes = count * rule.size;
    let mut out = Vec::with_capacity(bytes);
    let mut blocks_left = count.div_ceil(rule.elements_per_block());
    let chunk = blocks_left.min(chunk_blocks(generator, rule));
    if blocks_left == 0 {
        return Ok(out);
    }
    let mut source = Source::new(session, generator, chunk);
    let slots = [(); 2].map(|()| {
        // The second is made only where there is a second chunk.
        let bytes = as_u64(chunk * rule.bytes_per_block());
        std::cell::LazyCell::new(move || Slot {
            output: session.output(bytes),
            back: session.readback(bytes),
        })
    });
    let mut pending: Option<(usize, u64, SubmissionIndex)> = None;
    let mut turn = 0;
    while blocks_left > 0 {
        let blocks = blocks_left.min(chunk);
        let slot = &slots[turn];
        let mut encoder = session.encoder();
        session.poison(&mut encoder, &slot.output);
        source.encode(&mut encoder, rule, blocks, &slot.output)?;
        let made = as_u64(blocks * rule.bytes_per_block());
        let index = session.submit(encoder, &slot.output, &slot.back, made);
        if let Some((turn, made, index)) = pending.replace((turn, made, index)) {
            session.read(&slots[turn].back, made, index, &mut out)?;
        }
        blocks_left -= blocks;
        turn = 1 - turn;
    }
    if let Some((turn, made, index)) = pending {
        session.read(&slots[turn].back, made, index, &mut out)?;
    }
    // Words of the last block that no element takes are dropped.
    out.truncate(bytes);
    Ok(out)
}

/// Makes the first chunk of a stream's elements some times over and waits for the last. Nothing is read.
///
/// # Errors
/// [`Failure::Broken`] in the driver's words.
pub(crate) fn repeat(
    session: Session<'_>,
    generator: Generator,
    rule: &Rule,
    count: usize,
    times: u32,
) -> Result<(), Failure> {
    let blocks = count
        .div_ceil(rule.elements_per_block())
        .clamp(1, chunk_blocks(generator, rule));
    let mut source = Source::new(session, generator, blocks);
    let output = session.output(as_u64(blocks * rule.bytes_per_block()));
    let back = session.readback(4);
    let mut encoder = session.encoder();
    session.poison(&mut encoder, &output);
    for _ in 0..times {
        source.encode(&mut encoder, rule, blocks, &output)?;
    }
    let index = session.submit(encoder, &output, &back, 4);
    session.read(&back, 4, index, &mut Vec::new())
}

/// The buffers of a chunk: the kernel writes one, the host reads the other.
struct Slot {
    output: Buffer,
    back: Buffer,
}

/// Blocks of a chunk.
fn chunk_blocks(generator: Generator, rule: &Rule) -> usize {
    let blocks = CHUNK / rule.bytes_per_block().max(16);
    match generator {
        Generator::Philox(_) => blocks,
        // Whole generations, so that the next chunk begins with one.
        Generator::Mt19937 { .. } => blocks / (GENERATION / 4) * (GENERATION / 4),
    }
}

/// A stream that goes on from chunk to chunk.
struct Source<'a> {
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
}

impl<'a> Source<'a> {
    /// The stream of which at most `chunk` blocks are made at a time.
    fn new(session: Session<'a>, generator: Generator, chunk: usize) -> Self {
        let kind = match generator {
            Generator::Philox(philox) => Kind::Philox(philox),
            Generator::Mt19937 { seed } => Kind::Mt19937 {
                seed,
                begun: false,
                words: session.output(4 * as_u64((4 * chunk).next_multiple_of(GENERATION))),
                state: session.output(4 * as_u64(GENERATION)),
            },
        };
        Self { session, kind }
    }

    /// The commands that write the elements of the next blocks.
    fn encode(
        &mut self,
        encoder: &mut CommandEncoder,
        rule: &Rule,
        blocks: usize,
        output: &Buffer,
    ) -> Result<(), Failure> {
        let session = self.session;
        match &mut self.kind {
            Kind::Philox(philox) => {
                let first = *philox;
                *philox = philox.skip(as_u64(blocks));
                encode_philox(session, encoder, first, rule, blocks, output)
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
                let parameters = session.uniform(&rule.parameters(0, 0, as_u32(blocks)));
                let entry = Entry {
                    module: Module::Stored,
                    name: rule.kernel,
                };
                let bindings = [(0, &parameters), (rule.output_binding(), output), (3, &*words)];
                session.dispatch_grid(encoder, entry, &bindings, as_u32(blocks))
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
    let parameters = session.uniform(&rule.parameters(philox.counter, philox.key, blocks));
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
    u32::try_from(count).expect("a chunk is at most 2^26 bytes")
}
