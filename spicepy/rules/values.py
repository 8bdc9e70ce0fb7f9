"""The values a grammar is made of: `Rule` and `Grammar`, both frozen."""

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import chain
from typing import Any

from spicepy.rules.cards import (
    Clause,
    Condition,
    Emission,
    Example,
    LabelPattern,
    Part,
    Pattern,
    WordTest,
    read_word_test,
)
from spicepy.rules.tuples import Category, canonical_categories


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule card.

    Attributes:
        id: Unique in its grammar.
        why: The reason for the rule, for people.
        source: Its source ("P1" of the specification); may be empty.
        file: The file that has the card.
        match: Edges that must exist; the head of the first is the head token.
        where: (node, test) pairs that must all hold.
        without: Patterns that must not match.
        any: Patterns of which at least one must match; empty = no constraint.
        once: Whether only the first match of a head token counts.
        emit: Groups of alternatives; of each group the first whose conditions
            hold is emitted.
        examples: Captions and exactly what this rule makes of them.
        rejects: Captions of which this rule makes nothing.
    """

    id: str
    why: str
    source: str
    file: str
    match: tuple[Clause, ...]
    where: tuple[tuple[str, WordTest], ...]
    without: tuple[Pattern, ...]
    any: tuple[Pattern, ...]
    once: bool
    emit: tuple[tuple[Emission, ...], ...]
    examples: tuple[Example, ...]
    rejects: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Rewrite:
    """A card that changes the dependency graph before extraction."""

    # Id, patterns and examples as on a rule; it emits nothing. An example states the
    # edges made, as (head, label, dependent), and names.
    card: Rule
    # Edges that take the place of all the matched ones; `{name}` in a label is a node's
    # lemma or a bound word. None: the matched edges stay, but for those in `remove`.
    becomes: tuple[Clause, ...] | None
    add: tuple[Clause, ...]  # Edges made while the matched ones stay
    # (old, new): all other edges of `old` go to `new`.
    replace: tuple[tuple[str, str], ...]
    join: tuple[str, ...]  # Nodes whose words become the name of the last of them
    drop: tuple[str, ...]  # Nodes that lose all other edges
    # (name, tag): the node gets this part of speech, and the lemma that its word has
    # with it.
    retag: tuple[tuple[str, str], ...]
    # denied, supposed: Nodes of which the caption says that they are not, or only may
    # be; tuples with them are kept apart from what it states.
    denied: tuple[str, ...] = ()
    supposed: tuple[str, ...] = ()
    # Edges that take the place of the matched ones in what is denied or supposed. None:
    # the matched edges stay.
    saying: tuple[Clause, ...] | None = None
    order: tuple[str, ...] = ()  # Names whose words must stand in this order
    # Clauses of the match whose edges go away while the others stay.
    remove: tuple[Clause, ...] = ()
    # The phase of the grammar in which the card runs; "" if it has none.
    phase: str = ""


@dataclass(frozen=True, slots=True)
class Normalisation:
    """A card that gives tuples of one meaning one form."""

    # id, why, source, file: As on a rule.
    id: str
    why: str
    source: str
    file: str
    member: str  # "relation", "attribute" or "object": what `forms` are compared with
    # (wording, form): `*` in front of either stands for any words.
    forms: tuple[tuple[str, str], ...]
    # (member, test) pairs that must all hold; a test looks at the whole member and at
    # its last word.
    where: tuple[tuple[str, WordTest], ...]
    # Tuples made instead; empty if only the member changes to its form.
    becomes: tuple[tuple[str, ...], ...]
    same: bool  # The form counts in comparison only, and the wording stays
    several: bool  # The card is for captions of several sentences only
    drop: bool  # The tuple is left out
    head: bool  # A name of several words also matches its last word
    # (tuple, tuples made of it).
    examples: tuple[tuple[tuple[str, ...], tuple[tuple[str, ...], ...]], ...]
    rejects: tuple[tuple[str, ...], ...]  # Tuples the card leaves alone


@dataclass(frozen=True, slots=True, repr=False)
class Grammar:
    """A checked grammar.

    Attributes:
        name: "spice-1.0", or that of the grammar's own file.
        version: Its version.
        description: One line for people.
        labels: The label scheme its rules are written in.
        digest: SHA-256 (64 hexadecimal digits) of all that can change a score:
            rules, classes, links, lists and categories, not the prose; its form
            is described in `grammar.canonical`.
        rules: The rules in the order in which they run.
        lists: Word lists by name.
        categories: Categories beside Object, Attribute and Relation.
        tags: Classes of part-of-speech tags by name.
        links: Classes of edges by name.
        parser: The parser it is written for; "" for the default one.
        phases: The names of the phases of its rewrite rules, in order.
        rewrites: Cards that change the dependency graph, in the order they run. A
            grammar with such cards does without the built-in changes
            (`spicepy.rules.dependency_graphs`).
        annotations: Cards whose tuples stay beside the graph.
        normalisations: Cards that give tuples of one meaning one form, in order.
        distinct_words: Whether different words of one caption name different things,
            also if they are synonyms.
        in_order: Whether a pronoun means only what is named before it, or in its own
            sentence, as for a reader; graphs then depend on the order of sentences.
    """

    name: str
    version: str
    description: str
    labels: str
    digest: str
    rules: tuple[Rule, ...]
    lists: Mapping[str, tuple[str, ...]]
    categories: tuple[Category, ...]
    tags: Mapping[str, tuple[str, ...]]
    links: Mapping[str, tuple[LabelPattern, ...]]
    parser: str = ""
    phases: tuple[str, ...] = ()
    rewrites: tuple[Rewrite, ...] = ()
    annotations: tuple[Rule, ...] = ()
    normalisations: tuple[Normalisation, ...] = ()
    distinct_words: bool = False
    in_order: bool = False

    def __repr__(self) -> str:
        cards = (self.rules, self.rewrites, self.annotations, self.normalisations)
        return (
            f"<Grammar {self.name}@{self.digest[:8]}: {sum(map(len, cards))} rules, "
            f"{len(self.lists)} word lists>"
        )

    def words(self, test: WordTest) -> frozenset[str]:
        """Return the values of a test, with the words of the lists that it names."""
        named = (self.lists[v[1:]] if v.startswith("@") else (v,) for v in test.values)
        return frozenset(chain.from_iterable(named))

    def edge_patterns(self, label: str) -> tuple[LabelPattern, ...]:
        """Return the patterns of a clause's label: a link, or labels joined by `|`."""
        if label in self.links:
            return self.links[label]
        return tuple(LabelPattern(part) for part in label.split("|"))


