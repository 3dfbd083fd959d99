import tempfile
from pathlib import Path

import openvino as ov
from onnx import TensorProto, helper

node = helper.make_node("Bernoulli", ["x"], ["y"], seed=7.0)
values = [helper.make_tensor_value_info(name, TensorProto.FLOAT, [4]) for name in "xy"]
graph = helper.make_graph([node], "g", values[:1], values[1:])
model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 15)], ir_version=10)
core = ov.Core()
print(core.read_model(model.SerializeToString()).outputs)
with tempfile.TemporaryDirectory() as folder:
    path = Path(folder, "bernoulli.onnx")
    path.write_bytes(model.SerializeToString())
    try:
        core.compile_model(core.read_model(path), "CPU")
    except Exception as error:
        assert "Bernoulli-15" in str(error), error
        print("refused from its file:", str(error).strip().splitlines()[-1])
    else:
        raise SystemExit("it is taken from its file too")
