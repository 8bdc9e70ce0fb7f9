"""The facts that a bug report needs: versions, models, grammars, the machine.

In: nothing. Out: lines of text, for `spicepy --version --verbose`.
"""

import os
import platform
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Final

from spicepy.common.plurals import counted
from spicepy.common.version import __version__

LIBRARIES: Final = (
    "numpy",
    "spacy",
    "nltk",
    "networkx",
    "typer",
    "rich",
    "jinja2",
    "threadpoolctl",
)
OPTIONAL: Final = (
    "scipy",
    "matplotlib",
    "pyarrow",
    "ray",
    "numba",
    "torch",
    "torchmetrics",
    "pycocoevalcap",
)


def about() -> Iterator[tuple[str, str]]:
    """Yield the headings and facts."""
    yield "spicepy", f"{__version__} in {Path(__file__).parents[1]}"
    yield "Python", f"{platform.python_version()} ({platform.python_implementation()})"
    yield (
        "system",
        f"{platform.platform()}, {counted(os.cpu_count() or 1, 'processor')}",
    )
    yield "libraries", _versions(LIBRARIES)
    yield "optional libraries", _versions(OPTIONAL)
    yield "linear algebra", _linear_algebra()
    yield "parsers", _parsers()
    yield "grammars", _grammars()
    yield "METEOR's table", _paraphrases()
    yield "environment", _environment()


def _versions(names: tuple[str, ...]) -> str:
    return ", ".join(f"{name} {_version_of(name)}" for name in names)


def _version_of(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "(not installed)"


def _linear_algebra() -> str:
    import numpy  # noqa: F401 (its library is looked up)
    from threadpoolctl import threadpool_info

    names = ("internal_api", "version", "architecture", "num_threads")
    described = (
        " ".join(str(library[name]) for name in names if library.get(name))
        for library in threadpool_info()
    )
    return "; ".join(described) or "unknown"


def _parsers() -> str:
    from spicepy.parsing.loading import DEFAULT, available_models

    names = (f"{n} (default)" if n == DEFAULT else n for n in available_models())
    return ", ".join(names)


def _grammars() -> str:
    from spicepy.common.data_files import folder
    from spicepy.grammar.loading import load_grammar

    names = sorted(path.parent.name for path in folder().glob("*/grammar.toml"))
    return ", ".join(f"{name}@{load_grammar(name).digest[:8]}" for name in names)


def _paraphrases() -> str:
    from spicepy.metrics.meteor.paraphrases import find_paraphrases

    return str(find_paraphrases() or "not installed")


def _environment() -> str:
    shown = ("SPICEPY_", "OPENBLAS_", "OMP_", "NPY_", "PYTHONHASHSEED")
    values = (f"{k}={v}" for k, v in sorted(os.environ.items()) if k.startswith(shown))
    return " ".join(values) or "nothing set"
