"""Samples with tokenised captions, which metrics compare.

In: `Sample` values with captions as they were written. Out: `TokenisedSample`
values. The two are different types, so that no metric is given raw text.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from spicepy.samples.sample import ImageId, Sample
from spicepy.tokenization.ptb import tokenize


@dataclass(frozen=True, slots=True)
class TokenisedSample:
    """One image: its id, a candidate and its references.

    Captions are lower-case PTB tokens joined by single spaces. `raw` has them as
    they were written, if that is known: where sentences end is seen only there.
    """

    image_id: ImageId
    candidate: str
    references: tuple[str, ...]
    raw: Sample | None = field(default=None, repr=False, compare=False)


After = tuple[str | None, str | None]
"""The text after the candidates and the references of a block of samples."""


def tokenised_samples(
    samples: Sequence[Sample], after: After = (None, None)
) -> list[TokenisedSample]:
    """Tokenise samples; each side is one document, as in coco-caption.

    The tokeniser looks ahead over line ends, so the order of the captions
    matters: candidates in the order of the images, then references likewise.

    Args:
        samples: All samples, or a block of them.
        after: The text after a block (`tokenization.lookahead.Following.text`).
    """
    candidates = tokenize([s.candidate for s in samples], following=after[0])
    tokens = tokenize([r for s in samples for r in s.references], following=after[1])
    references = iter(tokens)
    return [
        TokenisedSample(
            s.image_id, candidate, tuple(next(references) for _ in s.references), s
        )
        for s, candidate in zip(samples, candidates, strict=True)
    ]


def as_tokens(samples: Sequence[Sample]) -> list[TokenisedSample]:
    """Return samples whose captions are tokens joined by spaces already."""
    return [
        TokenisedSample(
            s.image_id, _joined(s.candidate), tuple(map(_joined, s.references))
        )
        for s in samples
    ]


def _joined(caption: str) -> str:
    return " ".join(caption.split())


def tokenised(captions: Iterable[str]) -> dict[str, str]:
    """Return every distinct caption with its tokens joined by spaces."""
    distinct = list(dict.fromkeys(captions))
    return dict(zip(distinct, tokenize(distinct), strict=True))
