"""TensorFlow to LiteRT: the converter with the built-in ops alone, and with TensorFlow's own ops for what these lack."""

import functools

import numpy as np
import tensorflow as tf
from ai_edge_litert.interpreter import Interpreter
from tensorflow.lite.python import schema_py_generated as schema

from capture import TYPES, Model, draw, main
from tensorflow_forms import KEY, LOGITS, RAW_SEEDS, UNIT, api, concrete, inputs, raw, source, start

OPS = {value: name for name, value in vars(schema.BuiltinOperator).items() if isinstance(value, int)}
RANDOM = ("RANDOM_UNIFORM", "RANDOM_STANDARD_NORMAL", "MULTINOMIAL")
ELEMENTS = {value: TYPES.get(name.lower(), name.lower()) for name, value in vars(schema.TensorType).items() if isinstance(value, int)}


def graph(content):
    """The random operators of the first subgraph with their options, and what depends on them or is combined with a constant beside that."""
    model = schema.ModelT.InitFromObj(schema.Model.GetRootAsModel(content, 0))
    subgraph, lines, drawn = model.subgraphs[0], [], set()
    read = {number for operator in subgraph.operators for number in operator.inputs}
    for operator in subgraph.operators:
        code = model.operatorCodes[operator.opcodeIndex]
        name = OPS[max(code.builtinCode, code.deprecatedBuiltinCode)]
        if name == "CUSTOM":
            name = code.customCode.decode()
        above, below = list(operator.inputs), list(operator.outputs)
        output = subgraph.tensors[below[0]]
        random = name in RANDOM or (name.startswith("Flex") and operator.customOptions is not None)
        beside = constants(model, subgraph, above) and read.intersection(below)
        if not random and not beside and not drawn.intersection(above):
            continue
        if not beside or drawn.intersection(above):
            drawn.update(below)
        line = {"op": name}
        if random:
            line.update(name=output.name.decode(), type=ELEMENTS[output.type])
            if name in RANDOM:
                options = operator.builtinOptions
                line.update(seed=options.seed if options else 0, seed2=options.seed2 if options else 0)
        elif name == "CAST":
            line["type"] = ELEMENTS[output.type]
        else:
            line.update(constants(model, subgraph, above))
        lines.append(line)
    return lines


def constants(model, subgraph, above):
    """The one operand that is a scalar constant, if there is one."""
    found = []
    for index, number in enumerate(above):
        tensor = subgraph.tensors[number] if number >= 0 else None
        raw = model.buffers[tensor.buffer].data if tensor is not None else None
        if raw is not None and len(raw) and np.prod(tensor.shape if tensor.shape is not None else [], dtype=int) == 1:
            found.append((index, "0x" + bytes(np.asarray(raw, np.uint8))[::-1].hex()))
    return {"left" if found[0][0] == 0 else "constant": found[0][1]} if len(found) == 1 and len(above) == 2 else {}


class Converter:
    def __init__(self, form, select):
        self.form, self.select = form, select

    graph = staticmethod(graph)

    def convert(self):
        converter = tf.lite.TFLiteConverter.from_concrete_functions([concrete(self.form)])
        if self.select:
            converter.target_spec.supported_ops = [tf.lite.OpsSet.TFLITE_BUILTINS, tf.lite.OpsSet.SELECT_TF_OPS]
        return converter.convert()

    def compile(self, content):
        interpreter = Interpreter(model_content=content, num_threads=1)
        interpreter.allocate_tensors()
        for detail, array in zip(interpreter.get_input_details(), inputs(self.form)):
            interpreter.resize_tensor_input(detail["index"], array.shape)
            interpreter.allocate_tensors()
            interpreter.set_tensor(detail["index"], array)

        def infer():
            interpreter.invoke()
            return draw(interpreter.get_tensor(interpreter.get_output_details()[0]["index"]))

        return infer


