import numpy as np, onnxruntime, openvino as ov
from onnx import TensorProto, helper
from onnx.reference import ReferenceEvaluator

value = lambda name: helper.make_tensor_value_info(name, TensorProto.FLOAT, [10000])
graph = helper.make_graph([helper.make_node("Bernoulli", ["p"], ["y"], seed=7.0)], "g", [value("p")], [value("y")])
model, p = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 15)], ir_version=8), np.full(10000, 0.25, np.float32)
ort = onnxruntime.InferenceSession(model.SerializeToString()).run(None, {"p": p})[0].mean()
vino = ov.Core().compile_model(ov.Core().read_model(model.SerializeToString()), "CPU")([p])[0].mean()
print("ones at p = 0.25: ONNX Runtime", ort, "OpenVINO", vino, "reference evaluator", ReferenceEvaluator(model).run(None, {"p": p})[0].mean())
assert ort > 0.7 and vino > 0.7
