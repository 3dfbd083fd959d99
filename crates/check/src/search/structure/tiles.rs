//! Tiles of the last two axes, as workgroups and matrix units draw them.

use super::view::Layout;

/// Rectangles into which each matrix of an output is cut. Tiles follow each other along its rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Tiles {
    pub(crate) rows: usize,
    pub(crate) columns: usize,
    /// Whether the elements of a tile go down its columns.
    pub(crate) is_column_major: bool,
    /// Whether the rows of all matrices are one matrix.
    pub(crate) is_flat: bool,
    /// Whether a tile that reaches over the edge takes as many elements of the stream as any other, and drops those outside. It is
    /// otherwise smaller.
    pub(crate) is_whole: bool,
}

impl Tiles {
    /// The usual tiles: their sides are powers of two.
    pub(crate) fn all() -> impl Iterator<Item = Self> {
        const SIDES: [usize; 5] = [2, 4, 8, 16, 32];
        let sides = SIDES
            .into_iter()
            .flat_map(|rows| SIDES.map(|columns| (rows, columns)));
        sides.flat_map(|(rows, columns)| {
            [(false, false), (true, false), (false, true), (true, true)].map(|(is_column_major, is_whole)| {
                Self {
                    rows,
                    columns,
                    is_column_major,
                    is_flat: false,
                    is_whole,
                }
            })
        })
    }

    /// The extents of the matrices that are cut.
    pub(crate) fn form(&self, layout: &Layout) -> [usize; 2] {
        if self.is_flat {
            [layout.count / layout.row(), layout.row()]
        } else {
            layout.matrix()
        }
    }

    /// The index in the stream of element `i` of matrices of this form, if the stream fills them tile by tile.
    pub(crate) fn fill(&self, [rows, columns]: [usize; 2], i: usize) -> usize {
        let (matrix, row, column) = (i / (rows * columns), i / columns % rows, i % columns);
        let (above, left) = (row / self.rows, column / self.columns);
        let (row, column) = (row % self.rows, column % self.columns);
        if self.is_whole {
            let [down, across] = [rows.div_ceil(self.rows), columns.div_ceil(self.columns)];
            let tile = (matrix * down + above) * across + left;
            return tile * self.rows * self.columns + self.within([self.rows, self.columns], row, column);
        }
        let [height, width] = self.clipped([rows, columns], above, left);
        let before = above * self.rows * columns + left * self.columns * height;
        matrix * rows * columns + before + self.within([height, width], row, column)
    }

    /// The index in the stream of element `i`, if the stream lies in memory row by row and is read tile by tile; `None` for tiles
    /// that are whole, which read over the edge.
    pub(crate) fn read(&self, [rows, columns]: [usize; 2], i: usize) -> Option<usize> {
        if self.is_whole {
            return None;
        }
        let (matrix, rest) = (i / (rows * columns), i % (rows * columns));
        // A tile may be as high as any matrix.
        let row = self.rows.saturating_mul(columns);
        let (above, rest) = (rest / row, rest % row);
        let [height, _] = self.clipped([rows, columns], above, 0);
        let left = rest / (self.columns * height);
        let rest = rest % (self.columns * height);
        let [height, width] = self.clipped([rows, columns], above, left);
        let (row, column) = if self.is_column_major {
            (rest % height, rest / height)
        } else {
            (rest / width, rest % width)
        };
        Some((matrix * rows + above * self.rows + row) * columns + left * self.columns + column)
    }

    /// The sides of a tile, as far as it lies within the matrix.
    fn clipped(&self, [rows, columns]: [usize; 2], above: usize, left: usize) -> [usize; 2] {
        [
            self.rows.min(rows - above * self.rows),
            self.columns.min(columns - left * self.columns),
        ]
    }

    const fn within(&self, [height, width]: [usize; 2], row: usize, column: usize) -> usize {
        if self.is_column_major {
            column * height + row
        } else {
            row * width + column
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tiles_are_filled_and_read_in_opposite_directions() {
        let form = [11, 13];
        for tiles in Tiles::all().filter(|it| !it.is_whole) {
            for i in 0..3 * 11 * 13 {
                assert_eq!(tiles.read(form, tiles.fill(form, i)), Some(i), "{tiles:?}");
            }
        }
    }

    #[test]
    fn whole_tiles_leave_out_what_lies_over_the_edge() {
        let tiles = Tiles {
            rows: 2,
            columns: 4,
            is_column_major: false,
            is_flat: false,
            is_whole: true,
        };
        let places: Vec<usize> = (0..15).map(|i| tiles.fill([3, 5], i)).collect();
        assert_eq!(places, [0, 1, 2, 3, 8, 4, 5, 6, 7, 12, 16, 17, 18, 19, 24]);
    }
}
