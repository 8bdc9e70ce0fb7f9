"""The numbers at which the parser decides one way or the other, in one place."""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class ParserThresholds:
    """When an `Analyser` is sure, what it leaves open, and how much it does at a time.

    The first part decides which tree a caption gets; the others decide only time and
    memory.

    Attributes:
        margin: The network is sure of a sentence if the best tag and the best head of
            each word score so much more than the next best, in nats.
        open_tag, open_head: The grammar decides among tags and heads that are at most
            that much worse than the best.
        beam, phrase_beam, word_beam: For the words from one place to another, it
            follows up what is at most that much worse than the best: the parts of a
            rule so far and what they may become; whole phrases between their
            neighbours; words between theirs.
        longest_reparsed: Words of the longest sentence on which the grammar decides.
        longest: Words that are analysed together; the time grows with their cube. A
            longer sentence is cut into pieces.

        read_batch: Sentences that the network reads together: their numbers fit the
            cache.
        length_ratio: The longest of them may be so many times as long as the shortest,
        step_cost: or longer if they are few: a step from word to word costs as much as
            reading a word of that many sentences.
        reparse_batch: Sentences on which the grammar decides together, about.
        span_batch: Spans of these that are scored together, about.
        cached_words: Words whose input to the network, or whose scores, are kept.
    """

    margin: float = 1.25
    open_tag: float = 4.5
    open_head: float = 4.0
    beam: float = 9.0
    phrase_beam: float = 6.0
    word_beam: float = 7.0
    longest_reparsed: int = 40
    longest: int = 200

    read_batch: int = 256
    length_ratio: float = 1.5
    step_cost: int = 8
    reparse_batch: int = 1024
    span_batch: int = 16_000
    cached_words: int = 16_000


DEFAULT: Final = ParserThresholds()
