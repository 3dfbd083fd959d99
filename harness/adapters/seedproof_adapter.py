"""The Seedproof adapter protocol, version 1, from the adapter's side. Needs Python 3.8 and nothing else.

`serve(implementation, capabilities, run)` answers until the harness says goodbye. `run(request)` returns a dict
from output name to Tensor, or raises Rejected or Unsupported. Whatever prints to standard output meanwhile is sent to standard error.
"""

import json
import os
import struct
import sys
import traceback
from dataclasses import dataclass
from typing import Dict, List

WIDTH = {"u32": 4, "i32": 4, "i64": 8, "f16": 2, "bf16": 2, "f32": 4, "f64": 8}


@dataclass
class Tensor:
    """Elements in row-major order, little-endian, each at its own width."""

    dtype: str
    shape: List[int]
    data: bytes


@dataclass
class Request:
    """One execution of one op. Seeds are in `attrs` as decimal strings."""

    op: str
    attrs: dict
    inputs: Dict[str, Tensor]
    execution: int


class Rejected(Exception):
    """The request is invalid. `kind` is dtype, shape, range, attribute, probabilities, samples or state, or None."""

    def __init__(self, kind, reason):
        super().__init__(reason)
        self.kind = kind


class Unsupported(Exception):
    """The request is valid, and this implementation does not have it."""


def serve(implementation, capabilities, run, framing="frames"):
    reader, writer = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    reader.readline()
    hello = {"protocol": 1, "framing": framing, "implementation": implementation, "capabilities": capabilities}
    writer.write(json.dumps(hello).encode() + b"\n")
    writer.flush()
    while True:
        message = _receive(reader, framing)
        if message is None or message[0].get("cmd") == "bye":
            return
        header, body = message
        reply, tensors = {"seq": header.get("seq")}, {}
        try:
            inputs = {name: _tensor(value, body) for name, value in header["inputs"].items()}
            tensors = run(Request(header["op"], header["attrs"], inputs, header.get("execution", 0)))
            reply["status"] = "ok"
        except Rejected as error:
            reply.update(status="rejected", reason=str(error), **({"kind": error.kind} if error.kind else {}))
        except Unsupported as error:
            reply.update(status="unsupported", reason=str(error))
        except Exception as error:  # the harness wants to hear of it, and the next request may go well
            reply.update(status="error", message=repr(error), trace=traceback.format_exc())
        _send(writer, framing, reply, tensors)


def _receive(reader, framing):
    if framing == "lines":
        line = reader.readline()
        return (json.loads(line), b"") if line else None
    head = reader.read(16)
    if len(head) < 16:
        return None
    magic, header, body = struct.unpack("<4sIQ", head)
    assert magic == b"SPW1", magic
    return json.loads(reader.read(header)), reader.read(body)


def _tensor(value, body):
    if "hex" in value:
        data = bytes.fromhex(value["hex"])
    else:
        data = body[value["offset"] : value["offset"] + value["length"]]
    return Tensor(value["dtype"], value["shape"], data)


def _send(writer, framing, reply, tensors):
    outputs, body = {}, bytearray()
    for name, tensor in tensors.items():
        outputs[name] = {"dtype": tensor.dtype, "shape": list(tensor.shape)}
        if framing == "lines":
            outputs[name]["hex"] = tensor.data.hex()
        else:
            body.extend(bytes(-len(body) % 8))
            outputs[name].update(offset=len(body), length=len(tensor.data))
            body.extend(tensor.data)
    if reply.get("status") == "ok":
        reply["outputs"] = outputs
    text = json.dumps(reply).encode()
    if framing == "lines":
        writer.write(text + b"\n")
    else:
        writer.write(struct.pack("<4sIQ", b"SPW1", len(text), len(body)) + text + body)
    writer.flush()
