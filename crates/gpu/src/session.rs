//! Buffers in, kernels run, bytes out.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError, mpsc};

use seedproof_ops::Failure;
use wgpu::{
    Buffer, BufferDescriptor, BufferUsages, CommandEncoder, ComputePipeline, ComputePipelineDescriptor,
    SubmissionIndex,
};

use crate::device::{Device, filled};
use crate::kernels::{Entry, Kernels, Module};

/// The most workgroups of a dispatch. Fewer than the 65,535 that every device takes: a grid of them makes
/// enough invocations to keep any device busy, each of which then goes on to its next block.
const GROUPS: u32 = 4096;
/// Invocations of a workgroup of a kernel that works on a grid.
const LANES: u32 = 64;

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
    /// The device with these kernels.
    pub(crate) const fn new(device: &'a Device, compiled: &'a Compiled) -> Self {
        Self { device, compiled }
    }

    /// Does some work with a device and kernels.
    ///
    /// # Errors
    /// [`Failure::Broken`] in the driver's words, or what the work says.
    pub(crate) fn run<T>(
        device: &'a Device,
        compiled: &'a Compiled,
        work: impl FnOnce(Self) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        device.scoped(|| work(Self::new(device, compiled)))
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
            let bytes = self.device.poison.size().min(buffer.size() - start);
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
