"""Writes the models that the tests of `seedproof convert` and of `crates/convert` read, with the exporters that people use.

Usage: exported_models.py tensorflow|torch FOLDER     crates/seedproof-cli/tests/models
       exported_models.py wholes|noise|pt2 FOLDER     crates/convert/tests/models
"""

import shutil
import sys
import tempfile
from pathlib import Path


def tensorflow(folder):
    import openvino as ov
    import tensorflow as tf

    class Sampler(tf.Module):
        """Noise, dropout, and a loop that samples."""

        def __init__(self):
            self.weights = tf.Variable(tf.random.stateless_normal([8, 4], seed=[1, 2]))

        @tf.function(input_signature=[tf.TensorSpec([2, 8], tf.float32)])
        def __call__(self, x):
            x = x + tf.random.uniform([2, 8], 0.1, 0.7, seed=7)
            x = tf.nn.dropout(x, 0.3, seed=5)
            x = x + tf.random.normal([2, 8], seed=9)
            picked = tf.zeros([2, 1], tf.int32)
            for _ in tf.range(3):
                picked += tf.random.categorical(x @ self.weights, 1, seed=3, dtype=tf.int32)
            return picked

    module = Sampler()
    with tempfile.TemporaryDirectory() as saved:
        tf.saved_model.save(module, saved)
        shutil.copy(Path(saved) / "saved_model.pb", folder / "saved_model.pb")
    converter = tf.lite.TFLiteConverter.from_concrete_functions([module.__call__.get_concrete_function()], module)
    (folder / "sampler.tflite").write_bytes(converter.convert())

    @tf.function(input_signature=[])
    def uniform():
        wide = tf.raw_ops.RandomUniformInt(shape=[8], minval=tf.constant(-50), maxval=tf.constant(50), seed=-7, seed2=2**40)
        sampled = tf.raw_ops.Multinomial(logits=[[0.0, 1.0]], num_samples=4, seed=1, seed2=2, output_dtype=tf.int32)
        return tf.random.uniform([2, 3], 0.1, 0.7, seed=7), wide, sampled

    ov.save_model(ov.convert_model(uniform.get_concrete_function()), folder / "uniform.xml", compress_to_fp16=False)


def torch(folder):
    import torch

    class Sampler(torch.nn.Module):
        """Noise, dropout, and a loop that samples."""

        def forward(self, x, steps: int):
            x = x + torch.rand(2, 8) + torch.randn(2, 8)
            x = torch.nn.functional.dropout(x, 0.3, training=True)
            for _ in range(steps):
                x = x + torch.bernoulli(torch.sigmoid(x))
            return x

    torch.onnx.export(
        torch.jit.script(Sampler()),
        (torch.zeros(2, 8), 3),
        folder / "sampler.onnx",
        opset_version=15,
        training=torch.onnx.TrainingMode.PRESERVE,
        dynamo=False,
    )


def saved(module, path, **options):
    import tensorflow as tf

    with tempfile.TemporaryDirectory() as folder:
        tf.saved_model.save(module, folder, **options)
        shutil.copy(Path(folder) / "saved_model.pb", path)


