"""One thread for numpy's BLAS while a parser works, its own number afterwards."""

from collections.abc import Callable
from functools import cache
from typing import Final

from threadpoolctl import ThreadpoolController

from spicepy.common.threads import SharedState


@cache
def _threads() -> ThreadpoolController:
    """Return the switch of numpy's BLAS."""
    return ThreadpoolController()


def _limit_threads() -> Callable[[], None]:
    limits = _threads().limit(limits=1, user_api="blas")
    _let_others_switch()

    def restore() -> None:
        limits.restore_original_limits()
        _let_others_switch()

    return restore


def _let_others_switch() -> None:
    """Leave the switch of BLAS to other threads: the last one to leave turns it back.

    From its version 3.8 on, threadpoolctl gives it to the thread that used it first,
    until a `with` ends there.
    """
    with _threads().limit(limits=None):
        pass


one_thread: Final = SharedState(_limit_threads)
"""Let BLAS use one thread, for as long as any thread of Python needs that."""
