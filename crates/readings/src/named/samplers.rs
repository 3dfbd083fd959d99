//! Samplers of servers, and draws of compilers.

use super::base::{NOTHING, reading};
use crate::answers::{Has, Scope};
use crate::reading::Reading;

pub(super) fn samplers() -> [Reading; 4] {
    let with = |name, observed, scope: Scope| {
        let mut reading = reading(name, observed);
        reading.scope = scope;
        reading
    };
    [
        with(
            "triton-3.9",
            "Triton 3.9.0, interpreter",
            Scope {
                triton: Has::Yes,
                ..NOTHING
            },
        ),
        with(
            "torch-inductor-2.15",
            "PyTorch 2.15.0 on x86-64, torch.compile on a CPU",
            Scope {
                inductor: Has::Yes,
                ..NOTHING
            },
        ),
        with(
            "vllm-0.33",
            "vLLM 0.33.0, its kernels in Triton's interpreter",
            Scope {
                vllm: Has::Yes,
                ..NOTHING
            },
        ),
        with(
            "sglang-0.5",
            "SGLang 0.5.23, its kernel in Triton's interpreter, PyTorch on a CPU",
            Scope {
                sglang: Has::Yes,
                ..NOTHING
            },
        ),
    ]
}