def wholes(folder):
    """Models of which the ops one by one say less than the whole: bodies, defaults, a refused op, functions, TensorFlow's own ops."""
    import onnx
    import tensorflow as tf
    from onnx import TensorProto, helper

    class Bodies(tf.Module):
        @tf.function(input_signature=[tf.TensorSpec([], tf.float32)])
        def __call__(self, x):
            sum = tf.zeros([4])
            for _ in tf.range(3):
                sum = sum + tf.random.uniform([4], seed=21)
            if x > 0.5:
                sum = sum + tf.random.uniform([4], seed=22)
            return sum + tf.random.uniform([4], seed=23)

    def module(function, *shape):
        made = tf.Module()
        made.f = tf.function(function, input_signature=[tf.TensorSpec(shape, tf.float32)])
        made.f.get_concrete_function()
        return made

    bodies = Bodies()
    saved(bodies, folder / "bodies.pb")
    converter = tf.lite.TFLiteConverter.from_concrete_functions([bodies.__call__.get_concrete_function()], bodies)
    (folder / "bodies.tflite").write_bytes(converter.convert())
    saved(module(lambda x: tf.random.categorical(x, 7, seed=3), 1, 3), folder / "categorical.pb")
    saved(module(lambda x: tf.nn.dropout(x, 0.3, seed=5), 32), folder / "dropout.pb")
    saved(module(lambda x: tf.nn.dropout(x, 0.3, seed=5) + tf.random.stateless_uniform([32], seed=[3, 4]), 32), folder / "mixed.pb")

    @tf.function(input_signature=[])
    def flex():
        return tf.raw_ops.RandomUniform(shape=[8], dtype=tf.float32, seed=1234, seed2=8), tf.random.truncated_normal([8], seed=5)

    converter = tf.lite.TFLiteConverter.from_concrete_functions([flex.get_concrete_function()])
    converter.target_spec.supported_ops = [tf.lite.OpsSet.SELECT_TF_OPS]
    (folder / "flex.tflite").write_bytes(converter.convert())

    # What a converter does not see, what it moves into the draw, and ops that have no rule.
    both = tf.Module()
    both.step = tf.function(lambda x: x + tf.random.normal([4]), input_signature=[tf.TensorSpec([4], tf.float32)])
    both.serve = tf.function(lambda x: 2 * x, input_signature=[tf.TensorSpec([4], tf.float32)])
    both.step.get_concrete_function()
    saved(both, folder / "served.pb", signatures=both.serve)
    saved(module(lambda x: (tf.random.uniform([16], seed=5) + 0.7) * 0.3 + x, 16), folder / "shifted.pb")
    saved(module(lambda x: tf.random.uniform([4], seed=5) * tf.constant([0.1, 0.2, 0.3, 0.4]) + 0.5 + x, 4), folder / "channels.pb")
    saved(module(lambda x: tf.random.uniform([], seed=5) + x, 4), folder / "scalar.pb")
    poisson = module(lambda x: tf.nn.dropout(x, 0.3, seed=5) + tf.random.stateless_poisson([4], [1, 2], [3.0], tf.float32), 4)
    saved(poisson, folder / "poisson.pb")

    def write(name, nodes, functions=(), opset=15, inputs=(), constants=()):
        values = [helper.make_tensor_value_info(name, TensorProto.FLOAT, [4]) for name in inputs]
        result = [helper.make_tensor_value_info("y", TensorProto.FLOAT, [4])]
        graph = helper.make_graph(nodes, name, values, result, constants)
        opsets = [helper.make_opsetid("", opset), helper.make_opsetid("my", 1)]
        model = helper.make_model(graph, opset_imports=opsets, functions=functions)
        model.ir_version = 10
        onnx.save(model, folder / f"{name}.onnx")

    def uniform(output="y", **attributes):
        return helper.make_node("RandomUniform", [], [output], shape=[4], **attributes)

    def function(name, nodes, attributes=(), inputs=()):
        return helper.make_function("my", name, inputs, ["y"], nodes, [helper.make_opsetid("", 15)], attributes)

    drawn = uniform()
    drawn.attribute.append(onnx.AttributeProto(name="seed", ref_attr_name="s", type=onnx.AttributeProto.FLOAT))
    noise = function("Noise", [drawn], ["s"])
    call = lambda output, seed: helper.make_node("Noise", [], [output], domain="my", s=seed)
    write("fn_ref", [call("y", 3.0)], [noise])
    write("fn_twice", [call("a", 3.0), call("b", 4.0), helper.make_node("Sub", ["a", "b"], ["y"])], [noise])
    twice = function("Twice", [helper.make_node("Add", ["x", "x"], ["y"])], inputs=["x"])
    nodes = [helper.make_node("Twice", ["x"], ["z"], domain="my"), uniform("r", seed=3.0), helper.make_node("Add", ["r", "z"], ["y"])]
    write("fn_plain", nodes, [twice], inputs=["x"])
    write("op22", [uniform(seed=3.0)], opset=22)
    write("intseed", [uniform(seed=3)])
    constants = [helper.make_tensor("r", TensorProto.FLOAT, [], [0.5]), helper.make_tensor("t", TensorProto.BOOL, [], [True])]
    write("drop5", [helper.make_node("Dropout", ["x", "r", "t"], ["y"], seed=5)], inputs=["x"], constants=constants)
    # The optimiser of ONNX Runtime removes only the one whose data a node makes and whose output a node takes.
    between = [
        helper.make_node("Dropout", ["x", "r", "t"], ["a"], name="first", seed=5),
        helper.make_node("Relu", ["a"], ["b"]),
        helper.make_node("Dropout", ["b", "r", "t"], ["c"], name="between", seed=6),
        helper.make_node("Relu", ["c"], ["d"]),
        helper.make_node("Dropout", ["d", "r", "t"], ["y"], name="last", seed=7),
    ]
    write("between", between, inputs=["x"], constants=constants)


