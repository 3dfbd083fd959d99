import openvino as ov
from onnx import TensorProto, helper

node = helper.make_node("Bernoulli", ["p"], ["y"])
value = lambda name: helper.make_tensor_value_info(name, TensorProto.FLOAT, [8])
graph = helper.make_graph([node], "g", [value("p")], [value("y")])
try:
    ov.Core().read_model(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 15)], ir_version=8).SerializeToString())
    raise SystemExit("it converts")
except RuntimeError as error:
    print([line for line in str(error).splitlines() if "UNDEFINED" in line][0])
