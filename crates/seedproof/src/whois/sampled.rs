//! Tokens, and the requests that may have sampled them.

use seedproof_ops::{
    AttributeValue, Backend, Dtype, Kind, Named as _, OpName, Request, Role, Scalar, Shape, Tensor,
};

use super::requests::Suggested;
use super::sought::{Known, Sought};

/// The number of tokens of a probe, and of their classes. A mistake is asked for the given tokens only if it answers the
/// probe otherwise than the specification. Nearly flat logits leave the choice to the generator, so that few classes are
/// enough to see that.
pub(super) const PROBED: usize = 4;
const CLASSES: usize = 64;

/// Tokens, with the logits and the seeds that they are said to be sampled from.
#[derive(Clone, Debug)]
pub struct Sampled {
    pub(super) tokens: Vec<u64>,
    /// Of each token, or one for all of them.
    rows: Vec<Vec<f32>>,
    temperature: f32,
    pub(super) seed: u64,
    pub(super) op_seed: u64,
    pub(super) position: i64,
}

/// Seeds, and the place of the first token.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SampledWith {
    /// By what logits are divided. 0 stands for the greatest logit.
    pub temperature: f32,
    /// The seed, or the key.
    pub seed: u64,
    /// The second seed of ops that have one.
    pub op_seed: u64,
    /// The position of the first token in its sequence.
    pub position: i64,
}

impl Sampled {
    /// Tokens, as whole numbers, and logits: a row for each token, or one row for all of them.
    ///
    /// ```
    /// use seedproof::ops::Tensor;
    /// use seedproof::whois::{Sampled, SampledWith};
    ///
    /// let logits = Tensor::vector(&[0.5_f32; 8]);
    /// let with = SampledWith { temperature: 1.0, seed: 42, op_seed: 0, position: 0 };
    /// assert!(Sampled::new(&Tensor::vector(&[3_i64, 7]), &logits, with).is_ok());
    /// let error = Sampled::new(&Tensor::vector(&[3_i64, 8]), &logits, with).unwrap_err();
    /// assert_eq!(error, "a token is not in the vocabulary of 8");
    /// ```
    ///
    /// # Errors
    /// A sentence if the logits are no rows of floats, if there are not as many rows as tokens, or if a token is not in
    /// the vocabulary.
    pub fn new(tokens: &Tensor, logits: &Tensor, with: SampledWith) -> Result<Self, String> {
        let (rows, vocabulary) = match *logits.shape().dims() {
            [vocabulary] => (1, vocabulary),
            [.., vocabulary] if vocabulary > 0 => (logits.count() / vocabulary, vocabulary),
            _ => {
                return Err(format!(
                    "the logits have the shape {}: expected [tokens, vocabulary]",
                    logits.shape()
                ));
            }
        };
        if !logits.dtype().is_float() {
            return Err(format!("the logits are {}: expected floats", logits.dtype()));
        }
        if tokens.dtype().is_float() || tokens.count() == 0 {
            return Err("there are no tokens: expected whole numbers".to_owned());
        }
        if rows != 1 && rows != tokens.count() {
            return Err(format!(
                "{} tokens have {rows} rows of logits: expected a row for each token, or one for all",
                tokens.count()
            ));
        }
        let in_vocabulary = |token: Scalar| {
            let token = u64::try_from(token.to_i128()).ok();
            token.filter(|&token| usize::try_from(token).is_ok_and(|token| token < vocabulary))
        };
        let numbers: Option<Vec<u64>> = tokens.scalars().map(in_vocabulary).collect();
        let numbers = numbers.ok_or_else(|| format!("a token is not in the vocabulary of {vocabulary}"))?;
        let values: Vec<f32> = logits.scalars().map(|logit| rounded(logit.to_f64())).collect();
        Ok(Self {
            tokens: numbers,
            rows: values.chunks(vocabulary).map(<[f32]>::to_vec).collect(),
            temperature: with.temperature,
            seed: with.seed,
            op_seed: with.op_seed,
            position: with.position,
        })
    }

    pub(super) fn row(&self, token: usize) -> &[f32] {
        self.rows.get(token).unwrap_or(&self.rows[0])
    }

