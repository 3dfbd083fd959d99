//! The comparisons, each in one process and interleaved.

use std::error::Error;
use std::hint::black_box;

use half::{bf16, f16};
use rayon::ThreadPool;
use seedproof_cpu::{Cpu, Generator, Level, Plan, Value};
use seedproof_ops::{Backend, Dtype, Limits, Multinomial, Request, Shape, Tensor};

use crate::measure::{Contestant, interleaved, timed};
use crate::table::{Goal, Table};
use crate::{LARGE, MEDIUM, MT19937, PHILOX, STREAM, THREEFRY, consume, peers};

/// A fill of a slice with a range's numbers.
pub(crate) fn fill<T: Value>(
    level: Level,
    generator: Generator,
    bounds: (T, T),
    out: &mut [T],
) -> Contestant<'_> {
    let plan = Plan::new(level, generator, bounds.0, bounds.1).expect("the bounds are in order");
    timed(move || black_box(&plan).fill(black_box(out)))
}

/// The same on the threads of a pool, which is entered once.
pub(crate) fn fill_in<'a>(
    pool: &'a ThreadPool,
    level: Level,
    generator: Generator,
    out: &'a mut [f32],
) -> Contestant<'a> {
    let plan = Plan::new(level, generator, 0.0, 1.0).expect("the bounds are in order");
    Box::new(move |repeats| pool.install(|| timed(|| plan.fill(black_box(out)))(repeats)))
}

impl Table {
    /// Rows 1 and 5: f32 in [0, 1), in a core's cache.
    pub(crate) fn philox_medium(&mut self, one: &ThreadPool) {
        one.install(|| {
            let levels = Level::detect();
            let peers = peers::philox();
            let mut buffers = vec![vec![0.0_f32; MEDIUM]; levels.len() + peers.len()];
            let (own, other) = buffers.split_at_mut(levels.len());
            let mut contestants: Vec<Contestant<'_>> = Vec::new();
            for (&level, out) in levels.iter().zip(own) {
                contestants.push(fill(level, PHILOX, (0.0, 1.0), out));
            }
            for (&(_, peer), out) in peers.iter().zip(other) {
                contestants.push(timed(move || peer(black_box(out), 150, 10)));
            }
            let times = interleaved(&mut contestants);
            for (i, level) in levels.iter().enumerate() {
                let speed = elements_per_second(MEDIUM, times.median(i));
                self.notes.push(format!(
                    "{}: {speed} f32 elements/s, 65,536 at a time",
                    level.name()
                ));
                let fast = level.name().starts_with("avx512");
                for (j, (peer, _)) in peers.iter().enumerate() {
                    let goal = match (level.name(), *peer) {
                        (_, "Random123") if fast => Goal::AtLeast(3.5),
                        ("avx2", "Random123") => Goal::AtLeast(1.5),
                        (_, "MKL") if fast => Goal::AtLeast(1.0),
                        _ => Goal::None,
                    };
                    let ratio = times.ratio(levels.len() + j, i);
                    self.row(
                        format!("Philox f32 65,536: {} over {peer}", level.name()),
                        goal,
                        ratio,
                    );
                }
                if i > 0 {
                    let goal = if fast { Goal::AtLeast(8.0) } else { Goal::None };
                    self.row(
                        format!("Philox f32 65,536: {} over scalar", level.name()),
                        goal,
                        times.ratio(0, i),
                    );
                }
                let avx2 = levels.iter().position(|level| level.name() == "avx2");
                if let (true, Some(avx2)) = (fast, avx2) {
                    self.row(
                        format!("Philox f32 65,536: avx2 over {}", level.name()),
                        Goal::AtLeast(0.4),
                        times.ratio(i, avx2),
                    );
                }
            }
        });
    }

    /// Threefry's words in a core's cache, beside their bound and beside others'.
    pub(crate) fn threefry_medium(&mut self, one: &ThreadPool) {
        one.install(|| {
            for level in Level::detect() {
                let mut own = vec![0; MEDIUM];
                let peers = peers::threefry();
                let mut others = vec![vec![0; MEDIUM]; peers.len()];
                let mut contestants = vec![
                    timed(|| level.fill_threefry(THREEFRY, black_box(&mut own))),
                    timed(|| consume(level.mix_words(MEDIUM / 2))),
                ];
                for (&(_, peer), out) in peers.iter().zip(&mut others) {
                    contestants.push(timed(move || {
                        peer(black_box(out), THREEFRY.key, THREEFRY.counter);
                    }));
                }
                let times = interleaved(&mut contestants);
                let name = level.name();
                if level != Level::scalar() {
                    self.row(
                        format!("Threefry words 65,536: {name} over its instructions alone"),
                        Goal::AtLeast(0.85),
                        times.ratio(1, 0),
                    );
                }
                for (i, (peer, _)) in peers.iter().enumerate() {
                    // The peer has all instructions of this processor.
                    let goal = if level == Level::best() {
                        Goal::AtLeast(1.0)
                    } else {
                        Goal::None
                    };
                    self.row(
                        format!("Threefry words 65,536: {name} over {peer}"),
                        goal,
                        times.ratio(i + 2, 0),
                    );
                }
                let speed = elements_per_second(MEDIUM, times.median(0));
                self.notes
                    .push(format!("{name}: {speed} words of Threefry/s, 65,536 at a time"));
            }
        });
    }

