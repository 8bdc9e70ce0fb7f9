"""Names: put nouns and attributes of a caption into their dictionary forms.

In: semantic tuples, whose members are lemmas as SPICE makes them, and the caption's
words. Out: the same tuples with the names of the error analysis: "sunglasses" for
"sunglass", "martial arts match" for "arts match", "computer" for "others computer";
"forking tree" also yields (tree, fork). Tuples about a placeholder for an unknown word
("UNK") are dropped.
"""

from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from spicepy.diagnosis.lexicon.lexicon import Lexicon
from spicepy.diagnosis.lexicon.word_lists import Names
from spicepy.objects.amounts import Amount
from spicepy.objects.presence import (
    SentencePresence,
    denied_name,
    is_predicate,
    is_restricted_after,
    load_mention_words,
)
from spicepy.objects.sentence_amounts import SentenceAmounts
from spicepy.objects.stand_ins import several_more
from spicepy.parsing.trees import Parse
from spicepy.rules.tuples import SemanticTuple
from spicepy.words.morphology import lemmatize
from spicepy.words.wordnet import load_hierarchy


def named(
    proposals: Sequence[SemanticTuple],
    names: Names,
    words: Sequence[str] = (),
    lemmas: Sequence[str] = (),
) -> list[SemanticTuple]:
    """Return the tuples of a caption with dictionary forms as members."""
    # `words` are empty if they are unknown.
    proposals = _in_full(proposals)
    pairs = [t for t in proposals if len(t.members) == 2]
    joined = {
        pair.tokens[0]: (name, pair.members[1])
        for pair in pairs
        if pair.tokens and (name := _with_adjective(pair, words, lemmas))
    }
    return [made for t in proposals for made in _corrected(t, names, joined)]


def _in_full(proposals: Sequence[SemanticTuple]) -> Sequence[SemanticTuple]:
    """Return the tuples with "hot dog" also where a later sentence says "the dog"."""
    # The grammar calls both by the shorter name, as people draw them: "the boat".
    full = {
        name: written
        for t in proposals
        for name, written in zip(t.members[::2], t.written[::2])
        if written.endswith(f" {name}")
    }
    if not full:
        return proposals
    return [
        replace(
            t,
            members=tuple(
                m if at % 2 else full.get(m, m) for at, m in enumerate(t.members)
            ),
        )
        for t in proposals
    ]


def _corrected(
    tuple_: SemanticTuple, names: Names, joined: Mapping[int, tuple[str, str]]
) -> Iterator[SemanticTuple]:
    """Yield the tuple with corrected members; nothing if it has a placeholder."""
    members = list(tuple_.members)
    for at in range(0, len(members), 2):
        place = tuple_.tokens[at] if at < len(tuple_.tokens) else 0
        name, adjective = joined.get(place, ("", ""))
        if len(members) == 2 and members[1] == adjective:
            return
        members[at] = name if place and name else names.noun(members[at])
    if len(members) == 2:
        members[1] = names.lemma(members[1])
    if all(members):
        same = tuple(members) == tuple_.members
        yield tuple_ if same else replace(tuple_, members=tuple(members))
        if len(members) == 1:
            yield from _modifiers(tuple_, members[0], names)


def of_materials(
    proposals: Sequence[SemanticTuple], materials: Container[str]
) -> list[SemanticTuple]:
    """Return the tuples with (wall, brick) in place of (wall, make of, brick)."""
    # The material is an attribute then, and its own tuple (brick) is left out.
    made_of = {
        t
        for t in proposals
        if t.members[1:2] == ("make of",) and t.members[2] in materials
    }
    places = {t.tokens[2] for t in made_of if t.tokens}
    return [
        replace(t, members=t.members[::2], tokens=t.tokens[::2]) if t in made_of else t
        for t in proposals
        if not (len(t.members) == 1 and t.tokens and t.tokens[0] in places)
    ]


def _modifiers(
    tuple_: SemanticTuple, name: str, names: Names
) -> Iterator[SemanticTuple]:
    """Yield (tree, fork) for a "forking tree", which was taken for one name."""
    last, whole = next(iter(tuple_.tokens), 0), tuple_.members[0]
    for at, word in enumerate(names.before(whole), last - whole.count(" ")):
        if word in names.added or word.endswith("ing"):
            lemma = word if word in names.added else lemmatize(word, "VBG")
            tokens = (last, max(at, 0)) if last else ()
            yield replace(tuple_, members=(name, lemma), tokens=tokens)


def _with_adjective(
    tuple_: SemanticTuple, words: Sequence[str], lemmas: Sequence[str]
) -> str:
    """Return "martial arts match" for (arts match, martial), "" for other tuples."""
    # The adjective belongs to the name if WordNet has it with the plural after it.
    name, adjective = tuple_.members
    parts = name.split(" ")
    start = tuple_.tokens[0] - len(parts)
    if len(parts) < 2 or start < 1 or words[start : start + 1] != (parts[0],):
        return ""
    if words[start - 1] != adjective or lemmas[start] == words[start]:
        return ""
    known = load_hierarchy().synsets(f"{adjective} {lemmas[start]}")
    return f"{adjective} {name}" if known else ""


# Drafts: turn semantic tuples into the things of a caption and their relations.
#
# A pronoun becomes the thing that it refers to.

_PRONOUNS: Final = ("PRP", "PRP$")


@dataclass(slots=True)
class Draft:
    """A thing whose tuples are still being collected."""

    name: str  # Its lemma
    place: int  # The position (from 1) of its last word, 0 if unknown
    # Attribute -> position of its word.
    attributes: dict[str, int] = field(default_factory=dict)
    # Positions of the pronouns that refer to it.
    pronouns: list[int] = field(default_factory=list)


