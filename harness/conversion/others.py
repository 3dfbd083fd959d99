"""Models as others build them, from the layers of Keras, PyTorch and torchvision and the files of the `onnx` package: whether the verdict
of `seedproof convert` on each whole model is what the real packages do, loaded by path, in three inferences.

Usage: others.py keras|torch|onnx PROGRAM [NAME…]

A model's output passes through layers whose sums each package rounds in its own order, so outputs count as equal where they are close; other
random numbers are far. Prints a line for each model and path, and exits 1 if a verdict is wrong. torchvision is needed beside PyTorch.
"""

import json
import pickle
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

INFERENCES = 3


def close(one, other):
    """Equal but for the order of sums: a thousandth of what the model makes of other numbers would be too much."""
    return one.shape == other.shape and np.allclose(one, other, rtol=0, atol=1e-4 * np.abs(one).max(initial=1e-30), equal_nan=True)


def drawn(start):
    """What a package answers in three inferences, or why it refuses."""
    try:
        answer = start()
        return [np.array(answer()) for _ in range(INFERENCES)]
    except Exception as reason:
        return str(reason) or type(reason).__name__


def verdict(source, first, again):
    """What the packages do, from the answers of the source, of the target, and of the target in another process."""
    if isinstance(first, str):
        return "refused"
    # What refuses its own model draws no numbers that could be kept.
    right = [not isinstance(source, str) and close(source[number], answer) for number, answer in enumerate(first)]
    if all(right):
        return "same"
    if right[0]:
        return "same-at-first"
    if all(close(first[0], answer) for answer in first[1:] + again):
        return "not-drawn"
    return "own-bits" if all(map(close, first, again)) else "not-repeatable"


def check(program, name, path, pairs, again):
    """Compares the answer for a file with what the packages did."""
    told = subprocess.run([program, "convert", path, "--json", "--hint", "f32"], check=False, capture_output=True, text=True)
    if told.returncode == 5:
        answers, partly, is_open = dict.fromkeys(pairs, "nothing-random"), (), False
    elif told.returncode > 1:
        raise SystemExit(f"{name}: {told.stderr.strip()}")
    else:
        document = json.loads(told.stdout)
        answers = {(way["from"], way["to"]): way["whole"]["verdict"] for way in document["paths"]}
        # Where only some of the ops do not draw any more, the outputs still differ by the others.
        partly = {(way["from"], way["to"]) for way in document["paths"] if way["whole"].get("ops", 0) < len(document["ops"])}
        # Of an op behind a dropout it may be left open whether OpenVINO refuses it.
        is_open = "may refuse" in json.dumps(document["ops"])
    wrong = 0
    for pair, (source, target) in pairs.items():
        real, answer = verdict(source, target, again[pair][1]), answers.get(pair, "no answer")
        # A model without a random op draws the same, whatever the paths are.
        right = answer == real or answer == "nothing-random" and real == "same" or answer == "not-drawn" and pair in partly and real in ("own-bits", "not-repeatable")
        right = right or answer == "not-drawn" and is_open and real == "refused"
        wrong += not right
        reason = f": {' '.join(target.split())[:300]}" if isinstance(target, str) else ""
        print(f"{'right' if right else 'WRONG'} {name}, {pair[0]} to {pair[1]}: {answer}{' or refused' if is_open and pair[1] == 'OpenVINO' else ''}" + ("" if right else f", and the packages: {real}{reason}"))
    return wrong


def openvino_of(convert, inputs):
    import openvino

    def start():
        compiled = openvino.Core().compile_model(convert(), "CPU", {"INFERENCE_PRECISION_HINT": "f32"})
        return lambda: compiled(inputs)[0]

    return start