    /// Rows 2, 3 and 6: outputs that no cache holds.
    pub(crate) fn large(&mut self, level: Level, pools: &[ThreadPool; 2]) {
        let [one, two] = pools;
        let mut out = vec![0.0_f32; LARGE];
        let cell = std::cell::RefCell::new(&mut out[..]);
        let with = &|pool: &ThreadPool, run: &(dyn Fn(&mut [f32]) + Sync)| {
            let out: &mut [f32] = &mut cell.borrow_mut();
            pool.install(|| run(out));
        };
        let philox = Plan::new(level, PHILOX, 0.0, 1.0).expect("the bounds are in order");
        let mersenne = Plan::new(level, MT19937, 0.0, 1.0).expect("the bounds are in order");
        let zeros = |out: &mut [f32]| level.store_zeros(bytemuck::cast_slice_mut(out));
        let mut contestants = vec![
            timed(|| with(one, &zeros)),
            timed(|| with(two, &zeros)),
            timed(|| with(one, &|out| philox.fill(out))),
            timed(|| with(two, &|out| philox.fill(out))),
            timed(|| with(one, &|out| mersenne.fill(out))),
            timed(|| one.install(spin)),
            timed(|| consume(two.install(|| rayon::join(spin, spin)))),
        ];
        // MKL alone comes near the store bound.
        let mkl = peers::philox().into_iter().find(|(name, _)| *name == "MKL");
        if let Some((_, peer)) = mkl {
            contestants.push(timed(move || with(one, &move |out| peer(out, 150, 10))));
        }
        let mkl_mersenne = peers::mt19937().into_iter().find(|(name, _)| *name == "MKL");
        if let Some((_, peer)) = mkl_mersenne {
            contestants.push(timed(move || with(one, &move |out| peer(out, 150))));
        }
        let times = interleaved(&mut contestants);
        let name = level.name();
        self.row_short_on_avx2(
            level,
            format!("Philox f32 2^26: {name} over NT1"),
            Goal::AtLeast(0.55),
            times.ratio(0, 2),
            "arithmetic is the bound, at half the width",
        );
        let spin = times.ratio(5, 6).median * 2.0;
        let goal = if spin < 1.85 {
            Goal::None
        } else {
            Goal::AtLeast(1.7)
        };
        self.notes
            .push(format!("two threads spin {spin:.2} times as fast as one"));
        let ratio = times.ratio(2, 3);
        let why = if ratio.most >= 1.7 {
            "rounds differ on a shared host, and the best reach the goal"
        } else {
            ""
        };
        self.row_short_on_avx2(
            level,
            format!("Philox f32 2^26: {name}, two threads over one"),
            goal,
            ratio,
            why,
        );
        self.row(
            format!("stores 2^26: {name}, NT2 over NT1"),
            Goal::None,
            times.ratio(0, 1),
        );
        self.row_short_on_avx2(
            level,
            format!("MT19937 f32 2^26: {name} over NT1"),
            Goal::AtLeast(0.85),
            times.ratio(0, 4),
            "arithmetic is the bound, at half the width",
        );
        if mkl.is_some() {
            self.row(
                format!("Philox f32 2^26: {name} over MKL"),
                Goal::AtLeast(1.25),
                times.ratio(7, 2),
            );
        }
        if mkl_mersenne.is_some() {
            self.row(
                format!("MT19937 f32 2^26: {name} over MKL"),
                Goal::AtLeast(1.5),
                times.ratio(8, 4),
            );
        }
        let bandwidth = format!("{:.1}", 4.0 * 67.108_864 / times.median(0) / 1e3);
        self.notes.push(format!("NT1 of {name} stores {bandwidth} GB/s"));
    }

