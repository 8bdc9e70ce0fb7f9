"""Document frequencies as arrays (`.npz`), and from pickles of other programs.

A pickle of self-critical training is `{"document_frequency": {("two", "dogs"): 7, …},
"ref_len": images}`. No code in it is run: pickles with anything but plain values and
`defaultdict`s are refused.
"""

import pickle
import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from spicepy.captions.sample import clean
from spicepy.common.errors import InputError, brief
from spicepy.common.files import load_json, read_arrays, read_text, readable
from spicepy.common.writing import written
from spicepy.metrics.ngrams.grams import HALF, ORDERS, GramVocabulary, Ints

FORMAT: Final = "spicepy document frequencies 1"
KEYS: Final = {False: "frequencies", True: "stemmed-frequencies"}
"""Whether words are stemmed -> the key of these frequencies."""

MAX_IMAGES: Final = 2**53  # The most images: a float counts them exactly

_MAX_WORDS: Final = 4  # words of an n-gram


def read_content(path: Path) -> dict[str, Any]:
    """Return the checked content of a file."""
    content = load_json(read_text(path), str(path))
    if not isinstance(content, dict) or content.get("format") != FORMAT:
        raise InputError(f'{path}: not document frequencies: no "format": "{FORMAT}"')
    images = checked_images(path, "images", content.get("images"))
    name = content.get("name", "")
    if not isinstance(name, str):
        raise InputError(f'{path}: "name" is {brief(name)}; must be a text')
    content["name"] = clean(name)
    present = [key for key in KEYS.values() if key in content]
    if not present:
        raise InputError(f'{path}: neither "{KEYS[False]}" nor "{KEYS[True]}"')
    for key in present:
        if not isinstance(content[key], dict):
            raise InputError(f'{path}: "{key}" must map n-grams to image counts')
        for gram, count in content[key].items():
            check_count(path, gram, count, images)
            check_words(path, gram, gram.split(" "))
    return content


def checked_images(path: Path | str, key: str, images: object) -> int:
    """Return a number of images if it is a whole number from 1 to `MAX_IMAGES`."""
    if type(images) is not int or not 1 <= images <= MAX_IMAGES:
        raise InputError(
            f'{path}: "{key}" is {brief(images)}; must be 1 to {MAX_IMAGES:,}'
        )
    return images


def check_count(path: Path | str, gram: object, count: object, images: int) -> None:
    """Refuse a frequency that is not a whole number from 1 to `images`."""
    if type(count) is not int or not 1 <= count <= images:
        raise InputError(
            f"{path}: frequency of {brief(gram)} is {brief(count)}; "
            f"must be 1 to {images}"
        )


def check_words(path: Path | str, gram: object, words: Sequence[object]) -> None:
    """Refuse an n-gram of a file with more than 4 words or none, or other values."""
    if len(words) > _MAX_WORDS:
        raise InputError(f"{path}: {brief(gram)} has more than {_MAX_WORDS} words")
    if not words or not all(isinstance(w, str) and w.split() == [w] for w in words):
        raise InputError(
            f"{path}: {brief(gram)} is not an n-gram; it must be 1 to {_MAX_WORDS} "
            "words without white space in them"
        )


_FORMAT: Final = "spicepy document frequencies, arrays 1"
_ARRAYS: Final = (
    *("format", "label", "name", "images", "words", "pairs"),
    *(f"{kind}{n}" for kind in ("codes", "counts") for n in ORDERS),
)
_PLAIN: Final = {
    ("collections", "defaultdict"): defaultdict,
    **{
        (module, kind.__name__): kind
        for module in ("builtins", "__builtin__")
        for kind in (bool, dict, float, int, list, str, tuple)
    },
    ("__builtin__", "unicode"): str,
    ("__builtin__", "long"): int,
}
"""Names that a pickle may contain; Python 2 had another name for builtins."""

Bytes = NDArray[np.uint8]


class Stored(NamedTuple):
    """Frequencies of words as a file holds them; see `DocumentFrequencies`."""

    images: int
    name: str
    vocabulary: GramVocabulary
    codes: tuple[Ints, ...]
    counts: tuple[Ints, ...]
    label: str


def save_arrays(path: Path | str, frequencies: Any, **more: bytes) -> None:
    """Write `DocumentFrequencies` of words as `.npz`, with further named bytes."""
    if frequencies.stemming:
        raise InputError(f"{path}: .npz holds frequencies of words, not of stems")
    words = frequencies.vocabulary.words
    arrays: dict[str, Any] = {
        "format": _bytes(_FORMAT.encode()),
        "label": _bytes(frequencies.label.encode()),
        "name": _bytes(frequencies.name.encode()),
        "images": np.int64(frequencies.images),
        "words": _bytes("\n".join(words).encode()),
        "pairs": np.array(frequencies.vocabulary.pairs, np.int64),
        **{key: _bytes(value) for key, value in more.items()},
    }
    for n, codes, counts in zip(ORDERS, frequencies.codes, frequencies.counts):
        arrays |= {f"codes{n}": codes, f"counts{n}": counts.astype(np.int64)}
    with written(path) as file:
        np.savez(file, **arrays)


def load_arrays(path: Path | str, *more: str) -> tuple[Stored, dict[str, bytes]]:
    """Read what `save_arrays` wrote: the frequencies and the bytes named `more`."""
    arrays = read_arrays(path, (*_ARRAYS, *more))
    with readable(path, "frequencies"):
        if _text(arrays["format"]) != _FORMAT:
            raise InputError(
                f"{path}: not the arrays that spicepy saves; they say "
                f"{brief(_text(arrays['format']))}"
            )
        frequencies = _restored(path, arrays)
    return frequencies, {key: arrays[key].tobytes() for key in more}


