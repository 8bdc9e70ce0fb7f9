"""Antecedents: the nouns of a caption that pronouns and other names can mean.

Each noun is an `Antecedent`, and a thing may come up again under another name:

    a sailing boat … the boat · a boat … the vessel
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Final

from spicepy.rules.dependency_graphs import DependencyGraph
from spicepy.rules.tuples import SemanticTuple

CALLED: Final = "called-"
"""The lists of this beginning name what a general noun can take up: in `called-vessel`
are boats and ships, which may go on as "the vessel"."""

PLURAL: Final = ("NNS", "NNPS")
SUBJECTS: Final = frozenset(["nsubj", "nsubjpass"])

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
    for sex in ("male", "female"):
        if last in lists[sex] or name in lists[sex]:
            return frozenset([sex])
    if last in lists["people"]:
        return frozenset({"male", "female"})
    if last in lists["animals"]:
        return frozenset({"thing", "animal"})
    return frozenset(["thing"])


def _last(mention: Antecedent) -> str:
    """Return the last word of a noun's name."""
    return mention.name.rpartition(" ")[2]


def nearest_first(number: int, mention: Antecedent) -> tuple[int, bool, bool, int, str]:
    """Return a key: the nearest first, and of several people before things."""
    # A sentence after a pronoun is twice as far from it as one before.
    things = mention.plural and mention.kinds == {"thing"}
    later = mention.sentence > number
    distance = abs(mention.sentence - number) * (2 if later else 1)
    return distance, later, things, mention.position, mention.name


def fitting_mentions(
    kind: str, mentions: Sequence[Antecedent], lists: Lists
) -> list[Antecedent]:
    """Return the mentions a kind of pronoun can mean, only those of the best sort."""
    one = [m for m in mentions if not m.plural]
    sorts: list[list[Antecedent]] = []
    if kind in ("male", "female"):
        sorts = [[m for m in one if kind in m.kinds]]
        sorts.append([m for m in one if "animal" in m.kinds])
    elif kind == "thing":
        sorts = [[m for m in one if "thing" in m.kinds]]
    elif kind == "several":
        several = [m for m in mentions if m.plural or _last(m) in lists["collectives"]]
        worn = lists["clothing"] | lists["living-parts"]  # "A person in shorts: they"
        sorts = [[m for m in several if _last(m) not in worn]]
        sorts += [[m for m in mentions if m.kinds != {"thing"}], several]
    return next((found for found in sorts if found), [])


def repeated_names(mentions: Sequence[Antecedent], lists: Lists) -> dict[str, str]:
    """Map names to what has "the" elsewhere: sailing boat → boat, vessel → boat."""
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
    """Return the only name before a general one that it takes up ("the vessel")."""
    kinds = lists.get(f"called-{own[0].name}", frozenset())
    found = {
        m.name
        for m in mentions
        if not f" {m.name}".endswith(f" {own[0].name}")
        and any(m.sentence != o.sentence or m.position < o.position for o in own)
        and not kinds.isdisjoint((m.name, _last(m)))
    }
    same_number = all(
        m.plural == own[0].plural for m in mentions if m.name in {*found, own[0].name}
    )
    return min(found) if len(found) == 1 and same_number else ""


# Words that stand for nouns: "a blue one", "another", "the others", "the former".


