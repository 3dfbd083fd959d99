//! Whole wrong generators: an engine of its own with one wrong answer, a reading that ships, and no such generator.

use seedproof_ops::{Backend, Dtype, Limits, Request, Response, Shape, Tensor};
use seedproof_readings::{Engine, Reading, find, find_mistake, with};

use super::behaviour::{Behaviour, Saboteur, oracle, saboteur};

/// The engine of the readings with a mistake made to `spec`.
fn mistaken(id: &str) -> Behaviour {
    let mistake = find_mistake(id).expect("a test builds every saboteur");
    engine(with(&Reading::spec(), &[mistake]))
}

/// The engine under a reading that ships.
fn shipped(name: &str) -> Behaviour {
    engine(find(name).expect("a test builds every saboteur"))
}

fn engine(reading: Reading) -> Behaviour {
    Behaviour::of(Engine::new(
        reading,
        Limits::default(),
        seedproof::judging::entropy,
    ))
}

/// SplitMix64 from both seeds, in the form that was asked for: random bits, and nobody's.
fn splitmix() -> Behaviour {
    let oracle = oracle();
    Behaviour::running(move |request| {
        let Response { output, more } = oracle.run(request)?;
        let (global, op) = match request {
            Request::RandomUniform(op) => (op.global_seed, op.op_seed),
            Request::Multinomial(op) => (op.global_seed, op.op_seed),
            _ => (0, 0),
        };
        let mut counter = global ^ op.rotate_left(32);
        let mut word = move || {
            counter = counter.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let mixed = (counter ^ counter >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
            mixed ^ mixed >> 31
        };
        let size = output.dtype().size();
        let bytes = (0..output.count())
            .flat_map(|_| word().to_le_bytes().into_iter().take(size))
            .collect();
        let output =
            Tensor::new(output.dtype(), output.shape().clone(), bytes).expect("a word for each element");
        Ok(Response { output, more })
    })
}

/// Every op answered with as many zeros as its attributes ask for, before any of its rules is looked at.
fn unchecked() -> Behaviour {
    Behaviour::running(|request| {
        let (dtype, dims) = request.output_form().unwrap_or((Dtype::I32, vec![]));
        // What was refused for its size is answered with nothing.
        let shape = Shape::new(&dims)
            .ok()
            .filter(|shape| shape.count() <= 1 << 20)
            .unwrap_or_else(|| Shape::vector(0));
        let bytes = vec![0; shape.count() * dtype.size()];
        Ok(Response::of(
            Tensor::new(dtype, shape, bytes).expect("as many bytes as the shape has"),
        ))
    })
}

macro_rules! mistakes {
    ($($id:literal $case:literal $sentence:literal;)*) => {
        &[$(saboteur($id, $case, "fail", $sentence, || mistaken($id))),*]
    };
}

/// Mistakes, each a case and a sentence.
pub(super) const MISTAKES: &[Saboteur] = mistakes! {
    "rounds-9" "ru8/tensorflow/f32/spec-example-1" "A block takes nine rounds.";
    "words-high-first" "ru8/tensorflow/i32/spec-example-3" "The words of each pair come out exchanged.";
    "halves-straight" "ru8/tensorflow/f32/spec-example-1" "The halves of a block do not cross.";
    "key-never-raised" "dml/feature-level-3.0/random123-kat-pi" "Every round sees the same key.";
    "carry-lost-32" "dml/feature-level-4.0/carry-1-below-2-32-size-17-rank-6-key-0-no-state" "The counter's low word wraps without a carry.";
    "counter-sticks" "dml/feature-level-4.0/tensorflow-key-18446744073709551615-counter-18446744073709551614-18446744073709551615-33" "The counter stays at its highest value.";
    "mt-wrap-623" "ru8/pytorch/i64/mt19937-seed-5489-first-626" "The twist wraps one word early.";
    "mt-not-tempered" "ru8/pytorch/i64/mt19937-seed-5489-first-8" "The state's words come out as they are.";
    "mt-op-seed-added" "ru8/pytorch/i64/mt19937-seed-0-first-8" "The second seed takes part where it should not.";
    "mt-i64-words-swapped" "ru8/pytorch/i64/range-over-2-63" "The two words of an i64 are exchanged.";
    "seeds-exchanged" "ru8/tensorflow/f32/spec-example-1" "The two seeds are exchanged.";
    "global-seed-32" "mn13/replacement/f16/openvino-cpu-5x3-2-4294967303-3" "The first seed loses its high half.";
    "one-not-subtracted" "ru8/tensorflow/f32/spec-example-1" "The unit interval is [1, 2).";
    "fused-scale" "ru8/tensorflow/f32/openvino-m650-to-450-scalar-150-10" "Product and sum are rounded once.";
    "maximum-inclusive" "ru8/pytorch/i32/openvino-m50-to-50-17-755-951" "The upper bound can be drawn.";
    "grid-stride" "dml/feature-level-4.0/tensorflow-key-0-counter-0-0-33" "A thread draws every 256th element, and takes its elements from one block in turn.";
    "signed-remainder" "ru8/tensorflow/i32/spec-example-3" "Words are signed before the remainder.";
    "mn-below" "mn13/replacement/f64/spec-example-1" "A draw that meets a step goes to the next class.";
    "mn-duplicates" "mn13/no-replacement/f64/draws-last-class-first" "A class can be drawn twice.";
    "mn-rows-repeat" "mn13/replacement/f16/openvino-cpu-5x3-2-4294967303-3" "Every row takes the first row's draws.";
    "dml-counter-high-first" "dml/feature-level-3.0/random123-kat-pi" "The counter is read from its other end.";
    "dml-state-not-advanced" "dml/feature-level-3.0/tail-size-5-rank-4" "The state comes out as it went in.";
    "leftover-words-reused" "dml/feature-level-3.0/tail-size-5-rank-4" "What is left of a block is drawn again by the next run.";
};

pub(super) const OTHERS: &[Saboteur] = &[
    saboteur(
        "bounds-unchecked",
        "ru8/pytorch/f32/refused-bounds-reversed",
        "fail",
        "Bounds are not looked at.",
        || mistaken("bounds-unchecked"),
    ),
    saboteur(
        "infinite-bounds-refused",
        "ru8/tensorflow/f32/range-infinite",
        "rejects",
        "A range of infinite width is refused.",
        || mistaken("infinite-bounds-refused"),
    ),
    saboteur(
        "openvino-cpu",
        "ru8/tensorflow/f32/range-awkward",
        "other-reading",
        "It does what OpenVINO's CPU plugin does.",
        || shipped("openvino-cpu-2026.4"),
    ),
    saboteur(
        "splitmix",
        "ru8/tensorflow/f32/spec-example-1",
        "fail",
        "The words are those of SplitMix64.",
        splitmix,
    ),
    saboteur(
        "unchecked-zeros",
        "ru8/tensorflow/f32/refused-shape-scalar",
        "fail",
        "Whatever is asked, valid or not, comes back as zeros.",
        unchecked,
    ),
];
