//! Where the numbers of a printed array stand that leaves others out, as `[0.5 ... 0.25]` does.

/// The most numbers whose places are computed. NumPy and PyTorch print six along an axis, which are fewer in six axes.
const MAX_PLACES: usize = 1 << 16;

/// The most lists within each other.
const MOST_AXES: usize = 16;

/// A list that is open.
struct List {
    /// The index of its next entry; after the gap, from 0 on again.
    next: isize,
    /// How many numbers came before the gap.
    gap: Option<usize>,
}

/// The index of each number along each axis, where it is counted from the end of the axis after what is left out: -1 is the last.
/// `None` without brackets, or with too many numbers or lists within each other.
pub(super) fn indices(text: &str) -> Option<Vec<Vec<isize>>> {
    let mut all: Vec<Vec<isize>> = Vec::new();
    let mut open: Vec<List> = Vec::new();
    // Brackets are words of their own.
    let spaced = text.replace('[', " [ ").replace(']', " ] ");
    for word in spaced.split(|c: char| c.is_whitespace() || c == ',') {
        match word {
            "" => {}
            "[" if open.len() == MOST_AXES => return None,
            "[" => open.push(List { next: 0, gap: None }),
            "]" => {
                let list = open.pop()?;
                let axis = open.len();
                for index in all.iter_mut().skip(list.gap.unwrap_or(usize::MAX)) {
                    index[axis] -= list.next;
                }
                if let Some(outer) = open.last_mut() {
                    outer.next += 1;
                }
            }
            _ if word.starts_with("...") || word == "…" => {
                let list = open.last_mut()?;
                (list.next, list.gap) = (0, Some(all.len()));
            }
            _ => {
                if all.len() == MAX_PLACES {
                    return None;
                }
                all.push(open.iter().map(|list| list.next).collect());
                open.last_mut()?.next += 1;
            }
        }
    }
    open.is_empty().then_some(all)
}

/// The places of numbers in an array of these extents, in ascending order.
///
/// # Errors
/// A sentence that says what contradicts the extents.
pub(super) fn places(indices: &[Vec<isize>], extents: &[u64]) -> Result<Vec<usize>, String> {
    let place = |index: &Vec<isize>| -> Option<usize> {
        if index.len() != extents.len() {
            return None;
        }
        index
            .iter()
            .zip(extents)
            .try_fold(0_usize, |place, (&at, &extent)| {
                let extent = isize::try_from(extent).ok()?;
                let at = if at < 0 { at.checked_add(extent)? } else { at };
                let at = (0..extent).contains(&at).then_some(at)?;
                place
                    .checked_mul(usize::try_from(extent).ok()?)?
                    .checked_add(usize::try_from(at).ok()?)
            })
    };
    let all: Option<Vec<usize>> = indices.iter().map(place).collect();
    all.filter(|all| all.is_sorted_by(|a, b| a < b)).ok_or_else(|| {
        let axes = indices.iter().map(Vec::len).max().unwrap_or(0);
        format!("the text prints an array of {axes} axes that --shape does not fit")
    })
}

#[cfg(test)]
mod tests {
    use super::{indices, places};

    #[test]
    fn numbers_stand_at_both_ends_of_each_axis() {
        let text = "[[ 1., 2.,  ..., 3.],\n [4., 5., ..., 6.],\n ...,\n [7., 8., ..., 9.]]";
        let all = indices(text).unwrap();
        assert_eq!(
            places(&all, &[10, 100]).unwrap(),
            [0, 1, 99, 100, 101, 199, 900, 901, 999]
        );
        assert_eq!(indices("[1 2 ... 9]").unwrap(), [[0], [1], [-1]]);
        // Extents in which a number would stand twice, or nowhere.
        for extents in [&[3][..], &[3, 2], &[2, 100], &[0, 0], &[u64::MAX, 5]] {
            assert!(places(&all, extents).is_err(), "{extents:?}");
        }
        assert_eq!(
            [indices("1 ... 2"), indices("[1 ..."), indices("[1]]")],
            [None, None, None]
        );
        // Lists within each other are counted up to a bound.
        let nested = |levels: usize| format!("{}1 ... 2{}", "[".repeat(levels), "]".repeat(levels));
        assert_eq!(
            [16, 17].map(|levels| indices(&nested(levels)).is_some()),
            [true, false]
        );
    }
}
