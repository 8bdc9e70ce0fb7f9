"""The user's folder of models: list them, load one, remove one (`adding` adds one).

A model is one compact file (`pcfg`), `NAME.pcfg`, in the folder that the environment
variable SPICEPY_DATA names, else in the platform's folder for a user's data.
"""

from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from spicepy.common.errors import InputError, ResourceError
from spicepy.common.user_data import data_folder
from spicepy.parsing.exact.pcfg import Pcfg, from_bytes

KNOWN: Final = {
    "684a7721a60b6ac588eaf5cd7e0458de9cbda04409e06c55aeada1fa41a62522": (
        "english-pcfg-3.6.0"
    ),
}
"""Digest of a grammar -> its name; SPICE 1.0 uses the one of CoreNLP 3.6.0."""
EXACT: Final = "english-pcfg-3.6.0"
"""The grammar of the published scores."""
SUFFIX: Final = ".pcfg"
WITHOUT_NUMBA: Final = (
    "Without numba, a grammar of the user's is several times slower: "
    'pip install "spicepy-captions[exact]"'
)


@dataclass(frozen=True, slots=True)
class Installed:
    """A model in the user's folder; `size` is in bytes."""

    name: str
    path: Path
    size: int
    source: Path | None = None
    """The file that it was read from, if it was just added."""


def added_models() -> list[Installed]:
    """Return the models in the user's folder, by name."""
    try:
        paths = [data_folder() / f"{name}{SUFFIX}" for name in KNOWN.values()]
        return [Installed(p.stem, p, p.stat().st_size) for p in paths if p.exists()]
    except (OSError, RuntimeError):  # no home folder, or no permission
        return []


def lacks_numba() -> bool:
    """Return whether numba, which makes parsing by such a model fast, is missing."""
    return find_spec("numba") is None


def is_name(name: str) -> bool:
    """Return whether a model of this name would be in the user's folder."""
    return name in KNOWN.values()


def remove(name: str) -> Path:
    """Delete a model from the user's folder; return its path.

    Raises:
        InputError: There is no such model.
    """
    path = find(name)
    try:
        path.unlink()
    except OSError as error:
        raise InputError(f"{path}: cannot be removed ({error.strerror})") from None
    return path


def find(name: str) -> Path:
    """Return the file of a model.

    Raises:
        ResourceError: The model is not installed.
    """
    for model in added_models():
        if model.name == name:
            return model.path
    raise ResourceError(
        f"the model {name!r} is not installed: spicepy model add PATH reads it from "
        "stanford-corenlp-3.6.0-models.jar, which Java SPICE and pycocoevalcap use"
    )


def load_grammar(name: str) -> Pcfg:
    """Return the grammar of a model.

    Raises:
        ResourceError: The model is not installed, or its file is damaged.
    """
    path = find(name)
    try:
        data = path.read_bytes()
    except OSError as error:
        raise ResourceError(f"{path}: cannot be read ({error.strerror})") from None
    grammar = from_bytes(data, str(path))
    if KNOWN.get(grammar.digest) != name:
        raise ResourceError(
            f"{path}: is not the grammar {name}; add it again: spicepy model add"
        )
    return grammar
