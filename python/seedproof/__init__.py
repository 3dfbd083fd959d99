"""The oracle and the judge of seeded random tensor operators.

Given the same seed, does an implementation draw the bits that the specification promises, and if not, why?

Example:
    >>> import numpy as np
    >>> import seedproof as sp
    >>> sp.random_uniform((2, 2), 0.0, 1.0, dtype=np.float32, seed=150, op_seed=10, alignment="TENSORFLOW")
    array([[0.7011236 , 0.30539632],
           [0.93931055, 0.9456035 ]], dtype=float32)
"""

from . import _ops, backends, lab, samplers
from ._judge import Result, assert_conforms, explain, judge
from ._native import VERSION as __version__
from ._native import Case, Finding, Request, cases, mt19937, names, philox4x32, request, threefry2x32
from ._ops import *  # noqa: F403
from .errors import InvalidArgument, NotConforming, Rejected, SeedproofError, Unsupported
from ._conformance import conformance

OPS, READINGS = (tuple(each) for each in names())
del names

__all__ = [
    "OPS",
    "READINGS",
    "Case",
    "Finding",
    "InvalidArgument",
    "NotConforming",
    "Rejected",
    "Request",
    "Result",
    "SeedproofError",
    "Unsupported",
    "__version__",
    "assert_conforms",
    "backends",
    "cases",
    "conformance",
    "explain",
    "judge",
    "lab",
    "mt19937",
    "philox4x32",
    "request",
    "samplers",
    "threefry2x32",
    *_ops.__all__,
]
