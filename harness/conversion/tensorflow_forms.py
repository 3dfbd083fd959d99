"""The forms of TensorFlow's random ops, and their sources. The drivers for OpenVINO and for LiteRT choose among them."""

import numpy as np
import tensorflow as tf

from capture import draw

tf.get_logger().setLevel("ERROR")
# Multinomial's draws depend on the number of threads.
tf.config.threading.set_intra_op_parallelism_threads(1)

ELEMENTS = {
    "f16": tf.float16,
    "bf16": tf.bfloat16,
    "f32": tf.float32,
    "f64": tf.float64,
    "i32": tf.int32,
    "i64": tf.int64,
    "u32": tf.uint32,
    "u64": tf.uint64,
}


def body(form):
    """The function that the form names, of no argument or of one input."""
    op, kind, shape = form["op"], ELEMENTS[form["type"]], form["shape"]
    raw = tf.raw_ops
    seeds = {key: form.get(key, 0) for key in ("seed", "seed2")}
    own = {"seed": form.get("seed")}

    def constant(key, otherwise=None):
        return tf.constant(form.get(key, otherwise), kind)

    def counter():
        return {"key": tf.constant(form["key"], tf.uint64), "counter": tf.constant(form["counter"], tf.uint64), "alg": 1}

    def pair():
        return tf.constant(form["stateless_seed"], tf.int64)

    def logits():
        return tf.constant([form["logits"]], tf.float32)

    if form.get("dynamic"):
        return lambda given: raw.RandomUniform(shape=given, dtype=kind, **seeds)
    bodies = {
        "RandomUniform": lambda: raw.RandomUniform(shape=shape, dtype=kind, **seeds),
        "RandomUniformInt": lambda: raw.RandomUniformInt(shape=shape, minval=constant("low"), maxval=constant("high"), **seeds),
        "RandomStandardNormal": lambda: raw.RandomStandardNormal(shape=shape, dtype=kind, **seeds),
        "TruncatedNormal": lambda: raw.TruncatedNormal(shape=shape, dtype=kind, **seeds),
        "ParameterizedTruncatedNormal": lambda: raw.ParameterizedTruncatedNormal(
            shape=shape, means=constant("mean"), stdevs=constant("scale"), minvals=constant("low"), maxvals=constant("high"), **seeds
        ),
        "RandomShuffle": lambda: raw.RandomShuffle(value=tf.range(shape[0], dtype=kind), **seeds),
        "RandomGamma": lambda: raw.RandomGamma(shape=shape, alpha=constant("alpha"), **seeds),
        "RandomPoissonV2": lambda: raw.RandomPoissonV2(shape=shape, rate=tf.constant(form["rate"]), dtype=kind, **seeds),
        "Multinomial": lambda: raw.Multinomial(logits=logits(), num_samples=form["samples"], output_dtype=kind, **seeds),
        "StatelessRandomUniform": lambda: raw.StatelessRandomUniform(shape=shape, seed=pair(), dtype=kind),
        "StatelessRandomNormal": lambda: raw.StatelessRandomNormal(shape=shape, seed=pair(), dtype=kind),
        "StatelessTruncatedNormal": lambda: raw.StatelessTruncatedNormal(shape=shape, seed=pair(), dtype=kind),
        "StatelessMultinomial": lambda: raw.StatelessMultinomial(logits=logits(), num_samples=form["samples"], seed=pair(), output_dtype=kind),
        "StatelessRandomUniformV2": lambda: raw.StatelessRandomUniformV2(shape=shape, dtype=kind, **counter()),
        "StatelessRandomNormalV2": lambda: raw.StatelessRandomNormalV2(shape=shape, dtype=kind, **counter()),
        "StatelessTruncatedNormalV2": lambda: raw.StatelessTruncatedNormalV2(shape=shape, dtype=kind, **counter()),
        "StatelessRandomUniformIntV2": lambda: raw.StatelessRandomUniformIntV2(
            shape=shape, minval=constant("low"), maxval=constant("high"), **counter()
        ),
        "StatelessRandomUniformFullIntV2": lambda: raw.StatelessRandomUniformFullIntV2(shape=shape, dtype=kind, **counter()),
        "tf.random.uniform": lambda: tf.random.uniform(shape, form["low"], form["high"], kind, **own),
        "tf.random.normal": lambda: tf.random.normal(shape, form["mean"], form["scale"], kind, **own),
        "tf.random.truncated_normal": lambda: tf.random.truncated_normal(shape, form["mean"], form["scale"], kind, **own),
        "tf.random.categorical": lambda: tf.random.categorical(logits(), form["samples"], kind, **own),
        "tf.random.shuffle": lambda: tf.random.shuffle(tf.range(shape[0], dtype=kind), **own),
        "tf.random.gamma": lambda: tf.random.gamma(shape, form["alpha"], dtype=kind, **own),
        "tf.random.poisson": lambda: tf.random.poisson(shape, form["rate"], dtype=kind, **own),
        "tf.random.stateless_uniform": lambda: tf.random.stateless_uniform(shape, form["stateless_seed"], form["low"], form["high"], kind),
        "tf.random.stateless_normal": lambda: tf.random.stateless_normal(shape, form["stateless_seed"], form["mean"], form["scale"], kind),
        "tf.random.stateless_categorical": lambda: tf.random.stateless_categorical(logits(), form["samples"], form["stateless_seed"], kind),
        "tf.nn.dropout": lambda given: tf.nn.dropout(given, form["rate"], **own),
        "tf.nn.experimental.stateless_dropout": lambda given: tf.nn.experimental.stateless_dropout(given, form["rate"], form["stateless_seed"]),
    }
    return bodies[op]


