//! The seeds.

use super::mistake::mistakes;
use crate::answers::{BothZero, SeedRoles, SeedWidth, WordOrder};
use crate::reading::Reading;

const WHOLE: &str = "carry both seeds as unsigned 64-bit numbers all the way";

const BOTH: &str = "let global_seed be the key and op_seed the upper half of the counter";

const fn both(r: &mut Reading, width: SeedWidth) {
    r.seeds.global_seed = width;
    r.seeds.op_seed = width;
}

mistakes! {
    clause: "ru8.seeds.key-counter", erratum: Some("ru8.seeds.high-half"), fix: WHOLE => {
        "global-seed-32": "only the low 32 bits of global_seed reach the key",
            |r| r.seeds.global_seed = SeedWidth::Low32;
        "op-seed-32": "only the low 32 bits of op_seed reach the counter",
            |r| r.seeds.op_seed = SeedWidth::Low32;
        "seeds-32": "only the low 32 bits of both seeds arrive",
            |r| both(r, SeedWidth::Low32);
    }
    clause: "ru8.seeds.key-counter", erratum: None, fix: BOTH => {
        "global-seed-dropped": "global_seed is not used: the key is zero",
            |r| r.seeds.global_seed = SeedWidth::Dropped;
        "op-seed-dropped": "op_seed is not used: the counter begins at zero",
            |r| r.seeds.op_seed = SeedWidth::Dropped;
        "seeds-summed": "the sum of both seeds is the key",
            |r| r.seeds.roles = SeedRoles::Summed;
        "seeds-summed-alone": "the sum of both seeds is the key, and the counter begins at zero",
            |r| r.seeds.roles = SeedRoles::SummedAlone;
    }
    clause: "ru8.seeds.key-counter", erratum: None, fix: WHOLE => {
        "seeds-sign-extended": "the seeds are read as signed 32-bit numbers and widened with their sign",
            |r| both(r, SeedWidth::SignExtended32);
        "seeds-saturated": "seeds over 2^63-1 become 2^63-1",
            |r| both(r, SeedWidth::Saturated63);
    }
    clause: "ru8.seeds.key-counter", erratum: Some("ru8.frameworks.tensorflow-call"), fix: WHOLE => {
        "seeds-modulo-2p31m1": "the seeds are reduced modulo 2^31-1, as tf.random.set_seed does before it calls the raw op",
            |r| both(r, SeedWidth::Modulo2p31m1);
    }
    clause: "ru8.seeds.key-counter", erratum: None, fix: WHOLE => {
        "seeds-through-f32": "the seeds pass through an f32 and lose all but 24 bits",
            |r| both(r, SeedWidth::ThroughF32);
    }
    clause: "ru8.seeds.key-counter", erratum: None,
    fix: "carry seeds as integers, and as strings in JSON" => {
        "seeds-through-f64": "the seeds pass through an f64, as JSON numbers do, and lose all but 53 bits",
            |r| both(r, SeedWidth::ThroughF64);
        "seeds-through-f64-wrapped": "the seeds pass through an f64, and those that round to 2^64 become zero",
            |r| both(r, SeedWidth::ThroughF64Wrapped);
    }
    clause: "ru8.seeds.key-counter", erratum: None, fix: WHOLE => {
        "seeds-53": "only the low 53 bits of the seeds arrive",
            |r| both(r, SeedWidth::Low53);
        "seeds-63": "only the low 63 bits of the seeds arrive: the sign is masked away",
            |r| both(r, SeedWidth::Low63);
    }
    clause: "ru8.seeds.key-counter", erratum: None, fix: WHOLE => {
        "global-seed-sign-extended": "global_seed, and not op_seed, is read as a signed 32-bit number and widened with its sign",
            |r| r.seeds.global_seed = SeedWidth::SignExtended32;
        "global-seed-through-f32": "global_seed, and not op_seed, passes through an f32 and loses all but 24 bits",
            |r| r.seeds.global_seed = SeedWidth::ThroughF32;
        "global-seed-through-f64": "global_seed, and not op_seed, passes through an f64, as JSON numbers do, and loses all but 53 bits",
            |r| r.seeds.global_seed = SeedWidth::ThroughF64;
        "global-seed-through-f64-wrapped": "global_seed, and not op_seed, passes through an f64, and what rounds to 2^64 becomes zero",
            |r| r.seeds.global_seed = SeedWidth::ThroughF64Wrapped;
        "global-seed-bytes-reversed": "global_seed, and not op_seed, has its eight bytes in reverse",
            |r| r.seeds.global_seed = SeedWidth::BytesReversed;
        "op-seed-sign-extended": "op_seed, and not global_seed, is read as a signed 32-bit number and widened with its sign",
            |r| r.seeds.op_seed = SeedWidth::SignExtended32;
        "op-seed-through-f32": "op_seed, and not global_seed, passes through an f32 and loses all but 24 bits",
            |r| r.seeds.op_seed = SeedWidth::ThroughF32;
        "op-seed-through-f64": "op_seed, and not global_seed, passes through an f64, as JSON numbers do, and loses all but 53 bits",
            |r| r.seeds.op_seed = SeedWidth::ThroughF64;
        "op-seed-through-f64-wrapped": "op_seed, and not global_seed, passes through an f64, and what rounds to 2^64 becomes zero",
            |r| r.seeds.op_seed = SeedWidth::ThroughF64Wrapped;
        "op-seed-bytes-reversed": "op_seed, and not global_seed, has its eight bytes in reverse",
            |r| r.seeds.op_seed = SeedWidth::BytesReversed;
        "global-seed-16": "only the low 16 bits of global_seed arrive",
            |r| r.seeds.global_seed = SeedWidth::Low16;
    }
    clause: "ru8.philox.split", erratum: None,
    fix: "read the seeds in the byte order in which they were written" => {
        "seeds-bytes-reversed": "the eight bytes of each seed are in reverse: it was written on a machine of the other byte order",
            |r| both(r, SeedWidth::BytesReversed);
        "seeds-bytes-reversed-in-halves": "the four bytes of each half of a seed are in reverse, and the halves are where they should be",
            |r| both(r, SeedWidth::BytesReversedInHalves);
    }
    clause: "ru8.seeds.key-counter", erratum: None,
    fix: "make global_seed the key and op_seed the high half of the counter" => {
        "seeds-exchanged": "op_seed is the key and global_seed the counter",
            |r| r.seeds.roles = SeedRoles::Exchanged;
    }
    clause: "ru8.philox.split", erratum: None,
    fix: "put the low half of global_seed into the first key word" => {
        "key-halves-exchanged": "the high half of global_seed is the low key word",
            |r| r.stream.key_order = WordOrder::HighFirst;
    }
    clause: "ru8.philox.split", erratum: Some("dml.counter.word-order"),
    fix: "put the low half of op_seed into the counter's third word" => {
        "op-seed-halves-exchanged": "the high half of op_seed is the counter's third word",
            |r| r.stream.counter_order = WordOrder::HighFirst;
    }
    clause: "ru8.seeds.both-zero", erratum: Some("ru8.seeds.both-zero-pytorch"),
    fix: "replace global_seed by entropy when both seeds are zero" => {
        "both-zero-deterministic": "two seeds of zero are used as they are",
            |r| r.seeds.both_zero = BothZero::Deterministic;
    }
    clause: "ru8.seeds.both-zero", erratum: Some("ru8.seeds.zero-allowed"),
    fix: "use entropy only when both seeds are zero" => {
        "either-zero-entropy": "one seed of zero is taken for a request of entropy",
            |r| r.seeds.both_zero = BothZero::EitherZero;
    }
}
