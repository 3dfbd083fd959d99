//! Which implementations there are, and which are asked for.

use std::num::NonZeroUsize;
use std::time::Duration;

use seedproof_author::{SAMPLE, Sample};
use seedproof_check::SPEC;
use seedproof_cpu::{Cpu, Level};
use seedproof_ops::{Backend, Limits};
use seedproof_readings::Engine;
use seedproof_reference::Reference;
use seedproof_report::LeftOut;
use seedproof_wire::{AdapterBackend, AdapterCommand, Options};

use crate::args::RunArgs;
use crate::exit::Error;
use crate::graphics;

/// An implementation that will be judged.
pub(crate) struct Implementation {
    pub(crate) backend: Box<dyn Backend>,
    /// The command line that judges it again, without the case.
    pub(crate) rerun: String,
    /// How many requests it takes at a time; `None` for as many as there are cores.
    pub(crate) jobs: Option<NonZeroUsize>,
}

/// What runs when nothing is asked for by name, and what is absent. Of the GPU's adapters it is the one asked for,
/// or all.
///
/// # Errors
/// [`Error::Infrastructure`] if the adapter asked for is absent.
pub(crate) fn all(
    adapter: Option<&str>,
    limits: Limits,
) -> Result<(Vec<Implementation>, Vec<LeftOut>), Error> {
    let reference = in_process(Box::new(Reference::new(limits, seedproof::entropy)));
    let levels = Level::detect()
        .into_iter()
        .map(|level| in_process(Box::new(cpu(level, limits))));
    let absent = seedproof_cpu::absent()
        .into_iter()
        .map(|(level, reason)| LeftOut {
            what: level.to_owned(),
            reason,
        });
    let (adapters, no_adapters) = graphics::present(adapter, limits)?;
    Ok((
        std::iter::once(reference)
            .chain(levels)
            .chain(adapters.into_iter().map(in_process))
            .collect(),
        absent.chain(no_adapters).collect(),
    ))
}

fn cpu(level: Level, limits: Limits) -> Cpu {
    Cpu::new(level, limits, seedproof::entropy)
}

fn in_process(backend: Box<dyn Backend>) -> Implementation {
    let rerun = format!("seedproof run --backend {}", backend.id());
    Implementation {
        backend,
        rerun,
        jobs: None,
    }
}

/// A backend of this program by its name. `adapter` is the one that `gpu` means, if it was asked for.
///
/// # Errors
/// [`Error::Usage`] for a name that there is not; [`Error::Infrastructure`] for one that is absent on this machine.
pub(crate) fn named(name: &str, adapter: Option<&str>, limits: Limits) -> Result<Box<dyn Backend>, Error> {
    if let Some(gpu) = graphics::named(name, adapter, limits) {
        return gpu;
    }
    if let Some(reading) = name.strip_prefix("readings/") {
        return engine(reading, limits);
    }
    match name {
        SAMPLE => Ok(Box::new(Sample::new(limits, seedproof::entropy))),
        "reference" => Ok(Box::new(Reference::new(limits, seedproof::entropy))),
        "cpu" => Ok(Box::new(cpu(Level::best(), limits))),
        _ if name.starts_with("cpu/") => level(name, limits),
        _ => Err(Error::Usage(format!(
            "there is no backend `{name}`; `seedproof backends` lists them"
        ))),
    }
}

/// One level of the CPU backend.
fn level(name: &str, limits: Limits) -> Result<Box<dyn Backend>, Error> {
    let asked = name.trim_start_matches("cpu/");
    if let Some(level) = Level::detect().into_iter().find(|level| level.name() == asked) {
        return Ok(Box::new(cpu(level, limits)));
    }
    match seedproof_cpu::absent()
        .into_iter()
        .find(|(level, _)| *level == name)
    {
        Some((_, reason)) => Err(Error::Infrastructure(format!("{name} is absent: {reason}"))),
        None => Err(Error::Usage(format!(
            "there is no backend `{name}`; `seedproof backends` lists them"
        ))),
    }
}

