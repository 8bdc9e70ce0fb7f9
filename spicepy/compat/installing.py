"""`pycocoevalcap` as a name for `spicepy.compat.pycocoevalcap`.

In: a call of `install`. Out: `import pycocoevalcap.bleu.bleu` and the like give
modules with spicepy's names, so that code that cannot be changed runs unchanged.
"""

import sys
from collections.abc import Sequence
from importlib import import_module
from importlib.machinery import ModuleSpec, PathFinder
from importlib.util import find_spec
from types import ModuleType
from typing import Any, Final

from spicepy.common.errors import InputError

NAME: Final = "pycocoevalcap"
_HOME: Final = "spicepy.compat."


class _Finder:
    """Finds and loads `pycocoevalcap.X` as a copy of the names of our `X`."""

    def find_spec(
        self,
        fullname: str,
        path: Sequence[str] | None = None,
        target: ModuleType | None = None,
    ) -> ModuleSpec | None:
        if fullname != NAME and not fullname.startswith(NAME + "."):
            return None
        try:
            own = find_spec(_HOME + fullname)
        except ModuleNotFoundError:  # a part of something that is no package
            return None
        if own is None:
            return None
        loader: Any = self
        spec = ModuleSpec(fullname, loader, origin=own.origin)
        spec.has_location = True
        if own.submodule_search_locations is not None:
            spec.submodule_search_locations = list(own.submodule_search_locations)
        return spec

    def create_module(self, spec: ModuleSpec) -> None:
        """Return None, so that a plain module is made."""

    def exec_module(self, module: ModuleType) -> None:
        found = vars(import_module(_HOME + module.__name__)).items()
        vars(module).update((k, v) for k, v in found if not k.startswith("__"))
        module.__doc__ = sys.modules[_HOME + module.__name__].__doc__


def install(*, replace: bool = False) -> None:
    """Let `import pycocoevalcap` give spicepy's modules, in this process.

    Calling it again changes nothing. Processes that are spawned must call it, too.

    Args:
        replace: Also where the real package is installed or imported already.
            Objects made from it before stay what they are.

    Raises:
        InputError: The real package is there and `replace` is false.

    Example:
        >>> install(replace=True)
        >>> from pycocoevalcap.bleu.bleu import Bleu
        >>> Bleu.__module__
        'spicepy.compat.pycocoevalcap.bleu.bleu'
        >>> uninstall()
    """
    if _installed():
        return
    if not replace and (place := _real()):
        raise InputError(
            f"the package {NAME} is installed ({place}) and is not replaced unasked; "
            "spicepy.compat.install(replace=True) does so"
        )
    _forget()
    finder: Any = _Finder()
    sys.meta_path.insert(0, finder)


def uninstall() -> None:
    """Undo `install`: `import pycocoevalcap` finds the real package, if any."""
    if _installed():
        sys.meta_path[:] = [f for f in sys.meta_path if not isinstance(f, _Finder)]
        _forget()


def _installed() -> bool:
    return any(isinstance(finder, _Finder) for finder in sys.meta_path)


def _real() -> str | None:
    """Return where the real package is; None if it is not installed."""
    if NAME in sys.modules:
        return str(next(iter(getattr(sys.modules[NAME], "__path__", [])), "imported"))
    spec = PathFinder.find_spec(NAME)
    if spec is None:
        return None
    return str(next(iter(spec.submodule_search_locations or ()), spec.origin))


def _forget() -> None:
    """Have the next import look for the package anew."""
    for name in [n for n in sys.modules if n.partition(".")[0] == NAME]:
        del sys.modules[name]
