"""Progress reporting through a context-local listener (by default none).

Stages call `advance`; the command line listens with `listening` and draws a
bar. Therefore no stage takes a callback through its arguments.
"""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from importlib import import_module
from typing import Any

Listener = Callable[[str, int, int], None]  # Called with (stage, done, total)

EVERY = 30.0  # Seconds between two lines in a log

_listener: ContextVar[Listener | None] = ContextVar("listener", default=None)


def advance(stage: str, done: int, total: int) -> None:
    """Report that `done` of `total` items of a stage are finished (0: not known)."""
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


@contextmanager
def listening_to(stage: str, listener: Callable[[int, int], None]) -> Iterator[None]:
    """Send the progress of one stage in the `with` block to `listener`, no other."""
    other = _listener.get()

    def either(name: str, done: int, total: int) -> None:
        if name == stage:
            listener(done, total)
        elif other is not None:
            other(name, done, total)

    with listening(either):
        yield


AFTER = 1.0
"""Seconds of work before a notebook shows a bar; it changes five times as often."""


@contextmanager
def notebook_bar() -> Iterator[None]:
    """Show the progress of the `with` block in a notebook until the block ends."""
    # Nothing happens elsewhere, or where somebody listens already.
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    if _listener.get() is not None or not hasattr(shell, "kernel"):
        yield
        return
    bar = _NotebookBar()
    try:
        with listening(bar):
            yield
    finally:
        bar.clear()


class _NotebookBar:
    """A listener that shows the stage at work in the output of a notebook's cell."""

    def __init__(self) -> None:
        self._handle: Any = None
        self._next = time.monotonic() + AFTER

    def __call__(self, stage: str, done: int, total: int) -> None:
        now = time.monotonic()
        if now < self._next:
            return
        self._next = now + AFTER / 5
        bar = f"<progress value='{done}' max='{total}'></progress> " if total else ""
        of = f" of {total:,}" if total else ""
        self._show(f"{bar}{stage}: {done:,}{of}")

    def clear(self) -> None:
        """Leave nothing in the output."""
        if self._handle is not None:
            self._show("")

    def _show(self, html: str) -> None:
        shown: Any = import_module("IPython.display")
        if self._handle is None:
            self._handle = shown.display(shown.HTML(html), display_id=True)
        else:
            self._handle.update(shown.HTML(html))


def log_lines(
    write: Callable[[str], None], clock: Callable[[], float] = time.monotonic
) -> Listener:
    """Return a listener for logs: a line every half minute of work, none before."""
    # "parsing: 1,200 of 5,000 (40 a second, 2 min left)"
    last = clock()
    begun: dict[str, tuple[float, int]] = {}

    def listener(stage: str, done: int, total: int) -> None:
        nonlocal last
        now = clock()
        if stage not in begun or done < begun[stage][1]:
            begun[stage] = now, done
        if now - last < EVERY:
            return
        last = now
        start, first = begun[stage]
        rate = (done - first) / (now - start) if now > start else 0.0
        shown = f" ({rate:,.{0 if rate >= 10 else 1}f} a second" if rate else ""
        if rate and total:
            shown += f", {time_left((total - done) / rate)} left"
        of = f" of {total:,}" if total else ""
        write(f"{stage}: {done:,}{of}{shown}{')' if shown else ''}")

    return listener


def time_left(seconds: float) -> str:
    """Return a time in everyday units: "40 s", "12 min", "3 h 20 min"."""
    if seconds < 100:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    if minutes < 100:
        return f"{minutes} min"
    return f"{minutes // 60} h {minutes % 60} min"
