"""Python's collector of cyclic garbage, switched off during long loops.

Loops that make many objects, of which most are kept and few are in a cycle, run faster
without the collector, which would scan all of them again and again.
"""

import gc
import time
from collections.abc import Callable
from typing import Final

from spicepy.common.threads import SharedState

_OFTEN: Final = 120.0
"""Seconds of the processor after which cycles are looked for all the same: a job
without end would keep those of all its captions."""

_last = time.process_time()


def _switch_off() -> Callable[[], None]:
    was_on = gc.isenabled()
    gc.disable()
    return _switch_on if was_on else gc.disable


def _switch_on() -> None:
    """Switch the collector on; objects made meanwhile count as old.

    Otherwise its next run would scan all of them, which takes a tenth of the time of a
    run whose captions are in the cache.
    """
    global _last
    if time.process_time() - _last > _OFTEN:
        gc.collect()
        _last = time.process_time()
    elif not gc.get_freeze_count():  # no other code has frozen anything
        gc.freeze()
        gc.unfreeze()
    gc.enable()


no_collector: Final = SharedState(_switch_off)
"""Switch the collector off in a `with` block; afterwards it is on or off as before."""