def draft_things(
    proposals: Sequence[SemanticTuple], words: Sequence[str], tags: Sequence[str]
) -> tuple[list[Draft], dict[int, int]]:
    """Return the drafts, and position -> number of the draft at that position."""
    made: list[Draft] = []
    numbers: dict[int, int] = {}
    # Nouns come first, so that their drafts exist when pronouns refer to them.
    sorted_tuples = sorted(proposals, key=lambda t: is_pronoun(_place(t, 0), tags))
    for tuple_ in sorted_tuples:
        for at in range(0, len(tuple_.members), 2):
            name, place = tuple_.members[at], _place(tuple_, at)
            meant = _named(name, made) if is_pronoun(place, tags) else -1
            if meant >= 0 and place not in numbers:
                numbers[place] = meant
                made[meant].pronouns.append(place)
            elif _number(name, place, made, numbers) is None:
                numbers[place] = len(made)
                made.append(Draft(name, place))
            elif place and place not in numbers:
                numbers[place] = _named(name, made)
        if len(tuple_.members) == 2:
            known = _at(tuple_, 0, made, numbers)
            made[known].attributes[tuple_.members[1]] = _place(tuple_, 1)
    return made, numbers


def _number(
    name: str, place: int, drafts: Sequence[Draft], numbers: Mapping[int, int]
) -> int | None:
    """Return the number of the draft at a place, or of a name if there is no place."""
    if place in numbers and place:
        return numbers[place]
    known = _named(name, drafts)
    return None if known < 0 or (place and drafts[known].place) else known


def _named(name: str, drafts: Sequence[Draft]) -> int:
    """Return the number of the first draft of a name, -1 without one."""
    return next((k for k, draft in enumerate(drafts) if draft.name == name), -1)


def _at(
    tuple_: SemanticTuple, at: int, drafts: Sequence[Draft], numbers: Mapping[int, int]
) -> int:
    place = _place(tuple_, at)
    return numbers[place] if place else _named(tuple_.members[at], drafts)


def _place(tuple_: SemanticTuple, at: int) -> int:
    return tuple_.tokens[at] if at < len(tuple_.tokens) else 0


def is_pronoun(place: int, tags: Sequence[str]) -> bool:
    """Return whether the word at a position (from 1) is a personal pronoun."""
    return 0 < place <= len(tags) and tags[place - 1] in _PRONOUNS


def relations(
    proposals: Sequence[SemanticTuple],
    drafts: Sequence[Draft],
    numbers: Mapping[int, int],
) -> Iterator[tuple[int, str, int]]:
    """Yield (number of a thing, relation, number of a thing)."""
    for tuple_ in proposals:
        if len(tuple_.members) == 3:
            ends = (_at(tuple_, at, drafts, numbers) for at in (0, 2))
            source, target = ends
            yield source, tuple_.members[1].removeprefix("be "), target


# What a caption says of its nouns: how many there are, and whether they are there.


class SaidOfNouns:
    """The amounts and the presence of the nouns of one caption.

    Args:
        trees: The trees of its sentences.
        lexicon: Words of amounts, and nouns for people and animals.

    Attributes:
        denied: The positions (from 1) of nouns of absent things.
        denied_names: These nouns; "person" for "nobody".
        supposed: The positions of words after a hedge or beside an "or".
    """

    def __init__(self, trees: Sequence[Parse], lexicon: Lexicon) -> None:
        self._lexicon = lexicon
        self._sentences: list[tuple[int, SentenceAmounts, SentencePresence]] = []
        denied: dict[int, str] = {}
        supposed: set[int] = set()
        start = 0
        for tree in trees:
            amounts = SentenceAmounts(tree, lexicon.quantities)
            presence = SentencePresence(amounts, load_mention_words())
            self._sentences.append((start, amounts, presence))
            for at in presence.denied_nouns():
                denied[start + at] = denied_name(tree, at)
            supposed.update(start + at for at in presence.supposed)
            start += len(tree.words)
        self.denied, self.denied_names = denied.keys(), tuple(denied.values())
        self.supposed = frozenset(supposed)

    def is_restricted(self, place: int) -> bool:
        """Return whether words after the noun at a position restrict it."""
        # "Two people in helmets" leaves open how many have none.
        start, amounts, _ = next(s for s in self._sentences[::-1] if s[0] < place)
        return is_restricted_after(amounts, place - start)

    def amount(self, name: str, place: int, *, named: bool) -> Amount | None:
        """Return how many of a thing there are, None if the caption leaves it open."""
        # `place` is the position of the last word of its name, from 1. If an earlier
        # thing is so `named`, or is a group of such people, "the dogs" are the same
        # dogs and add nothing to their number.
        start, amounts, presence = next(
            s for s in self._sentences[::-1] if s[0] < place
        )
        last = place - start
        first = max(1, last - name.count(" "))
        if amounts.tag(first) == "DT":  # "The dog" is the hot dog that was named.
            first = last
        head, known = name.rpartition(" ")[2], self._lexicon.quantities
        if head in known.plural_only or (named and amounts.is_definite(first, last)):
            return None
        if is_predicate(amounts, last):
            return None
        living = self._lexicon.nouns.is_living(name)
        if presence.of(first, last, living=living) in ("depicted", "owner"):
            return None
        said = amounts.of(first, last)
        if said is None or said.wording != "bare":
            more = said is not None and several_more(amounts) > first
            return replace(said, high=None) if said and more else said
        # Captions leave open how many tables there are in "at the table"; who is named
        # without an article is one.
        return Amount(1, 1, "one", said.word, said.link) if living else None
