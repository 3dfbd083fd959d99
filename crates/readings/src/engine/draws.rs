//! The uniform draws of Multinomial-13.

use seedproof_ops::{Dtype, Failure, Multinomial, Shape};

use super::arithmetic::Arithmetic;
use super::check::Samples;
use super::mt19937::Mt19937;
use super::seeds::Seeded;
use super::stream::Words;
use super::units::{Convert, two_to};
use crate::answers::{DrawOrder, Draws, Mt, MtSeeding};
use crate::reading::Reading;

/// Draws in the order in which samples take them, row by row.
pub(super) struct DrawStream<'a> {
    plan: DrawPlan<'a>,
    source: Source,
}

/// The start of a stream of draws, from which the stream can begin again.
#[derive(Clone, Copy)]
pub(super) struct DrawPlan<'a> {
    pub(super) reading: &'a Reading,
    pub(super) request: &'a Multinomial,
    pub(super) seeded: &'a Seeded<'a>,
    pub(super) samples: &'a Samples,
    pub(super) arithmetic: Arithmetic,
}

enum Source {
    /// Known beforehand, from this one on.
    Listed(Vec<f64>, usize),
    /// Made of a generator's words.
    Converted(Words),
    /// Words of `std::mt19937` over `std::seed_seq`, over 2^32.
    SeedSeq(Box<Mt19937>),
}

impl<'a> DrawStream<'a> {
    /// The draws of a request: given, or generated.
    ///
    /// # Errors
    /// [`Failure::Unsupported`] if the generator cannot be brought to where it begins.
    pub(super) fn new(plan: DrawPlan<'a>) -> Result<Self, Failure> {
        let source = match &plan.request.draws {
            Some(given) => {
                let values = given.scalars().map(seedproof_ops::Scalar::to_f64).collect();
                Source::Listed(plan.in_order(values), 0)
            }
            None if plan.is_reordered() => Source::Listed(plan.in_order(plan.all()?), 0),
            None => plan.source(0)?,
        };
        Ok(Self { plan, source })
    }

    /// Words that one draw takes; none for draws that are known beforehand.
    pub(super) fn words_per_draw(&self) -> usize {
        match self.source {
            Source::Listed(..) => 0,
            Source::Converted(_) => self.plan.words_per_draw(),
            Source::SeedSeq(_) => 1,
        }
    }

    /// Appends the next `count` draws and the words that they are made of.
    pub(super) fn take(&mut self, count: usize, values: &mut Vec<f64>, words: &mut Vec<u32>) {
        let from = words.len();
        let first = values.len();
        match &mut self.source {
            Source::Listed(listed, at) => {
                values.extend_from_slice(&listed[*at..*at + count]);
                *at += count;
            }
            Source::Converted(source) => {
                let (dtype, convert) = self.plan.rule();
                let per_draw = self.plan.words_per_draw();
                source.take(count, per_draw, words);
                let is_word = self.plan.reading.multinomial.draws == Draws::OneWord;
                let draw = |words: &[u32]| match words {
                    [word] if is_word => f64::from(*word) * two_to(-32),
                    _ => convert.unit(dtype, words),
                };
                values.extend(words[from..].chunks_exact(per_draw).map(draw));
            }
            Source::SeedSeq(generator) => {
                words.extend((0..count).map(|_| generator.next()));
                let single = Arithmetic::ieee(Dtype::F32);
                values.extend(
                    words[from..]
                        .iter()
                        .map(|&word| single.div(single.of_f64(f64::from(word)), 4_294_967_296.0))
                        .map(|value| self.plan.arithmetic.of_f64(value)),
                );
            }
        }
        if self.plan.reading.multinomial.draws == Draws::ThroughF32 {
            let single = Arithmetic::ieee(Dtype::F32);
            values[first..]
                .iter_mut()
                .for_each(|draw| *draw = single.of_f64(*draw));
        }
    }

