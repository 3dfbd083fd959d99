import numpy as np, openvino as ov, torch

class Dropout(torch.nn.Module):
    def forward(self, x):
        return torch.nn.functional.dropout(x, 0.5, training=True)

x = torch.arange(1.0, 9.0)
traced = ov.convert_model(torch.jit.trace(Dropout(), x, check_trace=False), example_input=x)
exported = ov.convert_model(torch.export.export(Dropout(), (x,)))
run = lambda model: ov.Core().compile_model(model, "CPU")([x.numpy()])[0]
print("PyTorch:", Dropout()(x).numpy(), "traced:", run(traced), "exported:", run(exported))
assert np.array_equal(run(traced), x.numpy()) and run(exported).shape == ()