def read_pickle(path: Path | str) -> tuple[dict[tuple[str, ...], int], int]:
    """Read a pickle of self-critical training: n-gram -> images, and all images."""
    with readable(path, "pickle"), open(path, "rb") as file:
        try:
            content = _Plain(file, encoding="utf-8", errors="replace").load()
        except InputError as error:
            raise InputError(f"{path}: {error}") from None
    return _checked_pickle(path, content)


class _Plain(pickle.Unpickler):
    """An unpickler of plain values."""

    def find_class(self, module: str, name: str) -> Any:
        if (module, name) not in _PLAIN:
            raise InputError(
                f"the pickle names {brief(f'{module}.{name}')}; only plain values and "
                "defaultdict are read, nothing in a pickle is run"
            )
        return _PLAIN[module, name]


def _checked_pickle(
    path: Path | str, content: object
) -> tuple[dict[tuple[str, ...], int], int]:
    wanted = '{"document_frequency": {…}, "ref_len": images}'
    if not isinstance(content, Mapping) or not content.keys() >= {
        "document_frequency",
        "ref_len",
    }:
        raise InputError(f"{path}: holds {brief(content)}; it must be {wanted}")
    counts, images = content["document_frequency"], content["ref_len"]
    if not isinstance(counts, Mapping):
        raise InputError(f'{path}: "document_frequency" is {brief(counts)}; no mapping')
    images = checked_images(path, "ref_len", _whole(images))
    grams = {gram: _whole(count) for gram, count in counts.items()}
    for gram, count in grams.items():
        if not isinstance(gram, tuple):
            raise InputError(f"{path}: n-gram {brief(gram)} is not a tuple of words")
        check_words(path, gram, gram)
        check_count(path, gram, count, images)
    return grams, images


def _whole(value: Any) -> Any:
    """Return a float without a fraction as an integer, any other value as it is."""
    return int(value) if type(value) is float and value.is_integer() else value


def _restored(path: Path | str, arrays: Mapping[str, NDArray[Any]]) -> Stored:
    """Return frequencies from arrays that `save_arrays` could have written."""
    number = arrays["images"]
    if number.shape or number.dtype != np.int64:
        raise InputError(f'{path}: "images" is {brief(number)}; must be a whole number')
    images = checked_images(path, "images", int(number))
    name, label = _text(arrays["name"]), _text(arrays["label"])
    stem = re.escape(f"{name or 'unnamed'}({images} images, ")
    if clean(name) != name or not re.fullmatch(rf"{stem}[0-9a-f]{{8}}\)", label):
        raise InputError(
            f"{path}: the label {brief(label)} is not that of {images} images named "
            f"{brief(name)}"
        )
    text = _text(arrays["words"])
    words = text.split("\n") if text else []
    vocabulary = GramVocabulary.restored(words, _integers(arrays["pairs"]))
    codes = tuple(_integers(arrays[f"codes{n}"]) for n in ORDERS)
    counts = tuple(_integers(arrays[f"counts{n}"]) for n in ORDERS)
    stored = Stored(images, name, vocabulary, codes, counts, label)
    _check_vocabulary(path, vocabulary)
    for n in ORDERS:
        _check_order(path, stored, n)
    return stored


def _check_vocabulary(path: Path | str, vocabulary: GramVocabulary) -> None:
    """Refuse words and pairs that occur twice or are not words and pairs."""
    for word in vocabulary.words:
        if word.split() != [word]:
            check_words(path, word, [word])
    pairs = np.array(vocabulary.pairs, np.int64)
    _check_halves(path, "pairs", pairs, len(vocabulary.words))
    if vocabulary.repeats:
        raise InputError(f"{path}: a word or a pair of words is there twice")


def _check_order(path: Path | str, stored: Stored, n: int) -> None:
    """Refuse n-grams of missing words, and frequencies out of range."""
    codes, counts = stored.codes[n - 1], stored.counts[n - 1]
    if len(codes) != len(counts):
        raise InputError(
            f"{path}: codes{n} has {len(codes):,} n-grams, counts{n} {len(counts):,}"
        )
    if (codes[1:] <= codes[:-1]).any():
        raise InputError(f"{path}: codes{n} is not sorted, or has an n-gram twice")
    words, pairs = len(stored.vocabulary.words), len(stored.vocabulary.pairs)
    _check_halves(
        path,
        f"codes{n}",
        codes,
        high={1: 1, 2: words}.get(n, pairs),
        low=pairs if n == 4 else words,
    )
    bad = np.flatnonzero((counts < 1) | (counts > stored.images))[:1]
    for gram, count in zip(stored.vocabulary.spell(codes[bad], n), counts[bad]):
        check_count(path, gram, int(count), stored.images)


def _check_halves(
    path: Path | str, key: str, codes: Ints, low: int, high: int | None = None
) -> None:
    """Refuse numbers of n-grams whose halves are not numbers of words or pairs."""
    first, second = codes >> HALF, codes & (1 << HALF) - 1
    most = low if high is None else high
    bad = np.flatnonzero((first < 0) | (first >= most) | (second >= low))
    if len(bad):
        raise InputError(
            f"{path}: {key} has {codes[bad[0]]}, an n-gram of words that are not in "
            "the file"
        )


def _integers(array: NDArray[Any]) -> Ints:
    if array.dtype.kind != "i" or array.dtype.itemsize != 8 or array.ndim != 1:
        raise ValueError(f"a row of integers is needed, not {array.dtype}")
    return array.astype(np.int64, copy=False)


def _bytes(data: bytes) -> Bytes:
    return np.frombuffer(data, np.uint8)


def _text(array: NDArray[Any]) -> str:
    return array.tobytes().decode("utf-8")