    /// Row 4: other types and ranges.
    pub(crate) fn types(&mut self, level: Level, one: &ThreadPool) {
        one.install(|| {
            let (mut f32s, mut ranged) = (vec![0.0_f32; MEDIUM], vec![0.0_f32; MEDIUM]);
            let (mut i32s, mut wide_i32s) = (vec![0_i32; MEDIUM], vec![0_i32; MEDIUM]);
            let (mut i64s, mut wide_i64s) = (vec![0_i64; MEDIUM], vec![0_i64; MEDIUM]);
            let (mut f64s, mut divided) = (vec![0.0_f64; MEDIUM], vec![0_u32; MEDIUM]);
            let (mut f16s, mut bf16s) = (vec![f16::ZERO; MEDIUM], vec![bf16::ZERO; MEDIUM]);
            let times = interleaved(&mut [
                fill(level, PHILOX, (0.0, 1.0), &mut f32s),
                fill(level, PHILOX, (-1.5, 7.25), &mut ranged),
                fill(level, PHILOX, (50, 100), &mut i32s),
                fill(level, PHILOX, (i32::MIN, i32::MAX), &mut wide_i32s),
                fill(level, PHILOX, (0.0, 1.0), &mut f64s),
                fill(level, PHILOX, (f16::ZERO, f16::ONE), &mut f16s),
                fill(level, PHILOX, (bf16::ZERO, bf16::ONE), &mut bf16s),
                fill(level, PHILOX, (50, 100), &mut i64s),
                fill(level, PHILOX, (50, 1 << 40), &mut wide_i64s),
                timed(|| divide(black_box(50), black_box(&mut divided))),
            ]);
            let goals = [
                ("f32 [a, b)", 0.85),
                ("i32, divisor 50", 0.75),
                ("i32, divisor 2^32 - 1", 0.5),
                ("f64", 0.47),
                ("f16", 0.85),
                ("bf16", 0.85),
                ("i64, divisor 50", bound_of_i64(level, [8, 13])),
                ("i64, divisor 2^40 - 50", bound_of_i64(level, [6, 10])),
            ];
            for (i, (what, goal)) in goals.into_iter().enumerate() {
                let what = format!(
                    "Philox 65,536, elements/s of {}: {what} over f32 [0, 1)",
                    level.name()
                );
                self.row(what, Goal::AtLeast(goal), times.ratio(0, i + 1));
            }
            let what = format!(
                "Philox 65,536: i32, divisor 50: {} over a block and `%`",
                level.name()
            );
            self.row_short_on_avx2(
                level,
                what,
                Goal::AtLeast(7.0),
                times.ratio(9, 2),
                "half the width",
            );
        });
    }

    /// Row 6: MT19937 in a core's cache.
    pub(crate) fn mt19937_medium(&mut self, level: Level, one: &ThreadPool) {
        one.install(|| {
            for (name, peer) in peers::mt19937() {
                let (mut own, mut other) = (vec![0.0_f32; MEDIUM], vec![0.0_f32; MEDIUM]);
                let times = interleaved(&mut [
                    fill(level, MT19937, (0.0, 1.0), &mut own),
                    timed(|| peer(black_box(&mut other), 150)),
                ]);
                let goal = match name {
                    "std::mt19937" => Goal::AtLeast(7.0),
                    "MKL" => Goal::AtLeast(1.2),
                    _ => Goal::None,
                };
                self.row_short_on_avx2(
                    level,
                    format!("MT19937 f32 65,536: {} over {name}", level.name()),
                    goal,
                    times.ratio(1, 0),
                    "half the width",
                );
            }
        });
    }

    /// Row 7: nine elements, and sizes at which a second thread must not hurt.
    pub(crate) fn latency(&mut self, pools: &[ThreadPool; 2]) {
        let level = Level::best();
        for (name, peer) in peers::philox() {
            let (mut own, mut other) = ([0.0_f32; 9], [0.0_f32; 9]);
            let times = interleaved(&mut [
                fill(level, PHILOX, (0.0, 1.0), &mut own),
                timed(|| peer(black_box(&mut other), 150, 10)),
            ]);
            let goal = if name == "Random123" {
                Goal::AtMost(1.3)
            } else {
                Goal::None
            };
            self.row(
                format!("Philox f32 9: time over {name}'s"),
                goal,
                times.ratio(0, 1),
            );
            self.notes
                .push(format!("Philox f32 9: {:.0} ns", times.median(0) * 1e9));
        }
        for (name, peer) in peers::mt19937() {
            let (mut own, mut other) = ([0.0_f32; 9], [0.0_f32; 9]);
            let times = interleaved(&mut [
                fill(level, MT19937, (0.0, 1.0), &mut own),
                timed(|| peer(black_box(&mut other), 150)),
            ]);
            let goal = if name == "std::mt19937" {
                Goal::AtMost(0.75)
            } else {
                Goal::None
            };
            self.row(
                format!("MT19937 f32 9: time over {name}'s"),
                goal,
                times.ratio(0, 1),
            );
        }
        for bits in [10, 14, 16, 18, 20, 22] {
            let [one, two] = pools;
            let (mut a, mut b) = (vec![0.0_f32; 1 << bits], vec![0.0_f32; 1 << bits]);
            let times = interleaved(&mut [
                fill_in(one, level, PHILOX, &mut a),
                fill_in(two, level, PHILOX, &mut b),
            ]);
            let what = format!("Philox f32 2^{bits}: time with two threads over one");
            self.row(what, Goal::AtMost(1.15), times.ratio(1, 0));
        }
    }

