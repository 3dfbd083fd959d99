"""TensorFlow to OpenVINO: a concrete function, and the same saved as a model, or converted to LiteRT first."""

import tempfile
from pathlib import Path

import tensorflow as tf

import openvino_target
from capture import Model, main
from openvino_target import convert_model
from tensorflow_forms import KEY, LOGITS, RANGES, RAW_SEEDS, SPANS_I32, SPANS_I64, UNIT, api, concrete, inputs, raw, source, start

ALL = ("f32", "default", "f16", "bf16")
# The two hints that differ in what they do to arithmetic in f32.
TWO = ("f32", "f16")
ONE = ("f32",)
BOTH = ("function", "saved_model")
FUNCTION = ("function",)
LITERT = ("litert",)


def forms():
    """Each form with its hints and modes, pairwise over what may vary."""
    for pair in RAW_SEEDS:
        yield raw("RandomUniform", "f32", pair), ALL if pair == (7, 9) else ONE, BOTH if pair in ((7, 9), (-7, -9)) else FUNCTION
    for kind, hints in (("f16", ALL), ("f64", ALL), ("bf16", TWO)):
        yield raw("RandomUniform", kind), hints, BOTH if kind == "f64" else FUNCTION
    for kind, pair in (("f16", (0, 9)), ("f16", (-7, -9)), ("f64", (2**32 + 5, 2**33 + 6)), ("f64", (0, 0))):
        yield raw("RandomUniform", kind, pair), TWO if kind == "f16" else ONE, FUNCTION
    yield raw("RandomUniform", "f32", (7, 9), dynamic=True), TWO, BOTH
    yield raw("RandomUniform", "f16", (7, 9), dynamic=True), ONE, FUNCTION
    yield raw("RandomUniform", "f32", (7, 9), shape=(2, 3, 4)), ONE, FUNCTION
    for low, high in SPANS_I32:
        yield raw("RandomUniformInt", "i32", low=low, high=high), ALL if low == -5 else ONE, BOTH if low == -5 else FUNCTION
    for pair in ((2**31 + 5, 9), (-7, -9), (0, 0), (0, 9)):
        yield raw("RandomUniformInt", "i32", pair, low=-100, high=1000), ONE, FUNCTION
    for low, high in SPANS_I64:
        yield raw("RandomUniformInt", "i64", low=low, high=high), TWO if low == -5 else ONE, BOTH if low == -5 else FUNCTION
    for pair in ((2**32 + 5, 2**33 + 6), (-7, -9)):
        yield raw("RandomUniformInt", "i64", pair, low=0, high=1000), ONE, FUNCTION
    for low, high in RANGES:
        yield api("tf.random.uniform", "f32", low=low, high=high, seed=7), TWO if (low, high) == (0.1, 0.7) else ONE, BOTH if low == -3.3 else FUNCTION
    for kind in ("f16", "f64"):
        for low, high in ((-1.0, 1.0), (0.1, 0.7)):
            yield api("tf.random.uniform", kind, low=low, high=high, seed=7), ALL if kind == "f16" and low < 0 else TWO, FUNCTION
    yield api("tf.random.uniform", "f16", low=100.0, high=101.0, seed=7), TWO, FUNCTION
    yield api("tf.random.uniform", "f64", **UNIT, seed=7), ONE, FUNCTION
    yield api("tf.random.uniform", "bf16", **UNIT, seed=7), ONE, FUNCTION
    for given in ({"seed": 7}, {"global_seed": 42}, {"seed": 7, "global_seed": 42}, {}, {"seed": 0}, {"seed": -1}, {"seed": 2**31 - 1}, {"seed": 2**32 + 5}, {"seed": 0, "global_seed": 0}):
        yield api("tf.random.uniform", "f32", **UNIT, **given), ALL if given == {"seed": 7} else ONE, BOTH if "global_seed" in given else FUNCTION
    for given in ({"seed": 7}, {"global_seed": 42}, {}):
        yield api("tf.random.uniform", "i32", low=-50, high=50, **given), ONE, FUNCTION
        yield api("tf.random.uniform", "i64", low=-50, high=50, **given), ONE, FUNCTION
    for rate in (0.3, 0.5):
        yield api("tf.nn.dropout", "f32", (32,), rate=rate, input=1.0, seed=7), ALL, BOTH if rate == 0.3 else FUNCTION
    for given in ({"global_seed": 42}, {"seed": 7, "global_seed": 42}, {}):
        yield api("tf.nn.dropout", "f32", (32,), rate=0.3, input=1.0, **given), ONE, FUNCTION
    yield api("tf.nn.dropout", "f16", (32,), rate=0.3, input=1.0, seed=7), TWO, FUNCTION
    yield api("tf.nn.dropout", "f64", (32,), rate=0.3, input=1.0, seed=7), ONE, FUNCTION
    for kind in ("i32", "i64"):
        for pair in ((7, 9), (0, 9), (0, 0), (-7, -9)):
            yield raw("Multinomial", kind, pair, (1, 32), **LOGITS), TWO if pair == (7, 9) else ONE, BOTH if pair == (7, 9) else FUNCTION
        yield api("tf.random.categorical", kind, (1, 32), **LOGITS, seed=7), ONE, FUNCTION
    yield api("tf.random.categorical", "i64", (1, 32), **LOGITS, global_seed=42), ONE, FUNCTION
    yield from refused()
    yield from litert()


