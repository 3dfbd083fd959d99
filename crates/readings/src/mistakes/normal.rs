//! Normals.

use super::mistake::mistakes;
use crate::answers::{
    AngleIn, BoxMuller, Cache, FirstOfPair, Functions, GroupBlocks, GroupPairs, HalfWords, NormalAdvance,
    NormalMethod, NormalScale, RadiusFactor, RadiusFrom, RadiusOf, Tail, TruncatedAt, Vectorised,
};
use crate::reading::Reading;

/// The pairs of f32 of every op.
const fn pairs(reading: &mut Reading) -> [&mut BoxMuller; 3] {
    [
        &mut reading.tensorflow_normal,
        &mut reading.torch_normal,
        &mut reading.philox_normal,
    ]
}

/// Takes these functions for f32 everywhere. Those of doubles are never in question.
fn functions(reading: &mut Reading, functions: Functions) {
    for pair in pairs(reading) {
        pair.functions = functions;
    }
}

const CACHE: &str = "keep the second normal of a pair for the next element, and for the next call";
const FUNCTIONS: &str = "take the functions of the GNU C library, in the sequence of operations that it has";

mistakes! {
    clause: "tfrn.order", erratum: Some("tfrn.box-muller.sine-first"), fix: "store the normal of the sine first" => {
        "normal-cosine-first": "the normal of the cosine is stored first, and that of the sine second",
            |r| r.tensorflow_normal.first = FirstOfPair::Cosine;
    }
    clause: "tkn.box-muller", erratum: Some("tkn.box-muller.cosine-first"), fix: "store the normal of the cosine first" => {
        "normal-sine-first": "the normal of the sine is stored first, and that of the cosine second",
            |r| {
                r.torch_normal.first = FirstOfPair::Sine;
                r.philox_normal.first = FirstOfPair::Sine;
            };
    }
    clause: "ptn.single", erratum: None, fix: "store the normal of the cosine first" => {
        "normal-single-sine-first": "of a pair that is made by itself, the normal of the sine is stored first",
            |r| r.torch_single.first = FirstOfPair::Sine;
    }
    clause: "tfrn.box-muller", erratum: None, fix: "take the logarithm of the number itself" => {
        "normal-log-of-complement": "the radius takes the logarithm of 1 less the number, not of the number",
            |r| {
                r.tensorflow_normal.radius = RadiusOf::Complement;
                r.philox_normal.radius = RadiusOf::Complement;
            };
    }
    clause: "ptn.box-muller", erratum: Some("ptn.box-muller.complement"), fix: "take the logarithm of 1 less the number" => {
        "normal-log-of-number": "the radius takes the logarithm of the number itself, not of 1 less the number",
            |r| r.torch_normal.radius = RadiusOf::Number;
        "normal-log1p": "the radius takes log1p of the negative number, not the logarithm of 1 less it",
            |r| r.torch_normal.radius = RadiusOf::Log1p;
    }
    clause: "ptn.single", erratum: None, fix: "take log1p of the negative number" => {
        "normal-single-log-of-number": "of a pair that is made by itself, the radius takes the logarithm of the number itself, not of 1 less it",
            |r| r.torch_single.radius = RadiusOf::Number;
    }
    clause: "tfrn.clamp", erratum: None, fix: "take 1e-7 for a smaller number before its logarithm" => {
        "normal-unclamped": "the number is not clamped at 1e-7 before its logarithm, which is infinite for zero",
            |r| r.tensorflow_normal.radius = RadiusOf::Number;
        "normal-clamped-at-least-f32": "the number is clamped at the least normal f32, not at 1e-7",
            |r| r.tensorflow_normal.radius = RadiusOf::NumberFromPower(126);
        "normal-clamped-at-epsilon": "the number is clamped at the step of f32 at 1, not at 1e-7",
            |r| r.tensorflow_normal.radius = RadiusOf::NumberFromPower(23);
    }
    clause: "tfrn.box-muller", erratum: None, fix: "make the radius of the first number and the angle of the second" => {
        "normal-numbers-exchanged": "the first number of a pair makes the angle, and the second the radius",
            |r| for pair in pairs(r) { pair.from = RadiusFrom::Second; };
    }
    clause: "tfrn.box-muller", erratum: None, fix: "multiply the logarithm by -2" => {
        "normal-log-not-doubled": "the radius is the root of the negative logarithm, without the factor 2",
            |r| {
                r.torch_single.factor = RadiusFactor::One;
                for pair in pairs(r) {
                    pair.factor = RadiusFactor::One;
                }
            };
    }
    clause: "tfrn.box-muller", erratum: Some("tfrn.box-muller.angle"), fix: "multiply 2 pi in double, and round the product" => {
        "normal-angle-single": "2 pi is rounded to f32 before it is multiplied, not the product after",
            |r| {
                r.tensorflow_normal.angle = AngleIn::Single;
                r.torch_normal.angle = AngleIn::Single;
            };
    }
    clause: "tkn.box-muller", erratum: None, fix: "round 2 pi to f32 before it is multiplied" => {
        "normal-angle-double": "2 pi is multiplied in double and the product is rounded, not 2 pi before it",
            |r| r.philox_normal.angle = AngleIn::Double;
    }
    clause: "tfrn.box-muller", erratum: Some("tfrn.box-muller.libm"), fix: FUNCTIONS => {
        "normal-functions-musl": "logarithm, sine and cosine are those of musl, which the Rust crate libm has",
            |r| functions(r, Functions::Musl);
        "normal-functions-cephes": "logarithm, sine and cosine are those of Cephes, fused, as in PyTorch's kernels for AVX2",
            |r| functions(r, Functions::Cephes);
        "normal-functions-xla": "the logarithm is that of XLA",
            |r| functions(r, Functions::Xla);
        "normal-functions-correct": "logarithm, sine and cosine are correctly rounded, as by functions of double",
            |r| functions(r, Functions::Correct);
        "normal-functions-base-2": "the logarithm is that of base 2 times ln 2, as where a compiler may trade accuracy for speed",
            |r| functions(r, Functions::Base2);
    }
    clause: "tfrn.box-muller", erratum: None, fix: "make pairs by Box and Muller's formula, of two numbers each" => {
        "normal-polar": "normals are made by the polar method, which draws points outside of the circle again",
            |r| r.tensorflow_normal.method = NormalMethod::Polar;
    }
    clause: "ptn.scale", erratum: Some("ptn.scale.fused"), fix: "fuse the product with the standard deviation and the sum with the mean" => {
        "normal-scale-rounded-twice": "product and sum of the scale of normals are rounded apart, not fused",
            |r| r.torch_normal.scale = NormalScale::Twice;
    }
    clause: "tkn.scale", erratum: Some("tkn.scale.fused"), fix: "round product and sum apart" => {
        "normal-scale-fused": "product and sum of the scale of normals are fused, not rounded apart",
            |r| r.philox_normal.scale = NormalScale::Once;
    }
    clause: "tftn.bound", erratum: None, fix: "draw normals of magnitude 2 or more again" => {
        "truncated-below-three": "normals are truncated at 3 standard deviations, not at 2",
            |r| r.normal_fill.truncated = TruncatedAt::BelowThree;
        "truncated-clipped": "normals beyond the bound of 2 are clipped to it, not drawn again",
            |r| r.normal_fill.truncated = TruncatedAt::Clipped;
        "truncated-nowhere": "normals beyond the bound of 2 are kept",
            |r| r.normal_fill.truncated = TruncatedAt::Everywhere;
    }
    clause: "tftn.group", erratum: Some("tftn.group.reserved"), fix: "begin each group of four elements 256 blocks after the last" => {
        "truncated-groups-share-blocks": "groups of a truncated output share one run of blocks, without 256 for each group",
            |r| r.normal_fill.group = GroupBlocks::None;
    }
    clause: "tfrn.advance", erratum: Some("tfrn.advance.elements"), fix: "advance by 256 blocks for each element" => {
        "normal-advance-used": "an execution advances by the blocks that it used, not by 256 for each element",
            |r| r.normal_fill.advance = NormalAdvance::Blocks;
        "normal-advance-none": "every execution begins where the first did",
            |r| r.normal_fill.advance = NormalAdvance::None;
    }
    clause: "ptn.tail", erratum: Some("ptn.tail.redrawn"), fix: "make the last sixteen elements once more of sixteen new words" => {
        "normal-tail-cut": "a last group of sixteen that is not full is cut, and not made anew",
            |r| r.torch_fill.tail = Tail::Cut;
        "normal-tail-same-words": "the last sixteen elements are made once more of the words they had, not of new ones",
            |r| r.torch_fill.tail = Tail::SameWords;
        "normal-tail-rest-alone": "of the tail's sixteen new normals only those behind the whole groups are stored",
            |r| r.torch_fill.tail = Tail::RestAlone;
        "normal-tail-in-place": "the last sixteen elements are made once more of what they hold, normals among it, not of new words",
            |r| r.torch_fill.tail = Tail::InPlace;
    }
    clause: "ptn.blocks", erratum: None, fix: "make normals by sixteen from 16 elements on, and one by one below" => {
        "normal-never-by-sixteen": "normals are made one by one in double whatever their number is",
            |r| r.torch_fill.vectorised = Vectorised::Never;
        "normal-always-by-sixteen": "fewer than 16 normals are made by sixteen in f32 too",
            |r| r.torch_fill.vectorised = Vectorised::Always;
    }
    clause: "ptn.blocks", erratum: None, fix: "pair each of the first eight numbers with that eight further" => {
        "normal-neighbours-paired": "neighbouring numbers make a pair, not those that are eight apart",
            |r| r.torch_fill.pairs = GroupPairs::Neighbours;
    }
    clause: "ptn.halves", erratum: Some("ptn.halves.words"), fix: "draw f16 and bf16 sixteen words at a time" => {
        "normal-halves-drawn-ahead": "f16 and bf16 draw all words at once, as f32 does, not sixteen at a time",
            |r| r.torch_fill.half_words = HalfWords::Elements;
    }
    clause: "ptn.cache", erratum: Some("ptn.cache.owner"), fix: CACHE => {
        "normal-cache-dropped": "the second normal of a pair does not outlive its call: it is dropped at the end",
            |r| r.torch_fill.cache = Cache::Dropped;
    }
    clause: "ptn.cache", erratum: None, fix: CACHE => {
        "normal-cache-unused": "the second normal of a pair is thrown away, and each element draws a pair of its own",
            |r| r.torch_fill.cache = Cache::Unused;
    }
}
