//! How fast normals are drawn beside those of PyTorch, TensorFlow and MKL, on one thread.
//!
//! `cargo run --release -p seedproof-cpu --example normals torch=PYTHON tensorflow=PYTHON mkl=PYTHON mkl-mt19937=PYTHON`, where each
//! PYTHON is an interpreter that has the package. MKL's normals are those of Box-Muller, from Philox beside ours of TensorFlow and from
//! MT19937 beside ours of PyTorch. It prints a table for `reports/performance.md`: medians of interleaved ratios, and the least and the
//! most.

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
use seedproof_ops::{Attribute, Backend, Dtype, Limits, Request, StatelessRandomNormal, Tensor, TorchNormal};

/// The request that a package answers, of `count` elements.
fn request(package: &str, count: u32) -> Result<Request, Box<dyn Error>> {
    let output_type = Attribute::from(Dtype::F32);
    Ok(match package {
        "torch" | "mkl-mt19937" => Request::TorchNormal(TorchNormal {
            output_type,
            output_sizes: vec![u64::from(count)],
            seed: 150,
            mean: Tensor::scalar(0.0_f64),
            std: Tensor::scalar(1.0_f64),
            execution: 0,
        }),
        "tensorflow" | "mkl" => Request::StatelessRandomNormal(StatelessRandomNormal {
            output_type,
            shape: Tensor::vector(&[i64::from(count)]),
            key: Tensor::vector(&[150_u64]),
            counter: Tensor::vector(&[0_u64, 10]),
            alg: Tensor::scalar(1_i32),
        }),
        other => return Err(format!("`{other}` is none of torch, tensorflow, mkl and mkl-mt19937").into()),
    })
}

fn main() -> Result<(), Box<dyn Error>> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build()?;
    println!("| normals of f32, one thread | median | spread | elements/s, 10^9 |\n|---|---|---|---|");
    let mut versions = Vec::new();
    for argument in std::env::args().skip(1) {
        let (package, python) = argument
            .split_once('=')
            .ok_or("an argument has the form PACKAGE=PYTHON")?;
        let peer = RefCell::new(Peer::start(python, include_str!("peer.py"), &[package])?);
        versions.push(peer.borrow().version.clone());
        for (name, count) in [("65,536", 1_u32 << 16), ("2^24", 1 << 24)] {
            let request = request(package, count)?;
            let elements = usize::try_from(count)?;
            let cpus: Vec<Cpu> = Level::detect()
                .into_iter()
                .map(|level| Cpu::new(level, Limits::default(), || 1))
                .collect();
            let theirs: Contestant<'_> = Box::new(|repeats| {
                peer.borrow_mut()
                    .time(elements, repeats)
                    .expect("the peer answers")
            });
            let ours = cpus.iter().map(|cpu| {
                let (pool, request) = (&pool, &request);
                let mut out = vec![0; 4 * elements];
                timed(move || {
                    let more = pool.install(|| cpu.fill(request, &mut out));
                    drop(black_box(more));
                })
            });
            let times = interleaved(&mut std::iter::once(theirs).chain(ours).collect::<Vec<_>>());
            for (i, cpu) in cpus.iter().enumerate() {
                let ratio = times.ratio(0, i + 1);
                println!(
                    "| {name}: {} over {package} | {:.2} | {:.2} to {:.2} | {:.3} |",
                    cpu.level().name(),
                    ratio.median,
                    ratio.least,
                    ratio.most,
                    f64::from(count) / (1e9 * times.median(i + 1)),
                );
            }
        }
    }
    println!("\n{}", versions.join("; "));
    Ok(())
}