/// A reading as a backend.
///
/// # Errors
/// [`Error::Usage`] for a name that there is not.
pub(crate) fn engine(name: &str, limits: Limits) -> Result<Box<dyn Backend>, Error> {
    let reading = seedproof_readings::find(name).ok_or_else(|| unknown_reading(name))?;
    Ok(Box::new(Engine::new(reading, limits, seedproof::entropy)))
}

pub(crate) fn unknown_reading(name: &str) -> Error {
    Error::Usage(format!(
        "there is no reading `{name}`; `seedproof backends` lists them"
    ))
}

/// The implementations that the command line asks for, or all that are present; and what is left out.
///
/// # Errors
/// What is requested is required: a backend that is absent and an adapter that will not start are
/// [`Error::Infrastructure`].
pub(crate) fn chosen(args: &RunArgs) -> Result<(Vec<Implementation>, Vec<LeftOut>), Error> {
    let limits = Limits {
        max_output_bytes: args.max_output,
    };
    let graphics = args.gpu_adapter.as_deref();
    if args.backends.is_empty() && args.adapters.is_empty() && args.argv.is_empty() {
        return all(graphics, limits);
    }
    let mut implementations = Vec::new();
    for name in &args.backends {
        implementations.push(in_process(named(name, graphics, limits)?));
    }
    for command in &args.adapters {
        let parsed =
            AdapterCommand::parse(command).map_err(|error| Error::Usage(format!("failed to {error}")))?;
        implementations.push(adapter(parsed, args, &quoted(command))?);
    }
    if !args.argv.is_empty() {
        let parsed = AdapterCommand::new(args.argv.clone())
            .map_err(|error| Error::Usage(format!("failed to {error}")))?;
        let joined = joined(&args.argv);
        implementations.push(adapter(parsed, args, &quoted(&joined))?);
    }
    let mut seen = std::collections::BTreeSet::new();
    for implementation in &implementations {
        if !seen.insert(implementation.backend.id().clone()) {
            return Err(Error::Usage(format!(
                "{} is asked for twice; an adapter is called what its hello line names it",
                implementation.backend.id()
            )));
        }
    }
    Ok((implementations, Vec::new()))
}

fn adapter(command: AdapterCommand, args: &RunArgs, text: &str) -> Result<Implementation, Error> {
    let options = Options {
        deadline: Duration::from_millis(args.deadline),
        jobs: args.jobs,
        debug_frames: args.debug_frames.clone(),
        ..Options::default()
    };
    let backend = AdapterBackend::start(command, options)
        .map_err(|error| Error::Infrastructure(format!("failed to {error}")))?;
    Ok(Implementation {
        backend: Box::new(backend),
        rerun: format!("seedproof run --adapter {text}"),
        jobs: Some(args.jobs),
    })
}

/// What judges against a reading, after the rest of a command line; nothing for `spec`.
pub(crate) fn reading_flag(reading: &str) -> String {
    if reading == SPEC {
        String::new()
    } else {
        format!(" --reading {reading}")
    }
}

/// Words as one command line.
pub(crate) fn joined(words: &[String]) -> String {
    words
        .iter()
        .map(|word| quoted(word))
        .collect::<Vec<_>>()
        .join(" ")
}

/// A word as a shell would want it.
pub(crate) fn quoted(text: &str) -> String {
    let plain = |b: u8| b.is_ascii_alphanumeric() || b"/._-=:,+@%".contains(&b);
    if !text.is_empty() && text.bytes().all(plain) {
        text.to_owned()
    } else {
        format!("'{}'", text.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quoted_words_survive_a_shell() {
        assert_eq!(quoted("./adapter"), "./adapter");
        assert_eq!(quoted("python3 it's.py"), r"'python3 it'\''s.py'");
        assert_eq!(quoted(""), "''");
    }
}
