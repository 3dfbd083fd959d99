//! The block function Threefry2x32 under a reading's answers.

use super::philox::split_64;
use crate::answers::{Injection, Parity, Rotations, RoundMix, Threefry, ThreefryCarry, WordOrder};

/// A block function with its key.
pub(super) struct Block<'a> {
    answers: &'a Threefry,
    keys: [u32; 3],
}

impl<'a> Block<'a> {
    pub(super) fn new(answers: &'a Threefry, key: u64) -> Self {
        let [a, b] = ordered(answers.key_order, key);
        let constant = match answers.parity {
            Parity::Threefish => 0x1bd1_1bda,
            Parity::Nothing => 0,
            Parity::Other(constant) => constant,
            Parity::Wide => 0xa9fc_1a22,
            Parity::Skein1_0 => 0x5555_5555,
        };
        Self {
            answers,
            keys: [a, b, constant ^ a ^ b],
        }
    }

    /// The two words of a counter.
    pub(super) fn words(&self, counter: u64) -> [u32; 2] {
        let mut state = ordered(self.answers.counter_order, counter);
        if self.answers.injection != Injection::NotBefore {
            self.inject(&mut state, 0);
        }
        for round in 0..self.answers.rounds.0 {
            self.mix(&mut state, round);
            let is_last = round + 1 == self.answers.rounds.0;
            if round % 4 == 3 && !(is_last && self.answers.injection == Injection::NotAfter) {
                self.inject(&mut state, round / 4 + 1);
            }
        }
        state
    }

    fn mix(&self, [left, right]: &mut [u32; 2], round: u32) {
        let even = (round / 4).is_multiple_of(2);
        let by = match (
            round % 4,
            even != (self.answers.rotations == Rotations::Exchanged),
        ) {
            (place, false) if self.answers.rotations != Rotations::FirstFour => [17, 29, 16, 24][at(place)],
            (place, _) => [13, 15, 26, 6][at(place)],
        };
        let number = round % 4 + 1 + if even { 0 } else { 4 };
        let of = |place: u32| [13, 15, 26, 6, 17, 29, 16, 24][at(place - 1)];
        let by = match self.answers.rotations {
            Rotations::Other(rotation) if rotation / 100 == number => rotation % 100,
            Rotations::Pair(places) if places / 10 == number => of(places % 10),
            Rotations::Pair(places) if places % 10 == number => of(places / 10),
            _ => by,
        };
        let rotate = |word: u32| match self.answers.rotations {
            Rotations::Right => word.rotate_right(by),
            Rotations::SignedShift => word << by | (word.cast_signed() >> (32 - by)).cast_unsigned(),
            _ => word.rotate_left(by),
        };
        *left = left.wrapping_add(*right);
        *right = match self.answers.mix {
            RoundMix::Rotated => rotate(*right) ^ *left,
            RoundMix::MixedFirst => rotate(*right ^ *left),
        };
    }

    fn inject(&self, [left, right]: &mut [u32; 2], number: u32) {
        let shift = match self.answers.injection {
            Injection::Unrotated => 0,
            _ => number % 3,
        };
        let mut keys = self.keys;
        keys.rotate_left(at(shift));
        *left = left.wrapping_add(keys[0]);
        *right = right.wrapping_add(keys[1]);
        let counted = match self.answers.injection {
            Injection::IntoFirst => left,
            _ => right,
        };
        *counted = counted.wrapping_add(match self.answers.injection {
            Injection::Uncounted => 0,
            Injection::FromZero => number.saturating_sub(1),
            _ => number,
        });
    }
}

/// The counter of a block.
pub(super) fn counter(answers: &Threefry, base: u64, block: u64) -> u64 {
    const LOW: u64 = 0xffff_ffff;
    let sum = base.wrapping_add(block);
    let lost = base & !LOW | sum & LOW;
    let passes = u64::from((base & LOW) >> 31 == 0 && (sum & LOW) >> 31 == 1) << 32;
    match answers.carry {
        ThreefryCarry::Full => sum,
        ThreefryCarry::LostAt32 => lost,
        ThreefryCarry::Signed32 => lost.wrapping_add(passes),
        ThreefryCarry::Also31 => sum.wrapping_add(passes),
        ThreefryCarry::Lost63 => sum & !(!base & 1 << 63),
    }
}

fn ordered(order: WordOrder, value: u64) -> [u32; 2] {
    let [low, high] = split_64(value);
    match order {
        WordOrder::LowFirst => [low, high],
        WordOrder::HighFirst => [high, low],
    }
}

fn at(place: u32) -> usize {
    usize::try_from(place).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::answers::ThreefryRounds;

    fn words(rounds: u32, counter: [u32; 2], key: [u32; 2]) -> [u32; 2] {
        let answers = Threefry {
            rounds: ThreefryRounds(rounds),
            ..Threefry::default()
        };
        let joined = |[low, high]: [u32; 2]| u64::from(high) << 32 | u64::from(low);
        Block::new(&answers, joined(key)).words(joined(counter))
    }

    /// The known answers of Random123: thirteen and twenty rounds.
    #[test]
    fn threefry_gives_the_known_answers() {
        let digits = [0x243f_6a88, 0x85a3_08d3];
        let key = [0x1319_8a2e, 0x0370_7344];
        assert_eq!(words(20, [0; 2], [0; 2]), [0x6b20_0159, 0x99ba_4efe]);
        assert_eq!(
            words(20, [u32::MAX; 2], [u32::MAX; 2]),
            [0x1cb9_96fc, 0xbb00_2be7]
        );
        assert_eq!(words(20, digits, key), [0xc492_3a9c, 0x483d_f7a0]);
        assert_eq!(words(13, [0; 2], [0; 2]), [0x9d1c_5ec6, 0x8bd5_0731]);
        assert_eq!(words(13, digits, key), [0xba3e_4725, 0xf27d_669e]);
    }
}
