"""Old names: modules that stood elsewhere before 0.1.0 still import.

In: `import spicepy.collapsing`. Out: the names of the module that took its place,
and a `DeprecationWarning` that says where it is.
"""

import sys
import warnings
from collections.abc import Sequence
from importlib import import_module
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any, Final

MOVED: Final = {
    "spicepy.collapsing": "spicepy.extraction.dependencies.collapsing",
    "spicepy.comparison": "spicepy.evaluation.comparison",
    "spicepy.dependencies": "spicepy.extraction.dependencies",
    "spicepy.dependencies.collapsing": "spicepy.extraction.dependencies.collapsing",
    "spicepy.dependencies.enhancing": "spicepy.extraction.dependencies.enhancing",
    "spicepy.dependencies.graphs": "spicepy.extraction.dependencies.graphs",
    "spicepy.dependencies.words": "spicepy.extraction.dependencies.words",
    "spicepy.dependency_words": "spicepy.extraction.dependencies.words",
    "spicepy.enhancing": "spicepy.extraction.dependencies.enhancing",
    "spicepy.labelmap": "spicepy.parsing.labels.mapping",
}
"""Those that the README or the API reference named."""


def deprecated(message: str) -> None:
    """Warn of an old name at the line outside spicepy that uses it."""
    level, frame = 1, sys._getframe()
    while frame.f_back and frame.f_globals["__name__"].split(".")[0] == "spicepy":
        level, frame = level + 1, frame.f_back
    warnings.warn(message, DeprecationWarning, stacklevel=level)


class _Moved:
    """A finder and loader; abstract classes for both take 10 ms to import."""

    def find_spec(
        self,
        fullname: str,
        path: Sequence[str] | None,
        target: ModuleType | None = None,
    ) -> ModuleSpec | None:
        loader: Any = self
        if fullname not in MOVED:
            return None
        folder = any(name.startswith(f"{fullname}.") for name in MOVED)
        return ModuleSpec(fullname, loader, is_package=folder)

    def create_module(self, spec: ModuleSpec) -> None:
        """A plain module will do."""

    def exec_module(self, module: ModuleType) -> None:
        home = MOVED[module.__name__]
        message = f"{module.__name__} has moved to {home}"
        warnings.warn(message, DeprecationWarning, stacklevel=2)
        found = vars(import_module(home)).items()
        vars(module).update((k, v) for k, v in found if not k.startswith("__"))


def install() -> None:
    """Let the old names import, after everything else has been tried."""
    if not any(isinstance(finder, _Moved) for finder in sys.meta_path):
        sys.meta_path.append(_Moved())
