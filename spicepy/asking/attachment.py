"""Attachment: which things a caption relates, read from its beginning to its end.

In: the tuples of a parsed caption. Out: the same tuples, with other ends where a reader
would choose others than the grammar, whose graphs do not depend on the order of
sentences, and than the parser, which prefers the nearest noun.

    "A boy jumps. They are on a sled. Trees are behind him."  →  boy · on · sled
    "a man in a red coat on a horse"                          →  man · on · horse
    "a boy holds a ball in his arms"                          →  ball · in · arm
    "a dog with trees in the background"                      →  tree · in · background
    "a door; behind the door there is a wall"                 →  wall · behind · door
    "A skier jumps. Trees are behind the man."                →  tree · behind · skier
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Any, Final

from spicepy.asking.prompts import word_sets
from spicepy.asking.statements import is_living, is_person
from spicepy.rules.tuples import SemanticTuple
from spicepy.words.wordnet import load_hierarchy

_PRONOUNS: Final = ("PRP", "PRP$")
_PARTICLES: Final = ("", "away", "back", "down", "off", "out", "up")
_HAD: Final = ("have", "wear", "with")
Mentions = Sequence[tuple[int, str]]
"""The nouns of a caption: position of the last word, and name; in order."""


class Attachment:
    """Finds the ends of tuples.

    Args:
        data: The tables of `grammars/questions.toml`.
        known: The tables of `grammars/diagnosis.toml`.
        garments: The names of what people wear.

    Attributes:
        locatives: Prepositions that say where a thing is.
    """

    def __init__(
        self,
        data: Mapping[str, Any],
        known: Mapping[str, Any],
        garments: frozenset[str],
    ) -> None:
        own, places = data["attachment"], known["places"]
        self._sets = word_sets(own) | {
            "texts": frozenset(data["texts"]["nouns"]),
            "postures": frozenset(data["postures"]["words"]),
            "nothing": frozenset(data["nothing"]["words"]),
        }
        self._laid = tuple(own["laid"])
        self._turned: Mapping[str, str] = own["turned"]
        self._parts = frozenset(data["parts"]["words"])
        self._worn = garments | self._parts
        self.locatives = frozenset((*known["locatives"]["words"], "to"))
        self._sites = tuple(places["sites"])
        self._holders = (*self._sites, *places["holders"])

    def attached(
        self,
        tuples: Sequence[SemanticTuple],
        tags: Sequence[str],
        lemmas: Sequence[str],
        sentences: Sequence[int],
    ) -> list[SemanticTuple]:
        """Return the tuples of a caption with the ends that a reader would choose.

        Args:
            tuples: The tuples, with positions from 1 through the whole caption.
            tags: The tag of each word.
            lemmas: The lemma of each word.
            sentences: The number of the sentence of each word.
        """
        mentions = sorted(
            (t.tokens[0], t.members[0])
            for t in tuples
            if len(t.members) == 1
            and any(t.tokens)
            and tags[t.tokens[0] - 1].startswith("NN")
        )
        same = self._same_persons(mentions, tags, lemmas, sentences)
        if same:
            tuples = [_renamed(t, same) for t in tuples]
            mentions = [(place, same.get(name, name)) for place, name in mentions]
        found = [
            self._with_antecedents(
                self._where_shown(t, tags), mentions, tags, lemmas, sentences
            )
            if _is_placed(t)
            else t
            for t in tuples
        ]
        owners = self._owners(found)
        objects = self._objects(found)
        placed = [
            self._placed(self._laid_on(t, mentions, lemmas), owners, objects)
            if _is_placed(t)
            else t
            for t in found
            if t.members[1:2] == () or t.members[1] not in self._sets["times"]
        ]
        # In "a dog with trees in the background" the trees are not with the dog.
        deep = {t.members[0] for t in placed if self._is_deep(t)}
        return [
            t
            for t in placed
            if _head(" ".join(t.members[1:2])) != "with" or t.members[-1] not in deep
        ]

    def _same_persons(
        self,
        mentions: Mentions,
        tags: Sequence[str],
        lemmas: Sequence[str],
        sentences: Sequence[int],
    ) -> dict[str, str]:
        """Return names of persons who a sentence before calls something else.

        "The man" is the skier if nobody else is named before.
        """
        same: dict[str, str] = {}
        singular = [m for m in mentions if tags[m[0] - 1] == "NN"]
        for name in self._sets["persons"].intersection(name for _, name in singular):
            own = [place for place, other in mentions if other == name]
            first = own[0]
            before = {
                other
                for place, other in mentions
                if place < first and is_person(_head(other))
            }
            known = [
                other
                for place, other in singular
                if other in before and sentences[place - 1] < sentences[first - 1]
            ]
            definite = all(lemmas[place - 2] == "the" for place in own if place > 1)
            if first > 1 and definite and len(before) == 1 and known:
                [other] = before
                if "person" in (name, other) or other not in self._sets["persons"]:
                    same[name] = other
        return same

    def _with_antecedents(
        self,
        tuple_: SemanticTuple,
        mentions: Mentions,
        tags: Sequence[str],
        lemmas: Sequence[str],
        sentences: Sequence[int],
    ) -> SemanticTuple:
        """Return a relation with other things for "they" and for a thing beside itself.

        Who wears or holds something is alive; "trees behind them" are not behind
        what stands beside them in the same sentence; in "behind the door there is a
        wall" the wall is behind the door.
        """
        members = list(tuple_.members)
        first, _, last = tuple_.tokens
        if members[0] == members[2] and first != last and last:
            after = [m for m in mentions if m[0] > last]
            if after and lemmas[last : last + 1] == ("there",):
                place, name = after[0]
                how = members[1].rpartition(" ")[2]
                return _related(tuple_, (name, how, members[2]), (place, 0, last))
        for at in (0, 2):
            place = tuple_.tokens[at]
            is_pronoun = place and tags[place - 1] in _PRONOUNS
            if not is_pronoun or lemmas[place - 1].lower() not in self._sets["several"]:
                continue
            begin = sentences.index(sentences[place - 1]) + 1 if at else place
            before = [name for where, name in mentions if where < place]
            living = [
                name
                for where, name in mentions
                if where < begin and is_living(_head(name))
            ]
            beside = {name for where, name in mentions if begin <= where < place}
            does = not at and not self._sets["doings"].isdisjoint(members[1].split(" "))
            known = living if does else before
            if living and (members[at] not in known or members[at] in beside):
                members[at] = living[0]
        return replace(tuple_, members=tuple(members))

    def _where_shown(self, tuple_: SemanticTuple, tags: Sequence[str]) -> SemanticTuple:
        """Return where a thing is shown or made as where it is: shown with a sink."""
        (subject, how, target), (first, verb, last) = tuple_.members, tuple_.tokens
        made, _, rest = how.partition(" ")
        shown = made in self._sets["shown"] and verb and tags[verb - 1] == "VBN"
        is_where = (
            rest in self._sets["shown_where"] if shown else rest in self.locatives
        )
        if not is_where or not (shown or (made == "make" and rest != "in")):
            return tuple_
        return _related(tuple_, (subject, rest, target), (first, 0, last))

    def _owners(self, tuples: Sequence[SemanticTuple]) -> dict[tuple[str, int], str]:
        """Return who wears or holds each thing, and whose part it is."""
        owners = {}
        for tuple_ in filter(_is_placed, tuples):
            owner, how, thing = tuple_.members
            worn = how in _HAD and not {_head(thing), thing}.isdisjoint(self._worn)
            if (worn or how in self._sets["held"]) and is_living(_head(owner)):
                owners[thing, tuple_.tokens[2]] = owner
        return owners

    def _objects(self, tuples: Sequence[SemanticTuple]) -> list[SemanticTuple]:
        """Return the tuples of what somebody does with an object, in their order."""
        found = []
        for tuple_ in filter(_is_placed, tuples):
            _, how, target = tuple_.members
            worn = how in _HAD or {_head(target), target} & self._worn
            if tuple_.tokens[1] and how.partition(" ")[2] in _PARTICLES and not worn:
                found.append(tuple_)
        return sorted(found, key=lambda t: t.tokens[2])

    def _laid_on(
        self, tuple_: SemanticTuple, mentions: Mentions, lemmas: Sequence[str]
    ) -> SemanticTuple:
        """Return what has something as the table right before "with"."""
        (subject, how, target), (first, _, last) = tuple_.members, tuple_.tokens
        between = [m for m in mentions if first < m[0] < last]
        made, _, rest = how.rpartition(" ")
        is_text = _head(target) in self._sets["texts"]
        lives = not made and is_living(_head(subject)) and not is_text
        apart = made and made not in self._sets["postures"]
        if rest != "with" or apart or not between or lives:
            return tuple_
        place, name = between[0]
        near = lemmas[place : place + 1] == ("with",)
        laid = near and (is_text or _is_kind(name, self._laid))
        worn = is_living(_head(target)) or not self._worn.isdisjoint(
            {target, _head(target)}
        )
        if not laid or name == subject or worn:
            return tuple_
        return _related(tuple_, (name, rest, target), (place, 0, last))

    def _placed(
        self,
        tuple_: SemanticTuple,
        owners: Mapping[tuple[str, int], str],
        objects: Sequence[SemanticTuple],
    ) -> SemanticTuple:
        """Return a relation of the things that are where it says."""
        (subject, how, target), (first, verb, last) = tuple_.members, tuple_.tokens
        if turned := self._turned.get(how):
            return _related(tuple_, (target, turned, subject), (last, 0, first))
        preposition = how.partition(" ")[2] if verb else how
        if preposition not in self.locatives | self._sets["directed"]:
            return tuple_
        doings = [t for t in objects if t.tokens[2] < last]
        does = [t for t in doings if t.members[0] == subject and t.tokens[0] == first]
        owner = owners.get((subject, first), "")
        put = (
            does
            and not verb
            and how != "in"
            and does[-1].members[1] in self._sets["putting"]
        )
        if put or _head(target) in self._parts:
            if does and is_living(_head(subject)):
                (_, _, held), (_, _, place) = does[-1].members, does[-1].tokens
                return _related(tuple_, (held, preposition, target), (place, 0, last))
        elif owner and not verb and target not in self._worn:
            holders = self._holders if subject in self._worn else self._sites
            if _is_kind(target, holders) and owners.get((target, last)) != owner:
                return _related(tuple_, (owner, how, target), (0, 0, last))
        if not verb and preposition in self._sets["directed"]:
            does = [t for t in doings if t.tokens[2] == first]
        elif verb or _is_kind(target, self._sites):
            does = []
        return self._with_doing(tuple_, does[-1]) if does else tuple_

    def _with_doing(self, tuple_: SemanticTuple, doing: SemanticTuple) -> SemanticTuple:
        """Return where somebody does something: slicing (carrots) on a board.

        In "facing a girl in a coat" the girl is in the coat.
        """
        (_, how, target), (_, _, last) = tuple_.members, tuple_.tokens
        (doer, verb, object_), (first, place, _) = doing.members, doing.tokens
        worn = how == "in" and target in self._worn - self._parts
        if worn and is_person(_head(object_)):
            return _related(tuple_, (object_, how, target), (0, 0, last))
        return _related(tuple_, (doer, f"{verb} {how}", target), (first, place, last))

    def _is_deep(self, tuple_: SemanticTuple) -> bool:
        """Return whether a tuple says that a thing is in the background."""
        if tuple_.members[1:] == ("in the distance",):
            return True
        if not _is_placed(tuple_) or tuple_.members[2] not in self._sets["depths"]:
            return False
        return _head(tuple_.members[1]) in ("in", "at")


def _renamed(tuple_: SemanticTuple, names: Mapping[str, str]) -> SemanticTuple:
    members = list(tuple_.members)
    members[::2] = [names.get(member, member) for member in members[::2]]
    return replace(tuple_, members=tuple(members))


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
