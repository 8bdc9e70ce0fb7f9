"""Loading of models by their names.

A name is that of a bundled model (a folder in `models/`), of a grammar that the user
has added (`exact.installed`) or of an installed spaCy model; the path of a bundled or a
spaCy model does as well.
"""

import hashlib
import json
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Final

from spicepy.common.collector import no_collector
from spicepy.common.errors import ResourceError, reason_of
from spicepy.common.threads import LOCK
from spicepy.parsing.bundled.analyser import Analyser
from spicepy.parsing.exact.installed import added_models, is_name, load_grammar
from spicepy.parsing.labels.mapping import scheme_of, to_universal
from spicepy.parsing.lemmatised import parse_words, with_lemmas
from spicepy.parsing.trees import Annotations, Parse

if TYPE_CHECKING:
    from spicepy.parsing.exact.parser import ExactParser

DEFAULT: Final = "caption_parser-3.5"
"""The bundled parser that is used unless another model is named."""

VARIABLE: Final = "SPICEPY_MODEL"
"""The environment variable that names a parser for code that cannot be changed."""

MODELS: Final = Path(__file__).parent / "models"

Sentences = Sequence[list[str]]


@dataclass(frozen=True, slots=True)
class ModelInfo:
    """The identity of a model; `scheme` is "ud" or "clear" (see `labels`)."""

    name: str
    version: str
    scheme: str


@dataclass(frozen=True, slots=True)
class Model:
    """A model that is ready: `parse` makes Universal Dependencies v1 trees of words."""

    info: ModelInfo
    parse: Callable[[Sentences], list[Parse]]


def named_by_environment() -> str | None:
    """Return the parser that `SPICEPY_MODEL` names, None if it names none."""
    return os.environ.get(VARIABLE) or None


def load(name: str) -> Model:
    """Return a model; of several threads, the first loads it.

    Raises:
        ResourceError: There is no such model, its files are damaged, or its labels are
            unknown.
    """
    with LOCK:
        return _load(name)


@lru_cache(maxsize=4)
def info(name: str) -> ModelInfo:
    """Name, version and label scheme of a model; a bundled one need not be loaded.

    Raises:
        ResourceError: See `load`.
    """
    path = _bundled(name)
    if path is None:
        return _info_of_added(name) if is_name(name) else load(name).info
    try:
        meta = json.loads((path / "meta.json").read_text(encoding="utf-8"))
        return ModelInfo(meta["name"], meta["version"], "ud")
    except (OSError, ValueError, LookupError) as error:
        raise _unreadable(path, error) from error


@lru_cache(maxsize=4)
def fingerprint(name: str) -> str:
    """Return the SHA-256 of a model's files, and of spaCy's version if it matters.

    Raises:
        ResourceError: See `load`.
    """
    path, library = _bundled(name), ""
    if path is None and is_name(name):
        from spicepy.parsing.exact.parser import data_digest

        return hashlib.sha256(
            (load_grammar(name).digest + data_digest()).encode()
        ).hexdigest()
    if path is None:
        load(name)  # complain here
        from spicepy.parsing.spacy_models import place_of

        path, library = place_of(name)
    digest = hashlib.sha256(library.encode())
    try:
        for file in sorted(path.rglob("*")):
            if file.is_file() and file.suffix != ".pyc":
                digest.update(f"\n{file.relative_to(path).as_posix()}\n".encode())
                digest.update(hashlib.sha256(file.read_bytes()).digest())
    except OSError as error:
        raise _unreadable(path, error) from error
    return digest.hexdigest()


@lru_cache(maxsize=4)
def _load(name: str) -> Model:
    path = _bundled(name)
    if path is not None:
        return _load_bundled(path, name)
    return _load_added(name) if is_name(name) else _load_stock(name)


def _bundled(name: str) -> Path | None:
    for path in (MODELS / name, Path(name)):
        if (path / "caption_parser").is_dir():
            return path
    return None


def _unreadable(path: Path, error: Exception) -> ResourceError:
    return ResourceError(f"the model at {path} cannot be read: {reason_of(error)}")


def _load_bundled(path: Path, name: str) -> Model:
    about = info(name)
    try:
        analyser = Analyser.from_disk(path / "caption_parser")
    except (OSError, ValueError, LookupError) as error:
        raise _unreadable(path, error) from error
    return Model(about, partial(_parse_bundled, analyser))


def _info_of_added(name: str) -> ModelInfo:
    return ModelInfo(name, fingerprint(name)[:8], "ud")


def _load_added(name: str) -> Model:
    from spicepy.parsing.exact.parser import ExactParser

    parser = ExactParser(load_grammar(name))
    return Model(_info_of_added(name), partial(_parse_exactly, parser))


def _load_stock(name: str) -> Model:
    try:
        from spicepy.parsing.spacy_models import StockModel
    except ImportError as error:
        raise ResourceError(
            f"the model {name!r} needs spaCy, which cannot be imported ({error}): "
            "pip install spacy, or leave out the model and use the bundled parser"
        ) from error
    try:
        model = StockModel(name)
    except (OSError, ValueError, ImportError) as error:
        raise ResourceError(
            f"there is no usable spaCy model {name!r}; available: "
            f"{', '.join(available_models())} (another one: "
            f"python -m spacy download NAME) [{error}]"
        ) from error
    about = ModelInfo(model.name, model.version, scheme_of(model.labels))
    return Model(about, partial(_parse_stock, model.analyse, about.scheme))


def loaded_name(name: str) -> str:
    """Return the name by which a model is loaded; signatures add its version.

    Example:
        >>> loaded_name("caption_parser-3.5.0")
        'caption_parser-3.5'
    """
    if _bundled(name) is not None or is_name(name):
        return name
    for path in MODELS.glob("*/meta.json"):
        about = info(path.parent.name)
        if name == f"{about.name}-{about.version}":
            return path.parent.name
    for model in added_models():
        if name == f"{model.name}-{_info_of_added(model.name).version}":
            return model.name
    base, _, version = name.rpartition("-")
    is_package = base.isidentifier() and find_spec(base) is not None  # as of spaCy's
    return base if is_package and info(base).version == version else name


def available_models() -> list[str]:
    """Return the names of the bundled models, those added, and spaCy's."""
    bundled = sorted(path.parent.name for path in MODELS.glob("*/meta.json"))
    bundled += [model.name for model in added_models()]
    if find_spec("spacy") is None:
        return bundled
    from spicepy.parsing.spacy_models import installed_models

    return bundled + installed_models()


def _parse_bundled(analyser: Analyser, sentences: Sentences) -> list[Parse]:
    with no_collector():
        return parse_words(analyser, sentences)


def _parse_exactly(parser: "ExactParser", sentences: Sentences) -> list[Parse]:
    with no_collector():
        return parser.parse(sentences)


def _parse_stock(
    analyse: Callable[[Sentences], list[Annotations]], scheme: str, sentences: Sentences
) -> list[Parse]:
    annotations = analyse(sentences)
    return [
        to_universal(with_lemmas(words, analysis), scheme)
        for words, analysis in zip(sentences, annotations, strict=True)
    ]
