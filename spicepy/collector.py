"""Python's collector of cyclic garbage, out of the way of long loops.

In: a loop that makes a great many objects, all of them kept and none in a cycle.
The collector would look through all of them again and again, for nothing.
"""

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def no_collector() -> Iterator[None]:
    """Do without the collector; then it is as it was before."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()
