"""Progress of long work, told to whoever listens (by default nobody).

Stages call `advance`; the command line listens with `listening` and draws a
bar. So no stage takes a callback through its arguments.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

Listener = Callable[[str, int, int], None]
"""Called with (stage, done, total)."""

_listener: ContextVar[Listener | None] = ContextVar("listener", default=None)


def advance(stage: str, done: int, total: int) -> None:
    """Report that `done` of `total` items of a stage are finished."""
    listener = _listener.get()
    if listener is not None:
        listener(stage, done, total)


@contextmanager
def listening(listener: Listener) -> Iterator[None]:
    """Send all progress inside the `with` block to `listener`."""
    token = _listener.set(listener)
    try:
        yield
    finally:
        _listener.reset(token)
