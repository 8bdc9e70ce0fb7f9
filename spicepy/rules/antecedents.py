"""Antecedents: the nouns of a caption that pronouns and other names can mean.

In: the sentences of a caption, with their proposals. Out: an `Antecedent` for each
noun, those that fit a pronoun, and the names under which a thing comes up again:

    a sailing boat … the boat · a boat … the vessel
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from spicepy.rules.dependency_graphs import DependencyGraph
from spicepy.rules.tuples import SemanticTuple

CALLED: Final = "called-"
"""The lists of this beginning name what a general noun can take up: in `called-vessel`
are boats and ships, which may go on as "the vessel"."""

PLURAL: Final = ("NNS", "NNPS")

Lists = Mapping[str, frozenset[str]]


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence: the graph its rules saw and what they proposed."""

    graph: DependencyGraph
    proposals: Sequence[SemanticTuple]


@dataclass(frozen=True, slots=True)
class Antecedent:
    """A noun of the caption: its name, its position and what it can refer to."""

    name: str
    sentence: int
    position: int
    plural: bool
    definite: bool
    kinds: frozenset[str]


def find_mentions(sentences: Sequence[Sentence], lists: Lists) -> list[Antecedent]:
    """Return the nouns of a caption that a pronoun can mean."""
    antecedents = []
    comparing = {f"nmod:{word}" for word in lists["comparing"]}
    no_names = lists["pronouns"] | lists["pronouns-partial"]
    for number, sentence in enumerate(sentences):
        graph = sentence.graph
        compared = {node for label, _, node in graph.edges if label in comparing}
        definite = {
            head
            for label, head, node in graph.edges
            if label == "det" and graph.lemmas[node - 1] in lists["definite"]
        }
        for tuple_ in sentence.proposals:
            if len(tuple_.members) != 1 or tuple_.members[0] in no_names or tuple_.mood:
                continue
            name, position = tuple_.members[0], tuple_.tokens[0]
            if position in compared or name in lists["backgrounds"]:
                continue
            tag = graph.tags[position - 1] if position else "NN"
            kinds = _kinds(name, lists)
            antecedents.append(
                Antecedent(
                    name, number, position, tag in PLURAL, position in definite, kinds
                )
            )
    return antecedents


def _kinds(name: str, lists: Lists) -> frozenset[str]:
    """Return the pronouns of a noun; "animal" where a person would come first."""
    last = name.rpartition(" ")[2]
    sexes = {"male", "female"}
    for sex in ("male", "female"):
        if last in lists[sex] or name in lists[sex]:
            return frozenset([sex])
    if last in lists["people"]:
        return frozenset(sexes)
    if last in lists["animals"]:
        return frozenset({"thing", "animal"})
    return frozenset(["thing"])


def nearest_first(number: int, mention: Antecedent) -> tuple[int, bool, int, str]:
    """Return a key: the nearest first, and of several people before things."""
    things = mention.plural and mention.kinds == {"thing"}
    distance = abs(mention.sentence - number)
    return distance, things, mention.position, mention.name


def fitting_mentions(kind: str, mentions: Sequence[Antecedent]) -> list[Antecedent]:
    """Return the mentions a kind of pronoun can mean, only those of the best sort."""
    one = [m for m in mentions if not m.plural]
    sorts: list[list[Antecedent]] = []
    if kind in ("male", "female"):
        sorts = [[m for m in one if kind in m.kinds]]
        sorts.append([m for m in one if "animal" in m.kinds])
    elif kind == "thing":
        sorts = [[m for m in one if "thing" in m.kinds]]
    elif kind == "several":
        sorts = [[m for m in mentions if m.plural]]
        sorts.append([m for m in mentions if m.kinds != {"thing"}])
    return next((found for found in sorts if found), [])


def repeated_names(mentions: Sequence[Antecedent], lists: Lists) -> dict[str, str]:
    """Map names to what has "the" elsewhere, and general ones to particular ones.

    Sailing boat → boat, if the boat always has "the"; vessel → boat.
    """
    shorter = {}
    names = {m.name for m in mentions}
    for name in names:
        own = [m for m in mentions if m.name == name]
        if all(m.definite for m in own):
            longer = [other for other in names if other.endswith(f" {name}")]
            if len(longer) == 1:
                shorter[longer[0]] = name
            elif called := _called(own, mentions, lists):
                shorter[name] = called
    return shorter


def _called(
    own: Sequence[Antecedent], mentions: Sequence[Antecedent], lists: Lists
) -> str:
    """Return the only name that a general one takes up ("a boat … the vessel")."""
    kinds = lists.get(f"called-{own[0].name}", frozenset())
    found = {
        m.name
        for m in mentions
        if m.name != own[0].name
        and not m.name.endswith(f" {own[0].name}")
        and (m.name in kinds or m.name.rpartition(" ")[2] in kinds)
    }
    same_number = all(
        m.plural == own[0].plural for m in mentions if m.name in {*found, own[0].name}
    )
    return min(found) if len(found) == 1 and same_number else ""
