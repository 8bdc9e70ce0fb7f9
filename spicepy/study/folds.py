"""Folds: each caption of an image as the candidate against the other captions.

In: captions of each image. Out: `Fold` values, image by image.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from spicepy.common.errors import InputError
from spicepy.samples.sample import ImageId, listed


@dataclass(frozen=True, slots=True)
class Fold:
    """A left-out caption, its position (from 0) and the other captions of its image.

    `references` are the other captions, or a sample of them.
    """

    image_id: ImageId
    position: int
    left_out: str
    others: tuple[str, ...]
    references: tuple[str, ...]


def make_folds(
    captions: Mapping[ImageId, Sequence[str]],
    *,
    seed: int,
    references: int | None = None,
    images: int | None = None,
) -> list[Fold]:
    """Return all folds of the images that have enough captions.

    Args:
        captions: Captions of each image.
        seed: Random seed of both samples.
        references: Keep this many of the other captions of each fold, sampled
            without replacement and in their order; all by default.
        images: Keep the folds of this many images, sampled; all by default.

    Raises:
        InputError: No image has enough captions, or a number is below 1.
    """
    _check(references, images)
    needed = (references or 1) + 1
    usable = [image for image, listed in captions.items() if len(listed) >= needed]
    if not usable:
        raise InputError(
            f"no image has {needed} captions or more, so none can be left out "
            f"(captions are given for {listed(list(captions))})"
        )
    if images is not None and images < len(usable):
        drawn = np.random.default_rng([seed, 1]).permutation(len(usable))[:images]
        usable = [usable[i] for i in sorted(drawn)]
    generator = np.random.default_rng([seed, 2])
    folds = []
    for image in usable:
        own = tuple(captions[image])
        for k, caption in enumerate(own):
            others = chosen = own[:k] + own[k + 1 :]
            if references is not None and references < len(others):
                kept = generator.permutation(len(others))[:references]
                chosen = tuple(others[i] for i in sorted(kept))
            folds.append(Fold(image, k, caption, others, chosen))
    return folds


def _check(references: int | None, images: int | None) -> None:
    for name, value in (("references", references), ("images", images)):
        if value is not None and value < 1:
            raise InputError(f"{name} is {value}; it must be 1 or more")
