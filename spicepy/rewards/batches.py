"""References by image, and batches of candidates."""

import json
import warnings
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from spicepy.captions import sample as checks
from spicepy.common.errors import InputError, SpicepyWarning, brief, check_kind, counted
from spicepy.metrics.base import Array
from spicepy.tokenization.ptb import tokenize

Texts = tuple[str, ...]


def checked_references(
    references: Mapping[Any, Sequence[str]] | None, *, tokenised: bool
) -> dict[checks.ImageId, Texts]:
    """Tokenise references by image id as one document, if they are raw."""
    wanted = "they must be a mapping: image id -> captions"
    check_kind("references are", references, Mapping | None, wanted)
    checked = {
        checks.check_id(key, "references"): checks.check_references(
            texts, f"image {brief(key)}"
        )
        for key, texts in (references or {}).items()
    }
    if tokenised:
        return checked
    tokens = iter(tokenize([text for texts in checked.values() for text in texts]))
    return {key: tuple(next(tokens) for _ in texts) for key, texts in checked.items()}


def saved_references(
    path: Path | str, tokenised: object, references: object
) -> tuple[bool, dict[checks.ImageId, Texts]]:
    """Check a saved reward's pairs of an image id and its references' tokens."""
    if type(tokenised) is not bool:
        raise InputError(f"{path}: tokenised is {brief(tokenised)}; must be a boolean")
    pairs = references if isinstance(references, list) else [references]
    known: dict[Any, Any] = {}
    for pair in pairs:
        if not isinstance(pair, list) or len(pair) != 2:
            raise InputError(
                f"{path}: references has {brief(pair)}; it must be a list of pairs of "
                "an image id and its references"
            )
        known[checks.check_id(pair[0], f"{path}: references")] = pair[1]
    try:
        return tokenised, checked_references(known, tokenised=True)
    except InputError as error:
        raise InputError(f"{path}: {error}") from None


def flat_batch(
    candidates: Sequence[str] | Sequence[Sequence[str]],
    references: Sequence[Sequence[str]] | None,
    image_ids: Sequence[Any] | None,
    known: Mapping[checks.ImageId, Texts],
    *,
    tokenised: bool,
) -> tuple[list[str], list[Texts], tuple[int, ...]]:
    """Check a batch; return candidates, their references and the batch's shape."""
    # Each image has one string, or as many strings as every other. Its references are
    # given in the same order, or known by its id, which may occur several times.
    shape, texts = _shaped(candidates)
    if (references is None) == (image_ids is None):
        raise InputError("a batch needs either references or image ids, one of them")
    given: Sequence[Any] = references if image_ids is None else image_ids  # type: ignore[assignment]
    if len(given) != shape[0]:
        what = "references of" if image_ids is None else "ids of"
        raise InputError(
            f"{counted(shape[0], 'candidate')}, but {what} "
            f"{counted(len(given), 'image')}"
        )
    if image_ids is not None:
        of_images = [_known(known, one) for one in image_ids]
    else:
        of_images = [
            checks.check_references(one, f"references {at} of the batch")
            for at, one in enumerate(given, 1)
        ]
        if not tokenised:
            tokens = iter(tokenize([text for texts in of_images for text in texts]))
            of_images = [tuple(next(tokens) for _ in texts) for texts in of_images]
    several = shape[1] if len(shape) > 1 else 1
    return (
        texts if tokenised else tokenize(texts),
        [one for one in of_images for _ in range(several)],
        shape,
    )


def _looks_raw(text: str) -> bool:
    """Return whether a caption cannot be tokens as coco-caption writes them."""
    return text != text.lower() or (text.endswith(".") and not text.endswith(" ."))


def _known(known: Mapping[checks.ImageId, Texts], image_id: Any) -> Texts:
    # Numbers of numpy and torch are found as Python's.
    key = image_id.item() if hasattr(image_id, "item") else image_id
    try:
        return known[key]
    except (KeyError, TypeError):
        like = next((f"{brief(i)} has; " for i in known if str(i) == str(key)), "")
        kept = "numbers and texts are different ids; " if like else ""
        raise InputError(
            f"image {brief(key)} has no references here; {like}{kept}"
            f"those of {counted(len(known), 'image')} were prepared"
        ) from None


def _shaped(candidates: Any) -> tuple[tuple[int, ...], list[str]]:
    if isinstance(candidates, str):
        raise InputError(f"candidates: one string, {brief(candidates)}; give a list")
    rows = list(candidates)
    if not rows or not checks.is_sequence(rows[0]):
        return (len(rows),), _strings(rows)
    several = len(rows[0])
    for at, row in enumerate(rows, 1):
        if not checks.is_sequence(row) or len(row) != several:
            raise InputError(
                f"image {at} of the batch has the candidates {brief(row)}; every image "
                f"needs a list of as many as the first, {several}"
            )
    return (len(rows), several), _strings([text for row in rows for text in row])


def _strings(texts: list[Any]) -> list[str]:
    if all(type(text) is str and text.isascii() for text in texts):
        return texts
    return [
        checks.check_caption(text, "candidate", f"candidate {at} of the batch")
        for at, text in enumerate(texts, 1)
    ]


def as_json(references: Mapping[checks.ImageId, Any]) -> str:
    """Return references by image id as JSON; ids keep their type."""
    return json.dumps(list(references.items()), ensure_ascii=False)


class Reward(ABC):
    """A metric that scores batches of captions."""

    # `references` are those of images for calls with image ids. If `tokenised`,
    # captions here and in calls are tokens joined by spaces; else they are tokenised as
    # coco-caption does.
    memory: ClassVar[tuple[str, ...]]
    """Attributes that `_begin` makes: a pickle, and so a spawned process, gets none."""

    def __init__(
        self, references: Mapping[Any, Sequence[str]] | None, *, tokenised: bool
    ) -> None:
        self.tokenised = tokenised
        self.references = checked_references(references, tokenised=tokenised)
        texts = [text for texts in self.references.values() for text in texts]
        if tokenised and 2 * sum(map(_looks_raw, texts)) > len(texts):
            warnings.warn(
                "most references have capitals or a full stop without a blank before "
                "it, so they are not tokens; tokenised=False tokenises them",
                SpicepyWarning,
                stacklevel=3,
            )

    def __call__(
        self,
        candidates: Sequence[str] | Sequence[Sequence[str]],
        references: Sequence[Sequence[str]] | None = None,
        *,
        image_ids: Sequence[Any] | None = None,
    ) -> Array:
        """Score a batch.

        Args:
            candidates: One caption per image, or several (a list of lists).
            references: The references of each image; or
            image_ids: ids of images whose references are known.

        Returns:
            Scores, in the range of the metric: (images,), or (images, candidates an
            image).

        Raises:
            InputError: The batch is wrong; names the place in it, or the id.
        """
        texts, of_each, shape = flat_batch(
            candidates, references, image_ids, self.references, tokenised=self.tokenised
        )
        return np.array(self._score(texts, of_each), float).reshape(shape)

    @abstractmethod
    def _score(self, texts: list[str], of_each: list[Texts]) -> list[float]:
        """Score tokenised captions, each with its references."""

    @abstractmethod
    def _begin(self) -> None:
        """Make the attributes of `memory`."""

    def __getstate__(self) -> dict[str, Any]:
        return {k: v for k, v in vars(self).items() if k not in self.memory}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        self._begin()
