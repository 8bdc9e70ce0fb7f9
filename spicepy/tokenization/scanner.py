"""The PTB tokeniser proper: reads a line of a document token by token.

In: a document (captions joined by line ends) and the ends of one line.
Out: its tokens, in their own case. What stands after the line is looked at
but never consumed.
"""

import re
from functools import cache, lru_cache, partial

from spicepy.tokenization.abbreviations import ABBREVIATIONS
from spicepy.tokenization.classes import SPACE
from spicepy.tokenization.rule_type import TokenRule, compiled
from spicepy.tokenization.rules import RULES

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