    /// Bits of surprise of each token, under the softmax of its logits.
    pub(super) fn surprisal(&self) -> Vec<f64> {
        let of = |(place, &token): (usize, &u64)| {
            if self.temperature == 0.0 {
                return 0.0;
            }
            let logarithms = self.log_softmax(self.row(place));
            let own = usize::try_from(token)
                .ok()
                .and_then(|token| logarithms.get(token));
            // A token that its logits exclude, or logits with a NaN, are evidence for nothing.
            own.filter(|own| own.is_finite())
                .map_or(0.0, |own| -own / std::f64::consts::LN_2)
        };
        self.tokens.iter().enumerate().map(of).collect()
    }

    pub(super) fn log_softmax(&self, row: &[f32]) -> Vec<f64> {
        let divided: Vec<f64> = self.divided(row).map(f64::from).collect();
        let most = divided.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let sum: f64 = divided.iter().map(|it| (it - most).exp()).sum();
        divided.iter().map(|it| it - most - sum.ln()).collect()
    }

    /// The probability of each token of the vocabulary at a place.
    pub(super) fn shares(&self, place: usize) -> Vec<f64> {
        self.log_softmax(self.row(place))
            .into_iter()
            .map(f64::exp)
            .collect()
    }

    fn divided<'a>(&self, row: &'a [f32]) -> impl Iterator<Item = f32> + 'a {
        let by = if self.temperature == 0.0 {
            1.0
        } else {
            self.temperature
        };
        row.iter().map(move |logit| logit / by)
    }

    /// Whether each token is the first of the greatest logits of its row.
    pub(super) fn is_greedy(&self) -> bool {
        self.tokens.iter().enumerate().all(|(place, &token)| {
            let row = self.row(place);
            let greatest = row.iter().copied().fold(f32::NEG_INFINITY, f32::max);
            row.iter().position(|&it| it >= greatest) == usize::try_from(token).ok()
        })
    }

    /// The same question for a few tokens of nearly flat logits.
    pub(super) fn probe(&self) -> Self {
        let classes = self.rows[0].len().min(CLASSES);
        let logit = |place: usize| f32::from(u8::try_from(place * 167 % 251).unwrap_or(0)) / 256.0;
        let rows = (0..self.rows.len().min(PROBED)).map(|row| (0..classes).map(|i| logit(row + i)).collect());
        Self {
            rows: rows.collect(),
            tokens: vec![0; PROBED],
            ..self.clone()
        }
    }

    /// The same question for one of the tokens and another seed.
    pub(super) fn only(&self, token: usize, seed: u64) -> Self {
        Self {
            tokens: vec![self.tokens[token]],
            rows: vec![self.row(token).to_vec()],
            seed,
            ..*self
        }
    }

    /// Every way to ask every op that takes weights.
    pub(super) fn ways(&self) -> Vec<Way> {
        let takes_weights = |op: &&OpName| {
            let mut inputs = op.description().inputs.iter();
            inputs.any(|info| info.role == Role::Weights && info.required)
        };
        let mut all = Vec::new();
        for &op in OpName::ALL.iter().filter(takes_weights) {
            for form in Form::ALL {
                // Some programs pass the position of the previous token.
                for (offset, is_sequence) in [0, -1, 1].into_iter().flat_map(|it| [(it, true), (it, false)]) {
                    for is_drawn_again in [false, true] {
                        all.push(Way {
                            op,
                            form,
                            offset,
                            is_sequence,
                            is_drawn_again,
                        });
                    }
                }
            }
        }
        // One row is repeated, or drawn from as often as there are tokens.
        all.retain(|way| self.rows.len() == 1 || !way.is_drawn_again);
        all
    }

    /// The requests for the first tokens in one way, a request for each choice of attributes that are not known, in an order
    /// that does not depend on the number of tokens.
    pub(super) fn requests(&self, way: Way, count: usize) -> Vec<Request> {
        let description = way.op.description();
        let weights = description.inputs.iter().find(|info| info.role == Role::Weights);
        let each = if way.is_drawn_again { count } else { 1 };
        let Some(tensor) = self.weights(way, count / each) else {
            return Vec::new();
        };
        let first = self.position.wrapping_add(way.offset);
        let position = |place| {
            if way.is_sequence {
                first.wrapping_add(place)
            } else {
                first
            }
        };
        let positions: Vec<i64> = (0..).take(count / each).map(position).collect();
        let mut known = vec![(weights.map_or("", |it| it.name).to_owned(), Known::Input(tensor))];
        let of_each_row = description.inputs.iter().filter(|info| info.role == Role::PerRow);
        known.extend(of_each_row.map(|info| {
            let tensor = match info.name {
                "temperature" => Tensor::vector(&vec![self.temperature; positions.len()]),
                "seed" => Tensor::vector(&vec![self.seed.cast_signed(); positions.len()]),
                _ => Tensor::vector(&positions),
            };
            (info.name.to_owned(), Known::Input(tensor))
        }));
        let attributes = description.attributes.iter();
        let numbers = attributes.filter(|info| matches!(info.kind, Kind::Number(_)) && info.required);
        known.extend(numbers.map(|info| {
            let each = AttributeValue::Number(i128::try_from(each).unwrap_or(i128::MAX));
            (info.name.to_owned(), Known::Attribute(each))
        }));
        let shapes: [&[usize]; 2] = [&[count], &[count / each, each]];
        let of_shape = |dims: &[usize]| {
            let dims: Vec<u64> = dims.iter().map(|&dim| dim as u64).collect();
            let shape = Shape::new(&dims).expect("as many elements as tokens");
            let zeros = vec![0; count * Dtype::I64.size()];
            let empty = Tensor::new(Dtype::I64, shape, zeros).expect("as many bytes as elements");
            let sought = Sought {
                known: known.clone(),
                ..Sought::new(empty, self.seed, self.op_seed)
            };
            sought.of_op(way.op, &Suggested::default())
        };
        shapes.into_iter().flat_map(of_shape).collect()
    }

    /// The weights in one form, a row for each of the first tokens.
    fn weights(&self, way: Way, rows: usize) -> Option<Tensor> {
        let divides = way
            .op
            .description()
            .inputs
            .iter()
            .any(|info| info.name == "temperature");
        let of_row = |row: &[f32]| -> Option<Vec<f32>> {
            match way.form {
                Form::Logits if divides => Some(row.to_vec()),
                Form::Logits => Some(self.divided(row).collect()),
                // The op makes them itself.
                _ if divides => None,
                Form::Logarithms => Some(self.log_softmax(row).into_iter().map(rounded).collect()),
                Form::Probabilities => {
                    let logarithms = self.log_softmax(row).into_iter();
                    Some(logarithms.map(|it| rounded(it.exp())).collect())
                }
            }
        };
        let elements: Option<Vec<Vec<f32>>> = (0..rows).map(|place| of_row(self.row(place))).collect();
        let shape = Shape::new(&[rows, self.rows[0].len()].map(|dim| dim as u64)).ok()?;
        Tensor::from_elements(shape, &elements?.concat()).ok()
    }
}