def stood_for(
    number: int,
    sentence: Sentence,
    mentions: Sequence[Antecedent],
    pronouns: Mapping[int, str],
    lists: Lists,
) -> dict[int, str]:
    """Return the position of each "one", "another" or "others" → the noun it means."""
    # "A blue one" is what stands in the same place: "a man holds a red umbrella, a
    # woman a blue one" (`_likest`). All other such words of a sentence mean the same
    # noun: the one that "one" counts, else the first. If a person or animal is named
    # before several things, they do not mean the things; an object means an object
    # ("shows her a cup and hands her another"). Without a fitting noun others beside a
    # person are people, and every other word is left out. A subject is one of what
    # does something, too ("a scout cooks beans, and another chops wood").
    graph = sentence.graph
    positions = _stand_ins(sentence, lists)
    subjects = {node for label, _, node in graph.edges if label in SUBJECTS}
    others = [m for m in mentions if m.sentence != number]
    ones = {
        h for x, h, n in graph.edges if x == "nummod" and graph.lemmas[n - 1] == "one"
    }
    placed = {node for label, _, node in graph.edges if label.startswith("nmod")}
    names: dict[int, str] = {}
    pair: list[Antecedent] = []
    for position in positions:
        own = [m for m in mentions if m.sentence == number and m.position < position]
        own += _pronouns_as_mentions(number, position, pronouns, mentions)
        own.sort(key=lambda mention: mention.position)
        if graph.lemmas[position - 1].lower() in lists["pronouns-ordinal"]:
            # "The latter" is of the pair that "the former" is of.
            pair = pair or _pair([*own, *(m for m in mentions if m.sentence != number)])
            last = graph.lemmas[position - 1].lower() == "latter"
            names[position] = pair[last].name if len(pair) > 1 else ""
            continue
        if own and graph.lemmas[position - 1].lower() == "one":
            # "Four boards, each person holding one": nobody holds a person.
            holders = _doers_of_bare(graph, position)
            rest = [m for m in own if m.position not in holders] or own
            bare = all(head != position for _, head, _ in graph.edges)
            counted = [m for m in rest if bare and m.position in ones]
            names[position] = _likest(graph, position, counted or rest).name
            continue
        doers = [m for m in own if {m.position, position} <= subjects]
        first = (doers or own)[:1]
        alive = bool(first) and first[0].kinds != {"thing"}
        several = [m for m in own if m.plural]
        if several and alive and several[0].kinds == {"thing"}:
            several = []
        # In "some stand on one leg, others fly" the others are no legs.
        found = ones if position in placed else ones - placed
        counted = [m for m in own if m.position in found]
        if any(names.values()):
            names[position] = next(filter(None, names.values()))
        elif counted:
            names[position] = counted[0].name
        elif several:
            names[position] = several[0].name
        elif own and graph.tags[position - 1] not in PLURAL:
            objects = {node for label, _, node in graph.edges if label == "dobj"}
            given = [m for m in own if {m.position, position} <= objects]
            names[position] = (given or first)[0].name
        elif fitting := [
            m
            for m in others
            if (m.plural or graph.tags[position - 1] not in PLURAL)
            and not (alive and m.kinds == {"thing"})
        ]:
            fitting = [m for m in fitting if m.plural] or fitting
            names[position] = min(fitting, key=partial(nearest_first, number)).name
        else:
            is_person = bool(own) and not own[0].kinds.isdisjoint(("male", "female"))
            unnamed = lists["unnamed-several"] if is_person else ()
            names[position] = min(unnamed, default="")
    return names


def _doers_of_bare(graph: DependencyGraph, position: int) -> set[int]:
    """Return the subjects of a verb whose object is "one" and nothing more."""
    if any(head == position for _, head, _ in graph.edges):
        return set()
    verbs = {h for label, h, x in graph.edges if (label, x) == ("dobj", position)}
    return {x for label, h, x in graph.edges if h in verbs and label in SUBJECTS}


def _stand_ins(sentence: Sentence, lists: Lists) -> list[int]:
    """Return the positions of words that stand for nouns; a clock's "two" does not."""
    graph, partial_pronouns = sentence.graph, lists["pronouns-partial"]
    figures = lists["numbers"] - {"one"}
    found = {
        tuple_.tokens[0]
        for tuple_ in sentence.proposals
        if len(tuple_.members) == 1 and tuple_.members[0] in partial_pronouns
    }
    return sorted(
        position
        for position in found
        if graph.tags[position - 1] != "NN" or graph.lemmas[position - 1] not in figures
    )


def _likest(
    graph: DependencyGraph, position: int, own: Sequence[Antecedent]
) -> Antecedent:
    """Return the noun that stands most like "one" stands."""
    # One that "and" joins to it, else of the same function, else described as "one" is,
    # else of its number, else the nearest.
    functions: dict[int, set[str]] = {}
    joined, described = set(), set()
    for label, head, node in graph.edges:
        functions.setdefault(node, set()).add(label)
        if label.startswith("conj") and position in (head, node):
            joined |= {head, node}
        if label in ("amod", "compound"):
            described.add(head)
    mine = functions.get(position, set()) - {"root"}
    plural = graph.tags[position - 1] in PLURAL

    def likeness(mention: Antecedent) -> tuple[bool, bool, bool, bool, int]:
        at = mention.position
        return (
            at in joined,
            not mine.isdisjoint(functions.get(at, ())),
            position not in described or at in described,
            mention.plural == plural,
            at,
        )

    return max(own, key=likeness)


def _pronouns_as_mentions(
    number: int,
    before: int,
    pronouns: Mapping[int, str],
    mentions: Sequence[Antecedent],
) -> list[Antecedent]:
    """Return the nouns that pronouns before a position stand for, at their places."""
    known = {mention.name: mention for mention in mentions}
    return [
        replace(known[name], sentence=number, position=position)
        for position, name in pronouns.items()
        if name in known and position < before
    ]


def _pair(mentions: Sequence[Antecedent]) -> list[Antecedent]:
    """Return the first two nouns of the last sentence that has two, or "two men"."""
    for number in sorted({m.sentence for m in mentions}, reverse=True):
        own = [m for m in mentions if m.sentence == number]
        if len(own) == 1 and own[0].plural:
            return own * 2
        if len(own) > 1:
            return sorted(own, key=lambda mention: mention.position)[:2]
    return []
