import signal

import pytest

import seedproof as sp

pytest_plugins = ["pytester"]

# A shell starts what runs in its background with interrupts ignored, and tests interrupt themselves.
signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture
def uniform():
    """RandomUniform-8 of the first example of its document, with other arguments where they are given."""

    def draw(shape=(3, 3), low=0.0, high=1.0, **others):
        options = {"dtype": "f32", "seed": 150, "op_seed": 10, "alignment": "TENSORFLOW", **others}
        return sp.random_uniform(shape, low, high, **options)

    return draw
