//! Snapshots whose change is described in a sentence before it is shown: `cargo insta review` has it above the lines.

use std::path::Path;

/// Holds a text against the snapshot of this name.
macro_rules! assert_golden {
    ($name:expr, $text:expr $(,)?) => {{
        let text = $text;
        let mut settings = insta::Settings::clone_current();
        settings.set_description(crate::golden::change(module_path!(), $name, &text));
        settings.set_omit_expression(true);
        settings.bind(|| insta::assert_snapshot!($name, text));
    }};
}

pub(crate) use assert_golden;

/// How a text differs from the snapshot, in a sentence.
pub(crate) fn change(module: &str, name: &str, text: &str) -> String {
    let file = format!("{}__{name}.snap", module.replace("::", "__"));
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/report/snapshots")
        .join(file);
    let Ok(known) = std::fs::read_to_string(path) else {
        return "new".to_owned();
    };
    // Between two lines of dashes is what insta says of the snapshot; the text follows.
    let known = known.splitn(3, "---\n").nth(2).unwrap_or("");
    describe(known, text)
}

fn describe(known: &str, text: &str) -> String {
    let (known, text): (Vec<&str>, Vec<&str>) = (known.lines().collect(), text.lines().collect());
    let differing: Vec<usize> = (0..known.len().max(text.len()))
        .filter(|&line| known.get(line) != text.get(line))
        .collect();
    match (differing.first(), known.len() == text.len()) {
        (None, _) => "nothing differs".to_owned(),
        (Some(first), true) => format!(
            "{} of {} lines differ, the first is line {}",
            differing.len(),
            text.len(),
            first + 1
        ),
        (Some(first), false) => format!(
            "{} lines instead of {}, the same up to line {}",
            text.len(),
            known.len(),
            first + 1
        ),
    }
}

#[test]
fn golden_change_is_described_in_a_sentence() {
    assert_eq!(describe("a\nb\n", "a\nb"), "nothing differs");
    assert_eq!(
        describe("a\nb\nc\n", "a\nB\nc"),
        "1 of 3 lines differ, the first is line 2"
    );
    assert_eq!(
        describe("a\n", "b\nc"),
        "2 lines instead of 1, the same up to line 1"
    );
}
