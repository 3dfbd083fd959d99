//! A program without the feature `gpu`: every adapter is absent.

use seedproof_ops::{Backend, Limits};
use seedproof_report::LeftOut;

use crate::exit::Error;

/// The backends of the adapters that open, and what is absent.
type Present = (Vec<Box<dyn Backend>>, Vec<LeftOut>);

const ABSENT: &str = "this program is built without the feature `gpu`";

/// Nothing, and why.
pub(crate) fn present(_: Limits) -> Present {
    let absent = LeftOut::new("gpu", ABSENT);
    (Vec::new(), vec![absent])
}

/// # Errors
/// Always.
pub(crate) fn find(name: Option<&str>, _: Limits) -> Result<Box<dyn Backend>, Error> {
    let name = name.map_or_else(
        || "gpu".to_owned(),
        |name| format!("gpu/{}", name.trim_start_matches("gpu/")),
    );
    Err(Error::Infrastructure(format!("{name} is absent: {ABSENT}")))
}