    /// Row 9: Multinomial.
    pub(crate) fn multinomial(&mut self, level: Level, one: &ThreadPool) -> Result<(), Box<dyn Error>> {
        let (cpu, name) = (Cpu::new(level, Limits::default(), || 1), level.name());
        let weights: Vec<f32> = (1..=997_u16).map(f32::from).cycle().take(1_024_000).collect();
        let request = |rows: usize, samples: i64| -> Result<Request, Box<dyn Error>> {
            let dims = [u64::try_from(rows)?, 1000];
            Ok(Request::Multinomial(Multinomial {
                probs: Tensor::from_elements(Shape::new(&dims)?, &weights[..rows * 1000])?,
                num_samples: Tensor::scalar(samples),
                draws: None,
                convert_type: Dtype::I32.into(),
                with_replacement: true,
                log_probs: false,
                global_seed: 1,
                op_seed: 2,
                execution: 0,
            }))
        };
        let (tall, wide, narrow) = (request(1024, 16)?, request(1, 1_000_000)?, request(1024, 1)?);
        one.install(|| {
            let run = |request: &Request| consume(cpu.run(request));
            let mut f32s = vec![0.0_f32; 1_000_000];
            let times = interleaved(&mut [
                timed(|| run(&wide)),
                fill(level, PHILOX, (0.0, 1.0), &mut f32s),
                timed(|| run(&tall)),
                timed(|| consume(black_box(&weights).iter().sum::<f32>())),
                timed(|| consume(sum_of_bits(black_box(&weights)))),
                timed(|| run(&narrow)),
            ]);
            self.row_short_on_avx2(
                level,
                format!("Multinomial 1 x 1000 x 10^6: {name}, time over that of drawing 10^6 f32"),
                Goal::AtMost(6.0),
                times.ratio(0, 1),
                "searches without vectors",
            );
            self.row_short_on_avx2(
                level,
                format!("Multinomial 1024 x 1000 x 16: {name}, time over that of reading the probabilities"),
                Goal::AtMost(5.0),
                times.ratio(2, 4),
                "searches without vectors",
            );
            self.row(
                format!("Multinomial 1024 x 1000 x 16: {name}, time over that of summing them in order"),
                Goal::None,
                times.ratio(2, 3),
            );
            self.row(
                format!("Multinomial 1024 x 1000 x 1: {name}, time over that of reading the probabilities"),
                Goal::None,
                times.ratio(5, 4),
            );
        });
        Ok(())
    }
}

/// Work that touches no memory.
fn spin() {
    consume((0..10_000_000_u64).fold(1, |x: u64, i| {
        black_box(x.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(i))
    }));
}

/// Remainders of the stream's words as a loop without vectors has them: a block at a time, by the CPU's
/// division.
fn divide(divisor: u32, out: &mut [u32]) {
    for (index, out) in (0..).zip(out.chunks_exact_mut(4)) {
        for (out, word) in out.iter_mut().zip(STREAM.block(index)) {
            *out = 50 + word % divisor;
        }
    }
}

/// What i64 should reach of f32's elements per second: 0.85 of what the instructions allow for two vectors of words, as
/// the compiled loops have them without moves and stores, if all take as long. `remainder` is the instructions of a
/// vector's remainders with and without products of 52 bits; one more adds the lower bound.
fn bound_of_i64(level: Level, remainder: [u32; 2]) -> f64 {
    let [words, floats] = if level.name() == "avx2" { [74, 6] } else { [60, 4] };
    let remainder = remainder[usize::from(level.name() != "avx512-ifma")];
    let bound = f64::from(words + floats) / 2.0 / f64::from(words + 2 * (remainder + 1));
    (85.0 * bound).round() / 100.0
}

/// Reads all elements, in whatever order is fastest.
fn sum_of_bits(elements: &[f32]) -> u32 {
    elements.iter().fold(0, |sum, x| sum ^ x.to_bits())
}

fn elements_per_second(count: usize, seconds: f64) -> String {
    let count = u32::try_from(count).expect("sizes here are small");
    format!("{:.2}e9", f64::from(count) / seconds / 1e9)
}
