//! OpenVINO Multinomial-13.

use std::ops::Range;

use half::{bf16, f16};
use seedproof_ops::{
    Digest, Dtype, ErrorKind, Failure, Limits, Multinomial, Response, Scalar, Shape, Tensor, standard,
};

use super::{
    assert_length, check_dtype, check_execution, check_rank, check_scalar, digest, effective_seed,
    output_bytes, refuse,
};
use crate::level::Level;
pub use crate::multinomial::Draws;
use crate::multinomial::{Sampling, Weight, running_sums, weightless};
use crate::philox::Philox;

/// The types of probabilities.
const FLOATS: [Dtype; 4] = [Dtype::F16, Dtype::Bf16, Dtype::F32, Dtype::F64];

/// A request whose attributes, element types, shapes and draws are valid. Its probabilities are checked while they are
/// summed, so that they are read once.
pub struct Formed<'a> {
    request: &'a Multinomial,
    classes: usize,
    samples: usize,
    dtype: Dtype,
    shape: Shape,
}

/// Refuses what is invalid, in the order attribute, element type, shape, range of given draws.
///
/// # Errors
/// [`Failure::Rejected`]; [`Failure::Unsupported`] for a later execution, or more output than the limit, if
/// nothing else is wrong.
pub fn check(request: &Multinomial, limits: Limits) -> Result<Formed<'_>, Failure> {
    let Some(dtype @ (Dtype::I32 | Dtype::I64)) = request.convert_type.known() else {
        let message = format!("convert_type `{}` is neither i32 nor i64", request.convert_type);
        return refuse(ErrorKind::Attribute, message);
    };
    let Multinomial {
        probs,
        num_samples,
        draws,
        ..
    } = request;
    check_dtype("probs", probs, &FLOATS)?;
    check_rank("probs", probs, 2)?;
    let [batch, classes] = [probs.shape().dims()[0], probs.shape().dims()[1]];
    if classes == 0 {
        return Err(Failure::rejected(
            ErrorKind::Shape,
            "probs has rows without a class",
        ));
    }
    check_dtype("num_samples", num_samples, &[Dtype::I32, Dtype::I64])?;
    check_scalar("num_samples", num_samples)?;
    let samples = num_samples.scalars().next().map_or(0, Scalar::to_i64);
    let counted = u64::try_from(samples)
        .map_err(|_| Failure::rejected(ErrorKind::Samples, format!("num_samples is {samples}")))?;
    if let Some(draws) = draws {
        check_dtype("draws", draws, &[Dtype::F64])?;
        check_draws(draws, batch, counted)?;
    }
    let [rows, row] = [batch, classes].map(|size| u64::try_from(size).expect("an extent fits 64 bits"));
    let steps = if request.with_replacement { 0 } else { row };
    let shape = check_execution(request.execution)
        .and_then(|()| limits.shape(dtype, &[rows, counted]))
        .and_then(|shape| Limits::steps(rows, counted, steps).map(|()| shape));
    let formed = Formed {
        request,
        classes,
        samples: usize::try_from(counted).unwrap_or(usize::MAX),
        dtype,
        shape: shape.as_ref().map_or_else(|_| Shape::vector(0), Shape::clone),
    };
    match shape {
        Ok(_) => Ok(formed),
        // A rejection comes before "unsupported": the request is invalid on every machine, however large its output.
        Err(failure) => formed.check_probabilities().and(Err(failure)),
    }
}

fn check_draws(draws: &Tensor, batch: usize, samples: u64) -> Result<(), Failure> {
    let expected = [u64::try_from(batch).ok(), Some(samples)];
    let actual = draws.shape().dims().iter().map(|&dim| u64::try_from(dim).ok());
    if !actual.eq(expected) {
        let message = format!("draws has the shape {}, not [{batch},{samples}]", draws.shape());
        return refuse(ErrorKind::Shape, message);
    }
    let mut elements = draws.elements::<f64>().expect("the element type was checked");
    match standard(|| elements.find(|draw| !(0.0..=1.0).contains(draw))) {
        None => Ok(()),
        Some(draw) => refuse(ErrorKind::Range, format!("a draw is {draw}, outside [0, 1]")),
    }
}

