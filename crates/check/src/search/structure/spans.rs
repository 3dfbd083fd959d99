//! Spans of axes, groups and lanes, read off the elements that are wrong.

use super::along::{Along, Axis, Span};
use super::view::Layout;

/// The largest group whose incomplete last one is looked for: the largest workgroup of GPUs.
pub(super) const LARGEST_GROUP: usize = 1024;

/// The longest period of a pattern of lanes: the widest vector registers, of AVX-512, hold 64 elements of one byte.
pub(super) const LANES: usize = 64;

/// The spans of each axis that contain the wrong elements.
///
/// `fits` takes a span and the number of its elements, and returns whether the span is that of the wrong ones. Of lanes, those of the
/// shortest period that fits are returned.
pub(super) fn spans(layout: &Layout, wrong: &[usize], fits: impl Fn(&Along, usize) -> bool) -> Vec<Along> {
    /// The longest period of indices: a few vectors, or the channels that a pixel is padded to.
    const PERIOD: usize = 16;
    let (n, mut all) = (layout.count, Vec::new());
    for axis in Axis::all(layout) {
        let Some([extent, inner]) = axis.extent(layout) else {
            continue;
        };
        let is_row = axis == Axis::Inner(0);
        // With a single row this would be the tail of the output, which has a simpler name.
        if extent < 2 || is_row && 2 * extent > n {
            continue;
        }
        let at = || wrong.iter().map(|i| i / inner % extent);
        let (Some(least), Some(most)) = (at().min(), at().max()) else {
            continue;
        };
        // The element count of a span follows from the number of its indices, so that no place is walked through in vain.
        let fitting = |span, indices: usize| {
            let along = Along { axis, span };
            fits(&along, n / extent * indices).then_some(along)
        };
        let (begins, ends) = (most + 1, extent - least);
        if least > 0 {
            let groups = groups(least, ends).into_iter();
            all.extend(groups.filter_map(|group| fitting(Span::Group(group), ends)));
        }
        // Two rows of which a half is wrong are two halves of anything.
        if 2 * begins.min(ends) < extent {
            all.extend(if begins < ends {
                fitting(Span::Begins(begins), begins)
            } else {
                fitting(Span::Ends(ends), ends)
            });
        }
        // As many elements of a row as a loop, a vector or a workgroup has, or as many items.
        if least.is_power_of_two() && (!is_row || least >= 4) {
            all.extend(fitting(Span::From(least), ends));
        }
        all.extend((2..=PERIOD.min(extent / 2)).find_map(|period| {
            let lanes = few_lanes(at(), period)?;
            let indices = (0..extent).filter(|at| lanes.contains(&(at % period))).count();
            fitting(Span::Lanes { period, lanes }, indices)
        }));
    }
    all
}

/// The sizes of a group for which `right` elements are complete groups and `rest` elements an incomplete one: powers of
/// two, as vectors and workgroups are, or other sizes where no power of two fits. Above 64 only multiples of 8 count:
/// each output has some large divisors by chance, and no kernel processes 850 elements at a time.
pub(super) fn groups(right: usize, rest: usize) -> Vec<usize> {
    let all = (rest + 1..=LARGEST_GROUP.min(right))
        .filter(|group| right.is_multiple_of(*group) && (*group <= 64 || group.is_multiple_of(8)));
    let (powers, others): (Vec<usize>, Vec<usize>) = all.partition(|group| group.is_power_of_two());
    if powers.is_empty() { others } else { powers }
}

/// The lanes of a period in which these elements stand, in order; `None` if they are more than half of it. Most periods have
/// more, and are given up after a few elements.
pub(super) fn few_lanes(elements: impl Iterator<Item = usize>, period: usize) -> Option<Vec<usize>> {
    let (mut is_in, mut count) = ([false; LANES + 1], 0);
    for lane in elements.map(|i| i % period) {
        count += usize::from(!is_in[lane]);
        is_in[lane] = true;
        if 2 * count > period {
            return None;
        }
    }
    Some((0..period).filter(|&lane| is_in[lane]).collect())
}
