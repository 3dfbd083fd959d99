//! The sequences of `transcend` against the real functions: this machine's C library and jax's, on every input of the
//! proof.
//!
//! `SEEDPROOF_WRITE_DIGESTS=1` writes the digests of the real functions' results into `crates/transcend/tests/digests`.
//! Without it they are compared with what is committed, so that another version of a library is noticed.

use std::fs;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;

use seedproof_transcend::log;
use seedproof_transcend::proof::{BLOCK, SEQUENCES, Sequence};
use sha2::{Digest, Sha256};

/// The folder of this package.
const HERE: &str = env!("CARGO_MANIFEST_DIR");

/// The results of the real function for these inputs, as the bytes of a program's output.
fn real(program: &[PathBuf], function: &str, inputs: Vec<u8>) -> Vec<u8> {
    let mut child = Command::new(&program[0])
        .args(&program[1..])
        .arg(function)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap_or_else(|error| panic!("{}: {error}", program[0].display()));
    let mut stdin = child.stdin.take().expect("standard input is piped");
    let mut stdout = child.stdout.take().expect("standard output is piped");
    // The program answers while it still reads, and a pipe holds far less than a set.
    let writer = thread::spawn(move || stdin.write_all(&inputs));
    let mut results = Vec::new();
    stdout
        .read_to_end(&mut results)
        .expect("the program's output can be read");
    writer
        .join()
        .expect("no panic")
        .expect("the program reads its input");
    assert!(child.wait().expect("the program ends").success());
    results
}

/// Compares a sequence with the real function, and both with the committed digests.
fn prove(library: &str, program: &[PathBuf]) {
    let version = String::from_utf8(real(program, "version", Vec::new())).expect("a version is text");
    for sequence in SEQUENCES
        .iter()
        .filter(|sequence| sequence.name.starts_with(library))
    {
        let (count, text) = compare(sequence, program, version.trim());
        let file = Path::new(HERE)
            .join("../crates/transcend/tests/digests")
            .join(format!("{}.txt", sequence.name));
        if std::env::var("SEEDPROOF_WRITE_DIGESTS").is_ok_and(|value| !["", "0"].contains(&value.as_str())) {
            fs::write(&file, text).expect("the digests can be written");
        } else {
            let committed = fs::read_to_string(&file).expect("the digests can be read");
            let digests = |text: &str| -> Vec<String> {
                text.lines()
                    .filter(|line| !line.starts_with('#'))
                    .map(str::to_owned)
                    .collect()
            };
            assert_eq!(digests(&text), digests(&committed), "{}", sequence.name);
        }
        println!("{}: {count} inputs, {}", sequence.name, version.trim());
    }
}

/// The number of inputs that were compared, and the file of digests.
fn compare(sequence: &Sequence, program: &[PathBuf], version: &str) -> (usize, String) {
    let (_, function) = sequence.name.split_once('-').expect("a library and a function");
    let mut text = format!(
        "# {}: SHA-256 of the results of {version}, per {BLOCK} inputs.\n",
        sequence.name
    );
    let mut count = 0;
    for set in sequence.sets {
        text.push_str(&format!("# {}\n", set.what));
        let inputs: Vec<f32> = set.blocks().flatten().collect();
        let bytes = inputs.iter().flat_map(|x| x.to_le_bytes()).collect();
        let results = real(program, function, bytes);
        assert_eq!(
            results.len(),
            4 * inputs.len(),
            "{}: a result per input",
            sequence.name
        );
        for (&x, result) in inputs.iter().zip(results.as_chunks().0) {
            let (ours, real) = ((sequence.function)(x), f32::from_le_bytes(*result));
            assert_eq!(
                ours.to_bits(),
                real.to_bits(),
                "{} of {x:e}: {ours:e}, not {real:e}",
                sequence.name
            );
        }
        for block in results.chunks(4 * usize::try_from(BLOCK).expect("2^20 fits")) {
            text.push_str(&data_encoding::HEXLOWER.encode(&Sha256::digest(block)));
            text.push('\n');
        }
        count += inputs.len();
    }
    (count, text)
}