def keras(folder, wanted):
    import keras
    import openvino
    import tensorflow as tf
    from ai_edge_litert.interpreter import Interpreter

    layers = keras.layers
    image, row, steps = (16, 16, 3), (32,), (6, 8)

    class Sampling(layers.Layer):
        """The reparametrisation of a variational autoencoder."""

        def __init__(self):
            super().__init__()
            self.seeds = keras.random.SeedGenerator(1337)

        def call(self, x):
            mean, spread = keras.ops.split(x, 2, axis=-1)
            return mean + keras.ops.exp(0.5 * spread) * keras.random.normal(keras.ops.shape(mean), seed=self.seeds)

    drop = lambda layer: lambda x: layer(x, training=True)
    stacks = {
        "mlp": (row, [layers.Dense(64, "relu"), drop(layers.Dropout(0.5, seed=1)), layers.Dense(8)]),
        "cnn": (image, [layers.Conv2D(8, 3), drop(layers.SpatialDropout2D(0.3, seed=1)), layers.Flatten(), layers.Dense(4)]),
        "lstm": (steps, [drop(layers.LSTM(12, dropout=0.3, recurrent_dropout=0.2, seed=1)), layers.Dense(4)]),
        "denoiser": (row, [drop(layers.GaussianNoise(0.5, seed=1)), layers.Dense(16, "tanh"), layers.Dense(32)]),
        "vae": (row, [layers.Dense(16), Sampling(), layers.Dense(32)]),
        "attention": (steps, [lambda x: layers.MultiHeadAttention(2, 4, dropout=0.4, seed=1)(x, x, training=True), layers.Dense(4)]),
        "augmented": (image, [drop(layers.RandomFlip(seed=1)), drop(layers.RandomContrast(0.5, seed=1)), layers.Flatten(), layers.Dense(4)]),
        "selu": (row, [layers.Dense(32, "selu"), drop(layers.AlphaDropout(0.3, seed=1)), layers.Dense(8)]),
        "gaussian-dropout": (row, [drop(layers.GaussianDropout(0.3, seed=1)), layers.Dense(8)]),
        "plain-inference": (row, [layers.Dense(64, "relu"), layers.Dropout(0.5), layers.GaussianNoise(1.0), layers.Dense(8)]),
        "mobilenet": ((32, 32, 3), [keras.applications.MobileNetV2((32, 32, 3), weights=None, include_top=False, pooling="avg"), drop(layers.Dropout(0.2, seed=1)), layers.Dense(4)]),
        "lambda-normal": (row, [layers.Lambda(lambda x: x + tf.random.normal([1, 32], seed=3)), layers.Dense(8)]),
        "lambda-uniform": (row, [layers.Lambda(lambda x: x * tf.random.uniform([1, 32], 0.5, 1.5, seed=3)), layers.Dense(8)]),
        "lambda-dropout": (row, [layers.Lambda(lambda x: tf.nn.dropout(x, 0.4, seed=3)), layers.Dense(8)]),
        "lambda-unseeded": (row, [layers.Lambda(lambda x: tf.nn.dropout(x, 0.4)), layers.Dense(8)]),
        "lambda-stateless": (row, [layers.Lambda(lambda x: x + tf.random.stateless_normal([1, 32], seed=[1, 2])), layers.Dense(8)]),
        "lambda-categorical": (row, [layers.Lambda(lambda x: tf.cast(tf.random.categorical(x, 7, seed=3), tf.float32)), layers.Dense(8)]),
        "lambda-shuffle": (row, [layers.Lambda(lambda x: tf.transpose(tf.random.shuffle(tf.transpose(x), seed=3))), layers.Dense(8)]),
    }
    for name, (shape, stack) in stacks.items():
        if wanted and name not in wanted:
            continue
        keras.utils.set_random_seed(5)
        x = made = keras.Input(shape, batch_size=1)
        for layer in stack:
            x = layer(x)
        path, given = str(folder / name), np.linspace(-1, 1, int(np.prod(shape)), dtype=np.float32).reshape(1, *shape)
        module = keras.Model(made, x)
        # Values that the numbers can be told apart by, whatever the first weights are.
        module.export(path, verbose=False)

        def source(path=path, given=given):
            function = tf.saved_model.load(path).signatures["serving_default"]
            return lambda: next(iter(function(tf.constant(given)).values())).numpy()

        def lite(path=path, given=given):
            converter = tf.lite.TFLiteConverter.from_saved_model(path)
            interpreter = Interpreter(model_content=converter.convert(), num_threads=1)
            interpreter.allocate_tensors()
            interpreter.set_tensor(interpreter.get_input_details()[0]["index"], given)

            def answer():
                interpreter.invoke()
                return interpreter.get_tensor(interpreter.get_output_details()[0]["index"])

            return answer

        ends = {("TensorFlow", "OpenVINO"): (source, openvino_of(lambda path=path: openvino.convert_model(path), [given])), ("TensorFlow", "LiteRT"): (source, lite)}
        yield name, path, ends


