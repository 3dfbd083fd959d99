//! The adapters of this machine: what a driver offers to compute with.

use std::io::Write as _;
use std::sync::{Arc, Once, OnceLock};

use seedproof_ops::is_required;

use crate::device::{Device, ready};
use crate::hush::hushed;
use crate::probe::check_loops;

/// An adapter, and the one device of this process on it.
pub struct Adapter {
    name: String,
    inner: wgpu::Adapter,
    device: OnceLock<Result<Arc<Device>, String>>,
}

/// The adapters present, in the order in which drivers name them. They are looked for once per process.
pub fn adapters() -> &'static [Adapter] {
    static ADAPTERS: OnceLock<Vec<Adapter>> = OnceLock::new();
    ADAPTERS.get_or_init(|| hushed(find))
}

/// Why there is no adapter.
pub const ABSENT: &str = "no driver for Vulkan, Metal or Direct3D 12 offers an adapter";

/// [`adapters`], for tests. Where there are none, one line says so, past the test runner, which keeps to
/// itself what a passing test prints.
///
/// # Panics
/// If there are none and [`adapters_required`] says that there must be.
pub fn adapters_to_test() -> &'static [Adapter] {
    static SAY: Once = Once::new();
    if adapters().is_empty() {
        assert!(!adapters_required(), "{ABSENT}");
        SAY.call_once(|| drop(writeln!(std::io::stderr(), "not run: gpu: {ABSENT}")));
    }
    adapters()
}

/// Whether a missing adapter fails the tests: the variable `SEEDPROOF_REQUIRE_GPU` is on.
pub fn adapters_required() -> bool {
    is_required("GPU")
}

fn find() -> Vec<Adapter> {
    // With none for this platform an instance would panic.
    if wgpu::Instance::enabled_backend_features().is_empty() {
        return Vec::new();
    }
    let instance = wgpu::Instance::new(wgpu::InstanceDescriptor {
        backends: wgpu::Backends::PRIMARY,
        flags: wgpu::InstanceFlags::empty(),
        ..wgpu::InstanceDescriptor::new_without_display_handle()
    });
    let found = ready(instance.enumerate_adapters(wgpu::Backends::PRIMARY));
    let mut adapters: Vec<Adapter> = Vec::new();
    for adapter in found {
        let name = short(&adapter.get_info().name);
        let same = |it: &&Adapter| it.name == name || it.name.starts_with(&format!("{name}-"));
        let name = match adapters.iter().filter(same).count() {
            0 => name,
            more => format!("{name}-{}", more + 1),
        };
        adapters.push(Adapter {
            name,
            inner: adapter,
            device: OnceLock::new(),
        });
    }
    adapters
}

/// `llvmpipe` of `llvmpipe (LLVM 15.0.6, 256 bits)`, `nvidia-h200` of `NVIDIA H200`.
fn short(name: &str) -> String {
    let before = name.split('(').next().unwrap_or(name);
    let words: Vec<String> = before
        .split(|c: char| !c.is_ascii_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_ascii_lowercase)
        .collect();
    if words.is_empty() {
        "unnamed".to_owned()
    } else {
        words.join("-")
    }
}

impl Adapter {
    /// A short name, unique among the adapters present: lower case, words joined by `-`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Whether it computes on the CPU.
    pub fn is_software(&self) -> bool {
        self.inner.get_info().device_type == wgpu::DeviceType::Cpu
    }

    /// The full name, the interface, the driver and the driver's version.
    pub fn description(&self) -> String {
        let info = self.inner.get_info();
        let parts = [info.name, info.backend.to_string(), info.driver, info.driver_info];
        let parts: Vec<&str> = parts
            .iter()
            .map(|part| part.trim())
            .filter(|part| !part.is_empty())
            .collect();
        parts.join(", ")
    }

    /// The device, opened when it is first asked for and shared from then on.
    ///
    /// # Errors
    /// The driver's words; also if it ends loops too early.
    pub(crate) fn device(&self) -> Result<Arc<Device>, String> {
        self.device
            .get_or_init(|| {
                let device = hushed(|| Device::open(&self.inner))?;
                check_loops(&device)?;
                Ok(Arc::new(device))
            })
            .clone()
    }

    /// A device that nothing else shares.
    #[cfg(test)]
    pub(crate) fn another_device(&self) -> Device {
        Device::open(&self.inner).expect("the driver opens a device")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn adapter_names_are_short() {
        assert_eq!(short("llvmpipe (LLVM 15.0.6, 256 bits)"), "llvmpipe");
        assert_eq!(short("SwiftShader Device (Subzero)"), "swiftshader-device");
        assert_eq!(short("NVIDIA H200"), "nvidia-h200");
        assert_eq!(short("(R)"), "unnamed");
    }
}
