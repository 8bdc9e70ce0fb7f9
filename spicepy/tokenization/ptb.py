"""Captions to Penn Treebank tokens, as coco-caption prepares them.

Every caption becomes a line of lower-case tokens, joined by single spaces, equal to
Stanford's PTBTokenizer 3.4.1 (`-preserveLines -lowerCase`) followed by coco-caption's
removal of punctuation.

All captions of a call form **one document**, as in coco-caption: whether the
stop of an abbreviation or initial ends a sentence may depend on how the next
caption begins ("… the letter K." before "A dog"). Pass all references of a
run in one call and all candidates in another to get the published numbers.

Two deliberate differences keep caption i on line i, where the original would
shift all later captions: line-break characters inside a caption count as
spaces, and a tag (`<a title="…">`) cannot go on in the next caption.
"""

import re
from collections.abc import Iterable, Sequence
from functools import cache, lru_cache, partial
from itertools import accumulate
from typing import Final

from spicepy.common.errors import InputError
from spicepy.tokenization.rule_types import TokenRule, compiled, words
from spicepy.tokenization.rules import (
    ABBREVIATIONS,
    ATTRIBUTE,
    BLANK,
    NAME,
    RULES,
    SGML,
    SPACE,
)

# The PTB tokeniser proper: reads a line of a document token by token.
#
# What stands after the line is looked at but never consumed.

# A stretch between blanks whose tokens cannot depend on anything beyond the
# blank that follows it: no tag, and no number or stop that might go on there.
_BLANKS = re.compile(f" {SPACE}*+")
_CHUNK = re.compile(r"([!-;=-~]++)(?=\n| [\n !-\-/:-~])")
_LAST_WORD = re.compile(r"[\"(]?+([A-Za-z]{2,}+)\.")
_PLAIN = re.compile(r"([A-Za-z]++)([,.]?)")

SPLIT_WORDS = ("cannot", "gonna", "gotta", "lemme", "gimme", "wanna")
"""The words of letters alone that are more than one token."""


_Ready = tuple[TokenRule, re.Pattern[str], re.Pattern[str] | None]
"""A rule, its pattern, and how far a failure reaches."""


@cache
def _rules_for(character: str, ascii_text: bool) -> tuple[_Ready, ...]:
    """Return the rules that may read a token that begins so."""
    ready = partial(compiled, ascii_text=ascii_text)
    return tuple(
        (rule, ready(rule.match), ready(rule.stuck) if rule.stuck else None)
        for rule in RULES
        if ready(rule.first).match(character)
    )


class Scanner:
    """Reads lines; remembers where in a line some rules need not be tried again."""

    def __init__(self, document: str) -> None:
        self._document = document
        self._ascii = document.isascii()
        self._stuck: dict[int, int] = {}

    def line(self, start: int, end: int) -> list[str]:
        """Return the tokens of document[start:end], which must be a whole line."""
        document, position, tokens = self._document, start, list[str]()
        self._stuck.clear()
        at_chunk = True
        while position < end:
            if blanks := _BLANKS.match(document, position):
                position = blanks.end()
                at_chunk = True
                continue
            if at_chunk and (chunk := _CHUNK.match(document, position)):
                known = _chunk_tokens(chunk[0])
                if known is not None:
                    tokens += known
                    position = chunk.end()
                    continue
            at_chunk = False
            token, position = self._next(position)
            if token:
                tokens.append(token)
        return tokens

    def rules_only(self, start: int, end: int) -> list[str]:
        """Return the same as `line`, by the rules alone."""
        position, tokens = start, list[str]()
        self._stuck.clear()
        while position < end:
            token, position = self._next(position)
            if token:
                tokens.append(token)
        return tokens

    def _next(self, position: int) -> tuple[str, int]:
        """Return the token at `position` ("" for none) and the start of the next."""
        best, chosen, found = 0, RULES[-1], None
        document, stuck = self._document, self._stuck
        for rule, pattern, reach in _rules_for(document[position], self._ascii):
            if reach and stuck.get(id(rule), 0) > position:
                continue
            match = pattern.match(document, position)
            if match is None:
                if reach and (stretch := reach.match(document, position)):
                    stuck[id(rule)] = stretch.end()
            elif match.end() > best:
                best, chosen, found = match.end(), rule, match
        assert found is not None  # the last rule takes any character
        end = found.end(1) - chosen.push_back
        body = found[1]
        if chosen.cut:
            body = body[: len(body) - chosen.push_back]
        return chosen.token(body), end


@lru_cache(maxsize=1 << 16)
def _chunk_tokens(chunk: str) -> tuple[str, ...] | None:
    """Return tokens of a stretch between blanks; None if its end decides elsewhere."""
    if chunk[-1] == ".":
        word = _LAST_WORD.fullmatch(chunk)
        if word is None or word[1].lower() in ABBREVIATIONS:
            return None
    plain = _PLAIN.fullmatch(chunk)
    if plain and plain[1].lower() not in SPLIT_WORDS:
        return (plain[1], plain[2]) if plain[2] else (chunk,)
    return tuple(Scanner(chunk + " ").rules_only(0, len(chunk)))


