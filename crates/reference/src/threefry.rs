//! Threefry2x32 with 20 rounds, the counter-based generator of Salmon, Moraes, Dror and Shaw ("Parallel Random Numbers:
//! As Easy as 1, 2, 3", 2011).

/// `[shlo.threefry.key]`: what the words of the key are mixed with to make the third.
const PARITY: u32 = 0x1BD1_1BDA;

/// `[shlo.threefry.rotations]`: by how much each round rotates, four rounds and the next four.
const ROTATIONS: [[u32; 4]; 2] = [[13, 15, 26, 6], [17, 29, 16, 24]];

/// `[shlo.threefry.round]`: the first word grows by the second, which is rotated and mixed with the sum.
pub const fn round([x0, x1]: [u32; 2], rotation: u32) -> [u32; 2] {
    let sum = x0.wrapping_add(x1);
    [sum, x1.rotate_left(rotation) ^ sum]
}

/// `[shlo.threefry.key]`: the key's two words, and both mixed with the parity.
pub const fn key_schedule([k0, k1]: [u32; 2]) -> [u32; 3] {
    [k0, k1, k0 ^ k1 ^ PARITY]
}

/// `[shlo.threefry.inject]`: the next two words of the schedule are added, and the number of the injection to the second
/// word.
fn inject([x0, x1]: [u32; 2], schedule: [u32; 3], injection: u32) -> [u32; 2] {
    let next = |after: u32| schedule[usize::try_from((injection + after) % 3).expect("below three")];
    [
        x0.wrapping_add(next(0)),
        x1.wrapping_add(next(1)).wrapping_add(injection),
    ]
}

/// The two words of Threefry2x32-20 for a key and a counter of two words each, the low word first.
///
/// `[shlo.threefry.rounds]`: twenty rounds, with an injection before the first and after every fourth.
pub fn block(key: [u32; 2], counter: [u32; 2]) -> [u32; 2] {
    let schedule = key_schedule(key);
    let mut x = inject(counter, schedule, 0);
    for (rotations, injection) in ROTATIONS.iter().cycle().zip(1..=5) {
        for &rotation in rotations {
            x = round(x, rotation);
        }
        x = inject(x, schedule, injection);
    }
    x
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The known answers of Random123.
    #[test]
    fn threefry_gives_the_known_answers() {
        assert_eq!(block([0; 2], [0; 2]), [0x6b20_0159, 0x99ba_4efe]);
        assert_eq!(block([u32::MAX; 2], [u32::MAX; 2]), [0x1cb9_96fc, 0xbb00_2be7]);
        assert_eq!(
            block([0x1319_8a2e, 0x0370_7344], [0x243f_6a88, 0x85a3_08d3]),
            [0xc492_3a9c, 0x483d_f7a0]
        );
    }
}
