"""The `gts` and `res` of coco-caption as samples, and scores in its shape.

The order is that of the references' keys; the captions are compared as they are.
"""

import warnings
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final, cast

import numpy as np

from spicepy.captions.sample import ImageId, Sample, check_caption, listed
from spicepy.common.errors import CaptionWarning, InputError, brief, counted
from spicepy.evaluation.measured import sign_sentences, signs_among
from spicepy.metrics.base import Array, MeanOfImages, total
from spicepy.metrics.ngrams.frequencies import DocumentFrequencies
from spicepy.tokenization.ptb import tokenize
from spicepy.tokenization.samples import TokenisedSample

Captions = Mapping[Any, Sequence[str]] | Sequence[Sequence[str]]
"""Image id -> captions; or the captions of each image, paired by position."""


def samples_of(gts: Captions, res: Captions) -> list[TokenisedSample]:
    """Pair references (`gts`) with candidates (`res`) by image id or position."""
    gts, res = mappings(gts, res)
    unmatched = [key for key in res if key not in gts]
    unused = [key for key in gts if key not in res]
    if unmatched or unused:
        sides = [
            f"{what}: {listed(ids)}"
            for what, ids in (
                ("candidates without references", unmatched),
                ("references without a candidate", unused),
            )
            if ids
        ]
        raise InputError("; ".join(sides))
    if not gts:
        raise InputError("no images: gts and res are empty")
    samples = [
        TokenisedSample(_id(key), _candidate(key, res[key]), _references(key, gts[key]))
        for key in gts
    ]
    warn_of_signs(samples)
    return samples


_WARNED: Final[set[str]] = set()
_LOOKED_AT: Final[list[int]] = []
_MOST: Final = 1_000
"""The number of samples of a process that are looked at for signs."""


def warn_of_signs(samples: Sequence[TokenisedSample]) -> None:
    """Warn once per process of each sign why scores may be low, or high."""
    # A scorer may be called for every batch of a training, and several of them for the
    # same captions: the first samples of a process tell as much as all of them.
    first = samples[: _MOST - sum(_LOOKED_AT)]
    if not first:
        return
    _LOOKED_AT.append(len(first))
    captions = [Sample(s.image_id, s.candidate, s.references) for s in first]
    for text in sign_sentences(signs_among(captions, first, ()), ()):
        if (sign := text.partition(":")[0]) not in _WARNED:
            _WARNED.add(sign)
            warnings.warn(text, CaptionWarning, stacklevel=4)


def mappings(
    gts: Captions, res: Captions
) -> tuple[Mapping[Any, Any], Mapping[Any, Any]]:
    """Return both sides as mappings; two lists of equal length are numbered from 0."""
    if isinstance(gts, list | tuple) and isinstance(res, list | tuple):
        if len(gts) != len(res):
            raise InputError(
                f"{counted(len(gts), 'list')} of references, but {len(res)} of "
                "candidates; they are paired by position"
            )
        return dict(enumerate(gts)), dict(enumerate(res))
    for name, captions in (("gts", gts), ("res", res)):
        if not isinstance(captions, Mapping):
            raise InputError(
                f"{name}: found {brief(captions)}; it must be a mapping of image ids "
                "to lists of captions"
            )
    return cast("tuple[Mapping[Any, Any], Mapping[Any, Any]]", (gts, res))


def _id(key: Any) -> ImageId:
    """Return a key as messages name it; the originals take any, even a tuple."""
    return key if isinstance(key, int | str) else brief(key)


def _candidate(key: object, value: object) -> str:
    captions = _captions(key, value, "res")
    if len(captions) != 1:
        raise InputError(
            f"image {brief(key)}: {len(captions)} candidates in res; there must be "
            f"one, in a list: {brief(value)}"
        )
    return captions[0]


def _references(key: object, value: object) -> tuple[str, ...]:
    captions = _captions(key, value, "gts")
    if not captions:
        raise InputError(f"image {brief(key)}: no references in gts")
    return captions


def _captions(key: object, value: object, side: str) -> tuple[str, ...]:
    if not isinstance(value, list | tuple) or not all(
        isinstance(caption, str) for caption in value
    ):
        hint = ""
        if isinstance(value, list | tuple):
            hint = " (PTBTokenizer().tokenize makes it from [{'caption': …}])"
        raise InputError(
            f"image {brief(key)}: {side} has {brief(value)}; it must be a list of "
            f"strings{hint}"
        )
    return tuple(value)


def mean_and_scores(
    metric: MeanOfImages, samples: Sequence[TokenisedSample]
) -> tuple[np.float64, Array]:
    """Return the mean and the scores of the images, shape (images,)."""
    rows = metric.count(samples).rows
    return metric.corpus_scores(total(rows), len(rows))[0], rows[:, 0]