/// `logf`, `sinf` and `cosf` of `transcend` equal this machine's glibc on all 348 million inputs that an op reaches.
#[test]
#[ignore = "slow: every input, and it needs a C compiler and glibc"]
fn libm_of_glibc_is_the_sequence_on_every_input() {
    prove("glibc", &[glibc("glibc")]);
}

/// This machine's `log` returns one of the two floats that `transcend` expects, on 2^27 sums of squares as
/// `numpy.RandomState.randn` draws them.
#[test]
#[ignore = "slow: a hundred million inputs, and it needs a C compiler and glibc"]
fn libm_of_glibc_has_a_logarithm_among_the_candidates() {
    let program = [glibc("glibc-log")];
    let mut state = 42_u64;
    let mut number = || {
        // SplitMix64.
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (state ^ state >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        let [high, low] = [z >> 32, z & 0xffff_ffff].map(|half| u32::try_from(half).expect("32 bits"));
        2.0 * (f64::from(high >> 5) * 67_108_864.0 + f64::from(low >> 6)) / 9_007_199_254_740_992.0 - 1.0
    };
    let (mut open, mut second, mut furthest) = (0_u32, 0_u32, [0.0_f64; 2]);
    for _ in 0..128 {
        let squares = std::iter::repeat_with(|| [number(), number()].map(|x| x * x).iter().sum::<f64>());
        let squares: Vec<f64> = squares
            .filter(|&square| square > 0.0 && square < 1.0)
            .take(1 << 20)
            .collect();
        let inputs = squares.iter().flat_map(|x| x.to_le_bytes()).collect();
        let results = real(&program, "log", inputs);
        assert_eq!(results.len(), 8 * squares.len());
        for (&x, result) in squares.iter().zip(results.as_chunks().0) {
            let (candidates, real) = (log::candidates(x), f64::from_le_bytes(*result));
            assert!(
                candidates.contains(&real),
                "log of {x:e}: {real:e}, not {candidates:?}"
            );
            open += u32::from(candidates[0].to_bits() != candidates[1].to_bits());
            if real.to_bits() != candidates[0].to_bits() {
                second += 1;
                let exact = log::logarithm(x);
                let to_the_middle = (real - exact.high).abs() / 2.0 - exact.low.abs();
                let furthest = &mut furthest[usize::from(x < 0.9375)];
                *furthest = furthest.max(to_the_middle / log::errors(x, exact.high));
            }
        }
    }
    println!(
        "log of {} numbers: {open} have two candidates, {second} are the second one; errors reach {:.3} of those allowed near 1 \
         and {:.3} elsewhere",
        128 << 20,
        furthest[0],
        furthest[1]
    );
}

/// The program that calls glibc, compiled under this name.
fn glibc(name: &str) -> PathBuf {
    let program = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let compiled = Command::new("cc")
        .args(["-O1", "-fno-builtin", "-o"])
        .arg(&program)
        .arg(Path::new(HERE).join("libm/glibc.c"))
        .arg("-lm")
        .status();
    assert!(compiled.expect("a C compiler is installed").success());
    program
}

/// XLA's `log`, `log1p` and `erf_inv` of `transcend` equal jax's on all 42 million inputs that an op reaches.
#[test]
#[ignore = "slow: every input, and it needs jax"]
fn libm_of_xla_is_the_sequence_on_every_input() {
    prove("xla", &["python3".into(), Path::new(HERE).join("libm/xla.py")]);
}

/// `logf`, `log1pf`, `sin.approx.f32` and `cos.approx.f32` of `transcend` equal a GPU's on all 365 million inputs that an op
/// reaches.
#[test]
#[ignore = "slow: every input, and it needs a GPU of NVIDIA and CuPy"]
fn libm_of_cuda_is_the_sequence_on_every_input() {
    prove(
        "cuda",
        &["python3".into(), Path::new(HERE).join("libm/nvidia.py")],
    );
}