SIGNATURE = "ptb-3.4.1"  # Names the tokeniser in result signatures

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
    captions: Sequence[str], *, punctuation: bool = False, following: str | None = None
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
    scanner = Scanner(whole)
    starts = list(accumulate((len(line) + 1 for line in lines), initial=0))
    for index in _lines_with(SPLIT_WORDS, lowered) | _needing_rules(lines, tokenised):
        end = starts[index + 1] - 1
        tokenised[index] = _joined(scanner.line(starts[index], end), punctuation)
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


def _needing_rules(lines: Sequence[str], tokenised: Sequence[str]) -> set[int]:
    """Return the numbers of the lines that need rules, given them as if none did."""
    return {
        index
        for index, (simple, tokens) in enumerate(
            zip(map(_SIMPLE.fullmatch, lines), tokenised)
        )
        if simple is None
        or tokens.removesuffix(" .").rpartition(" ")[2] in ABBREVIATIONS
    }


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
    return [
        " ".join(line.split()) if "  " in line else line.strip()
        for line in lowered.split("\n")
    ]


def _joined(tokens: list[str], punctuation: bool) -> str:
    line = " ".join(tokens).lower()
    if punctuation:
        return line
    return " ".join(
        word for word in line.rstrip().split(" ") if word not in PUNCTUATION
    )


# The part of the captions after a block on which the tokens of the block depend.
#
# The tokeniser looks ahead over line ends: whether the stop of "the letter K." ends a
# sentence depends on how the next caption begins. It looks past empty captions, and
# through a tag (`<a title="…">`), whose quoted values may run over line ends, but never
# further. So a few captions stand for the rest of the document, wherever it is cut.

_AFTER_BLANKS: Final = re.compile(f"{BLANK}*+")
_TAG: Final = re.compile(SGML)
_OPEN_TAG: Final = re.compile(
    f"<{NAME}(?:{ATTRIBUTE})* ++{NAME} *+= *+(?:(\")[^\"]*+|(')[^']*+)"
)
_MAX_EMPTY: Final = 3
"""The number of empty captions kept: no rule distinguishes three from more."""


class Following:
    """The text after a block, gathered until it is `decided`."""

    def __init__(self, block: Sequence[str]) -> None:
        self.decided = False
        self._lines: list[str] = []
        self._open = _left_open(block)  # quotation marks that tags wait for
        self._begun = False  # a caption that is not empty has come
        self._waits = False  # for one caption more, whatever it says

    @property
    def text(self) -> str | None:
        """The argument `following` of `tokenize`; None where nothing follows."""
        return "\n".join(self._lines) if self._lines else None

    def add(self, captions: Iterable[str]) -> None:
        """Look at the next captions, as far as necessary."""
        for caption in captions:
            if self.decided:
                return
            self._look(one_line(caption))

    def _look(self, line: str) -> None:
        if self._waits:  # The line before ends, and is not the last.
            self._lines.append("")
            self.decided = True
            return
        matters = any(mark in line for mark in self._open)
        self._open = list({m for mark in self._open if (m := _after(mark, line))})
        start = _start(line)
        if not self._begun and start < len(line):
            self._begun = matters = True
            if mark := _open_mark(line[start:]):
                self._open.append(mark)
        elif not self._begun:
            matters = matters or len(self._lines) < _MAX_EMPTY
        if matters:
            self._lines.append(line)
        elif self._lines[-1]:  # that a line follows may matter
            self._lines.append("")
        self._waits = self._begun and not self._open


def _left_open(block: Sequence[str]) -> list[str]:
    """Return the quotation marks that the tags open at the end of a block wait for."""
    marks: list[str] = []
    for caption in block:
        marks = list({m for mark in marks if (m := _after(mark, caption))})
        if "<" in caption:
            line = one_line(caption)
            starts = [at for at, character in enumerate(line) if character == "<"]
            marks += [m for at in starts if (m := _open_mark(line[at:]))]
    return marks


def _start(line: str) -> int:
    """Return where the blanks at the beginning of a line end."""
    match = _AFTER_BLANKS.match(line)
    return match.end() if match else 0


def _open_mark(text: str) -> str:
    """Return the mark that a tag at a text's beginning waits for; "" for none."""
    match = None if _TAG.match(text) else _OPEN_TAG.fullmatch(text)
    return (match[1] or match[2]) if match else ""


def _after(mark: str, line: str) -> str:
    """Return the mark that a tag that waited for one waits for after a further line."""
    at = line.find(mark)
    return mark if at < 0 else _open_mark(f"<a b={mark}{one_line(line[at:])}")
