//! The ops as a backend.

use seedproof_ops::{
    Backend, BackendId, Failure, Limits, Request, Response, Stages, Support, Value, digested, standard,
};

/// Answers a request as the reading `spec` does.
///
/// `entropy` stands for `global_seed` where both seeds are zero, and has no other effect. A request is
/// checked before its output is measured: an invalid one of absurd size is rejected.
///
/// # Errors
/// [`Failure::Rejected`] for an invalid request; [`Failure::Unsupported`] for a second execution of an
/// OpenVINO op instance and for an output over the limit; [`Failure::Broken`] if there is no memory for the
/// output.
pub fn run(request: &Request, limits: &Limits, entropy: u64) -> Result<Response, Failure> {
    standard(|| Plan::new(request, *limits)?.run(entropy))
}

/// The words, the values in the unit interval and the output; `None` where [`run`] has no value, or a
/// different one each time, or draws nothing itself (Multinomial with draws given).
///
/// Of Multinomial, the values in the unit interval are its draws, f64, and the output is what they select.
pub fn stages(request: &Request, limits: &Limits) -> Option<Stages> {
    standard(|| Plan::new(request, *limits).ok()?.stages())
}

/// The oracle, as a backend with the name `reference`.
pub struct Reference {
    id: BackendId,
    limits: Limits,
    entropy: Box<dyn Fn() -> u64 + Send + Sync>,
}

impl Reference {
    /// The oracle with these limits. `entropy` is asked for a number at each run, and should give another one
    /// each time.
    pub fn new(limits: Limits, entropy: impl Fn() -> u64 + Send + Sync + 'static) -> Self {
        Self {
            id: BackendId::new("reference"),
            limits,
            entropy: Box::new(entropy),
        }
    }
}

impl Backend for Reference {
    fn id(&self) -> &BackendId {
        &self.id
    }

    /// Yes, also to what will be rejected; no, with the reason, exactly where [`run`] answers
    /// [`Failure::Unsupported`].
    fn supports(&self, request: &Request) -> Support {
        match standard(|| Plan::new(request, self.limits)) {
            Err(Failure::Unsupported(reason)) => Support::Unsupported(reason),
            Ok(_) | Err(Failure::Rejected(_) | Failure::Broken(_)) => Support::Supported,
        }
    }

    fn run(&self, request: &Request) -> Result<Response, Failure> {
        run(request, &self.limits, (self.entropy)())
    }

    fn run_within(&self, request: &Request, limits: Limits) -> Result<Response, Failure> {
        run(request, &self.limits.and(limits), (self.entropy)())
    }

    fn digest(&self, request: &Request) -> Result<Value, Failure> {
        digested(|| self.run(request))
    }

    fn stages(&self, request: &Request) -> Option<Stages> {
        stages(request, &self.limits)
    }

    fn description(&self) -> String {
        concat!("Seedproof's literal reference ", env!("CARGO_PKG_VERSION")).to_owned()
    }
}

/// Defines `Plan`: a valid request of any op.
macro_rules! plan {
    ($($op:ident, $($module:ident)::+, $stem:literal $(, $stages:ident)?;)*) => {
        enum Plan { $($op(crate::$($module)::+::Plan)),* }

        impl Plan {
            fn new(request: &Request, limits: Limits) -> Result<Self, Failure> {
                match request {
                    $(Request::$op(request) => crate::$($module)::+::Plan::new(request, limits).map(Self::$op),)*
                    _ => Err(Failure::no_op(request.op())),
                }
            }

            fn run(&self, entropy: u64) -> Result<Response, Failure> {
                match self { $(Self::$op(plan) => plan.run(entropy)),* }
            }

            fn stages(&self) -> Option<Stages> {
                match self {
                    $($(Self::$op(plan) => plan.$stages(),)?)*
                    _ => None,
                }
            }
        }
    };
}
crate::ops!(plan);

#[cfg(test)]
mod tests;