# The parts of a grammar that can change a score, in a canonical form; their digest.
#
# The form depends on the language of the cards alone, not on the classes that hold
# them, so that the program can be rebuilt without a change of any signature:
#
#     {"labels": "universal-v1",
#      "rules": [{"id": "adjective", "match": ["noun:NOUN -amod-> adj"],
#                 "where": ["adj !lemma:many|other"], "without": [], "any": [],
#                 "once": false, "emit": [["(noun, adj)"]]}],
#      "tags": {"NOUN": ["NN", "NNS"]},
#      "links": {"OBJ": [{"label": "nmod:*", "except": [], "silent": ["poss"],
#                         "to": "", "having": ""}]},
#      "lists": {"sizes": ["big", "small"]},
#      "categories": [{"name": "Size", "length": 2, "words": ["big", "small"],
#                      "match": "printed", "digits": false}]}
#
# A grammar that has them also has "turns" (its rewrite rules), "notes" (its annotation
# rules) and "forms" (its normalisation rules), as these were called when the form was
# fixed. Clauses, tests and tuples are written as on a card, with single blanks. What
# has an order that matters keeps it: rules, clauses of `match`, parts of a link,
# alternatives of `emit`; rewrite rules are in the order that follows from their phases.
# All else is sorted: words, tags, tests, the patterns of `without` and `any`,
# conditions, categories. Names (of rules, nodes, lists …) count. The prose does not:
# `why`, `source`, examples, files, phases, comments, and the name, version and
# description of the grammar.
#
# A part that the language gains later is left out where a grammar has none of it, so
# that the digests of older grammars stay. If the form itself has to change, change
# `FORM`, too: then all digests move, knowingly.

FORM = "spicepy-grammar-1"  # The name and version of the form, hashed before it


