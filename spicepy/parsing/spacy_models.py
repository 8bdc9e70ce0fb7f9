"""All that touches spaCy: stock models, and the bundled parser as a component.

Only this module imports spaCy, and only when it is needed: the network of the bundled
parser runs without it.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from shutil import copytree
from threading import Lock
from typing import Any, Final

import numpy as np
from spacy.about import __version__ as spacy_version
from spacy.attrs import DEP, HEAD, TAG
from spacy.language import Language
from spacy.tokens import Doc
from spacy.util import get_installed_models, get_package_path, is_package, load_model

from spicepy.parsing.bundled.analyser import Analyser
from spicepy.parsing.trees import Annotations, Parse

UNUSED: Final = ("tokenizer", "ner", "lemmatizer", "attribute_ruler", "senter")
"""Parts of stock spaCy models that are not loaded."""

STEP: Final = 256  # The number of captions that go through the network together

_ONE_THREAD: Final = Lock()
"""Held while a stock model works: spaCy promises nothing of threads that share one."""


class StockModel:
    """A stock spaCy model with a tagger and a parser."""

    def __init__(self, name: str) -> None:
        self._pipeline = load_model(name, exclude=list(UNUSED))
        meta = self._pipeline.meta
        prefix = f"{self._pipeline.lang}_"
        self.name = prefix + meta["name"].removeprefix(prefix)
        self.version: str = meta["version"]
        components: dict[str, Any] = dict(self._pipeline.pipeline)
        self.labels = components["parser"].labels if "parser" in components else ()

    def analyse(self, sentences: Sequence[Sequence[str]]) -> list[Annotations]:
        """Return tags, heads and labels of each sentence; empty ones have none."""
        with _ONE_THREAD:
            return self._analyse(sentences)

    def _analyse(self, sentences: Sequence[Sequence[str]]) -> list[Annotations]:
        held = [_encodable(words) for words in sentences if words]
        docs = [_one_sentence(self._pipeline.vocab, words) for words in held]
        components: list[tuple[str, Any]] = self._pipeline.pipeline
        for start in range(0, len(docs), STEP):
            part = docs[start : start + STEP]
            for _, component in components:
                part = list(component.pipe(part, batch_size=STEP))
        annotations = map(self._analysis, docs)
        return [next(annotations) if words else Annotations() for words in sentences]

    def _analysis(self, doc: Doc) -> Annotations:
        name = self._pipeline.vocab.strings.__getitem__
        tags, offsets, labels = doc.to_array([TAG, HEAD, DEP]).T.tolist()
        return Annotations(
            tuple(map(name, tags)), *one_root(offsets, map(name, labels))
        )


class CaptionParser:
    """The bundled parser as a component of a spaCy pipeline, after a tokeniser."""

    # Sets tags, heads, labels ("ROOT" for the root, as spaCy has it) and lemmas.
    # Without an analyser, it must be read from disk before use.

    def __init__(self, analyser: Analyser | None = None) -> None:
        self.analyser = analyser
        self._folder: Path | None = None

    def __call__(self, doc: Doc) -> Doc:
        """Parse one doc."""
        return next(self.pipe([doc]))

    def pipe(self, stream: Iterable[Doc], *, batch_size: int = STEP) -> Iterator[Doc]:
        """Parse docs in batches."""
        if self.analyser is None:
            raise ValueError("the component 'caption_parser' was not loaded from disk")
        docs = iter(stream)
        while batch := list(islice(docs, batch_size)):
            words = [[token.text for token in doc] for doc in batch]
            for doc, tree in zip(batch, self.analyser.parse(words), strict=True):
                annotate(doc, tree)
            yield from batch

    def from_disk(
        self, path: str | Path, *, exclude: Iterable[str] = ()
    ) -> "CaptionParser":
        """Read network and grammar from a folder."""
        self._folder = Path(path)
        self.analyser = Analyser.from_disk(self._folder)
        return self

    def to_disk(self, path: str | Path, *, exclude: Iterable[str] = ()) -> None:
        """Copy the folder that the component was read from (training writes others)."""
        if self._folder and Path(path).resolve() != self._folder.resolve():
            copytree(self._folder, path, dirs_exist_ok=True)


@Language.factory(
    "caption_parser", assigns=["token.tag", "token.head", "token.dep", "token.lemma"]
)
def caption_parser(nlp: Language, name: str) -> CaptionParser:
    """Make the component, still without numbers (spaCy's `from_disk` reads them)."""
    return CaptionParser()


def annotate(doc: Doc, tree: Parse) -> None:
    """Write tags, heads, labels and lemmas into a doc."""
    for token, tag, lemma in zip(doc, tree.tags, tree.lemmas, strict=True):
        token.tag_ = tag
        token.lemma_ = lemma
    heads, labels = tree.heads, tree.labels
    add = doc.vocab.strings.add
    offsets = [head - place if head else 0 for place, head in enumerate(heads, 1)]
    numbers = [add(label if head else "ROOT") for head, label in zip(heads, labels)]
    doc.from_array([HEAD, DEP], _columns(offsets, numbers))


def _columns(offsets: list[int], labels: list[int]) -> Any:
    signed = np.array(offsets, np.int64).astype(np.uint64)
    return np.stack([signed, np.array(labels, np.uint64)], axis=1)


def installed_models() -> list[str]:
    """Return the names of the spaCy models that are installed."""
    return sorted(get_installed_models())


def place_of(name: str) -> tuple[Path, str]:
    """Return the folder of an installed model, or of a path, and spaCy's version."""
    return get_package_path(name) if is_package(name) else Path(name), spacy_version


def one_root(
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


def _one_sentence(vocab: Any, words: Sequence[str]) -> Doc:
    starts: Any = [True, *[False] * (len(words) - 1)]
    return Doc(vocab, words=list(words), sent_starts=starts)


def _encodable(words: Sequence[str]) -> Sequence[str]:
    """Put "?" for lone surrogates, which spaCy's strings (UTF-8) cannot hold."""
    try:
        "".join(words).encode()
    except UnicodeEncodeError:
        return [word.encode("utf-8", "replace").decode() for word in words]
    return words
