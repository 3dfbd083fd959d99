"""IREE on the CPU: StableHLO's rng_bit_generator, compiled from its text by llvm-cpu.

Install: pip install iree-base-compiler==3.13.0 iree-base-runtime==3.13.0 numpy==2.4.6
Usage:   iree_adapter.py
"""

from importlib.metadata import version

import iree.compiler
import iree.runtime
import numpy as np

from seedproof_adapter import Rejected, Request, Tensor, Unsupported, serve
from stablehlo_text import bit_generator_module, numbers

CONFIG = iree.runtime.Config("local-task")
# What does not compile, though nothing is wrong with the request.
TYPES = ["u8", "u16", "u32", "u64", "i8", "i16", "i32", "i64", "f32"]


def run(request: Request):
    state, attrs = request.inputs["initial_state"], request.attrs
    dtype, sizes = attrs["output_type"], attrs["output_sizes"]
    narrow = dtype not in ("u64", "i64")
    if attrs["rng_algorithm"] == "THREE_FRY" and narrow and len(sizes) > 1 and 0 in sizes:
        raise Unsupported("an empty output of two dimensions or more does not compile")
    text = bit_generator_module(state, attrs["rng_algorithm"], dtype, sizes)
    try:
        program = iree.compiler.compile_str(
            text,
            target_backends=["llvm-cpu"],
            input_type="stablehlo",
            extra_args=["--iree-llvmcpu-target-cpu=generic"],
        )
    except iree.compiler.CompilerToolError as error:
        raise Rejected(None, str(error)[:300]) from error
    context = iree.runtime.SystemContext(config=CONFIG)
    context.add_vm_module(iree.runtime.VmModule.copy_buffer(context.instance, program))
    after, bits = (np.asarray(output) for output in context.modules.m["main"](numbers(state)))
    return {
        "output": Tensor(dtype, sizes, bits.tobytes()),
        "output_state": Tensor("u64", state.shape, after.tobytes()),
    }


if __name__ == "__main__":
    implementation = {
        "name": "iree",
        "version": version("iree-base-compiler"),
        "language": "c++",
        "device": "llvm-cpu",
        "homepage": "https://github.com/iree-org/iree",
        "issues": "https://github.com/iree-org/iree/issues",
    }
    serve(implementation, [{"op": "stablehlo.rng_bit_generator", "output_type": TYPES, "initial_state": ["u64"]}], run)
