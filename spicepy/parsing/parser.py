"""Tokenised captions in, one basic dependency tree (`Parse`) each out.

The parser is a small spaCy pipeline that imitates SPICE's original parser; it
is part of the package (`models/`) and is loaded at first use. Its networks run
without spaCy (`bundled`), which makes it several times faster. Stock spaCy models
work too; their labels are mapped to Universal Dependencies v1.

A caption is one sentence and gets one tree. Only this package imports spaCy, in
`spacy_models`.
"""

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from spicepy.common.collector import no_collector
from spicepy.common.errors import InputError, ResourceError
from spicepy.common.progress import advance
from spicepy.common.sharing import LOCK
from spicepy.parsing.bundled.ensemble import Ensemble
from spicepy.parsing.labels.mapping import scheme_of, to_universal
from spicepy.parsing.processes import processors, run
from spicepy.parsing.punctuation import with_punctuation, without_punctuation
from spicepy.parsing.trees import Analysis, Parse
from spicepy.words.lemmas import lemmatize

DEFAULT: Final = "caption_parser-2.7"
"""The bundled parser that is used unless another model is named."""

MODELS: Final = Path(__file__).parent / "models"

WORTH_A_PROCESS: Final = 4000
"""Captions that take about as long as starting one more process."""


@dataclass(frozen=True, slots=True)
class ModelInfo:
    """Which model it is; `scheme` is "ud" or "clear" (see `labelmap`)."""

    name: str
    version: str
    scheme: str


@dataclass(frozen=True, slots=True)
class _Model:
    info: ModelInfo
    bundled: bool
    analyse: Callable[[Sequence[Sequence[str]]], list[Analysis]]


def parse(
    captions: Sequence[str],
    *,
    model: str | None = None,
    n_process: int = 1,
    batch_size: int = 1024,
) -> list[Parse]:
    """Parse tokenised captions: each gives one tree.

    The tree of a caption depends on the caption and the model alone, not on
    the other captions, `n_process`, `batch_size` or the number of threads.

    Args:
        captions: Tokens of the PTB tokeniser joined by single spaces; repeated
            captions are parsed once. An empty caption gives an empty `Parse`.
        model: Name (or path) of a spaCy model; the bundled parser by default.
        n_process: Processes at most, and at most one a processor; more than one are
            used only for several thousand captions, where they pay off. A script
            that asks for them needs `if __name__ == "__main__":`.
        batch_size: Captions a batch.

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
    for name, value in (("n_process", n_process), ("batch_size", batch_size)):
        if value < 1:
            raise InputError(f"{name} is {value}; it must be at least 1")
    name = model or DEFAULT
    # The parser reads captions of one length together.
    distinct = sorted(dict.fromkeys(captions), key=lambda text: (text.count(" "), text))
    batches = [
        distinct[start : start + batch_size]
        for start in range(0, len(distinct), batch_size)
    ]
    processes = min(n_process, processors(), len(distinct) // WORTH_A_PROCESS)
    parses: dict[str, Parse] = {}
    for batch, trees in zip(batches, _run(batches, name, processes), strict=True):
        parses.update(zip(batch, trees, strict=True))
        advance("parsing", len(parses), len(distinct))
    return [parses[caption] for caption in captions]


def model_info(model: str | None = None) -> ModelInfo:
    """Return name, version and label scheme of a model.

    Raises:
        ResourceError: There is no such model, or its labels are unknown.
    """
    return _load(model or DEFAULT).info


def model_signature(model: str | None = None) -> str:
    """Return "name-version" of a model, the parser's part of a signature.

    Raises:
        ResourceError: There is no such model, or its labels are unknown.
    """
    info = model_info(model)
    return f"{info.name}-{info.version}"


def available_models() -> list[str]:
    """Return the names of the bundled models and the installed spaCy models."""
    bundled = sorted(path.parent.name for path in MODELS.glob("*/meta.json"))
    if find_spec("spacy") is None:
        return bundled
    from spicepy.parsing.spacy_models import installed_models

    return bundled + installed_models()


def _run(batches: list[list[str]], name: str, processes: int) -> Iterator[list[Parse]]:
    work = partial(_parse_batch, name=name)
    if processes < 2:
        yield from map(work, batches)
        return
    _load(name)  # complain here, not in a child
    yield from run(work, batches, processes)


def _parse_batch(captions: list[str], name: str) -> list[Parse]:
    model = _load(name)
    sentences = [[word for word in text.split(" ") if word] for text in captions]
    if model.bundled:
        with no_collector():
            arcs = model.analyse([without_punctuation(words) for words in sentences])
            return [
                _parse(words, with_punctuation(words, found))
                for words, found in zip(sentences, arcs, strict=True)
            ]
    return [
        to_universal(_parse(words, found), model.info.scheme)
        for words, found in zip(sentences, model.analyse(sentences), strict=True)
    ]


def _parse(words: list[str], found: Analysis) -> Parse:
    tags, heads, labels = found
    lemmas = tuple(map(lemmatize, words, tags))
    return Parse(tuple(words), tags, lemmas, heads, labels)


def _load(name: str) -> _Model:
    """Return a model; of several threads, the first loads it."""
    with LOCK:
        return _read_model(name)


@lru_cache(maxsize=2)
def _read_model(name: str) -> _Model:
    """Load a bundled model, an installed one or one at a path."""
    for path in (MODELS / name, Path(name)):
        if (path / "caption_parser").is_dir():
            return _load_bundled(path)
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
    info = ModelInfo(model.name, model.version, scheme_of(model.labels))
    return _Model(info, False, model.analyse)


def _load_bundled(path: Path) -> _Model:
    try:
        meta = json.loads((path / "meta.json").read_text(encoding="utf-8"))
        ensemble = Ensemble.from_disk(path / "caption_parser")
        info = ModelInfo(meta["name"], meta["version"], "ud")
    except (OSError, ValueError, LookupError) as error:
        raise ResourceError(f"the model at {path} cannot be read: {error}") from error
    return _Model(info, True, ensemble.analyse)
