//! RandomUniform-8: outputs with unlike extents along several axes, and bounds that no 16-bit type holds.

use seedproof_ops::{Alignment, Dtype, Named as _, RandomUniform};

use super::draft::{Draft, GridFile, names};
use super::extents::spelled;
use super::random_uniform::file;
use super::ranges::{Range, ranges};
use super::request::{GridRequest, conversion_errata};

/// No two extents of a shape are alike, and none is 1, so that each order of the axes is another output.
pub(super) const SHAPES: [&[u64]; 3] = [&[2, 3, 5, 4], &[5, 2, 7], &[4, 9]];

const AXES: &str = "\
Two, three and four axes of unlike extents. A kernel that fills NHWC and hands it out as NCHW, or
that stores column by column, has the right numbers in the wrong places: a flat output does not show
it, and neither does one whose other extents are 1.";
const NARROW: &str = "\
Ranges of f32 and f64 that no 16-bit type holds: bounds that round and a width that does not, a
width that rounds and bounds that do not, and a bound beyond f16. A graph that was converted to
half precision hands over such bounds, and draws from another range.";

/// Bounds between the values of f16 and bf16, a width between them, and a bound beyond f16.
const RANGES: [(&str, &str, &str); 3] = [
    ("narrow-bounds", "1000.125", "1001.125"),
    ("narrow-width", "-2048", "0.3125"),
    ("narrow-overflow", "0", "100000"),
];

pub(super) fn files() -> Vec<GridFile> {
    vec![
        file("random-uniform-8/grid-axes.yaml", AXES, axis_drafts()),
        file("random-uniform-8/grid-narrow.yaml", NARROW, narrow_drafts()),
    ]
}

fn axis_drafts() -> Vec<Draft> {
    let mut drafts = Vec::new();
    for &alignment in Alignment::ALL {
        for dtype in RandomUniform::TYPES {
            for dims in SHAPES {
                let request = GridRequest {
                    alignment,
                    dtype,
                    // The unit interval for floats; a prime width for integers, so that few elements are alike.
                    range: ranges(dtype)[if dtype.is_float() { 0 } else { 3 }],
                    seeds: (0x0001_2345_6789, 0x0009_8765_4321),
                    dims,
                    form: (Dtype::I64, false),
                };
                drafts.push(request.draft(&format!("axes-{}", spelled(dims))));
            }
        }
    }
    drafts
}

fn narrow_drafts() -> Vec<Draft> {
    let mut drafts = Vec::new();
    for &alignment in Alignment::ALL {
        for dtype in [Dtype::F32, Dtype::F64] {
            for (name, min, max) in RANGES {
                let request = GridRequest {
                    alignment,
                    dtype,
                    range: Range {
                        name,
                        min,
                        max,
                        errata: &["ru8.range.rounding"],
                    },
                    seeds: (0x0001_2345_6789, 0x0009_8765_4321),
                    dims: &[33],
                    form: (Dtype::I64, false),
                };
                let mut draft = request.draft(&format!("range-{name}"));
                draft.errata.extend(names(conversion_errata(alignment, dtype)));
                drafts.push(draft);
            }
        }
    }
    drafts
}
