//! The stages that the optimised backends show are the reference's: the words, the unit interval and the values.

use std::collections::BTreeMap;

use seedproof_corpus::Case;
use seedproof_cpu::{Cpu, Level};
use seedproof_gpu::{Gpu, adapters_to_test};
use seedproof_ops::{Backend, Limits, Named as _, OpName, Request, Stages};
use seedproof_reference::Reference;

/// Elements of the largest request.
const LARGEST: u64 = 4096;

/// The small requests of the corpus that draw something, with the reference's stages. The classes of Multinomial-13 are
/// chosen by whole rows, on which the kernels keep no draw.
fn right(has_kernel: fn(OpName) -> bool) -> impl Iterator<Item = (&'static Case, Stages)> {
    let reference = Reference::new(Limits::default(), || 1);
    seedproof::corpus().cases().filter_map(move |case| {
        let is_small = case.request.work() <= LARGEST && !matches!(case.request, Request::Multinomial(_));
        let is_drawn = is_small && has_kernel(case.request.op());
        let stages = is_drawn.then(|| reference.stages(&case.request)).flatten()?;
        // Counters are the reference's to show.
        let counters = Vec::new();
        (!stages.words.is_empty()).then_some((case, Stages { counters, ..stages }))
    })
}

/// Whether both optimised backends have a kernel for an op that shows a word for each element: they have none for CUDA's
/// draws, of LiteRT, of NumPy, for normals and for samplers, and those of JAX's ops and ONNX's drafts keep no words.
fn has_kernel(op: OpName) -> bool {
    let by_generator = op.name().starts_with("torch.") && !op.name().starts_with("torch.philox_");
    let lacks = [
        "curand.",
        "inductor.",
        "jax.",
        "litert.",
        "numpy.",
        "onnx.",
        "ormal",
        "sglang.",
        "Shuffle",
        "StatelessMultinomial",
        "tensorflow.Multinomial",
        "torch_cuda.",
        "triton.",
        "vllm.",
    ]
    .iter()
    .any(|part| op.name().contains(part));
    !(by_generator || lacks)
}

/// Whether the CPU has a kernel for an op that shows a word for each element: for some normals too. Those of PyTorch's
/// generator draw the words of the last elements twice.
fn cpu_has_kernel(op: OpName) -> bool {
    has_kernel(op)
        || matches!(
            op,
            OpName::RandomStandardNormal | OpName::StatelessRandomNormal | OpName::PhiloxNormal
        )
}

#[test]
fn stages_of_the_cpu_are_the_references() {
    let cpu = Cpu::new(Level::best(), Limits::default(), || 1);
    let mut compared = BTreeMap::new();
    for (case, right) in right(cpu_has_kernel) {
        assert_eq!(cpu.stages(&case.request), Some(right), "{}", case.id);
        *compared.entry(case.request.op()).or_insert(0) += 1;
    }
    let drawn = OpName::ALL.iter().filter(|op| cpu_has_kernel(**op)).count();
    assert_eq!(compared.len(), drawn - 1, "{compared:?}");
    assert!(compared.values().all(|&count| count >= 50), "{compared:?}");
}

#[test]
fn gpu_stages_are_the_references() {
    for adapter in adapters_to_test() {
        let gpu = Gpu::open(adapter, Limits::default(), || 1).expect("the driver opens a device");
        for (case, right) in right(has_kernel).step_by(17) {
            let stages = gpu.stages(&case.request);
            let stages = stages.map(|stages| Stages {
                counters: Vec::new(),
                ..stages
            });
            assert_eq!(stages, Some(right), "{}", case.id);
        }
    }
}
