"""The program `seedproof`."""

import signal
import sys

from . import _native


def main() -> int:
    # Ctrl-C ends the program as it ends any other: Python's own handler would wait for the end of the call. Python has none
    # where whoever started it has it ignore interrupts.
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    if hasattr(signal, "SIGPIPE"):
        signal.signal(signal.SIGPIPE, signal.SIG_IGN)
    return _native.main(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
