import math
import re
import threading
import time
import _thread

import numpy as np
import pytest

import seedproof as sp
from seedproof import lab


def test_same_bits_counts_ulps_of_every_type():
    one = np.array([1, -1, 0], "f8")
    assert lab.same_bits(one, one.copy()) and lab.same_bits(one, one.astype(">f8")).differing == 0
    assert lab.same_bits(np.float64([1.0]), np.nextafter(np.float64([1.0]), 2)).max_ulps == 1
    assert lab.same_bits(np.float64([-math.inf]), np.float64([math.inf])).max_ulps == 2 * 0x7FF0000000000000
    assert lab.same_bits(np.float16([0.0]), np.float16([-0.0])).max_ulps == 0
    assert lab.same_bits(np.float32([math.nan]), np.float32([1])).max_ulps is None
    assert lab.same_bits(np.int64([-(2**63)]), np.int64([2**63 - 1])).max_ulps == 2**64 - 1
    assert lab.same_bits(np.uint8([0]), np.uint8([255])).max_ulps == 255
    assert str(lab.same_bits(np.float32([1, 2]), np.float32([1, 3]))).startswith("1 of 2 elements differs, by at most")
    assert str(lab.same_bits(np.uint8([0]), np.uint8([255]))).startswith("1 of 1 element differs, by at most 255 ulps")
    many = lab.same_bits(np.zeros(20, "f4"), np.ones(20, "f4"))
    assert many.differing == 20 and "… and 12 more" in str(many) and many.indices.tolist() == list(range(20))
    for wrong in [np.zeros(3), np.zeros((1, 2), "f4"), np.zeros(2, "datetime64[s]")]:
        with pytest.raises(sp.InvalidArgument):
            lab.same_bits(np.zeros(2, "f4"), wrong)


def test_streams_begin_anywhere():
    whole = sp.philox4x32(7, 2**128 - 2, 16)
    for skip in range(9):
        assert lab.stream("philox4x32", 7, counter=2**128 - 2, skip=skip, words=5).tolist() == whole[skip : skip + 5].tolist()
    threefry = sp.threefry2x32(7, 2**64 - 2, 16)
    for skip in range(5):
        assert lab.stream("threefry2x32", 7, counter=2**64 - 2, skip=skip, words=5).tolist() == threefry[skip : skip + 5].tolist()
    assert lab.stream("mt19937", 5489, skip=3, words=2).tolist() == sp.mt19937(5489, 5)[3:].tolist()
    assert lab.stream("philox4x32", 1, words=0).shape == (0,)
    for wrong in [("pcg64", 1), ("philox4x32", -1), ("mt19937", 2**32), ("threefry2x32", 2**64)]:
        with pytest.raises(sp.InvalidArgument):
            lab.stream(*wrong)
    for wrong in [("threefry2x32", 2**64), ("philox4x32", 2**128), ("mt19937", 1)]:
        with pytest.raises(sp.InvalidArgument, match="counter"):
            lab.stream(wrong[0], 1, counter=wrong[1])


@pytest.mark.parametrize("dtype", ["f16", "bf16", "f32", "f64", "i32", "i64"])
@pytest.mark.parametrize("alignment", ["TENSORFLOW", "PYTORCH"])
def test_readings_are_named(dtype, alignment):
    for reading in sp.READINGS:
        try:
            drawn = sp.random_uniform((40, 50), -3, 9, dtype=dtype, seed=42, op_seed=5, alignment=alignment, reading=reading)
        except sp.Unsupported:
            continue
        found = lab.who_drew(drawn, 42, op_seed=5, low=-3, high=9)
        assert found.verdict == "named" and reading in found.names, (reading, found)
        assert found.draws[0].request.alignment == alignment


