"""Calls a user's function for the judge. Whatever the function does becomes an answer and never ends the run."""

from __future__ import annotations

import ctypes
import queue
import threading
import traceback
from collections.abc import Callable
from typing import Any

import numpy as np

from .errors import InvalidArgument, Rejected, Unsupported

# A function that hangs so often is not asked again: each time leaves a thread behind.
MOST_HANGS = 3


class Function:
    """Calls a function with requests, in a thread of its own where there is a deadline, and sorts what comes of it.

    Returns, as the compiled half takes it, `("value", arrays)`, `("rejected", kind, reason)`, `("unsupported", reason)` or
    `("broken", kind, message)`. What a test runner means by an exception, such as that a test is skipped, is raised.
    """

    def __init__(self, function: Callable[..., Any], deadline: float | None):
        self.function = function
        self.deadline = deadline
        self.hangs = 0
        self.thread: _Thread | None = None

    def __call__(self, request):
        answered = self._ask(request)
        if answered[0] == "raised":
            raise answered[1]
        return answered

    def _ask(self, request):
        if self.hangs >= MOST_HANGS:
            return "broken", "not-run", f"the function did not answer {self.hangs} times, and is not asked again"
        if self.deadline is None:
            return answer(self.function, request)
        if self.thread is None:
            self.thread = _Thread(self.function)
        try:
            return self.thread.ask(request, self.deadline)
        except queue.Empty:
            self.hangs += 1
            self.thread.abandon()
            self.thread = None
            return "broken", "timeout", f"no answer within {self.deadline:g} s"

    def renew(self, function):
        """Asks this function from now on."""
        if function is not self.function:
            self.close()
            self.function = function

    def close(self):
        if self.thread is not None:
            self.thread.questions.put(None)
            self.thread = None


class _Abandoned(BaseException):
    """Raised in a thread that nobody waits for."""


class _Thread:
    """One thread that asks a function, question by question."""

    def __init__(self, function):
        self.questions: queue.SimpleQueue = queue.SimpleQueue()
        self.answers: queue.SimpleQueue = queue.SimpleQueue()
        self.thread = threading.Thread(target=self.run, args=(function,), name="seedproof", daemon=True)
        self.thread.start()

    def run(self, function):
        try:
            while (request := self.questions.get()) is not None:
                self.answers.put(answer(function, request))
        except _Abandoned:
            pass

    def ask(self, request, deadline):
        self.questions.put(request)
        return self.answers.get(timeout=deadline)

    def abandon(self):
        # A loop in Python ends so; what hangs in compiled code stays, as a daemon.
        self.questions.put(None)
        ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(self.thread.ident), ctypes.py_object(_Abandoned))


def answer(function, request):
    """What a function makes of a request."""
    try:
        value = function(request)
        return "value", arrays(value, request)
    except Rejected as error:
        return "rejected", error.kind, str(error.args[0])
    except (Unsupported, NotImplementedError) as error:
        return "unsupported", str(error) or "not implemented"
    except _NoArray as error:
        return "broken", "protocol", str(error)
    except ValueError as error:
        # What NumPy and most kernels raise for an argument that is forbidden. It says nothing of the kind.
        return "rejected", None, f"ValueError: {error}"
    except Exception as error:
        frames = traceback.extract_tb(error.__traceback__)
        place = f" at {frames[-1].filename}:{frames[-1].lineno}" if frames else ""
        return "broken", "error", f"the function raised {type(error).__name__}: {error}{place}"
    except _Abandoned:
        raise
    except BaseException as error:
        # pytest.skip, pytest.xfail and Ctrl-C are not about this answer. A thread that they ended would be waited for.
        # pytest calls some of its outcomes built in, but not the class that they share.
        is_outcome = any(base.__module__ == "_pytest.outcomes" for base in type(error).__mro__)
        if is_outcome or isinstance(error, KeyboardInterrupt):
            return "raised", error
        return "broken", "error", f"the function raised {type(error).__name__}: {error}"


class _NoArray(InvalidArgument):
    """An answer, or an argument, that is not an array."""


def arrays(value, request):
    """The arrays of an answer: of one output, of a tuple or list of several, or of a dict by their names."""
    names = list(request.outputs)
    if isinstance(value, dict):
        missing = [name for name in names if name not in value]
        if missing:
            raise _NoArray(f"the answer has no output {missing[0]}: it has {', '.join(map(str, value)) or 'none'}")
        value = tuple(value[name] for name in names)
    elif not (isinstance(value, (tuple, list)) and len(names) > 1):
        value = (value,)
    return [array(each) for each in value]


def array(value):
    """A NumPy array of anything that has `__array__` or speaks DLPack, such as a tensor of PyTorch."""
    if value is None:
        raise _NoArray("expected an array, got None")
    if not isinstance(value, np.ndarray):
        value = _converted(value)
    if value.dtype.hasobject:
        raise _NoArray("an array of Python objects has elements that no op here has")
    return value


def _converted(value):
    attempts = []
    if hasattr(value, "detach") and "bfloat16" in str(getattr(value, "dtype", "")):
        attempts.append(lambda: _bfloat16(value))
    if not hasattr(value, "__array__") and hasattr(value, "__dlpack__"):
        attempts.append(lambda: np.from_dlpack(value))
    attempts.append(lambda: np.asarray(value))
    reasons = []
    for attempt in attempts:
        try:
            return attempt()
        except Exception as error:
            reasons.append(f"{type(error).__name__}: {error}")
    raise _NoArray(f"a {type(value).__name__} cannot be read as an array: {reasons[-1]}")


def _bfloat16(tensor):
    """The bits of a tensor of PyTorch that NumPy has no type for."""
    import torch

    bits = tensor.detach().cpu().contiguous()
    bits = bits.view(torch.int16) if bits.dim() else bits.reshape(1).view(torch.int16).reshape(())
    bits = bits.numpy().view(np.uint16)
    try:
        import ml_dtypes
    except ImportError:
        return bits
    return bits.view(ml_dtypes.bfloat16)
