"""Basic dependency trees (`Parse`) of tokenised captions.

The parser is a small model that imitates SPICE's original parser; it is part of the
package (`models/`), is loaded at first use and runs without spaCy
(`bundled`), which makes it several times faster. Stock spaCy models also work; their
labels are mapped to Universal Dependencies v1.

A caption is one sentence and gets one tree.
"""

import hashlib
import json
import os
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeVar

from spicepy.common.errors import InputError, ResourceError, SpicepyWarning, reason_of
from spicepy.common.processes import run
from spicepy.common.progress import advance
from spicepy.common.threads import LOCK, no_collector, processors
from spicepy.parsing.bundled.analyser import Analyser
from spicepy.parsing.exact import pcfg
from spicepy.parsing.labels import scheme_of, to_universal
from spicepy.parsing.trees import Annotations, Parse, with_lemmas
from spicepy.tokenization.samples import EXACT_WORDS, WORDS

if TYPE_CHECKING:
    from spicepy.parsing.exact.parser import ExactParser


# Loading of models by their names.
#
# A name is that of a bundled model (a folder in `models/`), of a grammar that the user
# has added (`exact.pcfg`) or of an installed spaCy model; the path of a bundled or
# a spaCy model does as well.

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
    """Return a model; of several threads, the first loads it."""
    with LOCK:
        return _load(name)


@lru_cache(maxsize=4)
def model_info(model: str | None = None) -> ModelInfo:
    """Name, version and label scheme of a model; a bundled one need not be loaded."""
    name = model or DEFAULT
    path = _bundled(name)
    if path is None:
        if name in pcfg.KNOWN.values():
            return ModelInfo(name, fingerprint(name)[:8], "ud")
        return load(name).info
    try:
        meta = json.loads((path / "meta.json").read_text(encoding="utf-8"))
        return ModelInfo(meta["name"], meta["version"], "ud")
    except (OSError, ValueError, LookupError) as error:
        raise _unreadable(path, error) from error


@lru_cache(maxsize=4)
def fingerprint(model: str | None = None) -> str:
    """Return the SHA-256 of a model's files, and of spaCy's version if it matters."""
    name = model or DEFAULT
    path, library = _bundled(name), ""
    if path is None and name in pcfg.KNOWN.values():
        from spicepy.parsing.exact.parser import data_digest

        return hashlib.sha256(
            (pcfg.load_grammar(name).digest + data_digest()).encode()
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
    if path is None and name not in pcfg.KNOWN.values():
        return _load_stock(name)
    about = model_info(name)
    if path is None:
        from spicepy.parsing.exact.parser import ExactParser

        return Model(about, partial(_parse, ExactParser(pcfg.load_grammar(name))))
    try:
        analyser = Analyser.from_disk(path / "caption_parser")
    except (OSError, ValueError, LookupError) as error:
        raise _unreadable(path, error) from error
    return Model(about, partial(_parse, analyser))


def _bundled(name: str) -> Path | None:
    for path in (MODELS / name, Path(name)):
        if (path / "caption_parser").is_dir():
            return path
    return None


def _unreadable(path: Path, error: Exception) -> ResourceError:
    return ResourceError(f"the model at {path} cannot be read: {reason_of(error)}")


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
            "python -m spacy download NAME)"
        ) from error
    about = ModelInfo(model.name, model.version, scheme_of(model.labels))
    return Model(about, partial(_parse_stock, model.analyse, about.scheme))


def loaded_name(name: str) -> str:
    """Return the name by which a model is loaded; signatures add its version.

    >>> loaded_name(f"{DEFAULT}.0") == DEFAULT
    True
    """
    if _bundled(name) is not None or name in pcfg.KNOWN.values():
        return name
    for path in MODELS.glob("*/meta.json"):
        about = model_info(path.parent.name)
        if name == f"{about.name}-{about.version}":
            return path.parent.name
    for model in pcfg.added_models():
        if name == f"{model.name}-{model_info(model.name).version}":
            return model.name
    base, _, version = name.rpartition("-")
    is_package = base.isidentifier() and find_spec(base) is not None  # as of spaCy's
    return base if is_package and model_info(base).version == version else name


def available_models() -> list[str]:
    """Return the names of the bundled models, those added, and spaCy's."""
    bundled = sorted(path.parent.name for path in MODELS.glob("*/meta.json"))
    bundled += [model.name for model in pcfg.added_models()]
    if find_spec("spacy") is None:
        return bundled
    from spicepy.parsing.spacy_models import installed_models

    return bundled + installed_models()