def torch(folder, wanted):
    import onnxruntime
    import openvino
    import torch
    import torchvision.models as zoo

    nn = torch.nn

    class Noisy(nn.Module):
        """Noise on what a layer makes, as a diffusion model adds it."""

        def __init__(self, draw):
            super().__init__()
            self.layer, self.draw = nn.Linear(32, 32), draw

        def forward(self, x):
            return self.layer(x) + self.draw(x)

    class Encoder(nn.Module):
        def __init__(self):
            super().__init__()
            self.layers = nn.TransformerEncoder(nn.TransformerEncoderLayer(32, 2, 32, 0.3, batch_first=True), 1)

        def forward(self, x):
            return self.layers(x[:, None, :])

    class Recurrent(nn.Module):
        def __init__(self):
            super().__init__()
            self.layers = nn.LSTM(8, 8, 2, dropout=0.4, batch_first=True)

        def forward(self, x):
            return self.layers(x.reshape(2, 4, 8))[0]

    image, row = (2, 3, 64, 64), (2, 32)
    models = {
        "alexnet": (image, lambda: zoo.alexnet(num_classes=10)),
        "vgg11-bn": (image, lambda: zoo.vgg11_bn(num_classes=10)),
        "squeezenet": (image, lambda: zoo.squeezenet1_1(num_classes=10)),
        "mobilenet-v3": (image, lambda: zoo.mobilenet_v3_small(num_classes=10)),
        "efficientnet": (image, lambda: zoo.efficientnet_b0(num_classes=10)),
        "convnext": (image, lambda: zoo.convnext_tiny(num_classes=10, stochastic_depth_prob=0.5)),
        "densenet": (image, lambda: zoo.densenet121(num_classes=10, drop_rate=0.2)),
        "vit": ((2, 3, 32, 32), lambda: zoo.VisionTransformer(32, 16, 1, 2, 32, 64, dropout=0.3, num_classes=10)),
        "swin": (image, lambda: zoo.swin_t(num_classes=10)),
        "resnet": (image, lambda: zoo.resnet18(num_classes=10)),
        "encoder": (row, Encoder),
        "recurrent": (row, Recurrent),
        "randn": (row, lambda: Noisy(torch.randn_like)),
        "rand": (row, lambda: Noisy(lambda x: torch.rand(2, 32))),
        "bernoulli": (row, lambda: Noisy(lambda x: torch.bernoulli(torch.sigmoid(x)))),
        "rrelu": (row, lambda: nn.Sequential(nn.Linear(32, 32), nn.RReLU())),
        "alpha-dropout": (row, lambda: nn.Sequential(nn.SELU(), nn.AlphaDropout(0.4))),
        "feature-dropout": ((2, 4, 8, 8), lambda: nn.Sequential(nn.Conv2d(4, 4, 3), nn.Dropout2d(0.5))),
        "evaluated": (row, lambda: nn.Sequential(nn.Linear(32, 32), nn.Dropout(0.5)).eval()),
    }
    for name, (shape, build) in models.items():
        if wanted and name not in wanted:
            continue
        torch.manual_seed(5)
        built, given = build(), torch.linspace(-1, 1, int(np.prod(shape))).reshape(shape)
        if name != "evaluated":
            built.train()
        for module in built.modules():
            # As models are tuned: the averages of whole batches stay as they are.
            if isinstance(module, nn.BatchNorm2d):
                module.eval()
        with torch.no_grad():
            # Some layers begin as zeros, behind which nothing random shows.
            for parameter in built.parameters():
                parameter += 0.05 * torch.randn_like(parameter)

        def source(built=built, given=given):
            torch.manual_seed(7)
            return lambda: built(given).detach().numpy()

        path = folder / f"{name}.pt2"
        torch.export.save(torch.export.export(built, (given,)), path)
        convert = lambda path=path: openvino.convert_model(torch.export.load(path), example_input=(given,))
        yield name, path, {("PyTorch", "OpenVINO"): (source, openvino_of(convert, [given.numpy()]))}
        for exporter in ("dynamo", "script"):
            path = folder / f"{name}-{exporter}.onnx"
            training = torch.onnx.TrainingMode.EVAL if name == "evaluated" else torch.onnx.TrainingMode.PRESERVE
            try:
                torch.onnx.export(built, (given,), path, dynamo=exporter == "dynamo", training=training, opset_version=18 if exporter == "dynamo" else 15, verbose=False)
            except Exception as reason:
                print(f"not exported: {name} by {exporter}: {' '.join(str(reason).split())[:150]}", file=sys.stderr)
                continue

            def runtime(path=path, given=given):
                session = onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"])
                return lambda: session.run(None, {session.get_inputs()[0].name: given.numpy()})[0]

            ends = {("PyTorch", "ONNX Runtime"): (source, runtime), ("PyTorch", "OpenVINO"): (source, openvino_of(lambda path=path: openvino.Core().read_model(path), [given.numpy()]))}
            yield f"{name} by {exporter}", path, ends