/// The form of the weights that a program passes to an op.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    Logits,
    Logarithms,
    Probabilities,
}

impl Form {
    /// The logarithms come first: SGLang's op draws the same from logits, but its callers pass logarithms.
    const ALL: [Self; 3] = [Self::Logarithms, Self::Logits, Self::Probabilities];
}

/// A way to ask an op.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Way {
    pub(super) op: OpName,
    form: Form,
    /// What is added to the position.
    pub(super) offset: i64,
    /// Whether each token has the position after the one before; else they are of one step in several sequences.
    is_sequence: bool,
    /// Whether all tokens are drawn from one row.
    is_drawn_again: bool,
}

impl Way {
    /// Whether each token is drawn from its own logits, and after the one before.
    pub(super) fn is_plain(&self) -> bool {
        self.form == Form::Logits && self.offset == 0 && self.is_sequence && !self.is_drawn_again
    }
}

/// The tokens that a backend draws, if it draws this number of them.
pub(super) fn drawn(backend: &dyn Backend, request: &Request, count: usize) -> Option<Vec<u64>> {
    let output = backend.run(request).ok()?.output;
    let tokens = output
        .scalars()
        .map(|token| u64::try_from(token.to_i128()).unwrap_or(u64::MAX));
    (output.count() == count).then(|| tokens.collect())
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "what programs hold in f32 is rounded to it"
)]
pub(super) const fn rounded(number: f64) -> f32 {
    number as f32
}
