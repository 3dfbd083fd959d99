//! The ops that draw by element: their streams one after another.

use seedproof_cpu::Pairs;
use seedproof_cpu::op::draw::{Draw, Keys, Source};
use seedproof_ops::Failure;

use crate::fill::{fill as fill_stream, reserved};
use crate::rule::Rule;
use crate::session::Session;
use crate::stream::{CHUNK, Stream, as_u64};

/// Says what no device is asked for: elements that 32 bits do not count.
///
/// # Errors
/// [`Failure::Unsupported`].
pub(crate) fn check(draw: &Draw) -> Result<(), Failure> {
    let elements = match draw.source {
        Source::Threefry(_, pairs) if draw.words_per_element() == 1 => pairs.period()[0],
        _ => 0,
    };
    if elements <= 1 << 31 {
        return Ok(());
    }
    Err(Failure::Unsupported(format!(
        "pairs start again after {elements} elements: the GPU backend takes at most 2^31"
    )))
}

/// The first output of a valid request.
///
/// # Errors
/// [`Failure::Broken`] in the driver's words.
pub(crate) fn fill(session: Session<'_>, draw: &Draw) -> Result<Vec<u8>, Failure> {
    let (rule, count) = (Rule::of(draw), draw.shape.count());
    match &draw.source {
        Source::Philox(philox) => fill_stream(session, Stream::Philox(*philox), &rule, count),
        Source::Mt19937(seed) => fill_stream(session, Stream::Mt19937(*seed), &rule, count),
        Source::Keys(keys) => fill_by_keys(session, keys, &rule, count),
        Source::Threefry(threefry, pairs) => {
            // Elements of two words take the pairs in order.
            let pairs = if rule.words == 2 { Pairs::of(&[2]) } else { *pairs };
            fill_stream(session, Stream::Threefry(*threefry, pairs), &rule, count)
        }
    }
}

/// The elements that each of some keys draws, one after another.
fn fill_by_keys(session: Session<'_>, keys: &Keys, rule: &Rule, count: usize) -> Result<Vec<u8>, Failure> {
    let mut out = reserved(count * rule.size)?;
    let blocks = keys.each.div_ceil(rule.elements_per_block());
    let most = CHUNK / rule.bytes_per_block().max(16);
    let streams = count.checked_div(keys.each).unwrap_or(0);
    // As many streams as one buffer holds, or a part of one.
    let (group, part) = ((most / blocks.max(1)).max(1), blocks.min(most));
    for start in (0..streams).step_by(group) {
        let streams: Vec<_> = (start..streams.min(start + group))
            .map(|index| keys.stream(index))
            .collect();
        for made in (0..blocks).step_by(part.max(1)) {
            let part = part.min(blocks - made);
            let streams: Vec<_> = streams.iter().map(|key| key.skip(as_u64(made))).collect();
            let all = streams.len() * part * rule.elements_per_block();
            let drawn = fill_stream(session, Stream::Keys(streams, part), rule, all)?;
            // What is left of a stream's last block is dropped.
            let kept = (keys.each - made * rule.elements_per_block()).min(part * rule.elements_per_block());
            for drawn in drawn.chunks_exact(part * rule.bytes_per_block()) {
                out.extend_from_slice(&drawn[..kept * rule.size]);
            }
        }
    }
    Ok(out)
}
