"""The `gts` and `res` of coco-caption, checked, as samples.

In: two mappings of image ids to lists of captions. Out: tokenised samples in the
order of the references' keys. The captions are compared as they are.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from spicepy.captions.sample import ImageId, listed
from spicepy.common.errors import InputError, shown
from spicepy.tokenization.samples import TokenisedSample

Captions = Mapping[Any, Sequence[str]]
"""Image id -> captions."""


def samples_of(gts: Captions, res: Captions) -> list[TokenisedSample]:
    """Pair references (`gts`) with candidates (`res`) by image id.

    Raises:
        InputError: An image has no candidate or no references, several candidates
            or something that is no string; or there is no image at all.
    """
    for name, captions in (("gts", gts), ("res", res)):
        if not isinstance(captions, Mapping):
            raise InputError(
                f"{name}: found {shown(captions)}; it must be a mapping of image ids "
                "to lists of captions"
            )
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
    return [
        TokenisedSample(_id(key), _candidate(key, res[key]), _references(key, gts[key]))
        for key in gts
    ]


def _id(key: Any) -> ImageId:
    """Return a key as messages name it; the originals take any, a tuple too."""
    return key if isinstance(key, int | str) else shown(key)


def _candidate(key: object, value: object) -> str:
    captions = _captions(key, value, "res")
    if len(captions) != 1:
        raise InputError(
            f"image {shown(key)}: {len(captions)} candidates in res; there must be "
            f"one, in a list: {shown(value)}"
        )
    return captions[0]


def _references(key: object, value: object) -> tuple[str, ...]:
    captions = _captions(key, value, "gts")
    if not captions:
        raise InputError(f"image {shown(key)}: no references in gts")
    return captions


def _captions(key: object, value: object, side: str) -> tuple[str, ...]:
    if not isinstance(value, list | tuple) or not all(
        isinstance(caption, str) for caption in value
    ):
        hint = ""
        if isinstance(value, list | tuple):
            hint = " (PTBTokenizer().tokenize makes it from [{'caption': …}])"
        raise InputError(
            f"image {shown(key)}: {side} has {shown(value)}; it must be a list of "
            f"strings{hint}"
        )
    return tuple(value)
