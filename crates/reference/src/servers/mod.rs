//! The seeded samplers of the language-model servers vLLM and SGLang: one hash, and the race that it decides.

pub mod gumbel_sample;
pub mod multinomial_with_seed;
mod murmur;
pub mod murmur3_uniform;
pub mod murmur_hash32;

use seedproof_ops::{Dtype, Elements, ErrorKind, Failure, Limits, OpError, Scalar, Shape, Tensor};

use crate::validate;

/// `[vmu.num]`, `[smh.cols]`: how many tokens there are; the number is not negative.
pub(crate) fn count(name: &str, number: i128) -> Result<u64, OpError> {
    if let Ok(Ok(count)) = i64::try_from(number).map(u64::try_from) {
        return Ok(count);
    }
    let message = format!("take {name} {number}: expected 0 to 2^63 - 1");
    validate::refuse(ErrorKind::Attribute, message)
}

/// A row of numbers for each token: `[vgs.logits]`, `[sms.logprobs]`.
struct Rows {
    count: u64,
    classes: usize,
    numbers: Vec<f32>,
}

impl Rows {
    /// f32 of the shape `[n, vocab]`, with at least one class.
    fn new(name: &str, tensor: &Tensor) -> Result<Self, OpError> {
        validate::dtype(name, tensor, &[Dtype::F32])?;
        let numbers = tensor.elements().map_or_else(|_| Vec::new(), Iterator::collect);
        match (tensor.shape().to_u64().as_slice(), tensor.shape().dims()) {
            (&[rows, _], &[_, classes]) if classes > 0 => Ok(Self {
                count: rows,
                classes,
                numbers,
            }),
            _ => validate::shape(name, tensor, "[n, vocab] with at least one class"),
        }
    }

    /// The tokens of an output of this shape, each of them selected in its row. A NaN is compared with nothing.
    fn select(
        &self,
        dims: &[u64],
        limits: Limits,
        token: impl Fn(usize, &[f32]) -> Option<u64>,
    ) -> Result<Tensor, Failure> {
        let shape: Shape = limits.shape(Dtype::I64, dims)?;
        if self.numbers.iter().any(|number| number.is_nan()) {
            return Err(Failure::Unsupported("a NaN in place of a logit".to_owned()));
        }
        let mut elements = Elements::reserve(Dtype::I64, &shape)?;
        for (row, numbers) in self.numbers.chunks(self.classes).enumerate() {
            let Some(token) = token(row, numbers) else {
                let message =
                    format!("row {row}, whose two greatest scores are a rounding of a logarithm apart");
                return Err(Failure::Unsupported(message));
            };
            elements.push_bits(token);
        }
        Ok(elements.into_tensor())
    }
}

/// A number for each of `rows` rows, as bits: `[vgs.rows]`, `[smh.rows]`, `[sms.rows]`.
fn per_row(name: &str, tensor: &Tensor, dtype: Dtype, rows: u64) -> Result<Vec<u64>, OpError> {
    validate::dtype(name, tensor, &[dtype])?;
    if tensor.shape().to_u64() != [rows] {
        return validate::shape(name, tensor, &format!("[{rows}]"));
    }
    Ok(tensor.scalars().map(Scalar::bits).collect())
}

/// A competitor of a race: its score, and how far another machine's logarithm may move it.
#[derive(Clone, Copy)]
struct Score {
    score: f64,
    error: f64,
}

/// `[vgs.argmax]`, `[sms.argmax]`: the first of the greatest scores, and its token.
fn first(scores: impl Iterator<Item = f64>) -> Option<(u64, f64)> {
    let mut best = None;
    for (token, score) in (0_u64..).zip(scores) {
        if best.is_none_or(|(_, other)| score > other) {
            best = Some((token, score));
        }
    }
    best
}

/// The token that wins; `None` where a logarithm that is an ulp or two off may select another.
///
/// Errata `vgs.logarithm` and `sms.logarithm`.
fn winner(scores: &(impl Iterator<Item = Score> + Clone)) -> Option<u64> {
    let (winner, best) = first(scores.clone().map(|score| score.score))?;
    // Equal infinities are equal on every machine.
    if best.is_infinite() {
        return Some(winner);
    }
    let all = || (0_u64..).zip(scores.clone());
    let error = all().find(|&(token, _)| token == winner)?.1.error;
    let close = |(token, other): (u64, Score)| token != winner && other.score + other.error >= best - error;
    (!all().any(close)).then_some(winner)
}
