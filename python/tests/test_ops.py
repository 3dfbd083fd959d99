import itertools
import math
import subprocess
import sys

import numpy as np
import pytest

import seedproof as sp

FIRST = [0x3F337CD6, 0x3E9C5CE8, 0x3F7076A8]


def test_draws_are_those_of_the_document(uniform):
    drawn = uniform()
    assert drawn.shape == (3, 3) and drawn.dtype == np.float32 and drawn.flags.writeable
    assert drawn.view(np.uint32).ravel()[:3].tolist() == FIRST


@pytest.mark.parametrize("dtype", ["f32", np.float32, np.dtype("float32"), "float32", np.dtype(">f4").newbyteorder("=")])
def test_types_are_those_of_numpy_and_ours(uniform, dtype):
    assert uniform(dtype=dtype).dtype == np.float32


@pytest.mark.parametrize("shape", [(3, 3), [3, 3], np.array([3, 3]), np.array([3, 3], np.int32), (np.int64(3), 3)])
@pytest.mark.parametrize("low", [0, 0.0, np.float32(0), np.float64(0), np.zeros((), np.float32), [0.0], False])
def test_inputs_are_numbers_lists_and_arrays(uniform, shape, low):
    assert uniform(shape, low).tobytes() == uniform().tobytes()


@pytest.mark.parametrize("dtype", ["f16", "bf16", "f32", "f64", "i32", "i64"])
@pytest.mark.parametrize("alignment", ["TENSORFLOW", "PYTORCH"])
@pytest.mark.parametrize("count", [0, 1, 5, 10_000])
def test_out_is_filled_with_the_same_bits(uniform, dtype, alignment, count):
    options = {"dtype": dtype, "alignment": alignment, "low": 0, "high": 7}
    expected = uniform((count,), **options)
    out = np.empty_like(expected)
    assert uniform((count,), out=out, **options) is out
    assert out.tobytes() == expected.tobytes() == uniform((count,), reading="spec", **options).tobytes()
    engine = uniform((count,), reading="openvino-core-2026.4" if alignment == "TENSORFLOW" else "spec", out=out, **options)
    assert engine is out


def test_bfloat16_is_that_of_ml_dtypes_or_bits(uniform):
    ml_dtypes = pytest.importorskip("ml_dtypes")
    drawn = uniform(dtype=ml_dtypes.bfloat16)
    assert drawn.dtype == ml_dtypes.bfloat16
    assert uniform(dtype="bf16", low=np.zeros((), ml_dtypes.bfloat16)).tobytes() == drawn.tobytes()
    program = (
        "import sys; sys.modules['ml_dtypes'] = None\n"
        "import seedproof as sp\n"
        "drawn = sp.random_uniform((3, 3), 0, 1, dtype='bf16', seed=150, op_seed=10, alignment='TENSORFLOW')\n"
        "print(drawn.dtype, drawn.tobytes().hex())\n"
        "print(sp.judge(lambda request: request.run(), dtypes='bf16', ops='ru8').conforms)"
    )
    without = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True).stdout
    assert without.split() == ["uint16", drawn.tobytes().hex(), "True"]


def test_generators_give_their_words():
    assert sp.philox4x32(150, 10 << 64, 4)[0] == 0xE059BE6B
    assert sp.philox4x32(0, 0, 4).tolist() == [0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8]
    assert sp.philox4x32(2**64 - 1, 2**128 - 1, 4).tolist() == [0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD]
    out = np.empty(8, np.uint32)
    assert sp.philox4x32(key=1, counter=2**128 - 1, words=8, out=out) is out
    assert out[4:].tolist() == sp.philox4x32(1).tolist()
    assert sp.mt19937(5489, words=1000)[:2].tolist() == [3499211612, 581869302]
    assert sp.mt19937(5489, words=8, out=out) is out and out[0] == 3499211612
    assert sp.mt19937(1, 0).shape == (0,)
    # The known answers of Random123.
    assert sp.threefry2x32(0, 0, 2).tolist() == [0x6B200159, 0x99BA4EFE]
    assert sp.threefry2x32(2**64 - 1, 2**64 - 1, 2).tolist() == [0x1CB996FC, 0xBB002BE7]
    assert sp.threefry2x32(0x0370734413198A2E, 0x85A308D3243F6A88, 2).tolist() == [0xC4923A9C, 0x483DF7A0]
    out = np.empty(5, np.uint32)
    assert sp.threefry2x32(key=1, counter=2**64 - 1, words=5, out=out) is out
    assert out[2:].tolist() == sp.threefry2x32(1, words=3).tolist()
    assert sp.threefry2x32(1, words=0).shape == (0,)


