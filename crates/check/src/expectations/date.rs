//! A day of the calendar, as far as comparing days takes.

use std::fmt;
use std::str::FromStr;

/// A day of the Gregorian calendar.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Date {
    year: u16,
    month: u8,
    day: u8,
}

impl Date {
    /// A day; `None` if the calendar has no such day.
    pub const fn new(year: u16, month: u8, day: u8) -> Option<Self> {
        let leap = year.is_multiple_of(4) && !year.is_multiple_of(100) || year.is_multiple_of(400);
        let days = match month {
            4 | 6 | 9 | 11 => 30,
            2 if leap => 29,
            2 => 28,
            _ => 31,
        };
        if 1 <= month && month <= 12 && 1 <= day && day <= days && year <= 9999 {
            Some(Self { year, month, day })
        } else {
            None
        }
    }
}

impl fmt::Display for Date {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}-{:02}-{:02}", self.year, self.month, self.day)
    }
}

/// A text that is no day.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("read `{0}` as a day: expected one of the calendar, as in 2027-06-30")]
pub struct InvalidDate(String);

impl FromStr for Date {
    type Err = InvalidDate;

    fn from_str(text: &str) -> Result<Self, InvalidDate> {
        let number = |range: std::ops::Range<usize>| {
            let digits = text.get(range)?;
            digits.bytes().all(|byte| byte.is_ascii_digit()).then_some(digits)
        };
        let parsed = || {
            if text.len() != 10 || text.get(4..5)? != "-" || text.get(7..8)? != "-" {
                return None;
            }
            let (year, month, day) = (number(0..4)?, number(5..7)?, number(8..10)?);
            Self::new(year.parse().ok()?, month.parse().ok()?, day.parse().ok()?)
        };
        parsed().ok_or_else(|| InvalidDate(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn date_reads_back() {
        for text in ["2027-06-30", "2028-02-29", "0001-01-01", "2000-02-29"] {
            assert_eq!(text.parse::<Date>().unwrap().to_string(), text);
        }
    }

    #[test]
    fn date_refuses_what_no_calendar_has() {
        for text in [
            "2027-02-29",
            "1900-02-29",
            "2027-13-01",
            "2027-00-10",
            "2027-04-31",
            "2027-4-30",
            "27-04-30",
            "2027/04/30",
            "2027-04-3ä",
            "+027-04-30",
            "",
        ] {
            assert!(text.parse::<Date>().is_err(), "{text}");
        }
    }

    #[test]
    fn date_orders_by_year_then_month_then_day() {
        let date = |text: &str| text.parse::<Date>().unwrap();
        assert!(date("2026-12-31") < date("2027-01-01"));
        assert!(date("2027-01-31") < date("2027-02-01"));
    }
}
