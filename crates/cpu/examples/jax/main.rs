//! How fast JAX's Threefry is drawn in both orders, on one thread: beside its instructions alone, and beside JAX.
//!
//! `cargo run --release -p seedproof-cpu --example jax [PYTHON]`, where PYTHON is an interpreter that has jax. It prints a
//! table for `reports/performance.md`: medians of interleaved ratios, and the least and the most.

#[path = "../ratios/measure.rs"]
mod measure;
#[path = "../ratios/peer.rs"]
mod peer;

use std::cell::RefCell;
use std::error::Error;
use std::hint::black_box;

use measure::{Contestant, interleaved, timed};
use peer::Peer;
use seedproof_cpu::{Cpu, Level};
use seedproof_ops::{Backend, Dtype, JaxBits, JaxKeyImpl, JaxUniform, Limits, Request, Tensor};

/// Both ops of f32 and u32, each with the number of blocks that `count` elements take.
fn requests(partitionable: bool, count: u32) -> [(&'static str, Request, u32); 2] {
    let key = Tensor::vector(&[0_u32, 150]);
    let blocks = if partitionable { count } else { count / 2 };
    let output_sizes = vec![u64::from(count)];
    let bits = JaxBits {
        implementation: JaxKeyImpl::Threefry2x32.into(),
        partitionable,
        output_type: Dtype::U32.into(),
        output_sizes: output_sizes.clone(),
        key: key.clone(),
    };
    let uniform = JaxUniform {
        implementation: JaxKeyImpl::Threefry2x32.into(),
        partitionable,
        output_type: Dtype::F32.into(),
        output_sizes,
        key,
        minval: Tensor::scalar(0.0_f32),
        maxval: Tensor::scalar(1.0_f32),
    };
    [
        ("bits u32", Request::JaxBits(bits), blocks),
        ("uniform f32", Request::JaxUniform(uniform), blocks),
    ]
}

fn main() -> Result<(), Box<dyn Error>> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build()?;
    println!("| JAX's Threefry, one thread | median | spread | elements/s, 10^9 |\n|---|---|---|---|");
    let mut versions = Vec::new();
    let python = std::env::args().nth(1);
    for (order, package, partitionable) in [
        ("partitionable", "jax", true),
        ("original", "jax-original", false),
    ] {
        let peer = python
            .as_ref()
            .map(|python| Peer::start(python, include_str!("../normals/peer.py"), &[package]))
            .transpose()?;
        versions.extend(peer.as_ref().map(|peer| peer.version.clone()));
        let peer = peer.map(RefCell::new);
        for (name, count) in [("65,536", 1_u32 << 16), ("2^24", 1 << 24)] {
            for (op, request, blocks) in requests(partitionable, count) {
                let elements = usize::try_from(count)?;
                let out = RefCell::new(vec![0; 4 * elements]);
                let levels = Level::detect();
                let mut contestants: Vec<Contestant<'_>> = Vec::new();
                for &level in &levels {
                    let cpu = Cpu::new(level, Limits::default(), || 1);
                    let (pool, request, out) = (&pool, &request, &out);
                    contestants.push(timed(move || {
                        let out: &mut [u8] = &mut out.borrow_mut();
                        let more = pool.install(|| cpu.fill(request, out));
                        drop(black_box(more));
                    }));
                    let blocks = usize::try_from(blocks)?;
                    contestants.push(timed(move || {
                        black_box(level.mix_words(blocks));
                    }));
                }
                if let Some(peer) = peer.as_ref().filter(|_| op == "bits u32") {
                    contestants.push(Box::new(|repeats| {
                        let time = peer.borrow_mut().time(elements, repeats);
                        time.expect("the peer answers")
                    }));
                }
                let times = interleaved(&mut contestants);
                let row = |what: String, ratio: measure::Ratio, own: usize| {
                    println!(
                        "| {op}, {order}, {name}: {what} | {:.2} | {:.2} to {:.2} | {:.3} |",
                        ratio.median,
                        ratio.least,
                        ratio.most,
                        f64::from(count) / (1e9 * times.median(own)),
                    );
                };
                for (i, level) in levels.iter().enumerate() {
                    if *level != Level::scalar() {
                        let what = format!("{} over its instructions alone", level.name());
                        row(what, times.ratio(2 * i + 1, 2 * i), 2 * i);
                    }
                    if contestants.len() > 2 * levels.len() {
                        row(
                            format!("{} over jax", level.name()),
                            times.ratio(2 * levels.len(), 2 * i),
                            2 * i,
                        );
                    }
                }
            }
        }
    }
    versions.dedup();
    println!("\n{}", versions.join("; "));
    Ok(())
}
