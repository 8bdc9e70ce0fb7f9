"""Attachment: which things a caption relates and how, read from beginning to end.

In: the tuples of a parsed caption. Out: the same tuples, with other ends where a reader
would choose others than the parser, which prefers the nearest noun.

    "a man in a red coat on a horse"                          →  man · on · horse
    "a boy holds a ball in his arms"                          →  ball · in · arm
    "a dog with trees in the background"                      →  tree · in · background
    "a door; behind the door there is a wall"                 →  wall · behind · door
"""

from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Any, Final

from spicepy.asking.statements import Said, word_sets
from spicepy.asking.words import is_living
from spicepy.rules.tuples import Proposals, SemanticTuple
from spicepy.words.wordnet import load_hierarchy

_PRONOUNS: Final = ("PRP", "PRP$")
_PARTICLES: Final = ("", "away", "back", "down", "off", "out", "up")
_LISTED: Final = ("CC", "CD", "DT", "JJ", "NN", "NNS", "VBG", "VBN", ",")
_CONTAINERS: Final = ("container",)
_HAD: Final = ("have", "wear", "with")
Mentions = Sequence[tuple[int, str]]
"""The nouns of a caption: position of the last word, and name; in order."""


class Attachment:
    """Finds the ends of tuples, with the words of `questions.toml` and others."""

    def __init__(
        self, data: Mapping[str, Any], known: Mapping[str, Any], worn: frozenset[str]
    ) -> None:
        own, places = data["attachment"], known["places"]
        self._sets = word_sets(own)
        self._sets["mounted"] = frozenset(data["parts"]["mounted"])
        self._colors = frozenset(known["colors"]["values"])
        self._parts = frozenset(data["parts"]["words"])
        self._worn = worn | self._parts
        self.locatives = frozenset((*known["locatives"]["words"], "to"))
        self._sites = tuple(places["sites"])
        self._holders = (*self._sites, *places["holders"])

    def attached(self, tuples: Proposals, said: Said) -> list[SemanticTuple]:
        """Return the tuples of a caption with the ends that a reader would choose."""
        mentions = sorted(
            (t.tokens[0], t.members[0])
            for t in tuples
            if len(t.members) == 1 and said.tag(*t.tokens[:1]).startswith("NN")
            if t.written != ("one",)
        )
        tuples = [t for t in tuples if not _is_other_one(t, mentions)]
        tuples = [*self._of_ones(tuples, mentions, said)]
        placed = [t for t in tuples if _is_placed(t)]
        doings = {(*t.members[::2], *t.tokens[::2]) for t in placed if t.tokens[1]}
        covering = {t.tokens[:1] for t in placed if self._covers(t, said)}
        found = [
            self._turned_round(t, mentions, doings, said) if _is_placed(t) else t
            for t in _with_colors_worn(tuples)
            if len(t.members) > 1
            or (
                (t.rule == "alone" or said.tag(*t.tokens[:1]) not in ("JJ", "VBN"))
                and t.tokens not in covering
            )
        ]
        owners, objects = self._owners(found), self._objects(found, said)
        placed = [
            self._placed(t, owners, objects, said) if _is_placed(t) else t
            for t in found
            if t.members[1:2] == () or t.members[1] not in self._sets["times"]
        ]
        # In "a dog with trees in the background" the trees are not with the dog.
        deep = {t.members[0] for t in placed if self._is_deep(t)}
        return [
            t
            for t in self._of_last(placed, said)
            if _head(" ".join(t.members[1:2])) != "with" or t.members[-1] not in deep
        ]

    def _of_ones(
        self, tuples: Proposals, mentions: Mentions, said: Said
    ) -> Iterator[SemanticTuple]:
        """Yield tuples, also of things that are named by an adjective alone.

        "A red and a green kayak" are two; in "an orange cat and a gray one" the second
        cat is gray.
        """
        shared: dict[int, list[int]] = {}
        for place, name in mentions:
            start = said.before(place)
            first, article = start - 2, said.word(start)
            known = said.word(first) in self._colors or said.tag(first) == "JJ"
            articles = {article, said.word(first - 1)} <= {"a", "an"}
            if said.word(start - 1) == "and" and known and articles:
                shared[place] = [first]
                yield SemanticTuple((name,), "alone", (first,))
        for tuple_ in tuples:
            members, tokens = tuple_.members, tuple_.tokens
            if len(members) == len(tokens) == 2 and tokens[0] < tokens[1]:
                one = tokens[1] + 1
                if said.words[tokens[1] - 2 :: 2][:2] in (("a", "one"), ("an", "one")):
                    yield SemanticTuple(members[:1], "object", (one,))
                    tuple_ = replace(tuple_, tokens=(one, tokens[1]))
            if len(members) != len(tokens) or len(tokens) < 3:
                yield tuple_
                continue
            first, verb, last = tokens
            # A dog on the left and a cat on the right of a house.
            if tuple_.rule != "shared-place" or said.tag(first + 1) != "IN":
                for one in (first, *shared.get(first, ())):
                    for other in (last, *shared.get(last, ())):
                        yield replace(tuple_, tokens=(one, verb, other))

    def _turned_round(
        self,
        tuple_: SemanticTuple,
        mentions: Mentions,
        doings: Container[tuple[object, ...]],
        said: Said,
    ) -> SemanticTuple:
        """Return a relation with the thing after it that is where it says."""
        members, (first, verb, last) = tuple_.members, tuple_.tokens
        following = said.words[verb : verb + 1]
        done = members[1] in ("cover", "in") and said.tag(verb) == "VBN"
        if done and last <= verb < first and {*following} & {"by", "in", "with"}:
            # Covered with dust, filled with pots.
            how = f"{said.lemmas[verb - 1]} {following[0]}"
            return _related(tuple_, (members[2], how, members[0]), (last, verb, first))
        if self._covers(tuple_, said):
            value = " ".join(said.words[first - 1 : verb])
            return _related(tuple_, (members[2], value), (last, verb))
        if verb == first > 0 and said.tag(verb) in ("JJ", "VBN"):
            # A tiled floor, a snowy field.
            return _related(tuple_, (members[2], said.words[verb - 1]), (last, verb))
        flat = members[0] in self._sets["flat"]
        holds = members[1] == "have" and tuple_.written[1:2] == ("of",) and first < last
        if holds and (flat or _is_kind(members[0], _CONTAINERS)):
            how = "on" if flat else "in"  # Soup in a bowl of it.
            return _related(tuple_, (members[2], how, members[0]), (last, 0, first))
        after = [mention for mention in mentions if mention[0] > last]
        itself = members[0] == members[2] and first != last > 0
        if itself and after and said.lemmas[last : last + 1] == ("there",):
            # Behind the door there is a wall.
            (place, name), how = after[0], _head(members[1])
            return _related(tuple_, (name, how, members[2]), (place, 0, last))
        if 0 < last < first and not tuple_.tokens[1] and after:
            place, name = after[0]
            does = (name, members[0], place, first) in doings
            if does and is_living(_head(name)) and not is_living(_head(members[0])):
                # Under a tree, a man grinds coffee.
                return _related(tuple_, (name, *members[1:]), (place, 0, last))
        return tuple_

    def _covers(self, tuple_: SemanticTuple, said: Said) -> bool:
        """Return whether a tuple says that something is snow covered."""
        first, verb, last = tuple_.tokens
        bare = verb == first + 1 > 1 and said.before(last) <= verb < last
        done = said.tag(verb) in ("VBD", "VBN")
        return bare and done and said.lemmas[verb - 1] in self._sets["covered"]

    def _owners(self, tuples: Proposals) -> dict[tuple[str, int], str]:
        """Return who holds each thing, and whose part it is."""
        owners = {}
        for tuple_ in filter(_is_placed, tuples):
            owner, how, thing = tuple_.members
            held = how in self._sets["held"] and is_living(_head(owner))
            if held or (how in _HAD and _head(thing) in self._sets["mounted"]):
                owners[thing, tuple_.tokens[2]] = owner
        return owners

    def _objects(self, tuples: Proposals, said: Said) -> list[SemanticTuple]:
        """Return the tuples of what somebody does with an object, in their order."""
        found = []
        for tuple_ in filter(_is_placed, tuples):
            (_, how, _), (_, verb, _) = tuple_.members, tuple_.tokens
            had = how in _HAD and (how, said.tag(verb)) != ("have", "VBG")
            if verb and how.partition(" ")[2] in _PARTICLES and not had:
                found.append(tuple_)
        return sorted(found, key=lambda t: t.tokens[2])

    def _placed(
        self,
        tuple_: SemanticTuple,
        owners: Mapping[tuple[str, int], str],
        objects: Proposals,
        said: Said,
    ) -> SemanticTuple:
        """Return a relation of the things that are where it says."""
        (subject, how, target), (first, verb, last) = tuple_.members, tuple_.tokens
        preposition = how.partition(" ")[2] if verb else how
        preposition = "onto" if tuple_.written[1:2] == ("onto",) else preposition
        directed = preposition in self._sets["directed"]
        if not directed and preposition not in self.locatives:
            return tuple_
        doings = [t for t in objects if t.tokens[2] < last]
        does = [t for t in doings if t.members[0] == subject and t.tokens[0] == first]
        owner = owners.get((subject, first), "")
        put = does and does[-1].members[1] in self._sets["putting"] and how != "in"
        if put or _head(target) in self._parts:
            if does and is_living(_head(subject)):
                (_, _, held), (_, _, place) = does[-1].members, does[-1].tokens
                return _related(tuple_, (held, preposition, target), (place, 0, last))
        elif owner and not verb and not directed:
            holders = self._holders if subject in self._worn else self._sites
            mounted = _head(subject) in self._sets["mounted"] and target != owner
            apart = owners.get((target, last)) != owner
            if mounted or (apart and _is_kind(target, holders)):
                return _related(tuple_, (owner, how, target), (0, 0, last))
        done = [t for t in doings if t.tokens[2] == first and not verb]
        place = done[-1].tokens[1] if done else 0
        # Having dinner at a table.
        having = (said.lemmas[place - 1], said.tag(place)) == ("have", "VBG")
        if having or (directed and not verb):
            does = done
        elif verb or _is_kind(target, self._sites):
            does = []
        return self._with_doing(tuple_, does[-1]) if does else tuple_

    def _with_doing(self, tuple_: SemanticTuple, doing: SemanticTuple) -> SemanticTuple:
        """Return where somebody does something: slicing (carrots) on a board."""
        (_, how, target), (_, _, last) = tuple_.members, tuple_.tokens
        (doer, verb, _), (first, place, _) = doing.members, doing.tokens
        return _related(tuple_, (doer, f"{verb} {how}", target), (first, place, last))

    def _of_last(self, tuples: Proposals, said: Said) -> Iterator[SemanticTuple]:
        """Yield tuples, but what follows a list after "with" of the last thing only.

        In "a nook with a lamp and a cat curled up on a rug" the cat is curled up.
        """
        last: dict[tuple[Any, ...], int] = {}
        for tuple_ in filter(_is_placed, tuples):
            first, verb, end = tuple_.tokens
            after = first < end and said.tag(verb) in ("", "VBN", "VBG")
            itself = said.tag(end) in _PRONOUNS  # With cheese and tomatoes on it.
            if after and not itself and not self._is_deep(tuple_):
                key = tuple_.members[1:], verb, end
                last[key] = max(last.get(key, 0), first)
        for tuple_ in tuples:
            first, *others = tuple_.tokens or (0,)
            if 0 < first < last.get((tuple_.members[1:], *others), 0):
                back = range(first, -1, -1)
                start = next(k for k in back if said.tag(k) not in _LISTED)
                lives = is_living(_head(tuple_.members[0]))
                end = last[(tuple_.members[1:], *others)]
                article = said.words[said.before(end) - 1] in ("a", "an")
                # A book and a cup filled with pens, but books and cups covered in dust.
                filled = said.tag(others[0]) == "VBN" and article
                filled = filled and others[0] == end + 1  # Not: are placed.
                if start and not lives and (filled or said.words[start - 1] == "with"):
                    continue
            yield tuple_

    def _is_deep(self, tuple_: SemanticTuple) -> bool:
        """Return whether a tuple says that a thing is in the background."""
        is_depth = _is_placed(tuple_) and tuple_.members[2] in self._sets["depths"]
        return is_depth and _head(tuple_.members[1]) in ("in", "at")