def test_requests_are_built_by_the_names_of_the_document():
    request = sp.request(
        "openvino.RandomUniform-8",
        shape=[2], minval=0, maxval=9, output_type="i32", global_seed=1, op_seed=2, alignment="PYTORCH",
    )  # fmt: skip
    assert request.maxval.dtype == np.int32 and request.global_seed == 1 and request.output_shape == (2,)
    assert request.run().shape == (2,) and request == request and "RandomUniform-8" in repr(request)
    with pytest.raises(AttributeError, match="did you mean `minval`"):
        _ = request.minva
    with pytest.raises(sp.InvalidArgument, match="has no `seed`"):
        sp.request("openvino.RandomUniform-8", seed=1)
    with pytest.raises(sp.InvalidArgument, match="needs `output_type`"):
        sp.request("openvino.RandomUniform-8")


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"low": 1.0, "high": 0.0}, sp.Rejected, "range"),
        ({"low": np.float32(0), "high": np.zeros((), np.float64)}, sp.Rejected, "dtype"),
        ({"shape": (-1,)}, sp.Rejected, "shape"),
        ({"shape": (2**40, 2**40)}, sp.Unsupported, "bytes"),
        ({"shape": (2**62,) * 3}, sp.Unsupported, "bytes"),
        ({"shape": np.zeros((2, 2), np.int64)}, sp.Rejected, "shape"),
        ({"shape": "abc"}, sp.InvalidArgument, "text"),
        ({"shape": object()}, sp.InvalidArgument, "shape"),
        ({"shape": [[1], [2, 3]]}, sp.InvalidArgument, "shape"),
        ({"shape": np.array(["a"])}, sp.InvalidArgument, "elements"),
        ({"low": 1j}, sp.InvalidArgument, "minval"),
        ({"low": None}, sp.InvalidArgument, "needs `minval`"),
        ({"dtype": "f31"}, sp.Rejected, "attribute"),
        ({"dtype": complex}, sp.InvalidArgument, "element type"),
        ({"dtype": "u8"}, sp.Rejected, "attribute"),
        ({"dtype": "i32", "low": 0.5}, sp.InvalidArgument, "expected a value of i32"),
        ({"dtype": "i32", "high": 2**31}, sp.InvalidArgument, "expected a value of i32"),
        ({"seed": -1}, sp.InvalidArgument, "2\\^64"),
        ({"seed": 2**64}, sp.InvalidArgument, "2\\^64"),
        ({"seed": 1.5}, sp.InvalidArgument, "2\\^64"),
        ({"seed": "1"}, sp.InvalidArgument, "2\\^64"),
        ({"alignment": "JAX"}, sp.Rejected, "attribute"),
        ({"alignment": 3}, sp.InvalidArgument, "alignment"),
        ({"reading": "torch-2.1"}, sp.InvalidArgument, "did you mean"),
        ({"execution": 1}, sp.Unsupported, "execution"),
        ({"execution": -1}, OverflowError, "int"),
    ],
)
def test_wrong_arguments_are_exceptions(uniform, options, error, message):
    with pytest.raises(error, match=message):
        uniform(**options)


def test_out_of_another_form_is_an_exception(uniform):
    right = np.empty((3, 3), np.float32)
    frozen = right.copy()
    frozen.flags.writeable = False
    odd = np.frombuffer(bytearray(37), np.uint8)[1:].view(np.float32).reshape(3, 3)
    strange = [
        None.__class__, [], np.empty((3, 3), np.float64), np.empty(9, np.float32), right.T[::-1], frozen, odd,
        np.empty((3, 6), np.float32)[:, ::2], np.empty((3, 3), ">f4"), np.float32(0), memoryview(right),
    ]  # fmt: skip
    for out, reading in itertools.product(strange, ["spec", "openvino-core-2026.4"]):
        with pytest.raises(sp.InvalidArgument, match="out "):
            uniform(out=out, reading=reading)

    class Mine(np.ndarray):
        @property
        def __array_interface__(self):
            raise AssertionError("not to be asked")

    mine = np.empty((3, 3), np.float32).view(Mine)
    assert uniform(out=mine) is mine and np.asarray(mine).tobytes() == uniform().tobytes()
    with pytest.raises(sp.Rejected):
        uniform(low=2.0, out=right)


def test_cases_are_chosen_by_queries():
    case = sp.cases("ru8/tensorflow/f32/spec-example-1")[0]
    assert case.request.run().tobytes() == case.expected.tobytes()
    assert "ru8.philox.round" in case.clauses and case == sp.Case(case.id)
    assert len({case, sp.Case(case.id)}) == 1
    assert case.stages()["words"][0, 0] == 0xE059BE6B
    assert isinstance(sp.cases("ru8/*/f32/refused-*")[0].expected, sp.Rejected)
    with pytest.raises(sp.InvalidArgument, match="did you mean"):
        sp.cases("ru8/tensorflow/f32/spec-example-9")
    with pytest.raises(sp.InvalidArgument, match="no-such-key"):
        sp.cases("no-such-key:x")
    import pickle

    assert pickle.loads(pickle.dumps(case)) == case


def test_notebooks_show_cases_and_findings():
    case = sp.cases("ru8/tensorflow/f32/spec-example-1")[0]
    assert "e059be6b" in case._repr_html_()
    wrong = sp.explain(case, case.expected + np.float32(1))
    assert "first difference" in wrong._repr_html_() and "<script" not in wrong._repr_html_()
