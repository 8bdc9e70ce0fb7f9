"""Coreference: pronouns and repeated nouns, within and between sentences.

    a man rides a horse · he wears a hat  →  … (man, wear, hat)

A pronoun means a noun of its number and sex: in its own sentence the first before it,
else the first of the nearest sentence (before rather than after), else a subject after
it ("with the sun behind them, two surfers paddle"); "they" are people rather than
things there. Whose something is that somebody acts on is the doer ("calves follow their
mothers").
Only people and animals have arms or clothes, and only plants have leaves.
After a comma, a possessive pronoun means the last subject ("trees line the street,
their leaves green"). "Others" and "some" are the first several that are named before
them ("people sit, others stand"), or several of the nearest sentence; "one" and
"another" may be one of a single noun ("a cup is on a table, another on a shelf"). No
pronoun means a background, nor what something is compared with ("like spectators").
A sentence before a pronoun is as near as one half as far after it; otherwise the order
of sentences does not matter.
A personal pronoun without a noun becomes a man, a woman or people; an "it" without a
noun is left out.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Final

from spicepy.common.threads import LRUCache
from spicepy.rules.antecedents import (
    CALLED,
    SUBJECTS,
    Antecedent,
    Lists,
    Sentence,
    find_mentions,
    fitting_mentions,
    nearest_first,
    repeated_names,
    stood_for,
)
from spicepy.rules.dependency_graphs import DependencyGraph
from spicepy.rules.tuples import SemanticTuple
from spicepy.rules.values import Grammar

KINDS: Final = ("male", "female", "thing", "several")
"""Kinds of third persons; the grammar leaves "I", "you" and "we" alone."""

LISTS: Final = (
    *("people", "animals", "male", "female", "definite"),
    *("pronouns", "pronouns-owning", *(f"pronouns-{kind}" for kind in KINDS)),
    *("unnamed-male", "unnamed-female", "unnamed-several"),
)
"""The word lists of a grammar that resolves pronouns.