def inputs(form):
    """What the function is called with."""
    if form.get("dynamic"):
        return [np.array(form["shape"], np.int32)]
    if "input" in form:
        return [np.full(form["shape"], form["input"], ELEMENTS[form["type"]].as_numpy_dtype)]
    return []


def concrete(form):
    """A fresh concrete function: the state of its kernels starts with it."""
    tf.random.set_seed(form.get("global_seed"))
    signature = [tf.TensorSpec(array.shape, array.dtype) for array in inputs(form)]
    return tf.function(body(form), input_signature=signature, autograph=False).get_concrete_function()


def start(form):
    function, fed = concrete(form), [tf.constant(array) for array in inputs(form)]

    def call():
        drawn = function(*fed)
        return draw((drawn[0] if isinstance(drawn, (list, tuple)) else drawn).numpy())

    return call


def source(form):
    """The source's keys. Where only the global seed is given, TensorFlow takes the number of the op in its graph for the other."""
    keys = {"framework": "tensorflow", **form}
    if "global_seed" in form and "seed" not in form:
        seeded = [node for node in concrete(form).graph.get_operations() if "seed2" in node.node_def.attr]
        keys["op_id"] = int(seeded[0].get_attr("seed2"))
    return keys


HALF, SINGLE = "f16", "f32"
UNIT = {"low": 0.0, "high": 1.0}
RANGES = [(0.0, 4.0), (2.0, 10.0), (-1.0, 1.0), (0.1, 0.7), (-3.3, 100.7)]
RAW_SEEDS = [(7, 9), (0, 0), (7, 0), (0, 9), (2**31 + 5, 9), (2**32 + 5, 2**33 + 6), (-7, -9)]
SPANS_I32 = [(0, 10), (-5, 6), (0, 2**31 - 1), (-1, 2**31 - 1), (-2, 2**31 - 1), (-(2**30), 2**31 - 1), (-(2**31), 2**31 - 1), (-100, -50)]
SPANS_I64 = [(0, 10), (-5, 6), (0, 2**31 - 1), (0, 2**31), (0, 2**40), (-(2**40), 2**40), (2**31, 2**31 + 9), (-(2**63), 2**63 - 1)]
KEY = {"key": [0x0123456789ABCDEF], "counter": [5, 7]}
LOGITS = {"logits": [0.0, 1.0, -1.0, 0.5], "samples": 32}


def seeds(pair):
    return {"seed": pair[0], "seed2": pair[1]}


def raw(op, kind, pair=(7, 9), shape=(8,), **rest):
    return {"op": op, "type": kind, "shape": list(shape), **seeds(pair), **rest}


def api(op, kind, shape=(8,), **rest):
    return {"op": op, "type": kind, "shape": list(shape), **rest}
