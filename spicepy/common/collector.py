"""Python's collector of cyclic garbage, switched off during long loops.

In: a loop that makes a great many objects, most of them kept and few in a cycle.
The collector would look through all of them again and again, for nothing.
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

    Otherwise its next turn would look through all of it, a tenth of the time that a
    run takes whose captions are in the cache.
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
"""Do without the collector; then it is on or off as before."""
