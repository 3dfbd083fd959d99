"""Reads the output of `seedproof export` with its consumers: onnx, NumPy and Python's json.

The tests of ONNX nodes under the reading of onnx's reference evaluator must pass there, and those under the reading of ONNX Runtime
in ONNX Runtime. Those of the drafts must pass with ops that this file defines from the texts of the drafts, and fail with ops that
have one mistake. The arrays for NumPy must be the tensors of the JSON.

Install: pip install onnx==1.23.2 numpy==2.4.6 onnxruntime==1.31.1
Usage:   check.py SEEDPROOF
"""

import json
import subprocess
import sys
import tempfile
import warnings
from pathlib import Path

import ml_dtypes
import numpy as np
import onnx
from onnx import numpy_helper
from onnx.backend.test.loader import load_model_tests
from onnx.reference import ReferenceEvaluator
from onnx.reference.op_run import OpRun

M32 = 0xFFFFFFFF
NUMPY = {1: np.float32, 10: np.float16, 11: np.float64, 16: ml_dtypes.bfloat16}
SIGNIFICAND = {1: 24, 10: 11, 16: 8}


def philox(key, counter):
    """Philox4x32-10."""
    x, k = list(counter), list(key)
    for _ in range(10):
        a, b = 0xD2511F53 * x[0], 0xCD9E8D57 * x[2]
        x = [b >> 32 ^ x[1] ^ k[0], b & M32, a >> 32 ^ x[3] ^ k[1], a & M32]
        k = [k[0] + 0x9E3779B9 & M32, k[1] + 0xBB67AE85 & M32]
    return x


def threefry(key, counter):
    """Threefry2x32-20."""
    keys = [*key, 0x1BD11BDA ^ key[0] ^ key[1]]
    x = [counter[0] + key[0] & M32, counter[1] + key[1] & M32]
    for group in range(5):
        for rotation in [(13, 15, 26, 6), (17, 29, 16, 24)][group % 2]:
            x[0] = x[0] + x[1] & M32
            x[1] = (x[1] << rotation | x[1] >> 32 - rotation) & M32 ^ x[0]
        x = [x[0] + keys[(group + 1) % 3] & M32, x[1] + keys[(group + 2) % 3] + group + 1 & M32]
    return x


def halves(number):
    """The low and the high word of a 64-bit number in two's complement."""
    return number & M32, number >> 32 & M32


