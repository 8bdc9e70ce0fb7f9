"""Parts that all rewards share: the call, and the pickle.

In: a batch of candidates with references, or with the ids of images whose references
were prepared. Out: a numpy array of scores, in the shape of the candidates.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np

from spicepy.metrics.base import Array
from spicepy.rewards.prepared import Texts, checked_references, flat_batch


class Reward(ABC):
    """A metric that scores batches of captions.

    Args:
        references: Image id -> references, for calls with image ids.
        tokenised: Whether captions are tokens joined by spaces already, here and
            in calls; False tokenises them as coco-caption does.

    Raises:
        InputError: References are wrong.
    """

    memory: ClassVar[tuple[str, ...]]
    """Attributes that `_begin` makes: a pickle, and so a spawned process, gets none."""

    def __init__(
        self, references: Mapping[Any, Sequence[str]] | None, *, tokenised: bool
    ) -> None:
        self.tokenised = tokenised
        self.references = checked_references(references, tokenised=tokenised)

    def __call__(
        self,
        candidates: Sequence[str] | Sequence[Sequence[str]],
        references: Sequence[Sequence[str]] | None = None,
        *,
        image_ids: Sequence[Any] | None = None,
    ) -> Array:
        """Score a batch.

        Args:
            candidates: One caption an image, or several (a list of lists).
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
