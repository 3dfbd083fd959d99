//! SGLang `multinomial_with_seed`: a token for each row of log-probabilities, by a race of them and Gumbel noise.

use seedproof_ops::{Dtype, Failure, Limits, Response, SglangMultinomialWithSeed, Tensor};

use super::{Rows, Score, murmur, per_row, winner};

/// A valid request, and its tokens.
pub struct Plan {
    tokens: Tensor,
}

impl Plan {
    /// The plan for a request.
    ///
    /// `[sms.rows]`: a seed and a position for each row.
    ///
    /// Erratum `sms.nan`.
    ///
    /// # Errors
    /// [`Failure::Rejected`] for an invalid request; [`Failure::Unsupported`] for an output over the limit, for NaN among
    /// the logarithms and where the last bit of a logarithm decides.
    pub fn new(request: &SglangMultinomialWithSeed, limits: Limits) -> Result<Self, Failure> {
        let rows = Rows::new("logprobs", &request.logprobs)?;
        let seeds = per_row("seed", &request.seed, Dtype::I64, rows.count)?;
        let positions = per_row("positions", &request.positions, Dtype::I64, rows.count)?;
        let tokens = rows.select(&[rows.count, 1], limits, |row, numbers| {
            let noise = |token: u64| noise(murmur::hash(0, seeds[row], positions[row], token));
            winner(
                &(0_u64..)
                    .zip(numbers)
                    .map(|(token, &logit)| score(logit, noise(token))),
            )
        })?;
        Ok(Self { tokens })
    }

    /// The tokens.
    ///
    /// # Errors
    /// None.
    pub fn run(&self, _entropy: u64) -> Result<Response, Failure> {
        Ok(Response::of(self.tokens.clone()))
    }
}

/// `[sms.unit]`: the hash over 2^32 - 1, in f64. `[sms.clamp]`: its logarithm is at most -2^-32, and at least the least
/// number. `[sms.noise]`: `-log(-log x)`.
///
/// Erratum `sms.clamp.one`.
fn noise(hash: u32) -> f64 {
    let x = f64::from(hash) / f64::from(u32::MAX);
    let log = libm::log(x).clamp(f64::MIN, -1.0 / 4_294_967_296.0);
    -libm::log(-log)
}

/// `[sms.score]`: the sum of noise and log-probability, in f64.
fn score(logprob: f32, noise: f64) -> Score {
    let logprob = f64::from(logprob);
    let size = logprob.abs().max(noise.abs()).max(1.0);
    Score {
        score: noise + logprob,
        error: size / f64::from(1 << 25) / f64::from(1 << 25),
    }
}
