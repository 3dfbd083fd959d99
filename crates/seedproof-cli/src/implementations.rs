//! The implementations that a command judges: backends of this program, and adapters.

use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::iter;
use std::num::NonZeroUsize;
use std::path::PathBuf;

use seedproof_author::{SAMPLE, Sample};
use seedproof_cpu::{Cpu, Level};
use seedproof_ops::{Backend, Limits, did_you_mean};
use seedproof_readings::Engine;
use seedproof_reference::Reference;
use seedproof_report::LeftOut;
use seedproof_wire::{AdapterBackend, AdapterCommand, InvalidCommand, Options};

use crate::args::RunArgs;
use crate::exit::Error;
use crate::quoting::{quoted, quoted_os};
use crate::{brought, gpu};

/// An implementation that will be judged.
pub(crate) struct Implementation {
    pub(crate) backend: Box<dyn Backend>,
    /// The command line that judges it again, without the case.
    pub(crate) rerun: String,
    /// How many requests it takes at a time; `None` for as many as there are cores.
    pub(crate) jobs: Option<NonZeroUsize>,
}

impl From<Box<dyn Backend>> for Implementation {
    fn from(backend: Box<dyn Backend>) -> Self {
        let rerun = format!("seedproof run --backend {}", quoted(backend.id().as_str()));
        Self {
            backend,
            rerun,
            jobs: None,
        }
    }
}

/// The reference, every level of the CPU backend, and this GPU adapter or every one; and what is absent.
///
/// # Errors
/// [`Error::Infrastructure`] if the adapter is absent.
pub(crate) fn all(
    adapter: Option<&str>,
    limits: Limits,
) -> Result<(Vec<Implementation>, Vec<LeftOut>), Error> {
    let mut present: Vec<Box<dyn Backend>> =
        vec![Box::new(Reference::new(limits, seedproof::judging::entropy))];
    present.extend(Level::detect().into_iter().map(|level| cpu(level, limits)));
    let levels = seedproof_cpu::absent().into_iter();
    let mut absent: Vec<LeftOut> = levels
        .map(|(level, reason)| LeftOut::new(level, reason))
        .collect();
    if adapter.is_some() {
        present.push(gpu::find(adapter, limits)?);
    } else {
        let (adapters, no_adapters) = gpu::present(limits);
        present.extend(adapters);
        absent.extend(no_adapters);
    }
    Ok((present.into_iter().map(Implementation::from).collect(), absent))
}

fn cpu(level: Level, limits: Limits) -> Box<dyn Backend> {
    Box::new(Cpu::new(level, limits, seedproof::judging::entropy))
}

/// A backend of this program by its name. `gpu` alone is this adapter, or the likeliest.
///
/// # Errors
/// [`Error::Usage`] for an unknown name; [`Error::Infrastructure`] for one that is absent on this machine.
pub(crate) fn named(name: &str, adapter: Option<&str>, limits: Limits) -> Result<Box<dyn Backend>, Error> {
    match name.split_once('/').unwrap_or((name, "")) {
        _ if name.ends_with('/') => Err(unknown_backend(name)),
        (SAMPLE, "") => Ok(Box::new(Sample::new(limits, seedproof::judging::entropy))),
        ("reference", "") => Ok(Box::new(Reference::new(limits, seedproof::judging::entropy))),
        ("cpu", "") => Ok(cpu(Level::best(), limits)),
        ("cpu", level) => self::level(level, limits),
        ("gpu", "") => gpu::find(adapter, limits),
        ("gpu", adapter) => gpu::find(Some(adapter), limits),
        ("readings", reading) => engine(reading, limits),
        _ => Err(unknown_backend(name)),
    }
}

/// One level of the CPU backend.
fn level(name: &str, limits: Limits) -> Result<Box<dyn Backend>, Error> {
    if let Some(level) = Level::detect().into_iter().find(|level| level.name() == name) {
        return Ok(cpu(level, limits));
    }
    let name = format!("cpu/{name}");
    match seedproof_cpu::absent()
        .into_iter()
        .find(|(level, _)| *level == name)
    {
        Some((_, reason)) => Err(Error::Infrastructure(format!("{name} is absent: {reason}"))),
        None => Err(unknown_backend(&name)),
    }
}

/// A reading as a backend.
///
/// # Errors
/// [`Error::Usage`] for an unknown name.
pub(crate) fn engine(name: &str, limits: Limits) -> Result<Box<dyn Backend>, Error> {
    let reading = match brought::reading(name)? {
        Some(reading) => reading,
        None => seedproof_readings::find(name).ok_or_else(|| unknown_reading(name))?,
    };
    Ok(Box::new(Engine::new(
        reading,
        limits,
        seedproof::judging::entropy,
    )))
}

