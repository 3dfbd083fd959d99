//! A device, what its driver does with loops, and every fault in the driver's own words.

use std::sync::{Arc, Mutex, PoisonError};

use seedproof_ops::Failure;
use wgpu::{Buffer, BufferDescriptor, BufferUsages, ErrorFilter};

use crate::kernels::{Entry, Kernels, Module};
use crate::session::{Compiled, Session};

/// Steps that every loop of every kernel together take in one invocation at most, and that a driver must allow.
pub(crate) const STEPS: u32 = 32_768;
/// What buffers hold before a kernel writes them, so that what no kernel wrote is seen.
const POISON: [u8; 4] = [0xa5, 0x5a, 0xc3, 0x3c];

/// A device that is open.
pub(crate) struct Device {
    pub(crate) inner: wgpu::Device,
    pub(crate) queue: wgpu::Queue,
    /// What no kernel writes, to be copied from.
    pub(crate) poison: Buffer,
    /// Steps of a loop that were asked of the driver and those that it took.
    loops: (u32, u32),
    /// What the driver said outside of any request.
    lost: Arc<Mutex<Option<String>>>,
}

impl Device {
    /// Opens a device without any optional feature and with no more than the limits that every device has.
    ///
    /// # Errors
    /// The driver's words, also if it ends loops too early.
    pub(crate) fn open(adapter: &wgpu::Adapter) -> Result<Self, String> {
        let descriptor = wgpu::DeviceDescriptor {
            label: Some("seedproof"),
            required_limits: wgpu::Limits::default(),
            memory_hints: wgpu::MemoryHints::Performance,
            ..Default::default()
        };
        let (device, queue) =
            pollster::block_on(adapter.request_device(&descriptor)).map_err(|error| error.to_string())?;
        let lost: Arc<Mutex<Option<String>>> = Arc::default();
        let say = |lost: &Arc<Mutex<Option<String>>>| {
            let lost = Arc::clone(lost);
            move |text: String| *lost.lock().unwrap_or_else(PoisonError::into_inner) = Some(text)
        };
        let uncaptured = say(&lost);
        device.on_uncaptured_error(Arc::new(move |error: wgpu::Error| uncaptured(error.to_string())));
        let gone = say(&lost);
        device.set_device_lost_callback(move |reason, text| {
            gone(format!("the device is lost ({reason:?}): {text}"));
        });
        let poison = filled(&device, &queue, &POISON.repeat(1 << 18), BufferUsages::COPY_SRC);
        let mut opened = Self {
            inner: device,
            queue,
            poison,
            loops: (0, 0),
            lost,
        };
        opened.loops = probe(&opened)?;
        Ok(opened)
    }

    /// What the driver does with loops, where it is not what they say.
    pub(crate) fn peculiarity(&self) -> Option<String> {
        let (asked, taken) = self.loops;
        (taken != asked).then(|| format!("ends a loop of {asked} steps after {taken}"))
    }

    /// Loses the device, as a driver that is reset does.
    #[cfg(test)]
    pub(crate) fn lose(&self) {
        self.inner.destroy();
    }

    /// Does some work; what goes wrong with it is told in the driver's words.
    ///
    /// # Errors
    /// [`Failure::Broken`], or what the work says.
    pub(crate) fn scoped<T>(&self, work: impl FnOnce() -> Result<T, Failure>) -> Result<T, Failure> {
        let scopes = [
            ErrorFilter::Internal,
            ErrorFilter::OutOfMemory,
            ErrorFilter::Validation,
        ]
        .map(|filter| self.inner.push_error_scope(filter));
        let result = work();
        let mut said = None;
        for scope in scopes.into_iter().rev() {
            if let Some(error) = pollster::block_on(scope.pop()) {
                said.get_or_insert(error.to_string());
            }
        }
        // What the work says is the more telling: it was stopped by it.
        if let Err(failure) = result {
            return Err(failure);
        }
        let lost = self.lost.lock().unwrap_or_else(PoisonError::into_inner).clone();
        match said.or(lost) {
            None => result,
            Some(text) => Err(Failure::error(format!("the graphics driver says: {text}"))),
        }
    }
}

/// A buffer that holds some bytes, a multiple of four. Mapping it at its creation would panic on a device that is
/// lost.
pub(crate) fn filled(
    device: &wgpu::Device,
    queue: &wgpu::Queue,
    contents: &[u8],
    usage: BufferUsages,
) -> Buffer {
    let buffer = device.create_buffer(&BufferDescriptor {
        label: None,
        size: u64::try_from(contents.len()).expect("a size fits 64 bits"),
        usage: usage | BufferUsages::COPY_DST,
        mapped_at_creation: false,
    });
    queue.write_buffer(&buffer, 0, contents);
    buffer
}

/// Steps of the loop that the probe runs.
const PROBED: u32 = 100_000;

/// Counts the steps that a loop really takes.
fn probe(device: &Device) -> Result<(u32, u32), String> {
    let kernels = Arc::new(Kernels::shipped());
    let bytes = device
        .scoped(|| {
            let compiled = Compiled::new(kernels);
            let session = Session::new(device, &compiled);
            let steps = session.uniform(&[PROBED, 0, 0, 0]);
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
    let taken = bytes.first_chunk().map_or(0, |word| u32::from_le_bytes(*word));
    if (STEPS..=PROBED).contains(&taken) {
        Ok((PROBED, taken))
    } else {
        Err(format!("the driver takes {taken} steps of a loop of {PROBED}"))
    }
}
