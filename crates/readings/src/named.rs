//! The named readings: implementations that ship.

use std::sync::LazyLock;

use crate::data::{READINGS, parse_data};
use crate::reading::Reading;

/// Every named reading: `spec`, then the implementations that ship.
pub fn named() -> Vec<Reading> {
    static NAMED: LazyLock<Vec<Reading>> = LazyLock::new(|| {
        let mut readings = vec![Reading::spec()];
        for (file, text) in READINGS {
            let data = parse_data(file, text, &readings).expect("a test reads every file of this crate");
            readings.extend(data.readings);
        }
        readings
    });
    NAMED.clone()
}

/// The named reading called `name`.
pub fn find(name: &str) -> Option<Reading> {
    named().into_iter().find(|reading| reading.name == name)
}
