//! `seedproof serve`: a backend of this program as an adapter.

use std::io;

use seedproof_ops::Limits;
use seedproof_wire::{Capabilities, Framing, Server};

use crate::args::{FramingArg, ServeArgs};
use crate::exit::{CommandResult, Error, Exit};
use crate::implementations;

/// Answers the protocol on standard input and output until `bye` or the end of the input.
pub(crate) fn serve(args: &ServeArgs) -> CommandResult {
    let backend = match (args.backend.as_deref(), args.reading.as_deref()) {
        (None, None) => implementations::named("reference", None, Limits::default())?,
        (Some(name), None) => implementations::named(name, None, Limits::default())?,
        (None, Some(reading)) => implementations::engine(reading, Limits::default())?,
        (Some(name), Some(_)) => {
            return Err(Error::Usage(format!(
                "`--reading` cannot be combined with `--backend`: {name} answers only as itself"
            )));
        }
    };
    let framing = match args.framing {
        FramingArg::Lines => Framing::Lines,
        FramingArg::Frames => Framing::Frames,
    };
    let backend = backend.as_ref();
    let server = Server {
        backend,
        framing,
        capabilities: Capabilities::of(backend),
    };
    let conforms = i32::from(Exit::Conforms.status());
    let abandoned = || std::process::exit(conforms);
    match server.serve_until(io::stdin().lock(), io::stdout().lock(), abandoned) {
        Ok(()) => Ok(Exit::Conforms),
        // The harness went away without saying goodbye.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(Exit::Conforms),
        Err(error) => Err(Error::failed("answer the protocol", error)),
    }
}
