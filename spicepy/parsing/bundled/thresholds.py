"""The numbers at which the parser decides one way or the other, in one place."""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Thresholds:
    """What an `Ensemble` is sure of, leaves open and does at a time.

    Those of the first part decide which tree a caption gets; the others only time and
    memory.

    Attributes:
        sure: A network is sure of a sentence if the best tag and the best head of each
            word score so much more than the next best, in nats.
        reach: The reranker decides among what is at most so much worse than the best.
        many: Where a sentence leaves open more pairs of siblings than this, `reach` is
            halved until it does not; true of one sentence in twenty, which have half
            of all pairs.
        too_many: The reranker does not decide on one that still has so many.
        reranked: Words of the longest sentence on which it decides.
        longest: Words that are analysed together; the time grows with their cube. A
            longer sentence is cut into pieces.

        together: Sentences that a network reads together: their numbers fit the cache.
        longer: The longest of them may be so many times as long as the shortest,
        started: or longer if they are few: a step from word to word costs as much as
            reading a word of so many sentences.
        scores: Scores of pairs of words that are kept at a time.
        undecided: Sentences on which the reranker decides together, about.
        words: Words whose input to the networks is kept.
    """

    sure: float = 1.25
    reach: float = 3.5
    many: float = 5_000
    too_many: int = 50_000
    reranked: int = 40
    longest: int = 200

    together: int = 256
    longer: float = 1.5
    started: int = 8
    scores: int = 2_000_000
    undecided: int = 256
    words: int = 16_000


DEFAULT: Final = Thresholds()
