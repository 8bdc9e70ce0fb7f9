"""Tokenised captions in, one basic dependency tree (`Parse`) each out.

The parser is a small spaCy pipeline that imitates SPICE's original parser; it
is part of the package (`spicepy/models`) and is loaded at first use. Stock
spaCy models work too; their labels are mapped to Universal Dependencies v1.

A caption is one sentence and gets one tree. The bundled parser never saw upper
case or punctuation, so it gets words in lower case and without punctuation
marks; these hang on the root afterwards. This is the only module that imports
spaCy.
"""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import lru_cache, partial
from multiprocessing import get_context
from pathlib import Path
from typing import Any, Final

from spicepy._exact_sums import use_exact_sums
from spicepy._word_vectors import WordVectors
from spicepy.dependencies import Parse
from spicepy.errors import InputError, ResourceError
from spicepy.labelmap import scheme_of, to_universal
from spicepy.lemmatization import lemmatize
from spicepy.progress import advance

DEFAULT: Final = "caption_parser-1.0"
"""The bundled parser that is used unless another model is named."""

MODELS: Final = Path(__file__).parent / "models"

WORTH_A_PROCESS: Final = 4000
"""Captions that take about as long as starting one more process."""

PUNCTUATION: Final = {
    **dict.fromkeys(".?!", "."),
    **dict.fromkeys((":", ";", "-", "--", "..."), ":"),
    **dict.fromkeys(("''", "'", '"'), "''"),
    **dict.fromkeys(("``", "`"), "``"),
    **dict.fromkeys(("-LRB-", "-LCB-", "(", "-lrb-", "-lcb-"), "-LRB-"),
    **dict.fromkeys(("-RRB-", "-RCB-", ")", "-rrb-", "-rcb-"), "-RRB-"),
    ",": ",",
}
"""Punctuation mark -> Penn tag."""

STEP: Final = 256
"""Captions that go through the networks together."""

UNUSED: Final = ("tokenizer", "ner", "lemmatizer", "attribute_ruler", "senter")
"""Parts of stock spaCy models that are not loaded."""

Arcs = tuple[tuple[str, ...], tuple[int, ...], tuple[str, ...]]
"""Tags, heads (from 1, 0 for the root) and labels of one caption."""


@dataclass(frozen=True, slots=True)
class ModelInfo:
    """Which model it is; `scheme` is "ud" or "clear" (see `labelmap`)."""

    name: str
    version: str
    scheme: str


@dataclass(frozen=True, slots=True)
class _Model:
    pipeline: Any
    info: ModelInfo
    vectors: WordVectors | None
    """The encoder of the bundled parser; None for stock models."""


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
        n_process: Processes at most; more than one are used only for several
            thousand captions, where they pay off.
        batch_size: Captions a batch.

    Returns:
        One `Parse` a caption, in order, with Universal Dependencies v1 labels
        and exactly one root.

    Raises:
        InputError: `captions` is a single string, or a number is below 1.
        ResourceError: There is no such model, or its labels are unknown.
    """
    if isinstance(captions, str):
        raise InputError(f"parse takes a list of captions, not the str {captions!r}")
    for name, value in (("n_process", n_process), ("batch_size", batch_size)):
        if value < 1:
            raise InputError(f"{name} is {value}; it must be at least 1")
    name = model or DEFAULT
    # Captions of like length keep the parser's steps in a batch together.
    distinct = sorted(dict.fromkeys(captions), key=lambda text: (len(text), text))
    batches = [
        distinct[start : start + batch_size]
        for start in range(0, len(distinct), batch_size)
    ]
    processes = min(n_process, len(distinct) // WORTH_A_PROCESS)
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
    from spacy.util import get_installed_models

    bundled = sorted(path.parent.name for path in MODELS.glob("*/meta.json"))
    return bundled + sorted(get_installed_models())


def _run(batches: list[list[str]], name: str, processes: int) -> Iterator[list[Parse]]:
    work = partial(_parse_batch, name=name)
    if processes < 2:
        yield from map(work, batches)
        return
    _load(name)  # complain here, not in a child
    with ProcessPoolExecutor(processes, mp_context=get_context("spawn")) as pool:
        yield from pool.map(work, batches)


def _parse_batch(captions: list[str], name: str) -> list[Parse]:
    model = _load(name)
    sentences = [[word for word in text.split(" ") if word] for text in captions]
    if model.vectors is None:
        trees = _predict(model, sentences)
        return [
            to_universal(_parse(words, tree), model.info.scheme)
            for words, tree in zip(sentences, trees, strict=True)
        ]
    plain = [
        [word.lower() for word in words if word not in PUNCTUATION]
        for words in sentences
    ]
    trees = _predict(model, plain)
    return [
        _parse(words, tree if len(words) == len(tree[0]) else _weave(words, tree))
        for words, tree in zip(sentences, trees, strict=True)
    ]


def _parse(words: list[str], tree: Arcs) -> Parse:
    tags, heads, labels = tree
    lemmas = tuple(map(lemmatize, words, tags))
    return Parse(tuple(words), tags, lemmas, heads, labels)


def _predict(model: _Model, sentences: list[list[str]]) -> list[Arcs]:
    """Tag and parse sentences; an empty one gives empty arcs."""
    from spacy.attrs import DEP, HEAD, TAG
    from spacy.tokens import Doc

    vocab = model.pipeline.vocab
    held = [_encodable(words) for words in sentences if words]
    docs = [
        Doc(vocab, words=words, sent_starts=[True, *[False] * (len(words) - 1)])
        for words in held
    ]
    components = dict(model.pipeline.pipeline)
    for start in range(0, len(docs), STEP):
        part = docs[start : start + STEP]
        for label, component in components.items():
            if label == "tok2vec" and model.vectors is not None:
                vectors = model.vectors.encode(held[start : start + STEP])
                component.set_annotations(part, vectors)
            else:
                part = list(component.pipe(part, batch_size=STEP))
    name = vocab.strings.__getitem__
    arcs = iter([doc.to_array([TAG, HEAD, DEP]) for doc in docs])
    found: list[Arcs] = []
    for words in sentences:
        if not words:
            found.append(((), (), ()))
            continue
        tags, offsets, labels = next(arcs).T.tolist()
        found.append((tuple(map(name, tags)), *_one_root(offsets, map(name, labels))))
    return found


def _encodable(words: list[str]) -> list[str]:
    """Put "?" for lone surrogates, which spaCy's strings (UTF-8) cannot hold."""
    try:
        "".join(words).encode()
    except UnicodeEncodeError:
        return [word.encode("utf-8", "replace").decode() for word in words]
    return words


