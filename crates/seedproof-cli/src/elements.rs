//! Elements as text: in rows, one below the other, and with the stages of their computation.

use std::fmt::Write as _;

use seedproof_ops::{Scalar, Stages, Tensor};

/// A float as its bits and its decimal; an integer as its number.
pub(crate) fn both(value: Scalar) -> String {
    if value.dtype().is_float() {
        format!("{} {}", value.literal(), value.decimal())
    } else {
        value.literal()
    }
}

/// The bits in hexadecimal, as wide as the type.
pub(crate) fn bits(value: Scalar) -> String {
    format!("{:0width$x}", value.bits(), width = 2 * value.dtype().size())
}

/// Words, unit interval and scaled value of each element, and the generator's block that it comes from, with its counter
/// in hexadecimal.
pub(crate) fn table(stages: &Stages, most: usize) -> String {
    let place = |index| {
        let place = stages.place(index);
        let place = place.map_or_else(String::new, |(block, word)| format!("{block}.{word}"));
        let counter = stages.counters.get(index);
        counter.map_or_else(|| place.clone(), |counter| format!("{place:<10} {counter:x}"))
    };
    let mut blocks = stages.place(0).map_or("", |_| "block.word").to_owned();
    if !stages.counters.is_empty() {
        blocks = format!("{blocks:<10} counter");
    }
    let mut text = format!(
        "\n{:>8}  {:<19} {:<38} {:<38} {blocks}",
        "element", "words", "unit interval", "value"
    );
    text.truncate(text.trim_end().len());
    text.push('\n');
    let shown = stages.scaled.count().min(most);
    for index in 0..shown {
        let words: Vec<String> = words(stages, index)
            .iter()
            .map(|word| format!("{word:08x}"))
            .collect();
        let unit = unit(stages, index).map(both).unwrap_or_default();
        let value = stages.scaled.get(index).map(both).unwrap_or_default();
        let line = format!(
            "{index:>8}  {:<19} {unit:<38} {value:<38} {}",
            words.join(" "),
            place(index)
        );
        writeln!(text, "{}", line.trim_end()).expect("a String takes every write");
    }
    text + &rest(stages.scaled.count() - shown)
}

/// The words that an element takes.
pub(crate) fn words(stages: &Stages, index: usize) -> &[u32] {
    let start = index * stages.words_per_element;
    let words = stages.words.get(start..start + stages.words_per_element);
    words.unwrap_or(&[])
}

/// An element before it is scaled.
pub(crate) fn unit(stages: &Stages, index: usize) -> Option<Scalar> {
    stages.unit.as_ref().and_then(|unit| unit.get(index))
}

/// The elements, one below the other.
pub(crate) fn values(output: &Tensor, most: usize) -> String {
    let mut text = format!("\n{:>8}  value\n", "element");
    let shown = output.count().min(most);
    for (index, value) in output.scalars().take(shown).enumerate() {
        writeln!(text, "{index:>8}  {}", both(value)).expect("a String takes every write");
    }
    text + &rest(output.count() - shown)
}

/// The elements in rows, as their shape has them, each written so; those of a large output as one row that ends early.
pub(crate) fn rows(output: &Tensor, most: usize, write: fn(Scalar) -> String) -> String {
    let texts: Vec<String> = output.scalars().take(most).map(write).collect();
    let width = texts.iter().map(|text| text.chars().count()).max().unwrap_or(0);
    let listed = |texts: &[String]| {
        let texts: Vec<String> = texts.iter().map(|text| format!("{text:>width$}")).collect();
        texts.join(", ")
    };
    if texts.len() < output.count() {
        const ROW: usize = 8;
        let rows: Vec<String> = texts
            .chunks(ROW)
            .map(|row| format!("  {}", listed(row)))
            .collect();
        return format!("{}, …\n", rows.join(",\n"));
    }
    match output.shape().dims() {
        [] => format!("  {}\n", listed(&texts)),
        dims if texts.is_empty() => format!("  no elements: an extent of {dims:?} is 0\n"),
        [outer @ .., row] => {
            let rows: Vec<String> = texts
                .chunks(*row)
                .enumerate()
                .map(|(index, texts)| {
                    // How many lists begin before this row, and end after it.
                    let edge = |index: usize| {
                        let mut spans = outer.iter().rev().scan(1, |span, extent| {
                            *span *= extent;
                            Some(*span)
                        });
                        1 + spans
                            .by_ref()
                            .take_while(|span| index.is_multiple_of(*span))
                            .count()
                    };
                    let (opening, closing) = (edge(index), edge(index + 1));
                    let indent = " ".repeat(outer.len() + 1 - opening);
                    let end = if (index + 1) * row == output.count() {
                        ""
                    } else {
                        ","
                    };
                    format!(
                        "  {indent}{}{}{}{end}\n",
                        "[".repeat(opening),
                        listed(texts),
                        "]".repeat(closing)
                    )
                })
                .collect();
            rows.concat()
        }
    }
}

/// The line about elements that are not shown.
pub(crate) fn rest(count: usize) -> String {
    if count == 0 {
        String::new()
    } else {
        format!("{count} more: --elements N shows them\n")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use seedproof_ops::Shape;

    fn shown(dims: &[u64], most: usize) -> String {
        let shape = Shape::new(dims).unwrap();
        let elements: Vec<i32> = (0..).take(shape.count()).collect();
        rows(
            &Tensor::from_elements(shape, &elements).unwrap(),
            most,
            Scalar::literal,
        )
    }

    #[test]
    fn rows_have_the_brackets_of_the_shape() {
        assert_eq!(shown(&[], 9), "  0\n");
        assert_eq!(shown(&[3], 9), "  [0, 1, 2]\n");
        assert_eq!(
            shown(&[2, 2, 3], 99),
            "  [[[ 0,  1,  2],\n    [ 3,  4,  5]],\n   [[ 6,  7,  8],\n    [ 9, 10, 11]]]\n"
        );
        assert_eq!(shown(&[2, 1], 9), "  [[0],\n   [1]]\n");
        assert_eq!(shown(&[2, 0], 9), "  no elements: an extent of [2, 0] is 0\n");
    }

    #[test]
    fn rows_of_a_large_output_end_early() {
        assert_eq!(shown(&[100, 100], 9), "  0, 1, 2, 3, 4, 5, 6, 7,\n  8, …\n");
    }
}