    /// Goes on to the next row, which has this number.
    ///
    /// # Errors
    /// As [`Self::new`].
    pub(super) fn begin_row(&mut self, row: usize) -> Result<(), Failure> {
        if matches!(self.source, Source::Listed(..)) {
            return Ok(());
        }
        match self.plan.reading.multinomial.draw_order {
            DrawOrder::RowMajor | DrawOrder::ColumnMajor | DrawOrder::Reversed | DrawOrder::RowFirst => {}
            DrawOrder::RowsByClasses | DrawOrder::RowsByFour => {
                self.source = self.plan.source(0)?;
                // A stream that was not begun at the row is drawn up to it.
                let each = match self.plan.reading.multinomial.draw_order {
                    DrawOrder::RowsByFour => self.plan.by_four(),
                    _ => self.plan.samples.classes,
                };
                let before = row.saturating_mul(each);
                self.take(before, &mut Vec::new(), &mut Vec::new());
            }
            DrawOrder::RowsRepeat => self.source = self.plan.source(0)?,
            DrawOrder::RowsSeeded => self.source = self.plan.source(row)?,
            DrawOrder::RowsStartBlock => {
                let padding = self.plan.stride() - self.plan.columns();
                self.take(padding, &mut Vec::new(), &mut Vec::new());
            }
        }
        Ok(())
    }
}

impl<'a> DrawPlan<'a> {
    fn columns(&self) -> usize {
        usize::try_from(self.samples.count).unwrap_or(0)
    }

    /// The draws of as many blocks as a row has fours.
    fn by_four(&self) -> usize {
        self.columns().div_ceil(4) * (4 / self.words_per_draw())
    }

    /// Draws from the beginning of a row to that of the next.
    fn stride(&self) -> usize {
        match self.reading.multinomial.draw_order {
            DrawOrder::RowsStartBlock => self.columns().next_multiple_of(4 / self.words_per_draw()),
            // The last row may begin far behind the samples of the rows before it.
            DrawOrder::RowsByClasses => self.columns().max(self.samples.classes),
            DrawOrder::RowsByFour => self.columns().max(self.by_four()),
            _ => self.columns(),
        }
    }

    /// The type of the draws, and how words become one.
    fn rule(&self) -> (Dtype, Convert<'a>) {
        let philox = Convert::Philox(&self.reading.philox_convert);
        match self.reading.multinomial.draws {
            Draws::F64 | Draws::ThroughF32 => (Dtype::F64, philox),
            Draws::OfProbs => (self.request.probs.dtype(), philox),
            Draws::F32 | Draws::SeedSeq | Draws::OneWord => (Dtype::F32, philox),
            Draws::Mt => (Dtype::F64, Convert::Mt(&self.reading.mt_convert)),
        }
    }

    fn words_per_draw(&self) -> usize {
        let (dtype, convert) = self.rule();
        convert.words_per_element(dtype)
    }

    /// The draws from the beginning on, or those of a row with a seed of its own.
    fn source(&self, row: usize) -> Result<Source, Failure> {
        Ok(match self.reading.multinomial.draws {
            Draws::Mt => Source::Converted(Words::mt(self.seeded.mt(0, 0)?, self.reading.memory.words)),
            Draws::SeedSeq => {
                let answers = Mt {
                    seeding: MtSeeding::SeedSeq,
                    ..Mt::default()
                };
                let [first, second] = self.seeded.low_words();
                Source::SeedSeq(Box::new(Mt19937::new(&answers, first, second)))
            }
            Draws::F64 | Draws::ThroughF32 | Draws::OfProbs | Draws::F32 | Draws::OneWord => {
                let total = self.samples.batch.saturating_mul(self.stride());
                let per_draw = self.words_per_draw();
                let answer = self.reading.executions.multinomial;
                let execution = self.request.execution;
                let draws = Shape::vector(total);
                let seeded = self.seeded.with_op_seed_raised(row);
                Source::Converted(seeded.tensorflow(answer, execution, per_draw, &draws)?)
            }
        })
    }

    /// Whether draws are handed out in another order than that of the stream.
    fn is_reordered(&self) -> bool {
        let order = self.reading.multinomial.draw_order;
        matches!(order, DrawOrder::ColumnMajor | DrawOrder::Reversed)
    }

    /// All draws as the rows take them.
    fn in_order(&self, mut values: Vec<f64>) -> Vec<f64> {
        let (rows, columns) = (self.samples.batch, self.columns());
        match self.reading.multinomial.draw_order {
            DrawOrder::ColumnMajor => (0..rows)
                .flat_map(|row| (0..columns).map(move |column| column * rows + row))
                .map(|at| values[at])
                .collect(),
            DrawOrder::Reversed => {
                values.reverse();
                values
            }
            _ => values,
        }
    }

    /// All draws in the order of the stream.
    fn all(&self) -> Result<Vec<f64>, Failure> {
        let mut stream = DrawStream {
            plan: *self,
            source: self.source(0)?,
        };
        let mut values = Vec::new();
        let count = self.samples.batch * self.columns();
        stream.take(count, &mut values, &mut Vec::new());
        Ok(values)
    }
}
