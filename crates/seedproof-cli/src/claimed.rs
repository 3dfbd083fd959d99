//! `--require-claimed`: how much of what is judged an implementation must claim.

use std::fmt;
use std::str::FromStr;

/// A number of cases, or a share of those that are judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Required {
    Cases(usize),
    /// Millionths: `99.9%` is a number that binary fractions miss.
    Share(u32),
}

/// One, in millionths.
const WHOLE: u32 = 1_000_000;

impl Required {
    /// Whether this many claimed cases are enough.
    pub(crate) fn is_met(self, claimed: usize, judged: usize) -> bool {
        match self {
            Self::Cases(cases) => claimed >= cases,
            Self::Share(share) => {
                let wide = |n: usize| u128::try_from(n).unwrap_or(u128::MAX);
                wide(claimed).saturating_mul(WHOLE.into()) >= wide(judged).saturating_mul(share.into())
            }
        }
    }
}

impl FromStr for Required {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        // A share has a percent sign or a point, so that 1 is one case and 1.0 is all of them.
        let share = match text.strip_suffix('%') {
            Some(percent) => millionths(percent).map(|share| share / 100),
            None if text.contains('.') => millionths(text),
            None => return text.parse().map(Self::Cases).map_err(|_| expected()),
        };
        let share = share.filter(|share| *share <= WHOLE.into());
        let share = share.and_then(|share| u32::try_from(share).ok());
        share.map(Self::Share).ok_or_else(expected)
    }
}

/// A plain decimal in millionths; further digits are dropped.
fn millionths(text: &str) -> Option<u64> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, "0"));
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    if !digits(whole) || !digits(fraction) {
        return None;
    }
    let fraction = format!("{fraction:0<6.6}");
    let whole: u64 = whole.parse().ok()?;
    whole
        .checked_mul(WHOLE.into())?
        .checked_add(fraction.parse().ok()?)
}

fn expected() -> String {
    "expected a number of cases such as 500, or a share such as 90% or 0.9".to_owned()
}

impl fmt::Display for Required {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Cases(cases) => write!(f, "{cases}"),
            Self::Share(share) => write!(f, "{}%", f64::from(*share) / 10_000.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn required_claims_are_a_number_or_a_share() {
        for (text, met, missed) in [
            ("3", (3, 10), Some((2, 10))),
            ("0", (0, 10), None),
            ("30%", (3, 10), Some((2, 10))),
            ("0.3", (3, 10), Some((2, 10))),
            ("33.4%", (334, 1000), Some((333, 1000))),
            ("100%", (10, 10), Some((9, 10))),
            ("1.0", (10, 10), Some((9, 10))),
            ("1", (1, 10), Some((0, 10))),
            ("0%", (0, 10), None),
        ] {
            let required: Required = text.parse().unwrap();
            assert!(required.is_met(met.0, met.1), "{text}");
            assert!(missed.is_none_or(|it| !required.is_met(it.0, it.1)), "{text}");
        }
        for text in ["", "-1", "101%", "1.1", "a", "%", ".5", "5.", "1e3", "+3%", "0x3"] {
            assert!(text.parse::<Required>().is_err(), "{text}");
        }
        assert_eq!("99.9%".parse::<Required>().unwrap().to_string(), "99.9%");
    }
}
