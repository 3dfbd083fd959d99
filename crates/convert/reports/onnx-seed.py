import openvino as ov
from onnx import TensorProto, helper

for seed in (7.0, 7.9, 0.0):
    node = helper.make_node("RandomUniform", [], ["y"], shape=[8], seed=seed)
    graph = helper.make_graph([node], "g", [], [helper.make_tensor_value_info("y", TensorProto.FLOAT, [8])])
    model = ov.Core().read_model(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 15)], ir_version=8).SerializeToString())
    attributes = next(node for node in model.get_ordered_ops() if node.get_type_name() == "RandomUniform").get_attributes()
    print(f"seed {seed}: global_seed {attributes['global_seed']}, op_seed {attributes['op_seed']:#x}")
    assert attributes["op_seed"] == {7.0: 0x40E00000, 7.9: 0x40FCCCCD, 0.0: 0}[seed]
