"""Reading: the statements of a caption, from its tuples.

In: the trace of a caption through the pipeline, with the grammar spicepy-1. Out: its
`Statement`s: things and their parts, numbers, attributes, relations, what is written,
what the picture as a whole is like, and what is denied.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from operator import itemgetter
from typing import Final

from spicepy.asking.entities import ParsedCaption, StatementWords
from spicepy.asking.owners import is_inside
from spicepy.asking.relations import Relations
from spicepy.asking.scanning import DETAILS
from spicepy.asking.statements import Category, Entity, Prompt, Said, Statement
from spicepy.asking.words import is_living
from spicepy.pipeline.stages import Trace
from spicepy.rules.tuples import SemanticTuple
from spicepy.words.numerals import find_numerals, load_number_words

_PLACED: Final = 4  # The fewest words of what is done to a side: leans to the left.
_ORDER: Final = ("other", "attribute", "relation", "global", "entity")


def read_statements(
    words: StatementWords, trace: Trace, prompt: Prompt, caption: str
) -> Said:
    """Return a caption with its statements."""
    parsed = ParsedCaption(words, trace, prompt, caption)
    return replace(parsed.said, statements=tuple(_Reading(parsed).statements()))


class _Reading(Relations):
    """The reading of one caption, while it is made."""

    def statements(self) -> Iterator[Statement]:
        """Yield entities, each after its owner; then numbers and so on by category."""
        for tuple_, (thing,) in self.things.pairs(2):
            self._say_attribute(tuple_, thing)
        for tuple_, (subject, target) in self.things.pairs(3):
            self._say_relation(tuple_, subject, target)
        self._say_denied()
        self._join_between()
        self._say_scanned()
        self._say_of_picture()
        self._leave_out_repetitions()
        yield from self._entities()
        yield from sorted(
            self.found.values(),
            key=lambda s: (s.denied, _ORDER.index(s.category), s.span),
        )

    def _leave_out_repetitions(self) -> None:
        """Leave out attributes that a longer one says: bent, bent at the knees."""
        about = [(k, s) for k, s in self.found.items() if s.category == "attribute"]
        for key, one in about:
            same = [s.value for _, s in about if s.things == one.things]
            longer = any(v.startswith(f"{one.value} ") for v in same)
            if one.detail == "color":  # Orange, bright orange.
                longer = longer or any(v.endswith(f" {one.value}") for v in same)
            if longer and not one.denied:
                del self.found[key]

    def _entities(self) -> Iterator[Statement]:
        """Yield things that are stated, each after its owner."""
        every = self.found.values()
        used = {id(thing) for s in every if not s.denied for thing in s.things}
        pending = list(self.things)
        done: set[int] = set()
        while pending:
            thing = pending.pop(0)
            if thing.owner is not None and id(thing.owner) not in done:
                if self.things.is_thing(thing.owner):
                    pending.append(thing)
                    continue
                thing.owner = None
            done.add(id(thing))
            # Every picture has a background and was taken.
            unasked = thing.head in self.words["surroundings"] | self.words["watched"]
            unasked = unasked or not thing.stated
            unasked = unasked or self.things.is_viewer(thing) or thing.activity
            if thing.matter and id(thing) not in used:
                continue
            if not unasked and self.things.is_thing(thing):
                span = self.parsed.span(*range(thing.first, thing.place + 1))
                detail = "part" if thing.owner else "whole"
                yield Statement("entity", detail, (thing,), span=span)

    def _say_attribute(self, tuple_: SemanticTuple, thing: Entity) -> None:
        value = tuple_.members[1]
        kept = self.things.is_thing(thing) or thing.head in self.words["surroundings"]
        unsaid = tuple_.rule in ("both", "shared-number") or value[:8] == "without "
        told = tuple_.rule == "clause-plain" and self.tag(*tuple_.tokens[1:2]) == "NNS"
        if unsaid or told or not kept:  # A forest, fireflies.
            return
        thing = self.things.doer(thing, value, *tuple_.tokens[1:2])
        if number := load_number_words().number(value):
            self._say_number(tuple_, thing, number[0])
        elif value.endswith(" of"):
            if thing.name in self.words["same_plural"]:
                thing.number = 2  # A group of sheep.
            self._say("count", thing, value[:-3], (), self.parsed.span_of(tuple_))
        else:
            self._say_value(tuple_, thing)

    def _bound(self, at: int) -> str:
        """Return the words of a number that is a bound: "more than two"; else ""."""
        said, known = self.said, load_number_words()
        numerals = find_numerals(said.words, said.tags, known)
        own = (n for n in numerals if n.first <= at <= n.last and n.low != n.high)
        return next((numeral.words for numeral in own), "")

    def _say_number(self, tuple_: SemanticTuple, thing: Entity, number: int) -> None:
        said, at = self.said, max(tuple_.tokens[1:], default=0)
        of = at + 1 + (said.word(at + 1) == "out")
        last = thing.words[-1]
        many = last[-1:] == "s" and last in self.words["plural"]
        if many and said.word(at) == "pair":
            return  # Glasses.
        some = said.words[at - 1] in self.words["shares"] and said.word(of) == "of"
        whole = said.word(said.start(thing, "CD")) if some else ""
        if found := load_number_words().number(whole):
            self._say("count", thing, str(found[0]))
        own = tuple_.tokens[:1] == (thing.place,)
        before = said.word(said.start(thing, "CD") - 1)
        one = own and thing.tag == "NN" and before in ("a", "an")
        if some or one or thing.number > number:
            return  # Three of the children are only some; a four way stop is one.
        if own and not thing.portion:
            thing.number = number
        of = said.start(thing) - 1
        if at < of - 1 and said.words[of - 1] == "of":
            thing.portion = said.words[of - 2]  # Three strips of bacon.
        places = tuple(place for place in tuple_.tokens[1:] if place)
        span = self.parsed.span_of(tuple_)
        two = tuple_.members[1] == "2" and thing.head in self.words["parts"]
        if not two or not any(is_living(other.head) for other in self.things):
            # Whoever is there has two hands.
            value = self._bound(at) or tuple_.members[1]
            self._say("count", thing, value, places, span)

    def _say_scanned(self) -> None:
        """Say what the words beside things say that no tuple says."""
        known = {p for s in self.found.values() for p in s.places}
        counted = {id(s.things[0]) for s in self.found.values() if s.detail == "count"}
        things = {
            tuple_.tokens[0]: thing
            for tuple_, (thing,) in self.things.pairs(1)
            if self.things.is_thing(thing)
        }
        mentions = {p: t for p, t in things.items() if self.tag(p)[:2] == "NN"}
        for thing, name, places in self.things.scan.found(things, mentions):
            if name == "bare":
                self._say_bare(thing, set(places) - known)
                continue
            texts = [self.parsed.texts[place - 1] for place in places]
            if name == "where" and texts[-1] in self.words["surroundings"]:
                self._say_behind(thing, places)
                continue
            detail = DETAILS.get(name, "state")
            told = detail == "count" and id(thing) in counted
            if self.tag(places[0]) in ("VBG", "VBP", "VBZ"):
                texts[0] = self.said.lemmas[places[0] - 1]
            if name == "doing":
                thing = self.things.doer(self.things.wearer(thing), "", places[0])
                bare = len(places) == 1 and texts[0] in self.words["incomplete"]
                told = bare or (places[0] in known and len(places) < _PLACED)
            elif name == "dressed":
                told = places[0] in known
                for other in self.things:
                    other.matter = other.matter or other.place in places
            elif name == "held":
                limb = thing.head in self.words["parts"] and places[-1] not in known
                told = not limb or self.said.word(places[-1] + 1) == "of"
            value = " ".join(texts).replace(" ,", ",")
            if not told and places[0] not in thing.marked:
                self._say(detail, thing, value, places)

    def _say_bare(self, thing: Entity, places: Iterable[int]) -> None:
        """Say what a prompt lists of its first thing: a cat, fluffy, wet."""
        for place in places:
            if (tag := self.tag(place)) in ("JJ", "VBN"):
                value = self.parsed.texts[place - 1]
                self._say(self.words.detail(value, tag), thing, value, (place,))

    def _say_behind(self, thing: Entity, places: tuple[int, ...]) -> None:
        """Say that a thing is in the background, and not what stands before that."""
        behind = self.things.every.get(self.said.lemmas[places[-1] - 1])
        if behind is None:
            return
        how = self.said.words[places[0] - 1]
        span = self.parsed.span(thing.place, *places)
        after, words = thing.place > places[-1], self.said.words[: thing.first - 1]
        for key, other in list(self.found.items()):
            if (other.things[1:], other.value) == ((behind,), how):
                first = other.things[0].place
                if first < places[0] if after else words[first:][-1:] == (",",):
                    del self.found[key]
        self._add(Statement("relation", "spatial", (thing, behind), how, (), span))

    def _say_value(self, tuple_: SemanticTuple, thing: Entity) -> None:
        value, places = self.parsed.value(tuple_)
        first, last = min(places, default=0), max(places, default=0)
        wholes = (t for t in self.things if t is thing or is_inside(thing, t))
        named = any(t.first <= first and last <= t.place for t in wholes)
        if first in thing.marked or (named and "'s " not in thing.name):
            return  # It is in the name.
        span = self.parsed.span_of(tuple_)
        if value in ("miss", "missing") and first > thing.place:
            if thing.owner is not None:
                thing.stated = False  # The front wheel of a bike is missing.
                about = (thing,)
                self._add(Statement("entity", "part", about, "", places, span, True))
            return
        after, tag = self.said.word(last + 1), self.tag(first)
        does = tag.startswith(("VB", "IN"))
        if (
            self.things.is_misread(tuple_, thing, places)
            or value in self.words["unsaid"]
            or after == "than"
            or (after == "of" and tag in ("JJR", "JJS"))  # The larger of the dogs.
            or value in self.words["transitive"]  # What is raised?
            or self.said.is_possible(first)
        ):
            return
        if tag == "VBN" and places == (first,) and first > thing.place:
            bare = value not in self.words["sided"]
            if bare and self.said.lemmas[first - 1] in self.words["incomplete"]:
                return  # Placed in the middle.
        shaded = value in self.words["shades"] and last + 1 < thing.first
        if shaded and self.words.details.get(after) == "color":
            value, last, places = f"{value} {after}", last + 1, (first, last + 1)
        tag = tag if does else self.tag(last)
        if after == "of" and len(places) == 1 and self.tag(last)[:2] == "NN":
            thing.portion = value
            return
        detail = self.words.detail(value, tag)
        span = self.parsed.span(*(places or (thing.place,)))
        denied = self.said.word(first - 1) in ("neither", "nor")
        said = Statement("attribute", detail, (thing,), value, places, span, denied)
        self._add(replace(said, share=self.things.one_of(tuple_, thing)))

    def _say_denied(self) -> None:
        """Say what is not so: "no people on the beach", "a man without a hat".

        What is not there is denied where it is missing: the hat of the man.
        """
        denied = [t for t in self.parsed.trace.unreal if t.mood == "denied"]
        absent = {
            t.members[0]: self.parsed.entity(t.members[0], t.tokens[0], t)
            for t in denied
            if len(t.members) == 1 and t.members[0] not in self.things.every
        }
        for name, thing in absent.items():
            thing.stated = False
            if thing.words[-1] in self.words["nobody"]:
                thing.name, thing.words = name, ("anybody",)
        missed = set(absent)
        for tuple_ in denied:
            names = tuple_.members[::2]
            ends = [self.things.every.get(n) or absent.get(n) for n in names]
            known = tuple(end for end in ends if end and self.things.is_thing(end))
            if len(tuple_.members) > 1 and len(known) == len(names):
                self._deny(tuple_, known)
                missed -= set(names)
        on = [s.things[::-1] for s in self.found.values() if s.denied]
        for key, first in list(self.found.items()):
            if first.denied and first.value == "have" and first.things in on:
                del self.found[key]  # No cars on it are none that it has.
        for name in missed:
            span = self.parsed.span(absent[name].place)
            self.found["denied", name] = Statement(
                "entity", "whole", (absent[name],), span=span, denied=True
            )

    def _deny(self, tuple_: SemanticTuple, ends: tuple[Entity, ...]) -> None:
        """Say that an attribute or a relation is not so."""
        place = max(tuple_.tokens[1:2], default=0)
        category: Category = "attribute" if len(ends) == 1 else "relation"
        if category == "attribute":
            value, places = self.parsed.value(tuple_)
            detail = self.words.detail(value, self.tag(place))
        else:
            value = self.things.how(tuple_, ends[-1])
            value = "have" if tuple_.members[1] == "with" else value
            detail = "action" if self.tag(place).startswith("VB") else "spatial"
            places = (place,) if place else ()
        if value.isdigit() or value in self.words["besides"]:
            return
        span = self.parsed.span_of(tuple_)
        statement = Statement(category, detail, ends, value, places, span, denied=True)
        stated = {(s.category, s.members) for s in self.found.values()}
        if (category, statement.members) not in stated:
            self.found["denied", statement.members] = statement

    def _say_of_picture(self) -> None:
        """Say what the picture is like, and of the nearest thing what is written."""
        prompt, caption = self.parsed.prompt, self.said.caption
        every = self.things.every.values()
        things = (t for t in every if t.place and self.things.is_thing(t))
        at = [(self.parsed.span(thing.place), thing) for thing in things]
        for start, end in prompt.writings:
            before = [(span[1], thing) for span, thing in at if span[1] <= start]
            after = [(-span[0], thing) for span, thing in at if span[0] >= end]
            bear = [b for b in before if b[1].head in self.words["bearers"]]
            # The number on the jersey of a player.
            apart = before and is_living(max(before, key=itemgetter(0))[1].head)
            lead = caption[: start - 1].split()[-1:]
            if apart and self.words["enjoyed"].intersection(lead):
                continue  # A girl reading "Alice".
            if found := bear or (apart and after) or before or after:
                about = (max(found, key=itemgetter(0))[1],)
                text, kind = caption[start:end], "text rendering"
                self._add(Statement("other", kind, about, text, (), (start, end)))
        spans = [("style", span) for span in prompt.styles]
        for detail, span in (*spans, *(("time", span) for span in prompt.times)):
            self._add(Statement("global", detail, (), caption[slice(*span)], (), span))
