import openvino as ov, torch

class Noise(torch.nn.Module):
    def forward(self, x):
        return x + torch.rand(8)

torch.manual_seed(7)
model = ov.convert_model(torch.jit.trace(Noise(), torch.zeros(8), check_trace=False), example_input=torch.zeros(8))
node = next(node for node in model.get_ordered_ops() if node.get_type_name() == "RandomUniform").get_attributes()
print("alignment", node["alignment"], "global_seed", node["global_seed"], "op_seed", node["op_seed"])
assert (node["global_seed"], node["op_seed"]) == (0, 0)
