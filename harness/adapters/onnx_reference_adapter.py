"""The reference evaluator of the package onnx: NumPy's RandomState, seeded in every run.

Install: pip install onnx==1.23.2 numpy==2.4.6
Usage:   onnx_reference_adapter.py
"""

import numpy as np
import onnx
from onnx.reference import ReferenceEvaluator

from onnx_model import OPS, capabilities, of_request, tensor_of
from seedproof_adapter import Rejected, serve


def run(request):
    model, inputs = of_request(request, 22)
    try:
        evaluator = ReferenceEvaluator(model)
        with np.errstate(all="ignore"):
            for _ in range(request.execution + 1):
                (output,) = evaluator.run(None, inputs)
    except (ValueError, OverflowError, TypeError, RuntimeError) as error:
        raise Rejected(None, str(error).splitlines()[0][:300]) from error
    return tensor_of(np.asarray(output))


if __name__ == "__main__":
    implementation = {
        "name": "onnx-reference",
        "version": onnx.__version__,
        "language": "python",
        "device": "ReferenceEvaluator",
        "homepage": "https://github.com/onnx/onnx",
        "issues": "https://github.com/onnx/onnx/issues",
    }
    # Multinomial is not implemented.
    serve(implementation, capabilities(*(op for op in OPS if op != "Multinomial")), run)
