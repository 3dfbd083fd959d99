"""Generators of other languages: their words, drawn by a program beside this one, in the arithmetic of CPython.

Usage:   words_adapter.py PROGRAM [ARGUMENT…]

The program prints its name, version and generator on a line, then takes lines: `seed N` (of Philox `seed KEY COUNTER`, of
mt19937-state `state` and 624 numbers with signs), and `words N`, which it answers with 4 N bytes, the least significant first.
"""

import struct
import subprocess
import sys

import cpython_adapter
from seedproof_adapter import serve

CHUNK = 4096


class Program:
    def __init__(self, command):
        self.child = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.name, self.version, self.generator = self.child.stdout.readline().decode().split()

    def tell(self, *fields):
        self.child.stdin.write((" ".join(map(str, fields)) + "\n").encode())
        self.child.stdin.flush()

    def words(self):
        """The words from here on, without end."""
        while True:
            self.tell("words", CHUNK)
            yield from struct.unpack(f"<{CHUNK}I", self.child.stdout.read(4 * CHUNK))

    def philox(self, counter, key):
        self.tell("seed", key, counter)
        yield from self.words()

    def mersenne_twister(self, seed):
        if self.generator == "mt19937-state":
            self.tell("state", *(cpython_adapter.signed(word, 32) for word in cpython_adapter.twister_state(seed)))
        else:
            self.tell("seed", seed)
        yield from self.words()


if __name__ == "__main__":
    program = Program(sys.argv[1:])
    cpython_adapter.philox, cpython_adapter.mersenne_twister = program.philox, program.mersenne_twister
    implementation = {"name": program.name, "version": program.version}
    is_philox = program.generator == "philox"
    capabilities = [{"op": "openvino.RandomUniform-8", "alignment": ["TENSORFLOW" if is_philox else "PYTORCH"]}]
    if is_philox:
        capabilities.append({"op": "directml.RandomGenerator", "features": ["output_state"]})
    serve(implementation, capabilities, cpython_adapter.run)