def _one_root(
    offsets: list[int], names: Iterator[str]
) -> tuple[tuple[int, ...], tuple[str, ...]]:
    """Turn spaCy's offsets (unsigned) into heads; later roots hang on the first."""
    heads, labels, root = [], [], 0
    for place, (offset, label) in enumerate(zip(offsets, names, strict=True), 1):
        if offset:
            # 64 bits, unsigned: a head to the left is a very large number.
            heads.append(place + (offset if offset < 1 << 63 else offset - (1 << 64)))
            labels.append("dep" if label in ("", "ROOT") else label)
        else:
            heads.append(root)
            labels.append("dep" if root else "root")
            root = root or place
    return tuple(heads), tuple(labels)


def _weave(words: list[str], tree: Arcs) -> Arcs:
    """Put punctuation marks back: they hang on the root, or the first is it."""
    places = [n for n, word in enumerate(words, 1) if word not in PUNCTUATION]
    tags = [PUNCTUATION.get(word, "") for word in words]
    root = places[tree[1].index(0)] if places else 1
    heads = [root] * len(words)
    labels = ["punct"] * len(words)
    for place, tag, head, label in zip(places, *tree, strict=True):
        tags[place - 1] = tag
        heads[place - 1] = places[head - 1] if head else 0
        labels[place - 1] = label
    heads[root - 1], labels[root - 1] = 0, "root"
    return tuple(tags), tuple(heads), tuple(labels)


@lru_cache(maxsize=2)
def _load(name: str) -> _Model:
    """Load a bundled model, an installed one or one at a path."""
    from spacy.util import load_model

    path = MODELS / name
    try:
        pipeline = load_model(
            path if (path / "meta.json").is_file() else name,
            exclude=list(UNUSED),
        )
    except (OSError, ValueError, ImportError) as error:
        raise ResourceError(
            f"there is no usable spaCy model {name!r}; available: "
            f"{', '.join(available_models())} (another one: "
            f"python -m spacy download NAME) [{error}]"
        ) from error
    bundled = pipeline.meta["name"] == DEFAULT.rpartition("-")[0]
    components: dict[str, Any] = dict(pipeline.pipeline)
    scheme = scheme_of(components["parser"].labels if "parser" in components else ())
    vectors = None
    if bundled:
        use_exact_sums(component.model for component in components.values())
        vectors = WordVectors(components["tok2vec"].model, _doc_maker(pipeline.vocab))
    label, version = pipeline.meta["name"], pipeline.meta["version"]
    if not bundled and not label.startswith(prefix := f"{pipeline.lang}_"):
        label = prefix + label
    return _Model(pipeline, ModelInfo(label, version, scheme), vectors)


def _doc_maker(vocab: Any) -> Callable[[list[str]], Any]:
    from spacy.tokens import Doc

    return lambda words: Doc(vocab, words=words)
