"""Statements: what a caption says, thing by thing and fact by fact.

In: the trace of a caption through the pipeline, with the grammar spicepy-1. Out: its
`Claim`s: things and their parts, numbers, attributes, relations, what is written, and
what the picture as a whole is like.

    "two dogs in red hats"  →  dog · hat (of dog) · dog ×2 · hat: red

A claim is about things that other claims state: its parents. What the colour of a hat
is need not be asked if there is no hat.

Source: Cho et al. 2024, Davidsonian Scene Graph, section 3 (categories and parents).
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final, Literal, Self

from spicepy.common.data_files import read_table
from spicepy.extraction.tuples import SemanticTuple
from spicepy.pipeline.trace import Trace
from spicepy.questions.prompts import Prompt, Span
from spicepy.tokenization.token_spans import find_tokens

Category = Literal["entity", "attribute", "relation", "global", "other"]

_NEAR: Final = 5
"""The most words between the words of one attribute."""
_VERBS: Final = ("VB", "VBG", "VBP", "VBZ")


@dataclass(eq=False, slots=True)
class Thing:
    """A thing of a caption; things are compared by identity.

    Attributes:
        name: Its name as the caption has it, the last word as a lemma.
        place: The position of its last word in the caption, from 1.
        words: The words of its name as they stand in the caption.
        tag: The tag of the last word.
        owner: The thing that it is a part of, or that has or wears it.
        owned: The verb of that: "have", "wear", "with".
    """

    name: str
    place: int
    words: tuple[str, ...]
    tag: str
    owner: "Thing | None" = None
    owned: str = ""

    @property
    def plural(self) -> bool:
        """Whether its noun is in the plural."""
        return self.tag in ("NNS", "NNPS")

    @property
    def head(self) -> str:
        """The last word of the name."""
        return self.name.rpartition(" ")[2]


@dataclass(frozen=True, slots=True)
class Claim:
    """One statement of a caption.

    Attributes:
        category: "entity", "attribute", "relation", "global" or "other".
        detail: The finer category: "whole", "part", "color", "count", "spatial", …
        things: What it is about: one thing, the two ends of a relation, or nothing.
        value: The attribute, the number in digits, the relation, the writing, the style.
        places: The positions (from 1) of the words that say it, things left out.
        span: The piece of the caption that it comes from.
        denied: Whether the caption says that it is not so.
    """

    category: Category
    detail: str
    things: tuple[Thing, ...]
    value: str = ""
    places: tuple[int, ...] = ()
    span: Span = (0, 0)
    denied: bool = False

    @property
    def members(self) -> tuple[str, ...]:
        """The claim as a tuple: (object), (object, value), (subject, relation, object)."""
        names = [thing.name for thing in self.things]
        if self.category == "entity":
            return (names[0],)
        if self.category == "relation":
            return names[0], self.value, names[1]
        return (*names, self.value)


@dataclass(frozen=True)
class Said:
    """A caption with its words and claims.

    Attributes:
        caption: The caption as it was written.
        words, tags, lemmas: Its words.
        claims: Its claims; a claim stands after those about its things.
    """

    caption: str
    words: tuple[str, ...]
    tags: tuple[str, ...]
    lemmas: tuple[str, ...]
    claims: tuple[Claim, ...] = ()


class StatementReader:
    """Turns traces into claims.

    Args:
        data: The tables of `grammars/questions.toml`.
        known: The tables of `grammars/diagnosis.toml`: colours, sizes, materials, garments.
    """

    def __init__(self, data: Mapping[str, Any], known: Mapping[str, Any]) -> None:
        self.nothing = frozenset(data["nothing"]["words"])
        self.surroundings = frozenset(data["nothing"]["surroundings"])
        self.postures = frozenset(data["postures"]["words"])
        self.texts = frozenset(data["texts"]["nouns"])
        worn = (known["garments"][part] for part in known["garments"] if part != "source")
        self.parts = frozenset(data["parts"]["words"])
        self.garments = frozenset(name for names in worn for name in names)
        self.details: dict[str, str] = {}
        for detail in ("texture", "shape"):
            self.details |= dict.fromkeys(data["details"][detail], detail)
        for detail in ("material", "size", "color"):
            self.details |= dict.fromkeys(known[detail + "s"]["values"], detail)

    @classmethod
    def shipped(cls) -> Self:
        """Return the reader with the shipped word lists.

        Raises:
            ResourceError: A list is missing or damaged.
        """
        known = read_table("diagnosis.toml", dict)
        return read_table("questions.toml", lambda data: cls(data, known))

    def read(self, trace: Trace, prompt: Prompt, caption: str) -> Said:
        """Return the claims of a caption.

        Args:
            trace: The trace of the text of `prompt`.
            prompt: The caption as `PromptReader` read it.
            caption: The caption as it was written.
        """
        words = tuple(word for tree in trace.parses for word in tree.words)
        tags = tuple(tag for tree in trace.parses for tag in tree.tags)
        lemmas = tuple(lemma for tree in trace.parses for lemma in tree.lemmas)
        said = Said(caption, words, tags, lemmas)
        return _Reading(self, said, trace, prompt).read()

    def detail(self, value: str, tag: str) -> str:
        """Return the finer category of an attribute."""
        last = value.rpartition(" ")[2]
        if found := self.details.get(value, self.details.get(last)):
            return found
        return "type" if tag.startswith("NN") else "state"


class _Reading:
    """The reading of one caption, while it is made."""

    def __init__(
        self, lists: StatementReader, said: Said, trace: Trace, prompt: Prompt
    ) -> None:
        self.lists, self.said, self.trace, self.prompt = lists, said, trace, prompt
        self.spans = find_tokens(prompt.text, " ".join(said.words))
        self.things = self._things()
        self.claims: dict[tuple[Any, ...], Claim] = {}

    def read(self) -> Said:
        self._own()
        self._attributes()
        self._numbers()
        self._relations()
        self._denied()
        self._writings()
        self._styles()
        entities = list(self._entities())
        order = ("other", "attribute", "relation", "global")
        others = sorted(
            self.claims.values(), key=lambda c: (order.index(c.category), c.span)
        )
        claims = (*entities, *others)
        said = self.said
        return Said(said.caption, said.words, said.tags, said.lemmas, claims)

    def _things(self) -> dict[str, Thing]:
        """Return the things by the names that the grammar gives them."""
        found: dict[str, list[tuple[int, SemanticTuple]]] = {}
        for tuple_ in self.trace.proposals:
            if len(tuple_.members) == 1:
                place = tuple_.tokens[0] if tuple_.tokens else 0
                found.setdefault(tuple_.members[0], []).append((place, tuple_))
        things = {}
        for name, places in found.items():
            nouns = [x for x in places if x[0] and self.said.tags[x[0] - 1] not in ("PRP", "PRP$")]
            place, tuple_ = min(nouns or places, key=lambda x: x[0] or 10_000)
            if not nouns and place and name in ("it", "they", "he", "she", "we", "i", "you"):
                continue
            things[name] = self._thing(name, place, tuple_)
        return dict(sorted(things.items(), key=lambda item: item[1].place))

    def _thing(self, name: str, place: int, tuple_: SemanticTuple) -> Thing:
        """Return the thing, by the words of the caption where they name it."""
        said = self.said
        own = tuple_.written[0] if tuple_.written else name
        size = own.count(" ") + 1
        words = said.words[max(0, place - size) : place]
        tag = said.tags[place - 1] if place else "NN"
        lemmas = own.split(" ")
        near = all(a[:2] == b[:2] for a, b in zip(words, lemmas))
        if not place or not near or tag in ("PRP", "PRP$"):
            return Thing(name, place, tuple(name.split(" ")), tag if near else "NN")
        return Thing(own, place, words, tag)

    def _span(self, *places: int) -> Span:
        spans = [self.spans[p - 1] for p in places if p and self.spans[p - 1] != (0, 0)]
        if not spans:
            return (0, 0)
        return min(s for s, _ in spans), max(e for _, e in spans)

    def _add(self, claim: Claim) -> None:
        self.claims.setdefault((claim.category, claim.members), claim)

    def _is_thing(self, thing: Thing) -> bool:
        return thing.head not in self.lists.nothing

    def _pairs(self, size: int) -> Iterator[tuple[SemanticTuple, tuple[Thing, ...]]]:
        """Yield the proposals of a size with their things, if all of these are known."""
        for tuple_ in self.trace.proposals:
            if len(tuple_.members) == size:
                ends = [self.things.get(name) for name in tuple_.members[::2]]
                known = tuple(end for end in ends if end is not None)
                if len(known) == len(ends):
                    yield tuple_, known

    def _own(self) -> None:
        """Say of things whose they are."""
        for tuple_, (owner, thing) in self._pairs(3):
            how = tuple_.members[1]
            worn = thing.head in self.lists.garments or thing.name in self.lists.garments
            body = thing.head in self.lists.parts
            if how not in ("have", "with") and not (how == "wear"):
                continue
            if how == "with" and not (worn or body):
                continue
            if thing.owner is None and thing is not owner and not _owns(thing, owner):
                thing.owner, thing.owned = owner, how

    def _entities(self) -> Iterator[Claim]:
        """Yield things that are claimed, each after its owner."""
        used = {id(t) for c in self.claims.values() for t in c.things if not c.denied}
        pending = list(self.things.values())
        done: set[int] = set()
        while pending:
            thing = pending.pop(0)
            if thing.owner is not None and id(thing.owner) not in done:
                if self._is_thing(thing.owner):
                    pending.append(thing)
                    continue
                thing.owner = None
            done.add(id(thing))
            keeps = thing.head in self.lists.surroundings and id(thing) in used
            if self._is_thing(thing) or keeps:
                first = thing.place - len(thing.words) + 1
                span = self._span(*range(max(1, first), thing.place + 1))
                detail = "part" if thing.owner else "whole"
                yield Claim("entity", detail, (thing,), span=span)

    def _value(self, tuple_: SemanticTuple) -> tuple[str, tuple[int, ...]]:
        """Return an attribute in the order of the caption, and the places of its words.

        Participles of the passive stay as they were written ("parked", "bent").
        """
        said, member = self.said, tuple_.members[1]
        place = tuple_.tokens[1] if len(tuple_.tokens) > 1 else 0
        if not place:
            return member, ()
        parts = member.split(" ")
        places = []
        for part in parts:
            near = range(max(1, place - _NEAR), min(len(said.words), place + _NEAR) + 1)
            fit = [k for k in near if part in (said.lemmas[k - 1], said.words[k - 1])]
            if fit:
                places.append(min(fit, key=lambda k: abs(k - place)))
        if not places or (len(places) < len(parts) and len(parts) > 1):
            return member, (place,)
        places = sorted(set(places))
        texts = [
            said.lemmas[k - 1] if said.tags[k - 1] in _VERBS else said.words[k - 1]
            for k in places
        ]
        return " ".join(texts), tuple(places)

    def _attributes(self) -> None:
        for tuple_, (thing,) in self._pairs(2):
            value = tuple_.members[1]
            if value.isdigit() or tuple_.rule == "both":
                continue
            if value.startswith("without ") or value.endswith(" of"):
                continue
            if not self._is_thing(thing) and thing.head not in self.lists.surroundings:
                continue
            value, places = self._value(tuple_)
            tag = self.said.tags[places[-1] - 1] if places else "JJ"
            detail = self.lists.detail(value, tag)
            span = self._span(*places, *(() if places else (thing.place,)))
            self._add(Claim("attribute", detail, (thing,), value, places, span))

    def _numbers(self) -> None:
        for tuple_, (thing,) in self._pairs(2):
            value = tuple_.members[1]
            if value.isdigit() and tuple_.rule != "both" and self._is_thing(thing):
                places = tuple(p for p in tuple_.tokens[1:] if p)
                span = self._span(*places, thing.place)
                self._add(Claim("other", "count", (thing,), value, places, span))

    def _relations(self) -> None:
        for tuple_, (subject, target) in self._pairs(3):
            how = tuple_.members[1]
            if not (self._is_thing(subject) and self._is_thing(target)):
                continue
            if target.owner is subject and target.owned == how:
                continue
            place = tuple_.tokens[1] if len(tuple_.tokens) == 3 else 0
            tag = self.said.tags[place - 1] if place else ""
            verb, _, rest = how.partition(" ")
            if tag.startswith("VB") and verb in self.lists.postures and rest:
                span = self._span(subject.place, place)
                self._add(Claim("attribute", "state", (subject,), verb, (place,), span))
                how, tag = rest, ""
            detail = "action" if tag.startswith("VB") else "spatial"
            span = self._span(subject.place, place, target.place)
            places = (place,) if place else ()
            self._add(Claim("relation", detail, (subject, target), how, places, span))

    def _denied(self) -> None:
        pass

    def _writings(self) -> None:
        """Say of the nearest thing before a quotation, or after it, what is written."""
        for start, end in self.prompt.writings:
            text = self.said.caption[start:end]
            at = [(self._span(t.place), t) for t in self.things.values() if t.place]
            before = [(s, t) for s, t in at if s[1] <= start]
            after = [(s, t) for s, t in at if s[0] >= end]
            if before or after:
                thing = max(before)[1] if before else min(after)[1]
                claim = Claim("other", "text rendering", (thing,), text, (), (start, end))
                self._add(claim)

    def _styles(self) -> None:
        for start, end in self.prompt.styles:
            text = self.said.caption[start:end]
            self._add(Claim("global", "style", (), text, (), (start, end)))


def _owns(thing: Thing, other: Thing) -> bool:
    """Return whether a thing owns another one, or owns its owner."""
    while other.owner is not None:
        other = other.owner
        if other is thing:
            return True
    return False
