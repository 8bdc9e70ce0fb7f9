"""Statements: what a caption says, thing by thing and fact by fact.

In: the trace of a caption through the pipeline, with the grammar spicepy-1. Out: its
`Statement`s: things and their parts, numbers, attributes, relations, what is written,
and what the picture as a whole is like.

    "two dogs in red hats"  →  dog · hat (of dog) · dog ×2 · hat: red

A statement is about things that other statements state: its parents. What the colour
of a hat is need not be asked if there is no hat.

Source: Cho et al. 2024, Davidsonian Scene Graph, section 3 (categories and parents).
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Final, Literal, Self

from spicepy.asking.prompts import Prompt, Span
from spicepy.common.data_files import read_table
from spicepy.common.words.hierarchy import load_hierarchy
from spicepy.extraction.tuples import SemanticTuple
from spicepy.grammar.values import Grammar
from spicepy.pipeline.trace import Trace
from spicepy.tokenization.token_spans import find_tokens

Category = Literal["entity", "attribute", "relation", "global", "other"]

_NAME: Final = re.compile(
    r"[A-Z][\w’'-]*(?:(?: of| of the| the)? [A-Z][\w’'-]*)+(?![\w])"
)
_NO_NAMES: Final = ("CC", "CD", "DT", "IN", "PDT", "PRP", "PRP$", "RB", "VBG", "WRB")
OWNING: Final = ("have", "with")
"""Relations by which one thing is another one's."""
_NEAR: Final = 5
"""The most words between the words of one attribute."""
_VERBS: Final = ("VB", "VBG", "VBP", "VBZ")


@dataclass(eq=False, slots=True)
class Entity:
    """A thing of a caption; things are compared by identity.

    Attributes:
        name: Its name as the caption has it, the last word as a lemma.
        place: The position of its last word in the caption, from 1.
        words: The words of its name as they stand in the caption.
        tag: The tag of the last word.
        portion: The word for so much of it: "slices" of bread.
        number: How many there are, if the caption gives a number; 0 otherwise.
        article: Whether a proper name has an article: the Eiffel Tower.
        owner: The thing that it is a part of, or that has or wears it.
        owned: The verb of that: "have", "wear", "with".
        region: Whether it is only a side of its owner: the back of a house.
        matter: Whether it is only what another thing is made of.
        stated: Whether the caption says that it is there.
        activity: Whether it is something to do: tennis.
    """

    name: str
    place: int
    words: tuple[str, ...]
    tag: str
    portion: str = ""
    number: int = 0
    article: bool = False
    owner: "Entity | None" = None
    owned: str = ""
    region: bool = False
    matter: bool = False
    stated: bool = True
    activity: bool = False

    @property
    def plural(self) -> bool:
        """Whether its noun is in the plural."""
        return self.tag in ("NNS", "NNPS") or self.number > 1

    @property
    def head(self) -> str:
        """The last word of the name."""
        return self.name.rpartition(" ")[2]


@dataclass(frozen=True, slots=True)
class Statement:
    """One statement of a caption.

    Attributes:
        category: "entity", "attribute", "relation", "global" or "other".
        detail: The finer category: "whole", "part", "color", "count", "spatial", …
        things: What it is about: one thing, the two ends of a relation, or nothing.
        value: The attribute, the number in digits, the relation, or what is written.
        places: The positions (from 1) of the words that say it, things left out.
        span: The piece of the caption that it comes from.
        denied: Whether the caption says that it is not so.
        passive: Whether it says what is done to its subject: parked beside a barn.
    """

    category: Category
    detail: str
    things: tuple[Entity, ...]
    value: str = ""
    places: tuple[int, ...] = ()
    span: Span = (0, 0)
    denied: bool = False
    passive: bool = False

    @property
    def members(self) -> tuple[str, ...]:
        """(object), (object, value), (subject, relation, object), or (value) alone."""
        names = [thing.name for thing in self.things]
        if self.category == "entity":
            return (names[0],)
        if self.category == "relation":
            return names[0], self.value, names[1]
        return (*names, self.value)


