//! Multinomial-13 with given draws: ties, ends and the update, where every quantity is exact, and the few places
//! where rounding decides.

use seedproof_ops::{Backend, Dtype, Multinomial, OpName, Tensor};

use super::draft::{Draft, GridFile, tensor};
use super::exact_cases::{CASES, Exact};
use super::multinomial::{measured, table};

const COMMENT: &str = "\
Given draws on the steps, next to them, and at both ends of [0, 1]. The document's rule for choosing
a class is written the wrong way round, says nothing of a draw of 0 before a class of probability
zero, and leaves open which probability is subtracted after the second draw; each answer is a
different class here. Sums are dyadic, so no rounding hides a mistake; where one decides, a note
says so.";

/// `batch` rows and the number of columns; the text between two `;` is a row.
fn read(text: &'static str) -> (usize, usize, Vec<&'static str>) {
    let rows: Vec<Vec<&str>> = text
        .split(';')
        .map(|row| row.split_whitespace().collect())
        .collect();
    (rows.len(), rows[0].len(), rows.concat())
}

fn request(case: &Exact, dtype: Dtype, convert: Dtype) -> Multinomial {
    let (batch, classes, probs) = read(case.probs);
    let (_, samples, draws) = read(case.draws);
    Multinomial {
        probs: table(dtype, batch, classes, &probs),
        num_samples: tensor(Dtype::I32, &[], &[samples.to_string()]),
        draws: Some(draws_of(batch, samples, &draws)),
        convert_type: convert.into(),
        with_replacement: case.replacement,
        log_probs: case.log,
        global_seed: 1,
        op_seed: 2,
        execution: 0,
    }
}

fn draws_of(batch: usize, samples: usize, draws: &[&str]) -> Tensor {
    table(Dtype::F64, batch, samples, draws)
}

pub(super) fn file(oracle: &dyn Backend) -> GridFile {
    let mut drafts: Vec<Draft> = Vec::new();
    for (i, case) in CASES.iter().enumerate() {
        for (j, &dtype) in case.types.iter().enumerate() {
            let convert = if (i + j) % 4 == 3 { Dtype::I64 } else { Dtype::I32 };
            let draft = measured(
                request(case, dtype, convert),
                &format!("draws-{}", case.topic),
                case.errata,
                oracle,
            );
            drafts.push(Draft {
                note: case.note.map(str::to_owned),
                ..draft
            });
        }
    }
    GridFile::new(
        OpName::Multinomial,
        "multinomial-13/grid-given-draws.yaml",
        COMMENT,
        drafts,
    )
}
