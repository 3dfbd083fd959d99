//! Multinomial-13.

use super::mistake::mistakes;
use crate::answers::{
    CdfType, Divisor, DrawOrder, Draws, Excluded, Exponent, FirstIndex, Lowered, NoMatch, Normalize,
    Replacement, Select,
};

const FIRST_AT_LEAST: &str = "choose the first class whose normalised sum is not below the draw";
const F64_STREAM: &str =
    "draw RandomUniform-8's f64 stream in [0, 1), TENSORFLOW alignment, for the same seeds";
const IN_F64: &str = "compute weights, sums and quotients in f64";
const LOWER: &str =
    "subtract c_k - c_(k-1) of the current sums from c_k on, then divide by the last that results";
const ROW_MAJOR: &str = "take draw row * num_samples + sample of one stream";

mistakes! {
    clause: "mn13.select", erratum: Some("mn13.select.comparison"), fix: FIRST_AT_LEAST => {
        "mn-below": "the first class whose sum is above the draw is chosen",
            |r| r.multinomial.select = Select::Below;
        "mn-letter": "the first class whose sum is at most the draw is chosen, as the text has it",
            |r| r.multinomial.select = Select::Letter;
    }
    clause: "mn13.select", erratum: Some("mn13.select.zero-draw"),
    fix: "pass over classes of probability 0" => {
        "mn-zero-class": "a draw of 0 chooses class 0 though its probability is 0",
            |r| r.multinomial.excluded = Excluded::Drawn;
    }
    clause: "mn13.replacement.distinct", erratum: None, fix: "pass over classes already drawn" => {
        "mn-duplicates": "without replacement a class may be chosen twice where rounding or a draw of 0 allows it",
            |r| r.multinomial.excluded = Excluded::Zero;
    }
    clause: "mn13.select", erratum: None, fix: "choose the last class that is left" => {
        "mn-past-the-end": "a draw that no sum reaches gives the number of classes, which is no class",
            |r| r.multinomial.no_match = NoMatch::Count;
    }
    clause: "mn13.output.form", erratum: None, fix: "count classes from 0" => {
        "mn-one-based": "classes are counted from 1",
            |r| r.multinomial.first_index = FirstIndex::One;
    }
    clause: "mn13.cdf.normalize", erratum: None, fix: "divide the sums by their last before drawing" => {
        "mn-unnormalized": "the sums are not divided by their last",
            |r| r.multinomial.normalize = Normalize::Never;
    }
    clause: "mn13.cdf.normalize", erratum: None, fix: "divide the sums by their last" => {
        "mn-divided-by-count": "the sums are divided by the number of classes",
            |r| r.multinomial.normalize = Normalize::ByCount;
    }
    clause: "mn13.cdf.normalize", erratum: None, fix: "divide the sums" => {
        "mn-reciprocal": "the sums are multiplied by the reciprocal of their last",
            |r| r.multinomial.normalize = Normalize::Reciprocal;
    }
    clause: "mn13.cdf.sum", erratum: Some("mn13.cdf.type"), fix: IN_F64 => {
        "mn-cdf-f32": "the distribution function is computed in f32",
            |r| r.multinomial.cdf = CdfType::F32;
        "mn-cdf-of-probs": "the distribution function is computed in the type of probs",
            |r| r.multinomial.cdf = CdfType::OfProbs;
    }
    clause: "mn13.log-probs", erratum: None, fix: "replace each input x by e^x when log_probs is true" => {
        "mn-log-ignored": "log_probs is ignored",
            |r| r.multinomial.exponent = Exponent::Ignored;
        "mn-exp2": "logarithms are taken to base 2",
            |r| r.multinomial.exponent = Exponent::Two;
    }
    clause: "mn13.log-probs", erratum: None, fix: "replace each input x by e^x itself" => {
        "mn-less-maximum": "the largest logarithm is subtracted first, so that nothing overflows or vanishes together",
            |r| r.multinomial.exponent = Exponent::LessMaximum;
    }
    clause: "mn13.draws.generated", erratum: Some("mn13.draws.type"), fix: F64_STREAM => {
        "mn-draws-f32": "the draws are the f32 stream",
            |r| r.multinomial.draws = Draws::F32;
        "mn-draws-of-probs": "the draws are the stream of the type of probs",
            |r| r.multinomial.draws = Draws::OfProbs;
        "mn-draws-seed-seq": "the draws are f32 from std::mt19937 over std::seed_seq, as in OpenVINO's CPU plugin",
            |r| r.multinomial.draws = Draws::SeedSeq;
    }
    clause: "mn13.draws.generated", erratum: Some("mn13.draws.generator"), fix: F64_STREAM => {
        "mn-draws-mt": "the draws are the Mersenne Twister's",
            |r| r.multinomial.draws = Draws::Mt;
    }
    clause: "mn13.draws.generated", erratum: None, fix: ROW_MAJOR => {
        "mn-column-major": "draws are handed out sample by sample, not row by row",
            |r| r.multinomial.draw_order = DrawOrder::ColumnMajor;
        "mn-draws-reversed": "the first sample of the first row takes the last draw, and so on",
            |r| r.multinomial.draw_order = DrawOrder::Reversed;
        "mn-rows-repeat": "every row takes the same draws",
            |r| r.multinomial.draw_order = DrawOrder::RowsRepeat;
        "mn-rows-start-block": "every row begins with a new block of the generator",
            |r| r.multinomial.draw_order = DrawOrder::RowsStartBlock;
    }
    clause: "mn13.replacement.update", erratum: None,
    fix: "lower the sums after a draw only when with_replacement is false" => {
        "mn-flag-inverted": "with_replacement means its opposite",
            |r| r.multinomial.replacement = Replacement::Inverted;
    }
    clause: "mn13.replacement.update", erratum: None,
    fix: "lower the sums after each draw when with_replacement is false" => {
        "mn-flag-ignored": "classes are always drawn with replacement",
            |r| r.multinomial.replacement = Replacement::Always;
    }
    clause: "mn13.replacement.update", erratum: None, fix: LOWER => {
        "mn-no-update": "the sums are not lowered after a draw: classes already drawn are only passed over",
            |r| r.multinomial.lowered = Lowered::Nothing;
    }
    clause: "mn13.replacement.update", erratum: Some("mn13.replacement.which-probability"), fix: LOWER => {
        "mn-lowered-by-input": "the input's value is subtracted from the normalised sums",
            |r| r.multinomial.lowered = Lowered::Input;
        "mn-lowered-by-original": "the share before the first draw is subtracted, which is wrong from the second subtraction on",
            |r| r.multinomial.lowered = Lowered::Original;
    }
    clause: "mn13.replacement.update", erratum: None, fix: LOWER => {
        "mn-lowered-after-class": "the sums are lowered from the class after the drawn one",
            |r| r.multinomial.lowered = Lowered::AfterClass;
    }
    clause: "mn13.replacement.update", erratum: Some("mn13.replacement.divisor"), fix: LOWER => {
        "mn-not-divided": "the lowered sums are not divided",
            |r| r.multinomial.divisor = Divisor::Nothing;
        "mn-divided-by-share": "the lowered sums are divided by the share that was taken out",
            |r| r.multinomial.divisor = Divisor::Share;
    }
}