def noise(folder):
    """Ops that draw from constants of the model, which are bytes in one of them and numbers in the other."""
    import numpy as np
    import onnx
    from onnx import TensorProto, helper

    def write(name, nodes, outputs, constant):
        values = [helper.make_tensor_value_info(name, kind, shape) for name, kind, shape in outputs]
        model = helper.make_model(helper.make_graph(nodes, name, [], values, [constant]), opset_imports=[helper.make_opsetid("", 15)])
        model.ir_version = 10
        onnx.save(model, folder / f"{name}.onnx")

    normal = helper.make_node("RandomNormal", [], ["n"], shape=[2, 2], mean=1.5, scale=0.5, seed=3.0)
    picked = helper.make_node("Multinomial", ["logits"], ["m"], sample_size=8, seed=4.0)
    logits = onnx.numpy_helper.from_array(np.array([[0.0, 1.0, -1.0, 0.5]], np.float32), "logits")
    write("noise", [normal, picked], [("n", TensorProto.FLOAT, [2, 2]), ("m", TensorProto.INT32, [1, 8])], logits)
    coins = helper.make_node("Bernoulli", ["p"], ["y"], seed=5.0)
    write("coins", [coins], [("y", TensorProto.FLOAT, [8])], helper.make_tensor("p", TensorProto.FLOAT, [8], [0.1, 0.5, 0.9, 0.3, 0.2, 0.7, 0.6, 0.4]))


def pt2(folder):
    import torch

    def save(module, given, name):
        exported = torch.export.export(module, given)
        # It has the paths of this machine.
        for node in exported.graph.nodes:
            node.meta.pop("stack_trace", None)
        torch.export.save(exported, folder / name)

    class Sampler(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.d, self.l = torch.nn.Dropout(0.3), torch.nn.Linear(4, 4)

        def forward(self, x):
            x = self.d(self.l(x)) + torch.rand(2, 4) + torch.randn_like(x) + torch.rand_like(x, dtype=torch.float64).float()
            x = x + torch.bernoulli(torch.sigmoid(x)) + torch.normal(0.0, 1.0, (2, 4))
            x = x + torch.randint(0, 10, (2, 4)) + torch.nn.functional.dropout(x, 0.5, training=True)
            return torch.multinomial(torch.sigmoid(x), 3)

    save(Sampler().train(), (torch.zeros(2, 4),), "sampler.pt2")

    class Layers(torch.nn.Module):
        """Dropout between layers and in attention, layers without any, and an activation that is random in training alone."""

        def __init__(self):
            super().__init__()
            self.two, self.one = torch.nn.LSTM(4, 2, 2, dropout=0.5), torch.nn.GRU(2, 2, 1)
            self.rrelu = torch.nn.RReLU().eval()

        def forward(self, x):
            x = self.rrelu(self.one(self.two(x)[0])[0])
            return torch.nn.functional.scaled_dot_product_attention(x, x, x, dropout_p=0.5)

    module = Layers().train()
    module.rrelu.eval()
    save(module, (torch.zeros(3, 2, 4),), "layers.pt2")

    class Halves(torch.nn.Module):
        """A dropout before an op of which it is not known whether OpenVINO refuses what is left."""

        def forward(self, x):
            return torch.nn.functional.dropout(x, 0.5, training=True).chunk(2, 0)[0]

    save(Halves(), (torch.zeros(4, 3),), "halves.pt2")


if __name__ == "__main__":
    {"tensorflow": tensorflow, "torch": torch, "wholes": wholes, "noise": noise, "pt2": pt2}[sys.argv[1]](Path(sys.argv[2]))
