"""Unsaid: what a caption seems to say of its things, but does not.

In: the things of a caption and what its tuples say of them. Out: whether that is asked.

    "a man looking outside"              →  he is not outside
    "a pot and two cups, one broken"     →  the pot is not broken
"""

from typing import Final

from spicepy.asking.owners import Owners, is_inside
from spicepy.asking.statements import Entity
from spicepy.asking.words import is_living
from spicepy.rules.tuples import SemanticTuple

_DOING: Final = ("do", "perform")
_HAVING: Final = ("have", "hold", "wear", "with")


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
            or (how in ("against", "on") and around)
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
        if said.tag(first) in ("VBN", "VBG"):
            # Cars parked and a person: the person is not parked.
            return {"CC", "DT"} <= set(said.tags[first : max(0, own - 1)])
        looks = said.lemmas[first - 2] in self._words["looking"]
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
            target.matter = tuple_.members[1] in ("for", "on")
            return True
        if subject is not target:
            return False
        last = tuple_.tokens[-1]
        again = self._said.word(last - 1) == "the" and self._said.word(last) != "others"
        if again or tuple_.members[1] in ("have", "wear"):
            return True
        places = tuple_.tokens[::2]
        pronoun = any(self._parsed.tag(place)[:3] == "PRP" for place in places)
        once = pronoun or len(set(places)) == 1
        return not subject.plural and once