def _with_colors_worn(tuples: Proposals) -> Iterator[SemanticTuple]:
    """Yield tuples; who is in brown wears brown, whatever it is."""
    wearer: tuple[str, int] = "", 0
    for tuple_ in tuples:
        worn = tuple_.rule.startswith("wear-color")
        if worn and len(tuple_.members) == 3:
            wearer = tuple_.members[0], tuple_.tokens[0]
        elif worn and len(tuple_.members) == 2:
            (name, place), color = wearer, tuple_.members[1]
            yield _related(tuple_, (name, f"wear {color}"), (place, tuple_.tokens[1]))
        else:
            yield tuple_


def _is_other_one(tuple_: SemanticTuple, mentions: Mentions) -> bool:
    """Return whether "one" is none of what the grammar takes it for.

    "The boy in red is taller than the one in blue"; "the first one", before its noun.
    """
    known = len(tuple_.tokens) == len(tuple_.written) > 1
    if not known or "one" not in tuple_.written:
        return False
    at = tuple_.written.index("one")
    place, name = tuple_.tokens[at], tuple_.members[at]
    itself = tuple_.members[0] == tuple_.members[-1]
    known = any(at < place and own == name for at, own in mentions if at != place)
    return itself or tuple_.members[1].endswith(" than") or not known


