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
    let program = Path::new(env!("CARGO_TARGET_TMPDIR")).join("glibc");
    let compiled = Command::new("cc")
        .args(["-O1", "-fno-builtin", "-o"])
        .arg(&program)
        .arg(Path::new(HERE).join("libm/glibc.c"))
        .arg("-lm")
        .status();
    assert!(compiled.expect("a C compiler is installed").success());
    prove("glibc", &[program]);
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
