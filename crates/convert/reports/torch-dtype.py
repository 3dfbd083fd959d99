import openvino as ov, torch

class Noise(torch.nn.Module):
    def forward(self, x):
        return torch.rand(8, dtype=torch.float64) + 0 * x

program = torch.export.export(Noise(), (torch.zeros(8, dtype=torch.float64),))
types = [node.get_output_element_type(0).get_type_name() for node in ov.convert_model(program).get_ordered_ops() if node.get_type_name() == "RandomUniform"]
print("torch.rand of float64 becomes RandomUniform of", types)
assert types == ["f32"]
