"""Python's collector is off inside a long loop, and then as it was."""

import gc
import weakref

import pytest

from spicepy.common import threads as collector
from spicepy.common.threads import no_collector


def fail_without_collector() -> None:
    with no_collector():
        assert not gc.isenabled()
        raise ValueError("broken")


@pytest.mark.parametrize("was_on", [True, False])
def test_the_collector_is_as_it_was(was_on: bool) -> None:
    (gc.enable if was_on else gc.disable)()
    try:
        with pytest.raises(ValueError, match="broken"):
            fail_without_collector()

        assert gc.isenabled() == was_on
    finally:
        gc.enable()


class Cycle:
    def __init__(self) -> None:
        self.itself = self


def test_cycles_do_not_pile_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is made while the collector is off counts as old; it is looked at, too."""
    gc.enable()
    monkeypatch.setattr(collector, "_MAX_PAUSE", 0.0)
    with no_collector():
        left = weakref.ref(Cycle())

    assert left() is None
