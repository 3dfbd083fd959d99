//! Writes what each target begins with into `corpus/`: small files of the corpus, requests and replies as the program
//! itself writes them, an event log of a real run, queries and dumps of the documents.

use std::error::Error;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use seedproof_ops::Backend as _;
use seedproof_wire::{AdapterBackend, AdapterCommand, Options};

/// A file of the corpus is cut into single cases up to this many.
const CASES: usize = 24;

type Done = Result<(), Box<dyn Error>>;

fn main() -> Done {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let corpus = folder.join("corpus");
    yaml(&corpus.join("yaml"))?;
    conversations(folder, &corpus)?;
    documents(folder, &corpus)?;
    models(&corpus.join("model"))?;
    write(&corpus.join("agree"), "zeros", &[0; 4096])?;
    let counted: Vec<u8> = (0..16_384_u32).flat_map(|i| i.wrapping_mul(2_654_435_761).to_le_bytes()).collect();
    for (index, bytes) in counted.chunks(4096).enumerate() {
        write(&corpus.join("agree"), &format!("counted-{index}"), bytes)?;
    }
    Ok(())
}

fn write(folder: &Path, name: &str, bytes: &[u8]) -> Done {
    fs::create_dir_all(folder)?;
    Ok(fs::write(folder.join(name), bytes)?)
}

/// Cases in files of one, in canonical form.
fn yaml(folder: &Path) -> Done {
    for file in seedproof::corpus().files() {
        let step = file.cases.len().div_ceil(CASES).max(1);
        for (index, case) in file.cases.iter().enumerate().step_by(step) {
            let mut one = file.clone();
            one.cases = vec![case.clone()];
            let name = format!("{}-{index}.yaml", file.name.replace('/', "-"));
            write(folder, &name, seedproof_author::emit(&one).as_bytes())?;
        }
    }
    Ok(())
}

/// The models that real exporters wrote, behind the two bytes that the target takes: the form, and how many bytes of constants the
/// seed ends with.
fn models(folder: &Path) -> Done {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates");
    let models = crates.join("seedproof-cli/tests/models");
    let constants = fs::read(models.join("uniform.bin"))?;
    let constants = &constants[..constants.len().min(255)];
    for (form, name) in (0..).zip(["sampler.onnx", "saved_model.pb", "sampler.tflite", "uniform.xml"]) {
        let model = fs::read(models.join(name))?;
        let constants = if form == 3 { constants } else { &[] };
        let length = u8::try_from(constants.len())?;
        write(folder, name, &[&[form, length], &model[..], constants].concat())?;
    }
    let archive = fs::read(crates.join("convert/tests/models/sampler.pt2"))?;
    write(folder, "sampler.pt2", &[&[4, 0], &archive[..]].concat())
}

/// Asks this program's own adapter some cases: what goes in is a seed of `serve`, what comes out one of `reply` and
/// `hello`.
fn conversations(folder: &Path, corpus: &Path) -> Done {
    let recorded = folder.join("target").join("recorded");
    fs::create_dir_all(&recorded)?;
    let seedproof = program(folder);
    for framing in ["lines", "frames"] {
        let (sent, got) = (recorded.join("sent"), recorded.join("got"));
        let line = format!(
            "tee {} | {} serve --framing {framing} | tee {}",
            sent.display(),
            seedproof.display(),
            got.display()
        );
        for (index, case) in seedproof::corpus().cases().step_by(301).enumerate() {
            let command = AdapterCommand::new(["sh", "-c", &line])?;
            let adapter = AdapterBackend::start(command, Options::default())?;
            let _ = adapter.run(&case.request);
            drop(adapter);
            let (sent, got) = (fs::read(&sent)?, fs::read(&got)?);
            let frames = u8::from(framing == "frames");
            // The targets take their choices from the first bytes.
            let name = format!("{framing}-{index}");
            write(&corpus.join("serve"), &name, &[&[frames], &sent[..]].concat())?;
            let first = got.iter().position(|&byte| byte == b'\n').map_or(got.len(), |end| end + 1);
            write(&corpus.join("hello"), framing, &got[..first])?;
            write(&corpus.join("reply"), &name, &[&[0, frames], &got[first..]].concat())?;
        }
    }
    Ok(())
}

/// The program: `SEEDPROOF`, or the one that `cargo build` leaves.
fn program(folder: &Path) -> std::path::PathBuf {
    std::env::var_os("SEEDPROOF").map_or_else(|| folder.join("../target/debug/seedproof"), Into::into)
}

/// Logs, expectations, queries and dumps.
fn documents(folder: &Path, corpus: &Path) -> Done {
    let seedproof = program(folder);
    let place = folder.join("target").join("recorded");
    let run = |args: &[&str]| {
        let mut command = Command::new(&seedproof);
        command.args(args).current_dir(&place).stdout(Stdio::null()).stderr(Stdio::null()).status()
    };
    for (index, (backend, query)) in [
        ("readings/torch-2.12", "ru8/pytorch/f32/range-*"),
        ("readings/openvino-cpu-2026.4", "mn13/*/f32/spec-*"),
        ("reference", "dml/*refused*"),
    ]
    .into_iter()
    .enumerate()
    {
        let log = format!("{index}.jsonl");
        run(&["run", "--backend", backend, "--events", &log, "--expect", "known.yaml", "--bless", query])?;
        write(&corpus.join("events"), &log, &fs::read(place.join(&log))?)?;
        let known = fs::read(place.join("known.yaml"))?;
        write(&corpus.join("expectations"), &log, &known)?;
    }
    let queries = ["ru8/*/f32/spec-*", "dtype:f32 !refused", "mn13/{a,b}[!c]?", "run --backend reference --jobs 3 x", "'a b' \"c\" -- d"];
    for (index, query) in queries.into_iter().enumerate() {
        write(&corpus.join("query"), &index.to_string(), query.as_bytes())?;
    }
    run(&["draw", "dml", "--feature_level", "4.0", "--shape", "2,3", "--input_state", "0,0,0,0,1,2", "-o", "out.npy"])?;
    write(&corpus.join("dump"), "npy", &fs::read(place.join("out.npy"))?)?;
    write(&corpus.join("dump"), "text", b"0.5 1e-3 nan\n")?;
    write(&corpus.join("dump"), "hexadecimal", b"3f000000 3e800000 00000000")?;
    write(&corpus.join("dump"), "raw", &[0; 12])
}
