"""Reading: the statements of a caption, from its tuples.

In: the trace of a caption through the pipeline, with the grammar spicepy-1. Out: its
`Statement`s: things and their parts, numbers, attributes, relations, what is written,
what the picture as a whole is like, and what is denied.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Final

from spicepy.asking.entities import ParsedCaption, StatementWords
from spicepy.asking.prompts import Prompt, Span, parts
from spicepy.asking.statements import (
    DESCRIBING,
    Category,
    Entity,
    Said,
    Statement,
    is_living,
    is_quality,
    may_live,
)
from spicepy.pipeline.stages import Trace
from spicepy.rules.tuples import SemanticTuple

OWNING: Final = ("have", "with")
"""Relations by which one thing is another one's."""
_ORDER: Final = ("other", "attribute", "relation", "global", "entity")
_MAX_GAP: Final = 5
"""The most words between the words of one attribute."""
_VERBS: Final = ("VB", "VBG", "VBP", "VBZ")


def read_statements(
    words: StatementWords, trace: Trace, prompt: Prompt, caption: str
) -> Said:
    """Return a caption with its statements."""
    parsed = ParsedCaption(words, trace, prompt, caption)
    return replace(parsed.said, statements=tuple(_Reading(parsed).statements()))


class _Reading:
    """The reading of one caption, while it is made."""

    def __init__(self, parsed: ParsedCaption) -> None:
        self.parsed, self.words, self.said = parsed, parsed.words, parsed.said
        self.things = parsed.entities()
        self.mentions: dict[tuple[str, int], Entity] = {}
        self._count_bare()
        self._part_by_owner()
        self.found: dict[tuple[Any, ...], Statement] = {}

    def statements(self) -> Iterator[Statement]:
        """Yield entities, each after its owner; then numbers and so on by category."""
        self._say_owners()
        for tuple_, (thing,) in self._pairs(2):
            self._say_attribute(tuple_, thing)
        for tuple_, (subject, target) in self._pairs(3):
            self._say_relation(tuple_, subject, target)
        self._say_dressed()
        self._say_denied()
        self._join_between()
        self._say_several()
        self._say_colors()
        self._say_positions()
        self._say_directions()
        self._say_of_picture()
        self._say_bare_adjectives()
        self._leave_out_repetitions()
        yield from self._entities()
        yield from sorted(
            self.found.values(),
            key=lambda s: (s.denied, _ORDER.index(s.category), s.span),
        )

    def _add(self, statement: Statement) -> None:
        if statement.category in ("attribute", "relation"):
            first, last = statement.things[0], statement.things[-1]
            place = min(statement.places, default=last.first)
            share = "" if first is last.owner else self._share(first, place)
            if share in ("none", "neither"):
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

    def _join_between(self) -> None:
        """Join the things that something is between: between a bakery and a shop."""
        words, ends = self.said.words, dict[Any, list[tuple[Any, ...]]]()
        for key, statement in self.found.items():
            if statement.category == "relation" and statement.value.endswith("between"):
                subject, target = statement.things
                before = (k for k in range(target.place) if words[k] == "between")
                same = id(subject), statement.value, max(before, default=0)
                ends.setdefault((*same, statement.denied), []).append(key)
        for first, *others in ends.values():
            things = (self.found.pop(key).things[1] for key in others)
            joined = (*self.found[first].things, *things)
            self.found[first] = replace(self.found[first], things=joined)

    def _leave_out_repetitions(self) -> None:
        """Leave out attributes that a longer one says: bent, bent at the knees."""
        longer = {
            (id(s.things[0]), s.value.rpartition(" ")[0])
            for s in self.found.values()
            if s.category == "attribute" and " " in s.value
        }
        starts = {
            (t, " ".join(v.split(" ")[:n])) for t, v in longer for n in range(1, 9)
        }
        for key, statement in list(self.found.items()):
            said = statement.category == "attribute" and not statement.denied
            if said and (id(statement.things[0]), statement.value) in starts:
                del self.found[key]

    def _say_bare_adjectives(self) -> None:
        """Say of the first thing what adjectives between commas say: "cat, fluffy"."""
        parsed, said = self.parsed, self.said
        used = {place for s in self.found.values() for place in s.places}
        nouns = [t for t in self.things.values() if t.place and self._is_thing(t)]
        follows = False
        for start, end in parts(parsed.prompt.text) if nouns else ():
            spans = enumerate(parsed.spans, 1)
            places = [n for n, (a, b) in spans if start <= a < b <= end]
            tags = [said.tags[place - 1] for place in places]
            bare = "JJ" in tags and {"JJ", "RB", "CC", "VBN"}.issuperset(tags)
            if bare and follows and used.isdisjoint(places):
                for place in places:
                    if said.tags[place - 1] in ("JJ", "VBN"):
                        first = min(nouns, key=lambda thing: thing.place)
                        value = said.words[place - 1]
                        detail = self.words.detail(value, said.tags[place - 1])
                        self._say(detail, first, value, (place,))
            if places:
                # "Squares in blue, yellow and red": not what they all are.
                color = self.words.details.get(said.words[places[-1] - 1]) == "color"
                noun = tags[-1] in ("NN", "NNS") and not color
                follows = noun or (bare and follows)

    def _is_thing(self, thing: Entity) -> bool:
        if thing.region or is_quality(thing.head):
            return False
        return thing.head not in self.words["nothing"]

    def _pairs(self, size: int) -> Iterator[tuple[SemanticTuple, tuple[Entity, ...]]]:
        """Yield the tuples of a size with their things, if all are known."""
        for tuple_ in self.parsed.proposals:
            if len(tuple_.members) == size:
                ends = self._ends(tuple_)
                known = tuple(end for end in ends if end is not None)
                if len(known) == len(ends):
                    yield tuple_, known

    def _ends(self, tuple_: SemanticTuple) -> list[Entity | None]:
        """Return the things of a tuple, each by its mention there."""
        names = tuple_.members[::2]
        known = len(tuple_.tokens) == len(tuple_.members)
        places = tuple_.tokens[::2] if known else (0,) * len(names)
        return [
            self.mentions.get((name, place), self.things.get(name))
            for name, place in zip(names, places, strict=True)
        ]

    def _count_bare(self) -> None:
        """Mark as several what has one form and no article: a herd of sheep."""
        for thing in self.things.values():
            article = self.parsed.tag(self.said.start(thing) - 1) == "DT"
            if thing.name in self.words["same_plural"] and thing.place and not article:
                thing.number = thing.number or 2

    def _part_by_owner(self) -> None:
        """Tell things of one name apart that different people wear or have.

        In "a boy in a blue shirt and a man in a white shirt" there are two shirts.
        """
        owners: dict[str, dict[int, Entity]] = {}
        for tuple_, (owner, thing) in self._pairs(3):
            worn = tuple_.members[1] == "wear" or thing.head in self.words["parts"]
            place = tuple_.tokens[2] if len(tuple_.tokens) == 3 else 0
            if worn and self.parsed.tag(place).startswith("NN") and owner is not thing:
                owners.setdefault(tuple_.members[2], {}).setdefault(place, owner)
        for name, by_place in owners.items():
            first = self.things[name]
            if len({id(owner) for owner in by_place.values()}) < 2:
                continue
            for place, owner in by_place.items():
                same = place == first.place
                thing = first if same else self.parsed.mention(first, place)
                thing.whose = owner
                self.mentions[name, place] = thing

    def _say_owners(self) -> None:
        """Say of things whose they are."""
        self._wearers = wearers = {
            id(thing): wearer
            for tuple_, (wearer, thing) in self._pairs(3)
            if tuple_.members[1] == "wear" and tuple_.rule != "owner"
        }
        for tuple_, (owner, thing) in self._pairs(3):
            if self._is_area(tuple_, owner, thing):
                owner, thing = thing, owner
            wearer = wearers.get(id(thing))
            if tuple_.rule == "owner" and wearer not in (None, owner):
                self._say_sort(tuple_, thing, owner)
                continue
            how = self._without_posture(tuple_.members[1])
            if any(tuple_.tokens[1:2]) and self._share(owner, tuple_.tokens[1]):
                continue
            # What is alive is not had, but beside: a man with a dog.
            if how not in OWNING or (how == "with" and is_living(thing.head)):
                continue
            if (
                _is_inside(owner, thing)
                or thing is owner
                or self._is_sort(owner, thing)
                or (how == "with" and self._is_beside(owner, thing))
            ):
                continue
            if thing.owner is None and not thing.owns(owner):
                thing.owner = owner
                is_side = thing.name in self.words["regions"]
                thing.region = is_side and not is_living(owner.head)

    def _is_area(self, tuple_: SemanticTuple, area: Entity, whole: Entity) -> bool:
        """Return whether a thing is a part of a place: an area of a hall."""
        before = self.said.words[max(0, whole.first - 2)]
        parted = area.head in self.words["areas"] and before in ("a", "an", "the")
        return parted and tuple_.written[1:2] == ("of",)

    def _is_beside(self, owner: Entity, thing: Entity) -> bool:
        """Return whether "with" adds what happens: a cliff with waves crashing."""
        does = self.said.tags[thing.place : thing.place + 1] == ("VBG",)
        own = thing.head in self.words["parts"] or is_living(owner.head)
        doing = self.said.lemmas[thing.place : thing.place + 1]
        hangs = not self.words["worn_deeds"].isdisjoint(doing)
        return bool(thing.place) and does and not own and not hangs

    def _is_sort(self, owner: Entity, thing: Entity) -> bool:
        """Return whether "of" with a bare noun says of what sort: a wave of water."""
        bare = owner.tag == "NN" and 0 < thing.place == owner.first - 2
        return bare and self.said.words[thing.place] == "of"

    def _without_posture(self, how: str) -> str:
        verb, _, rest = how.partition(" ")
        # What hangs from a wire is not "from" it.
        return (
            rest if verb in self.words["postures"] and rest not in ("", "from") else how
        )

    def _say_sort(self, tuple_: SemanticTuple, thing: Entity, owner: Entity) -> None:
        """Say of what one wears that it is of another's sort: a conductor's hat."""
        place = tuple_.tokens[0] if tuple_.tokens else 0
        if not place or self.parsed.tag(place).startswith("PRP"):
            return
        owner.matter = True
        value, span = f"{' '.join(owner.words)}'s", self.parsed.span_of(tuple_)
        self._say("type", thing, value, (owner.place,), span)

    def _entities(self) -> Iterator[Statement]:
        """Yield things that are stated, each after its owner."""
        stated = (s for s in self.found.values() if not s.denied)
        used = {id(thing) for statement in stated for thing in statement.things}
        things = (*self.things.values(), *self.mentions.values())
        pending = list(dict.fromkeys(things))
        done: set[int] = set()
        while pending:
            thing = pending.pop(0)
            if thing.owner is not None and id(thing.owner) not in done:
                if self._is_thing(thing.owner):
                    pending.append(thing)
                    continue
                thing.owner = None
            done.add(id(thing))
            is_used = id(thing) in used
            unasked = thing.head in self.words["surroundings"] or not thing.stated
            if unasked or self._is_viewer(thing):
                continue  # Every picture has a background and was taken.
            if thing.activity or (thing.matter and not is_used):
                continue
            if self._is_thing(thing):
                span = self.parsed.span(*range(thing.first, thing.place + 1))
                detail = "part" if thing.owner else "whole"
                yield Statement("entity", detail, (thing,), span=span)

    def _is_viewer(self, thing: Entity) -> bool:
        """Return whether a thing is where the picture is seen from: at the camera."""
        before = self.said.words[max(0, thing.first - 3) : max(0, thing.first - 1)]
        is_seen = before[-1:] == ("the",) and before[0] in self.words["facing"]
        return is_seen and thing.head in self.words["viewers"]

    def _say_attribute(self, tuple_: SemanticTuple, thing: Entity) -> None:
        value = tuple_.members[1]
        kept = self._is_thing(thing) or thing.head in self.words["surroundings"]
        if tuple_.rule == "both" or value.startswith("without ") or not kept:
            return
        if tuple_.rule == "doing":  # What one wears does nothing.
            thing = self._wearers.get(id(thing), thing)
        thing = self._doer(thing, value, *tuple_.tokens[1:2])
        if value.isdigit():
            self._say_number(tuple_, thing)
        elif value.endswith(" of"):
            if thing.name in self.words["same_plural"]:
                thing.number = 2  # A group of sheep.
            span = self.parsed.span_of(tuple_)
            self._say("count", thing, value.removesuffix(" of"), (), span)
        else:
            self._say_value(tuple_, thing)

    def _share(self, thing: Entity, place: int) -> str:
        """Return how many of several things a word says something of: one of the men.

        The nearest quantity before it tells: "three of the men", "one … the other".
        """
        said, parsed = self.said, self.parsed
        first = said.start(thing, "CD")
        counted = said.words[first - 1] if parsed.tag(first) == "CD" else ""
        for at in range(place - 1, 0, -1) if thing.plural else ():
            if parsed.sentences[at - 1] != parsed.sentences[place - 1]:
                break
            word, noun = said.words[at - 1], at + 1
            if word not in self.words["shares"] or said.words[at - 2] == "each":
                continue
            of = said.words[at : at + 1] == ("of",)
            while noun < place and parsed.tag(noun) in ("IN", "DT", "CD", "JJ"):
                noun += 1
            same = said.lemmas[noun - 1] == thing.head
            if noun < place and word != "other":
                fewer = at > thing.place and counted not in ("", word)
                if same and (of or fewer):
                    # Without a verb it is of all: half of the seats in the stadium.
                    verbs = any(tag[:2] == "VB" for tag in said.tags[noun:place])
                    return word if verbs else ""
                if of and parsed.tag(noun) in ("PRP", "WDT", "WP"):
                    return word
            bare = noun == place or not parsed.tag(noun).startswith("NN")
            not_all = {"another", "are", "have", "of", "were"}
            alone = word in ("one", "other") and not_all.isdisjoint(
                said.words[at:place]
            )
            if alone and bare and at > thing.place:
                return "one"
        return ""

    def _say_number(self, tuple_: SemanticTuple, thing: Entity) -> None:
        at = max(tuple_.tokens[1:], default=0)
        word, after = self.said.words[at - 1], self.said.words[at : at + 1]
        some = word in self.words["shares"] and after == ("of",)
        fewer = thing.number > int(tuple_.members[1])
        if some or (fewer and tuple_.tokens[0] != thing.place):
            return  # Three of the children are only some of them.
        if tuple_.tokens[0] == thing.place and not thing.portion:
            thing.number = int(tuple_.members[1])
        before = self.said.start(thing) - 2
        if at < before and self.said.words[before] == "of":
            thing.portion = self.said.words[before - 1]  # Three strips of bacon.
        places = tuple(place for place in tuple_.tokens[1:] if place)
        span = self.parsed.span_of(tuple_)
        self._say("count", thing, tuple_.members[1], places, span)

    def _say_several(self) -> None:
        """Say how many there are without a number: several dogs, rows of chairs."""
        said = self.said
        counted = {id(s.things[0]) for s in self.found.values() if s.detail == "count"}
        for thing in dict.fromkeys((*self.things.values(), *self.mentions.values())):
            at = thing.first - 1
            while at > 0 and said.tags[at - 1] in DESCRIBING:
                if said.words[at - 1] in self.words["several"]:
                    break
                at -= 1
            bare = thing.tag.startswith("NN") and id(thing) not in counted
            if at < 1 or not bare or not self._is_thing(thing):
                continue
            word = said.words[at - 1]
            if word == "of" and said.lemmas[at - 2] in self.words["heaps"]:
                first = at - 2 if self.parsed.tag(at - 2) == "CD" else at - 1
                value, places = " ".join(said.words[first - 1 : at - 1]), (at - 1,)
            elif thing.tag == "NNS" and word in self.words["several"]:
                value, places = word, (at,)
            else:
                continue
            span = self.parsed.span(*places, thing.place)
            self._say("count", thing, value, places, span)

    def _say_colors(self) -> None:
        """Say in what colors things are: "labels in blue and yellow"."""
        said, details = self.said, self.words.details
        for thing in self.things.values():
            last = at = thing.place
            if said.words[at : at + 1] != ("in",) or is_living(thing.head):
                continue
            for place, word in enumerate(said.words[at + 1 :], at + 2):
                if details.get(word) == "color":
                    last = place
                elif word not in ("and", ","):
                    break
            next_tag = "".join(said.tags[last : last + 1])
            if last > at and self._is_thing(thing) and not next_tag.startswith("NN"):
                places = tuple(range(at + 1, last + 1))
                value = " ".join(said.words[at:last]).replace(" ,", ",")
                self._say("color", thing, value, places)

    def _say_positions(self) -> None:
        """Say where in the picture things are: in the middle, on the right side."""
        by_place = {t.place: t for t in self.things.values() if self._is_thing(t)}
        start = 0
        for tree in self.parsed.trace.parses:
            for match in self.words.position.finditer(" ".join(tree.words)):
                first = match.string.count(" ", 0, match.start()) + 1
                last = first + match[0].count(" ")
                head = tree.heads[last - 1]
                doers = [
                    place
                    for place, (above, label) in enumerate(
                        zip(tree.heads, tree.labels), 1
                    )
                    if above == head and label in ("nsubj", "nsubjpass")
                ]
                if head and tree.labels[head - 1] == "acl":
                    doers.append(tree.heads[head - 1])
                near = (place for place in (first - 1, head, *doers) if place)
                known = (by_place.get(start + place) for place in near)
                thing = next((t for t in known if t is not None), None)
                if thing is not None:
                    places = tuple(range(start + first, start + last + 1))
                    self._say("state", thing, match[0], places)
            start += len(tree.words)

    def _say_directions(self) -> None:
        """Say how parts of a body are held: "left arm up", "legs are far apart"."""
        used = {place for s in self.found.values() for place in s.places}
        for thing in self.things.values():
            if not thing.place or thing.head not in self.words["parts"]:
                continue
            places = self._direction(thing.place + 1)
            if places and used.isdisjoint(places):
                if self.parsed.tag(places[0] - 1) == "VBN":
                    places = (places[0] - 1, *places)
                value = " ".join(self.said.words[place - 1] for place in places)
                self._say("state", thing, value, places)

    def _direction(self, first: int) -> tuple[int, ...]:
        """Return the places of words such as "straight up" from a place on."""
        said, directions = self.said, self.words["directions"]
        following = list(zip(said.words, said.tags))[first - 1 :]
        for word, tag in following:
            is_before = word in ("is", "are") or tag in ("RB", "VBN")
            if word in directions or not is_before:
                break
            first += 1
        last = first - 1
        for place, word in enumerate(said.words[last:], first):
            if word in directions and said.tags[place - 1] != "NN":
                last = place
            elif word != "and":
                break
        return tuple(range(first, last + 1))

    def _say_value(self, tuple_: SemanticTuple, thing: Entity) -> None:
        value, places = self._value(tuple_)
        if places and thing.first <= min(places) and max(places) <= thing.place:
            return  # It is in the name.
        one = self.parsed.tag(tuple_.tokens[0]) if tuple_.tokens else ""
        several = thing.number > 1 and one == "NN" and tuple_.tokens[0] != thing.place
        if value in self.words["unsaid"] or several:
            return
        last = max(places, default=0)
        of = self.said.words[last : last + 1] == ("of",)
        if of and len(places) == 1 and self.parsed.tag(last).startswith("NN"):
            thing.portion = value
            return
        first = min(places, default=0)
        does = self.parsed.tag(first).startswith(("VB", "IN"))
        tag = self.parsed.tag(first if does else last)
        detail = self.words.detail(value, tag)
        span = self.parsed.span(*(places or (thing.place,)))
        denied = self.said.words[max(0, first - 2)] in ("neither", "nor") and first > 1
        self._add(Statement("attribute", detail, (thing,), value, places, span, denied))

    def _value(self, tuple_: SemanticTuple) -> tuple[str, tuple[int, ...]]:
        """Return an attribute in the order of the caption, and the places of its words.

        Participles of the passive stay as they were written ("parked", "bent").
        """
        said, member = self.said, tuple_.members[1]
        place = tuple_.tokens[1] if len(tuple_.tokens) > 1 else 0
        if not place:
            return member, ()
        parts, places = member.split(" "), set[int]()
        last = min(len(said.words), place + _MAX_GAP)
        near = range(max(1, place - _MAX_GAP), last + 1)
        for part in parts:
            fit = [k for k in near if part in (said.lemmas[k - 1], said.words[k - 1])]
            if fit:
                places.add(min(fit, key=lambda k: abs(k - place)))
        if len(places) < len(parts):
            own = self.parsed.texts[place - 1]
            return (own if "-" in own else member), (place,)
        first = min(places)
        if parts[0] == "be" and len(places) > 1:
            places.remove(first)  # What is up needs no "be".
        if said.words[first - 1 : first + 1] == ("shaped", "like"):
            places = set(range(first, max(places) + 1))
        texts = [
            said.lemmas[k - 1]
            if said.tags[k - 1] in _VERBS
            else self.parsed.texts[k - 1]
            for k in sorted(places)
        ]
        return " ".join(texts), tuple(sorted(places))

    def _say_relation(
        self, tuple_: SemanticTuple, subject: Entity, target: Entity
    ) -> None:
        how = _as_written(tuple_)
        if target.region and target.owner is not None:
            how, target = f"{how} {target.name} of", target.owner
        if self._is_unsaid(tuple_, subject, target, how):
            return
        owned = self._without_posture(how) in OWNING and (
            target.owner is subject
            or subject.owner is target
            or self._is_sort(subject, target)
        )
        lined = how.partition(" ")[0] in self.words["lined"]
        if lined and tuple_.rule == "passive-agent" and not is_living(subject.head):
            subject, target, how = target, subject, "by"
        how = self._sided(tuple_, self._unmade(tuple_, how, target))
        place = self._verb_place(tuple_, how)
        if self.parsed.tag(place) == "VBG":
            subject = self._wearer(subject, target, how)
        subject = self._doer(subject, how, place)
        if how in self.words["made"] or how in self.words["written"] or how == "as":
            self._say_material(tuple_, subject, target)
            return
        how, place = self._without_deed(tuple_, subject, how, place)
        if owned:
            return
        if self._say_condition(tuple_, subject, target, how, place):
            return
        if how == "in" and self.words.is_worn(target) and is_living(subject.head):
            how = "wear"
        turned = tuple_.written and tuple_.members[0] == tuple_.written[-1]
        self._add(
            Statement(
                "relation",
                "action" if self.parsed.tag(place).startswith("VB") else "spatial",
                (subject, target),
                how,
                (place,) if place else (),
                self.parsed.span_of(tuple_),
                passive=tuple_.rule != "passive-agent" and not turned,
            )
        )

    def _wearer(self, worn: Entity, target: Entity, how: str) -> Entity:
        """Return who hikes: not the backpack of "a man wearing a backpack hiking"."""
        wearer = self._wearers.get(id(worn), worn)
        own = how.partition(" ")[0] in self.words["worn_deeds"] or target is wearer
        return worn if own else wearer

    def _say_condition(
        self, tuple_: SemanticTuple, thing: Entity, target: Entity, how: str, place: int
    ) -> bool:
        """Say that something is bent at the knee, or in full bloom; False if it is not.

        Who catches a ball in midair is in midair.
        """
        first = self.said.start(target)
        before = self.said.words[max(0, first - 2)]
        bare = target.name in self.words["conditions"] and how.endswith(before)
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
        if self.parsed.tag(place) == "VBN":
            value = f"{self.said.words[place - 1]} {value.partition(' ')[2]}"
        places = (place,) if place else ()
        self._say("state", thing, value, places, self.parsed.span_of(tuple_))
        target.matter, target.region = True, bare
        return True

    def _is_unsaid(
        self, tuple_: SemanticTuple, subject: Entity, target: Entity, how: str
    ) -> bool:
        """Return whether a relation says nothing that is asked as one."""
        if target.head in self.words["heaps"] and tuple_.written[1:2] == ("of",):
            target.region = True  # It is asked as a line of trees.
        around = target.head in self.words["around"]
        if how in ("", *self.words["besides"]) or not self._is_thing(subject):
            return True
        if how == "with" and self._is_beside(subject, target):
            return True
        verb, _, rest = how.partition(" ")
        done = "VBN" in map(self.parsed.tag, tuple_.tokens[1:2])
        if rest == "with" and verb in self.words["incomplete"] and not done:
            return True  # To take a photo with a phone is not to take with it.
        if not around and not self._is_thing(target):
            return True
        sort = tuple_.rule == "owner" and subject.matter
        return sort or self._is_idle(tuple_, subject, target)

    def _verb_place(self, tuple_: SemanticTuple, how: str) -> int:
        """Return where the first word of a relation stands; 0 if no word says it.

        A rule may leave open where its verb stands ("take photo of"). The tiles of a
        tiled wall are "on" it, which no word says.
        """
        place = tuple_.tokens[1] if len(tuple_.tokens) == 3 else 0
        word, lemma = self.said.words[place - 1], self.said.lemmas[place - 1]
        first = how.partition(" ")[0]
        if place and (
            not self.parsed.tag(place).startswith("VB") or first in (word, lemma)
        ):
            return place
        start, end = (tuple_.tokens[0], tuple_.tokens[-1]) if tuple_.tokens else (0, 0)
        between = range(start + 1, end) if start else ()
        said = (p for p in between if self.said.lemmas[p - 1] == first)
        return next((p for p in said if self.parsed.tag(p).startswith("VB")), 0)

    def _unmade(self, tuple_: SemanticTuple, how: str, target: Entity) -> str:
        """Return "of" where no material is meant: the shadow of a stone."""
        first = target.first
        before = self.said.words[max(0, first - 3) : first - 1]
        if how in self.words["made"] and how.endswith(" in"):
            return how if {"a", "an", "the"}.isdisjoint(before) else "in"
        counted = before[-1:] in (("a",), ("an",))
        unsaid = not any(tuple_.tokens[1:2])
        return "of" if how in self.words["made"] and counted and unsaid else how

    def _sided(self, tuple_: SemanticTuple, how: str) -> str:
        """Return a relation with the side that is meant: on the other side of."""
        before, side, after = how.partition("side of")
        if not side or not tuple_.tokens:
            return how
        places = range(min(tuple_.tokens[::2]) + 1, max(tuple_.tokens[::2]))
        for place in places:
            which, own = self.said.words[place - 2], self.said.words[place - 1]
            if own in ("side", "sides") and which in self.words["sided"]:
                before = before.removesuffix(f"{which} ")
                return f"{before}{which} {own} of{after}"
        return how

    def _without_deed(
        self, tuple_: SemanticTuple, subject: Entity, how: str, place: int
    ) -> tuple[str, int]:
        """Return where a thing is, apart from what it does there or was done to it."""
        tag, where = self.parsed.tag(place), self._without_posture(how)
        if tag.startswith("VB") and where != how:
            self._say_posture(tuple_, subject, how, place)
            return where, 0
        if tag == "VBN" and self._is_apart(how, place):
            return how.partition(" ")[2], 0
        return how, place

    def _is_apart(self, how: str, place: int) -> bool:
        """Return whether a participle says something else beside where a thing is.

        A box filled with fruit beside a bottle is not filled beside it.
        """
        where = how.partition(" ")[2]
        if where not in self.words.attachment.locatives:
            return False
        own = (t.members[1] for t in self.parsed.proposals if t.tokens[1:2] == (place,))
        adjacent = self.said.words[place : place + 1] == (where.split(" ")[0],)
        return not adjacent and any(other != how for other in own)

    def _is_idle(self, tuple_: SemanticTuple, subject: Entity, target: Entity) -> bool:
        """Return whether a thing is related to itself, though it is mentioned once."""
        if _is_inside(subject, target) or _is_inside(target, subject):
            subject.matter = subject.matter or _is_inside(subject, target)
            return True
        if subject is not target:
            return False
        if tuple_.members[1] in ("have", "wear"):
            return True
        places = tuple_.tokens[::2]
        tags = [self.parsed.tag(place) for place in places]
        once = len(set(places)) == 1 or not all(places)
        return not subject.plural and (once or any(t.startswith("PRP") for t in tags))

    def _doer(self, subject: Entity, how: str, place: int = 0) -> Entity:
        """Return who does what only living beings do: "a man on a bed reading a book".

        The parser may take the noun before a participle, or before "who", for its
        subject; but in "a temple with blossoms falling" these are what falls.
        """
        words, parsed = self.said.words, self.parsed
        if not place or is_living(subject.head):
            return subject
        sentence = parsed.sentences[place - 1]
        before = [
            thing
            for thing in self.things.values()
            if 0 < thing.place < place and parsed.sentences[thing.place - 1] == sentence
        ]
        living = [thing for thing in before if is_living(thing.head)]
        who = [k for k in range(subject.place + 1, place) if words[k - 1][:3] == "who"]
        if who and (
            known := [t for t in before if t.place < who[0] and may_live(t.head)]
        ):
            return known[-1]
        if parsed.tag(place) != "VBG":
            return subject
        at = subject.first
        if len(before) > 1 and words[max(0, at - 3) : at - 1] == ("made", "of"):
            return before[-2]
        last = before[-1] if before else subject
        first = self.said.start(last, "DT", "CD")
        if last.place == place - 1 and words[first - 2 : first - 1] == ("with",):
            return last
        deed = how.partition(" ")[0] in self.words["deeds"]
        return living[0] if living and deed else subject

    def _say_posture(
        self, tuple_: SemanticTuple, subject: Entity, how: str, place: int
    ) -> None:
        """Say that somebody sits, apart from where."""
        is_state = self.parsed.tag(place) == "VBN"
        verb = how.partition(" ")[0]
        if verb in self.words["living"] and not is_living(subject.head):
            return
        value = self.said.words[place - 1] if is_state else verb
        span = self.parsed.span(tuple_.tokens[0], place)
        self._say("state", subject, value, (place,), span)

    def _say_material(
        self, tuple_: SemanticTuple, thing: Entity, material: Entity
    ) -> None:
        """Say what a thing is made of, written in or seen as: no further thing.

        What is said of a way to write, or of what is seen, goes with it: "written in
        modern calligraphy"; glass has a color of its own.
        """
        material.matter = True
        how = tuple_.members[1]
        is_made = how in self.words["made"]
        first = material.first if is_made else self.said.start(material)
        own = tuple(range(first, material.place + 1))
        for key, statement in list(self.found.items()):
            about = statement.things == (material,) and not is_made
            if about and set(statement.places) <= set(own):
                del self.found[key]
        place = tuple_.tokens[1] if len(tuple_.tokens) == 3 and how != "as" else 0
        places = (place, *own) if place else own
        before = (self.said.words[k - 1] for k in range(first, material.first))
        detail = "material" if is_made else "type" if how == "as" else "style"
        self._say(detail, thing, " ".join((*before, *material.words)), places)

    def _say_dressed(self) -> None:
        """Say in what costume somebody is: "dressed as a pirate" says of no pirate."""
        for tuple_ in self.parsed.trace.unreal:
            members, places = tuple_.members, tuple_.tokens
            thing = self.things.get(members[0])
            if len(members) != 3 or len(places) != 3 or thing is None:
                continue
            verb, last = places[1:]
            if members[1].startswith("dress ") and 0 < verb < last:
                value = " ".join(self.parsed.texts[verb - 1 : last])
                self._say("state", thing, value, tuple(range(verb, last + 1)))

    def _say_denied(self) -> None:
        """Say what is not so: "no people on the beach", "a man without a hat".

        What is not there is denied where it is missing: the hat of the man.
        """
        denied = [t for t in self.parsed.trace.unreal if t.mood == "denied"]
        absent = {
            t.members[0]: self.parsed.entity(t.members[0], t.tokens[0], t)
            for t in denied
            if len(t.members) == 1 and t.members[0] not in self.things
        }
        for thing in absent.values():
            thing.stated = False
        missed = set(absent)
        for tuple_ in denied:
            names = tuple_.members[::2]
            ends = [self.things.get(n) or absent.get(n) for n in names]
            known = tuple(end for end in ends if end and self._is_thing(end))
            if len(tuple_.members) > 1 and len(known) == len(names):
                self._deny(tuple_, known)
                missed -= set(names)
        for name in missed:
            span = self.parsed.span(absent[name].place)
            self.found["denied", name] = Statement(
                "entity", "whole", (absent[name],), span=span, denied=True
            )

    def _deny(self, tuple_: SemanticTuple, ends: tuple[Entity, ...]) -> None:
        """Say that an attribute or a relation is not so."""
        place = tuple_.tokens[1] if len(tuple_.tokens) > 1 else 0
        tag = self.parsed.tag(place)
        category: Category = "attribute"
        if len(ends) == 1:
            value, places = self._value(tuple_)
            if value.isdigit():
                return
            detail = self.words.detail(value, tag)
        else:
            category = "relation"
            value = "have" if tuple_.members[1] == "with" else _as_written(tuple_)
            if value in self.words["besides"]:
                return
            detail = "action" if tag.startswith("VB") else "spatial"
            places = (place,) if place else ()
        span = self.parsed.span_of(tuple_)
        statement = Statement(category, detail, ends, value, places, span, denied=True)
        stated = {(s.category, s.members) for s in self.found.values()}
        if (category, statement.members) not in stated:
            self.found["denied", statement.members] = statement

    def _say_of_picture(self) -> None:
        """Say what the picture is like, and of the nearest thing what is written."""
        prompt, caption = self.parsed.prompt, self.said.caption
        at = [(self.parsed.span(t.place), t) for t in self.things.values() if t.place]
        for start, end in prompt.writings:
            before = [(span[1], thing) for span, thing in at if span[1] <= start]
            after = [(-span[0], thing) for span, thing in at if span[0] >= end]
            if before or after:
                thing = max(before or after, key=lambda item: item[0])[1]
                thing = self._bearer(thing)
                text, about = caption[start:end], "text rendering"
                self._add(Statement("other", about, (thing,), text, (), (start, end)))
        for detail, spans in (("style", prompt.styles), ("time", prompt.times)):
            for span in spans:
                text = caption[slice(*span)]
                self._add(Statement("global", detail, (), text, (), span))

    def _bearer(self, last: Entity) -> Entity:
        """Return what bears the text after a thing: the sign on the wall of a shop."""
        thing: Entity | None = last
        while thing is not None and thing.head not in self.words["bearers"]:
            near = (end for _, ends in self._pairs(3) if thing in ends for end in ends)
            before = (end for end in near if 0 < end.place < thing.place)
            thing = max(before, key=lambda end: end.place, default=None)
        return thing or last


def _is_inside(one: Entity, other: Entity) -> bool:
    """Return whether a thing is in the name of another: the laptop's keyboard."""
    return one is not other and other.first <= one.place < other.place


def _as_written(tuple_: SemanticTuple) -> str:
    """Return a relation in the caption's words, if it joins the same two things."""
    members, written = tuple_.members, tuple_.written
    if len(written) != 3 or members[1] in (*OWNING, "wear"):
        return members[1]
    turned = members[0] == written[2] or members[2] == written[0]
    verb = tuple_.tokens[1] if len(tuple_.tokens) == 3 else 0
    fewer = not verb and written[1] in ("of", "with", "in")
    return members[1] if turned or fewer or not written[1] else written[1]
