"""The OpenVINO side of a path: the random nodes of a converted graph, and the draws of a compiled one."""

import re
import sys

# The converter takes its stub then, and sends nothing. To send takes longer than to convert.
sys.modules["openvino_telemetry"] = None

import numpy as np
import openvino

from capture import TYPES, Draw, hexadecimal

CORE = openvino.Core()
convert_model = openvino.convert_model
RANDOM = ("RandomUniform", "Multinomial")
COMMUTE = ("Add", "Multiply", "Maximum", "Minimum", "Equal", "NotEqual", "LogicalOr", "LogicalAnd")
ELEMENTWISE = (*COMMUTE, "Subtract", "Divide", "Power", "Mod", "FloorMod", "Less", "LessEqual", "Greater", "GreaterEqual")


def element(kind):
    name = kind.get_type_name()
    return TYPES.get(name, name)


def constant_bits(node):
    """The bits of a constant whose elements are all equal, else nothing. The bytes are taken as they are, because NumPy has no bf16."""
    width = node.get_element_type().size
    raw = np.ascontiguousarray(node.data).reshape(-1).view(np.uint8).reshape(-1, width)
    if len(raw) == 0 or (raw != raw[0]).any():
        return None
    return "0x" + bytes(raw[0])[::-1].hex()


def feeding(node, index):
    """The constant at this input, or nothing."""
    above = node.input_value(index).get_node()
    return above if above.get_type_name() == "Constant" else None


def graph(model):
    """The random nodes, all that depends on them, and what is combined with a constant beside it, in the order of the graph."""
    nodes, drawn = model.get_ordered_ops(), set()
    for node in nodes:
        if node.get_type_name() in RANDOM or drawn.intersection(names(node.input_values())):
            drawn.add(node.get_friendly_name())
    lines = []
    for node in nodes:
        kind, name = node.get_type_name(), node.get_friendly_name()
        if kind in RANDOM:
            lines.append(random(node, kind, name))
        elif kind != "Result" and (name in drawn or beside(node, drawn)):
            lines.append(following(node, kind))
    return lines


def names(values):
    return [value.get_node().get_friendly_name() for value in values]


def beside(node, drawn):
    """Whether it gives a node that depends on what was drawn its other operand, from a constant. Shapes do not."""
    if node.get_type_name() not in ELEMENTWISE or not any(feeding(node, index) for index in range(len(node.input_values()))):
        return False
    below = [target.get_node() for target in node.output(0).get_target_inputs()]
    return any(node.get_friendly_name() in drawn and node.get_type_name() not in RANDOM for node in below)


def random(node, kind, name):
    attributes = node.get_attributes()
    line = {"op": kind, "name": re.sub("0x[0-9a-f]+", "", name), "type": element(node.get_output_element_type(0))}
    if re.fullmatch(rf"{kind}_\d+", name):
        # Numbered by the process.
        del line["name"]
    if "alignment" in attributes:
        line["alignment"] = attributes["alignment"].upper()
    for key in ("with_replacement", "log_probs"):
        if key in attributes:
            line[key] = bool(attributes[key])
    for key in ("global_seed", "op_seed"):
        line[key] = attributes[key] % 2**64
    if kind == "RandomUniform":
        for key, index in (("min", 1), ("max", 2)):
            constant = feeding(node, index)
            bits = constant and constant_bits(constant)
            line[key] = bits or "computed"
    return line


def following(node, kind):
    line = {"op": kind}
    if kind in ("Convert", "ConvertLike"):
        line["type"] = element(node.get_output_element_type(0))
    constants = [(index, feeding(node, index)) for index in range(len(node.input_values()))]
    constants = [(index, node) for index, node in constants if node is not None]
    if kind in ELEMENTWISE:
        for index, constant in constants:
            bits = constant_bits(constant)
            if bits:
                # Two of them if nothing folded them: 2 pi, of a normal distribution.
                line["left" if index == 0 and (kind not in COMMUTE or len(constants) == 2) else "constant"] = bits
    return line


class Converter:
    """Converts by a function of its own, compiles with a precision hint, and feeds the inputs it is given, in order."""

    def __init__(self, convert, hint, inputs=()):
        self.convert, self.hint, self.inputs = convert, hint, inputs

    graph = staticmethod(graph)

    def compile(self, model):
        options = {} if self.hint == "default" else {"INFERENCE_PRECISION_HINT": self.hint}
        request = CORE.compile_model(model, "CPU", options).create_infer_request()
        fed = list(self.inputs[: len(model.inputs)])

        def infer():
            request.infer(fed)
            tensor = request.get_output_tensor(0)
            return Draw(element(tensor.get_element_type()), hexadecimal(tensor.data))

        return infer
