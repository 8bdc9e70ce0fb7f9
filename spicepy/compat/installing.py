"""Other packages' names for modules of `spicepy.compat`.

In: a call of `install`. Out: `import pycocoevalcap.bleu.bleu` and the like give
modules with spicepy's names, so that code that cannot be changed runs unchanged.
"""

import re
import sys
from collections.abc import Iterable, Sequence
from importlib import import_module
from importlib.machinery import ModuleSpec, PathFinder
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any, Final

from spicepy.common.errors import InputError, unknown

PACKAGES: Final = ("pycocoevalcap", "pyciderevalcap", "evaluation")
"""The packages that spicepy can stand in for."""
VARIABLE: Final = "SPICEPY_COMPAT"
"""The environment variable by which `run` tells its processes what to install."""
_HOME: Final = "spicepy.compat."


class _Finder:
    """Finds and loads `NAME.X` as a copy of the names of our `PACKAGE.X`.

    Args:
        name: The name that programs import; "*" stands for packages that hold a copy.
        package: One of `PACKAGES`.
    """

    def __init__(self, name: str, package: str) -> None:
        self.name, self.package = name, package
        pattern = re.escape(name).replace(r"\*", ".+")
        self._pattern = re.compile(rf"(?!spicepy\.){pattern}((?:\..+)?)")

    def own(self, fullname: str) -> str | None:
        """Return the name of our module that stands in for another one, if any does."""
        match = self._pattern.fullmatch(fullname)
        return match and _HOME + self.package + match[1]

    def find_spec(
        self,
        fullname: str,
        path: Sequence[str] | None = None,
        target: ModuleType | None = None,
    ) -> ModuleSpec | None:
        name = self.own(fullname)
        try:
            found = find_spec(name) if name else None
        except ModuleNotFoundError:  # a part of something that is no package
            return None
        if found is None:
            return None
        loader: Any = self
        spec = ModuleSpec(fullname, loader, origin=found.origin)
        spec.has_location = True
        if found.submodule_search_locations is not None:
            spec.submodule_search_locations = list(found.submodule_search_locations)
        return spec

    def create_module(self, spec: ModuleSpec) -> None:
        """Return None, so that a plain module is made."""

    def exec_module(self, module: ModuleType) -> None:
        original = import_module(self.own(module.__name__) or "")
        names = vars(original).items()
        vars(module).update((k, v) for k, v in names if not k.startswith("__"))
        module.__doc__ = original.__doc__


def install(
    names: Iterable[str] = ("pycocoevalcap",), *, replace: bool = False
) -> None:
    """Let imports of other packages give spicepy's modules, in this process.

    Calling it again changes nothing. Processes that are spawned must call it, too;
    `python -m spicepy.compat run PROGRAM` sees to that.

    Args:
        names: The packages: pycocoevalcap, pyciderevalcap (self-critical training) or
            evaluation (meshed-memory transformers and their descendants). Also copies
            that other packages hold: "nlgeval.pycocoevalcap", or "*.pycocoevalcap" for
            all; "datasets.caption.metrics=evaluation" where the name is another one.
        replace: Whether to stand in for packages that are installed or imported
            already. Objects made from them before are not changed. Copies inside other
            packages are replaced in any case.

    Raises:
        InputError: A name is unknown, or the real package is there and `replace` is
            false; then nothing is installed.

    Example:
        >>> install(replace=True)
        >>> from pycocoevalcap.bleu.bleu import Bleu
        >>> Bleu.__module__
        'spicepy.compat.ngram_scorers'
        >>> uninstall()
    """
    names = (names,) if isinstance(names, str) else tuple(names)
    wanted = [_finder(name) for name in names]
    present = {finder.name for finder in _present()}
    missing = [finder for finder in wanted if finder.name not in present]
    for finder in missing:
        if not replace and (place := _real(finder.name)):
            raise InputError(
                f"the package {finder.name} is installed ({place}) and is not replaced "
                "unasked; spicepy.compat.install(replace=True) does so"
            )
    for finder in missing:
        _forget(finder)
        loader: Any = finder
        sys.meta_path.insert(0, loader)


def _finder(name: str) -> _Finder:
    name, _, package = name.partition("=")
    package = package or name.rpartition(".")[2]
    if package not in PACKAGES:
        raise unknown("package", package, PACKAGES)
    return _Finder(name, package)


def packages_on_path() -> list[str]:
    """Return the names to install for a whole program.

    A package called `evaluation` is one of ours only if it holds a module `cider`.
    """
    names = ["pycocoevalcap", "pyciderevalcap", "*.pycocoevalcap", "*.pyciderevalcap"]
    place = _real("evaluation")
    if place is None or Path(place, "cider").is_dir():
        names.append("evaluation")
    return names


def uninstall() -> None:
    """Undo `install`: imports find the real packages, if any."""
    for finder in _present():
        _forget(finder)
        sys.meta_path.remove(finder)


def _present() -> list[_Finder]:
    return [finder for finder in sys.meta_path if isinstance(finder, _Finder)]


def _real(name: str) -> str | None:
    """Return the path of a real package, None if it is neither imported nor installed.

    Copies inside other packages do not count.
    """
    if "." in name:
        return None
    if name in sys.modules:
        return str(next(iter(getattr(sys.modules[name], "__path__", [])), "imported"))
    spec = PathFinder.find_spec(name)
    if spec is None:
        return None
    return str(next(iter(spec.submodule_search_locations or ()), spec.origin))


def _forget(finder: _Finder) -> None:
    """Have the next import look for a package anew."""
    for name in [name for name in sys.modules if finder.own(name)]:
        del sys.modules[name]
