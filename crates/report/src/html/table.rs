//! The table of the elements that differ, as the page's script reads it.

use seedproof_check::{Differences, Stage};
use serde::Serialize;

/// The rows of all tables of a page together. At about 40 bytes each, the page can be sent by mail even
/// with thousands of failures.
const ROWS: usize = 40_000;
/// The fewest rows of one table: as many elements as the text of a failure locates in the stream. The most are
/// the 64 that a finding lists.
const FEWEST: usize = 4;

/// The rows of each table on a page with this number of tables.
pub(super) fn rows_each(tables: usize) -> usize {
    (ROWS / tables.max(1)).max(FEWEST)
}

/// The first elements that differ, in columns.
#[derive(Serialize)]
pub(super) struct Table {
    dtype: &'static str,
    /// Extents of the output, for coordinates; empty if they are unknown.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    shape: Vec<u64>,
    #[serde(rename = "i")]
    indices: Vec<usize>,
    #[serde(rename = "e")]
    expected: Vec<String>,
    #[serde(rename = "a")]
    actual: Vec<String>,
    /// A letter for the first stage at which each element differs: `w`, `u`, `s`, or `-` if it is unknown.
    #[serde(rename = "s", skip_serializing_if = "String::is_empty")]
    stages: String,
    /// The places of each actual element in the expected stream.
    #[serde(rename = "f", skip_serializing_if = "Vec::is_empty")]
    found: Vec<Vec<usize>>,
    /// The number of elements of the stream that were searched.
    #[serde(rename = "n", skip_serializing_if = "Option::is_none")]
    searched: Option<usize>,
    /// Words per element, and per block.
    #[serde(rename = "b", skip_serializing_if = "Option::is_none")]
    blocks: Option<(usize, usize)>,
}

impl Table {
    /// The table of these elements, or `None` if there are none.
    pub(super) fn of(differences: &Differences, shape: Option<&[u64]>, most: usize) -> Option<Self> {
        let rows: Vec<_> = differences.rows().take(most).collect();
        let (_, first, _) = rows.first()?;
        // The lists are parallel to the elements, of which a table has its share of the page.
        let found = differences.found.as_ref();
        let stages = differences.stages.iter().take(rows.len());
        Some(Self {
            dtype: first.dtype().name(),
            shape: shape.unwrap_or_default().to_vec(),
            indices: rows.iter().map(|row| row.0).collect(),
            expected: rows.iter().map(|row| row.1.literal()).collect(),
            actual: rows.iter().map(|row| row.2.literal()).collect(),
            stages: stages.map(|stage| stage.map_or('-', letter)).collect(),
            found: found.map_or_else(Vec::new, |it| {
                it.places.iter().take(rows.len()).cloned().collect()
            }),
            searched: found.map(|it| it.searched),
            blocks: differences
                .blocks
                .map(|blocks| (blocks.words_per_element, blocks.words_per_block)),
        })
    }
}

/// The letter of a stage in the page's script.
pub(super) const fn letter(stage: Stage) -> char {
    match stage {
        Stage::Words => 'w',
        Stage::UnitInterval => 'u',
        Stage::Scale => 's',
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn table_rows_share_what_a_page_has() {
        assert_eq!([1, 625, 2_500, 1_000_000].map(rows_each), [40_000, 64, 16, 4]);
    }
}
