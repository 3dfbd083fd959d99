//! The values that the parameter of a mistake may have.

/// A constant as somebody types it: one hexadecimal digit another, or two neighbouring ones exchanged.
pub(super) fn slips(constant: u32) -> Vec<u32> {
    let digits = (0..32).step_by(4);
    let another = digits.flat_map(|at| (1..16).map(move |by| constant ^ by << at));
    let exchanged = (0..28).step_by(4).map(|at| {
        let difference = (constant >> at ^ constant >> (at + 4)) & 0xf;
        constant ^ difference << at ^ difference << (at + 4)
    });
    let mut all: Vec<u32> = another
        .chain(exchanged)
        .filter(|&slip| slip != constant)
        .collect();
    all.sort_unstable();
    all.dedup();
    all
}

/// One of several shifts or rotations of words of a width, by any other number.
pub(super) fn mistyped(right: &[u32], width: u32) -> Vec<u32> {
    let of = |(place, &by): (u32, &u32)| {
        (1..width)
            .filter(move |&other| other != by)
            .map(move |other| 100 * place + other)
    };
    (1_u32..).zip(right).flat_map(of).collect()
}

/// Numbers of words that are dropped to warm a generator up: small ones, powers of two and of ten, and generations.
pub(super) fn dropped() -> Vec<u32> {
    let generations = (1..=4).flat_map(|i| [624 * i - 1, 624 * i]);
    let mut all: Vec<u32> = (1..=16).chain((5..=12).map(|exponent| 1 << exponent)).collect();
    all.extend([100, 1000, 10_000].into_iter().chain(generations));
    all.sort_unstable();
    all
}

/// Numbers of rounds of a block, but for the right one.
pub(super) fn round_numbers() -> Vec<u32> {
    (0..=20).filter(|&rounds| rounds != 10).collect()
}

/// The orders of two, three and four axes, but for that of the shape.
pub(super) fn axes() -> Vec<u32> {
    (2..=4)
        .flat_map(|axes| permutations(axes).into_iter().skip(1))
        .collect()
}

/// The orders of four words, but for the right one and those that are answers of their own.
pub(super) fn word_orders() -> Vec<u32> {
    let own = [1234, 2143, 4321, 2341, 3412];
    permutations(4)
        .into_iter()
        .filter(|order| !own.contains(order))
        .collect()
}

/// The permutations of 1 to `digits` as decimal numbers, in ascending order.
fn permutations(digits: u32) -> Vec<u32> {
    let mut all = vec![0];
    for _ in 0..digits {
        let with = |number: &u32| {
            let number = *number;
            let has = move |digit: u32| number.to_string().contains(&digit.to_string());
            (1..=digits)
                .filter(move |&digit| !has(digit))
                .map(move |digit| 10 * number + digit)
        };
        all = all.iter().flat_map(with).collect();
    }
    all
}

/// Numbers of threads: every small one, since users set it, and those of machines with many cores.
pub(super) fn threads() -> Vec<u32> {
    (2..=16).chain([20, 24, 32, 48, 64, 128]).collect()
}

/// The threads of a launch: powers of two, all numbers of blocks of 256 up to 2^16 threads, and those of cards that run more.
pub(super) fn launches() -> Vec<u32> {
    let cards = [
        46, 48, 56, 58, 60, 66, 72, 76, 78, 80, 84, 108, 114, 128, 132, 142,
    ];
    let of_cards = cards
        .iter()
        .flat_map(|card| [4, 6, 8].map(|blocks| card * blocks * 256));
    let blocks = (1..=256).map(|blocks| blocks * 256);
    let mut all: Vec<u32> = (5..=20)
        .map(|power| 1 << power)
        .chain(blocks)
        .chain(of_cards)
        .collect();
    all.sort_unstable();
    all.dedup();
    all
}

/// Sizes of vectors, warps, workgroups and launches. Launches come in powers of two and in multiples of 32
/// and 256.
pub(super) fn sizes() -> Vec<u32> {
    let powers = (1..=20).map(|exponent| 1 << exponent);
    let warps = (1..=32).map(|warps| warps * 32);
    let groups = (1..=64).map(|groups| groups * 256);
    let mut all: Vec<u32> = powers
        .chain([3, 5, 6, 7, 10, 12, 24, 48, 100, 1000])
        .chain(warps)
        .chain(groups)
        .collect();
    all.sort_unstable();
    all.dedup();
    all
}
