"""Rewrite rules: cards that replace the edges that they match.

In: a table of a grammar file. Out: a `Rewrite`; faults are noted.
`spicepy.extraction.rewriting` runs them.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from spicepy.common.errors import nearest
from spicepy.grammar.cards import Clause, NodePattern, read_clause
from spicepy.grammar.faults import Place
from spicepy.grammar.files import TomlTable
from spicepy.grammar.names import PENN_TAGS, DefinedNames
from spicepy.grammar.rules import KEYS, Card
from spicepy.grammar.values import Rewrite

_KEYS: Mapping[str, Any] = {
    **{key: KEYS[key] for key in KEYS if key not in ("emit", "once")},
    "becomes": list,
    "add": list,
    "remove": list,
    "replace": dict,
    "join": str,
    "drop": str,
    "retag": dict,
    "denied": str,
    "supposed": str,
    "saying": list,
    "order": str,
    "phase": str,
}
_CONDITIONS = ("order", "phase")
"""Keys that say when a card applies, not what it changes."""
_PLACE = re.compile(r"\{(\w+)\}")


def read_rewrite(table: TomlTable, names: DefinedNames, place: Place) -> Rewrite:
    """Read one rewrite rule; what cannot be read is left out and noted as a fault."""
    card = Card(table, names, place, _KEYS, ("why", "match"))
    rule = card.read()
    if not any(key in table for key in _KEYS if key not in (*KEYS, *_CONDITIONS)):
        card.fault("G104", "says nothing of what is to change")
    if "becomes" in table and ("add" in table or "remove" in table):
        message = "'becomes' replaces all matched edges; 'add' and 'remove' keep the "
        card.fault("G207", f"{message}others: write one or the other")
    names.check_phase(str(table.get("phase", "")), place)
    becomes, add = _edges(card, table, "becomes"), _edges(card, table, "add")
    pairs, tags = _pairs(table, "replace"), _pairs(table, "retag")
    join, drop = (tuple(str(table.get(key, "")).split()) for key in ("join", "drop"))
    denied, supposed, order = (
        tuple(str(table.get(key, "")).split())
        for key in ("denied", "supposed", "order")
    )
    named = (*(name for pair in pairs for name in pair), *join, *drop)
    for name in (*named, *denied, *supposed, *order):
        keys = "replace, join, drop, denied, supposed, order"
        card.check_name(str(name).removesuffix("*"), keys, several=name in join)
    for name, tag in tags:
        card.check_name(name, "retag")
        if tag not in PENN_TAGS:
            card.fault("G305", f"unknown tag {tag!r} in retag{nearest(tag, PENN_TAGS)}")
    edges = becomes if "becomes" in table else None
    saying = _edges(card, table, "saying") if "saying" in table else None
    remove = tuple(_removed(card, rule.match))
    further = denied, supposed, saying, order, remove, str(table.get("phase", ""))
    return Rewrite(rule, edges, add, pairs, join, drop, tags, *further)


def _pairs(table: TomlTable, key: str) -> tuple[tuple[str, str], ...]:
    """Return the entries of a table under a key, none if it is no table."""
    value = table.get(key, {})
    pairs = value.items() if isinstance(value, dict) else ()
    return tuple((str(name), str(other)) for name, other in pairs)


def _edges(card: Card, table: TomlTable, key: str) -> tuple[Clause, ...]:
    """Return the edges under a key, names checked."""
    clauses = _clauses(card, table, key)
    for clause in clauses:
        _check_edge(card, clause)
    return tuple(clauses)


def _clauses(card: Card, table: TomlTable, key: str) -> list[Clause]:
    values = table.get(key, [])
    listed = values if isinstance(values, list) else []  # A fault of form otherwise.
    read = (card.attempt(read_clause, str(text), "G205") for text in listed)
    return [clause for clause in read if clause]


def _removed(card: Card, match: Sequence[Clause]) -> Iterator[Clause]:
    """Yield the clauses of the match whose edges go, without classes and words."""
    matched = {_bare(clause): clause for clause in match if clause.label}
    for clause in _clauses(card, card.table, "remove"):
        if _bare(clause) in matched:
            yield _bare(clause)
        else:
            hint = f"; matched: {', '.join(c.text for c in matched.values())}"
            card.fault("G208", f"\"{clause.text}\" is no edge of 'match'{hint}")


def _bare(clause: Clause) -> Clause:
    """Return an edge as names and label alone."""
    ends = NodePattern(clause.head.name), NodePattern(clause.dependent.name)
    return Clause(ends[0], clause.label, ends[1])


def _check_edge(card: Card, clause: Clause) -> None:
    """Check that a new edge has two ends and takes its words from the match."""
    if not clause.label or clause.mode != "each":
        card.fault("G205", f"\"{clause.text}\": expected 'head -label-> dependent'")
    ends = (clause.head.name, clause.dependent.name)
    for name in (*ends, *_PLACE.findall(clause.label)):
        card.check_name(name, clause.text, words=name not in ends)
