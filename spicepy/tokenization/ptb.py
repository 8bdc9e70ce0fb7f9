"""Captions to Penn Treebank tokens, as coco-caption prepares them.

In: captions, any text. Out: for every caption a line of lower-case tokens,
joined by single spaces, without punctuation unless it is asked for. Equal to
Stanford's PTBTokenizer 3.4.1 (`-preserveLines -lowerCase`) followed by
coco-caption's removal of punctuation.

All captions of a call form **one document**, as in coco-caption: whether the
stop of an abbreviation or initial ends a sentence may depend on how the next
caption begins ("… the letter K." before "A dog"). Pass all references of a
run in one call and all candidates in another to get the published numbers.

Two deliberate differences keep caption i on line i, where the original would
shift all later captions: line-break characters inside a caption count as
spaces, and a tag (`<a title="…">`) cannot go on in the next caption.
"""

import re
from collections.abc import Sequence

from spicepy.common.errors import InputError
from spicepy.tokenization.abbreviations import ABBREVIATIONS
from spicepy.tokenization.classes import words
from spicepy.tokenization.scanner import SPLIT_WORDS, Scanner

SIGNATURE = "ptb-3.4.1"
"""Names the tokeniser in result signatures."""

PUNCTUATION = frozenset(words("'' ' `` ` -LRB- -RRB- -LCB- -RCB- . ? ! , : - -- ... ;"))
"""The tokens coco-caption removes; bracket names are in lower case by then, so
`-lrb-` and its like stay."""

_BREAKS = "\r\v\f\u2028\u2029"

# Lines that need no rules: letters and spaces, commas after a letter and before
# a space, one final stop after two letters or a space.
_SIMPLE = re.compile(
    r"(?>(?:[A-Za-z ]++(?:(?<! ),(?= ))?)*)"
    r"(?>(?:(?:(?<=[A-Za-z]{2})|(?<= ))\. *+)?)"
)


def tokenize(
    captions: Sequence[str],
    *,
    punctuation: bool = False,
    following: str | None = None,
) -> list[str]:
    """Tokenise captions that are scored together.

    Args:
        captions: The captions, in the order of the images. They are read as one
            document (see the notes of this module).
        punctuation: Keep the tokens in `PUNCTUATION`.
        following: The beginning of the captions that follow, if these are a block of
            a longer document (see `tokenization.lookahead`); None at its end.

    Returns:
        One line for every caption, in order: lower-case tokens joined by single
        spaces; "" where a caption has no token.

    Raises:
        InputError: A caption is not a string.

    Source:
        Chen et al. 2015, "Microsoft COCO Captions", section 3.1.
    """
    if not captions:
        return []
    document = _document(captions)
    lines = document.split("\n")
    lowered = document.lower()
    tokenised = _simple_lines(lowered, punctuation)
    whole = document if following is None else f"{document}\n{following}"
    scanner, start, split = Scanner(whole), 0, _lines_with(SPLIT_WORDS, lowered)
    for index, line in enumerate(lines):
        end = start + len(line)
        if not _is_simple(line) or index in split:
            tokenised[index] = _joined(scanner.line(start, end), punctuation)
        start = end + 1
    return tokenised


def _document(captions: Sequence[str]) -> str:
    """Return all captions, each on a line of its own."""
    if isinstance(captions, str):
        raise InputError("captions: one string given; a list of strings is expected")
    try:
        document = "\n".join(captions)
    except TypeError:
        index, value = next(
            (i, c) for i, c in enumerate(captions) if not isinstance(c, str)
        )
        raise InputError(
            f"caption {index} is {value!r}, a {type(value).__name__}; "
            "a string is expected"
        ) from None
    if document.count("\n") != len(captions) - 1:
        document = "\n".join(caption.replace("\n", " ") for caption in captions)
    return _without_breaks(document)


def one_line(caption: str) -> str:
    """Return a caption with its line breaks as spaces, as it stands in a document."""
    return _without_breaks(caption.replace("\n", " "))


def _without_breaks(text: str) -> str:
    for character in _BREAKS:
        text = text.replace(character, " ")
    return text


def _is_simple(line: str) -> bool:
    if not _SIMPLE.fullmatch(line):
        return False
    stop = line.find(".")
    return stop < 0 or line[line.rfind(" ", 0, stop) + 1 : stop].lower() not in (
        ABBREVIATIONS
    )


def _lines_with(literals: Sequence[str], document: str) -> set[int]:
    """Return the numbers of the lines with any of `literals`."""
    lines = set()
    for word in literals:
        line = previous = 0
        position = document.find(word)
        while position >= 0:
            line += document.count("\n", previous, position)
            lines.add(line)
            previous, position = position, document.find(word, position + 1)
    return lines


def _simple_lines(lowered: str, punctuation: bool) -> list[str]:
    """Return the tokens of every line as if all were simple."""
    for mark in ",.":
        lowered = lowered.replace(mark, f" {mark}" if punctuation else "")
    return [" ".join(line.split()) for line in lowered.split("\n")]


def _joined(tokens: list[str], punctuation: bool) -> str:
    line = " ".join(tokens).lower()
    if punctuation:
        return line
    return " ".join(
        word for word in line.rstrip().split(" ") if word not in PUNCTUATION
    )
