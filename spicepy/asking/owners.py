"""Owners: whose the things of a caption are, who does what, and what is not asked.

In: the things of a caption. Out: the same, each with its owner; who wears or does what;
whether what a tuple says of them is asked.

    "a cliff with waves crashing"        →  waves, which no cliff has
    "a man on a bed reading a book"      →  man · read · book
    "a man wearing a backpack hiking"    →  man · hike
    "a man looking outside"              →  he is not outside
    "a pot and two cups, one broken"     →  the pot is not broken
"""

from typing import Final

from spicepy.asking.entities import ParsedCaption
from spicepy.asking.mentions import OWNING, Mentions
from spicepy.asking.statements import Entity
from spicepy.asking.words import is_living, is_person, may_live
from spicepy.rules.tuples import SemanticTuple

_HELD: Final = ("IN", "JJ", "RB", "RP", "VBG", "VBN")
_DOING: Final = ("do", "perform")
_HAVING: Final = ("have", "hold", "wear", "with")


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
        if sort and not owner.plural and self._said.word(start - 1) in ("a", "an"):
            owner.words = self._said.words[start - 1 : owner.place]  # An old man's hat.
        if sort:
            # A conductor's hat that a boy wears is of that sort.
            owner.matter = self._parsed.tag(*tuple_.tokens[:1])[:3] != "PRP"
            if not worn:
                whose = f"{owner.words[-1]}'s".replace("s's", "s'")
                thing.words = (*owner.words[:-1], whose, *thing.words)
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
        some = self.scan.share(owner, thing.first)
        if beside or some or self.is_sort(owner, thing) or self.one_of(tuple_, owner):
            return
        if thing.owner is None and not thing.owns(owner):
            thing.owner = owner
            is_side = thing.name in self._words["regions"]
            thing.region = is_side and not is_living(owner.head)

    def _is_usual(self, owner: Entity, thing: Entity) -> bool:
        """Return whether a thing is of the sort that others have: a nurse's uniform.

        So are men's shoes and the kids' toys; of the boys' shoes they are the boys'.
        """
        said, worn = self._said, self._words.is_worn(thing)
        before = said.word(said.start(owner) - 1)
        several = owner.plural and is_person(owner.head)
        several = several and not (worn and before == "the")
        one = (worn or not thing.plural) and before in ("a", "an")
        beside = said.tag(owner.place + 1) == "POS"
        return (several or one) and beside and thing.head not in self._words["parts"]

    def _wears(self, tuple_: SemanticTuple, wearer: Entity, thing: Entity) -> bool:
        """Return whether a relation says that somebody wears a thing, or is in it."""
        inside = tuple_.members[1] == "in" and is_living(wearer.head)
        return tuple_.members[1] == "wear" or (inside and self._words.is_worn(thing))

    def wearer(self, worn: Entity) -> Entity:
        """Return who wears a thing, or the thing itself."""
        return self._wearers.get(id(worn), worn)

    def is_beside(self, owner: Entity, thing: Entity) -> bool:
        """Return whether "with" adds what happens: a cliff with waves crashing."""
        texts = self._words["nouns"]
        apart = owner.head in texts | self._words["waters"]  # A sea with a lighthouse.
        bare = is_living(owner.head) or self._is_picture(owner)
        if apart or (thing.head in texts and bare):
            return True  # A poster of a mountain with words, a cat with words.
        if thing.head in self._words["unique"] and not self._words.is_worn(owner):
            return True  # A house with a sun.
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
        return rest if verb in self._words["postures"] and not moves else how

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


