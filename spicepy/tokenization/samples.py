"""Samples with tokenised captions, which metrics compare.

`Sample` and `TokenisedSample` are different types, so that no metric is given raw text.
"""

import os
import re
from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Final

from spicepy.captions.sample import ImageId, Sample
from spicepy.common.errors import InputError, brief
from spicepy.common.threads import no_collector
from spicepy.tokenization.ptb import PUNCTUATION, tokenize


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


def raw_samples(
    samples: Iterable[TokenisedSample], metric: str
) -> list[tuple[ImageId, Sample]]:
    """Return captions as written by image id, for a metric that reads only those."""
    raw = [(sample.image_id, sample.raw) for sample in samples]
    if any(written is None for _, written in raw):
        raise InputError(f"{metric} reads captions as written; only tokens given")
    return [(image_id, written) for image_id, written in raw if written is not None]


After = tuple[str | None, str | None]
"""The text after the candidates and the references of a block of samples."""


@no_collector()
def tokenised_samples(
    samples: Sequence[Sample], after: After = (None, None)
) -> list[TokenisedSample]:
    """Tokenise samples; each side is one document, as in coco-caption.

    The tokeniser looks ahead over line ends, so the order of the captions
    matters: candidates in the order of the images, then references likewise.

    Args:
        samples: All samples, or a block of them.
        after: The text after a block (`ptb.Following.text`).
    """
    candidates = tokenize([s.candidate for s in samples], following=after[0])
    tokens = tokenize([r for s in samples for r in s.references], following=after[1])
    references = iter(tokens)
    return [
        TokenisedSample(
            s.image_id, candidate, tuple(islice(references, len(s.references))), s
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


# Text of several sentences to sentences, tokenised.
#
# The tokeniser decides where a sentence ends: a stop that belongs to an abbreviation or
# a number is not a token of its own.

COMMA: Final = ","

PAUSES: Final = frozenset([COMMA, ":", "--"])  # Tokens that part what a sentence says

ENDS: Final = frozenset([".", "?", "!", ";"])
"""Tokens that end a sentence; a semicolon parts what could be two."""

QUOTES: Final = {"``": "''", "`": "'"}
"""The tokens that open a quotation, and those that close it."""

_PARAGRAPH = re.compile(
    r"\n\s*\n|\r\s*\n\s*\r|\u2029"
    r"|(?:^|\s)(?:(?:[-*]|\d+\.)\s+)?\*\*[^*\n]{1,60}(?::\*\*|\*\*\s*:)\s"
)
"""The pattern between paragraphs: an empty line, or a bold heading of Markdown."""
_OWNERS = re.compile(r"(?<=[a-z]s)['’](?=\s+[A-Za-z])")
"""The apostrophe of several owners: "the girls' hats", which is no quotation mark."""
_GLUED = re.compile(r"(?<=[a-z0-9)\"'])([.!?]+)(?=[A-Z][a-z ])")


def split_sentences(
    caption: str, *, commas: bool = False, quoting: Container[str] = ()
) -> list[str]:
    """Split a caption into sentences of lower-case tokens joined by blanks, or [""].

    An empty line ends a sentence, and so does a stop that lacks its blank ("on the
    right.The moon"). Bold headings of items ("- **Background**: a park") are left out.
    With `commas`, commas between words stay, and dashes and colons as commas. Text
    quoted after a word of `quoting` is left out: it is read on what says so ("a sign
    that says 'no dogs'"). Several owners are read as one is: "the girls's hats".

    >>> split_sentences("A man rides a horse. He wears a hat.")
    ['a man rides a horse', 'he wears a hat']
    >>> split_sentences("A tall, thin man waves.", commas=True)
    ['a tall , thin man waves']
    """
    sentences: list[list[str]] = [[]]
    for paragraph in _PARAGRAPH.split(caption):
        spaced = _GLUED.sub(r"\1 ", paragraph)
        if commas and not re.search(r"(?<!\S)['‘`]", spaced):
            spaced = _OWNERS.sub("'s", spaced)
        tokens = tokenize([spaced], punctuation=True)[0].split(" ")
        for token in _without_quotations(tokens, quoting):
            if token in ENDS:
                sentences.append([])
            elif commas and token in PAUSES:
                sentences[-1].append(COMMA)
            elif token and token not in PUNCTUATION:
                sentences[-1].append(token)
        sentences.append([])
    return [" ".join(words) for x in sentences if (words := _between(x))] or [""]


def _without_quotations(tokens: list[str], quoting: Container[str]) -> list[str]:
    """Return tokens without those between quotation marks after a word of saying."""
    if QUOTES.keys().isdisjoint(tokens):
        return tokens
    last = {token: place for place, token in enumerate(tokens)}
    kept: list[str] = []
    place = 0
    while place < len(tokens):
        token = tokens[place]
        previous = next((x for x in reversed(kept) if x not in (COMMA, ":")), "")
        closing = QUOTES.get(token)
        if closing and last.get(closing, 0) > place and previous in quoting:
            place = tokens.index(closing, place + 1)
        else:
            kept.append(token)
        place += 1
    return kept


def _between(tokens: list[str]) -> list[str]:
    """Return tokens with one comma where there are several, and none at the ends."""
    pairs = zip(tokens, [COMMA, *tokens])
    words = [x for x, before in pairs if not x == before == COMMA]
    return words[:-1] if words and words[-1] == COMMA else words


# The greatest length of captions that are parsed.
#
# Below the limits, time and memory of parsing grow with the number of words; a megabyte
# without a full stop would take minutes and gigabytes, and is not a caption.

WORDS: Final = 2_000
"""The most words of a sentence, unless `WORDS_VARIABLE` says otherwise."""
EXACT_WORDS: Final = 200
"""The same for the exact parser: its time grows with the cube of the words, its memory
with their square, to a minute and 1.4 GB."""
SENTENCES: Final = 500
"""The most sentences of a caption, unless `SENTENCES_VARIABLE` says otherwise."""
WORDS_VARIABLE: Final = "SPICEPY_SENTENCE_WORDS"
SENTENCES_VARIABLE: Final = "SPICEPY_CAPTION_SENTENCES"

SHORT: Final = 400
"""The number of characters up to which no limit is looked up, for speed: it is below
all sensible limits."""


def check_length(text: str, where: str = "", words: int = WORDS) -> None:
    """Refuse a caption, one sentence per line, that is too long to be parsed."""
    # A sentence has at most `words` words, a caption at most 500 sentences, unless
    # SPICEPY_SENTENCE_WORDS and SPICEPY_CAPTION_SENTENCES set other limits. `where`
    # names the image in the message; by default the caption's first words do.
    if len(text) <= SHORT:
        return
    lines = text.split("\n")
    most = _limit(SENTENCES_VARIABLE, SENTENCES)
    if len(lines) > most:
        raise _too_long(text, where, len(lines), "sentences", most, SENTENCES_VARIABLE)
    longest = max(line.count(" ") + 1 for line in lines)
    most = _limit(WORDS_VARIABLE, words)
    if longest > most:
        raise _too_long(
            text, where, longest, "words in a sentence", most, WORDS_VARIABLE
        )


def _too_long(
    text: str, where: str, words: int, what: str, most: int, variable: str
) -> InputError:
    place = where or f"the caption {brief(text, 60)}"
    return InputError(
        f"{place}: {words:,} {what}, and at most {most:,} are parsed; cut the caption, "
        f"or set the environment variable {variable} to allow more"
    )


def _limit(variable: str, default: int) -> int:
    text = os.environ.get(variable, "")
    if not text:
        return default
    if not text.isdecimal() or not int(text[:18]):
        raise InputError(
            f"the environment variable {variable} is {brief(text)}; it must be a whole "
            "number above 0"
        )
    return int(text[:18])


Span = tuple[int, int]

_BRACKETS = {
    **{"-lrb-": "(", "-rrb-": ")", "-lcb-": "{", "-rcb-": "}"},
    **{"-lsb-": "[", "-rsb-": "]"},
}


def find_tokens(caption: str, tokenised: str) -> list[Span]:
    """Return where each token of a caption begins and ends in it, in code points."""
    # Tokens, joined by single spaces, are in lower case and without punctuation. Those
    # that are respelled, such as an ellipsis, have the empty span (0, 0); the next
    # token is then searched at the beginnings of later words.
    lower = caption.lower()
    if not caption.isascii():
        lower = "".join(c.lower() if len(c.lower()) == 1 else c for c in caption)
    spans: list[Span] = []
    end, lost = 0, False
    for token in tokenised.split(" ") if tokenised else ():
        token = _BRACKETS.get(token, token)
        start = lower.find(token, end)
        while lost and start > 0 and lower[start - 1].isalnum():
            start = lower.find(token, start + 1)
        if start < 0 or not (lost or not any(map(str.isalnum, lower[end:start]))):
            spans.append((0, 0))
            lost = True
        else:
            end = start + len(token)
            spans.append((start, end))
            lost = False
    return spans
