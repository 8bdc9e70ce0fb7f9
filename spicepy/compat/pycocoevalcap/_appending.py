"""Scorers that are filled image by image, `scorer += (candidate, references)`.

In: candidates as strings, with their references. Out: samples numbered in the order in
which they were added.
"""

from collections.abc import Sequence
from copy import copy
from typing import Any, Self

from spicepy.common.errors import InputError, shown
from spicepy.tokenization.samples import TokenisedSample


class Appending:
    """Parts that `BleuScorer` and `CiderScorer` have in common.

    Attributes:
        samples: The images added so far.
    """

    def __init__(self, test: str | None, refs: Sequence[str] | None) -> None:
        self.samples: list[TokenisedSample] = []
        if test is not None or refs is not None:
            self.append(test, refs)

    def append(self, test: object, refs: object) -> None:
        """Add an image.

        Raises:
            InputError: The candidate is no string, or there are no references.
        """
        number = len(self.samples)
        if not isinstance(test, str):
            raise InputError(
                f"image {number}: the candidate is {shown(test)}, no string"
            )
        if not isinstance(refs, list | tuple) or not refs:
            raise InputError(
                f"image {number}: the references are {shown(refs)}; they must be a "
                "list of strings"
            )
        self.samples.append(TokenisedSample(number, test, tuple(refs)))

    def cook_append(self, test: object, refs: object) -> None:
        """Add an image, as `append` does."""
        self.append(test, refs)

    def copy(self) -> Self:
        """Return another scorer with the same images."""
        other = copy(self)
        other.samples = list(self.samples)
        return other

    def size(self) -> int:
        """Return the number of images added."""
        return len(self.samples)

    def __iadd__(self, other: Any) -> Self:
        """Add an image (candidate, references), or the images of another scorer."""
        if isinstance(other, tuple):
            self.append(*other)
        else:
            for sample in other.samples:
                self.append(sample.candidate, sample.references)
        return self
