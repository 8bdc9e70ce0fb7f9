"""Words that stand for nouns: "a blue one", "another", "the others", "the former".

In: a sentence and the nouns of its caption. Out: the noun that each such word means.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial

from spicepy.rules.antecedents import PLURAL, Antecedent, Lists, Sentence, nearest_first
from spicepy.rules.dependency_graphs import DependencyGraph


def stood_for(
    number: int,
    sentence: Sentence,
    mentions: Sequence[Antecedent],
    pronouns: Mapping[int, str],
    lists: Lists,
) -> dict[int, str]:
    """Return the position of each "one", "another" or "others" → the noun it means.

    "A blue one" is what stands in the same place: "a man holds a red umbrella, a woman
    a blue one" (`_likest`). All other such words of a sentence mean the same noun: the
    one that "one" counts, else the first. If a person or animal is named before several
    things, they do not mean the things. Without a fitting noun others beside a person
    are people, and every other word is left out.
    """
    graph = sentence.graph
    partial_pronouns = lists["pronouns-partial"]
    positions = sorted(
        {
            tuple_.tokens[0]
            for tuple_ in sentence.proposals
            if len(tuple_.members) == 1 and tuple_.members[0] in partial_pronouns
        }
    )
    others = [m for m in mentions if m.sentence != number and m.plural]
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
            names[position] = _likest(graph, position, own).name
            continue
        alive = bool(own) and own[0].kinds != {"thing"}
        several = [m for m in own if m.plural]
        if several and alive and several[0].kinds == {"thing"}:
            several = []
        counted = [m for m in own if m.position in _singled_out(graph)]
        if any(names.values()):
            names[position] = next(filter(None, names.values()))
        elif counted:
            names[position] = counted[0].name
        elif several:
            names[position] = several[0].name
        elif own and graph.tags[position - 1] not in PLURAL:
            names[position] = own[0].name
        elif fitting := [m for m in others if not (alive and m.kinds == {"thing"})]:
            names[position] = min(fitting, key=partial(nearest_first, number)).name
        else:
            is_person = bool(own) and not own[0].kinds.isdisjoint(("male", "female"))
            unnamed = lists["unnamed-several"] if is_person else ()
            names[position] = min(unnamed, default="")
    return names


def _likest(
    graph: DependencyGraph, position: int, own: Sequence[Antecedent]
) -> Antecedent:
    """Return the noun that stands most like "one" stands.

    One that "and" joins to it, else of the same function, else described as "one" is,
    else of its number, else the nearest.
    """
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


def _singled_out(graph: DependencyGraph) -> set[int]:
    """Return the nouns that "one" counts: "one boat in front of another"."""
    return {
        head
        for label, head, node in graph.edges
        if label == "nummod" and graph.lemmas[node - 1].lower() == "one"
    }


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
