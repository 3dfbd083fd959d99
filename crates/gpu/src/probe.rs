//! The number of steps that a driver lets a loop take.

use std::sync::Arc;

use crate::device::Device;
use crate::kernels::{Entry, Kernels, Module};
use crate::session::{Compiled, Session};

/// The most steps that all loops of a kernel together take in one invocation. Mesa 22 ends loops in silence
/// after 65,535 steps.
pub(crate) const STEPS: u32 = 32_768;

/// Checks that a loop on the device takes [`STEPS`] steps.
///
/// # Errors
/// The driver's words, or the number of steps that it takes instead.
pub(crate) fn check_loops(device: &Device) -> Result<(), String> {
    let compiled = Compiled::new(Arc::new(Kernels::shipped()));
    let bytes = Session::run(device, &compiled, |session| {
        let steps = session.uniform(&[STEPS, 0, 0, 0]);
        let taken = session.output(8);
        let back = session.readback(8);
        let mut encoder = session.encoder();
        session.poison(&mut encoder, &taken);
        let entry = Entry {
            module: Module::Probe,
            name: "count",
        };
        session.dispatch(&mut encoder, entry, &[(0, &steps), (1, &taken)], 1)?;
        let index = session.submit(encoder, &taken, &back, 8);
        let mut bytes = Vec::new();
        session.read(&back, 8, index, &mut bytes)?;
        Ok(bytes)
    })
    .map_err(|failure| failure.to_string())?;
    match bytes.first_chunk().map(|&word| u32::from_le_bytes(word)) {
        Some(STEPS) => Ok(()),
        taken => Err(format!(
            "the driver ends a loop of {STEPS} steps after {}",
            taken.unwrap_or(0)
        )),
    }
}
