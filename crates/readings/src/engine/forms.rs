//! The forms in which words arrive, and how two of them become one number.

use crate::answers::{KeyJoin, WordForm};

/// Changes pairs of words that make one number each as they do when one of them is sign-extended on its way into it.
pub(super) fn joined(form: WordForm, words: &mut [u32]) {
    let sign = |word: u32| (word.cast_signed() >> 31).cast_unsigned();
    for pair in words.as_chunks_mut().0 {
        let [first, second]: &mut [u32; 2] = pair;
        match form {
            WordForm::SecondSignOred => *first |= sign(*second),
            WordForm::SecondSignAdded => *first = first.wrapping_add(sign(*second)),
            WordForm::FirstSignOred => *second |= sign(*first),
            WordForm::FirstSignAdded => *second = second.wrapping_add(sign(*first)),
            _ => return,
        }
    }
}

/// Changes the words of a block as they do that are joined to the two numbers of a key. It is the high word that changes: an or
/// fills it with ones, and an addition takes one from it.
pub(super) fn joined_to_key(answer: KeyJoin, words: &mut [u32; 4]) {
    let (form, places) = match answer {
        KeyJoin::Widened => return,
        KeyJoin::FirstOred => (WordForm::FirstSignOred, 0..2),
        KeyJoin::FirstAdded => (WordForm::FirstSignAdded, 0..2),
        KeyJoin::SecondOred => (WordForm::FirstSignOred, 2..4),
        KeyJoin::SecondAdded => (WordForm::FirstSignAdded, 2..4),
        KeyJoin::BothOred => (WordForm::FirstSignOred, 0..4),
        KeyJoin::BothAdded => (WordForm::FirstSignAdded, 0..4),
    };
    joined(form, &mut words[places]);
}

/// Brings drawn words into the form in which they arrive.
pub(super) fn changed(form: WordForm, words: &mut [u32]) {
    let change = |word: u32| match form {
        // Some change pairs of words alone.
        WordForm::Drawn
        | WordForm::SecondSignOred
        | WordForm::SecondSignAdded
        | WordForm::FirstSignOred
        | WordForm::FirstSignAdded => word,
        WordForm::BytesReversed => word.swap_bytes(),
        WordForm::HalvesExchanged => word.rotate_left(16),
        WordForm::BitsReversed => word.reverse_bits(),
        WordForm::Inverted => !word,
        WordForm::Zero => 0,
        WordForm::Shifted(bits) => word >> bits,
        WordForm::LowZero(bits) => word >> bits << bits,
        WordForm::HighZero(bits) => word << bits >> bits,
    };
    if form == WordForm::Drawn {
        return;
    }
    for word in words {
        *word = change(*word);
    }
}
