//! Fills by the kernels that ship and by others, on each adapter: `cargo bench -p seedproof-gpu`.
//!
//! The native kernel computes in the device's own f32, which no kernel that ships may do: WGSL promises
//! neither its rounding nor its subnormals. The zero kernel writes zeros, so that it is bound by memory
//! alone.

use std::time::Instant;

use seedproof_gpu::{Gpu, Kernels, adapters};
use seedproof_ops::{Alignment, Backend, Dtype, Limits, RandomUniform, Request, Scalar};

/// Elements of a fill.
const COUNT: i64 = 1 << 24;
/// Fills per timing, and timings, of which the fastest counts.
const TIMES: u32 = 5;
const ROUNDS: usize = 3;

fn request(dtype: Dtype, bounds: [u64; 2], alignment: Alignment) -> Request {
    let bounds = bounds.map(|bits| Scalar::new(dtype, bits));
    Request::RandomUniform(RandomUniform::new(alignment, &[COUNT], bounds, [150, 10]))
}

/// The kernels with the device's own f32.
fn native() -> Kernels {
    Kernels::shipped().with("rule.wgsl", |text| {
        text.replace(
            "return scale32(x, fill.range.x, fill.min.x);",
            "let unit = bitcast<f32>(0x3f800000u | (word & 0x7fffffu)) - 1.0;
            return bitcast<u32>(unit * bitcast<f32>(fill.range.x) + bitcast<f32>(fill.min.x));",
        )
    })
}

/// The kernels that only write.
fn zeros() -> Kernels {
    Kernels::shipped().with("stream.wgsl", |text| {
        text.replace(
            "return block(skip(origin.counter, index * origin.step), origin.key);",
            "return vec4<u32>(0u);",
        )
    })
}

/// Millions of elements per second: of the kernels alone, and with the way to the host.
fn speed(gpu: &Gpu, request: &Request) -> Result<[f64; 2], seedproof_ops::Failure> {
    #[expect(clippy::cast_precision_loss, reason = "2^24 is exact")]
    let millions = COUNT as f64 / 1e6;
    let mut best = [0.0_f64; 2];
    gpu.repeat(request, 1)?;
    for _ in 0..ROUNDS {
        let start = Instant::now();
        gpu.repeat(request, TIMES)?;
        best[0] = best[0].max(millions * f64::from(TIMES) / start.elapsed().as_secs_f64());
        let start = Instant::now();
        gpu.run(request)?;
        best[1] = best[1].max(millions / start.elapsed().as_secs_f64());
    }
    Ok(best)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let f32s = request(Dtype::F32, [0xbfc0_0000, 0x4000_0000], Alignment::Tensorflow);
    for adapter in adapters() {
        let open = |kernels| Gpu::with_kernels(adapter, kernels, Limits::default(), || 0);
        let (shipped, native, zeros) = (open(Kernels::shipped())?, open(native())?, open(zeros())?);
        println!("{}\n", shipped.description());
        println!("| 2^24 elements | kernel, M/s | with readback, M/s |\n|---|---|---|");
        let line = |name: &str, [kernel, whole]: [f64; 2]| println!("| {name} | {kernel:.1} | {whole:.1} |");
        let words = request(Dtype::I32, [0, 0x7fff_ffff], Alignment::Tensorflow);
        let ours = speed(&shipped, &f32s)?;
        let theirs = speed(&native, &f32s)?;
        line("f32 TENSORFLOW", ours);
        line("f32 TENSORFLOW, native arithmetic", theirs);
        line("i32 TENSORFLOW", speed(&shipped, &words)?);
        line("i32 of zeros (bound by memory)", speed(&zeros, &words)?);
        for (name, dtype, bounds, alignment) in [
            (
                "f16 TENSORFLOW",
                Dtype::F16,
                [0xbe00, 0x4000],
                Alignment::Tensorflow,
            ),
            (
                "f64 TENSORFLOW",
                Dtype::F64,
                [0, 0x4000_0000_0000_0000],
                Alignment::Tensorflow,
            ),
            ("i64 TENSORFLOW", Dtype::I64, [0, 1000], Alignment::Tensorflow),
            (
                "f32 PYTORCH",
                Dtype::F32,
                [0xbfc0_0000, 0x4000_0000],
                Alignment::Pytorch,
            ),
        ] {
            line(name, speed(&shipped, &request(dtype, bounds, alignment))?);
        }
        println!(
            "\nf32 of native: kernel {:.0} %, with readback {:.0} %\n",
            100.0 * ours[0] / theirs[0],
            100.0 * ours[1] / theirs[1]
        );
    }
    Ok(())
}
