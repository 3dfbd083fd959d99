//! The seeds.

use super::mistake::Mistake;
use crate::answers::{BothZero, SeedRoles, SeedWidth, WordOrder};
use crate::reading::Reading;

const WHOLE: &str = "carry both seeds as unsigned 64-bit numbers all the way";

const BOTH: &str = "let global_seed be the key and op_seed the upper half of the counter";

const fn both(r: &mut Reading, width: SeedWidth) {
    r.seeds.global_seed = width;
    r.seeds.op_seed = width;
}

pub(super) const MISTAKES: &[Mistake] = &[
    Mistake {
        id: "global-seed-32",
        clause: "ru8.seeds.key-counter",
        erratum: Some("ru8.seeds.high-half"),
        sentence: "only the low 32 bits of global_seed reach the key",
        fix: WHOLE,
        apply: |r| r.seeds.global_seed = SeedWidth::Low32,
    },
    Mistake {
        id: "op-seed-32",
        clause: "ru8.seeds.key-counter",
        erratum: Some("ru8.seeds.high-half"),
        sentence: "only the low 32 bits of op_seed reach the counter",
        fix: WHOLE,
        apply: |r| r.seeds.op_seed = SeedWidth::Low32,
    },
    Mistake {
        id: "global-seed-dropped",
        clause: "ru8.seeds.key-counter",
        erratum: None,
        sentence: "global_seed is not used: the key is zero",
        fix: BOTH,
        apply: |r| r.seeds.global_seed = SeedWidth::Dropped,
    },
    Mistake {
        id: "op-seed-dropped",
        clause: "ru8.seeds.key-counter",
        erratum: None,
        sentence: "op_seed is not used: the counter begins at zero",
        fix: BOTH,
        apply: |r| r.seeds.op_seed = SeedWidth::Dropped,
    },
    Mistake {
        id: "seeds-summed",
        clause: "ru8.seeds.key-counter",
        erratum: None,
        sentence: "the sum of both seeds is the key",
        fix: BOTH,
        apply: |r| r.seeds.roles = SeedRoles::Summed,
    },
    Mistake {
        id: "seeds-sign-extended",
        clause: "ru8.seeds.key-counter",
        erratum: None,
        sentence: "the seeds are read as signed 32-bit numbers and widened with their sign",
        fix: WHOLE,
        apply: |r| both(r, SeedWidth::SignExtended32),
    },
    Mistake {
        id: "seeds-saturated",
        clause: "ru8.seeds.key-counter",
        erratum: None,
        sentence: "seeds over 2^63-1 become 2^63-1",
        fix: WHOLE,
        apply: |r| both(r, SeedWidth::Saturated63),
    },
    Mistake {
        id: "seeds-modulo-2p31m1",
        clause: "ru8.seeds.key-counter",
        erratum: Some("ru8.frameworks.tensorflow-call"),
        sentence: "the seeds are reduced modulo 2^31-1, as tf.random.set_seed does before it calls the raw op",
        fix: WHOLE,
        apply: |r| both(r, SeedWidth::Modulo2p31m1),
    },
    Mistake {
        id: "seeds-through-f32",
        clause: "ru8.seeds.key-counter",
        erratum: None,
        sentence: "the seeds pass through an f32 and lose all but 24 bits",
        fix: WHOLE,
        apply: |r| both(r, SeedWidth::ThroughF32),
    },
    Mistake {
        id: "seeds-through-f64",
        clause: "ru8.seeds.key-counter",
        erratum: None,
        sentence: "the seeds pass through an f64, as JSON numbers do, and lose all but 53 bits",
        fix: "carry seeds as integers, and as strings in JSON",
        apply: |r| both(r, SeedWidth::ThroughF64),
    },
    Mistake {
        id: "seeds-through-f64-wrapped",
        clause: "ru8.seeds.key-counter",
        erratum: None,
        sentence: "the seeds pass through an f64, and those that round to 2^64 become zero",
        fix: "carry seeds as integers, and as strings in JSON",
        apply: |r| both(r, SeedWidth::ThroughF64Wrapped),
    },
    Mistake {
        id: "seeds-53",
        clause: "ru8.seeds.key-counter",
        erratum: None,
        sentence: "only the low 53 bits of the seeds arrive",
        fix: WHOLE,
        apply: |r| both(r, SeedWidth::Low53),
    },
    Mistake {
        id: "seeds-63",
        clause: "ru8.seeds.key-counter",
        erratum: None,
        sentence: "only the low 63 bits of the seeds arrive: the sign is masked away",
        fix: WHOLE,
        apply: |r| both(r, SeedWidth::Low63),
    },
    Mistake {
        id: "seeds-bytes-reversed",
        clause: "ru8.philox.split",
        erratum: None,
        sentence: "the eight bytes of each seed are in reverse: it was written on a machine of the other byte order",
        fix: "read the seeds in the byte order in which they were written",
        apply: |r| both(r, SeedWidth::BytesReversed),
    },
    Mistake {
        id: "seeds-bytes-reversed-in-halves",
        clause: "ru8.philox.split",
        erratum: None,
        sentence: "the four bytes of each half of a seed are in reverse, and the halves are where they should be",
        fix: "read the seeds in the byte order in which they were written",
        apply: |r| both(r, SeedWidth::BytesReversedInHalves),
    },
    Mistake {
        id: "seeds-exchanged",
        clause: "ru8.seeds.key-counter",
        erratum: None,
        sentence: "op_seed is the key and global_seed the counter",
        fix: "make global_seed the key and op_seed the high half of the counter",
        apply: |r| r.seeds.roles = SeedRoles::Exchanged,
    },
    Mistake {
        id: "key-halves-exchanged",
        clause: "ru8.philox.split",
        erratum: None,
        sentence: "the high half of global_seed is the low key word",
        fix: "put the low half of global_seed into the first key word",
        apply: |r| r.stream.key_order = WordOrder::HighFirst,
    },
    Mistake {
        id: "op-seed-halves-exchanged",
        clause: "ru8.philox.split",
        erratum: Some("dml.counter.word-order"),
        sentence: "the high half of op_seed is the counter's third word",
        fix: "put the low half of op_seed into the counter's third word",
        apply: |r| r.stream.counter_order = WordOrder::HighFirst,
    },
    Mistake {
        id: "both-zero-deterministic",
        clause: "ru8.seeds.both-zero",
        erratum: Some("ru8.seeds.both-zero-pytorch"),
        sentence: "two seeds of zero are used as they are",
        fix: "replace global_seed by entropy when both seeds are zero",
        apply: |r| r.seeds.both_zero = BothZero::Deterministic,
    },
    Mistake {
        id: "either-zero-entropy",
        clause: "ru8.seeds.both-zero",
        erratum: Some("ru8.seeds.zero-allowed"),
        sentence: "one seed of zero is taken for a request of entropy",
        fix: "use entropy only when both seeds are zero",
        apply: |r| r.seeds.both_zero = BothZero::EitherZero,
    },
];
