"""A Seedproof adapter. Replace `words` with your implementation, and say in CAPABILITIES what it has.

Try it:  seedproof smoke --adapter 'python3 adapter.py'
Run it:  seedproof run --adapter 'python3 adapter.py'
"""

import struct

from seedproof_adapter import Request, Tensor, check_random_generator, serve

IMPLEMENTATION = {"name": "my-implementation", "version": "0.1", "language": "python"}

# What is not named is not restricted. What is announced must be answered.
# Restrict what your kernel restricts: attributes by values ("op_seed": ["0"]), inputs by types or by values
# ("minval": {"values": ["0"]}), and the output by its rank ("rank": {"min": 1, "max": 4}).
CAPABILITIES = [{"op": "directml.RandomGenerator", "type": ["PHILOX_4X32_10"], "features": ["output_state"]}]

MASK = 0xFFFFFFFF


def block(counter, key):
    """Philox4x32-10: four words of one block. `counter` is a number of 128 bits, `key` has two words."""
    c0, c1, c2, c3 = (counter >> shift & MASK for shift in (0, 32, 64, 96))
    k0, k1 = key
    for _ in range(10):
        p, q = 0xD2511F53 * c0, 0xCD9E8D57 * c2
        c0, c1, c2, c3 = q >> 32 ^ c1 ^ k0, q & MASK, p >> 32 ^ c3 ^ k1, p & MASK
        k0, k1 = k0 + 0x9E3779B9 & MASK, k1 + 0xBB67AE85 & MASK
    return c0, c1, c2, c3


def words(counter, key, count):
    """Yours: the first `count` words from `counter` on."""
    drawn = []
    for index in range((count + 3) // 4):
        drawn.extend(block((counter + index) % 2**128, key))
    return drawn[:count]


def run(request: Request):
    check_random_generator(request)
    state, sizes = request.inputs["input_state"], request.attrs["output_sizes"]
    c0, c1, c2, c3, *key = struct.unpack("<6I", state.data)
    counter = c0 | c1 << 32 | c2 << 64 | c3 << 96
    count = 1
    for size in sizes:
        count *= size
    outputs = {"output": Tensor("u32", sizes, struct.pack(f"<{count}I", *words(counter, key, count)))}
    if request.attrs["output_state"]:
        after = (counter + (count + 3) // 4) % 2**128
        after_words = [after >> shift & MASK for shift in (0, 32, 64, 96)]
        outputs["output_state"] = Tensor("u32", state.shape, struct.pack("<6I", *after_words, *key))
    return outputs


if __name__ == "__main__":
    serve(IMPLEMENTATION, CAPABILITIES, run, framing="lines")
