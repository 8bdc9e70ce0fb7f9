"""The numbers at which the parser decides one way or the other, in one place."""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class ParserThresholds:
    """When an `Analyser` is sure, what it leaves open, and how much it does at a time.

    The first part decides which tree a caption gets; the others decide only time and
    memory.

    Attributes:
        sure: The network is sure of a sentence if the best tag and the best head of
            each word score so much more than the next best, in nats.
        open_tag, open_head: The grammar decides among tags and heads that are at most
            that much worse than the best.
        beam, phrase_beam, word_beam: For the words from one place to another, it
            follows up what is at most that much worse than the best: the parts of a
            rule so far and what they may become; whole phrases between their
            neighbours; words between theirs.
        charted: Words of the longest sentence on which it decides.
        longest: Words that are analysed together; the time grows with their cube. A
            longer sentence is cut into pieces.

        together: Sentences that the network reads together: their numbers fit the
            cache.
        longer: The longest of them may be so many times as long as the shortest,
        started: or longer if they are few: a step from word to word costs as much as
            reading a word of that many sentences.
        undecided: Sentences on which the grammar decides together, about.
        spans: Spans of these that are looked at together, about.
        words: Words whose input to the network, or whose scores, are kept.
    """

    sure: float = 1.25
    open_tag: float = 4.5
    open_head: float = 4.0
    beam: float = 9.0
    phrase_beam: float = 6.0
    word_beam: float = 7.0
    charted: int = 40
    longest: int = 200

    together: int = 256
    longer: float = 1.5
    started: int = 8
    undecided: int = 1024
    spans: int = 16_000
    words: int = 16_000


DEFAULT: Final = ParserThresholds()
