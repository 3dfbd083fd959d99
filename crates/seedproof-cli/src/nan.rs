//! The option that compares NaNs by their bits, of every command that judges.

use clap::Args;
use seedproof_ops::NanRule;

#[derive(Debug, Args)]
pub(crate) struct NanArgs {
    /// Compare a NaN by its bits; by default any NaN of the type is the expected one
    #[arg(long)]
    strict_nan: bool,
}

impl NanArgs {
    /// The NaNs that count as the same element.
    pub(crate) const fn rule(&self) -> NanRule {
        if self.strict_nan {
            NanRule::Bits
        } else {
            NanRule::Class
        }
    }
}
