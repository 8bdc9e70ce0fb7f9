"""Owners: the things of a caption told apart, whose they are, and who does what.

In: a parsed caption. Out: its tuples with their things, each by the mention there; who
has, wears or does what they say.

    "a boy in a blue shirt and a man in a white shirt"  →  the boy's shirt, the man's
    "a cliff with waves crashing"                       →  waves, which no cliff has
    "a man on a bed reading a book"                     →  man · read · book
    "a man wearing a backpack hiking"                   →  man · hike
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Final

from spicepy.asking.attachment import as_written
from spicepy.asking.entities import ParsedCaption
from spicepy.asking.scanning import Scan
from spicepy.asking.statements import Entity
from spicepy.asking.words import is_compound, is_living, is_quality, may_live
from spicepy.rules.tuples import SemanticTuple

_DOING: Final = ("do", "perform")
_HAVING: Final = ("have", "hold", "wear", "with")
_HELD: Final = ("IN", "JJ", "RB", "RP", "VBG", "VBN")
OWNING: Final = ("have", "with")
"""Relations by which one thing is another one's."""
Words = tuple[str, ...]
_OTHER: Final = ("other",)
_DESCRIPTION: Final = ("DT", "JJ", "NN", "NNS", "VBG", "VBN")
_LONGEST_MARK: Final = 4
"""The most words of what follows a noun and tells it from others: in a red hat."""


