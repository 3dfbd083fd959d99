//! Slips in the steps of MT19937, each from a small set, and the search for those that make a stream.

use super::{Mt, N, Parity, Seeding, Step};

/// A generator with a slip, and a sentence about it.
#[derive(Clone)]
pub(in crate::whois) struct Slip {
    pub(in crate::whois) sentence: String,
    pub(in crate::whois) mt: Mt,
    kind: Kind,
}

/// What a slip changes. Of two slips of one kind, such as both shifts in the wrong direction, a program has both likelier than two
/// unrelated ones.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    State,
    LeftOut,
    Direction,
    NoMask,
    MaskedFirst,
    OtherMask,
    Signed,
    Shift,
    Exchanged,
    Unrelated,
}

/// Slips in seeding and twist, one at a time.
#[expect(clippy::too_many_lines, reason = "a list, a slip a line")]
fn of_states() -> Vec<Slip> {
    let mut all = Vec::new();
    let mut slip = |sentence: &str, change: &dyn Fn(&mut Mt)| {
        let mut mt = Mt::default();
        change(&mut mt);
        all.push(Slip {
            sentence: sentence.to_owned(),
            mt,
            kind: Kind::State,
        });
    };
    for (seeding, sentence) in [
        (Seeding::IndexLeftOut, "the index is not added in the seeding"),
        (Seeding::IndexFrom(0), "the index in the seeding is one too small"),
        (Seeding::IndexFrom(2), "the index in the seeding is one too large"),
        (
            Seeding::IndexXored,
            "the index in the seeding is mixed by exclusive or",
        ),
        (
            Seeding::IndexInside,
            "the index in the seeding is added before the multiplication",
        ),
        (Seeding::ShiftLeftOut, "the shift in the seeding is left out"),
        (Seeding::Precedence, "the seeding takes `+` before `^`, as C does"),
        (
            Seeding::Double,
            "the product of the seeding is rounded to the 53 bits of an f64",
        ),
        (Seeding::Uncut, "the state of the seeding is not cut to 32 bits"),
    ] {
        slip(sentence, &|mt| mt.seeding = seeding);
    }
    // The multipliers of the seeding of 1998, of both passes of `init_by_array`, and of the generators of Visual C and
    // ANSI C; and the right one with its last digit wrong, and with its last two digits exchanged.
    for multiplier in [
        69_069,
        1_664_525,
        1_566_083_941,
        1_812_433_251,
        1_812_433_235,
        214_013,
        1_103_515_245,
    ] {
        slip(&format!("the multiplier of the seeding is {multiplier}"), &|mt| {
            mt.multiplier = multiplier;
        });
    }
    for shift in (1..32).filter(|&shift| shift != 30) {
        slip(&format!("the seeding shifts by {shift}, not by 30"), &|mt| {
            mt.seed_shift = shift;
        });
    }
    slip("the shift of the seeding is that of a signed number", &|mt| {
        mt.is_seed_signed = true;
    });
    // 156 and 312 are the parameters of the generator of 64 bits. The others are near these, near 397, or at the ends
    // of the state.
    for middle in [1, 156, 311, 312, 395, 396, 398, 399, 623] {
        slip(
            &format!("the twist takes the word {middle} places on, not 397"),
            &|mt| mt.middle = middle,
        );
    }
    slip(
        "behind the end of the state, the index of the middle word goes back by 623, not by 624",
        &|mt| {
            mt.wrap = N - 1;
        },
    );
    slip("the two masks of the twist are exchanged", &|mt| {
        (mt.upper, mt.lower) = (0x7fff_ffff, 0x8000_0000);
    });
    slip(
        "the two masks of the twist are exchanged, and the parity is that of the joined word",
        &|mt| {
            (mt.upper, mt.lower, mt.parity) = (0x7fff_ffff, 0x8000_0000, Parity::Joined);
        },
    );
    for (upper, lower) in [
        (0xc000_0000, 0x3fff_ffff),
        (0, 0x7fff_ffff),
        (0x8000_0000, u32::MAX),
        (u32::MAX, 0),
    ] {
        slip(
            &format!("the masks of the twist are {upper:#x} and {lower:#x}"),
            &|mt| {
                (mt.upper, mt.lower) = (upper, lower);
            },
        );
    }
    for (parity, sentence) in [
        (
            Parity::Current,
            "the twist takes the parity of the current word, not of the next",
        ),
        (
            Parity::Even,
            "the twist mixes the matrix in where the next word is even",
        ),
        (Parity::Always, "the twist always mixes the matrix in"),
        (Parity::Never, "the twist never mixes the matrix in"),
    ] {
        slip(sentence, &|mt| mt.parity = parity);
    }
    for shift in [0, 2, 31] {
        slip(&format!("the twist shifts by {shift}, not by 1"), &|mt| {
            mt.twist_shift = shift;
        });
    }
    slip("the shift of the twist is that of a signed number", &|mt| {
        mt.is_twist_signed = true;
    });
    slip("the twist reads a copy of the old state only", &|mt| {
        mt.from_copy = true;
    });
    all
}

