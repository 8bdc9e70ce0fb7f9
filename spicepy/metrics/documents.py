"""Metrics that weigh words by how rare they are in documents.

In: a metric, and the captions of a data set or their document frequencies. Out: the
metric that weighs words by these. A document is all captions of one image.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from enum import Enum
from typing import Any, Self

LeftOut = tuple[str, tuple[str, ...]]
"""A caption that does not count, and the other captions of its image, tokenised."""


class WordForm(Enum):
    """Whether document frequencies are those of words or of their stems."""

    WORDS = "words"
    STEMS = "stems"

    @classmethod
    def of(cls, *, stemming: bool) -> "WordForm":
        """Return the form of words that are stemmed, or not."""
        return cls.STEMS if stemming else cls.WORDS


class WeighsDocuments(ABC):
    """A metric whose scores depend on the data set, such as CIDEr."""

    @abstractmethod
    def for_documents(self, documents: Sequence[Sequence[str]]) -> Self:
        """Return the metric that weighs words by how rare they are in documents.

        Args:
            documents: The tokenised captions of each image of a data set.

        Returns:
            The metric itself, if it has its frequencies.
        """

    @property
    @abstractmethod
    def from_corpus(self) -> WordForm | None:
        """The document frequencies that it takes from the samples that it counts.

        Samples counted in parts need them beforehand (`with_corpus`); None for a
        metric that has its frequencies.
        """

    @abstractmethod
    def with_corpus(self, frequencies: Mapping[WordForm, Any]) -> Self:
        """Return the metric that counts parts of a corpus as it counts the whole.

        Args:
            frequencies: The corpus's own `HashedFrequencies`, at least those of
                `from_corpus`.
        """

    @abstractmethod
    def leaving_out(self, left_out: Sequence[LeftOut]) -> Self:
        """Return the metric that counts samples as if captions were not in documents.

        Args:
            left_out: For each sample that will be counted, a caption of its
                image with the image's other captions.
        """
