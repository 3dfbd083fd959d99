//! What a machine must have for its tests to pass.

use std::ffi::OsStr;

/// Whether a test fails where a machine lacks what it needs: the variable `SEEDPROOF_REQUIRE_` and this name is set, and
/// neither empty nor `0`. The names are in `harness/README.md`.
pub fn is_required(name: &str) -> bool {
    is_on(std::env::var_os(format!("SEEDPROOF_REQUIRE_{name}")).as_deref())
}

fn is_on(variable: Option<&OsStr>) -> bool {
    variable.is_some_and(|value| !value.is_empty() && value != "0")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_that_are_empty_or_zero_are_off() {
        for (value, required) in [
            (None, false),
            (Some(""), false),
            (Some("0"), false),
            (Some("1"), true),
            (Some("yes"), true),
        ] {
            assert_eq!(is_on(value.map(OsStr::new)), required, "{value:?}");
        }
    }
}
