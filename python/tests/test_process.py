"""What a host process does to a package within it: floating-point environments, and forks."""

import ctypes
import ctypes.util
import os
import platform
import signal
import sys
import threading
import time

import numpy as np
import pytest

import seedproof as sp

X86 = platform.machine() in ("x86_64", "AMD64") and sys.platform == "linux"
FLUSH, SUBNORMALS_ARE_ZERO = 0x8000, 0x0040
HOSTS = {
    "flush-to-zero": FLUSH,
    "denormals-are-zero": SUBNORMALS_ARE_ZERO,
    "both": FLUSH | SUBNORMALS_ARE_ZERO,
    "round-down": 0x2000,
    "round-up": 0x4000,
    "round-to-zero": 0x6000,
}


class Host:
    """A thread whose MXCSR has some bits: the C library keeps the register at byte 28 of its environment."""

    def __init__(self, bits):
        self.library = ctypes.CDLL(ctypes.util.find_library("m"))
        self.bits = bits

    def __enter__(self):
        self.before = (ctypes.c_uint8 * 32)()
        assert self.library.fegetenv(self.before) == 0
        changed = (ctypes.c_uint8 * 32).from_buffer_copy(self.before)
        register = int.from_bytes(bytes(changed[28:32]), "little") | self.bits
        changed[28:32] = register.to_bytes(4, "little")
        assert self.library.fesetenv(changed) == 0

    def __exit__(self, *_):
        assert self.library.fesetenv(self.before) == 0


def subnormal_cases():
    """Cases of f32 whose outputs have subnormal numbers."""

    def is_subnormal(output):
        bits = output.view(np.uint32) & 0x7FFFFFFF
        return ((bits > 0) & (bits < 0x00800000)).any()

    outputs = [(case.id, case.expected) for case in sp.cases("ru8/tensorflow/f32/*")]
    arrays = [(name, output) for name, output in outputs if isinstance(output, np.ndarray) and output.size < 1000]
    return [name for name, output in arrays if is_subnormal(output)]


@pytest.mark.skipif(not X86, reason="the register has this name on x86-64 alone, and this place in its C library")
@pytest.mark.parametrize("host", HOSTS)
def test_a_host_changes_no_verdict(host):
    with Host(HOSTS[host]):
        result = sp.judge(lambda request: request.run(), "*", name="right")
    assert result.conforms, result.text[:2000]
    assert len(result.findings) > 5000


@pytest.mark.skipif(not X86, reason="as above")
def test_a_host_changes_no_draw():
    draw = lambda: sp.random_uniform((64,), 0.0, 1e-40, dtype="f32", seed=1, op_seed=2, alignment="TENSORFLOW")
    right = draw()
    for bits in HOSTS.values():
        with Host(bits):
            drawn = draw()
        assert (drawn.view(np.uint32) == right.view(np.uint32)).all()


@pytest.mark.skipif(not X86, reason="as above")
def test_a_kernel_that_flushes_with_its_host_fails_there():
    cases = subnormal_cases()
    assert len(cases) > 3
    kernel = lambda request: request.run() * np.float32(1)
    assert sp.judge(kernel, *cases).conforms
    with Host(FLUSH | SUBNORMALS_ARE_ZERO):
        result = sp.judge(kernel, *cases)
    assert len(result.failures) == len(result.findings)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there are no forks here")
@pytest.mark.filterwarnings("ignore:This process:DeprecationWarning")
def test_a_forked_child_draws():
    draw = lambda: sp.random_uniform((1 << 22,), 0.0, 1.0, dtype="f32", seed=1, op_seed=2, alignment="TENSORFLOW")
    right = draw()
    child = os.fork()
    if child == 0:
        os._exit(0 if (draw() == right).all() else 1)
    killer = threading.Timer(60, os.kill, (child, signal.SIGKILL))
    killer.start()
    started = time.monotonic()
    _, status = os.waitpid(child, 0)
    killer.cancel()
    assert status == 0, f"after {time.monotonic() - started:.0f} s"


@pytest.mark.parametrize("dtype", ["f4", "<f4", ">f4", "single", "f"])
def test_element_types_are_numpys_texts_too(uniform, dtype):
    assert uniform(dtype=dtype).dtype == np.float32


@pytest.mark.parametrize("dtype", ["f33", "f4,i4", "O", "S4", "complex64", "bool", ""])
def test_other_texts_are_refused(uniform, dtype):
    with pytest.raises(sp.Rejected):
        uniform(dtype=dtype)


@pytest.mark.parametrize("shape", [(2.5,), [2.0], (True,), [3, False], True, 2.5, (3, 2.5)])
def test_extents_are_whole_numbers(uniform, shape):
    with pytest.raises(sp.InvalidArgument, match="shape"):
        uniform(shape)


def test_lists_are_whole_numbers():
    draw = lambda key, counter: sp.stateless_random_uniform_full_int_v2([4], key, counter, 1, dtype="u64")
    right = draw(np.array([2**64 - 1], np.uint64), np.array([2**63 + 5, 1], np.uint64))
    assert (draw([2**64 - 1], [2**63 + 5, 1]) == right).all()
    deep = []
    deep.append(deep)
    for counter in ([1.5, 2], [True, 2], [[1, 2.0]], [np.float32(1), 2]):
        with pytest.raises(sp.InvalidArgument, match="expected whole numbers"):
            draw([1], counter)
    with pytest.raises(sp.InvalidArgument, match="counter"):
        draw([1], deep)
