"""Owners: whose the things of a caption are, and who does what.

In: the things of a caption. Out: the same, each with its owner; who wears or does what.

    "a cliff with waves crashing"        →  waves, which no cliff has
    "a man on a bed reading a book"      →  man · read · book
    "a man wearing a backpack hiking"    →  man · hike
"""

from typing import Final

from spicepy.asking.entities import ParsedCaption
from spicepy.asking.mentions import OWNING, Mentions
from spicepy.asking.statements import Entity
from spicepy.asking.words import is_living, may_live
from spicepy.rules.tuples import SemanticTuple

_HELD: Final = ("IN", "JJ", "RB", "RP", "VBG", "VBN")


class Owners(Mentions):
    """The things of one caption with their owners."""

    def __init__(self, parsed: ParsedCaption) -> None:
        super().__init__(parsed)
        self._wearers = {
            id(thing): wearer
            for tuple_, (wearer, thing) in self.pairs(3)
            if tuple_.rule != "owner" and self._wears(tuple_, wearer, thing)
        }
        for tuple_, (owner, thing) in self.pairs(3):
            self._own(tuple_, owner, thing)

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
        part = thing.head in self._words["parts"]
        beside = said.word(owner.place + 1) == "'s"
        one = not thing.plural or self._words.is_worn(thing)
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
        if any(ends == (thing, owner) for _, ends in self.pairs(3)):
            return not own  # A sink with an oven beneath it.
        if self._said.words[thing.place : thing.place + 2] == ("to", "the"):
            return not own  # A cube, with a cone to the left.
        return does and not own

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
        said, parts = self._said, self._words["parts"]
        if not place or subject.first <= place <= subject.place:
            return subject
        lives = is_living(subject.head) or subject.proper
        sentence = said.sentences[place - 1]
        before = [
            thing
            for thing in self.every.values()
            if 0 < thing.place < place and said.sentences[thing.place - 1] == sentence
        ]
        last, doing = (before or [subject])[-1], said.tag(place) == "VBG"
        lead = said.word(said.start(last, "DT", "CD", "PRP$") - 1)
        beside = last.place == place - 1
        if beside and (doing or said.tag(place) == "VBN"):
            part = last.head in parts
            his = part and doing and said.tag(said.before(last.place)) == "PRP$"
            joined = lead == "and" and (part if lives else doing)
            if lead == "," or his or joined:
                return last  # A cabin, smoke rising; one leg bent and the arm raised.
        if lives:
            return subject
        between = range(subject.place + 1, place)
        who = next((k for k in between if said.word(k)[:3] == "who"), 0)
        known = [t for t in before if t.place < who and may_live(t.head)]
        if known:
            return known[-1]
        if not doing:
            return subject
        if said.words[max(0, subject.first - 3) : subject.first - 1] == ("made", "of"):
            return before[-2:][0]
        # A nose juggles no balls, and an awning sells no flowers.
        does = any(t.tokens[1:2] == (place,) for t in self._parsed.objects)
        free = last.head not in self._words["nouns"] | self._words["mounted"]
        if beside and free and not does and lead == "with":
            return last
        living = [thing for thing in before if is_living(thing.head)]
        deeds = self._words["deeds"] - self._words["postures"]
        deed = not how or how.partition(" ")[0] in deeds
        return living[0] if living and deed else subject


def is_inside(one: Entity, other: Entity) -> bool:
    """Return whether a thing is in the name of another: the laptop's keyboard."""
    return one is not other and other.first <= one.place < other.place