class RandomUniform(OpRun):
    """Draft onnx/onnx#8161."""

    def words(self, count, seed, offset):
        blocks = ((*halves(block), *halves(offset)) for block in range(-(-count // 4)))
        return [word for counter in blocks for word in philox(halves(seed), counter)]

    def unit(self, word, bits):
        return (word >> 32 - bits) * 2.0**-bits

    def _run(self, *inputs, dtype=None, shape=None, low=None, high=None, generator=None, seed_int64=None, **_):
        assert generator in ("philox4x32_10", b"philox4x32_10"), generator
        kind = NUMPY[dtype]
        count = int(np.prod(shape, dtype=np.int64))
        offset = int(inputs[0]) if inputs else 0
        if kind is np.float64:
            words = self.words(2 * count, seed_int64, offset)
            pairs = zip(words[::2], words[1::2])
            unit = [((a >> 5) * 2**26 + (b >> 6)) * 2.0**-53 for a, b in pairs]
        else:
            unit = [self.unit(word, SIGNIFICAND[dtype]) for word in self.words(count, seed_int64, offset)]
        # Each operation is rounded in the type, of halves after f32.
        wide = kind if kind in (np.float32, np.float64) else np.float32

        def rounded(value):
            return np.asarray(value, wide).astype(kind).astype(wide)

        with np.errstate(all="ignore"):
            low, high = rounded(np.float32(low)), rounded(np.float32(high))
            scaled = rounded(np.array(unit[:count], wide) * rounded(high - low))
            return ((scaled + low).astype(kind).reshape(shape),)


class InitPRNG(OpRun):
    """Draft onnx/onnx#8420."""

    def _run(self, seed):
        low, high = halves(int(seed))
        return (np.array([high, low], np.int64),)


class SplitPRNG(OpRun):
    """Draft onnx/onnx#8420: a state for each output that the node has."""

    def counter(self, number):
        return halves(number)[::-1]

    def _run(self, prng_state, data=None):
        numbers = range(len(self.onnx_node.output)) if data is None else data.tolist()
        key = prng_state.tolist()
        return tuple(np.array(threefry(key, self.counter(number)), np.int64) for number in numbers)


DRAFTS = [RandomUniform, InitPRNG, SplitPRNG]


def mistaken(op, **methods):
    """An op with other methods. The evaluator finds it by its name, which is that of the right one."""
    return type(op.__name__, (op,), methods)


def words_of(counter, key=halves):
    def words(self, count, seed, offset):
        return [word for block in range(-(-count // 4)) for word in philox(key(seed), counter(block, offset))]

    return words


MISTAKES = {
    "low bits for top bits": mistaken(RandomUniform, unit=lambda _, word, bits: (word & (1 << bits) - 1) * 2.0**-bits),
    "the offset counts blocks": mistaken(RandomUniform, words=words_of(lambda block, offset: (*halves(block + offset), 0, 0))),
    "counter and offset are exchanged": mistaken(RandomUniform, words=words_of(lambda block, offset: (*halves(offset), *halves(block)))),
    "the seed has 32 bits": mistaken(RandomUniform, words=words_of(lambda block, offset: (*halves(block), *halves(offset)), lambda seed: (seed & M32, 0))),
    "halves of the seed are exchanged": mistaken(InitPRNG, _run=lambda _, seed: (np.array(halves(int(seed)), np.int64),)),
    "the counter's halves are exchanged": mistaken(SplitPRNG, counter=lambda _, number: halves(number)),
    "data has 32 bits": mistaken(SplitPRNG, counter=lambda _, number: (0, number & M32)),
}


def of_another_generator(_, dtype=None, shape=None, low=None, high=None, seed=None, **__):
    """RandomUniform by another generator than the reference evaluator's."""
    drawn = np.random.default_rng(int(seed)).random(shape) * np.float32(high - low) + low
    return (drawn.astype(NUMPY[dtype]),)


def same(actual, expected):
    """Whether two arrays have one type, shape and bits; any NaN is any other."""
    if (actual.dtype, actual.shape) != (expected.dtype, expected.shape):
        return False
    if actual.tobytes() == expected.tobytes():
        return True
    nan = [it != it for it in (actual, expected)]
    return np.array_equal(*nan) and actual[~nan[0]].tobytes() == expected[~nan[1]].tobytes()


def tensors(folder, role):
    paths = [folder / f"{role}_{index}.pb" for index in range(len(list(folder.glob(f"{role}_*.pb"))))]
    return [numpy_helper.to_array(onnx.load_tensor(path)) for path in paths]


def failure(folder, session):
    """Why the test in a folder fails in a session of its model; nothing where it passes."""
    model = onnx.load(folder / "model.onnx")
    names = [value.name for value in model.graph.input]
    sets = sorted(folder.glob("test_data_set_*"), key=lambda path: int(path.name.rsplit("_", 1)[1]))
    assert sets, folder
    for data in sets:
        inputs, expected = tensors(data, "input"), tensors(data, "output")
        assert len(inputs) == len(names) and len(expected) == len(model.graph.output), data
        try:
            with np.errstate(all="ignore"):
                actual = session.run(None, dict(zip(names, inputs)))
        except Exception as error:  # An op may fail in any way.
            return f"{data}: {error}"
        for got, right in zip(actual, expected, strict=True):
            if not same(np.asarray(got), right):
                return f"{data}: expected {right.ravel()[:3]}, got {np.asarray(got).ravel()[:3]}"
    return None


def evaluator(new_ops):
    return lambda path: ReferenceEvaluator(onnx.load(path), new_ops=new_ops)


def check_tests(root, session_of, checked):
    """All tests of an export, as onnx's own loader finds them; returns how many there are."""
    tests = load_model_tests(str(root.parent), root.name)
    index = json.loads((root / "index.json").read_text())
    assert len(tests) == len(index["cases"]), root
    for test in tests:
        assert (test.rtol, test.atol) == (0, 0), test.name
        path = Path(test.model_dir) / "model.onnx"
        model = onnx.load(path)
        if checked:
            onnx.checker.check_model(model, full_check=True)
        metadata = {entry.key: entry.value for entry in model.metadata_props}
        assert metadata["seedproof.case"] in {case["id"] for case in index["cases"]}
        assert json.loads(metadata["seedproof.provenance"])["kind"] and metadata["license"] == index["license"]
        if failed := failure(path.parent, session_of(path)):
            sys.exit(f"failed: {failed}")
    return len(tests)


def check_catches(root, what, new_ops):
    """A wrong op must fail a test."""
    folders = sorted(path for path in root.iterdir() if path.is_dir())
    session_of = evaluator(new_ops)
    caught = sum(failure(folder, session_of(folder / "model.onnx")) is not None for folder in folders)
    print(f"{what}: fails {caught} of {len(folders)} tests")
    if caught == 0:
        sys.exit(f"nothing catches: {what}")


def check_arrays(npz, plain):
    """The arrays of one export are the tensors of the other."""
    count = 0
    cases = json.loads((npz / "index.json").read_text())["cases"]
    for path in dict.fromkeys(case["path"] for case in cases):
        document = json.loads((npz / path).read_text())
        other = {case["id"]: case for case in json.loads((plain / path).read_text())["cases"]}
        arrays = np.load((npz / path).with_name(document["arrays"]))
        for case in document["cases"]:
            for role in ("inputs", "outputs"):
                for name, tensor in case.get(role, {}).items():
                    array, hexadecimal = arrays[tensor["array"]], other[case["id"]][role][name]
                    kind = "u2" if tensor["dtype"] == "bf16" else f"{tensor['dtype'][0]}{int(tensor['dtype'][1:]) // 8}"
                    assert array.dtype == np.dtype(kind) and list(array.shape) == tensor["shape"], tensor
                    assert array.tobytes().hex() == hexadecimal["hex"] and hexadecimal["shape"] == tensor["shape"], tensor
                    count += 1
    return count


def main():
    program = sys.argv[1] if len(sys.argv) == 2 else sys.exit(__doc__)
    warnings.simplefilter("ignore")
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)

        def export(form, name, *arguments):
            subprocess.run([program, "export", form, folder / name, *arguments], check=True)
            return folder / name

        reference = export("onnx-node-tests", "reference", "--reading", "onnx-reference-1.23")
        print(f"{check_tests(reference, evaluator(None), checked=True)} tests pass in onnx {onnx.__version__}'s reference evaluator")
        check_catches(reference, "another generator", [type("RandomUniform", (OpRun,), {"_run": of_another_generator})])
        drafts = export("onnx-node-tests", "drafts")
        print(f"{check_tests(drafts, evaluator(DRAFTS), checked=False)} tests of the drafts pass with the ops of this file")
        for what, op in MISTAKES.items():
            check_catches(drafts, what, [op if it.__name__ == op.__name__ else it for it in DRAFTS])
        runtime = export("onnx-node-tests", "runtime", "--reading", "onnxruntime-1.31")
        try:
            from onnxruntime import InferenceSession
        except ImportError:
            print("not run: onnxruntime is not installed, for whose tests there is an export too")
        else:
            print(f"{check_tests(runtime, InferenceSession, checked=True)} tests pass in ONNX Runtime")
        queries = ["dtype:bf16", "dtype:f16", "op:onnx.*", "op:mn13", "op:jax.*"]
        arrays = check_arrays(export("npz", "npz", *queries), export("json", "json", *queries))
        print(f"{arrays} arrays for NumPy are the tensors of the JSON")


if __name__ == "__main__":
    main()