/// Calls a generic method for the element type of valid probabilities.
macro_rules! for_weight {
    ($self:ident.$method:ident $(::<$bytes:literal>)? ($($argument:expr),*)) => {
        match $self.request.probs.dtype() {
            Dtype::F16 => $self.$method::<f16 $(, $bytes)?>($($argument),*),
            Dtype::Bf16 => $self.$method::<bf16 $(, $bytes)?>($($argument),*),
            Dtype::F32 => $self.$method::<f32 $(, $bytes)?>($($argument),*),
            _ => $self.$method::<f64 $(, $bytes)?>($($argument),*),
        }
    };
}

/// Rows of weights, for kernels that sum them.
#[derive(Clone, Debug, PartialEq)]
pub struct Weights {
    /// The inputs widened, or their exponentials, row-major.
    pub weights: Vec<f64>,
    /// The first class of each row whose weight is not zero.
    pub first: Vec<usize>,
}

impl<'a> Formed<'a> {
    /// The number of classes of each row; at least one.
    pub fn classes(&self) -> usize {
        self.classes
    }

    /// The number of rows.
    pub fn rows(&self) -> usize {
        self.request.probs.shape().dims()[0]
    }

    /// The number of samples of each row.
    pub fn samples(&self) -> usize {
        self.samples
    }

    /// Whether a class can be drawn again.
    pub fn with_replacement(&self) -> bool {
        self.request.with_replacement
    }