def _parse(parser: "Analyser | ExactParser", sentences: Sentences) -> list[Parse]:
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


Out = TypeVar("Out")

BATCH: Final = 1024  # The number of captions that are parsed together
PER_PROCESS: Final = 2000  # The number of captions for which one more process pays off
PER_PROCESS_EXACT: Final = 100
"""The same for a grammar that the user has added, which takes longer."""

MANY: Final = 200
"""A run of more captions by such a grammar says how numba is installed."""


def parse(
    captions: Sequence[str],
    *,
    model: str | None = None,
    jobs: int = 1,
    batch_size: int = BATCH,
) -> list[Parse]:
    """Parse tokenised captions: each gives one tree.

    The tree of a caption depends on the caption and the model alone, not on
    the other captions, `jobs`, `batch_size` or the number of threads.

    Args:
        captions: Tokens of the PTB tokeniser joined by single spaces; repeated
            captions are parsed once. An empty caption gives an empty `Parse`.
        model: Name (or path) of a spaCy model; the bundled parser by default.
        jobs: Processes at most, and at most one a processor; more than one are
            used only for several thousand captions, where they pay off. A script
            that asks for them needs `if __name__ == "__main__":`.
        batch_size: Captions per batch.

    Returns:
        One `Parse` a caption, in order, with Universal Dependencies v1 labels
        and exactly one root.

    Raises:
        InputError: `captions` is a single string, a number is below 1, or a script
            with several processes has no main guard.
        ResourceError: There is no such model, its labels are unknown, or a process
            was killed.
    """
    if isinstance(captions, str):
        raise InputError(f"parse takes a list of captions, not the str {captions!r}")
    for name, value in (("jobs", jobs), ("batch_size", batch_size)):
        if value < 1:
            raise InputError(f"{name} is {value}; it must be at least 1")
    parses: dict[str, Parse] = {}
    work = partial(read, model=model)
    per_process = captions_per_process(model)
    for batch, trees in map_batches(
        work, captions, jobs, batch_size=batch_size, per_process=per_process
    ):
        parses.update(zip(batch, trees, strict=True))
    return [parses[caption] for caption in captions]


def read(captions: Sequence[str], *, model: str | None = None) -> list[Parse]:
    """Parse tokenised captions of one batch, in this process."""
    words = [[word for word in text.split(" ") if word] for text in captions]
    return load(model or DEFAULT).parse(words)


def map_batches(
    work: Callable[[list[str]], list[Out]],
    captions: Iterable[str],
    jobs: int,
    *,
    away: Callable[[list[str]], list[Out]] | None = None,
    batch_size: int = BATCH,
    per_process: int = PER_PROCESS,
) -> Iterator[tuple[list[str], list[Out]]]:
    """Run parsing work batch by batch, in several processes where they pay off."""
    # `work` returns a result for each caption of a batch, `away` does the same in
    # another process. Yields the distinct captions of a batch, about equally long, with
    # their results. One more process pays off for `per_process` captions.
    batch_size = min(batch_size, 2 * per_process)
    # The parser reads captions of one length together.
    distinct = sorted(dict.fromkeys(captions), key=lambda text: (text.count(" "), text))
    batches = [
        distinct[start : start + batch_size]
        for start in range(0, len(distinct), batch_size)
    ]
    processes = min(jobs, processors(), len(distinct) // per_process)
    if per_process == PER_PROCESS_EXACT and len(distinct) > MANY and pcfg.lacks_numba():
        warnings.warn(pcfg.WITHOUT_NUMBA, SpicepyWarning, stacklevel=2)
    made: Iterator[list[Out]] = map(work, batches)
    if processes > 1:
        batches.reverse()  # so that the last are the quickest, and all end together
        made = run(away or work, batches, processes)
    done = 0
    for batch, results in zip(batches, made, strict=True):
        done += len(batch)
        advance("parsing", done, len(distinct))
        yield batch, results


def captions_per_process(model: str | None) -> int:
    """Return the number of captions for which one more process pays off."""
    return (
        PER_PROCESS_EXACT if (model or DEFAULT) in pcfg.KNOWN.values() else PER_PROCESS
    )


def most_words(model: str | None) -> int:
    """Return how many words a sentence may have that a model parses by default."""
    return EXACT_WORDS if model and model in pcfg.KNOWN.values() else WORDS


def model_signature(model: str | None = None) -> str:
    """Return "name-version" of a model, the parser's part of a signature."""
    about = model_info(model)
    return f"{about.name}-{about.version}"
