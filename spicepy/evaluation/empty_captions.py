"""Captions without words, which are scored, with a warning that has their number.

In: tokenised samples. Out: `EmptyCaptions`, which adds up over parts of a corpus.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from spicepy.common.plurals import counted
from spicepy.samples.sample import ImageId
from spicepy.tokenization.samples import TokenisedSample

_NAMED: Final = 5


@dataclass(frozen=True, slots=True)
class EmptyCaptions:
    """The candidates and references without words.

    Attributes:
        candidates, references: Their numbers.
        first: The images of the first such candidates.
    """

    candidates: int = 0
    references: int = 0
    first: tuple[ImageId, ...] = ()

    @classmethod
    def among(cls, tokenised: Sequence[TokenisedSample]) -> "EmptyCaptions":
        """Count the captions without words of some samples."""
        empty = [s.image_id for s in tokenised if not _has_words(s.candidate)]
        blank = sum(not _has_words(r) for s in tokenised for r in s.references)
        return cls(len(empty), blank, tuple(empty[:_NAMED]))

    def __add__(self, other: "EmptyCaptions") -> "EmptyCaptions":
        """Return the counts of two parts, in their order."""
        return EmptyCaptions(
            self.candidates + other.candidates,
            self.references + other.references,
            (*self.first, *other.first)[:_NAMED],
        )

    def sentences(self) -> Iterator[str]:
        """Yield the sentences of the warning, if there are any."""
        if count := self.candidates:
            more = ", …" if count > _NAMED else ""
            first = ", ".join(map(repr, self.first)) + more
            many = counted(count, "candidate has", "candidates have")
            yield f"{many} no words and score 0 (image {first})"
        if count := self.references:
            yield f"{counted(count, 'reference has', 'references have')} no words"


def _has_words(tokenised: str) -> bool:
    """Return whether a caption has a letter or digit; "...!!" leaves the token "!!"."""
    return any(map(str.isalnum, tokenised))
