//! Outputs of any size: in chunks that every device can bind, with counters and states carried from one to
//! the next, and each chunk read while the next is made.

use seedproof_ops::Failure;
use wgpu::{Buffer, SubmissionIndex};

use crate::rule::Rule;
use crate::session::Session;
use crate::stream::{Running, Stream, as_u64, chunk_blocks};

/// Room for the bytes of an output.
///
/// # Errors
/// [`Failure::Broken`] if there is no memory for them.
pub(crate) fn reserved(bytes: usize) -> Result<Vec<u8>, Failure> {
    let mut out = Vec::new();
    let room = out.try_reserve_exact(bytes);
    room.map_err(|_| Failure::error(format!("allocate the {bytes} bytes of the output")))?;
    Ok(out)
}

/// The elements of a stream, from its first word on.
///
/// # Errors
/// [`Failure::Broken`] in the driver's words.
pub(crate) fn fill(
    session: Session<'_>,
    stream: Stream,
    rule: &Rule,
    count: usize,
) -> Result<Vec<u8>, Failure> {
    let bytes = count * rule.size;
    let mut out = reserved(bytes)?;
    let mut blocks_left = count.div_ceil(rule.elements_per_block());
    let chunk = blocks_left.min(chunk_blocks(&stream, rule));
    if blocks_left == 0 {
        return Ok(out);
    }
    let mut stream = Running::new(session, stream, chunk);
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
        stream.encode(&mut encoder, rule, blocks, &slot.output)?;
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
    stream: Stream,
    rule: &Rule,
    count: usize,
    times: u32,
) -> Result<(), Failure> {
    let blocks = count
        .div_ceil(rule.elements_per_block())
        .clamp(1, chunk_blocks(&stream, rule));
    let mut stream = Running::new(session, stream, blocks);
    let output = session.output(as_u64(blocks * rule.bytes_per_block()));
    let back = session.readback(4);
    let mut encoder = session.encoder();
    session.poison(&mut encoder, &output);
    for _ in 0..times {
        stream.encode(&mut encoder, rule, blocks, &output)?;
    }
    let index = session.submit(encoder, &output, &back, 4);
    session.read(&back, 4, index, &mut Vec::new())
}

/// The buffers of a chunk: the kernel writes one, the host reads the other.
struct Slot {
    output: Buffer,
    back: Buffer,
}
