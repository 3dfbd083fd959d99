//! Throughput and latency of fills, by level, type and size, beside the peers.

mod peers;

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use half::{bf16, f16};
use seedproof_cpu::{Generator, Level, Philox, Plan, Threefry, Value};

fn main() {
    divan::main();
}

const SIZES: [usize; 4] = [9, 1024, 65_536, 1 << 26];
const PHILOX: Generator = Generator::Philox(Philox {
    key: 150,
    counter: 10 << 64,
});
const THREEFRY: Threefry = Threefry {
    key: 150,
    counter: 10,
};
const MT19937: Generator = Generator::Mt19937 { seed: 150 };

fn bench<T: Value>(bencher: Bencher<'_, '_>, generator: Generator, size: usize, minval: T, maxval: T) {
    let plan = Plan::new(Level::best(), generator, minval, maxval).expect("the bounds are in order");
    let mut out = vec![minval; size];
    bencher
        .counter(ItemsCount::new(size))
        .bench_local(|| plan.fill(black_box(&mut out)));
}

macro_rules! types {
    ($($name:ident: $generator:ident, $minval:expr, $maxval:expr;)*) => {$(
        #[divan::bench(args = SIZES)]
        fn $name(bencher: Bencher<'_, '_>, size: usize) {
            bench(bencher, $generator, size, $minval, $maxval);
        }
    )*};
}

types! {
    philox_f16: PHILOX, f16::ZERO, f16::ONE;
    philox_bf16: PHILOX, bf16::ZERO, bf16::ONE;
    philox_f32: PHILOX, 0.0_f32, 1.0;
    philox_f32_range: PHILOX, -1.5_f32, 7.25;
    philox_f64: PHILOX, 0.0_f64, 1.0;
    philox_i32: PHILOX, 50_i32, 100;
    philox_i64: PHILOX, 50_i64, 100;
    mt19937_f16: MT19937, f16::ZERO, f16::ONE;
    mt19937_bf16: MT19937, bf16::ZERO, bf16::ONE;
    mt19937_f32: MT19937, 0.0_f32, 1.0;
    mt19937_f64: MT19937, 0.0_f64, 1.0;
    mt19937_i32: MT19937, 50_i32, 100;
    mt19937_i64: MT19937, 50_i64, 1 << 40;
}

#[divan::bench(args = SIZES)]
fn peers_philox_f32(bencher: Bencher<'_, '_>, size: usize) {
    let mut out = vec![0.0; size];
    let peers = peers::philox();
    let (_, fill) = peers.last().expect("there is a peer");
    bencher
        .counter(ItemsCount::new(size))
        .bench_local(|| fill(black_box(&mut out), 150, 10));
}

#[divan::bench(args = SIZES)]
fn threefry_words(bencher: Bencher<'_, '_>, size: usize) {
    let mut out = vec![0; size];
    bencher
        .counter(ItemsCount::new(size))
        .bench_local(|| Level::best().fill_threefry(THREEFRY, black_box(&mut out)));
}

#[divan::bench(args = SIZES)]
fn peers_threefry_words(bencher: Bencher<'_, '_>, size: usize) {
    let mut out = vec![0; size];
    let Some((_, fill)) = peers::threefry().pop() else {
        return;
    };
    bencher
        .counter(ItemsCount::new(size))
        .bench_local(|| fill(black_box(&mut out), THREEFRY.key, THREEFRY.counter));
}

#[divan::bench(args = SIZES)]
fn peers_mt19937_f32(bencher: Bencher<'_, '_>, size: usize) {
    let mut out = vec![0.0; size];
    let peers = peers::mt19937();
    let (_, fill) = peers.last().expect("there is a peer");
    bencher
        .counter(ItemsCount::new(size))
        .bench_local(|| fill(black_box(&mut out), 150));
}