def grammar_digest(grammar: Grammar) -> str:
    """Return the SHA-256 of `FORM`, a line feed, and `canonical_grammar`, in hex."""
    # The JSON has sorted keys, no blanks, and only ASCII characters.
    text = json.dumps(canonical_grammar(grammar), sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(f"{FORM}\n{text}".encode()).hexdigest()


def canonical_grammar(grammar: Grammar) -> dict[str, Any]:
    """Return all that can change a score, as plain values; see the module."""
    later: dict[str, Any] = {
        "turns": [_turn(turn) for turn in grammar.rewrites],
        "notes": [_rule(note) for note in grammar.annotations],
        "forms": [_form(form) for form in grammar.normalisations],
        "distinct_words": grammar.distinct_words,
    }
    return {
        "labels": grammar.labels,
        "rules": [_rule(rule) for rule in grammar.rules],
        "tags": {name: _set(tags) for name, tags in grammar.tags.items()},
        "links": {
            name: [_label_pattern(pattern) for pattern in patterns]
            for name, patterns in grammar.links.items()
        },
        "lists": {name: _set(words) for name, words in grammar.lists.items()},
        "categories": canonical_categories(grammar.categories),
        **{name: value for name, value in later.items() if value},
    }


def _set(texts: Iterable[str]) -> list[str]:
    return sorted(set(texts))


def _rule(rule: Rule) -> dict[str, Any]:
    return {
        "id": rule.id,
        "match": list(map(str, rule.match)),
        "where": _set(f"{node} {_word_test(test)}" for node, test in rule.where),
        "without": _set(map(_pattern, rule.without)),
        "any": _set(map(_pattern, rule.any)),
        "once": rule.once,
        "emit": [[_emission(emission) for emission in group] for group in rule.emit],
    }


def _turn(turn: Rewrite) -> dict[str, Any]:
    becomes, saying = turn.becomes, turn.saying
    further: dict[str, Any] = {
        "denied": _set(turn.denied),
        "supposed": _set(turn.supposed),
        "saying": None if saying is None else list(map(str, saying)),
        "order": list(turn.order),
        "removes": sorted(map(str, turn.remove)),
    }
    return {
        "card": _rule(turn.card),
        "becomes": None if becomes is None else list(map(str, becomes)),
        "adds": list(map(str, turn.add)),
        "replace": sorted(f"{old} by {new}" for old, new in turn.replace),
        "join": list(turn.join),
        "drop": _set(turn.drop),
        "retag": sorted(f"{name} {tag}" for name, tag in turn.retag),
        **{name: value for name, value in further.items() if value not in (None, [])},
    }


def _form(form: Normalisation) -> dict[str, Any]:
    return {
        "id": form.id,
        "member": form.member,
        "forms": [list(pair) for pair in form.forms],
        "where": _set(f"{member} {_word_test(test)}" for member, test in form.where),
        "becomes": [list(members) for members in form.becomes],
        "drop": form.drop,
        "same": form.same,
        "several": form.several,
        "head": form.head,
    }


def _label_pattern(pattern: LabelPattern) -> dict[str, Any]:
    return {
        "label": pattern.label,
        "except": _set(pattern.excluded),
        "silent": _set(pattern.silent),
        "to": pattern.to,
        "having": pattern.having,
    }


def _pattern(pattern: Pattern) -> str:
    """Return a pattern such as "a -x-> b & no b -y-> _", negated clauses last."""
    clauses = sorted((negated, str(clause)) for negated, clause in pattern)
    return " & ".join(f"{'no ' * negated}{clause}" for negated, clause in clauses)


def _word_test(test: WordTest) -> str:
    """Return "!lemma:@sizes|be", with sorted words."""
    return f"{'!' * test.negated}{test.attribute}:{'|'.join(_set(test.values))}"


def _emission(emission: Emission) -> str:
    """Return "(subj, verb prt.text 'of', obj) if prt"."""
    members = (" ".join(map(_part, member)) for member in emission.members)
    conditions = _set(map(_condition, emission.conditions))
    holds = f" if {', '.join(conditions)}" if conditions else ""
    return f"({', '.join(members)}){holds}"


def _part(part: Part) -> str:
    if not part.name:
        return f"'{part.literal}'"
    return f"{part.name}.text" if part.surface else part.name


def _condition(condition: Condition) -> str:
    if condition.kind == "word":
        return f"{condition.node} {_word_test(read_word_test(condition.other))}"
    if condition.kind == "before":
        return f"{condition.node} < {condition.other}"
    return f"no {condition.node}" if condition.kind == "absent" else condition.node
