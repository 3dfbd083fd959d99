//! Every rule by which a request is refused, one request for each.

mod dml;
mod multinomial;
mod random_uniform;
mod refused;

use seedproof_ops::OpName;

use super::draft::GridFile;

const RANDOM_UNIFORM: &str = "\
Requests that RandomUniform-8 refuses. Real plugins divide by an empty range, read a bound of
another type as bits, or return uninitialised memory; an implementation that answers any of these is
as wrong as one that draws other numbers.";
const MULTINOMIAL: &str = "\
Requests that Multinomial-13 refuses. The document asks for probabilities that are not negative,
finite and sum to something, and for no more samples than classes; OpenVINO's plugins check none of
it and return whatever was in memory.";
const DML: &str = "\
Descriptions that DirectML refuses, at both feature levels. A caller in the wild passes a state of
four words and asks for floats, and gets away with it.";

pub(super) fn files() -> Vec<GridFile> {
    let file = |path, comment, op, drafts| GridFile::new(op, path, comment, drafts);
    vec![
        file(
            "random-uniform-8/grid-refusals.yaml",
            RANDOM_UNIFORM,
            OpName::RandomUniform,
            random_uniform::drafts(),
        ),
        file(
            "multinomial-13/grid-refusals.yaml",
            MULTINOMIAL,
            OpName::Multinomial,
            multinomial::drafts(),
        ),
        file(
            "dml-random-generator/grid-refusals.yaml",
            DML,
            OpName::DmlRandomGenerator,
            dml::drafts(),
        ),
    ]
}