def test_other_arrays_are_unknown_or_near():
    # Drawn by NumPy from another seed than the one that is asked about.
    noise = np.random.default_rng(12).random(1000, np.float32)
    assert lab.who_drew(noise, 1).verdict == "unknown"
    found = lab.who_drew(noise, 12)
    assert found.verdict == "named" and "numpy-2.4" in found.names, found
    assert lab.who_drew(np.zeros(1000, np.float32), 1).verdict == "unknown"
    assert lab.who_drew(np.random.default_rng(12).integers(0, 2, 1000, np.int32), 1).verdict == "unknown"
    drawn = sp.random_uniform((1000,), 0, 1, dtype="f32", seed=3, alignment="PYTORCH")
    drawn[17] += 1e-6
    near = lab.who_drew(drawn, 3)
    assert near.verdict == "nearest" and near.nearest["first_missed"] == 17 and near.nearest["elements"] == 999
    assert "nearest" in str(near)
    few = sp.random_uniform((2,), 0, 4, dtype="i32", seed=3, alignment="PYTORCH")
    assert lab.who_drew(few, 3, low=0, high=4).verdict == "possible"


def test_what_is_known_narrows_the_search():
    probs = np.float64([[0.1, 0.5, 0.4]])
    drawn = sp.multinomial(probs, 400, dtype="i64", with_replacement=True, seed=8, op_seed=9)
    found = lab.who_drew(drawn, 8, op_seed=9, probs=probs)
    assert found.verdict == "named" and {draw.request.op for draw in found.draws} == {"openvino.Multinomial-13"}
    with pytest.raises(sp.InvalidArgument):
        lab.who_drew(drawn, 8, prob=probs)
    with pytest.raises(sp.InvalidArgument):
        lab.who_drew(drawn, 8, low=1)


def test_seeds_are_searched(capfd):
    drawn = sp.random_uniform((50,), 0, 1, dtype="f32", seed=17_777, alignment="TENSORFLOW")
    found = lab.who_drew(drawn, range(20_000), progress=True)
    assert found.seeds == (17_777,) and found.verdict == "named"
    assert lab.who_drew(drawn, range(1000)).verdict == "unknown"
    for wrong in [range(0), range(0, 9, 2), range(-3, 5)]:
        with pytest.raises(sp.InvalidArgument):
            lab.who_drew(drawn, wrong)


def test_interrupts_end_a_search():
    drawn = np.float32([0.123, 0.456, 0.789])
    threading.Timer(0.3, _thread.interrupt_main).start()
    began = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        lab.who_drew(drawn, range(2**40))
    assert time.monotonic() - began < 5


def test_samplers_of_tokens_are_named():
    n = 60
    logits = np.random.default_rng(5).normal(size=(n, 200)).astype(np.float32)
    at = dict(seed=np.full(n, 9), pos=np.arange(30, 30 + n), temperature=np.full(n, 0.7, np.float32))
    tokens = sp.samplers.vllm_gumbel_sample(logits, use_fp64=False, is_drafting=False, **at)
    found = lab.who_sampled(tokens, logits, 9, position=30, temperature=0.7)
    assert found.verdict == "named" and "vllm-0.33" in found.names, found
    assert found.draws[0].request.op == "vllm.gumbel_sample"
    assert lab.who_sampled(tokens, logits, 10, position=30, temperature=0.7).verdict == "unknown"
    tokens[17] = (tokens[17] + 1) % 200
    near = lab.who_sampled(tokens, logits, 9, position=30, temperature=0.7)
    assert near.verdict == "nearest" and near.nearest["others"][0][0] == 17, near
    assert lab.who_sampled(logits.argmax(1), logits, 9, temperature=0.0).verdict == "greedy"
    with pytest.raises(sp.InvalidArgument, match="vocabulary of 200"):
        lab.who_sampled([200], logits[:1], 9)
    with pytest.raises(sp.InvalidArgument, match="rows of logits"):
        lab.who_sampled([1, 2, 3], logits[:2], 9)


def test_samplers_are_all_ops_that_choose():
    choosing = re.compile("bernoulli|categorical|dropout|gumbel_sample|multinomial|permutation|randperm|shuffle")
    assert set(sp.samplers.__all__) - {"who_sampled"} == {name for name in sp._ops.__all__ if choosing.search(name)}
