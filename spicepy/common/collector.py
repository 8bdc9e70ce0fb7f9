"""Python's collector of cyclic garbage, out of the way of long loops.

In: a loop that makes a great many objects, all of them kept and none in a cycle.
The collector would look through all of them again and again, for nothing.
"""

import gc
from collections.abc import Callable
from typing import Final

from spicepy.common.sharing import WhileUsed


def _switch_off() -> Callable[[], None]:
    was_on = gc.isenabled()
    gc.disable()
    return gc.enable if was_on else gc.disable


no_collector: Final = WhileUsed(_switch_off)
"""Do without the collector; then it is as it was before."""
