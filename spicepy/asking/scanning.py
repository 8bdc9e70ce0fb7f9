"""Scanning: what the words beside a thing say, where no tuple says it.

In: the words of a caption, as one line "word/TAG word/TAG …", and its things. Out: what
patterns find that end right before a thing, or begin right after it.

    "two rows of chairs"        →  chair: two rows
    "left arm straight up"      →  left arm: straight up
    "a man in the middle"       →  man: in the middle
    "one of the men is tall"    →  one of (man): tall
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from spicepy.asking.statements import Entity, Said, written_out
from spicepy.asking.words import is_living

Found = tuple[Entity, str, tuple[int, ...]]
"""A thing, a name of a group of the patterns, and the places of the words."""
DETAILS: Final = {"heap": "count", "several": "count", "color": "color"}
"""The finer categories of what is found, if it is no state."""
_LISTED: Final = frozenset(("CC", "CD", "DT", "JJ", "NN", "NNS", "PRP$", "VBN", ","))
_FINITE: Final = ("VBD", "VBP", "VBZ")
_SINGLE: Final = ("one", "other", None)
_ALL: Final = re.compile(r"\b(?:another|are|have|of|were)/")
"""After "one" and one of these words, something is said of all."""


def patterns(
    data: Mapping[str, Any], colors: Iterable[str]
) -> dict[str, re.Pattern[str]]:
    """Return what is looked for, by the side of the thing where it stands."""
    lists = data["parts"] | data["nothing"] | data["several"] | {"colors": colors}
    words = {
        name: [word.replace(" ", r"/\S+ ") for word in own]
        for name, own in lists.items()
        if name in data["scanning"]
    }
    own = written_out(data["scanning"], words)
    return {
        n: re.compile(own[n]) for n in ("after", "bare", "before", "share", "where")
    }


class Scan:
    """The words of one caption as a line of text, in which patterns are found."""

    def __init__(self, said: Said, known: Mapping[str, re.Pattern[str]]) -> None:
        self._said, self._known = said, known
        pairs = zip(said.words, said.tags, strict=True)
        self._words = [f"{word.replace('/', '|')}/{tag} " for word, tag in pairs]
        self._starts = {n: p for p, n in reversed([*enumerate(said.sentences, 1)])}

    def found(
        self, things: Mapping[int, Entity], mentions: Mapping[int, Entity]
    ) -> Iterator[Found]:
        """Yield what is said beside things and pronouns, and where things are."""
        for place, thing in things.items():
            first, last = self._bounds(place)
            before = self._known["before"].search(self._line(first, thing.first))
            after = self._known["after"].match(self._line(place + 1, last))
            for match, start in ((before, first), (after, place + 1)):
                if match and (start > place or thing.place == place):
                    [name] = (n for n, text in match.groupdict().items() if text)
                    if self._fits(name, thing):
                        yield thing, name, _places(match, name, start)
        finite = any(tag in _FINITE for tag in self._said.tags)
        for start in self._starts.values():
            first, last = self._bounds(start)
            line = self._line(first, last)
            # Prompts list what their first thing is like.
            for match in () if finite else self._known["bare"].finditer(line):
                own = min(mentions, default=last)
                if own < first + line.count(" ", 0, match.end()):
                    yield mentions[own], "bare", _places(match, "bare", first)
            yield from self._positions(first, last, mentions)

    def _fits(self, name: str, thing: Entity) -> bool:
        """Return whether a thing is one of which such words are said."""
        if name in ("differ", "several"):
            return thing.tag == "NNS"
        if name == "doing":  # The head of a statue looks, not the statue.
            return "of" not in self._said.words[max(0, thing.first - 3) : thing.first]
        return name != "color" or not is_living(thing.head)

    def _positions(
        self, first: int, last: int, things: Mapping[int, Entity]
    ) -> Iterator[Found]:
        """Yield which things of a sentence are in the middle, or on the right side."""
        for match in self._known["where"].finditer(self._line(first, last)):
            own = _places(match, "where", first)
            before = [place for place in things if first <= place < own[0]]
            after = sorted(p for p in things if own[-1] < p < last and self._heads(p))
            tag = self._said.tag(own[0] - 1) if own[0] > first else "CC"
            if before and (tag.startswith("VB") or max(before) == own[0] - 1):
                yield things[max(before)], "where", own
            elif tag in ("CC", ","):
                end = after[0] if after else 0
                for place in after:
                    # In the background, hills, a church and a river.
                    if not _LISTED.issuperset(self._said.tags[end : place - 1]):
                        break
                    yield things[place], "where", own
                    end = place

    def _heads(self, place: int) -> bool:
        """Return whether no preposition stands before a noun and what describes it."""
        while self._said.tags[place - 2] in _LISTED - {","} and place > 1:
            place -= 1
        return place == 1 or self._said.tag(place - 1) != "IN"

    def share(self, thing: Entity, place: int) -> str:
        """Return how many of several things a word says something of: one of the men.

        The nearest quantity before it tells: "three of the men", "one … the other".
        """
        said, first = self._said, self._bounds(place)[0]
        one = said.tag(thing.first) == "JJ"
        text = "" if one else self._line(first, place)
        number = said.start(thing, "CD")
        counted = said.words[number - 1] if said.tag(number) == "CD" else ""
        for match in reversed([*self._known["share"].finditer(text)]):
            word, of, noun = match.group("share", "of", "noun")
            at, end = first + text.count(" ", 0, match.start()), match.end("noun")
            after = at > thing.place
            # Half the boats.
            of = of or (word == "half" and self._said.tag(at + 1) == "DT")
            if not thing.plural and (word not in ("half", "most") or after or not of):
                continue
            if noun and "/NN" in noun:
                head = said.lemmas[first + text.count(" ", 0, end) - 2]
                fewer = after and counted not in ("", word)
                if word is None and of and head == thing.head and not after:
                    return "one"  # The larger of the dogs.
                if word not in ("other", None) and head == thing.head and (of or fewer):
                    # Without a verb it is of all: half of the seats in the stadium.
                    verb = "/VB" in text[end:] + self._words[place - 1]
                    return word if verb or not of else ""
            elif noun and of and word:
                # Two of which are broken, are on a wall: all of them are there.
                if "/W" not in noun or ",/" not in text[end:]:
                    return word
            elif after and word and match.end() == len(text) and not noun:
                return "one" if word == "other" else word  # Three red and one blue.
            elif after and word in _SINGLE and not _ALL.search(text, match.end()):
                # Two hikers, one with a stick, look at a map: both look.
                return "" if said.tag(place) == "VBP" else "one"
        return ""

    def _bounds(self, place: int) -> tuple[int, int]:
        """Return where the sentence of a word begins, and where the next one does."""
        number = self._said.sentences[place - 1]
        return self._starts[number], self._starts.get(number + 1, len(self._words) + 1)

    def _line(self, first: int, end: int) -> str:
        """Return the words from a place on, before another one."""
        return "".join(self._words[first - 1 : end - 1])


def _places(match: re.Match[str], name: str, first: int) -> tuple[int, ...]:
    """Return the places of the words of a group, in a line that begins at a place."""
    start = first + match.string.count(" ", 0, match.start(name))
    return tuple(range(start, start + match[name].count(" ")))
