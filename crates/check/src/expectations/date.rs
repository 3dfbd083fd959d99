//! Days of the calendar.

use std::fmt;
use std::str::FromStr;
use std::time::{Duration, SystemTime};

const DAY: u64 = 24 * 60 * 60;

/// A day of the Gregorian calendar from 1970-01-01 to 9999-12-31, written as `2027-06-30`.
///
/// ```
/// use seedproof_check::expectations::Date;
///
/// let until: Date = "2028-02-29".parse()?;
/// assert!(until < "2028-03-01".parse()?);
/// assert_eq!(until.to_string(), "2028-02-29");
/// # Ok::<(), seedproof_check::expectations::InvalidDate>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Date(SystemTime);

/// Text that is not a day in this form.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("read `{0}` as a day: expected one of the calendar, as in 2027-06-30")]
pub struct InvalidDate(String);

impl Date {
    /// Today in UTC; 1970-01-01 if the clock is set to an earlier time.
    pub fn today() -> Self {
        let now = SystemTime::UNIX_EPOCH.elapsed().unwrap_or_default().as_secs();
        Self(SystemTime::UNIX_EPOCH + Duration::from_secs(now - now % DAY))
    }
}

impl FromStr for Date {
    type Err = InvalidDate;

    fn from_str(text: &str) -> Result<Self, InvalidDate> {
        humantime::parse_rfc3339(&format!("{text}T00:00:00Z"))
            .map(Self)
            .map_err(|_| InvalidDate(text.to_owned()))
    }
}

impl fmt::Display for Date {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let time = humantime::format_rfc3339_seconds(self.0).to_string();
        f.write_str(time.split('T').next().unwrap_or_default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn date_is_a_day_of_the_calendar() {
        for text in [
            "1970-01-01",
            "2000-02-29",
            "2028-02-29",
            "2027-06-30",
            "9999-12-31",
        ] {
            assert_eq!(
                text.parse::<Date>().map(|date| date.to_string()).as_deref(),
                Ok(text)
            );
        }
        for text in [
            "",
            "x",
            "1969-12-31",
            "1900-02-29",
            "2027-02-29",
            "2027-02-30",
            "2027-06-31",
            "2027-13-01",
            "2027-00-01",
            "2027-01-00",
            "2027-1-1",
            "10000-01-01",
            "2027-06-30 ",
            "2027-06-30T00:00:00",
            "+027-06-30",
            "２027-06-30",
        ] {
            assert_eq!(text.parse::<Date>(), Err(InvalidDate(text.to_owned())));
        }
    }

    #[test]
    fn dates_follow_each_other() {
        let days: Vec<Date> = ["2026-12-31", "2027-01-01", "2027-01-31", "2027-02-01"]
            .map(|text| text.parse().unwrap())
            .into();
        assert!(days.is_sorted_by(|a, b| a < b));
    }

    #[test]
    fn today_is_a_day() {
        let today = Date::today();
        assert_eq!(today.to_string().parse(), Ok(today));
        // Midnight may pass in between.
        let since = SystemTime::now().duration_since(today.0).unwrap();
        assert!(since < Duration::from_secs(2 * DAY), "{today}");
    }
}
