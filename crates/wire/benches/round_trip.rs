//! What the protocol costs: round trips through a child process that answers at once, against a plain pipe.
//!
//! The child is the example `misbehaving`, which here behaves. For times that do not depend on where the scheduler puts
//! the two processes, run on one processor:
//! `cargo build --release -p seedproof-wire --examples && taskset -c 0 cargo bench -p seedproof-wire`

use std::io::{Read, Write};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use divan::Bencher;
use divan::counter::BytesCount;
use seedproof_ops::{Alignment, Backend, RandomUniform, Request};
use seedproof_wire::{AdapterBackend, AdapterCommand, Options};

fn main() {
    divan::main();
}

/// f32 elements of the small and of the large output: 4 KiB and 64 MiB.
const SMALL: usize = 1 << 10;
const LARGE: usize = 16 << 20;

fn program() -> PathBuf {
    let bench = std::env::current_exe().expect("a bench knows its program");
    let folder = bench
        .ancestors()
        .nth(2)
        .expect("benches are in target/PROFILE/deps");
    let program = folder
        .join("examples")
        .join(format!("misbehaving{}", std::env::consts::EXE_SUFFIX));
    assert!(
        program.is_file(),
        "build it first: cargo build --release -p seedproof-wire --examples"
    );
    program
}

fn request(count: usize) -> Request {
    let count = i64::try_from(count).expect("a small count");
    let request = RandomUniform::new(Alignment::Tensorflow, &[count], [0.0_f32, 1.0], [1, 2]);
    Request::RandomUniform(request)
}

fn adapter(bencher: Bencher<'_, '_>, framing: &str, count: usize) {
    let command = AdapterCommand::new([program().into_os_string(), "good".into(), framing.into()]);
    let options = Options {
        deadline: Duration::from_mins(1),
        ..Options::default()
    };
    let adapter = AdapterBackend::start(command.expect("it has a program"), options).expect("it starts");
    let request = request(count);
    bencher
        .counter(BytesCount::new(count * 4))
        .bench_local(|| adapter.run(&request).expect("it answers"));
}

/// The same number of bytes from a child, for the eight that ask for them.
fn pipe(bencher: Bencher<'_, '_>, bytes: usize) {
    struct Ended(Child);

    impl Drop for Ended {
        fn drop(&mut self) {
            drop(self.0.stdin.take());
            let _ = self.0.wait();
        }
    }

    let mut command = Command::new(program());
    command.arg("pipe").stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = Ended(command.spawn().expect("it starts"));
    let length = u64::try_from(bytes).expect("a small count").to_le_bytes();
    let mut stdin = child.0.stdin.take().expect("it is piped");
    let mut stdout = child.0.stdout.take().expect("it is piped");
    bencher.counter(BytesCount::new(bytes)).bench_local(|| {
        stdin.write_all(&length).expect("it reads");
        let mut copy = Vec::with_capacity(bytes);
        stdout
            .by_ref()
            .take(u64::from_le_bytes(length))
            .read_to_end(&mut copy)
            .expect("it writes");
        copy
    });
    drop(stdin);
}

#[divan::bench]
fn lines_4_kib(bencher: Bencher<'_, '_>) {
    adapter(bencher, "lines", SMALL);
}

#[divan::bench]
fn frames_4_kib(bencher: Bencher<'_, '_>) {
    adapter(bencher, "frames", SMALL);
}

#[divan::bench]
fn pipe_4_kib(bencher: Bencher<'_, '_>) {
    pipe(bencher, SMALL * 4);
}

#[divan::bench(sample_count = 10, sample_size = 1)]
fn lines_64_mib(bencher: Bencher<'_, '_>) {
    adapter(bencher, "lines", LARGE);
}

#[divan::bench(sample_count = 10, sample_size = 1)]
fn frames_64_mib(bencher: Bencher<'_, '_>) {
    adapter(bencher, "frames", LARGE);
}

#[divan::bench(sample_count = 10, sample_size = 1)]
fn pipe_64_mib(bencher: Bencher<'_, '_>) {
    pipe(bencher, LARGE * 4);
}
