"""Writes the models that the tests of `seedproof convert` read, with the exporters that people use.

Usage: exported_models.py tensorflow|torch FOLDER
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


if __name__ == "__main__":
    {"tensorflow": tensorflow, "torch": torch}[sys.argv[1]](Path(sys.argv[2]))
