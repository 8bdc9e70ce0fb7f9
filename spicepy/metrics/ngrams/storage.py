"""Document frequencies as arrays (`.npz`) and from others' pickles.

In: a `.npz` written here, or a pickle of self-critical training,
`{"document_frequency": {("two", "dogs"): 7, …}, "ref_len": images}`. Out:
`DocumentFrequencies` of words (no stems). No code in a pickle is run: it may hold
plain values and `defaultdict`s, nothing else.
"""

import pickle
import zipfile
from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from spicepy.common.errors import InputError, shown
from spicepy.common.writing import written
from spicepy.metrics.ngrams.frequencies import (
    ORDERS,
    DocumentFrequencies,
    from_grams,
)
from spicepy.metrics.ngrams.frequencyfile import MOST
from spicepy.metrics.ngrams.vocabulary import Ints, Vocabulary

_FORMAT: Final = "spicepy document frequencies, arrays 1"
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
"""What a pickle may name; Python 2 called the builtins otherwise."""

Bytes = NDArray[np.uint8]


def save_arrays(
    path: Path | str, frequencies: DocumentFrequencies, **more: bytes
) -> None:
    """Write frequencies of words as `.npz`, with further named bytes.

    Raises:
        InputError: The frequencies are of stems, or the file cannot be written.
    """
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


def load_arrays(
    path: Path | str, *more: str
) -> tuple[DocumentFrequencies, dict[str, bytes]]:
    """Read what `save_arrays` wrote: the frequencies and the bytes named `more`.

    Raises:
        InputError: The file is missing, another one, or lacks something.
    """
    try:
        with np.load(path, allow_pickle=False) as file:
            if _text(file["format"]) != _FORMAT:
                raise KeyError("format")
            found = _restored(file)
            return found, {key: file[key].tobytes() for key in more}
    except OSError as error:
        raise InputError(
            f"{path}: cannot be read ({error.strerror or error})"
        ) from None
    except (KeyError, ValueError, TypeError, EOFError, zipfile.BadZipFile) as error:
        raise InputError(
            f"{path}: not the arrays that spicepy saves ({shown(str(error))})"
        ) from None


def read_frequencies(
    path: Path | str, *, stemming: bool = False
) -> DocumentFrequencies:
    """Read frequencies from `.npz`, or from a pickle of self-critical training.

    Raises:
        InputError: The file is missing or something else; stems are asked for.
    """
    if stemming:
        raise InputError(
            f"{path}: holds frequencies of words; CIDEr needs those of stems"
        )
    if Path(path).suffix == ".npz":
        return load_arrays(path)[0]
    try:
        with open(path, "rb") as file:
            content = _Plain(file, encoding="utf-8", errors="replace").load()
    except OSError as error:
        raise InputError(
            f"{path}: cannot be read ({error.strerror or error})"
        ) from None
    except InputError as error:
        raise InputError(f"{path}: {error}") from None
    except Exception as error:  # a damaged pickle can raise anything
        raise InputError(f"{path}: not a pickle ({shown(str(error))})") from None
    return _from_pickle(path, content)


class _Plain(pickle.Unpickler):
    """An unpickler of plain values."""

    def find_class(self, module: str, name: str) -> Any:
        if (module, name) not in _PLAIN:
            raise InputError(
                f"the pickle names {shown(f'{module}.{name}')}; only plain values and "
                "defaultdict are read, nothing in a pickle is run"
            )
        return _PLAIN[module, name]


def _from_pickle(path: Path | str, content: object) -> DocumentFrequencies:
    wanted = '{"document_frequency": {…}, "ref_len": images}'
    if not isinstance(content, Mapping) or not content.keys() >= {
        "document_frequency",
        "ref_len",
    }:
        raise InputError(f"{path}: holds {shown(content)}; it must be {wanted}")
    counts, images = content["document_frequency"], content["ref_len"]
    if not isinstance(counts, Mapping):
        raise InputError(f'{path}: "document_frequency" is {shown(counts)}; no mapping')
    if not _whole(images, MOST):
        raise InputError(f'{path}: "ref_len" is {shown(images)}; must be 1 or more')
    for gram, count in counts.items():
        if not _is_gram(gram):
            raise InputError(
                f"{path}: the n-gram {shown(gram)}; must be a tuple of 1 to 4 words"
            )
        if not _whole(count, MOST):
            raise InputError(
                f"{path}: frequency of {shown(gram)} is {shown(count)}; must be a "
                "whole number, 1 or more"
            )
    name = Path(path).name.split(".")[0]
    grams = {gram: int(count) for gram, count in counts.items()}
    return from_grams(grams, images=int(images), name=name)


def _whole(value: object, most: int) -> bool:
    number = isinstance(value, int | float) and not isinstance(value, bool)
    return number and 1 <= value <= most and value == int(value)  # type: ignore[operator, call-overload]


def _is_gram(gram: object) -> bool:
    return (
        isinstance(gram, tuple)
        and 1 <= len(gram) <= len(ORDERS)
        and all(isinstance(word, str) and word.split() == [word] for word in gram)
    )


def _restored(file: Any) -> DocumentFrequencies:
    """Frequencies from arrays, their shapes and ranges checked."""
    text = _text(file["words"])
    words = text.split("\n") if text else []
    pairs = _integers(file["pairs"])
    codes = tuple(_integers(file[f"codes{n}"]) for n in ORDERS)
    counts = tuple(_integers(file[f"counts{n}"]) for n in ORDERS)
    images = int(file["images"])
    for known, of in zip(codes, counts):
        if len(known) != len(of) or (len(of) and int(of.min()) < 1):
            raise ValueError("counts do not fit the n-grams")
        if (known[1:] <= known[:-1]).any():
            raise ValueError("n-grams are not sorted")
    vocabulary = Vocabulary.restored(words, pairs)
    name = _text(file["name"])
    found = DocumentFrequencies(images, False, name, vocabulary, codes, counts)
    # Spelling out millions of n-grams for the digest takes seconds.
    found.__dict__["label"] = _text(file["label"])
    return found


def _integers(array: NDArray[Any]) -> Ints:
    if array.dtype != np.int64 or array.ndim != 1:
        raise ValueError(f"expected a row of integers, found {array.dtype}")
    return array


def _bytes(data: bytes) -> Bytes:
    return np.frombuffer(data, np.uint8)


def _text(array: NDArray[Any]) -> str:
    return array.tobytes().decode("utf-8")
