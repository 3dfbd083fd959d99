//! The seeds.

use super::{Mistake, mistake};
use crate::answers::{BothZero, SeedRoles, SeedWidth, WordOrder};
use crate::reading::Reading;

const WHOLE: &str = "carry both seeds as unsigned 64-bit numbers all the way";

const fn both(r: &mut Reading, width: SeedWidth) {
    r.seeds.global_seed = width;
    r.seeds.op_seed = width;
}

pub(super) const MISTAKES: &[Mistake] = &[
    mistake(
        "global-seed-32",
        "ru8.seeds.key-counter",
        "ru8.seeds.high-half",
        "only the low 32 bits of global_seed reach the key",
        WHOLE,
        |r| r.seeds.global_seed = SeedWidth::Low32,
    ),
    mistake(
        "op-seed-32",
        "ru8.seeds.key-counter",
        "ru8.seeds.high-half",
        "only the low 32 bits of op_seed reach the counter",
        WHOLE,
        |r| r.seeds.op_seed = SeedWidth::Low32,
    ),
    mistake(
        "seeds-sign-extended",
        "ru8.seeds.key-counter",
        "",
        "the seeds are read as signed 32-bit numbers and widened with their sign",
        WHOLE,
        |r| both(r, SeedWidth::SignExtended32),
    ),
    mistake(
        "seeds-saturated",
        "ru8.seeds.key-counter",
        "",
        "seeds over 2^63-1 become 2^63-1",
        WHOLE,
        |r| both(r, SeedWidth::Saturated63),
    ),
    mistake(
        "seeds-modulo-2p31m1",
        "ru8.seeds.key-counter",
        "ru8.frameworks.tensorflow-call",
        "the seeds are reduced modulo 2^31-1, as tf.random.set_seed does before it calls the raw op",
        WHOLE,
        |r| both(r, SeedWidth::Modulo2p31m1),
    ),
    mistake(
        "seeds-through-f32",
        "ru8.seeds.key-counter",
        "",
        "the seeds pass through an f32 and lose all but 24 bits",
        WHOLE,
        |r| both(r, SeedWidth::ThroughF32),
    ),
    mistake(
        "seeds-through-f64",
        "ru8.seeds.key-counter",
        "",
        "the seeds pass through an f64, as JSON numbers do, and lose all but 53 bits",
        "carry seeds as integers, and as strings in JSON",
        |r| both(r, SeedWidth::ThroughF64),
    ),
    mistake(
        "seeds-exchanged",
        "ru8.seeds.key-counter",
        "",
        "op_seed is the key and global_seed the counter",
        "make global_seed the key and op_seed the high half of the counter",
        |r| r.seeds.roles = SeedRoles::Exchanged,
    ),
    mistake(
        "key-halves-exchanged",
        "ru8.philox.split",
        "",
        "the high half of global_seed is the low key word",
        "put the low half of global_seed into the first key word",
        |r| r.stream.key_order = WordOrder::HighFirst,
    ),
    mistake(
        "op-seed-halves-exchanged",
        "ru8.philox.split",
        "dml.counter.word-order",
        "the high half of op_seed is the counter's third word",
        "put the low half of op_seed into the counter's third word",
        |r| r.stream.counter_order = WordOrder::HighFirst,
    ),
    mistake(
        "both-zero-deterministic",
        "ru8.seeds.both-zero",
        "ru8.seeds.both-zero-pytorch",
        "two seeds of zero are used as they are",
        "replace global_seed by entropy when both seeds are zero",
        |r| r.seeds.both_zero = BothZero::Deterministic,
    ),
    mistake(
        "either-zero-entropy",
        "ru8.seeds.both-zero",
        "ru8.seeds.zero-allowed",
        "one seed of zero is taken for a request of entropy",
        "use entropy only when both seeds are zero",
        |r| r.seeds.both_zero = BothZero::EitherZero,
    ),
];
