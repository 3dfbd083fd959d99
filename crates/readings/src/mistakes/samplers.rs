//! Samplers of servers, and draws of compilers.

use super::mistake::mistakes;
use crate::answers::{
    Bits, BlockWords, DraftNoise, HashOrder, HashSeed, HashUnit, HashWords, InductorKey, IntegerOf, LogOfOne,
    Mixed, Tempered, TopBit, WordOrder,
};

mistakes! {
    clause: "smh.hash", erratum: None, fix: "mix in the low half of the seed, its high half, the position, the token" => {
        "hash-token-first": "the token is mixed into the hash before the position",
            |r| r.murmur.order = HashOrder::TokenFirst;
        "hash-without-position": "the position is not mixed into the hash",
            |r| r.murmur.position = Mixed::Forgotten;
        "hash-seed-high-first": "the high half of the seed is mixed into the hash before the low one",
            |r| r.murmur.seed = HashSeed::HighFirst;
    }
    clause: "smh.hash", erratum: Some("smh.seed.width"), fix: "mix in both halves of the seed" => {
        "hash-seed-32-bits": "the high half of the seed is not mixed into the hash",
            |r| r.murmur.seed = HashSeed::Low;
    }
    clause: "smh.finish", erratum: None, fix: "mix the length 16 into the state before the end" => {
        "hash-without-length": "the length is not mixed into the hash",
            |r| r.murmur.length = Mixed::Forgotten;
    }
    clause: "vmu.f32", erratum: Some("vmu.digits"), fix: "take (h + 0.5) * 2^-32 for an f32" => {
        "hash-unit-24-bits": "an f32 has the 24 top bits of the hash, and one half",
            |r| r.race.unit = HashUnit::Top24;
    }
    clause: "vmu.f32", erratum: None, fix: "take (h + 0.5) * 2^-32 for an f32" => {
        "hash-unit-without-half": "an f32 is the hash over 2^32, without one half",
            |r| r.race.unit = HashUnit::Begin;
    }
    clause: "vmu.f64", erratum: None, fix: "make an f64 of two hashes" => {
        "hash-one-for-f64": "an f64 is made of one hash",
            |r| r.race.words = HashWords::One;
    }
    clause: "vgs.drafting", erratum: None, fix: "add 2^30 to the position of a proposal" => {
        "draft-noise-shared": "proposals have the noise of the position itself",
            |r| r.race.draft = DraftNoise::Same;
    }
    clause: "vgs.scale", erratum: None, fix: "divide the logits by the temperature before the noise is added" => {
        "temperature-ignored": "the temperature does not divide the logits alone, so that it decides nothing",
            |r| r.race.tempered = Tempered::Nothing;
    }
    clause: "sms.clamp", erratum: Some("sms.clamp.one"), fix: "clamp the logarithm to at most -2^-32" => {
        "log-of-one-unclamped": "the logarithm of the greatest hash is 0, and its token wins whatever its probability is",
            |r| r.race.one = LogOfOne::Zero;
    }
    clause: "tri.counter", erratum: Some("tri.offset.width"), fix: "count offsets in 64 bits" => {
        "triton-offset-32-bits": "offsets are cut to 32 bits",
            |r| r.triton.offset = Bits::Low32;
    }
    clause: "tri.counter", erratum: Some("tri.words"), fix: "draw a block for each offset, and take its first word" => {
        "triton-all-words": "all four words of a block are used in turn",
            |r| r.triton.words = BlockWords::All;
    }
    clause: "trr.fold", erratum: None, fix: "invert all bits of a word whose top bit is set" => {
        "triton-top-bit-cleared": "the top bit of a word is cleared, and the others are kept",
            |r| r.triton.top = TopBit::Cleared;
    }
    clause: "idr.seed", erratum: Some("idr.seed.width"), fix: "take the low 32 bits of the seed for the key" => {
        "inductor-key-64-bits": "all 64 bits of the seed are the key",
            |r| r.triton.key = InductorKey::All;
    }
    clause: "idr.range", erratum: None, fix: "make an integer of two words, the first of them low" => {
        "inductor-one-word": "an integer is made of one word",
            |r| r.triton.integer = IntegerOf::One;
        "inductor-words-exchanged": "the two words of an integer are exchanged",
            |r| r.triton.order = WordOrder::HighFirst;
    }
}
