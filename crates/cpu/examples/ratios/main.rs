//! The table of ratios: every comparison interleaved, medians of fifteen rounds with their spread; then
//! throughput by size, type and number of threads. Prints them, and writes them into the section of this CPU in
//! `reports/performance.md`, and into `reports/performance-CPU.{svg,jsonl}`.
//!
//! `cargo run --release -p seedproof-cpu --features peers --example ratios [PYTHON]`, where PYTHON is an
//! interpreter that has the package openvino. With `MKLROOT` set, MKL is a peer too.

#[path = "../../benches/peers.rs"]
mod peers;

mod comparisons;
mod measure;
mod memory;
mod openvino;
mod peer;
mod table;
mod throughput;

use std::error::Error;
use std::hint::black_box;
use std::path::Path;

use seedproof_cpu::{Generator, Level, Philox, Threefry, absent};
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
    // AVX2 and the fastest level side by side.
    let mut levels: Vec<Level> = Level::avx2().into_iter().chain([Level::best()]).collect();
    levels.dedup();
    for &level in &levels {
        table.large(level, &pools);
        table.types(level, &pools[0]);
        table.mt19937_medium(level, &pools[0]);
        table.multinomial(level, &pools[0])?;
    }
    table.latency(&pools);
    table.memory();
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
    let cpu = cpu_model();
    let stem = format!("performance-{}", file_name(&cpu));
    std::fs::write(reports.join(format!("{stem}.jsonl")), throughput.json_lines())?;
    throughput.plot(&reports.join(format!("{stem}.svg")))?;
    let section = format!(
        "## {}\n\n{}\n{}",
        cpu,
        table.markdown(),
        throughput.markdown(&stem)
    );
    print!("{section}");
    let path = reports.join("performance.md");
    std::fs::write(
        &path,
        with_section(&std::fs::read_to_string(&path)?, section.trim_end()),
    )?;
    Ok(())
}

/// A report with this section in place of the one that has its heading, or before the others if none has.
fn with_section(report: &str, section: &str) -> String {
    let heading = |section: &str| section.lines().next().map(str::to_owned);
    let mut sections: Vec<String> = report
        .trim_end()
        .split("\n## ")
        .enumerate()
        .map(|(i, text)| format!("{}{}", if i == 0 { "" } else { "## " }, text.trim_end()))
        .collect();
    match sections.iter_mut().find(|old| heading(old) == heading(section)) {
        Some(old) => section.clone_into(old),
        // The first compares them all.
        None => sections.insert(2.min(sections.len()), section.to_owned()),
    }
    sections.join("\n\n") + "\n"
}

fn consume<T>(result: T) {
    drop(black_box([result]));
}

/// A CPU's name without the number of CPUs, as a part of a file's.
fn file_name(cpu: &str) -> String {
    let name = cpu.rsplit_once(", ").map_or(cpu, |(name, _)| name).to_lowercase();
    let words: Vec<&str> = name
        .split(|c: char| !c.is_ascii_alphanumeric())
        .filter(|word| !word.is_empty())
        .collect();
    words.join("-")
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