/// Slips in the tempering, one at a time.
fn of_tempering() -> Vec<Slip> {
    let mut all = Vec::new();
    let standard = Mt::default();
    let mut slip = |kind: Kind, sentence: String, steps: [Step; 4]| {
        let mt = Mt {
            steps,
            ..Mt::default()
        };
        all.push(Slip { sentence, mt, kind });
    };
    for i in 0..4 {
        let with = |change: &dyn Fn(&mut Step)| {
            let mut steps = standard.steps;
            change(&mut steps[i]);
            steps
        };
        let step = i + 1;
        slip(
            Kind::LeftOut,
            format!("step {step} of the tempering is left out"),
            with(&|it| it.mask = 0),
        );
        let (from, to) = if standard.steps[i].is_left {
            ("left", "right")
        } else {
            ("right", "left")
        };
        slip(
            Kind::Direction,
            format!("step {step} of the tempering shifts to the {to}, not to the {from}"),
            with(&|it| it.is_left = !it.is_left),
        );
        if standard.steps[i].is_left {
            slip(
                Kind::NoMask,
                format!("step {step} of the tempering has no mask"),
                with(&|it| it.mask = u32::MAX),
            );
            slip(
                Kind::MaskedFirst,
                format!("step {step} of the tempering masks before it shifts"),
                with(&|it| it.is_masked_first = true),
            );
            slip(
                Kind::OtherMask,
                format!("step {step} of the tempering has the other step's mask"),
                with(&|it| it.mask = standard.steps[3 - i].mask),
            );
        } else {
            slip(
                Kind::Signed,
                format!("the shift of step {step} of the tempering is that of a signed number"),
                with(&|it| it.is_signed = true),
            );
        }
        for by in (1..32).filter(|&by| by != standard.steps[i].by) {
            slip(
                Kind::Shift,
                format!(
                    "step {step} of the tempering shifts by {by}, not by {}",
                    standard.steps[i].by
                ),
                with(&|it| it.by = by),
            );
        }
        for j in i + 1..4 {
            let mut steps = standard.steps;
            steps.swap(i, j);
            slip(
                Kind::Exchanged,
                format!("steps {step} and {} of the tempering are exchanged", j + 1),
                steps,
            );
        }
    }
    all
}

/// The slips with which a seed's first words are those of a stream, as `gives` decides: a single slip, one of the state
/// together with one of the tempering, or two of the tempering. Also returns the number of slips that were tried.
pub(in crate::whois) fn slips(
    seed: u32,
    telling: usize,
    gives: &dyn Fn(&[u32]) -> bool,
) -> (Vec<Slip>, usize) {
    let (states, tempering) = (of_states(), of_tempering());
    let standard = Mt::default();
    let mut tried = 0;
    let mut found = Vec::new();
    // Seeding takes some 400 steps and the tempering of a few words hardly any, so that all slips of the tempering
    // share it.
    let raw = standard.untempered(seed, telling);
    let tempered = |raw: &[u32], mt: &Mt| -> Vec<u32> { raw.iter().map(|&word| mt.temper(word)).collect() };
    for slip in &tempering {
        tried += 1;
        if gives(&tempered(&raw, &slip.mt)) {
            found.push(slip.clone());
        }
    }
    let raws: Vec<Vec<u32>> = states
        .iter()
        .map(|slip| slip.mt.untempered(seed, telling))
        .collect();
    for (slip, raw) in states.iter().zip(&raws) {
        tried += 1;
        if gives(&tempered(raw, &standard)) {
            found.push(slip.clone());
        }
    }
    // There are some twenty thousand pairs, which are tried only where no single slip fits.
    if !found.is_empty() {
        return (found, tried);
    }
    for (i, first) in tempering.iter().enumerate() {
        for second in &tempering[i + 1..] {
            // Two changes of one step would overwrite each other.
            let mut steps = standard.steps;
            let changed = |mt: &Mt| {
                (0..4)
                    .filter(|&i| mt.steps[i] != standard.steps[i])
                    .collect::<Vec<_>>()
            };
            let (a, b) = (changed(&first.mt), changed(&second.mt));
            if a.iter().any(|i| b.contains(i)) {
                continue;
            }
            for &i in &a {
                steps[i] = first.mt.steps[i];
            }
            for &i in &b {
                steps[i] = second.mt.steps[i];
            }
            let mt = Mt {
                steps,
                ..standard.clone()
            };
            tried += 1;
            if gives(&tempered(&raw, &mt)) {
                found.push(Slip {
                    sentence: format!("{}; and {}", first.sentence, second.sentence),
                    mt,
                    kind: if first.kind == second.kind {
                        first.kind
                    } else {
                        Kind::Unrelated
                    },
                });
            }
        }
        for (state, raw) in states.iter().zip(&raws) {
            let mt = Mt {
                steps: first.mt.steps,
                ..state.mt.clone()
            };
            tried += 1;
            if gives(&tempered(raw, &mt)) {
                found.push(Slip {
                    sentence: format!("{}; and {}", state.sentence, first.sentence),
                    mt,
                    kind: Kind::Unrelated,
                });
            }
        }
    }
    // Different pairs may have the same effect.
    found.sort_by_key(|slip| slip.kind == Kind::Unrelated);
    (found, tried)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_are_distinct_and_each_is_found_alone() {
        let all: Vec<Slip> = of_states().into_iter().chain(of_tempering()).collect();
        assert!(all.len() > 200, "{}", all.len());
        for slip in &all {
            assert_ne!(slip.mt, Mt::default(), "{}", slip.sentence);
        }
        for slip in all.iter().step_by(7) {
            let words = slip.mt.words(5489, 700);
            if words == Mt::default().words(5489, 700) {
                continue;
            }
            let (found, _) = slips(5489, 8, &|first| first == &words[..8]);
            let is_whole = |it: &Slip| it.mt.words(5489, 700) == words;
            assert!(found.iter().any(is_whole), "{}", slip.sentence);
        }
    }
}
