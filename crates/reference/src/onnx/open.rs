//! ONNX's random ops of which the standard defines no value: it names neither a generator nor a conversion.

use seedproof_ops::{Failure, Limits, Response};

/// A module for each op, whose plan no request has.
macro_rules! open {
    ($($(#[$doc:meta])* $module:ident: $request:ident;)*) => {$(
        $(#[$doc])*
        pub mod $module {
            use super::{Failure, Limits, Response};

            /// A request with an answer: there is none.
            pub enum Plan {}

            impl Plan {
                /// None: the values are open, and so is which requests are invalid.
                ///
                /// # Errors
                /// [`Failure::Unsupported`], whatever the request.
                pub fn new(_: &seedproof_ops::$request, _: Limits) -> Result<Self, Failure> {
                    let message = "values that the standard leaves to the implementation";
                    Err(Failure::Unsupported(message.to_owned()))
                }

                /// The output.
                ///
                /// # Errors
                /// None: no plan exists.
                pub const fn run(&self, _entropy: u64) -> Result<Response, Failure> {
                    match *self {}
                }
            }
        }
    )*};
}

open! {
    /// `[orn.values]`: errata `orn.seed`, `orn.runs` and `orn.types`.
    random_normal: OnnxRandomNormal;
    /// `[oul.values]`: erratum `oul.seed`.
    random_uniform_like: OnnxRandomUniformLike;
    /// `[onl.values]`: erratum `onl.seed`.
    random_normal_like: OnnxRandomNormalLike;
    /// `[obe.values]`: erratum `obe.complement`.
    bernoulli: OnnxBernoulli;
    /// `[omu.values]`: erratum `omu.logarithms`.
    multinomial: OnnxMultinomial;
}
