"""Fresh SavedModels and LiteRT models, run by TensorFlow and LiteRT: see `fresh.py`."""

import tensorflow as tf

from fresh import main, outputs
from litert_driver import Converter
from tensorflow_forms import api, concrete, raw, start

STATEFUL = ("RandomStandardNormal", "RandomStandardNormal", "TruncatedNormal", "RandomUniform")
STATELESS = (
    "StatelessRandomUniformV2",
    "StatelessRandomNormalV2",
    "StatelessTruncatedNormalV2",
    "StatelessRandomUniformFullIntV2",
    "StatelessRandomUniformIntV2",
    "tf.random.stateless_normal",
    "tf.random.stateless_uniform",
)


def form(chance):
    """A form of `tensorflow_forms`."""
    op = chance.choice(STATEFUL + STATELESS)
    shape = [chance.choice((1, 2, 3, 5, 8, 17)) for _ in range(chance.choice((1, 1, 2, 3)))]
    kind = chance.choice(("i32", "i64") if "Int" in op else ("f32", "f32", "f16", "f64"))
    word = lambda: chance.choice((chance.randrange(1, 1000), chance.randrange(-(1 << 40), 1 << 40)))
    if op in STATEFUL:
        return raw(op, kind, (word(), word()), shape)
    bounds = {"low": -chance.randrange(1, 1000), "high": chance.randrange(1, 1000)} if op.endswith("IntV2") and "Full" not in op else {}
    if op.startswith("tf."):
        # The values shown are those of the op, before functions of TensorFlow scale them.
        bounds = {"mean": 0.0, "scale": 1.0} if "normal" in op else {"low": 0.0, "high": 1.0}
        return api(op, kind, shape, **bounds, stateless_seed=[word(), word()])
    return api(op, kind, shape, **bounds, key=[abs(word())], counter=[abs(word()), abs(word())])


def made(chance, path):
    fields = form(chance)
    module = tf.Module()
    module.function = concrete(fields)
    converter = Converter(fields, False)
    litert = outputs("convert", lambda: converter.compile(converter.convert()))
    # The converter draws from a constant key itself, so that nothing random is left.
    if isinstance(litert, list) and fields["op"] in STATEFUL and chance.random() < 0.5:
        path = path.with_suffix(".tflite")
        path.write_bytes(converter.convert())
    else:
        tf.saved_model.save(module, str(path), signatures=module.function)
    drawn = {"TensorFlow": outputs("source", lambda: start(fields)), "LiteRT": litert}
    return fields["op"], f"{fields['op']} {fields['type']}", str(fields), path, drawn


if __name__ == "__main__":
    main(made)