def _is_placed(tuple_: SemanticTuple) -> bool:
    """Return whether a tuple is a relation whose positions are known."""
    return len(tuple_.members) == len(tuple_.tokens) == 3


@cache
def _is_kind(name: str, generals: tuple[str, ...]) -> bool:
    """Return whether a name, or its last word, is below a sense of a general noun."""
    hierarchy = load_hierarchy()
    tops = {synset for general in generals for synset in hierarchy.synsets(general)}
    own = hierarchy.synsets(name) or hierarchy.synsets(_head(name))
    return any(not tops.isdisjoint(hierarchy.above(synset)) for synset in own[:1])


def _head(name: str) -> str:
    return name.rpartition(" ")[2]


def _related(
    tuple_: SemanticTuple, members: tuple[str, ...], tokens: tuple[int, ...]
) -> SemanticTuple:
    return replace(tuple_, members=members, tokens=tokens, written=())


def as_written(tuple_: SemanticTuple) -> str:
    """Return a relation in the caption's words, if it joins the same two things."""
    members, written = tuple_.members, tuple_.written
    verb = tuple_.tokens[1] if len(tuple_.tokens) == 3 else 0
    if len(written) != 3 or members[1] in _HAD:
        does = verb and written[1:] and written[1].endswith(" with")
        return written[1] if does else members[1]
    fewer = not verb and written[1] in ("of", "with", "in")
    return members[1] if is_turned(tuple_) or fewer or not written[1] else written[1]