class Things:
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
        self._wearers = {
            id(thing): wearer
            for tuple_, (wearer, thing) in self.pairs(3)
            if tuple_.rule != "owner" and self._wears(tuple_, wearer, thing)
        }
        for tuple_, (owner, thing) in self.pairs(3):
            self._own(tuple_, owner, thing)

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
        for tuple_, _ in self.pairs(1):
            places.setdefault(tuple_.members[0], set()).update(
                filter(None, tuple_.tokens)
            )
        for name, own in places.items():
            if (name, min(own, default=0)) in self._mentions:
                continue
            before = {place: self._before(name, place) for place in own}
            after = {place: self._after(place) for place in own}
            either = {place: before[place] or after[place] for place in own}
            for described in (before, after, either):
                if self._are_told(described):
                    self._part(name, described)
                    break

    def _are_told(self, described: Mapping[int, Words]) -> bool:
        """Return whether things that a caption brings in are described differently."""
        new = [words for at, words in described.items() if self._is_new(at, words)]
        further = any(words[:1] == _OTHER for words in new)
        return len(set(new)) > 1 and (further or () not in new)

    def _part(self, name: str, described: Mapping[int, Words]) -> None:
        """Make a thing of each description; others mean the one before."""
        first, parted = self.every[name], dict[Words, Entity]()
        new = {words for at, words in described.items() if self._is_new(at, words)}
        named = [words for words in new if words[:1] != _OTHER]
        plain = named if len(named) < len(new) and len(named) == 1 else [()]
        base, latest = replace(first), first
        for place, words in sorted(described.items()):
            if words not in parted and self._is_new(place, words):
                same = place == first.place
                thing = first if same else self._parsed.mention(base, place)
                if words in plain:
                    pass  # What others are told from.
                elif words == self._after(place):
                    thing.mark = " ".join(words)
                else:
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

    def _own(self, tuple_: SemanticTuple, owner: Entity, thing: Entity) -> None:
        """Mark a thing as that of its owner."""
        worn = self.wearer(thing) not in (thing, owner)
        usual = tuple_.tokens[:1] == (owner.place,) and self._is_usual(owner, thing)
        sort = tuple_.rule == "owner" and (worn or usual)
        start = self._said.start(owner)
        if sort and self._said.word(start - 1) in ("a", "an"):
            owner.words = self._said.words[start - 1 : owner.place]  # An old man's hat.
        if sort:
            # A conductor's hat that a boy wears is of that sort.
            owner.matter = self._parsed.tag(*tuple_.tokens[:1])[:3] != "PRP"
            if not worn:
                thing.words = (*owner.words[:-1], f"{owner.words[-1]}'s", *thing.words)
                thing.name = " ".join((*thing.words[:-1], thing.name))
            return
        if owner.head in self._words["areas"] and tuple_.written[1:2] == ("of",):
            owner, thing = thing, owner  # The lobby area of a station.
        how = self.without_posture(self.how(tuple_, thing))
        does = self._parsed.tag(*tuple_.tokens[1:2]) == "VBG"
        if how == "have" and does and thing.head not in self._words["parts"]:
            return  # Having a picnic.
        if how not in OWNING or thing is owner or is_inside(owner, thing):
            return
        if thing.place in owner.marked:
            return
        # What is alive is not had, but beside: a man with a dog.
        beside = is_living(thing.head) or self.is_beside(owner, thing)
        beside = (how == "with" and beside) or (owner.proper and thing.proper)
        place = max(tuple_.tokens[1:2], default=0) or thing.first
        some = owner.plural and place and self.scan.share(owner, place)
        if beside or some or self.is_sort(owner, thing) or self.one_of(tuple_, owner):
            return
        if thing.owner is None and not thing.owns(owner):
            thing.owner = owner
            is_side = thing.name in self._words["regions"]
            thing.region = is_side and not is_living(owner.head)

    def _is_usual(self, owner: Entity, thing: Entity) -> bool:
        """Return whether a thing is of the sort that others have: a nurse's uniform."""
        said = self._said
        article = said.word(said.start(owner) - 1) in ("a", "an")
        once = said.lemmas.count(said.lemmas[owner.place - 1]) == 1
        part = thing.head in self._words["parts"] or is_living(thing.head)
        beside = said.word(owner.place + 1) == "'s"
        one = owner.tag == "NN" and (not thing.plural or self._words.is_worn(thing))
        return article and once and beside and one and not part

    def _wears(self, tuple_: SemanticTuple, wearer: Entity, thing: Entity) -> bool:
        """Return whether a relation says that somebody wears a thing, or is in it."""
        inside = tuple_.members[1] == "in" and is_living(wearer.head)
        return tuple_.members[1] == "wear" or (inside and self._words.is_worn(thing))

    def wearer(self, worn: Entity) -> Entity:
        """Return who wears a thing, or the thing itself."""
        return self._wearers.get(id(worn), worn)

    def is_beside(self, owner: Entity, thing: Entity) -> bool:
        """Return whether "with" adds what happens: a cliff with waves crashing."""
        if thing.head in self._words["nouns"] and self._is_picture(owner):
            return True  # A poster of a mountain with words.
        does = self._said.tag(thing.place + 1) == "VBG"
        own = thing.head in self._words["parts"] or is_living(owner.head)
        doing = self._said.lemmas[thing.place : thing.place + 1]
        hangs = self._words["worn_deeds"].intersection(doing)
        if any(ends == (thing, owner) for _, ends in self.pairs(3)):
            return not own  # A sink with an oven beneath it.
        if self._said.words[thing.place : thing.place + 2] == ("to", "the"):
            return not own  # A cube, with a cone to the left.
        return bool(thing.place) and does and not own and not hangs

    def _is_picture(self, thing: Entity) -> bool:
        """Return whether a thing is what a caption says that it is a picture of."""
        styles = self._parsed.prompt.styles
        start = self._parsed.spans[thing.first - 1][0]
        places = (other.place for other in self.every.values() if other.place)
        first = min(places, default=0)
        return bool(styles) and styles[0][1] < start and first == thing.place

    def is_held(self, part: Entity) -> bool:
        """Return whether words after a part of a body say how it is held."""
        after = self._said.tag(part.place + 1)
        return part.head in self._words["parts"] and after in _HELD

    def is_sort(self, owner: Entity, thing: Entity) -> bool:
        """Return whether "of" with a bare noun says of what sort: a wave of water."""
        one = owner.tag == "NN" or (owner.tag, thing.tag) == ("NNS", "NN")
        bare = one and 0 < thing.place == owner.first - 2
        return bare and self._said.words[thing.place] == "of"

    def is_viewer(self, thing: Entity) -> bool:
        """Return whether a thing is where the picture is seen from: at the camera."""
        before = self._said.word(thing.first - 2), self._said.word(thing.first - 1)
        is_seen = before[1] == "the" and before[0] in self._words["facing"]
        return is_seen and thing.head in self._words["viewers"]

    def is_unsaid(
        self, tuple_: SemanticTuple, subject: Entity, target: Entity, how: str
    ) -> bool:
        """Return whether a relation says nothing that is asked as one."""
        said, words = self._said, self._words
        if target.head in words["heaps"] and tuple_.written[1:2] == ("of",):
            # It is asked as a line of trees.
            target.region, target.owner = True, subject
        verb, _, rest = how.partition(" ")
        place = max(tuple_.tokens[1:2], default=0)
        start, after = said.start(target), said.tag(target.place + 1)
        before, held = said.word(start - 1), self.is_held(target)
        joined = said.tag(start - 1) in ("PRP$", "DT") and said.word(start - 2) == "and"
        around, texts = target.head in words["around"], words["nouns"]
        lettered = target.head in texts and subject.head not in texts
        apart = not is_living(subject.head) and start - 3 >= subject.place
        apart = apart and words.is_worn(target)
        return (
            how in ("", *words["besides"])
            or target.place in subject.marked
            or subject.activity
            or not self.is_thing(subject)
            # Wet from the rain.
            or (how == "from" and tuple_.rule == "adjective-preposition")
            # Too short to reach it.
            or said.is_possible(place)
            # What has hair wears a hat.
            or (verb == "wear" and subject.head in words["parts"])
            # Resting his chin on his hand.
            or (rest and verb in words["postures"] and said.tag(place + 1) == "PRP$")
            # In a prompt a comma begins what is seen besides.
            or (
                (before, said.tag(start - 2)[:2], rest) == (",", "NN", "")
                and 0 < place < start - 1
                and said.tag(place)[:2] == "VB"
                and {"and", "or"}.isdisjoint(said.rest(target.place))
            )
            # Friends toasting marshmallows.
            or (said.tag(place)[:2] == "NN" and not self._is_done(place))
            or (how == "get" and after == "VBN")  # Who gets their hair cut.
            or (how in ("against", "on") and around)
            or (how == "as" and after in ("VBZ", "VBP"))  # As a crowd watches.
            # Who holds a rabbit by its ear.
            or (how in ("by", "hang by") and target.head in words["parts"])
            or (how.endswith(" with") and held)  # Who leaps with legs apart.
            # His hand on the ground and his arm stretched out.
            or (joined and held and subject.head in words["parts"])
            or (how == "in" and (lettered or apart))  # A sign in white letters.
            or (how == "with" and is_living(target.head) and before == ",")
            or (how == "with" and subject.proper and target.proper)
            or (how == "with" and self.is_beside(subject, target))
            # What others do the things before do not.
            or said.word(place - 1) == "others"
            # To take a photo with a phone is not to take with it.
            or (
                rest == "with"
                and verb in words["incomplete"]
                and said.tag(place) != "VBN"
            )
            # A girl wearing a hat, white background.
            or (verb in _HAVING if around else not self.is_thing(target))
            or (tuple_.rule == "owner" and subject.matter)
            or self.is_idle(tuple_, subject, target)
        )

    def _is_done(self, place: int) -> bool:
        """Return whether somebody does what a noun says: doing tricks, a trick."""
        before = place - 1 - (self._said.tag(place - 1) in ("DT", "JJ"))
        return before > 0 and self._said.lemmas[before - 1] in _DOING

    def is_misread(
        self, tuple_: SemanticTuple, thing: Entity, places: tuple[int, ...]
    ) -> bool:
        """Return whether an attribute is not that of its thing, but another's."""
        said, first = self._said, min(places, default=0)
        own = tuple_.tokens[0] if any(tuple_.tokens[1:]) else thing.place
        if own != thing.place and said.tag(own)[:2] == "NN":
            # The white one is not the red one, nor microwave ovens all ovens.
            one = thing.number > 1 and said.tag(own) == "NN"
            kind = said.tag(own - 1) == "NN" and own - 1 in places
            if one or kind or tuple_.written[:1] == ("one",):
                return True
        between = range(own + 1, first - 2)
        which = any(said.words[k : k + 2] == ("of", "which") for k in between)
        if which and any(said.tag(k)[:2] == "NN" for k in between):
            return True  # A pot and two cups, one of which is broken.
        if said.tag(first) in ("VBN", "VBG"):
            # Cars parked and a person: the person is not parked.
            apart = {"CC", "DT"} <= set(said.tags[first : max(0, own - 1)])
            other = "others" in (said.words[first - 2], said.words[own - 1])
            return apart or (other and not is_living(thing.head))
        looks = first > 1 and said.lemmas[first - 2] in self._words["looking"]
        if looks and tuple_.members[1] in self._words["whereabouts"]:
            return True  # Looking outside.
        if said.lemmas[max(0, first - 2) : first] == ("a", "little"):
            limb = thing.head in self._words["parts"]
            return limb or said.tag(own) != "NN" or own < first  # Bent a little.
        # Who has a hat on wears it.
        return tuple_.members[1] == "on" and self._words.is_worn(thing)

    def is_idle(self, tuple_: SemanticTuple, subject: Entity, target: Entity) -> bool:
        """Return whether a thing is related to itself, though it is mentioned once."""
        inside = is_inside(subject, target)
        if inside or is_inside(target, subject):
            subject.matter = subject.matter or inside
            # A train station need not have a train, but a kitchen floor is in one.
            target.matter = target.matter or tuple_.members[1] in ("for", "on")
            return True
        if subject is not target:
            return False
        last = tuple_.tokens[-1]
        again = self._said.word(last - 1) == "the" and self._said.word(last) != "others"
        if again or tuple_.members[1] in ("have", "wear"):
            return True
        places = tuple_.tokens[::2]
        pronoun = any(self._parsed.tag(place)[:3] == "PRP" for place in places)
        once = pronoun or len(set(places)) == 1 or not all(places)
        return not subject.plural and once

    def without_posture(self, how: str) -> str:
        """Return a relation without the verb that only says how somebody is there."""
        verb, _, rest = how.partition(" ")
        first, _, where = rest.partition(" ")
        if where and first in ("down", "up"):
            first, rest = where.partition(" ")[0], where  # Sitting down with.
        # What hangs from a wire, or off it, is not "from" it.
        moves = first in ("", "from", "off", "out")
        apart = verb in self._words["postures"] and not moves
        return rest if apart else how

    def one_of(self, tuple_: SemanticTuple, thing: Entity) -> str:
        """Return "one" for one of several things: two men; the man on the left."""
        place = tuple_.tokens[0] if tuple_.tokens else 0
        own = self._parsed.tag(place), self._said.words[place - 1]
        single = own in (("NN", thing.head), ("DT", "another"))
        return "one" if thing.tag == "NNS" and single else ""

    def text_before(self, way: Entity) -> Entity | None:
        """Return the last text before a thing: what is written in some way."""
        texts = (thing for thing in self if thing.head in self._words["nouns"])
        before = (thing for thing in texts if 0 < thing.place < way.place)
        return max(before, key=lambda thing: thing.place, default=None)

    def doer(self, subject: Entity, how: str, place: int = 0) -> Entity:
        """Return who does what only living beings do: "a man on a bed reading a book".

        The parser may take the noun before a participle, or before "who", for its
        subject; but in "a temple with blossoms falling" these are what falls.
        """
        said, words, parsed = self._said, self._said.words, self._parsed
        lives = is_living(subject.head) or (subject.proper and not subject.article)
        beside = parsed.tag(place - 1)[:2] == "NN"
        done = parsed.tag(place) in ("VBG", "VBN")
        inside = not place or subject.first <= place <= subject.place
        if inside or (lives and not (done and beside)):
            return subject
        sentence = parsed.sentences[place - 1]
        before = [
            thing
            for thing in self.every.values()
            if 0 < thing.place < place and parsed.sentences[thing.place - 1] == sentence
        ]
        last = before[-1] if before else subject
        living = [thing for thing in before if is_living(thing.head)]
        deeds = self._words["deeds"] - self._words["postures"]
        limb = said.tag(said.before(last.place)) != "PRP$" and bool(living)
        # A nose juggles no balls, and an awning sells no flowers.
        does = any(t.tokens[1:2] == (place,) for t in parsed.objects)
        limb = limb and (
            does or said.lemmas[place - 1] in self._words["bodily"] | deeds
        )
        first = said.start(last, "DT", "CD", "PRP$")
        if last.place == place - 1 and done:
            lead = said.word(first - 1)
            part = last.head in self._words["parts"] and may_live(subject.head)
            joined = part if lives else parsed.tag(place) == "VBG"
            held = lead == "with" and part and not limb and parsed.tag(place) == "VBG"
            if lead == "," or held or (lead == "and" and joined):
                return last  # A cabin, smoke rising; one leg bent and the arm raised.
        if lives:
            return subject
        who = [k for k in range(subject.place + 1, place) if words[k - 1][:3] == "who"]
        known = [t for t in before if who and t.place < who[0] and may_live(t.head)]
        if known:
            return known[-1]
        if parsed.tag(place) != "VBG":
            return subject
        at = subject.first
        if len(before) > 1 and words[max(0, at - 3) : at - 1] == ("made", "of"):
            return before[-2]
        beside = last.place == place - 1 and last.head not in self._words["nouns"]
        beside = beside and last.head not in self._words["mounted"]
        if beside and not does and said.word(first - 1) == "with":
            return last
        deed = not how or how.partition(" ")[0] in deeds
        return living[0] if living and deed else subject


def is_inside(one: Entity, other: Entity) -> bool:
    """Return whether a thing is in the name of another: the laptop's keyboard."""
    return one is not other and other.first <= one.place < other.place
