"""A Seedproof adapter. Replace `words` with your implementation, and say in CAPABILITIES what it has.

Try it:  seedproof smoke --adapter 'python3 adapter.py'
Run it:  seedproof run --adapter 'python3 adapter.py'
"""

import struct

from generators import philox
from seedproof_adapter import Request, Tensor, check_random_generator, serve

IMPLEMENTATION = {"name": "my-implementation", "version": "0.1", "language": "python"}

# What is not named is not restricted. What is announced must be answered.
# Restrict what your kernel restricts: attributes by values ("op_seed": ["0"]), inputs by types or by values
# ("minval": {"values": ["0"]}), and the output by its rank ("rank": {"min": 1, "max": 4}).
CAPABILITIES = [{"op": "directml.RandomGenerator", "type": ["PHILOX_4X32_10"], "features": ["output_state"]}]


def words(counter, key, count):
    """Yours: the first `count` words from `counter` on."""
    drawn = []
    for index in range((count + 3) // 4):
        drawn.extend(philox((counter + index) % 2**128, key))
    return drawn[:count]


def run(request: Request):
    check_random_generator(request)
    state, sizes = request.inputs["input_state"], request.attrs["output_sizes"]
    low, high, key = struct.unpack("<3Q", state.data)
    counter = low | high << 64
    count = 1
    for size in sizes:
        count *= size
    outputs = {"output": Tensor("u32", sizes, struct.pack(f"<{count}I", *words(counter, key, count)))}
    if request.attrs["output_state"]:
        after = (counter + (count + 3) // 4) % 2**128
        after_words = after.to_bytes(16, "little")
        outputs["output_state"] = Tensor("u32", state.shape, after_words + struct.pack("<Q", key))
    return outputs


if __name__ == "__main__":
    serve(IMPLEMENTATION, CAPABILITIES, run, framing="lines")
