//! The ops as a backend.

use seedproof_ops::{Backend, BackendId, Failure, Limits, Request, Response, Stages, Support};

use crate::{dml_random_generator, multinomial, random_uniform};

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
    Plan::new(request, *limits)?.run(entropy)
}

/// The words, the values in the unit interval and the output; `None` where [`run`] has no value, or a
/// different one each time, or draws nothing itself (Multinomial with draws given).
///
/// Of Multinomial, the values in the unit interval are its draws, f64, and the output is what they select.
pub fn stages(request: &Request, limits: &Limits) -> Option<Stages> {
    Plan::new(request, *limits).ok()?.stages()
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
        match Plan::new(request, self.limits) {
            Err(Failure::Unsupported(reason)) => Support::No(reason),
            Ok(_) | Err(Failure::Rejected(_) | Failure::Broken(_)) => Support::Yes,
        }
    }

    fn run(&self, request: &Request) -> Result<Response, Failure> {
        run(request, &self.limits, (self.entropy)())
    }

    fn stages(&self, request: &Request) -> Option<Stages> {
        stages(request, &self.limits)
    }

    fn description(&self) -> String {
        concat!("Seedproof's literal reference ", env!("CARGO_PKG_VERSION")).to_owned()
    }
}

/// A valid request of any op.
enum Plan {
    RandomUniform(random_uniform::Plan),
    Multinomial(multinomial::Plan),
    DmlRandomGenerator(dml_random_generator::Plan),
}

impl Plan {
    fn new(request: &Request, limits: Limits) -> Result<Self, Failure> {
        Ok(match request {
            Request::RandomUniform(request) => {
                Self::RandomUniform(random_uniform::Plan::new(request, limits)?)
            }
            Request::Multinomial(request) => Self::Multinomial(multinomial::Plan::new(request, limits)?),
            Request::DmlRandomGenerator(request) => {
                Self::DmlRandomGenerator(dml_random_generator::Plan::new(request, limits)?)
            }
        })
    }

    fn run(&self, entropy: u64) -> Result<Response, Failure> {
        match self {
            Self::RandomUniform(plan) => plan.run(entropy),
            Self::Multinomial(plan) => plan.run(entropy),
            Self::DmlRandomGenerator(plan) => plan.run(),
        }
    }

    fn stages(&self) -> Option<Stages> {
        match self {
            Self::RandomUniform(plan) => plan.stages(),
            Self::Multinomial(plan) => plan.stages(),
            Self::DmlRandomGenerator(plan) => plan.stages(),
        }
    }
}

#[cfg(test)]
mod tests;
