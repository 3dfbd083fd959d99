//! Numbers, plurals and lists in words, the same in every document.

/// Singular and plural.
pub(crate) const ELEMENTS: [&str; 2] = ["element", "elements"];

/// Singular and plural of a digest's chunk. Its size is there because readers know no chunks.
pub(crate) const CHUNKS: [&str; 2] = ["chunk (65,536 elements each)", "chunks (65,536 elements each)"];

/// `1 case`, `1,024 cases`.
pub(crate) fn count(n: usize, noun: &str) -> String {
    if n == 1 {
        format!("1 {noun}")
    } else {
        format!("{} {noun}s", thousands(n))
    }
}

/// The word that agrees with a number: `plural(1, ["does", "do"])` is `does`.
pub fn plural<N: Copy + From<u8> + PartialEq>(n: N, [one, other]: [&'static str; 2]) -> &'static str {
    if n == N::from(1) { one } else { other }
}

/// A number with thousands separators: `1,024`.
pub(crate) fn thousands(n: usize) -> String {
    let digits = n.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// `a`, `a and b`, `a, b and c`.
pub(crate) fn listed(names: &[String]) -> String {
    match names {
        [] => String::new(),
        [name] => name.clone(),
        [others @ .., last] => format!("{} and {last}", others.join(", ")),
    }
}

/// `, all expected`, `, 3 of them expected`, or nothing if none is expected.
pub(crate) fn of_them_expected(expected: usize, failing: usize) -> String {
    match expected {
        0 => String::new(),
        n if n == failing => ", all expected".to_owned(),
        n => format!(", {} of them expected", thousands(n)),
    }
}
