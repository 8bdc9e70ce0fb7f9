"""Old names of modules still import, with a note where they are."""

import sys
from importlib import import_module

import pytest

from spicepy.common.moved import MOVED


@pytest.mark.parametrize("old", MOVED)
def test_old_names_import(old: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, old, raising=False)

    with pytest.warns(DeprecationWarning, match=f"has moved to {MOVED[old]}"):
        module = import_module(old)
    home = import_module(MOVED[old])

    public = [name for name in vars(home) if not name.startswith("_")]
    assert public
    assert all(getattr(module, name) is getattr(home, name) for name in public)


def test_other_names_do_not() -> None:
    with pytest.raises(ModuleNotFoundError):
        import_module("spicepy.nowhere")
