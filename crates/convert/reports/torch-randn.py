import openvino as ov, torch

class Noise(torch.nn.Module):
    def forward(self, x):
        return x + torch.randn(8)

def seed():
    torch.manual_seed(7)
    model = ov.convert_model(torch.jit.trace(Noise(), torch.zeros(8), check_trace=False), example_input=torch.zeros(8))
    return next(node for node in model.get_ordered_ops() if node.get_type_name() == "RandomUniform").get_attributes()["op_seed"]

seeds = [seed() for _ in range(3)]
print("op_seed of three conversions:", seeds)
assert len(set(seeds)) > 1
