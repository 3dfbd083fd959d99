//! The GPU backend, one per adapter.

use seedproof_gpu::{ABSENT, Adapter, Gpu, adapters};
use seedproof_ops::{Backend, Limits, did_you_mean};
use seedproof_report::LeftOut;

use crate::exit::Error;

/// The backends of the adapters that open, and what is absent.
type Present = (Vec<Box<dyn Backend>>, Vec<LeftOut>);

/// A backend for every adapter.
pub(crate) fn present(limits: Limits) -> Present {
    let mut present: Vec<Box<dyn Backend>> = Vec::new();
    let mut absent = Vec::new();
    if adapters().is_empty() {
        absent.push(LeftOut::new("gpu", ABSENT));
    }
    for adapter in adapters() {
        match Gpu::open(adapter, limits, seedproof::judging::entropy) {
            Ok(gpu) => present.push(Box::new(gpu)),
            Err(reason) => absent.push(LeftOut::new(format!("gpu/{}", adapter.name()), reason)),
        }
    }
    (present, absent)
}

/// The adapter of a name, with `gpu/` in front or without, or of an index from 0 on. Without a name it is the first
/// one that does not compute on the CPU, or the first.
///
/// # Errors
/// [`Error::Infrastructure`] if it is absent or does not open.
pub(crate) fn find(name: Option<&str>, limits: Limits) -> Result<Box<dyn Backend>, Error> {
    let adapter = name.map_or_else(likeliest, named)?;
    match Gpu::open(adapter, limits, seedproof::judging::entropy) {
        Ok(gpu) => Ok(Box::new(gpu)),
        Err(reason) => Err(Error::Infrastructure(format!(
            "gpu/{} is absent: {reason}",
            adapter.name()
        ))),
    }
}

fn likeliest() -> Result<&'static Adapter, Error> {
    let hardware = adapters().iter().find(|adapter| !adapter.is_software());
    hardware
        .or_else(|| adapters().first())
        .ok_or_else(|| Error::Infrastructure(format!("gpu is absent: {ABSENT}")))
}

fn named(name: &str) -> Result<&'static Adapter, Error> {
    let name = name.strip_prefix("gpu/").unwrap_or(name);
    let by_name = adapters().iter().find(|adapter| adapter.name() == name);
    by_name
        .or_else(|| adapters().get(name.parse::<usize>().ok()?))
        .ok_or_else(|| {
            let names: Vec<&str> = adapters().iter().map(Adapter::name).collect();
            let there = if names.is_empty() {
                ABSENT.to_owned()
            } else {
                let nearest = did_you_mean(name, names.iter().copied());
                format!(
                    "the graphics adapters, from index 0, are {}{nearest}",
                    names.join(", ")
                )
            };
            Error::Infrastructure(format!("gpu/{name} is absent: {there}"))
        })
}
