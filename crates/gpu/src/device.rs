//! A device: buffers in, kernels run, bytes out, and every fault in the driver's own words.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError, mpsc};

use seedproof_ops::Failure;
use wgpu::{
    Buffer, BufferDescriptor, BufferUsages, CommandEncoder, ComputePipeline, ComputePipelineDescriptor,
    ErrorFilter, SubmissionIndex,
};

use crate::kernels::{Entry, Kernels, Module};

/// Steps that every loop of every kernel together take in one invocation at most, and that a driver must allow.
pub(crate) const STEPS: u32 = 32_768;
/// The most workgroups of a dispatch. Fewer than the 65,535 that every device takes: a grid of them makes enough
/// invocations to keep any device busy, each of which then goes on to its next block.
const GROUPS: u32 = 4096;
/// Invocations of a workgroup of a kernel that works on a grid.
const LANES: u32 = 64;
/// What buffers hold before a kernel writes them, so that what no kernel wrote is seen.
const POISON: [u8; 4] = [0xa5, 0x5a, 0xc3, 0x3c];
/// Bytes of the buffer that poison is copied from.
const POISONED: u64 = 1 << 20;

/// A device that is open.
pub(crate) struct Device {
    inner: wgpu::Device,
    queue: wgpu::Queue,
    poison: Buffer,
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
    fn scoped<T>(&self, work: impl FnOnce() -> Result<T, Failure>) -> Result<T, Failure> {
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
fn filled(device: &wgpu::Device, queue: &wgpu::Queue, contents: &[u8], usage: BufferUsages) -> Buffer {
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
            let engine = Compiled::new(kernels);
            let session = Session {
                device,
                compiled: &engine,
            };
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

/// Kernels with what has been compiled of them.
pub(crate) struct Compiled {
    kernels: Arc<Kernels>,
    modules: Mutex<HashMap<Module, wgpu::ShaderModule>>,
    pipelines: Mutex<HashMap<Entry, Result<ComputePipeline, Failure>>>,
}

impl Compiled {
    pub(crate) fn new(kernels: Arc<Kernels>) -> Self {
        Self {
            kernels,
            modules: Mutex::default(),
            pipelines: Mutex::default(),
        }
    }

    /// A kernel, compiled when it is first asked for.
    ///
    /// # Errors
    /// The compiler's words, the same each time.
    fn pipeline(&self, device: &Device, entry: Entry) -> Result<ComputePipeline, Failure> {
        let mut pipelines = self.pipelines.lock().unwrap_or_else(PoisonError::into_inner);
        let compile = || device.scoped(|| Ok(self.compile(&device.inner, entry)));
        pipelines.entry(entry).or_insert_with(compile).clone()
    }

    fn compile(&self, device: &wgpu::Device, entry: Entry) -> ComputePipeline {
        let mut modules = self.modules.lock().unwrap_or_else(PoisonError::into_inner);
        let module = modules.entry(entry.module).or_insert_with(|| {
            device.create_shader_module(wgpu::ShaderModuleDescriptor {
                label: None,
                source: wgpu::ShaderSource::Wgsl(self.kernels.source(entry.module).into()),
            })
        });
        device.create_compute_pipeline(&ComputePipelineDescriptor {
            label: Some(entry.name),
            layout: None,
            module,
            entry_point: Some(entry.name),
            compilation_options: wgpu::PipelineCompilationOptions::default(),
            cache: None,
        })
    }
}

/// A device and its kernels while they answer one request.
#[derive(Clone, Copy)]
pub(crate) struct Session<'a> {
    device: &'a Device,
    compiled: &'a Compiled,
}

impl<'a> Session<'a> {
    /// Does some work with a device and kernels.
    ///
    /// # Errors
    /// [`Failure::Broken`] in the driver's words, or what the work says.
    pub(crate) fn run<T>(
        device: &'a Device,
        compiled: &'a Compiled,
        work: impl FnOnce(Self) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        device.scoped(|| work(Self { device, compiled }))
    }

    fn buffer(self, bytes: u64, usage: BufferUsages) -> Buffer {
        self.device.inner.create_buffer(&BufferDescriptor {
            label: None,
            size: bytes,
            usage,
            mapped_at_creation: false,
        })
    }

    /// A buffer that kernels write.
    pub(crate) fn output(self, bytes: u64) -> Buffer {
        self.buffer(
            bytes,
            BufferUsages::STORAGE | BufferUsages::COPY_SRC | BufferUsages::COPY_DST,
        )
    }

    /// A buffer that the host reads.
    pub(crate) fn readback(self, bytes: u64) -> Buffer {
        self.buffer(bytes, BufferUsages::MAP_READ | BufferUsages::COPY_DST)
    }

    /// A buffer that holds some bytes.
    pub(crate) fn input(self, contents: &[u8]) -> Buffer {
        let usage = BufferUsages::STORAGE | BufferUsages::COPY_SRC;
        filled(&self.device.inner, &self.device.queue, contents, usage)
    }

    /// A buffer of parameters.
    pub(crate) fn uniform(self, words: &[u32]) -> Buffer {
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        filled(
            &self.device.inner,
            &self.device.queue,
            &bytes,
            BufferUsages::UNIFORM,
        )
    }

    /// A list of commands.
    pub(crate) fn encoder(self) -> CommandEncoder {
        self.device
            .inner
            .create_command_encoder(&wgpu::CommandEncoderDescriptor::default())
    }

    /// Overwrites a buffer with what no kernel writes.
    pub(crate) fn poison(self, encoder: &mut CommandEncoder, buffer: &Buffer) {
        let mut start = 0;
        while start < buffer.size() {
            let bytes = POISONED.min(buffer.size() - start);
            encoder.copy_buffer_to_buffer(&self.device.poison, 0, buffer, start, bytes);
            start += bytes;
        }
    }

    /// Runs a kernel on some workgroups, at most 65,535. Bindings are the kernel's, in any order.
    ///
    /// # Errors
    /// [`Failure::Broken`] if the kernel does not compile.
    pub(crate) fn dispatch(
        self,
        encoder: &mut CommandEncoder,
        entry: Entry,
        bindings: &[(u32, &Buffer)],
        groups: u32,
    ) -> Result<(), Failure> {
        let pipeline = self.compiled.pipeline(self.device, entry)?;
        let entries: Vec<_> = bindings
            .iter()
            .map(|&(binding, buffer)| wgpu::BindGroupEntry {
                binding,
                resource: buffer.as_entire_binding(),
            })
            .collect();
        let group = self.device.inner.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some(entry.name),
            layout: &pipeline.get_bind_group_layout(0),
            entries: &entries,
        });
        let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default());
        pass.set_pipeline(&pipeline);
        pass.set_bind_group(0, &group, &[]);
        pass.dispatch_workgroups(groups, 1, 1);
        Ok(())
    }

    /// Runs a kernel on a grid whose invocations together take `items` steps.
    ///
    /// # Errors
    /// [`Failure::Broken`] if the kernel does not compile.
    pub(crate) fn dispatch_grid(
        self,
        encoder: &mut CommandEncoder,
        entry: Entry,
        bindings: &[(u32, &Buffer)],
        items: u32,
    ) -> Result<(), Failure> {
        self.dispatch(encoder, entry, bindings, items.div_ceil(LANES).clamp(1, GROUPS))
    }

    /// Submits commands, then a copy of a buffer's beginning to where the host reads it.
    pub(crate) fn submit(
        self,
        mut encoder: CommandEncoder,
        output: &Buffer,
        back: &Buffer,
        bytes: u64,
    ) -> SubmissionIndex {
        encoder.copy_buffer_to_buffer(output, 0, back, 0, bytes);
        self.device.queue.submit([encoder.finish()])
    }

    /// Submits commands.
    pub(crate) fn submit_only(self, encoder: CommandEncoder) {
        self.device.queue.submit([encoder.finish()]);
    }

    /// Waits for a submission and appends the bytes that it has copied to the host.
    ///
    /// # Errors
    /// [`Failure::Broken`] if they do not arrive.
    pub(crate) fn read(
        self,
        back: &Buffer,
        bytes: u64,
        index: SubmissionIndex,
        out: &mut Vec<u8>,
    ) -> Result<(), Failure> {
        let failed = |error: &dyn std::fmt::Display| {
            Failure::error(format!("failed to read from the graphics device: {error}"))
        };
        let (send, receive) = mpsc::channel();
        back.map_async(wgpu::MapMode::Read, ..bytes, move |result| {
            // Nobody listens any more where the wait itself has failed.
            let _ = send.send(result);
        });
        self.device
            .inner
            .poll(wgpu::PollType::Wait {
                submission_index: Some(index),
                timeout: None,
            })
            .map_err(|error| failed(&error))?;
        // Another thread's wait may be about to call back.
        receive
            .recv()
            .map_err(|error| failed(&error))?
            .map_err(|error| failed(&error))?;
        let view = back.get_mapped_range(..bytes).map_err(|error| failed(&error))?;
        out.extend_from_slice(&view);
        drop(view);
        back.unmap();
        Ok(())
    }
}