    /// The draws. `entropy` seeds them if both seeds are zero.
    pub fn draws(&self, entropy: &dyn Fn() -> u64) -> Draws<'a> {
        if let Some(draws) = &self.request.draws {
            return Draws::Given(draws.bytes());
        }
        let op_seed = self.request.op_seed;
        let key = effective_seed(self.request.global_seed, op_seed, entropy);
        Draws::Generated(Philox::from_seeds(key, op_seed))
    }

    /// The weights of some rows, or `None` if one has an input that is not a probability, or fewer classes than samples
    /// to draw. Whether the sums are finite is not checked.
    pub fn weights(&self, rows: Range<usize>) -> Option<Weights> {
        standard(|| for_weight!(self.weights_of(rows)))
    }

    fn weights_of<T: Weight>(&self, rows: Range<usize>) -> Option<Weights> {
        let log = self.request.log_probs;
        let mut weights = Vec::with_capacity(rows.len() * self.classes);
        let mut first = Vec::with_capacity(rows.len());
        for row in self.bytes_of_rows::<T>().skip(rows.start).take(rows.len()) {
            let start = weights.len();
            for input in row.chunks_exact(T::SIZE) {
                let input = T::widen(input);
                if !(input.is_finite() && (log || input >= 0.0)) {
                    return None;
                }
                weights.push(if log { libm::exp(input) } else { input });
            }
            let row = &weights[start..];
            first.push(row.iter().position(|&weight| weight > 0.0)?);
            let enough = || row.iter().filter(|&&weight| weight > 0.0).count() >= self.samples;
            if !self.request.with_replacement && !enough() {
                return None;
            }
        }
        Some(Weights { weights, first })
    }

    /// The answer whose samples are these classes, row-major.
    ///
    /// # Panics
    /// Unless there is a class for each sample.
    pub fn response(&self, classes: &[u32]) -> Response {
        let bytes = match self.dtype {
            Dtype::I32 => {
                bytemuck::cast_slice(&classes.iter().map(|class| class.to_le()).collect::<Vec<_>>()).to_vec()
            }
            _ => classes
                .iter()
                .flat_map(|&class| u64::from(class).to_le_bytes())
                .collect(),
        };
        Response::of(Tensor::new(self.dtype, self.shape.clone(), bytes).expect("as many classes as samples"))
    }

    /// The rejection of the first invalid row, for a kernel that found one. An error if no row is invalid.
    pub fn wrong(&self) -> Failure {
        match self.check_probabilities() {
            Err(failure) => failure,
            Ok(()) => Failure::error("rows that seemed wrong are right when looked at again"),
        }
    }

    /// The op's value.
    ///
    /// # Errors
    /// [`Failure::Rejected`] for invalid probabilities, or else for more samples than classes.
    pub(crate) fn run(self, level: Level, entropy: &dyn Fn() -> u64) -> Result<Response, Failure> {
        let mut bytes = output_bytes(self.dtype, self.shape.count())?;
        self.fill(level, entropy, &mut bytes)?;
        Ok(Response::of(
            Tensor::new(self.dtype, self.shape, bytes).expect("the bytes were counted by the shape"),
        ))
    }

    /// [`Self::run`] into the caller's memory.
    pub(crate) fn fill(
        &self,
        level: Level,
        entropy: &dyn Fn() -> u64,
        out: &mut [u8],
    ) -> Result<(), Failure> {
        assert_length(out, self.dtype, self.shape.count());
        self.fill_from(level, self.draws(entropy), 0, out)
            .ok_or_else(|| self.wrong())
    }

    /// The digest of the output if it has many chunks; `None` if a row is wrong, and for rows that are longer than a
    /// chunk, which would be summed for each of their chunks.
    pub(crate) fn digest(&self, level: Level, entropy: &dyn Fn() -> u64) -> Option<Digest> {
        if self.samples > Digest::CHUNK {
            return None;
        }
        let (draws, samples) = (self.draws(entropy), self.samples);
        digest(self.dtype, &self.shape, |first, out| {
            let lead = first % samples * self.dtype.size();
            let whole = (lead + out.len()).next_multiple_of(samples * self.dtype.size());
            let mut rows = vec![0; whole];
            self.fill_from(level, draws, first / samples, &mut rows)?;
            out.copy_from_slice(&rows[lead..][..out.len()]);
            Some(())
        })
    }

    /// Writes the classes of the rows from `first` on; `None` if a row is wrong.
    fn fill_from(&self, level: Level, draws: Draws<'_>, first: usize, out: &mut [u8]) -> Option<()> {
        standard(|| match self.dtype {
            Dtype::I32 => for_weight!(self.fill_rows::<4>(level, draws, first, out.as_chunks_mut().0)),
            _ => for_weight!(self.fill_rows::<8>(level, draws, first, out.as_chunks_mut().0)),
        })
    }

    /// Checks the probabilities of every row, and then the number of their classes.
    ///
    /// # Errors
    /// [`Failure::Rejected`].
    pub fn check_probabilities(&self) -> Result<(), Failure> {
        standard(|| for_weight!(self.check_rows()))
    }

    fn check_rows<T: Weight>(&self) -> Result<(), Failure> {
        let wrong = |row: usize| {
            Failure::rejected(
                ErrorKind::Probabilities,
                format!("row {row} is not of probabilities that can be summed and divided by their sum"),
            )
        };
        let log = self.request.log_probs;
        let mut sums = vec![0.0; self.classes];
        // A batch without rows still has classes.
        let mut fewest = self.classes;
        for (row, probs) in self.bytes_of_rows::<T>().enumerate() {
            running_sums::<T>(probs, self.classes, log, &mut sums).ok_or_else(|| wrong(row))?;
            let weighted = weightless::<T>(probs, log).into_iter().filter(|&zero| !zero);
            fewest = fewest.min(weighted.count());
        }
        if !self.request.with_replacement && fewest < self.samples {
            let message = format!(
                "a row has {fewest} classes to draw, fewer than num_samples {}",
                self.samples
            );
            return refuse(ErrorKind::Samples, message);
        }
        Ok(())
    }

    fn bytes_of_rows<T: Weight>(&self) -> std::slice::ChunksExact<'_, u8> {
        self.request.probs.bytes().chunks_exact(self.classes * T::SIZE)
    }

    fn fill_rows<T: Weight, const BYTES: usize>(
        &self,
        level: Level,
        draws: Draws<'_>,
        first: usize,
        out: &mut [[u8; BYTES]],
    ) -> Option<()> {
        // Without samples there is nothing to sum, but invalid probabilities are rejected all the same.
        if out.is_empty() {
            return self.check_probabilities().ok();
        }
        let sampling = Sampling {
            level,
            probs: self.request.probs.bytes(),
            classes: self.classes,
            log: self.request.log_probs,
            samples: self.samples,
            with_replacement: self.request.with_replacement,
            draws,
        };
        sampling.fill::<T, BYTES>(first, out)
    }
}
