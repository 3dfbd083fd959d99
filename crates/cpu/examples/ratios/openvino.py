"""Times RandomUniform on OpenVINO's CPU plugin. Reads lines "COUNT REPEATS", and prints the seconds that they take."""

import sys
import time

import numpy as np
import openvino as ov
from openvino import opset8

core = ov.Core()
requests = {}


def request(count):
    if count not in requests:
        bounds = (opset8.constant(0.0, ov.Type.f32), opset8.constant(1.0, ov.Type.f32))
        shape = opset8.parameter([1], ov.Type.i64)
        node = opset8.random_uniform(shape, *bounds, output_type="f32", global_seed=150, op_seed=10)
        compiled = core.compile_model(ov.Model([node], [shape], "uniform"), "CPU")
        requests[count] = compiled.create_infer_request()
        requests[count].set_input_tensor(ov.Tensor(np.array([count])))
    return requests[count]


print(ov.__version__, flush=True)
for line in sys.stdin:
    count, repeats = map(int, line.split())
    infer = request(count).infer
    start = time.perf_counter()
    for _ in range(repeats):
        infer()
    print(time.perf_counter() - start, flush=True)
