"""A Seedproof adapter for {{op}}. Write `kernel`, and say in CAPABILITIES what it has.

Try it:  seedproof smoke --adapter 'python3 adapter.py'
Run it:  seedproof run --adapter 'python3 adapter.py'
"""

import math
import secrets
import struct

from generators import philox, threefry
from seedproof_adapter import Rejected, Request, Tensor, Unsupported, serve

IMPLEMENTATION = {"name": "my-implementation", "version": "0.1", "language": "python"}

# What is not named is not restricted. What is announced must be answered.
# Restrict what your kernel restricts: attributes by values ("op_seed": ["0"]), inputs by types or by values
# ("minval": {"values": ["0"]}), and the output by its rank ("rank": {"min": 1, "max": 4}).
CAPABILITIES = [{{capability}}]


{{kernel}}


def run(request: Request):
    return kernel(
        {{readings}}
    )


if __name__ == "__main__":
    serve(IMPLEMENTATION, CAPABILITIES, run, framing="lines")
