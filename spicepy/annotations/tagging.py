"""Part-of-speech tags as NLTK's averaged perceptron gives them.

In: the tokens of a caption. Out: their Penn tags. The weights are NLTK's data, which
the user downloads; they are not shipped. They are JSON (NLTK 3.9 and later) or a pickle
(before 3.9); pickles with anything but plain values are refused, so that no file can
run code.

The tags equal those of `nltk.pos_tag` bit by bit, some ten times as fast: the weights
of the features of a token are rows of one matrix, added in NLTK's order, since sums of
rounded weights may tie.

Source: Collins 2002, Discriminative Training Methods for Hidden Markov Models; feature
set as documented with NLTK's `PerceptronTagger`; outputs compared with it.
"""

import builtins
import hashlib
import io
import json
import pickle
from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np

from spicepy.common.errors import ResourceError
from spicepy.common.lazy_imports import required

_JSON: Final = "taggers/averaged_perceptron_tagger_eng"
_PICKLE: Final = "taggers/averaged_perceptron_tagger"
_FILES: Final = tuple(
    f"averaged_perceptron_tagger_eng.{part}.json"
    for part in ("weights", "tagdict", "classes")
)
_HOW: Final = (
    "run `python -m nltk.downloader averaged_perceptron_tagger_eng` (or set NLTK_DATA "
    "to the folder of NLTK's data), or use --variant pattern or clean"
)


class Tagger:
    """NLTK's tagger.

    Args:
        weights: Feature -> tag -> weight.
        known: Words that have one tag only.
        tags: All tags.
        origin: The name of the data, for a result's signature.
    """

    def __init__(
        self,
        weights: Mapping[str, Mapping[str, float]],
        known: Mapping[str, str],
        tags: Sequence[str],
        origin: str,
    ) -> None:
        # Among equal scores NLTK takes the last tag in alphabetical order.
        self._tags = sorted(tags, reverse=True)
        column = {tag: k for k, tag in enumerate(self._tags)}
        self._rows = {feature: k for k, feature in enumerate(weights, 1)}
        self._weights = np.zeros((len(weights) + 1, len(self._tags)))
        for row, by_tag in enumerate(weights.values(), 1):
            for tag, weight in by_tag.items():
                self._weights[row, column[tag]] = weight
        self._known = known
        self.origin = origin

    def tag(self, tokens: Sequence[str]) -> list[str]:
        """Return the tag of each token; all tokens are one text."""
        words = ["-START-", "-START2-", *map(_normalised, tokens), "-END-", "-END2-"]
        before, last = "-START2-", "-START-"
        tags = []
        for place, token in enumerate(tokens, 2):
            tag = self._known.get(token)
            if tag is None:
                tag = self._best(token, words, place, last, before)
            tags.append(tag)
            # NLTK has these two in the wrong order; its scores depend on it.
            before, last = last, tag
        return tags

    def _best(
        self, token: str, words: Sequence[str], place: int, last: str, before: str
    ) -> str:
        word, left, right = words[place], words[place - 1], words[place + 1]
        features = (
            "bias",
            f"i suffix {token[-3:]}",
            f"i pref1 {token[0] if token else ''}",
            f"i-1 tag {last}",
            f"i-2 tag {before}",
            f"i tag+i-2 tag {last} {before}",
            f"i word {word}",
            f"i-1 tag+i word {last} {word}",
            f"i-1 word {left}",
            f"i-1 suffix {left[-3:]}",
            f"i-2 word {words[place - 2]}",
            f"i+1 word {right}",
            f"i+1 suffix {right[-3:]}",
            f"i+2 word {words[place + 2]}",
        )
        rows = [self._rows.get(feature, 0) for feature in features]
        return self._tags[int(self._weights[rows].sum(axis=0).argmax())]


def _normalised(token: str) -> str:
    """Return a token as features name it; all years and all numbers share a name."""
    if "-" in token and token[0] != "-":
        return "!HYPHEN"
    if token.isdigit() and len(token) == 4:
        return "!YEAR"
    if token and token[0].isdigit():
        return "!DIGITS"
    return token.lower()


def load_tagger() -> Tagger:
    """Return the tagger whose data the user has for NLTK.

    Raises:
        ResourceError: There are none (the message says how to get them), or they are
            damaged.
    """
    nltk = required("nltk", "NLTK's tagger")
    for name, read in ((_JSON, _from_json), (_PICKLE, _from_pickle)):
        folder = _find(nltk, name)
        if folder is not None:
            try:
                return read(folder)
            except (OSError, ValueError, TypeError, pickle.UnpicklingError) as error:
                raise ResourceError(
                    f"{folder}: NLTK's tagger cannot be read ({error}); {_HOW}"
                ) from None
    raise ResourceError(f"NLTK's tagger is not installed: {_HOW}")


def _find(nltk: Any, name: str) -> Any:
    """Return a folder of NLTK's data by its name, perhaps inside its archive."""
    for path in (name, f"{name}.zip/{name.partition('/')[2]}/"):
        try:
            return nltk.data.find(path)
        except LookupError:
            continue
    return None


def _from_json(folder: Any) -> Tagger:
    texts = [_bytes(folder, file) for file in _FILES]
    weights, known, tags = map(json.loads, texts)
    return Tagger(weights, known, tags, _origin(texts))


def _from_pickle(folder: Any) -> Tagger:
    data = _bytes(folder, "averaged_perceptron_tagger.pickle")
    weights, known, tags = _PlainValues(io.BytesIO(data)).load()
    return Tagger(weights, known, sorted(tags), _origin([data]))


def _bytes(folder: Any, name: str) -> bytes:
    with folder.join(name).open() as file:
        content = file.read()
    return content if isinstance(content, bytes) else str(content).encode()


def _origin(parts: Sequence[bytes]) -> str:
    return hashlib.sha256(b"".join(parts)).hexdigest()[:8]


class _PlainValues(pickle.Unpickler):
    """Reads pickles of plain values; `set` is the only class that it allows."""

    def find_class(self, module: str, name: str) -> Any:
        """Return the class `set`; refuse all others."""
        if module in ("builtins", "__builtin__") and name in ("set", "frozenset"):
            return getattr(builtins, name)
        raise pickle.UnpicklingError(f"it holds {module}.{name}, no plain value")