def forms():
    """Each form, and whether it is converted with TensorFlow's own ops too."""
    for pair in RAW_SEEDS:
        yield raw("RandomUniform", "f32", pair), False
    # LiteRT keeps the low half of a seed.
    yield raw("RandomUniform", "f32", (2**32, 0)), False
    yield raw("RandomUniform", "f32", shape=(6,)), False
    yield raw("RandomUniform", "f32", dynamic=True), False
    for kind in ("f16", "bf16", "f64"):
        yield raw("RandomUniform", kind), kind == "f64"
    for pair in ((7, 9), (0, 0), (2**32 + 5, 2**33 + 6)):
        yield raw("RandomStandardNormal", "f32", pair), False
    yield raw("RandomStandardNormal", "f32", shape=(6,)), False
    yield raw("RandomStandardNormal", "f64"), False
    for kind in ("i32", "i64"):
        for pair in ((7, 9), (0, 0), (-7, -9)):
            yield raw("Multinomial", kind, pair, (1, 32), **LOGITS), False
    yield raw("Multinomial", "i64", (7, 9), (1, 6), **{**LOGITS, "samples": 6}), False
    for given in ({"seed": 7}, {"global_seed": 42}, {"seed": 7, "global_seed": 42}, {}, {"seed": 0}):
        yield api("tf.random.uniform", "f32", **UNIT, **given), False
    for low, high in ((-1.0, 1.0), (0.1, 0.7), (-3.3, 100.7)):
        yield api("tf.random.uniform", "f32", low=low, high=high, seed=7), False
    yield api("tf.random.normal", "f32", mean=0.0, scale=1.0, seed=7), False
    yield api("tf.random.normal", "f32", mean=1.5, scale=0.1, seed=7), False
    yield api("tf.random.categorical", "i64", (1, 32), **LOGITS, seed=7), False
    for rate in (0.3, 0.5):
        yield api("tf.nn.dropout", "f32", (32,), rate=rate, input=1.0, seed=7), False
    yield api("tf.nn.dropout", "f32", (32,), rate=0.3, input=1.0), False
    yield raw("RandomUniformInt", "i32", low=-5, high=6), True
    yield raw("RandomUniformInt", "i64", low=-5, high=6), False
    yield api("tf.random.uniform", "i32", low=-50, high=50, seed=7), False
    yield raw("TruncatedNormal", "f32"), True
    yield raw("ParameterizedTruncatedNormal", "f32", mean=0.5, scale=2.0, low=-1.0, high=3.0), False
    yield raw("RandomShuffle", "i32"), True
    yield raw("RandomGamma", "f32", alpha=2.5), False
    yield raw("RandomPoissonV2", "f32", rate=3.5), False
    yield api("StatelessRandomUniform", "f32", stateless_seed=[7, 9]), True
    yield api("StatelessRandomUniformV2", "f32", **KEY), True
    yield api("StatelessRandomNormalV2", "f32", **KEY), False
    yield api("StatelessTruncatedNormalV2", "f32", **KEY), False
    yield api("StatelessRandomUniformIntV2", "i32", **KEY, low=-50, high=50), False
    yield api("StatelessRandomUniformFullIntV2", "i32", **KEY), False
    yield api("StatelessMultinomial", "i64", (1, 32), **LOGITS, stateless_seed=[7, 9]), False
    yield api("tf.random.stateless_uniform", "f32", low=0.1, high=0.7, stateless_seed=[7, 9]), False
    yield api("tf.nn.experimental.stateless_dropout", "f32", (32,), rate=0.3, input=1.0, stateless_seed=[7, 9]), False


def models():
    for form, selected in forms():
        keys = source(form)
        for select in (False, True) if selected else (False,):
            mode = "from_concrete_functions" + ("-select_tf_ops" if select else "")
            yield Model(keys, {"target": "litert", "mode": mode}, functools.partial(start, form), Converter(form, select))


if __name__ == "__main__":
    main(list(models()), {("tensorflow", "litert"): ["tensorflow", "ai-edge-litert"]})
