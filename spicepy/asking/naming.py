"""Naming: how things are called in questions.

In: a thing, and the caption that mentions it. Out: its name with an article, in the
singular or the plural: "a dog", "the man's left arm", "the man on the left", "Rome".

Source: Quirk et al. 1985, section 5.11 (articles).
"""

import re
from collections.abc import Mapping
from typing import Any, Final

from spicepy.asking.statements import Entity, Said, word_sets
from spicepy.asking.words import is_person, may_live, plural

ARTICLES: Final = ("a", "an", "one", "another", "each", "every")
_VOWELS: Final = "aeiou"
_SEVERAL: Final = re.compile(r"[^s]s$")


class Naming:
    """Names things, with the tables of `questions.toml`."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        self._words = data["wording"]
        self._lists = word_sets(self._words)
        self._somebody: Mapping[str, str] = self._words["somebody"]
        self._an, self._a = tuple(self._words["an"]), tuple(self._words["a"])
        self._parts = frozenset(data["parts"]["words"])

    def definite(self, thing: Entity) -> str:
        """Return a name with its article: "the dog", "the man's left arm", "Rome"."""
        return f"{self._definite(thing)} {thing.mark}".rstrip()

    def _definite(self, thing: Entity) -> str:
        name = self.name(thing)
        if thing.proper:
            return f"the {name}" if thing.article else name
        bare = thing.activity or thing.name in self._lists["unarticled"]
        if bare or name == "anybody":
            return name
        if thing.region and thing.owner is not None:
            whole = thing.owner  # A flight of stairs.
            stuff = self.is_plural(whole) or whole.head in self._lists["mass"]
            own = self.name(whole) if stuff else self.definite(whole)
            return f"the {name} of {own}"
        owner = self.owner(thing)
        if owner is not None and may_live(owner.head):
            own = self.name(owner) if owner.proper else f"the {self.name(owner)}"
            return f"{own}' {name}" if own.endswith("s") else f"{own}'s {name}"
        return f"the {name}"

    def owner(self, thing: Entity) -> Entity | None:
        """Return the owner with whom a thing is named: the man's hand."""
        return thing.whose or (thing.owner if thing.head in self._parts else None)

    def indefinite(self, thing: Entity, said: Said) -> str:
        """Return a name that mentions a thing for the first time: "a dog", "water"."""
        return f"{self._indefinite(thing, said)} {thing.mark}".rstrip()

    def _indefinite(self, thing: Entity, said: Said) -> str:
        name = self.name(thing)
        if thing.proper:
            return self.definite(thing)
        if self.is_plural(thing) or name == "anybody":
            whose = name.partition("'s ")[0]  # A nurse's shoes, men's shoes.
            bare = name in (whose, "") or whose in self._lists["plural"]
            return name if bare else self.with_article(name)
        first = thing.first - 1
        before = said.words[max(0, first - 3) : first]
        if thing.portion and thing.tag == "NN" and not _SEVERAL.search(thing.portion):
            of = self.with_article(name) if before[-1:] in (("a",), ("an",)) else name
            return f"{self.with_article(thing.portion)} of {of}"
        after = said.tags[thing.place : thing.place + 1]
        modifies = bool(after) and after[0].startswith(("NN", "VBN"))
        own = before[-1 if before[-2:-1] == ("one",) else -2 :]  # One spraying water.
        article = not modifies and any(word in ARTICLES for word in own)
        one = is_person(thing.head) or thing.head in self._parts  # Bent at the knee.
        stuff = thing.matter and not one
        if (stuff or self._is_stuff(thing, said)) and thing.tag == "NN":
            return name
        mass = {thing.head, thing.name, name} & self._lists["mass"]
        if self._words["plurals"].get(thing.head) == thing.head and not article:
            return name  # Grilled salmon.
        mass -= {name.rpartition(" ")[2]} if name in self._lists["counted"] else set()
        tag = said.tags[first - 1] if first else ""
        adjective = tag in ("JJ", "VBG", "VBN") and before[-1] != "little"
        if mass and not (article and (adjective or before[-1] in ARTICLES)):
            return name
        return self.with_article(name)

    def _is_stuff(self, thing: Entity, said: Said) -> bool:
        """Return whether a bare noun is what something is covered with, or a pile of.

        What is counted would have an article there.
        """
        at = said.start(thing, "VBG", "CD") - 1
        before = said.words[at - 1] if at else ""
        covered = at > 1 and said.tag(at - 1) == "VBN" and before in ("in", "with")
        heap = before == "of" and at > 1 and said.tag(at - 1)[:2] == "NN"
        beside = self._lists["sides"] | self._lists["depicting"]  # The side of a van.
        return covered or (heap and said.word(at - 1) not in beside)

    def name(self, thing: Entity) -> str:
        """Return a name without an article: "dogs", where there are several."""
        text = " ".join(thing.words)
        if thing.number > 1 and thing.tag == "NN" and not thing.portion:
            return self.plural(text)
        return self._somebody.get(text.lower(), text)

    def plural(self, name: str) -> str:
        """Return the plural of a name."""
        before, _, last = name.rpartition(" ")
        plurals = self._words["plurals"]
        if last in self._lists["plural"] | {*plurals.values()} or last.endswith("fish"):
            return name
        return f"{before} {plurals.get(last) or plural(last)}".strip()

    def with_article(self, name: str) -> str:
        """Return a name with "a" or "an"."""
        lower = name.lower()
        if lower.startswith("other "):
            return f"an{name}"
        if lower.startswith(self._a):
            return f"a {name}"
        if f"{lower} ".startswith(self._an) or re.match(r"8|11\b|18\b", lower):
            return f"an {name}"
        return f"{'an' if lower[:1] in _VOWELS else 'a'} {name}"

    def is_plural(self, thing: Entity) -> bool:
        """Return whether a thing takes a verb in the plural."""
        last = self.name(thing).rpartition(" ")[2].lower()
        if last in self._lists["mass"]:
            return False
        return thing.plural or last in self._lists["plural"]

    def be(self, thing: Entity) -> str:
        """Return "Is" or "Are"."""
        return "Are" if self.is_plural(thing) else "Is"

    def do(self, thing: Entity) -> str:
        """Return "Does" or "Do"."""
        return "Do" if self.is_plural(thing) else "Does"
