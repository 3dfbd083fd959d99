"""OpenVINO's frontend for ONNX, on its CPU plugin.

Install: pip install openvino==2026.4.1 onnx==1.23.2 numpy==2.4.6
Usage:   openvino_onnx_adapter.py
"""

import openvino as ov

from onnx_model import OPS, capabilities, of_request, tensor_of
from seedproof_adapter import Rejected, Unsupported, serve

CORE = ov.Core()


def run(request):
    model, inputs = of_request(request, 15)
    if not any(request.inputs["seed"].data):
        raise Unsupported("a seed of 0: nothing repeats")
    try:
        compiled = CORE.compile_model(CORE.read_model(model.SerializeToString()), "CPU", {"INFERENCE_PRECISION_HINT": "f32"})
        call = compiled.create_infer_request()
        for _ in range(request.execution + 1):
            output = call.infer(inputs)[0]
    except RuntimeError as error:
        raise Rejected(None, str(error).splitlines()[0][:300]) from error
    return tensor_of(output)


if __name__ == "__main__":
    implementation = {
        "name": "openvino-onnx",
        "version": ov.__version__.split("-")[0],
        "language": "c++",
        "device": "CPU",
        "homepage": "https://github.com/openvinotoolkit/openvino",
        "issues": "https://github.com/openvinotoolkit/openvino/issues",
    }
    serve(implementation, capabilities(*OPS), run)
