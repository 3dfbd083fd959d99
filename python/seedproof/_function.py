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
    `("broken", kind, message)`. `("raised", exception)` is what a test runner means by an exception, such as that a test is
    skipped: it is to be raised where the judge was called.
    """

    def __init__(self, function: Callable[..., Any], deadline: float | None):
        self.function = function
        self.deadline = deadline
        self.hangs = 0
        self.thread: _Thread | None = None

    def __call__(self, request):
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
    except _Abandoned:
        raise
    except BaseException as error:
        try:
            return meant(error)
        except _Abandoned:
            raise
        except BaseException as second:
            # Whatever an exception does when it is looked at, the thread goes on: it would be waited for.
            return "broken", "error", f"the function raised {_name(error)}, of which no text can be made: {_name(second)}"


def meant(error):
    """The answer that an exception is. What the exception has of its own may raise anything."""
    if _is_outcome(error):
        return "raised", error
    if isinstance(error, Rejected):
        kind = getattr(error, "kind", None)
        return "rejected", kind if isinstance(kind, str) else None, _text(error.args[0])
    if isinstance(error, (Unsupported, NotImplementedError)):
        return "unsupported", _text(error) or "not implemented"
    if isinstance(error, _NoArray):
        return "broken", "protocol", _text(error)
    if isinstance(error, ValueError):
        # What NumPy and most kernels raise for an argument that is forbidden. It says nothing of the kind.
        return "rejected", None, f"ValueError: {_text(error)}"
    frames = traceback.extract_tb(error.__traceback__) if isinstance(error, Exception) else []
    place = f" at {frames[-1].filename}:{frames[-1].lineno}" if frames else ""
    return "broken", "error", _text(f"the function raised {_name(error)}: {error}{place}")


def _is_outcome(error):
    """Whether an exception is not about this answer: pytest.skip, pytest.exit, unittest's skip and Ctrl-C."""
    if isinstance(error, KeyboardInterrupt):
        return True
    # pytest calls some of its outcomes built in, but not the class that they share.
    classes = [(base.__module__, base.__name__) for base in type(error).__mro__]
    return ("unittest.case", "SkipTest") in classes or any(module == "_pytest.outcomes" for module, _ in classes)


def _text(error):
    """The text of an exception, as UTF-8 has it: the compiled half takes no other."""
    return str(error).encode("utf-8", "backslashreplace").decode()


def _name(error):
    """The name of an exception's class, whatever the class of that class says."""
    return _text(type.__dict__["__name__"].__get__(type(error)))


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
