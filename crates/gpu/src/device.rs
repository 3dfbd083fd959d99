//! A device, and its faults in the driver's own words.

use std::pin::pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, Waker};

use seedproof_ops::Failure;
use wgpu::{Buffer, BufferDescriptor, BufferUsages, ErrorFilter};

/// The contents of buffers before a kernel writes them, so that words that no kernel writes are seen.
const POISON: [u8; 4] = [0xa5, 0x5a, 0xc3, 0x3c];

/// Polls a wgpu future, which is always ready outside browsers.
pub(crate) fn ready<T>(future: impl Future<Output = T>) -> T {
    let mut future = pin!(future);
    loop {
        if let Poll::Ready(it) = future.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
            return it;
        }
        std::thread::yield_now();
    }
}

/// An open device.
pub(crate) struct Device {
    pub(crate) inner: wgpu::Device,
    pub(crate) queue: wgpu::Queue,
    /// [`POISON`] over and over, to be copied from.
    pub(crate) poison: Buffer,
    /// The driver's last error outside of any request.
    lost: Arc<Mutex<Option<String>>>,
}

impl Device {
    /// Opens a device without any optional feature and with no more than the limits that every device has.
    ///
    /// # Errors
    /// The driver's words.
    pub(crate) fn open(adapter: &wgpu::Adapter) -> Result<Self, String> {
        let descriptor = wgpu::DeviceDescriptor {
            label: Some("seedproof"),
            required_limits: wgpu::Limits::default(),
            memory_hints: wgpu::MemoryHints::Performance,
            ..Default::default()
        };
        let (device, queue) =
            ready(adapter.request_device(&descriptor)).map_err(|error| error.to_string())?;
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
        Ok(Self {
            inner: device,
            queue,
            poison,
            lost,
        })
    }

    /// Loses the device, as a driver that is reset does.
    #[cfg(test)]
    pub(crate) fn lose(&self) {
        self.inner.destroy();
    }

    /// Does some work with the device.
    ///
    /// # Errors
    /// The failure of the work, or [`Failure::Broken`] in the driver's words.
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
            if let Some(error) = ready(scope.pop()) {
                said.get_or_insert(error.to_string());
            }
        }
        // The failure that stopped the work says more than the driver's errors after it.
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

/// A buffer that holds some bytes, a multiple of four. Mapping it at its creation would panic on a device
/// that is lost.
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
