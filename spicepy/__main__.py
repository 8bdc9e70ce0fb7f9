"""`python -m spicepy` and the command `spicepy`: the same command line."""

import atexit
import gc
import os
import signal
import sys
from typing import Final, NoReturn

from spicepy.common import errors

GC_THRESHOLD: Final = 200_000
"""New objects after which Python looks for cyclic garbage. Loading the modules makes
half as many, all of them kept; after every 700 it would look through them in vain."""

MIN_MEMORY: Final = 256 << 20
"""Bytes that a process must be able to ask for. Where numpy's BLAS gets none for its
products, it ends the process with a line of its own instead of an error."""

MMAP_BLOCK: Final = 31 << 20
"""Bytes. glibc gives freed blocks back to the system until a larger one has been
freed; arrays of a batch would then be mapped anew, page by page, for each batch."""


def main() -> None:
    """Run the command line; too little memory, or too few files, is one sentence."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        # Before a command begins, and when it has ended, Ctrl-C needs no traceback.
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    # numpy's BLAS takes memory for each thread; one thread is enough for all products.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    gc.set_threshold(GC_THRESHOLD)
    # At its end it would look through all that is left: a thirtieth of a run.
    atexit.register(gc.freeze)
    try:
        for size in (MIN_MEMORY, MMAP_BLOCK):
            block = bytes(size)  # of which nothing is read or written
            del block
        from spicepy.cli import main as run
    except errors.MEMORY_ERRORS as error:
        if errors.is_out_of_files(error):
            _end(errors.OUT_OF_FILES)
        if not errors.is_out_of_memory(error):
            raise
        _end(errors.OUT_OF_MEMORY)
    except OSError as error:
        if not errors.is_out_of_files(error):
            raise
        _end(errors.OUT_OF_FILES)
    run()


def _end(message: str) -> NoReturn:
    sys.stderr.write(f"error: {message}\n")
    sys.exit(2)


if __name__ == "__main__":
    main()