def onnx(folder, wanted):
    """The node tests of the `onnx` package that have a random op, with the first of their inputs, and its older models."""
    from onnx.backend.test import loader

    import onnx as package
    import onnxruntime
    import openvino
    from onnx.reference import ReferenceEvaluator

    random = {"RandomUniform", "RandomNormal", "RandomUniformLike", "RandomNormalLike", "Bernoulli", "Multinomial", "Dropout"}

    def read(path):
        tensor = package.TensorProto()
        tensor.ParseFromString(path.read_bytes())
        return package.numpy_helper.to_array(tensor)

    def tests():
        for test in loader.load_node_model_tests():
            if test.model is not None and test.data_sets:
                yield test.name, test.model, test.data_sets[0][0]
        for path in sorted((Path(loader.__file__).resolve().parent.parent / "data").glob("*/*/model.onnx")):
            inputs = sorted(path.parent.glob("test_data_set_0/input_*.pb"), key=lambda file: int(file.stem.split("_")[1]))
            yield path.parts[-2], package.load(path), list(map(read, inputs))

    for name, model, inputs in tests():
        # A ratio of zero that is an input does not stand in the file.
        if "zero_ratio" in name:
            continue
        nodes = [*model.graph.node, *(node for function in model.functions for node in function.node)]
        if not random.intersection(node.op_type for node in nodes) or wanted and name not in wanted:
            continue
        path = folder / f"{name}.onnx"
        package.save(model, path)
        given = dict(zip((value.name for value in model.graph.input), map(np.asarray, inputs)))

        def source(path=path, given=given):
            evaluator = ReferenceEvaluator(package.load(path))
            return lambda: np.asarray(evaluator.run(None, given)[0])

        def runtime(path=path, given=given):
            session = onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"])
            return lambda: session.run(None, given)[0]

        target = openvino_of(lambda path=path: openvino.Core().read_model(path), list(given.values()))
        yield name, path, {("ONNX reference evaluator", "ONNX Runtime"): (source, runtime), ("ONNX Runtime", "OpenVINO"): (runtime, target)}


KINDS = {"keras": keras, "torch": torch, "onnx": onnx}


def worker(kind, folder, *wanted):
    """Builds the models and lets the packages answer."""
    found = []
    for name, path, ends in KINDS[kind](Path(folder), wanted):
        found.append((name, str(path), {pair: [drawn(start) for start in both] for pair, both in ends.items()}))
    Path(folder, "answers").write_bytes(pickle.dumps(found))


def main(kind, program, *wanted):
    program, answers = Path(program).resolve(), []
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(2):
            # Where a seed is the time, it is the time in whole seconds.
            time.sleep(1.1)
            subprocess.run([sys.executable, "-W", "ignore", __file__, "--worker", kind, folder, *wanted], check=True)
            answers.append(pickle.loads(Path(folder, "answers").read_bytes()))
        wrong = sum(check(program, *first, again) for first, (_, _, again) in zip(*answers, strict=True))
    pairs = sum(len(pairs) for _, _, pairs in answers[0])
    print(f"{len(answers[0])} models, {pairs} conversions, {wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    if sys.argv[1] == "--worker":
        worker(*sys.argv[2:])
    else:
        sys.exit(main(*sys.argv[1:]))
