//! Mistakes with a parameter, which a search may find.

use std::borrow::Cow;

use crate::answers::{Layout, Rounds};
use crate::reading::Reading;

/// The ids of the mistakes that have a parameter, with its name.
pub const fn families() -> &'static [(&'static str, &'static str)] {
    &[
        ("chunk-restart", "size"),
        ("grid-stride", "threads"),
        ("lanes", "lanes"),
        ("rounds-9", "rounds"),
        ("tail-restart", "size"),
        ("workgroup", "size"),
    ]
}

/// The readings that a mistake with a parameter gives, parameter by parameter from small to large; `None` for
/// a mistake without one. Launches come in powers of two and in multiples of 32 and 256, so only those are tried.
pub fn family<'a>(id: &str, reading: &'a Reading) -> Option<impl Iterator<Item = (u64, Reading)> + 'a> {
    let change: fn(&mut Reading, u32) = match id {
        "chunk-restart" => |reading, size| reading.stream.layout = Layout::ChunkRestart(size),
        "grid-stride" => |reading, threads| reading.stream.layout = Layout::GridStride(threads),
        "lanes" => |reading, lanes| reading.stream.layout = Layout::Lanes(lanes),
        "rounds-9" => |reading, rounds| reading.philox.rounds = Rounds(rounds),
        "tail-restart" => |reading, size| reading.stream.layout = Layout::TailRestart(size),
        "workgroup" => |reading, size| reading.stream.layout = Layout::Workgroup(size),
        _ => return None,
    };
    let (id, parameters) = match id {
        "rounds-9" => ("rounds", (0..=20).filter(|&rounds| rounds != 10).collect()),
        _ => (families().iter().find(|(name, _)| *name == id)?.0, sizes()),
    };
    Some(parameters.into_iter().map(move |parameter| {
        let mut changed = reading.clone();
        change(&mut changed, parameter);
        changed.name = Cow::Owned(format!("{} + {id}({parameter})", reading.name));
        (u64::from(parameter), changed)
    }))
}

/// Sizes of vectors, warps, workgroups and launches.
fn sizes() -> Vec<u32> {
    let powers = (1..=20).map(|exponent| 1 << exponent);
    let warps = (1..=32).map(|warps| warps * 32);
    let groups = (1..=64).map(|groups| groups * 256);
    let mut all: Vec<u32> = powers
        .chain([3, 5, 6, 7, 10, 12, 24, 48, 100, 1000])
        .chain(warps)
        .chain(groups)
        .collect();
    all.sort_unstable();
    all.dedup();
    all
}
