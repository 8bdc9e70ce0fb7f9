"""Mentions: the things of a caption told apart.

In: a parsed caption. Out: its tuples with their things, each by the mention there.

    "a big dog and a small dog"      →  a big dog · a small dog
    "a man in red and another man"   →  a man · another man
    "the boy's hat, the man's hat"   →  the boy's hat · the man's
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Final

from spicepy.asking.attachment import as_written
from spicepy.asking.entities import ParsedCaption
from spicepy.asking.scanning import Scan
from spicepy.asking.statements import Entity
from spicepy.asking.words import is_compound, is_living, is_quality
from spicepy.rules.tuples import SemanticTuple

OWNING: Final = ("have", "with")
"""Relations by which one thing is another one's."""
Words = tuple[str, ...]
_OTHER: Final = ("other",)
_DESCRIPTION: Final = ("DT", "JJ", "NN", "NNS", "VBG", "VBN")
_LONGEST_MARK: Final = 4
"""The most words of what follows a noun and tells it from others: in a red hat."""


class Mentions:
    """The things of one caption, by the names that the grammar gives them."""

    def __init__(self, parsed: ParsedCaption) -> None:
        self._parsed, self._words, self._said = parsed, parsed.words, parsed.said
        self.every = parsed.entities()
        self.scan = Scan(parsed.said, parsed.words.patterns)
        self._mentions: dict[tuple[str, int], Entity] = {}
        self._pairs: dict[int, list[tuple[SemanticTuple, tuple[Entity, ...]]]] = {}
        self._count_bare()
        self._own_by_pronoun()
        self._part_by_owner()
        self._part_by_description()
        self._pairs = {size: [*self._paired(size)] for size in (1, 2, 3)}

    def __iter__(self) -> Iterator[Entity]:
        """Yield all things, also those that only their owners tell apart."""
        return iter(dict.fromkeys((*self.every.values(), *self._mentions.values())))

    def pairs(self, size: int) -> Iterable[tuple[SemanticTuple, tuple[Entity, ...]]]:
        """Return the tuples of a size with their things, if all are known."""
        return self._pairs.get(size) or self._paired(size)

    def _paired(self, size: int) -> Iterator[tuple[SemanticTuple, tuple[Entity, ...]]]:
        for tuple_ in self._parsed.proposals:
            if len(tuple_.members) == size:
                names, places = tuple_.members[::2], tuple_.tokens[::2]
                known = places if len(tuple_.tokens) == size else (0,) * len(names)
                ends = (
                    self._mentions.get(end, self.every.get(end[0]))
                    for end in zip(names, known, strict=True)
                )
                found = tuple(end for end in ends if end is not None)
                if len(found) == len(names):
                    yield tuple_, found

    def how(self, tuple_: SemanticTuple, target: Entity) -> str:
        """Return a relation as written; what is done with a part says whose it is."""
        had = tuple_.members[1] in OWNING and target.head in self._words["parts"]
        return tuple_.members[1] if had else as_written(tuple_)

    def is_thing(self, thing: Entity) -> bool:
        """Return whether it can be asked whether there is such a thing."""
        named = thing.head in self._words["nothing"] and not is_compound(thing.name)
        named = named or thing.name in self._words["nothing"]
        return not (thing.region or is_quality(thing.head) or named)

    def _count_bare(self) -> None:
        """Mark as several what has one form and no article: a herd of sheep."""
        same = self._words["same_plural"]
        for thing in (t for t in self.every.values() if t.name in same and t.place):
            first = self._said.start(thing)
            cooked = self._words["cooked"].intersection(self._said.words[:first])
            one = self._parsed.tag(first - 1) == "DT" or cooked
            thing.number = thing.number or (0 if one else 2)

    def _own_by_pronoun(self) -> None:
        """Mark parts and relatives as those of whom a pronoun means: on his toes."""
        mentions = [
            (t, self._parsed.tag(*t.tokens), end) for t, (end,) in self.pairs(1)
        ]
        named = Counter(t.members[0] for t, tag, _ in mentions if tag[:2] == "NN")
        owners = {t.tokens[0]: end for t, tag, end in mentions if tag == "PRP$"}
        for thing in self.every.values() if owners else ():
            part = thing.head in self._words["parts"] or is_living(thing.head)
            owner = owners.get(self._said.start(thing) - 1)
            free = owner not in (None, thing) and named[thing.name] == 1
            if owner and part and free and not thing.owns(owner):
                thing.owner = owner

    def _part_by_owner(self) -> None:
        """Tell things of one name apart that different people wear or have."""
        owners: dict[str, dict[int, Entity]] = {}
        for tuple_, (owner, thing) in self.pairs(3):
            worn = tuple_.members[1] == "wear" or thing.head in self._words["parts"]
            place = tuple_.tokens[2] if len(tuple_.tokens) == 3 else 0
            if worn and self._parsed.tag(place).startswith("NN") and owner is not thing:
                owners.setdefault(tuple_.members[2], {}).setdefault(place, owner)
        for name, by_place in owners.items():
            first = self.every[name]
            if len({id(owner) for owner in by_place.values()}) < 2:
                continue
            for place, owner in by_place.items():
                same = place == first.place
                thing = first if same else self._parsed.mention(first, place)
                thing.whose = owner
                self._mentions[name, place] = thing

    def _part_by_description(self) -> None:
        """Tell things of one name apart by what describes them: a big dog, a small dog.

        Or by what follows them: the man on the left, a man in red.
        """
        places: dict[str, set[int]] = {}
        for tuple_, _ in (*self.pairs(1), *self.pairs(2)):
            place = max(tuple_.tokens[:1], default=0)
            if place and (len(tuple_.members) == 1 or self._said.tag(place) == "NN"):
                places.setdefault(tuple_.members[0], set()).add(place)
        for name, own in places.items():
            if (name, min(own, default=0)) in self._mentions:
                continue
            before = {place: self._before(name, place) for place in own}
            after = {place: self._after(place) for place in own}
            either = {place: before[place] or after[place] for place in own}
            for described in (before, after, either):
                new = {
                    words for at, words in described.items() if self._is_new(at, words)
                }
                named = {words for words in new if words[:1] != _OTHER}
                if len(new) > 1 and (named < new or () not in new):
                    # What others are told from keeps its name.
                    alone = {()} if named == new or len(named) != 1 else named
                    self._part(name, described, alone)
                    break

    def _part(
        self, name: str, described: Mapping[int, Words], alone: Collection[Words]
    ) -> None:
        """Make a thing of each description; others mean the one before."""
        first, parted = self.every[name], dict[Words, Entity]()
        base, latest = replace(first), first
        for place, words in sorted(described.items()):
            if words not in parted and self._is_new(place, words):
                same = place == first.place
                thing = first if same else self._parsed.mention(base, place)
                if words not in alone and words == self._after(place):
                    thing.mark = " ".join(words)
                elif words not in alone:
                    thing.words = (*words, thing.words[-1])
                    thing.name = " ".join((*words, thing.head))
                parted[words] = thing
            latest = parted.get(words, latest)
            self._mentions[name, place] = latest

    def _before(self, name: str, place: int) -> Words:
        """Return the words before a noun that describe it."""
        at = self._said.before(place, "JJR", "JJS")
        own = self._said.words[at:place]
        # A red and a green kayak.
        alone = own and own[-1] in self._words.details and own[-1] not in name
        own = own if alone else own[:-1]
        if self._said.tag(at) == "CD" and self._said.word(at - 1) == "other":
            return (*_OTHER, *own)  # The other two.
        return (*_OTHER, *own) if self._said.word(at) == "another" else own

    def _after(self, place: int) -> Words:
        """Return the words after a noun that say which one it is: on the left."""
        said = self._said
        for end in (place + 3, place + 4):
            words = said.words[place:end]
            if " ".join(words) in self._words["apart"]:
                return words if said.word(end + 1) != "of" else ()
        rest = said.rest(place)[:_LONGEST_MARK]
        end = place + 1 + (rest[:2] == ("made", "of"))
        if end == place + 1 and rest[:1] not in (("in",), ("with",)):
            return ()
        while end < place + len(rest) and said.tag(end + 1) in _DESCRIPTION:
            end += 1
        last = said.word(end)
        ends = said.tag(end)[:2] == "NN" and last not in self._words["around"]
        return said.words[place:end] if ends or last in self._words.details else ()

    def _is_new(self, place: int, words: Words) -> bool:
        """Return whether a noun brings in a further thing: a dog, another, two dogs."""
        said = self._said
        at = said.before(place, "JJR", "JJS")
        known = said.tag(at) in ("DT", "PRP$", "POS")
        known = known and said.word(at) not in ("a", "an", "another")
        lemma = said.lemmas[place - 1]
        if known and words[:1] == _OTHER:  # One dog, the other dog; not: of the dogs.
            tags = {t for t, name in zip(said.tags, said.lemmas) if name == lemma}
            known = lemma == "one" or "NNS" in tags
        known = known and " ".join(words) not in self._words["apart"]
        return not known and said.tag(place)[:2] in ("JJ", "NN")