/// The error about a name that no backend has.
fn unknown_backend(name: &str) -> Error {
    let levels = Level::detect()
        .into_iter()
        .map(|level| format!("cpu/{}", level.name()));
    let absent = seedproof_cpu::absent()
        .into_iter()
        .map(|(level, _)| level.to_owned());
    let readings = seedproof_readings::named()
        .into_iter()
        .map(|it| format!("readings/{}", it.name));
    let others = ["reference", "cpu", "gpu", SAMPLE].map(str::to_owned);
    let names = others.into_iter().chain(levels).chain(absent).chain(readings);
    unknown("backend", name, names)
}

/// The error about a name that no reading has.
pub(crate) fn unknown_reading(name: &str) -> Error {
    let names = seedproof_readings::named()
        .into_iter()
        .map(|it| it.name.to_string());
    unknown("reading", name, names)
}

fn unknown(kind: &str, name: &str, names: impl Iterator<Item = String>) -> Error {
    let names: Vec<String> = names.collect();
    let nearest = did_you_mean(name, names.iter().map(String::as_str));
    Error::Usage(format!(
        "there is no {kind} `{name}`{nearest}; `seedproof backends` lists them"
    ))
}

/// The command of an adapter, as `--adapter` or the words after `--` have it.
pub(crate) struct Adapter {
    command: AdapterCommand,
    /// The line that runs the corpus on it; empty if its words are not UTF-8, because `--adapter` takes text.
    pub(crate) rerun: String,
}

impl Adapter {
    /// From one quoted command line.
    ///
    /// # Errors
    /// [`Error::Usage`] if it is empty or has a quote too many.
    pub(crate) fn parse(line: &str) -> Result<Self, Error> {
        Self::new(AdapterCommand::parse(line), Some(line))
    }

    /// From an argument vector.
    ///
    /// # Errors
    /// [`Error::Usage`] if it is empty.
    pub(crate) fn from_words(words: &[OsString]) -> Result<Self, Error> {
        let line: Option<Vec<String>> = words.iter().map(|word| word.to_str().map(quoted)).collect();
        let line = line.map(|words| words.join(" "));
        Self::new(AdapterCommand::new(words.to_vec()), line.as_deref())
    }

    fn new(command: Result<AdapterCommand, InvalidCommand>, line: Option<&str>) -> Result<Self, Error> {
        let command = command.map_err(|error| Error::Usage(format!("failed to {error}")))?;
        let adapter = |line: &str| format!("seedproof run --adapter {}", quoted_os(OsStr::new(line)));
        Ok(Self {
            command,
            rerun: line.map(adapter).unwrap_or_default(),
        })
    }

    /// Starts it.
    ///
    /// # Errors
    /// [`Error::Infrastructure`] if it does not start or does not say hello.
    pub(crate) fn start(self, options: Options) -> Result<Implementation, Error> {
        let jobs = options.jobs;
        let backend = AdapterBackend::start(self.command, options)
            .map_err(|error| Error::Infrastructure(format!("failed to {error}")))?;
        Ok(Implementation {
            backend: Box::new(backend),
            rerun: self.rerun,
            jobs: Some(jobs),
        })
    }
}

/// The files that the command lines of adapters name: programs, scripts and their inputs, also as `--config=FILE`.
///
/// # Errors
/// [`Error::Usage`] for a text that is not a command line.
pub(crate) fn files_of_adapters(args: &RunArgs) -> Result<Vec<PathBuf>, Error> {
    let lines = args.adapters.iter().map(|line| Adapter::parse(line));
    let last = (!args.argv.is_empty()).then(|| Adapter::from_words(&args.argv));
    let mut files = Vec::new();
    for adapter in lines.chain(last) {
        let AdapterCommand { program, args, .. } = adapter?.command;
        for word in iter::once(program.into_os_string()).chain(args) {
            let value = word.to_str().and_then(|word| Some(word.split_once('=')?.1));
            files.extend(value.map(PathBuf::from));
            files.push(word.into());
        }
    }
    files.retain(|file| file.is_file());
    Ok(files)
}

/// # Errors
/// [`Error::Usage`] if two implementations have the same name, because findings are told apart by it.
pub(crate) fn refuse_repeats(implementations: &[Implementation]) -> Result<(), Error> {
    let mut seen = BTreeSet::new();
    match implementations.iter().find(|it| !seen.insert(it.backend.id())) {
        None => Ok(()),
        Some(twice) => Err(Error::Usage(format!(
            "{} was given twice; an adapter takes its name from its hello line",
            twice.backend.id()
        ))),
    }
}
