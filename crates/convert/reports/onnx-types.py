import openvino as ov
from onnx import TensorProto, helper

node = helper.make_node("RandomUniform", [], ["y"], shape=[8], seed=7.0, dtype=TensorProto.DOUBLE)
graph = helper.make_graph([node], "g", [], [helper.make_tensor_value_info("y", TensorProto.DOUBLE, [8])])
try:
    ov.Core().read_model(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 15)], ir_version=8).SerializeToString())
    raise SystemExit("it converts")
except RuntimeError as error:
    print([line for line in str(error).splitlines() if "out_type" in line][0])