class Things(Owners):
    """The things of one caption, and what is not said of them."""

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
        start = said.start(target)
        before, held = said.word(start - 1), self.is_held(target)
        around, texts = target.head in words["around"], words["nouns"]
        lettered = target.head in texts and subject.head not in texts
        apart = not is_living(subject.head) and words.is_worn(target)
        return (
            how in ("", *words["besides"])
            or target.place in subject.marked
            or self._lacks_verb(tuple_)
            or subject.activity
            or subject.head in words["watched"]
            or not self.is_thing(subject)
            # Wet from the rain.
            or (how == "from" and tuple_.rule == "adjective-preposition")
            # Too short to reach it.
            or said.is_possible(place)
            # Resting his chin on his hand.
            or (verb in words["postures"] and said.tag(place + 1) == "PRP$")
            # In a prompt a comma begins what is seen besides.
            or (
                (before, said.tag(start - 2)[:2], rest) == (",", "NN", "")
                and 0 < place < start - 1
                and {"and", "or"}.isdisjoint(said.rest(target.place))
            )
            # Friends toasting marshmallows.
            or (said.tag(place)[:2] == "NN" and not self._is_done(place))
            # Who holds a rabbit by its ear.
            or (how in ("by", "hang by") and target.head in words["parts"])
            or (how.endswith(" with") and held)  # Who leaps with legs apart.
            # His hand on the ground and his arm stretched out.
            or (held and said.word(start - 2) == "and")
            or (how == "in" and (lettered or apart))  # A sign in white letters.
            or (how == "with" and before == ",")
            or (how == "with" and self.is_beside(subject, target))
            # What others do the things before do not.
            or said.word(place - 1) == "others"
            # A shelf and a curtain with ducks on it.
            or (how in ("in", "on") and self._is_of_other(tuple_, subject, target))
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

    def _is_of_other(
        self, tuple_: SemanticTuple, subject: Entity, target: Entity
    ) -> bool:
        """Return whether "it" means a thing with the subject, and not the target."""
        every = [(e[0], t.members[1]) for t, e in self.pairs(3) if e[1] is subject]
        owners = [owner for owner, how in every if how == "with"]
        it = self._said.word(*tuple_.tokens[-1:]) == "it"
        return it and bool(owners) and target not in owners

    def _lacks_verb(self, tuple_: SemanticTuple) -> bool:
        """Return whether a verb that no tuple has says it: takes notes in a book."""
        if len(tuple_.tokens) != 3 or tuple_.tokens[1]:
            return False
        known = {place for t in self._parsed.proposals for place in t.tokens}
        between = {*range(tuple_.tokens[0] + 1, tuple_.tokens[2])} - known
        verbs = [k for k in between if self._said.tag(k) in ("VBP", "VBZ")]
        light = self._words["incomplete"] - {"take", "make"}
        return any(self._said.lemmas[k - 1] not in light for k in verbs)

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
            one = thing.number > 1
            kind = said.tag(own - 1) == "NN" and own - 1 in places
            if one or kind or tuple_.written[:1] == ("one",):
                return True
        between = range(own + 1, first - 2)
        which = any(said.words[k : k + 2] == ("of", "which") for k in between)
        if which and any(said.tag(k)[:2] == "NN" for k in between):
            return True  # A pot and two cups, one of which is broken.
        looks = first > 1 and said.lemmas[first - 2] in self._words["looking"]
        if looks and tuple_.members[1] in self._words["whereabouts"]:
            return True  # Looking outside.
        if said.lemmas[max(0, first - 2) : first] == ("a", "little"):
            return thing.head in self._words["parts"] or own < first  # Bent a little.
        # Who has a hat on wears it.
        return tuple_.members[1] == "on" and self._words.is_worn(thing)

    def is_idle(self, tuple_: SemanticTuple, subject: Entity, target: Entity) -> bool:
        """Return whether a thing is related to itself, though it is mentioned once."""
        inside = is_inside(subject, target)
        if inside or is_inside(target, subject):
            subject.matter = inside
            # A train station need not have a train, but a kitchen floor is in one.
            named = tuple_.members[1] == "have" and not inside  # A flat screen TV.
            target.matter = named or tuple_.members[1] in ("for", "make of", "on")
            return True
        if subject is not target:
            return False
        last = tuple_.tokens[-1]
        again = self._said.word(last - 1) == "the" and self._said.word(last) != "others"
        if again or tuple_.members[1] in ("have", "wear"):
            return True
        places = tuple_.tokens[::2]
        pronoun = any(self._parsed.tag(place)[:3] == "PRP" for place in places)
        return not subject.plural and (pronoun or len(set(places)) == 1)


def is_inside(one: Entity, other: Entity) -> bool:
    """Return whether a thing is in the name of another: the laptop's keyboard."""
    return other.first <= one.place < other.place
