//! The GPU backend among the implementations: which adapters there are, and which is asked for.

#[cfg(feature = "gpu")]
pub(crate) use with::{named, present};
#[cfg(not(feature = "gpu"))]
pub(crate) use without::{named, present};

/// The adapters' backends, and what is left out.
type Present = (
    Vec<Box<dyn seedproof_ops::Backend>>,
    Vec<seedproof_report::LeftOut>,
);

#[cfg(feature = "gpu")]
mod with {
    use seedproof_gpu::{ABSENT, Adapter, Gpu, adapters};
    use seedproof_ops::{Backend, Limits};
    use seedproof_report::LeftOut;

    use super::Present;
    use crate::exit::Error;

    /// A backend for each adapter that opens, or for the one asked for; and what is left out.
    ///
    /// # Errors
    /// [`Error::Infrastructure`] if the adapter asked for is not there.
    pub(crate) fn present(adapter: Option<&str>, limits: Limits) -> Result<Present, Error> {
        let wanted: Vec<&Adapter> = match adapter {
            Some(asked) => vec![find(asked)?],
            None => adapters().iter().collect(),
        };
        let mut present: Vec<Box<dyn Backend>> = Vec::new();
        let mut absent = Vec::new();
        if wanted.is_empty() {
            absent.push(LeftOut {
                what: "gpu".to_owned(),
                reason: ABSENT.to_owned(),
            });
        }
        for adapter in wanted {
            match Gpu::open(adapter, limits, seedproof::entropy) {
                Ok(gpu) => present.push(Box::new(gpu)),
                Err(reason) => absent.push(LeftOut {
                    what: format!("gpu/{}", adapter.name()),
                    reason,
                }),
            }
        }
        Ok((present, absent))
    }

    /// `gpu`, the adapter asked for or the likeliest one, or `gpu/NAME`; `None` for other names.
    ///
    /// # Errors
    /// [`Error::Infrastructure`] if it is not there or does not open.
    pub(crate) fn named(
        name: &str,
        adapter: Option<&str>,
        limits: Limits,
    ) -> Option<Result<Box<dyn Backend>, Error>> {
        let asked = match name.strip_prefix("gpu/") {
            None if name != "gpu" => return None,
            None => adapter,
            asked => asked,
        };
        let adapter = asked.map_or_else(likeliest, find);
        Some(adapter.and_then(|adapter| open(adapter, limits)))
    }

    fn open(adapter: &Adapter, limits: Limits) -> Result<Box<dyn Backend>, Error> {
        match Gpu::open(adapter, limits, seedproof::entropy) {
            Ok(gpu) => Ok(Box::new(gpu)),
            Err(reason) => Err(Error::Infrastructure(format!(
                "gpu/{} is absent: {reason}",
                adapter.name()
            ))),
        }
    }

    /// The first adapter that does not compute on the CPU, or the first.
    fn likeliest() -> Result<&'static Adapter, Error> {
        let hardware = adapters().iter().find(|adapter| !adapter.is_software());
        hardware
            .or_else(|| adapters().first())
            .ok_or_else(|| Error::Infrastructure(format!("gpu is absent: {ABSENT}")))
    }

    /// The adapter of a name, or of an index from 0 on.
    fn find(asked: &str) -> Result<&'static Adapter, Error> {
        let asked = asked.strip_prefix("gpu/").unwrap_or(asked);
        let by_name = adapters().iter().find(|adapter| adapter.name() == asked);
        by_name
            .or_else(|| adapters().get(asked.parse::<usize>().ok()?))
            .ok_or_else(|| {
                let names: Vec<&str> = adapters().iter().map(Adapter::name).collect();
                let there = if names.is_empty() {
                    ABSENT.to_owned()
                } else {
                    format!("there are {}", names.join(", "))
                };
                Error::Infrastructure(format!("gpu/{asked} is absent: {there}"))
            })
    }
}

#[cfg(not(feature = "gpu"))]
mod without {
    use seedproof_ops::{Backend, Limits};
    use seedproof_report::LeftOut;

    use super::Present;
    use crate::exit::Error;

    const ABSENT: &str = "this program is built without the feature `gpu`";

    /// Nothing, and why.
    pub(crate) fn present(adapter: Option<&str>, _: Limits) -> Result<Present, Error> {
        if adapter.is_some() {
            return Err(Error::Infrastructure(format!("gpu is absent: {ABSENT}")));
        }
        let absent = LeftOut {
            what: "gpu".to_owned(),
            reason: ABSENT.to_owned(),
        };
        Ok((Vec::new(), vec![absent]))
    }

    /// An error for `gpu` and `gpu/NAME`; `None` for other names.
    pub(crate) fn named(name: &str, _: Option<&str>, _: Limits) -> Option<Result<Box<dyn Backend>, Error>> {
        let asked = name == "gpu" || name.starts_with("gpu/");
        asked.then(|| Err(Error::Infrastructure(format!("{name} is absent: {ABSENT}"))))
    }
}
