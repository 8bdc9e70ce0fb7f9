"""Relations: what a caption says of two things, one statement for each.

In: a relation of the grammar with its things. Out: the `Statement` that asks for it as
one, or what it says of one of its things: a posture, a state, a material.

    "a girl standing on a rock"             →  girl: stand · girl on rock
    "a tree in full bloom"                  →  tree: in full bloom
    "an owl made of glass"                  →  owl: made of glass
"""

from dataclasses import replace
from typing import Any

from spicepy.asking.attachment import is_turned, sided, verb_place
from spicepy.asking.entities import ParsedCaption
from spicepy.asking.mentions import OWNING
from spicepy.asking.owners import Things
from spicepy.asking.statements import Category, Entity, Span, Statement
from spicepy.asking.words import is_living
from spicepy.rules.tuples import SemanticTuple


class Relations:
    """The statements of one caption, while they are collected, by what they say."""

    def __init__(self, parsed: ParsedCaption) -> None:
        self.parsed, self.words, self.said = parsed, parsed.words, parsed.said
        self.tag = parsed.tag
        self.things = Things(parsed)
        self.found: dict[tuple[Any, ...], Statement] = {}

    def _add(self, statement: Statement) -> None:
        if statement.category in ("attribute", "relation"):
            first, last = statement.things[0], statement.things[-1]
            place = min(statement.places, default=last.first)
            own = first is last.owner or self.said.start(first) <= place <= first.place
            share = "" if own else self.things.scan.share(first, place)
            share = share or statement.share
            nor = last.place and self.said.word(self.said.start(last) - 1) == "nor"
            if share in ("none", "neither") or (nor and last is not first):
                last.stated = first is last and last.stated
                statement = replace(statement, denied=True)
            else:
                statement = replace(statement, share=share)
        things = tuple(map(id, statement.things))
        key = statement.category, statement.members, things
        self.found.setdefault(key, statement)

    def _say(
        self,
        detail: str,
        thing: Entity,
        value: str,
        places: tuple[int, ...] = (),
        span: Span | None = None,
    ) -> None:
        """Say an attribute of a thing, or how many there are; where its words stand."""
        category: Category = "other" if detail == "count" else "attribute"
        span = span or self.parsed.span(*places)
        self._add(Statement(category, detail, (thing,), value, places, span))

    def _say_relation(
        self, tuple_: SemanticTuple, subject: Entity, target: Entity
    ) -> None:
        how = self.things.how(tuple_, target)
        if how in self.words["made"] and subject.head in self.words["wound"]:
            # Two balls of yarn.
            subject.mark = " ".join(self.said.words[subject.place : target.place])
        if target.region and target.owner is not None:
            heap = target.head in self.words["heaps"]
            if how in OWNING and not heap:
                return
            how, target = how if heap else f"{how} {target.name} of", target.owner
        if self.things.is_unsaid(tuple_, subject, target, how):
            self._say_unsaid(tuple_, subject, target, how)
            return
        owned = self.things.without_posture(how) in OWNING and (
            target.owner is subject
            or subject.owner is target
            or self.things.is_sort(subject, target)
        )
        counted = self.said.word(self.said.start(target) - 1) in ("a", "an")
        if how in self.words["made"] and counted and not any(tuple_.tokens[1:2]):
            how = "of"  # The shadow of a stone is not made of stone.
        how = sided(tuple_, how, self.said, self.words["sided"])
        place = verb_place(tuple_, how, self.said)
        wearer = self.things.wearer(subject)
        own = how.partition(" ")[0] in self.words["worn_deeds"] or target is wearer
        if self.tag(place) == "VBG" and not own:
            subject = wearer  # The backpack that somebody wears does not hike.
        subject = self.things.doer(subject, how, place)
        lettered = how == "in" and target.head in self.words["nouns"]
        lettered = lettered or self._is_purpose(target, how, place)
        if lettered or how in self.words["made"] | self.words["written"] | {"as"}:
            self._say_material(tuple_, subject, target, how)
            return
        how, place = self._without_deed(tuple_, subject, how, place)
        # Against a white background.
        around = target.head in self.words["around"]
        around = around and how in ("against", "on", "over")
        if around or owned or self._say_condition(tuple_, subject, target, how, place):
            return
        if how == "in" and self.words.is_worn(target) and is_living(subject.head):
            how = "wear"
        detail = "action" if self.tag(place).startswith("VB") else "spatial"
        passive = tuple_.rule != "passive-agent" and not is_turned(tuple_)
        places, span = (place,) if place else (), self.parsed.span_of(tuple_)
        said = Statement("relation", detail, (subject, target), how, places, span)
        share = self.things.one_of(tuple_, subject)
        self._add(replace(said, passive=passive, share=share))

    def _is_purpose(self, target: Entity, how: str, place: int) -> bool:
        """Return whether what something is for need not be there: a path for cyclists.

        A toy for the dog and a drink for a man are for what is there.
        """
        before = self.said.word(self.said.start(target, "CD") - 1)
        bare = (target.plural or not place) and not target.proper
        done = how == "for" or (how.endswith(" for") and self.tag(place) == "VBN")
        return done and bare and before == "for"

    def _say_unsaid(
        self, tuple_: SemanticTuple, subject: Entity, target: Entity, how: str
    ) -> None:
        """Say what a relation that is not asked says of one of its things.

        Who leaps with legs apart leaps; what somebody else wears is like its owner's:
        a pirate's costume.
        """
        if target.place in subject.marked and how in self.words["made"]:
            target.matter = True
        verb = tuple_.tokens[1:2]
        once = [t.tokens[1:2] for t in self.parsed.proposals].count(verb) == 1
        if how.endswith(" with") and self.things.is_held(target) and once:
            self._say_posture(tuple_.tokens[0], subject, how, *verb)
        article = self.said.word(self.said.start(subject) - 1)
        sort = tuple_.rule == "owner" and subject.matter and article in ("a", "an")
        sort = sort and target.owner is not subject
        if sort and subject.words[-1] not in target.name:  # A farmers market.
            name = " ".join(subject.words)
            value = f"{name}'" if name.endswith("s") else f"{name}'s"
            places = tuple(range(subject.first, subject.place + 1))
            self._say("type", target, value, places)

    def _say_condition(
        self, tuple_: SemanticTuple, thing: Entity, target: Entity, how: str, place: int
    ) -> bool:
        """Say that something is bent at the knee, or in full bloom; False if it is not.

        Who catches a ball in midair is in midair.
        """
        first, names = self.said.start(target), self.words["conditions"]
        before = self.said.word(first - 1)
        if self.said.word(first - 2) in ("in", "into"):
            names, first = self.words["formations"], first - 1
            before = self.said.word(first - 1)
        bare = target.name in names and how.endswith(before)
        if bare:
            if any(place in s.places for s in self.found.values()):
                how, place = before, 0
            value = " ".join((how, *self.parsed.texts[first - 1 : target.place]))
            # In full bloom, no bloom is there, and it is not full either.
            self.found = {k: s for k, s in self.found.items() if s.things != (target,)}
        elif target.head in self.words["joints"] and how.endswith(" at"):
            value = f"{how} the {' '.join(target.words)}"
        else:
            return False
        if self.tag(place) in ("JJ", "VBD", "VBN"):
            value = f"{self.said.words[place - 1]} {value.partition(' ')[2]}"
        span = self.parsed.span_of(tuple_)
        self._say("state", thing, value, (place,) if place else (), span)
        target.matter, target.region = True, bare
        return True

    def _without_deed(
        self, tuple_: SemanticTuple, subject: Entity, how: str, place: int
    ) -> tuple[str, int]:
        """Return where a thing is, apart from what it does there or was done to it."""
        tag, where = self.tag(place), self.things.without_posture(how)
        if where != how:
            self._say_posture(tuple_.tokens[0], subject, how, place)
            return where, 0
        verb, _, rest = how.partition(" ")
        locatives = self.words.attachment.locatives
        # A box filled with fruit beside a bottle is not filled beside it.
        after = place + 1
        done = self.tag(after) == "IN" and self.said.word(after) != rest.split(" ")[0]
        apart = (done and rest in locatives) or verb in self.words["shown"]
        apart = (apart and tag == "VBN") or verb == "make"  # They make their way down.
        return (rest, 0) if apart and rest in {"with"} | locatives else (how, place)

    def _say_posture(self, first: int, subject: Entity, how: str, place: int) -> None:
        """Say that somebody sits, apart from where."""
        verb = how.partition(" ")[0]
        if verb not in self.words["living"] or is_living(subject.head):
            value = self.said.words[place - 1] if self.tag(place) == "VBN" else verb
            span = self.parsed.span(first, place)
            self._say("state", subject, value, (place,), span)

    def _say_material(
        self, tuple_: SemanticTuple, thing: Entity, material: Entity, how: str
    ) -> None:
        """Say what a thing is made of, written in, seen as or for: no further thing.

        What is said of a way to write, or of what is seen, goes with it: "written in
        modern calligraphy"; glass has a color of its own.
        """
        material.matter = True
        if how in self.words["written"]:
            thing = self.things.text_before(material) or thing
        is_made = how in self.words["made"]
        first = material.first if is_made else self.said.start(material, "CD")
        own = tuple(range(first, material.place + 1))
        for key, statement in list(self.found.items()):
            about = statement.things == (material,) and not is_made
            if about and set(statement.places) <= set(own):
                del self.found[key]
        place = tuple_.tokens[1] if len(tuple_.tokens) == 3 and how != "as" else 0
        places = (place, *own) if place else own
        value = " ".join(self.parsed.texts[first - 1 : material.place])
        detail = "material" if is_made else "type" if how == "as" else "style"
        if how == "in" or how.endswith("for"):
            verb = self.said.word(place)
            detail, value = "state", f"{verb} {how.split(' ')[-1]} {value}".lstrip()
        self._say(detail, thing, value, places)

    def _join_between(self) -> None:
        """Join the things that something is between: between a bakery and a shop."""
        ends: dict[Any, list[tuple[Any, ...]]] = {}
        for key, statement in self.found.items():
            if statement.category == "relation" and statement.value.endswith("between"):
                subject, target = statement.things
                words = enumerate(self.said.words[: target.place])
                before = max((k for k, word in words if word == "between"), default=0)
                same = id(subject), statement.value, before, statement.denied
                ends.setdefault(same, []).append(key)
        for first, *others in ends.values():
            things = (self.found.pop(key).things[1] for key in others)
            joined = (*self.found[first].things, *things)
            self.found[first] = replace(self.found[first], things=joined)
