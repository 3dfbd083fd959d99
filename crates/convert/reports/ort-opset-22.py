import onnxruntime
from onnx import TensorProto, helper

node = helper.make_node("RandomUniform", [], ["y"], shape=[8], seed=7.0)
graph = helper.make_graph([node], "g", [], [helper.make_tensor_value_info("y", TensorProto.FLOAT, [8])])
try:
    onnxruntime.InferenceSession(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 22)], ir_version=10).SerializeToString())
    raise SystemExit("it loads")
except onnxruntime.capi.onnxruntime_pybind11_state.NotImplemented as error:
    print(error)
