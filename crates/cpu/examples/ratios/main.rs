//! The table of ratios: every comparison interleaved, medians of fifteen rounds with their spread; then
//! throughput by size, type and number of threads. Prints them, and writes
//! `reports/performance.{md,svg,jsonl}`.
//!
//! `cargo run --release -p seedproof-cpu --features peers --example ratios [PYTHON]`, where PYTHON is an
//! interpreter that has the package openvino. With `MKLROOT` set, MKL is a peer too.

#[path = "../../benches/peers.rs"]
mod peers;

mod comparisons;
mod measure;
mod openvino;
mod table;
mod throughput;

use std::error::Error;
use std::hint::black_box;
use std::path::Path;

use measure::ROUNDS;
use seedproof_cpu::{Generator, Philox, Threefry, absent};
use table::Table;

const STREAM: Philox = Philox {
    key: 150,
    counter: 10 << 64,
};
const PHILOX: Generator = Generator::Philox(STREAM);
const MT19937: Generator = Generator::Mt19937 { seed: 150 };
const THREEFRY: Threefry = Threefry {
    key: 150,
    counter: 10,
};
const MEDIUM: usize = 65_536;
const LARGE: usize = 1 << 26;

fn main() -> Result<(), Box<dyn Error>> {
    let pool = |threads| rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    let pools = [pool(1)?, pool(2)?];
    let mut table = Table::default();
    table.philox_medium(&pools[0]);
    table.threefry_medium(&pools[0]);
    table.large(&pools);
    table.types(&pools[0]);
    table.mt19937_medium(&pools[0]);
    table.latency(&pools);
    table.multinomial(&pools[0])?;
    match std::env::args_os().nth(1) {
        Some(python) => table.openvino(&python)?,
        None => table
            .notes
            .push("OpenVINO is absent: no interpreter was named".to_owned()),
    }
    for (name, reason) in absent() {
        table.notes.push(format!("{name} is absent: {reason}"));
    }
    if !cfg!(feature = "peers") {
        let note = "Random123 and std::mt19937 are absent: built without `peers`";
        table.notes.push(note.to_owned());
    }
    if !cfg!(mkl) {
        table
            .notes
            .push("MKL is absent: built without MKLROOT".to_owned());
    }

    let throughput = throughput::measure(&pools);
    let reports = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../reports"));
    std::fs::write(reports.join("performance.jsonl"), throughput.json_lines())?;
    throughput.plot(&reports.join("performance.svg"))?;
    let report = format!("{}{}\n{}", head(), table.markdown(), throughput.markdown());
    print!("{report}");
    let path = reports.join("performance.md");
    let before = std::fs::read_to_string(&path)?;
    let python = before.find(PYTHON).map_or("", |at| &before[at..]);
    std::fs::write(&path, format!("{report}\n{python}").trim_end().to_owned() + "\n")?;
    Ok(())
}

/// The heading of the report's last section, whose figures `python/measure.py` prints.
const PYTHON: &str = "## The Python package";

fn head() -> String {
    format!(
        "# Performance\n\nCPU: {}\n\n\
         `MKLROOT=FOLDER cargo run --release -p seedproof-cpu --features peers --example ratios PYTHON`\n\n\
         Ratios of times, interleaved: medians of {ROUNDS} rounds, and the least and the most. NT1 and NT2 are the \
         store bound, `Level::store_zeros`, with one and two threads. One thread where nothing else is said.\n\n",
        cpu_model()
    )
}

fn consume<T>(result: T) {
    drop(black_box([result]));
}

/// The CPU's name, as Linux gives it.
fn cpu_model() -> String {
    let info = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let name = |key: &str| {
        let line = info.lines().find(|line| line.starts_with(key))?;
        line.split_once(": ").map(|(_, value)| value.to_owned())
    };
    match name("model name") {
        Some(model) => format!(
            "{model}, family {} model {}, {} CPUs",
            name("cpu family").unwrap_or_default(),
            name("model\t\t").unwrap_or_default(),
            std::thread::available_parallelism().map_or(1, usize::from),
        ),
        None => "unknown".to_owned(),
    }
}
