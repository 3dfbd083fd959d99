//! Mistakes by groups of cases: how many cases of each group catch each mistake.

use super::WIDTH;
use super::extras::Extras;
use crate::inert;
use crate::text::thousands;

/// The heat map.
pub(super) struct Heat {
    /// Each group with its number of cases.
    pub(super) groups: Vec<(String, String)>,
    pub(super) rows: Vec<HeatRow>,
}

/// A mistake.
pub(super) struct HeatRow {
    pub(super) id: String,
    pub(super) sentence: String,
    pub(super) proof: String,
    pub(super) killed: usize,
    /// Number of cases, and a depth from 0 to 5 of their share of the group.
    pub(super) cells: Vec<(usize, usize)>,
}

impl Heat {
    pub(super) fn of(extras: &Extras) -> Self {
        let rows = extras
            .mistakes
            .iter()
            .map(|mistake| {
                let cell = |(group, &size): (&String, &usize)| {
                    let n = mistake.kills.get(group).copied().unwrap_or(0);
                    (n, n.saturating_mul(5).div_ceil(size.max(1)).min(5))
                };
                HeatRow {
                    id: inert(&mistake.id, WIDTH),
                    sentence: inert(&mistake.sentence, WIDTH),
                    proof: inert(&mistake.proof, WIDTH),
                    killed: mistake.killed(),
                    cells: extras.groups.iter().map(cell).collect(),
                }
            })
            .collect();
        Self {
            groups: extras
                .groups
                .iter()
                .map(|(group, &size)| (inert(group, WIDTH), thousands(size)))
                .collect(),
            rows,
        }
    }
}
