//! vLLM `gumbel_sample`: a token for each row of logits, by a race of logits and Gumbel noise.

use seedproof_ops::{Dtype, ErrorKind, Failure, Limits, Response, Tensor, VllmGumbelSample};

use super::murmur3_uniform::{uniform32, uniform64};
use super::{Rows, Score, first, per_row, winner};
use crate::validate;

/// A valid request, and its tokens.
pub struct Plan {
    tokens: Tensor,
}

impl Plan {
    /// The plan for a request.
    ///
    /// `[vgs.rows]`: a temperature, a seed and a position for each row. `[vgs.temperature]`: temperatures are neither
    /// negative nor infinite nor NaN.
    ///
    /// Errata `vgs.temperature.range` and `vgs.nan`.
    ///
    /// # Errors
    /// [`Failure::Rejected`] for an invalid request; [`Failure::Unsupported`] for an output over the limit, for NaN among
    /// the logits and where the last bit of a logarithm decides.
    pub fn new(request: &VllmGumbelSample, limits: Limits) -> Result<Self, Failure> {
        let logits = Rows::new("logits", &request.logits)?;
        let temperatures = temperatures(&request.temperature, logits.count)?;
        let seeds = per_row("seed", &request.seed, Dtype::I64, logits.count)?;
        let positions = per_row("pos", &request.pos, Dtype::I64, logits.count)?;
        let tokens = logits.select(&[logits.count], limits, |row, numbers| {
            let race = Race {
                temperature: temperatures[row],
                seed: seeds[row],
                position: position(positions[row], request.is_drafting),
            };
            race.token(numbers, request.use_fp64)
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

fn temperatures(tensor: &Tensor, rows: u64) -> Result<Vec<f32>, Failure> {
    per_row("temperature", tensor, Dtype::F32, rows)?;
    let temperatures: Vec<f32> = tensor.elements().map_or_else(|_| Vec::new(), Iterator::collect);
    let refused = |temperature: &&f32| !(temperature.is_finite() && **temperature >= 0.0);
    match temperatures.iter().find(refused) {
        None => Ok(temperatures),
        Some(refused) => {
            let message =
                format!("divide by the temperature {refused}: expected a number that is not negative");
            Ok(validate::refuse(ErrorKind::Range, message)?)
        }
    }
}

/// `[vgs.drafting]`: proposals are drawn at a position 2^30 further.
fn position(position: u64, is_drafting: bool) -> u64 {
    position.wrapping_add(if is_drafting { 1 << 30 } else { 0 })
}

struct Race {
    temperature: f32,
    seed: u64,
    position: u64,
}

impl Race {
    /// `[vgs.greedy]`: the greatest logit where the temperature is 0. `[vgs.scale]`: else logits are divided by it, in f32.
    fn token(&self, logits: &[f32], use_fp64: bool) -> Option<u64> {
        if self.temperature == 0.0 {
            return first(logits.iter().map(|&logit| f64::from(logit))).map(|(token, _)| token);
        }
        let scaled = logits.iter().map(|logit| logit / self.temperature);
        let scores = (0_u64..).zip(scaled);
        if use_fp64 {
            winner(&scores.map(|(token, logit)| self.score64(token, logit)))
        } else {
            winner(&scores.map(|(token, logit)| self.score32(token, logit)))
        }
    }

    /// `[vgs.f32]`: the logit plus `-log(-log1p(-u))`, in f32.
    fn score32(&self, token: u64, logit: f32) -> Score {
        let u = uniform32(self.seed, self.position, token);
        let noise = -libm::logf(-log1p_neg(u));
        let size = logit.abs().max(noise.abs()).max(1.0);
        Score {
            score: f64::from(logit + noise),
            error: f64::from(size) / f64::from(1 << 21),
        }
    }

    /// `[vgs.f64]`: the logit plus `-log(-log(u))`, in f64.
    fn score64(&self, token: u64, logit: f32) -> Score {
        let u = uniform64(self.seed, self.position, token);
        let noise = -libm::log(-libm::log(u));
        let logit = f64::from(logit);
        let size = logit.abs().max(noise.abs()).max(1.0);
        Score {
            score: logit + noise,
            error: size / f64::from(1 << 25) / f64::from(1 << 25),
        }
    }
}

/// `[vgs.log1p]`: `log1p(-u)`: below 0.25 eight terms of its series, else `log(max(1 - u, 2^-24))`.
fn log1p_neg(u: f32) -> f32 {
    if u < 0.25 {
        let polynomial = [7.0, 6.0, 5.0, 4.0, 3.0, 2.0, 1.0]
            .into_iter()
            .fold(1.0_f32 / 8.0, |sum, term| 1.0 / term + u * sum);
        -u * polynomial
    } else {
        libm::logf((1.0 - u).max(1.0 / 16_777_216.0))
    }
}
