import subprocess, sys

code = """
import onnxruntime
from onnx import TensorProto, helper
node = helper.make_node("RandomNormal", [], ["y"], shape=[8], seed=7.0, scale=0.0)
graph = helper.make_graph([node], "g", [], [helper.make_tensor_value_info("y", TensorProto.FLOAT, [8])])
onnxruntime.InferenceSession(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 15)], ir_version=8).SerializeToString()).run(None, {})
"""
ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
print("status", ended.returncode, ended.stderr.strip().splitlines()[-1])
assert ended.returncode == -6