def frequencies_of(df: str, stemming: bool = False) -> DocumentFrequencies | None:
    """Return the document frequencies that `df` names, None for "corpus"."""
    # A name without a folder or ending is also searched as `data/NAME.p`, as in
    # self-critical training. Pickles are read without running any code in them.
    if df == "corpus":
        return None
    beside = Path("data", f"{df}.p")
    path = beside if not Path(df).is_file() and beside.is_file() else Path(df)
    return DocumentFrequencies.load(path, stemming=stemming)


# The classes `PTBTokenizer` of coco-caption and of the packages beside it.


class PTBTokenizer:
    """The tokeniser of coco-caption: Penn Treebank, lower case, no punctuation.

    `tokenize` can also be called on the class. `verbose` is unread, since nothing is
    printed; copies of the package take it.
    """

    def __init__(self, verbose: bool = False) -> None:
        """Make a tokeniser."""

    @staticmethod
    def tokenize(captions_for_image: Any) -> dict[Any, list[str]]:
        """Tokenise all captions as one document, in the order given.

        Args:
            captions_for_image: {id: [{"caption": "…"}, …]}, as COCO's annotations
                are; strings may stand for the mappings. Without ids, a list of
                strings (one caption per image) or of such lists, numbered from 0.

        Returns:
            {id: ["tokens joined by spaces", …]}, in the same order.

        Raises:
            InputError: Another shape; names the id.

        >>> PTBTokenizer().tokenize({7: [{"caption": "A dog's ball."}]})
        {7: ["a dog 's ball"]}
        """
        by_image = {
            key: [_text(item, key) for item in _items(entries, key)]
            for key, entries in _with_ids(captions_for_image).items()
        }
        tokens = iter(tokenize([text for texts in by_image.values() for text in texts]))
        return {key: [next(tokens) for _ in texts] for key, texts in by_image.items()}


def _with_ids(captions: Any) -> Mapping[Any, Any]:
    if isinstance(captions, Mapping):
        return captions
    if isinstance(captions, list | tuple):
        return {
            at: [entry] if isinstance(entry, str) else entry
            for at, entry in enumerate(captions)
        }
    raise InputError(
        f"PTBTokenizer: found {brief(captions)}; it takes a mapping of image ids to "
        "lists of captions, or a list"
    )


def _items(value: Any, key: object) -> Sequence[Any]:
    if not isinstance(value, list | tuple):
        raise InputError(
            f"image {brief(key)}: the captions are {brief(value)}; they must be a list"
        )
    return value


def _text(item: Any, key: object) -> str:
    if isinstance(item, Mapping):
        if "caption" not in item:
            raise InputError(f"image {brief(key)}: no key 'caption' in {brief(item)}")
        item = item["caption"]
    return check_caption(item, "caption", f"image {brief(key)}")


class SidedTokenizer:
    """The tokeniser of `pyciderevalcap` for references ("gts") or candidates."""

    def __init__(self, _source: str = "gts") -> None:
        if _source not in ("gts", "res"):
            raise InputError(f"PTBTokenizer({brief(_source)}): only 'gts' and 'res'")
        self.source = _source

    def tokenize(
        self,
        captions_for_image: Mapping[Any, Sequence[Mapping[str, str]]]
        | Sequence[Mapping[str, Any]],
    ) -> dict[Any, list[str]] | list[dict[str, Any]]:
        """Return {id: [tokens joined by spaces, …]} of {id: [{"caption": …}, …]}.

        Candidates, [{"image_id": id, "caption": …}, …], come back with "caption" a list
        of one text.
        """
        if isinstance(captions_for_image, Mapping):
            return PTBTokenizer.tokenize(captions_for_image)
        by_place = {n: [entry] for n, entry in enumerate(captions_for_image)}
        tokens = PTBTokenizer.tokenize(by_place)
        return [{**entry, "caption": tokens[n]} for n, [entry] in by_place.items()]


class ListTokenizer:
    """The tokeniser of the package `evaluation`, for dictionaries and for lists."""

    @classmethod
    def tokenize(cls, corpus: Any) -> dict[Any, list[str]]:
        """Return {id: [tokens joined by spaces, …]}.

        The captions are {id: [caption, …]}, or a list of captions or of lists of them,
        whose ids are their places.
        """
        if isinstance(corpus, Mapping):
            corpus = {
                key: [captions] if isinstance(captions, str) else captions
                for key, captions in corpus.items()
            }
        return PTBTokenizer.tokenize(corpus)