def is_turned(tuple_: SemanticTuple) -> bool:
    """Return whether a relation was written from its second thing: by the boy."""
    first, *_, last = (m.replace(" ", "") for m in tuple_.written or ("", " "))
    members = [m.replace(" ", "") for m in tuple_.members]
    return members[0] == last or members[-1] == first


def sided(tuple_: SemanticTuple, how: str, said: Said, sides: frozenset[str]) -> str:
    """Return a relation with the side that is meant: on the other side of."""
    before, side, after = how.partition("side of")
    known = sides & {before.rstrip().rpartition(" ")[2]}
    ends = tuple_.tokens[::2] if side else ()
    for place in range(min(ends, default=0) + 1, max(ends, default=0)):
        which, own = said.words[place - 2], said.words[place - 1]
        if own in ("side", "sides") and which in (known or sides):
            return f"{before.removesuffix(f'{which} ')}{which} {own} of{after}"
    return how


def verb_place(tuple_: SemanticTuple, how: str, said: Said) -> int:
    """Return where the first word of a relation stands; 0 if no word says it.

    A rule may leave open where its verb stands ("take photo of"). The tiles of a tiled
    wall are "on" it, which no word says.
    """
    place = tuple_.tokens[1] if len(tuple_.tokens) == 3 else 0
    own, first = {said.words[place - 1], said.lemmas[place - 1]}, how.partition(" ")[0]
    if place and (said.tag(place)[:2] != "VB" or own.intersection(how.split(" "))):
        return place
    start, end = (tuple_.tokens[0], tuple_.tokens[-1]) if tuple_.tokens else (0, 0)
    for at in range(start + 1, end) if start else ():
        if said.lemmas[at - 1] == first and said.tag(at)[:2] == "VB":
            return at
    return 0
