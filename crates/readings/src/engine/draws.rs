//! The uniform draws of Multinomial-13.

use seedproof_ops::{Dtype, Failure, Multinomial};

use super::arithmetic::Arithmetic;
use super::check::Samples;
use super::floats::Convert;
use super::mt19937::Mt19937;
use super::seeds::Seeded;
use super::stream::Words;
use crate::answers::{DrawOrder, Draws, Execution, Mt, MtSeeding};
use crate::reading::Reading;

/// Draws by row and sample, with the words they were made of.
pub(super) struct Drawn {
    pub(super) values: Vec<f64>,
    pub(super) words: Vec<u32>,
    pub(super) words_per_draw: usize,
}

/// The draws of a request: given, or generated.
///
/// # Errors
/// [`Failure::Unsupported`] if the generator cannot be brought to where it begins.
pub(super) fn draws(
    reading: &Reading,
    request: &Multinomial,
    samples: &Samples,
    arithmetic: Arithmetic,
    entropy: &dyn Fn() -> u64,
) -> Result<Drawn, Failure> {
    if let Some(given) = &request.draws {
        return Ok(Drawn {
            values: given.scalars().map(seedproof_ops::Scalar::to_f64).collect(),
            words: Vec::new(),
            words_per_draw: 0,
        });
    }
    let columns = usize::try_from(samples.count).unwrap_or(0);
    let seeded = Seeded::new(reading, request.global_seed, request.op_seed, entropy);
    let (dtype, convert) = match reading.multinomial.draws {
        Draws::F64 => (Dtype::F64, Convert::Philox(&reading.philox_convert)),
        Draws::OfProbs => (request.probs.dtype(), Convert::Philox(&reading.philox_convert)),
        Draws::F32 => (Dtype::F32, Convert::Philox(&reading.philox_convert)),
        Draws::Mt => (Dtype::F64, Convert::Mt(&reading.mt_convert)),
        Draws::SeedSeq => return Ok(seed_seq(&seeded, arithmetic, samples.batch * columns)),
    };
    let per_draw = convert.words_per_element(dtype);
    let stride = match reading.multinomial.draw_order {
        DrawOrder::RowsStartBlock => columns.next_multiple_of(4 / per_draw),
        DrawOrder::RowMajor | DrawOrder::ColumnMajor | DrawOrder::RowsRepeat => columns,
    };
    let total = samples.batch * stride;
    let mut source = match convert {
        Convert::Philox(_) => Words::Philox(seeded.philox(Execution::Afresh, 0, per_draw, total)?),
        Convert::Mt(_) => Words::Mt(seeded.mt(0)?),
    };
    let mut generated = Vec::new();
    source.take(total, per_draw, &mut generated);
    let mut drawn = Drawn {
        values: Vec::with_capacity(samples.batch * columns),
        words: Vec::with_capacity(samples.batch * columns * per_draw),
        words_per_draw: per_draw,
    };
    for row in 0..samples.batch {
        for column in 0..columns {
            let at = match reading.multinomial.draw_order {
                DrawOrder::RowMajor | DrawOrder::RowsStartBlock => row * stride + column,
                DrawOrder::ColumnMajor => column * samples.batch + row,
                DrawOrder::RowsRepeat => column,
            };
            let words = &generated[at * per_draw..][..per_draw];
            drawn.words.extend_from_slice(words);
            drawn.values.push(convert.unit(dtype, words));
        }
    }
    Ok(drawn)
}

/// `std::mt19937` over `std::seed_seq`: a word over 2^32 in f32, then in the distribution function's type.
fn seed_seq(seeded: &Seeded<'_>, arithmetic: Arithmetic, total: usize) -> Drawn {
    let answers = Mt {
        seeding: MtSeeding::SeedSeq,
        ..Mt::default()
    };
    let [first, second] = seeded.low_words();
    let mut generator = Mt19937::new(&answers, first, second);
    let words: Vec<u32> = (0..total).map(|_| generator.next()).collect();
    let single = Arithmetic::ieee(Dtype::F32);
    let values = words
        .iter()
        .map(|&word| single.div(f64::from(word), 4_294_967_296.0))
        .map(|value| arithmetic.of_f64(value))
        .collect();
    Drawn {
        values,
        words,
        words_per_draw: 1,
    }
}