`unnamed-male` has the noun for a "he" without a noun."""
FURTHER: Final = (
    *("pronouns-partial", "pronouns-reflexive", "comparing", "backgrounds"),
    *("clothing", "living-parts", "plant-parts", "plants", "pronouns-ordinal"),
    *("deeds", "collectives", "alongside", "numbers"),
)
"""Word lists that it may have as well."""

_OBJECTS = frozenset(["dobj", "iobj", "nmod:to"])
_OWNER = "nmod:poss"
_OWNED = (_OWNER, "nmod:of", "nmod:with")
_PRONOUN_TAGS = frozenset(["PRP", "PRP$"])


def resolves(grammar: Grammar) -> bool:
    """Return whether a grammar has the word lists that pronouns need."""
    return all(name in grammar.lists for name in LISTS)


def resolve(sentences: Sequence[Sentence], grammar: Grammar) -> list[SemanticTuple]:
    """Replace the pronouns of a caption by nouns, and join its sentences.

    Args:
        sentences: The sentences in order, with pronouns among the proposals.
        grammar: Its lists say which nouns are people, animals, male and female.

    Returns:
        The proposals of all sentences; positions of tokens count through the caption.
        Proposals of several sentences are sorted, so that a caption and the same
        sentences in another order give one graph.
    """
    lists = _LISTS.made(grammar.digest, lambda: _lists(grammar))
    if len(sentences) == 1 and not _has_pronouns(sentences[0], lists):
        return list(sentences[0].proposals)
    mentions = find_mentions(sentences, lists)
    names = repeated_names(mentions, lists)
    mentions += _certain_subjects(sentences, mentions, lists)
    reflexive = lists["pronouns-reflexive"] | lists["pronouns-partial"]
    tuples: list[SemanticTuple] = []
    start = 0
    for number, sentence in enumerate(sentences):
        meant = _meant(number, sentence, mentions, lists, in_order=grammar.in_order)
        if grammar.in_order:
            mentions += _told_of(number, sentence, mentions, meant, lists)
        for tuple_ in sentence.proposals:
            if made := _replaced(tuple_, meant, names, start, reflexive):
                tuples.append(made)
        start += len(sentence.graph.words) - len(sentence.graph.copies)
    tuples = _without_repetitions(tuples, lists)
    if len(sentences) > 1:
        tuples.sort(key=lambda tuple_: (len(tuple_.members), tuple_.members))
    return tuples


def _lists(grammar: Grammar) -> Lists:
    called = [name for name in grammar.lists if name.startswith(CALLED)]
    names = (*LISTS, *FURTHER, *called)
    return {name: frozenset(grammar.lists.get(name, ())) for name in names}


_LISTS: Final[LRUCache[str, Lists]] = LRUCache(16)


def _has_pronouns(sentence: Sentence, lists: Lists) -> bool:
    """Return whether a sentence has a pronoun, or "one" or "others" as an object."""
    partial_pronouns = lists["pronouns-partial"]
    return not _PRONOUN_TAGS.isdisjoint(sentence.graph.tags) or any(
        tuple_.members[0] in partial_pronouns
        for tuple_ in sentence.proposals
        if len(tuple_.members) == 1
    )


def _certain_subjects(
    sentences: Sequence[Sentence], mentions: Sequence[Antecedent], lists: Lists
) -> list[Antecedent]:
    """Return the noun at the place of each "he" or "his" that can only mean it."""
    # A pronoun two sentences on then means the one that the caption speaks of.
    certain = []
    for number, sentence in enumerate(sentences):
        edges = sentence.graph.edges
        subjects = {node for label, _, node in edges if label in SUBJECTS}
        owners = {x for label, h, x in edges if label == _OWNER and h in subjects}
        for position in subjects | owners:
            kind = _kind(sentence.graph.lemmas[position - 1], lists)
            one = kind in KINDS[:2]
            fitting = fitting_mentions(kind, mentions, lists) if one else []
            if position in owners:  # "His sleeves" are those of one named before.
                fitting = [m for m in fitting if m.sentence <= number]
            near = min((abs(m.sentence - number) for m in fitting), default=0)
            meant = [m for m in fitting if abs(m.sentence - number) == near]
            if near and len({m.name for m in meant}) == 1:
                certain.append(replace(meant[0], sentence=number, position=position))
    return certain


def _told_of(
    number: int,
    sentence: Sentence,
    mentions: Sequence[Antecedent],
    meant: Mapping[int, str],
    lists: Lists,
) -> list[Antecedent]:
    """Return the nouns that pronouns stand for as subjects, at their places."""
    # "It has a spot on its nose. A fence is behind it": the fence is behind the horse.
    graph = sentence.graph
    known = {mention.name: mention for mention in reversed(mentions)}
    return [
        replace(known[meant[node]], sentence=number, position=node)
        for label, _, node in graph.edges
        if label in SUBJECTS and graph.lemmas[node - 1].lower() in lists["pronouns"]
        if meant.get(node) in known
    ]


def _meant(
    number: int,
    sentence: Sentence,
    mentions: Sequence[Antecedent],
    lists: Lists,
    *,
    in_order: bool,
) -> dict[int, str]:
    """Return the position of each pronoun → the noun that it means, or ""."""
    graph = sentence.graph
    before = [m for m in mentions if m.sentence <= number]
    names = {}
    sexes: dict[str, str] = {}
    for position, lemma in enumerate(graph.lemmas, 1):
        if lemma.lower() in lists["pronouns"]:
            known = mentions
            if in_order:
                known = _known(position, before, number, graph, lists)
            # "A mechanic hands his apprentice a wrench, and she tightens a bolt": she
            # is not the mechanic, who is called "he".
            kind = _kind(lemma, lists)
            one = kind in KINDS[:2]
            known = [m for m in known if not one or sexes.get(m.name, kind) == kind]
            names[position] = _pronoun(position, number, sentence, known, lists)
            if one and not _is_object(graph, position):
                sexes[names[position]] = kind
    names |= _beside_they(graph, names, lists)
    meant = stood_for(number, sentence, mentions, names, lists)
    nouns = {m.position: m.name for m in mentions if m.sentence == number}
    for position in names:
        # "Another one is below it", "a monkey drops it": it is something else.
        beside = _subjects_beside(graph, position)
        stand_ins = {meant.get(node, "") for node in beside}
        doers = stand_ins.copy()
        above = {label: h for label, h, node in graph.edges if node == position}
        takes = {h for label, h, _ in graph.edges if label == "dobj"}
        like = any(
            above.get(f"nmod:{word}", 0) not in {0, *takes}
            for word in lists["alongside"]
        )
        reflexive = graph.lemmas[position - 1].lower() in lists["pronouns-reflexive"]
        thing = _kind(graph.lemmas[position - 1].lower(), lists) == "thing"
        placed = thing and takes.isdisjoint(above.values())
        placed = placed and _is_place(graph, position)
        if not reflexive and (like or placed or _is_object(graph, position)):
            doers |= {nouns.get(node, "") for node in beside}
        if names[position] in doers - {""}:
            rest = [m for m in mentions if m.name not in doers]
            if like:  # "A knife with a ribbon lies next to it": nor next to the ribbon.
                own = {(number, x) for x in range(min(beside, default=0), position)}
                rest = [m for m in rest if (m.sentence, m.position) not in own]
            other = _pronoun(position, number, sentence, rest, lists)
            # "One boy kicks a ball, another watches him", "another is behind it": the
            # first one, where no third person is named, or beside its like.
            unnamed = all(m.name != other for m in rest)
            # "The player in red runs, and the player in blue blocks him": no third one.
            twice = sum(nouns[x] == names[position] for x in nouns if x < position) > 1
            stays = names[position] in stand_ins and (unnamed or like)
            if other and not stays and not (unnamed and twice):
                names[position] = other
    return names | meant


def _is_place(graph: DependencyGraph, position: int) -> bool:
    """Return whether a pronoun says where its subject is: "a vase is on it"."""
    # No vase is on itself; but a pronoun after "of" or "with" may be the subject.
    owned = any(d == position and label in _OWNED for label, _, d in graph.edges)
    return not owned and any(
        head == position and label == "case" for label, head, _ in graph.edges
    )


def _is_object(graph: DependencyGraph, position: int) -> bool:
    """Return whether a pronoun is what a verb is done to."""
    return any(node == position and label in _OBJECTS for label, _, node in graph.edges)


def _beside_they(
    graph: DependencyGraph, names: Mapping[int, str], lists: Lists
) -> dict[int, str]:
    """Return what pronouns of a place mean that is beside an earlier subject."""
    # "They hold umbrellas, and a dog sits next to them": the same people.
    subjects = {node for label, _, node in graph.edges if label in SUBJECTS} & {*names}
    alongside = {f"nmod:{word}" for word in lists["alongside"]}
    them = {x for label, _, x in graph.edges if label in alongside and x in names}
    kinds = {x: _kind(graph.words[x - 1], lists) for x in names}
    doers = {x: [y for y in subjects if y < x and kinds[y] == kinds[x]] for x in them}
    return {x: names[max(before)] for x, before in doers.items() if before}


def _known(
    position: int,
    mentions: Sequence[Antecedent],
    number: int,
    graph: DependencyGraph,
    lists: Lists,
) -> Sequence[Antecedent]:
    """Return the mentions but those that a pronoun stands beside, if any others fit."""
    # "There are bushes and trees behind them": neither the bushes nor the trees.
    heads = {head for label, head, node in graph.edges if node == position and head}
    there = {head for label, head, _ in graph.edges if label == "expl"}
    clauses = (heads & there) | {position}
    beside = {n for label, h, n in graph.edges if h in clauses and label in SUBJECTS}
    beside |= {head for head in heads if graph.tags[head - 1].startswith("NN")}
    rest = [m for m in mentions if m.sentence < number or m.position not in beside]
    kind = _kind(graph.lemmas[position - 1], lists)
    return rest if fitting_mentions(kind, rest, lists) else mentions


def _kind(word: str, lists: Lists) -> str:
    """Return the kind of third person that a pronoun is, or ""."""
    return next((k for k in KINDS if word.lower() in lists[f"pronouns-{k}"]), "")


def _pronoun(
    position: int,
    number: int,
    sentence: Sentence,
    mentions: Sequence[Antecedent],
    lists: Lists,
) -> str:
    """Return the noun that a pronoun means, or ""."""
    graph = sentence.graph
    word = graph.lemmas[position - 1].lower()
    kind = _kind(word, lists)
    if kind == "several" and (one := _partner(graph, position, number, mentions)):
        return one
    owned = _owned(graph, position)
    owners = _owners([graph.lemmas[x - 1] for x in owned], mentions, lists)
    if _acts(graph, position, lists["deeds"]):
        owners += [m for m in mentions if m.kinds != {"thing"}]
    fitting = fitting_mentions(kind, owners, lists)
    fitting = fitting or fitting_mentions(kind, mentions, lists)
    before = [m for m in fitting if m.sentence == number and m.position < position]
    others = [m for m in fitting if m.sentence != number]
    if before and _begins_absolute(graph, position):
        return _last_subject(graph, before).name
    if owners or kind != "thing":
        # "A nurse has a patient lift his arm": the patient's arm; but a cat that lies
        # across "its keyboard" has no keyboard.
        doers = {doer for node in owned for doer in _subjects_above(graph, node)}
        before = [m for m in before if m.position in doers] or before
    after = _later_subjects(graph, position, kind, fitting, number)
    if found := before or others or after:
        return min(found, key=partial(nearest_first, number)).name
    owns = word in lists["pronouns-owning"] or graph.tags[position - 1] == "PRP$"
    return "" if owns else min(lists.get(f"unnamed-{kind}", ()), default="")


def _later_subjects(
    graph: DependencyGraph,
    position: int,
    kind: str,
    fitting: Sequence[Antecedent],
    number: int,
) -> list[Antecedent]:
    """Return the subjects that a pronoun before them may mean."""
    # "With the sun behind them, two surfers paddle out": no pronoun that is a subject
    # or stands beside one means a later noun.
    subjects = {node for label, _, node in graph.edges if label in SUBJECTS}
    beside = _subjects_beside(graph, position)
    if position in subjects:
        return []
    return [
        m
        for m in fitting
        if m.sentence == number and m.position > position
        if m.position in subjects - beside
        if (m.plural if kind == "several" else kind in m.kinds)
    ]


def _subjects_beside(graph: DependencyGraph, position: int) -> set[int]:
    """Return the subjects of the clause in which a pronoun is an object."""
    clauses = {h for _, h, node in graph.edges if node == position and h} | {position}
    return {
        node
        for label, head, node in graph.edges
        if head in clauses and label in SUBJECTS and node != position
    }


def _subjects_above(graph: DependencyGraph, node: int) -> set[int]:
    """Return the subjects of the nearest clause that a noun is in."""
    # "A vendor serves a customer who has a basket on her arm": the customer's arm.
    heads = {
        dependent: head
        for label, head, dependent in reversed(graph.edges)
        if label.startswith("nmod")
    }
    passed: set[int] = set()
    while node and node not in passed:
        if subjects := _subjects_beside(graph, node):
            return subjects
        passed.add(node)
        node = heads.get(node, 0)
    return set()


def _acts(graph: DependencyGraph, position: int, deeds: frozenset[str]) -> bool:
    """Return whether a pronoun is the subject of what only the living do."""
    return any(
        node == position and label == "nsubj" and graph.lemmas[head - 1] in deeds
        for label, head, node in graph.edges
    )


def _owners(
    owned: Sequence[str], mentions: Sequence[Antecedent], lists: Lists
) -> list[Antecedent]:
    """Return the mentions that can have a part, or none where its name says nothing."""
    if not (lists["living-parts"] | lists["clothing"]).isdisjoint(owned):
        return [mention for mention in mentions if mention.kinds != {"thing"}]
    if not lists["plant-parts"].isdisjoint(owned):
        return [m for m in mentions if m.name.rpartition(" ")[2] in lists["plants"]]
    return []


def _owned(graph: DependencyGraph, position: int) -> list[int]:
    """Return what a pronoun owns."""
    return [h for label, h, node in graph.edges if (label, node) == (_OWNER, position)]


def _partner(
    graph: DependencyGraph, position: int, number: int, mentions: Sequence[Antecedent]
) -> str:
    """Return whose "their" is in "a person and their dog", or ""."""
    owned = _owned(graph, position)
    beside = {h for label, h, x in graph.edges if x in owned and label[:4] == "conj"}
    people = (m for m in mentions if m.sentence == number and m.position in beside)
    return next((m.name for m in people if "thing" not in m.kinds), "")


def _begins_absolute(graph: DependencyGraph, position: int) -> bool:
    """Return whether a pronoun is an owner right after a comma: "its leaves green"."""
    owns = graph.tags[position - 1] == "PRP$"
    return owns and position > 1 and graph.words[position - 2] == ","


def _last_subject(graph: DependencyGraph, before: Sequence[Antecedent]) -> Antecedent:
    """Return the last subject among nouns, or else the last of them."""
    subjects = {node for label, _, node in graph.edges if label in SUBJECTS}
    some = [mention for mention in before if mention.position in subjects]
    return max(some or before, key=lambda mention: mention.position)


def _replaced(
    tuple_: SemanticTuple,
    meant: Mapping[int, str],
    names: Mapping[str, str],
    start: int,
    reflexive: frozenset[str],
) -> SemanticTuple | None:
    """Return the tuple with nouns for its pronouns; None if one of them has no noun."""
    # A relation of a noun to itself, such as (man, have, man), is left out, since the
    # noun must be wrong, unless the pronoun is reflexive ("himself") or means another
    # of the same name ("behind another").
    members, tokens = list(tuple_.members), tuple_.tokens
    for at in range(0, len(members), 2):
        if tokens[at] in meant:
            members[at] = meant[tokens[at]]
            if not members[at]:
                return None
        members[at] = names.get(members[at], members[at])
    moved = tuple(token + start if token else 0 for token in tokens)
    if tuple(members) == tuple_.members:
        return tuple_ if moved == tokens else replace(tuple_, tokens=moved)
    itself = len(members) == 3 and members[0] == members[2]
    first, last = tuple_.members[0], tuple_.members[-1]
    if itself and first not in reflexive and last not in {first, *reflexive}:
        return None
    written = tuple_.written or tuple_.members
    return replace(tuple_, members=tuple(members), tokens=moved, written=written)


def _without_repetitions(
    tuples: list[SemanticTuple], lists: Lists
) -> list[SemanticTuple]:
    """Leave out tuples that a pronoun repeats."""
    # "A man swings his racket" gives no (man, have, racket), but "a boy thanks his
    # sister" says whose she is; "a sign with a number on it" is (number, on, sign).
    triples = [t for t in tuples if len(t.members) == 3 and not t.mood]
    named = {t.members[::2]: t.members[1] for t in triples if t.members[1] != "have"}
    turned = {t.members[::-2] for t in triples if t.members[1] not in ("have", "with")}

    def repeats(tuple_: SemanticTuple) -> bool:
        ends, how = tuple_.members[::2], tuple_.members[1]
        if how == "have" and tuple_.written and ends in named:
            return ends[1] not in lists["people"] or named[ends] == "with"
        return how == "with" and ends in turned

    return [t for t in tuples if t.mood or len(t.members) < 3 or not repeats(t)]