@dataclass(frozen=True)
class Said:
    """A caption with its words and statements.

    Attributes:
        caption: The caption as it was written.
        words, tags, lemmas: Its words.
        statements: Its statements; a statement stands after those about its things.
    """

    caption: str
    words: tuple[str, ...]
    tags: tuple[str, ...]
    lemmas: tuple[str, ...]
    statements: tuple[Statement, ...] = ()


class StatementReader:
    """Turns traces into statements.

    Args:
        data: The tables of `grammars/questions.toml`.
        known: The tables of `grammars/diagnosis.toml`: colours, garments, ….
        grammar: The grammar that made the tuples; its list "deeds".
    """

    def __init__(
        self,
        data: Mapping[str, Any],
        known: Mapping[str, Any],
        grammar: Grammar,
    ) -> None:
        self.done_by_living = frozenset(grammar.lists["deeds"]) | {"smoke", "use"}
        self.nothing = frozenset(data["nothing"]["words"])
        self.surroundings = frozenset(data["nothing"]["surroundings"])
        self.activities = frozenset(data["activities"]["words"])
        self.joints = frozenset(data["joints"]["words"])
        self.postures = frozenset(data["postures"]["words"])
        self.regions = frozenset(data["nothing"]["regions"])
        self.made = frozenset(data["details"]["made"])
        self.written = frozenset(data["details"]["written"])
        self.texts = frozenset(data["texts"]["nouns"])
        worn = (
            known["garments"][part] for part in known["garments"] if part != "source"
        )
        self.parts = frozenset(data["parts"]["words"])
        self.garments = frozenset(name for names in worn for name in names)
        self.details: dict[str, str] = {}
        for detail in ("texture", "shape"):
            self.details |= dict.fromkeys(data["details"][detail], detail)
        for detail in ("material", "size", "color"):
            self.details |= dict.fromkeys(known[detail + "s"]["values"], detail)

    @classmethod
    def shipped(cls, grammar: Grammar) -> Self:
        """Return the reader with the shipped word lists.

        Args:
            grammar: The grammar that makes the tuples: spicepy-1, or an extension.

        Raises:
            ResourceError: A list is missing or damaged.
        """
        known = read_table("diagnosis.toml", dict)
        return read_table("questions.toml", lambda data: cls(data, known, grammar))

    def read(self, trace: Trace, prompt: Prompt, caption: str) -> Said:
        """Return the statements of a caption.

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


@cache
def is_living(noun: str) -> bool:
    """Return whether the most frequent sense of a noun is a person or an animal."""
    hierarchy = load_hierarchy()
    beings = {hierarchy.synsets(name)[0] for name in ("person", "animal")}
    synsets = hierarchy.synsets(noun)[:1]
    return any(not beings.isdisjoint(hierarchy.above(s)) for s in synsets)


class _Reading:
    """The reading of one caption, while it is made."""

    def __init__(
        self, lists: StatementReader, said: Said, trace: Trace, prompt: Prompt
    ) -> None:
        self.lists, self.said, self.trace, self.prompt = lists, said, trace, prompt
        self.spans = find_tokens(prompt.text, " ".join(said.words))
        self.sentences = [
            number for number, tree in enumerate(trace.parses) for _ in tree.words
        ]
        self.texts = tuple(self._texts())
        self.things = self._things()
        self.statements: dict[tuple[Any, ...], Statement] = {}
        self._name_kinds()
        for thing in self.things.values():
            before = self.said.words[max(0, thing.place - 2) : thing.place - 1]
            bare = not {"a", "an", "the"}.intersection(before) and thing.tag == "NN"
            thing.activity = bare and thing.name in self.lists.activities

    def read(self) -> Said:
        self._own()
        self._attributes()
        self._numbers()
        self._relations()
        self._denied()
        self._writings()
        self._styles()
        entities = list(self._entities())
        order = ("other", "attribute", "relation", "global", "entity")
        others = sorted(
            self.statements.values(),
            key=lambda c: (c.denied, order.index(c.category), c.span),
        )
        statements = (*entities, *others)
        said = self.said
        return Said(said.caption, said.words, said.tags, said.lemmas, statements)

    def _texts(self) -> Iterator[str]:
        """Yield the words as they are inside a sentence: names with capitals."""
        words, text = self.said.words, self.prompt.text
        letters = [word for word in self.said.caption.split() if word[0].isalpha()]
        title = 2 * sum(word[0].isupper() for word in letters) > len(letters)
        for place, (word, (start, end)) in enumerate(zip(words, self.spans)):
            first = not place or self.sentences[place] != self.sentences[place - 1]
            as_written = end > start and not (title or first) and text[start:end] != "I"
            yield text[start:end] if as_written else word

    def _things(self) -> dict[str, Entity]:
        """Return the things by the names that the grammar gives them."""
        found: dict[str, list[tuple[int, SemanticTuple]]] = {}
        for tuple_ in self.trace.proposals:
            if len(tuple_.members) == 1:
                place = tuple_.tokens[0] if tuple_.tokens else 0
                found.setdefault(tuple_.members[0], []).append((place, tuple_))
        things: dict[str, Entity] = {}
        first = {name: min(p for p, _ in places) for name, places in found.items()}
        for name, places in sorted(found.items(), key=lambda item: first[item[0]]):
            nouns = [
                x
                for x in places
                if x[0] and self.said.tags[x[0] - 1] not in ("PRP", "PRP$")
            ]
            place, tuple_ = min(nouns or places, key=lambda x: x[0] or 10_000)
            if (
                not nouns
                and place
                and name in ("it", "they", "he", "she", "we", "i", "you")
            ):
                continue
            if not nouns and place and (antecedent := self._living(things, place)):
                things[name] = antecedent
                continue
            things[name] = self._thing(name, place, tuple_)
        for name, thing in list(things.items()):
            following = self.said.lemmas[thing.place : thing.place + 1]
            if following and f"{name} {following[0]}" in things:
                del things[name]  # The dining of a dining table.
        things = dict(sorted(things.items(), key=lambda item: item[1].place))
        return self._with_names(things)

    def _with_names(self, things: dict[str, Entity]) -> dict[str, Entity]:
        """Name things by the proper names of the caption: the Eiffel Tower."""
        caption, said = self.prompt.text, self.said
        words = [word for word in said.caption.split() if word[0].isalpha()]
        if 2 * sum(word[0].isupper() for word in words) > len(words):
            return things  # A title.
        starts = {start: place for place, (start, _) in enumerate(self.spans, 1)}
        ends = {end: place for place, (_, end) in enumerate(self.spans, 1)}
        for thing in things.values():
            self._name_properly(thing)
        for match in _NAME.finditer(caption):
            first, last = starts.get(match.start(), 0), ends.get(match.end(), 0)
            while 0 < first < last and said.tags[first - 1] in _NO_NAMES:
                first += 1
            after = said.tags[last] if last < len(said.tags) else ""
            if not 0 < first < last or after.startswith("NN"):
                continue
            name = caption[self.spans[first - 1][0] : match.end()]
            own = [key for key, t in things.items() if first <= t.place <= last]
            thing = Entity(name, last, tuple(name.split(" ")), "NNP")
            thing.article = first > 1 and said.words[first - 2] == "the"
            things |= dict.fromkeys(own or [name], thing)
        return dict(sorted(things.items(), key=lambda item: item[1].place))

    def _name_properly(self, thing: Entity) -> None:
        """Mark a thing that a single word with a capital names: the Colosseum."""
        first, said = thing.place - len(thing.words), self.said
        if thing.tag not in ("NN", "NNP") or len(thing.words) != 1 or first < 1:
            return
        before = said.words[first - 1]
        word = thing.words[0]
        named = word[:1].isupper() and not word.isupper()
        if named and before not in ("a", "an", "one"):
            thing.name, thing.tag, thing.article = word, "NNP", before == "the"

    def _living(self, things: Mapping[str, Entity], place: int) -> Entity | None:
        """Return the last living thing before a pronoun that has no noun of its own."""
        if self.said.tags[place - 1] not in ("PRP", "PRP$"):
            return None
        before = [
            t for t in things.values() if 0 < t.place < place and is_living(t.head)
        ]
        return max(before, key=lambda thing: thing.place, default=None)

    def _thing(self, name: str, place: int, tuple_: SemanticTuple) -> Entity:
        """Return the thing, by the words of the caption where they name it."""
        said = self.said
        own = tuple_.written[0] if tuple_.written else name
        if own.endswith("ed") and own[:-2] in self.lists.parts:
            return Entity(own[:-2], place, (own[:-2],), "NN")  # A long-haired cat.
        size = own.count(" ") + 1
        words = self.texts[max(0, place - size) : place]
        tag = said.tags[place - 1] if place else "NN"
        lemmas = own.split(" ")
        own_lemmas = said.lemmas[max(0, place - size) : place]
        near = all(
            b in (a.lower(), lemma) or a[:3].lower() == b[:3]
            for a, lemma, b in zip(words, own_lemmas, lemmas)
        )
        if not place or not near or tag in ("PRP", "PRP$"):
            return Entity(name, place, tuple(name.split(" ")), tag if near else "NN")
        return Entity(own, place, words, tag)

    def _name_kinds(self) -> None:
        """Take nouns before a noun into its name: an oak tree, a computer monitor.

        What something is made of stays an attribute.
        """
        said, modifiers = self.said, self._modifiers()
        for thing in dict.fromkeys(self.things.values()):
            self._name_whole(thing, modifiers)
            first = thing.place - len(thing.words)
            as_written = thing.words == self.texts[max(0, first) : thing.place]
            while (
                first > 0
                and as_written
                and said.tags[first - 1] in ("NN", "NNP", "NNPS")
                and first in modifiers.get(thing.place, ())
                and said.lemmas[first - 1] not in self.lists.details
                and said.lemmas[first - 1] not in self.lists.nothing
            ):
                thing.words = (self.texts[first - 1], *thing.words)
                thing.name = f"{said.words[first - 1]} {thing.name}"
                first -= 1

    def _name_whole(self, thing: Entity, modifiers: Mapping[int, set[int]]) -> None:
        """Take a noun after a noun into its name where it is no thing: a panda bear."""
        said, last = self.said, thing.place + 1
        if (
            not thing.place
            or last > len(said.words)
            or not said.tags[last - 1].startswith("NN")
        ):
            return
        known = any(last == other.place for other in self.things.values())
        if thing.place in modifiers.get(last, ()) and not known:
            thing.words = (*thing.words, self.texts[last - 1])
            thing.name = f"{thing.name} {said.lemmas[last - 1]}"
            thing.place, thing.tag = last, said.tags[last - 1]

    def _modifiers(self) -> dict[int, set[int]]:
        """Return the places of the words that modify each noun directly."""
        found: dict[int, set[int]] = {}
        start = 0
        for tree in self.trace.parses:
            for place, (head, label) in enumerate(zip(tree.heads, tree.labels), 1):
                if label in ("compound", "amod", "nummod", "dep"):
                    found.setdefault(head + start, set()).add(place + start)
            start += len(tree.words)
        return found

    def _span(self, *places: int) -> Span:
        spans = [self.spans[p - 1] for p in places if p and self.spans[p - 1] != (0, 0)]
        if not spans:
            return (0, 0)
        return min(s for s, _ in spans), max(e for _, e in spans)

    def _said_at(self, tuple_: SemanticTuple, *members: int) -> Span:
        """Return the span of the members of a tuple, within the last one's sentence."""
        places = [tuple_.tokens[k] for k in members if k < len(tuple_.tokens)]
        places = [place for place in places if place]
        if not places:
            return (0, 0)
        last = self.sentences[places[-1] - 1]
        return self._span(*(p for p in places if self.sentences[p - 1] == last))

    def _add(self, statement: Statement) -> None:
        self.statements.setdefault((statement.category, statement.members), statement)

    def _is_thing(self, thing: Entity) -> bool:
        return thing.head not in self.lists.nothing and not thing.region

    def _pairs(self, size: int) -> Iterator[tuple[SemanticTuple, tuple[Entity, ...]]]:
        """Yield the proposals of a size with their things, if all are known."""
        for tuple_ in self.trace.proposals:
            if len(tuple_.members) == size:
                ends = [self.things.get(name) for name in tuple_.members[::2]]
                known = tuple(end for end in ends if end is not None)
                if len(known) == len(ends):
                    yield tuple_, known

    def _own(self) -> None:
        """Say of things whose they are."""
        lists = self.lists
        wearers = {
            id(thing): wearer
            for tuple_, (wearer, thing) in self._pairs(3)
            if tuple_.members[1] == "wear" and tuple_.rule != "owner"
        }
        for tuple_, (owner, thing) in self._pairs(3):
            how = tuple_.members[1]
            wearer = wearers.get(id(thing))
            if tuple_.rule == "owner" and wearer not in (None, owner):
                self._sort(thing, owner, tuple_)
                continue
            if how not in OWNING or (how == "with" and self._goes_with(thing)):
                continue
            if thing.owner is None and thing is not owner and not _owns(thing, owner):
                thing.owner, thing.owned = owner, how
                thing.region = thing.name in lists.regions and not is_living(owner.head)

    def _sort(self, thing: Entity, owner: Entity, tuple_: SemanticTuple) -> None:
        """Say of what one wears that it is of another's sort: a conductor's hat."""
        place = tuple_.tokens[0] if tuple_.tokens else 0
        if not place or self.said.tags[place - 1].startswith("PRP"):
            return
        owner.matter = True
        value, span = f"{' '.join(owner.words)}'s", self._said_at(tuple_, 0, 2)
        places = (owner.place,)
        self._add(Statement("attribute", "type", (thing,), value, places, span))

    def _goes_with(self, thing: Entity) -> bool:
        """Return whether what something is "with" is beside it: a man with a dog."""
        return is_living(thing.head)

    def _entities(self) -> Iterator[Statement]:
        """Yield things that are stated, each after its owner."""
        used = {
            id(t) for c in self.statements.values() for t in c.things if not c.denied
        }
        pending = list(dict.fromkeys(self.things.values()))
        done: set[int] = set()
        while pending:
            thing = pending.pop(0)
            if thing.owner is not None and id(thing.owner) not in done:
                if self._is_thing(thing.owner):
                    pending.append(thing)
                    continue
                thing.owner = None
            done.add(id(thing))
            if thing.activity:
                continue
            keeps = thing.head in self.lists.surroundings and id(thing) in used
            if thing.matter and id(thing) not in used:
                continue
            if self._is_thing(thing) or keeps:
                first = thing.place - len(thing.words) + 1
                span = self._span(*range(max(1, first), thing.place + 1))
                detail = "part" if thing.owner else "whole"
                yield Statement("entity", detail, (thing,), span=span)

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
            said.lemmas[k - 1] if said.tags[k - 1] in _VERBS else self.texts[k - 1]
            for k in places
        ]
        return " ".join(texts), tuple(places)

    def _attributes(self) -> None:
        for tuple_, (thing,) in self._pairs(2):
            value = tuple_.members[1]
            if value.isdigit() or tuple_.rule == "both":
                continue
            if value.endswith(" of") and self._is_thing(thing):
                span, group = self._said_at(tuple_, 0, 1), value.removesuffix(" of")
                self._add(Statement("other", "count", (thing,), group, (), span))
            if value.startswith("without ") or value.endswith(" of"):
                continue
            if not self._is_thing(thing) and thing.head not in self.lists.surroundings:
                continue
            value, places = self._value(tuple_)
            name = range(thing.place - len(thing.words) + 1, thing.place + 1)
            if places and all(place in name for place in places):
                continue
            tag = self.said.tags[places[-1] - 1] if places else "JJ"
            detail = self.lists.detail(value, tag)
            if places and self.said.words[places[-1] :][:1] == ("of",):
                thing.portion = value
                continue
            span = self._span(*places, *(() if places else (thing.place,)))
            self._add(Statement("attribute", detail, (thing,), value, places, span))

    def _numbers(self) -> None:
        for tuple_, (thing,) in self._pairs(2):
            value = tuple_.members[1]
            if value.isdigit() and tuple_.rule != "both" and self._is_thing(thing):
                places = tuple(p for p in tuple_.tokens[1:] if p)
                if tuple_.tokens[0] == thing.place and not thing.portion:
                    thing.number = int(value)
                span = self._said_at(tuple_, 0, 1)
                self._add(Statement("other", "count", (thing,), value, places, span))

    def _relations(self) -> None:
        for tuple_, (subject, target) in self._pairs(3):
            how = _as_written(tuple_)
            if target.region and target.owner is not None:
                how, target = f"{how} {target.name} of", target.owner
            if not (self._is_thing(subject) and self._is_thing(target)):
                continue
            if tuple_.members[1] in OWNING and target.owner is subject:
                continue
            if tuple_.rule == "owner" and subject.matter:
                continue
            if tuple_.members[1] in ("have", "wear") and subject is target:
                continue
            place = tuple_.tokens[1] if len(tuple_.tokens) == 3 else 0
            tag = self.said.tags[place - 1] if place else ""
            subject = self._doer(subject, how, place)
            if how in self.lists.made or how in self.lists.written:
                detail = "material" if how in self.lists.made else "style"
                self._material(subject, target, place, detail)
                continue
            verb, _, rest = how.partition(" ")
            if tag.startswith("VB") and verb in self.lists.postures and rest:
                span = self._said_at(tuple_, 0, 1)
                value = self.said.words[place - 1] if tag == "VBN" else verb
                self._add(
                    Statement("attribute", "state", (subject,), value, (place,), span)
                )
                how, tag, place = rest, "", 0
                if how == "with" and target.head in self.lists.parts:
                    continue
            span = self._said_at(tuple_, 0, 1, 2)
            if target.head in self.lists.joints and how.endswith(" at"):
                target.matter = True
                value = f"{how} the {' '.join(target.words)}"
                self._add(Statement("attribute", "state", (subject,), value, (), span))
                continue
            detail = "action" if tag.startswith("VB") else "spatial"
            places = (place,) if place else ()
            turned = tuple_.written and tuple_.members[0] == tuple_.written[-1]
            passive = tuple_.rule != "passive-agent" and not turned
            worn = {target.name, target.head} & self.lists.garments
            if how == "in" and worn and is_living(subject.head):
                how = "wear"
            ends = (subject, target)
            self._add(
                Statement("relation", detail, ends, how, places, span, passive=passive)
            )

    def _doer(self, subject: Entity, how: str, place: int) -> Entity:
        """Return who does what only living beings do: "a man on a bed reading a book".

        The parser may take the noun before a participle for its subject.
        """
        verb = how.partition(" ")[0]
        if verb not in self.lists.done_by_living or is_living(subject.head):
            return subject
        if not place or self.said.tags[place - 1] != "VBG":
            return subject
        sentence = self.sentences[place - 1]
        before = [
            thing
            for thing in self.things.values()
            if 0 < thing.place < place
            and self.sentences[thing.place - 1] == sentence
            and is_living(thing.head)
        ]
        return before[0] if before else subject

    def _material(
        self, thing: Entity, material: Entity, place: int, detail: str
    ) -> None:
        """Say what a thing is made of or written in, which is no thing besides it."""
        material.matter = True
        first = material.place - len(material.words) + 1
        places = (*([place] if place else ()), *range(first, material.place + 1))
        value, span = " ".join(material.words), self._span(*places)
        self._add(Statement("attribute", detail, (thing,), value, places, span))

    def _denied(self) -> None:
        """Say what is not so: "no people on the beach", "a man without a hat".

        What is not there is denied where it is missing: the hat of the man.
        """
        denied = [t for t in self.trace.unreal if t.mood == "denied"]
        absent = {
            t.members[0]: self._thing(t.members[0], t.tokens[0], t)
            for t in denied
            if len(t.members) == 1 and t.members[0] not in self.things
        }
        for thing in absent.values():
            thing.stated = False
        missed = set(absent)
        for tuple_ in denied:
            names = tuple_.members[::2]
            ends = tuple(self.things.get(n) or absent.get(n) for n in names)
            if len(names) == len(tuple_.members) or None in ends:
                continue
            if all(self._is_thing(end) for end in ends if end):
                self._deny(tuple_, tuple(end for end in ends if end))
                missed -= set(names)
        for name in missed:
            span = self._span(absent[name].place)
            statement = Statement(
                "entity", "whole", (absent[name],), span=span, denied=True
            )
            self.statements["denied", name] = statement

    def _deny(self, tuple_: SemanticTuple, ends: tuple[Entity, ...]) -> None:
        """Say that an attribute or a relation is not so."""
        span = self._said_at(tuple_, *range(len(tuple_.members)))
        place = tuple_.tokens[1] if len(tuple_.tokens) > 1 else 0
        tag = self.said.tags[place - 1] if place else ""
        if len(ends) == 1:
            value, places = self._value(tuple_)
            detail = self.lists.detail(value, tag)
            statement = Statement(
                "attribute", detail, ends, value, places, span, denied=True
            )
        else:
            how = "have" if tuple_.members[1] == "with" else _as_written(tuple_)
            detail = "action" if tag.startswith("VB") else "spatial"
            places = (place,) if place else ()
            statement = Statement(
                "relation", detail, ends, how, places, span, denied=True
            )
        if (statement.category, statement.members) not in self.statements:
            self.statements["denied", statement.members] = statement

    def _writings(self) -> None:
        """Say of the nearest thing before a quotation, or after it, what is written."""
        for start, end in self.prompt.writings:
            text = self.said.caption[start:end]
            at = [(self._span(t.place), t) for t in self.things.values() if t.place]
            before = [(span[1], t) for span, t in at if span[1] <= start]
            after = [(-span[0], t) for span, t in at if span[0] >= end]
            if not before and not after:
                continue
            thing = max(before or after, key=lambda item: item[0])[1]
            self._add(
                Statement("other", "text rendering", (thing,), text, (), (start, end))
            )

    def _styles(self) -> None:
        for start, end in self.prompt.styles:
            text = self.said.caption[start:end]
            self._add(Statement("global", "style", (), text, (), (start, end)))
        for start, end in self.prompt.times:
            text = self.said.caption[start:end]
            self._add(Statement("global", "time", (), text, (), (start, end)))


def _as_written(tuple_: SemanticTuple) -> str:
    """Return a relation in the caption's words, if it joins the same two things."""
    members, written = tuple_.members, tuple_.written
    if len(written) != 3 or members[1] in (*OWNING, "wear"):
        return members[1]
    turned = members[0] == written[2] or members[2] == written[0]
    verb = tuple_.tokens[1] if len(tuple_.tokens) == 3 else 0
    fewer = not verb and written[1] in ("of", "with", "in")
    return members[1] if turned or fewer else written[1]


def _owns(thing: Entity, other: Entity) -> bool:
    """Return whether a thing owns another one, or owns its owner."""
    while other.owner is not None:
        other = other.owner
        if other is thing:
            return True
    return False
