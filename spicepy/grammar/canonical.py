"""The parts of a grammar that can change a score, in a canonical form; their digest.

In: a `Grammar`. Out: plain JSON, and the SHA-256 that signatures quote. The form
depends on the language of the cards alone, not on the classes that hold them,
so that the program can be rebuilt without a change of any signature:

    {"labels": "universal-v1",
     "rules": [{"id": "adjective", "match": ["noun:NOUN -amod-> adj"],
                "where": ["adj !lemma:many|other"], "without": [], "any": [],
                "once": false, "emit": [["(noun, adj)"]]}],
     "tags": {"NOUN": ["NN", "NNS"]},
     "links": {"OBJ": [{"label": "nmod:*", "except": [], "silent": ["poss"],
                        "to": "", "having": ""}]},
     "lists": {"sizes": ["big", "small"]},
     "categories": [{"name": "Size", "length": 2, "words": ["big", "small"],
                     "match": "printed", "digits": false}]}

A grammar that has them also has "turns" (its rewrite rules), "notes" (its annotation
rules) and "forms" (its normalisation rules), as these were called when the form was
fixed. Clauses, tests and tuples are written as on a card, with single blanks. What has
an order that matters keeps it: rules, clauses of `match`, parts of a link, alternatives
of `emit`; rewrite rules are in the order that follows from their phases. All else is
sorted: words, tags, tests, the patterns of `without` and `any`, conditions, categories.
Names (of rules, nodes, lists …) count. The prose does not: `why`, `source`, examples,
files, phases, comments, and the name, version and description of the grammar.

A part that the language gains later is left out where a grammar has none of it, so
that the digests of older grammars stay. If the form itself has to change, change
`FORM`, too: then all digests move, knowingly.
"""

import hashlib
import json
from collections.abc import Iterable
from typing import Any

from spicepy.grammar import categories
from spicepy.grammar.cards import (
    Clause,
    Condition,
    Emission,
    LabelPattern,
    NodePattern,
    Part,
    Pattern,
    WordTest,
    read_word_test,
)
from spicepy.grammar.values import Grammar, Normalisation, Rewrite, Rule

FORM = "spicepy-grammar-1"
"""The name and version of the form, hashed before it."""

_MODES = {"each": "", "first": "? ", "all": "* "}


def grammar_digest(grammar: Grammar) -> str:
    """Return the SHA-256 of `FORM`, a line feed, and `canonical_grammar`, in hex.

    The JSON has sorted keys, no blanks, and only ASCII characters.
    """
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
        "categories": categories.canonical_categories(grammar.categories),
        **{name: value for name, value in later.items() if value},
    }


def _set(texts: Iterable[str]) -> list[str]:
    return sorted(set(texts))


def _rule(rule: Rule) -> dict[str, Any]:
    return {
        "id": rule.id,
        "match": [_clause(clause) for clause in rule.match],
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
        "saying": None if saying is None else [_clause(edge) for edge in saying],
        "order": list(turn.order),
        "removes": sorted(_clause(edge) for edge in turn.remove),
    }
    return {
        "card": _rule(turn.card),
        "becomes": None if becomes is None else [_clause(edge) for edge in becomes],
        "adds": [_clause(edge) for edge in turn.add],
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


def _clause(clause: Clause) -> str:
    """Return "? verb -nmod:*=how-> obj:NOUN" or "noun:NOUN"."""
    head = _MODES[clause.mode] + _node(clause.head)
    if not clause.label:
        return head
    bind = f"={clause.bind}" if clause.bind else ""
    return f"{head} -{clause.label}{bind}-> {_node(clause.dependent)}"


def _node(node: NodePattern) -> str:
    return f"{node.name}:{node.tags}" if node.tags else node.name


def _pattern(pattern: Pattern) -> str:
    """Return a pattern such as "a -x-> b & no b -y-> _", negated clauses last."""
    clauses = sorted((negated, _clause(clause)) for negated, clause in pattern)
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
