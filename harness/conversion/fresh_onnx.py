"""Fresh ONNX models, run by ONNX Runtime, the reference evaluator and OpenVINO: see `fresh.py`."""

import numpy as np
import onnx

import openvino_target
from fresh import main, outputs
from onnx_driver import evaluator, model, session, single

FLOATS = ("f32", "f32", "f64", "f16")


def seed(chance):
    return single(
        chance.choice(
            [
                float(chance.randrange(1, 1000)),
                chance.uniform(0.0, 100.0),
                chance.uniform(-1e4, 1e4),
                chance.uniform(0.0, 1e10),
                float(chance.randrange(1, 1 << 32)),
            ]
        )
    )


def extents(chance):
    shape = [chance.choice((1, 2, 3, 5, 8, 17)) for _ in range(chance.choice((1, 1, 1, 2, 2, 3, 4, 7)))]
    return [chance.randrange(0, 1500)] if np.prod(shape) > 4000 else shape


def form(chance):
    """A form of `onnx_driver`, and the op set. Some have what a package refuses: no range, a mean beyond f16, no probability."""
    rare = lambda: chance.random() < 0.07
    op = chance.choice(["RandomUniform", "RandomNormal", "RandomUniformLike", "RandomNormalLike", "Bernoulli", "Bernoulli", "Multinomial", "Multinomial", "Dropout"])
    made = {"op": op, "type": chance.choice(FLOATS), "shape": extents(chance)}
    if "Uniform" in op:
        low = chance.uniform(-10.0, 10.0)
        # A range from above ends the process of ONNX Runtime.
        made |= {"low": single(low), "high": single(low if rare() else low + chance.uniform(0.1, 100.0))}
    elif "Normal" in op:
        # A scale that is not positive ends the process of ONNX Runtime.
        made |= {"mean": single(7e4 if rare() else chance.choice((0.0, chance.uniform(-5.0, 5.0)))), "scale": single(chance.choice((1.0, chance.uniform(0.1, 9.0))))}
    elif op == "Bernoulli":
        made |= {"type": chance.choice((*FLOATS, "i32", "i64", "u8", "bool")), "input_type": chance.choice(FLOATS)}
        one = chance.choice((0.0, 0.5, 1.0, chance.random()))
        many = chance.random() < 0.5
        most = 1.5 if rare() else 1.0
        made["p"] = [chance.uniform(0.0, most) if many else one for _ in range(int(np.prod(made["shape"])))]
    elif op == "Dropout":
        made |= {"type": "f32", "input": 1.0, "rate": single(chance.uniform(0.0, 0.99))}
        if not rare():
            made["seed"] = chance.choice((chance.randrange(0, 1000), chance.randrange(0, 1 << 24), chance.randrange(-(1 << 40), 1 << 40)))
        return made, chance.choice((12, 15, 22))
    else:
        rows, classes, samples = chance.randrange(1, 4), chance.randrange(1, 30), chance.randrange(1, 60)
        made |= {"type": chance.choice(("i32", "i64")), "input_type": chance.choice(FLOATS), "shape": [rows, samples], "samples": samples}
        made["logits"] = [chance.gauss(0.0, 2.0) for _ in range(rows * classes)]
    if chance.random() < 0.95:
        made["seed"] = 0.0 if chance.random() < 0.03 else seed(chance)
    return made, chance.choice((7, 11, 15, 15, 15, 17, 20, 21, 22)) if op != "Bernoulli" else chance.choice((15, 15, 17, 21, 22))


def listed(content, chance):
    """The same model, in half of the cases with its constants as lists of numbers and not as bytes."""
    if chance.random() < 0.5:
        return content
    read = onnx.load_from_string(content)
    for tensor in read.graph.initializer:
        array = onnx.numpy_helper.to_array(tensor)
        tensor.CopyFrom(onnx.helper.make_tensor(tensor.name, tensor.data_type, array.shape, array.ravel()))
    return read.SerializeToString()


def made(chance, path):
    fields, opset = form(chance)
    content, inputs = model(fields, opset)
    path = path.with_suffix(".onnx")
    path.write_bytes(listed(content, chance))
    converter = openvino_target.Converter(lambda: openvino_target.CORE.read_model(path), "f32", list(inputs.values()))
    drawn = {
        "ONNX Runtime": outputs("compile", lambda: session(str(path), inputs)),
        "ONNX reference evaluator": outputs("source", lambda: evaluator(path.read_bytes(), inputs)),
        "OpenVINO": outputs("convert", lambda: converter.compile(converter.convert())),
    }
    what = f"{fields['op']} {fields['type']}" if fields.get("seed") else "no seed, or 0"
    return fields["op"], what, f"{fields}, opset {opset}", path, drawn


if __name__ == "__main__":
    main(made)