def refused():
    """What no rule of the converter covers; one or two of each."""
    for kind in ("f32", "f64"):
        for op in ("RandomStandardNormal", "TruncatedNormal"):
            yield raw(op, kind), ONE, BOTH if kind == "f32" else FUNCTION
        yield api("tf.random.normal", kind, mean=1.5, scale=0.1, seed=7), ONE, FUNCTION
    yield api("tf.random.truncated_normal", "f32", mean=0.0, scale=1.0, seed=7), ONE, FUNCTION
    yield raw("ParameterizedTruncatedNormal", "f32", mean=0.5, scale=2.0, low=-1.0, high=3.0), ONE, FUNCTION
    yield raw("RandomShuffle", "i32"), ONE, BOTH
    yield api("tf.random.shuffle", "f32", seed=7), ONE, FUNCTION
    yield raw("RandomGamma", "f32", alpha=2.5), ONE, FUNCTION
    yield api("tf.random.gamma", "f32", alpha=2.5, seed=7), ONE, FUNCTION
    yield raw("RandomPoissonV2", "f32", rate=3.5), ONE, FUNCTION
    yield api("tf.random.poisson", "f32", rate=3.5, seed=7), ONE, FUNCTION
    for op in ("StatelessRandomUniform", "StatelessRandomNormal", "StatelessTruncatedNormal"):
        yield api(op, "f32", stateless_seed=[7, 9]), ONE, FUNCTION
    yield api("StatelessMultinomial", "i64", (1, 32), **LOGITS, stateless_seed=[7, 9]), ONE, FUNCTION
    for op in ("StatelessRandomUniformV2", "StatelessRandomNormalV2", "StatelessTruncatedNormalV2"):
        yield api(op, "f32", **KEY), ONE, BOTH if "Uniform" in op else FUNCTION
    yield api("StatelessRandomUniformV2", "f64", **KEY), ONE, FUNCTION
    yield api("StatelessRandomUniformIntV2", "i32", **KEY, low=-50, high=50), ONE, FUNCTION
    yield api("StatelessRandomUniformIntV2", "i64", **KEY, low=-50, high=50), ONE, FUNCTION
    yield api("StatelessRandomUniformFullIntV2", "i32", **KEY), ONE, FUNCTION
    yield api("StatelessRandomUniformFullIntV2", "u64", **KEY), ONE, FUNCTION
    yield api("tf.random.stateless_uniform", "f32", low=0.1, high=0.7, stateless_seed=[7, 9]), ONE, FUNCTION
    yield api("tf.random.stateless_normal", "f32", mean=0.0, scale=1.0, stateless_seed=[7, 9]), ONE, FUNCTION
    yield api("tf.random.stateless_categorical", "i64", (1, 32), **LOGITS, stateless_seed=[7, 9]), ONE, FUNCTION
    yield api("tf.nn.experimental.stateless_dropout", "f32", (32,), rate=0.3, input=1.0, stateless_seed=[7, 9]), ONE, FUNCTION


def litert():
    """What LiteRT has a kernel for, and one that it lacks."""
    for op, kind in (("RandomUniform", "f32"), ("RandomUniform", "f64"), ("RandomStandardNormal", "f32")):
        yield raw(op, kind), ONE, LITERT
    for kind in ("i32", "i64"):
        yield raw("Multinomial", kind, (7, 9), (1, 32), **LOGITS), ONE, LITERT
    yield api("tf.random.uniform", "f32", low=0.1, high=0.7, seed=7), ONE, LITERT
    yield api("tf.random.normal", "f32", mean=1.5, scale=0.1, seed=7), ONE, LITERT
    yield api("tf.random.categorical", "i64", (1, 32), **LOGITS, seed=7), ONE, LITERT
    yield api("tf.nn.dropout", "f32", (32,), rate=0.3, input=1.0, seed=7), ONE, LITERT


def convert(form, mode):
    function = concrete(form)
    if mode == "function":
        return convert_model(function)
    with tempfile.TemporaryDirectory() as folder:
        if mode == "litert":
            model = Path(folder, "model.tflite")
            model.write_bytes(tf.lite.TFLiteConverter.from_concrete_functions([function]).convert())
            return openvino_target.CORE.read_model(model)
        module = tf.Module()
        tf.saved_model.save(module, folder, signatures=function)
        return convert_model(Path(folder))


def models():
    for form, hints, modes in forms():
        keys = source(form)
        for mode in modes:
            for hint in hints if mode == "function" else hints[:1]:
                yield Model(
                    keys,
                    {"target": "openvino", "mode": mode, "hint": hint},
                    lambda form=form: start(form),
                    openvino_target.Converter(lambda form=form, mode=mode: convert(form, mode), hint, inputs(form)),
                )


if __name__ == "__main__":
    main(list(models()), {("tensorflow", "openvino"): ["tensorflow", "openvino"]})
