"""Other packages' names for modules of `spicepy.compat`.

In: a call of `install`. Out: `import pycocoevalcap.bleu.bleu` and the like give
modules with spicepy's names, so that code that cannot be changed runs unchanged.
"""

import sys
from collections.abc import Iterable, Sequence
from importlib import import_module
from importlib.machinery import ModuleSpec, PathFinder
from importlib.util import find_spec
from types import ModuleType
from typing import Any, Final

from spicepy.common.errors import InputError, unknown

PACKAGES: Final = ("pycocoevalcap", "pyciderevalcap", "evaluation")
"""The packages that spicepy can stand in for."""
_HOME: Final = "spicepy.compat."


class _Finder:
    """Finds and loads `NAME.X` as a copy of the names of our `X`."""

    def __init__(self, name: str) -> None:
        self.name = name

    def find_spec(
        self,
        fullname: str,
        path: Sequence[str] | None = None,
        target: ModuleType | None = None,
    ) -> ModuleSpec | None:
        if fullname != self.name and not fullname.startswith(self.name + "."):
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
        """A plain module will do."""

    def exec_module(self, module: ModuleType) -> None:
        found = vars(import_module(_HOME + module.__name__)).items()
        vars(module).update((k, v) for k, v in found if not k.startswith("__"))
        module.__doc__ = sys.modules[_HOME + module.__name__].__doc__


def install(
    names: Iterable[str] = ("pycocoevalcap",), *, replace: bool = False
) -> None:
    """Let imports of other packages give spicepy's modules, in this process.

    Calling it again changes nothing. Processes that are spawned must call it, too;
    `python -m spicepy.compat run PROGRAM` sees to that.

    Args:
        names: The packages: pycocoevalcap, pyciderevalcap (self-critical training) or
            evaluation (meshed-memory transformers and their descendants).
        replace: Also where the real package is installed or imported already.
            Objects made from it before stay what they are.

    Raises:
        InputError: A name is unknown, or the real package is there and `replace` is
            false; then nothing is installed.

    Example:
        >>> install(replace=True)
        >>> from pycocoevalcap.bleu.bleu import Bleu
        >>> Bleu.__module__
        'spicepy.compat.pycocoevalcap.bleu.bleu'
        >>> uninstall()
    """
    names = (names,) if isinstance(names, str) else tuple(names)
    if wrong := [name for name in names if name not in PACKAGES]:
        raise unknown("package", wrong[0], PACKAGES)
    missing = [name for name in names if name not in _installed()]
    for name in missing:
        if not replace and (place := _real(name)):
            raise InputError(
                f"the package {name} is installed ({place}) and is not replaced "
                "unasked; spicepy.compat.install(replace=True) does so"
            )
    for name in missing:
        _forget(name)
        finder: Any = _Finder(name)
        sys.meta_path.insert(0, finder)


def uninstall() -> None:
    """Undo `install`: imports find the real packages, if any."""
    for name in _installed():
        _forget(name)
    sys.meta_path[:] = [f for f in sys.meta_path if not isinstance(f, _Finder)]


def _installed() -> list[str]:
    return [finder.name for finder in sys.meta_path if isinstance(finder, _Finder)]


def _real(name: str) -> str | None:
    """Return where a real package is, None if it is neither imported nor installed."""
    if name in sys.modules:
        return str(next(iter(getattr(sys.modules[name], "__path__", [])), "imported"))
    spec = PathFinder.find_spec(name)
    if spec is None:
        return None
    return str(next(iter(spec.submodule_search_locations or ()), spec.origin))


def _forget(package: str) -> None:
    """Have the next import look for a package anew."""
    for name in [n for n in sys.modules if n.partition(".")[0] == package]:
        del sys.modules[name]
