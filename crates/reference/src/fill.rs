//! A stream of words into a tensor, a fixed number of words for each element.

use seedproof_ops::{Element, Elements, Failure, Shape, Tensor};

/// A tensor, and how many words each of its elements took.
pub(crate) struct Filled {
    pub(crate) tensor: Tensor,
    pub(crate) words_per_element: usize,
}

/// The next words of a generator.
pub(crate) fn take<const N: usize>(words: &mut impl Iterator<Item = u32>) -> [u32; N] {
    std::array::from_fn(|_| words.next().expect("a generator has no end"))
}

/// `[ru8.philox.block]`, `[ru8.output.form]`: the elements in row-major order, each from the next `N` words.
pub(crate) fn fill<T: Element, const N: usize>(
    shape: &Shape,
    mut words: impl Iterator<Item = u32>,
    element: impl Fn([u32; N]) -> T,
) -> Result<Filled, Failure> {
    let mut elements = Elements::reserve(T::DTYPE, shape)?;
    for _ in 0..shape.count() {
        elements.push(element(take(&mut words)));
    }
    Ok(Filled {
        tensor: elements.into_tensor(),
        words_per_element: N,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fill_takes_n_words_for_each_element() {
        let filled = fill(&Shape::vector(3), 10.., |[x, y]: [u32; 2]| {
            i64::from(x) * 100 + i64::from(y)
        })
        .unwrap();
        assert_eq!(filled.tensor, Tensor::vector(&[1011_i64, 1213, 1415]));
        assert_eq!(filled.words_per_element, 2);
    }

    #[test]
    fn fill_of_more_than_the_machine_has_is_an_error() {
        let shape = Shape::new(&[1 << 61]).unwrap();
        let filled = fill(&shape, 0.., |[x]: [u32; 1]| f64::from(x));
        assert!(matches!(filled.err(), Some(Failure::Broken(_))));
    }
}
