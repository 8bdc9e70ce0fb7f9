"""Reading and checking one card: a `[[rule]]` or `[[rewrite]]` becomes a value.

Every fault (form, clauses G2xx, words G3xx, examples G4xx) is noted.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeVar

from spicepy.common.errors import nearest
from spicepy.rules.cards import (
    CardError,
    Clause,
    Emission,
    NodePattern,
    Pattern,
    WordTest,
    read_clause,
    read_emission,
    read_example,
    read_pattern,
    read_word_test,
)
from spicepy.rules.files import PENN_TAGS, DefinedNames, Place, TomlTable
from spicepy.rules.values import Rewrite, Rule

T = TypeVar("T")
KEYS: Mapping[str, Any] = {
    "id": str,
    "why": str,
    "source": str,
    "match": list,
    "where": dict,
    "without": list,
    "any": list,
    "once": bool,
    "emit": (str, list),
    "example": list,
    "reject": list,
}
_ATTRIBUTES = ("lemma", "text", "tag")


def read_rule(table: TomlTable, names: DefinedNames, place: Place) -> Rule:
    """Read one card; what cannot be read is left out and noted as a fault."""
    return Card(table, names, place, KEYS, ("why", "match", "emit")).read()


class Card:
    """One card while it is read: the table, its place, and names matched so far."""

    def __init__(
        self,
        table: TomlTable,
        names: DefinedNames,
        place: Place,
        keys: Mapping[str, Any],
        needed: tuple[str, ...],
    ) -> None:
        self.table, self.names, self.place = table, names, place
        self.keys, self.needed = keys, needed
        self.id = str(table["id"])
        self.nodes: set[str] = {"ROOT"}
        self.several: set[str] = set()
        self.bound: set[str] = set()

    def fault(self, code: str, message: str) -> None:
        """Note a fault of the card."""
        self.place.note(code, message)

    def read(self) -> Rule:
        """Return the card as a `Rule`."""
        self._check_form()
        match = self.all_of("match", read_clause, "G201")
        for number, clause in enumerate(match):
            self._check_match(clause, first=number == 0)
        without = self.all_of("without", read_pattern, "G201")
        either = self.all_of("any", read_pattern, "G201")
        for pattern in (*without, *either):
            self._check_pattern(pattern)
        examples = self.all_of("example", read_example, "G405")
        if not self._list("example"):
            self.fault("G401", "has no example")
        return Rule(
            id=self.id,
            why=str(self.table.get("why", "")),
            source=str(self.table.get("source", "")),
            file=self.place.file,
            match=match,
            where=self._where(),
            without=without,
            any=either,
            once=bool(self.table.get("once", False)),
            emit=self._emit(),
            examples=examples,
            rejects=tuple(" ".join(text.split()) for text in self._list("reject")),
        )

    def _check_form(self) -> None:
        """Check keys, their types, and required keys."""
        for key, value in self.table.items():
            if key not in self.keys:
                self.fault("G103", f"unknown key {key!r}{nearest(key, self.keys)}")
            elif not isinstance(value, self.keys[key]):
                self.fault("G105", f"{key!r} has the wrong form: {value!r}")
        for key in self.needed:
            if not self.table.get(key):
                self.fault("G104", f"missing {key!r}")
        for key in (k for k, kinds in self.keys.items() if kinds is list):
            values = self.table.get(key, [])
            for value in values if isinstance(values, list) else ():
                if not isinstance(value, str):
                    self.fault("G105", f"{key!r} has {value!r}, which is not a text")

    def _list(self, key: str) -> list[str]:
        value = self.table.get(key, [])
        return (
            [v for v in value if isinstance(v, str)] if isinstance(value, list) else []
        )

    def all_of(self, key: str, read: Callable[[str], T], code: str) -> tuple[T, ...]:
        """Read the texts under a key; those that cannot be read are faults."""
        values = (self.attempt(read, text, code) for text in self._list(key))
        return tuple(value for value in values if value is not None)

    def check_name(
        self, name: str, text: str, *, words: bool = False, several: bool = False
    ) -> None:
        """Raise G203 for a name that was not matched, or stands for something else."""
        if name != "ROOT":
            more = (self.bound if words else set(), self.several if several else set())
            self._name(name, text, *more)

    def attempt(self, read: Callable[[str], T], text: str, code: str) -> T | None:
        """Read a text; one that cannot be read is a fault."""
        try:
            return read(text)
        except CardError as error:
            self.fault(code, f'cannot read "{text}": {error}')
            return None

    def _check_match(self, clause: Clause, first: bool) -> None:
        """Check the names of a clause of `match`, and its connection to others."""
        self._check_names(clause)
        ends = {clause.head.name, clause.dependent.name} if clause.label else set()
        if first:
            if clause.mode != "each" or clause.head.name in ("_", "ROOT"):
                self.fault("G204", f'"{clause.text}" cannot be first: name its head')
        elif not clause.label:
            self.fault("G204", f'"{clause.text}": a lone node must come first')
        elif clause.mode == "each" and not ends & self.nodes:
            self.fault("G204", f'"{clause.text}" is not connected to those before it')
        elif clause.mode != "each" and clause.head.name not in self.nodes:
            message = f'"{clause.text}": {clause.head.name!r} is not matched before'
            self.fault("G204", message)
        elif clause.mode != "each" and clause.dependent.name in self.nodes:
            name = clause.dependent.name  # It would stand for another word then.
            self.fault("G204", f'"{clause.text}" is optional: {name!r} must be new')
        else:
            self._check_ends(clause)
        self.nodes |= {clause.head.name, *ends} - {"_"}
        if clause.mode == "all":
            self.nodes.discard(clause.dependent.name)
            self.several.add(clause.dependent.name)
        if clause.bind:
            self.bound.add(clause.bind)

    def _check_pattern(self, pattern: Pattern) -> None:
        """Check the names of a pattern of `without` or `any`, and its connection."""
        nodes = set(self.nodes)
        for negated, clause in sorted(pattern, key=lambda item: item[0]):
            self._check_names(clause)
            ends = {clause.head.name, clause.dependent.name} - {"_"}
            if not ends & (nodes - {"ROOT"}):
                message = f'"{clause.text}" is not connected to the match'
                self.fault("G204", message)
            else:
                self._check_ends(clause)
            if not negated:
                nodes |= ends

    def _check_ends(self, clause: Clause) -> None:
        """Check that no end of an edge stands for several nodes, or for a word."""
        for name in (clause.head.name, clause.dependent.name):
            if name in self.several | self.bound:
                self._name(name, clause.text)

    def _check_names(self, clause: Clause) -> None:
        """Check the label, link and tag classes of one clause."""
        for node in (clause.head, clause.dependent):
            self.names.check_tags(node.tags, clause.text, self.place)
        if clause.label.isupper() or clause.label in self.names.links:
            if clause.label not in self.names.links:
                hint = nearest(clause.label, self.names.links)
                message = f'unknown link {clause.label!r} in "{clause.text}"{hint}'
                self.fault("G206", message)
            return
        for label in clause.label.split("|"):
            self.names.check_label(label, clause.text, self.place)

    def _name(self, name: str, text: str, *more: set[str]) -> None:
        """Raise G203 for a name that is neither a node nor one of `more`."""
        known = self.nodes.union(*more) - {"ROOT"}
        if name in known:
            return
        if name in self.several:
            message = "stands for several nodes; only what is emitted can be that"
        elif name in self.bound:
            message = "is a word of a label; a node is needed there"
        else:
            message = f"is never matched{nearest(name, known)}"
            if text.startswith("("):
                message += f"; a word is written in quotes: {name!r}".replace("'", '"')
        self.fault("G203", f'{name!r} in "{text}" {message}')

    def _where(self) -> tuple[tuple[str, WordTest], ...]:
        tests = []
        table: Any = self.table.get("where", {})
        for node, texts in table.items() if isinstance(table, dict) else ():
            for name in node.split():
                self._name(name, f"where {node}")
            if not isinstance(texts, str):
                self.fault("G105", f"'where' for {node!r} must be a text")
                continue
            for text in texts.split(","):
                test = self._word_test(text.strip())
                if test is not None:
                    tests.append((node, test))
        return tuple(tests)

    def _word_test(self, text: str) -> WordTest | None:
        test = self.attempt(read_word_test, text, "G301")
        if test is None:
            return None
        if test.attribute not in _ATTRIBUTES:
            hint = nearest(test.attribute, _ATTRIBUTES)
            self.fault("G301", f'unknown test {test.attribute!r} in "{text}"{hint}')
        for value in test.values:
            known = self.names.check_list(value, text, self.place)
            if known and test.attribute == "tag" and value not in PENN_TAGS:
                hint = nearest(value, PENN_TAGS)
                self.fault("G305", f'unknown tag {value!r} in "{text}"{hint}')
        return test

    def _emit(self) -> tuple[tuple[Emission, ...], ...]:
        value: Any = self.table.get("emit", [])
        groups: list[Any] = [[value]] if isinstance(value, str) else [value]
        if isinstance(value, list) and value and isinstance(value[0], list):
            groups = value
        emit = []
        for group in groups:
            texts = group if isinstance(group, list) else [group]
            for text in (t for t in texts if not isinstance(t, str)):
                self.fault("G105", f"'emit' has {text!r}, which is not a text")
            read = (
                self.attempt(read_emission, t, "G205")
                for t in texts
                if isinstance(t, str)
            )
            emit.append(tuple(e for e in read if e is not None))
        for emission in (e for group in emit for e in group):
            self._check_emission(emission)
        return tuple(emit)

    def _check_emission(self, emission: Emission) -> None:
        for part in (part for member in emission.members for part in member):
            if part.name:
                words = set() if part.surface else self.bound
                self._name(part.name, emission.text, self.several, words)
        for condition in emission.conditions:
            plain = condition.kind in ("present", "absent")
            more = (self.several, self.bound) if plain else ()
            self._name(condition.node, emission.text, *more)
            if condition.kind == "before":
                self._name(condition.other, emission.text)
            elif condition.kind == "word":
                self._word_test(condition.other)


# Rewrite rules: cards that replace the edges that they match.

_WORDS = ("join", "drop", "denied", "supposed", "order")
"""Keys with the names of nodes, between blanks."""
_CHANGES: Mapping[str, Any] = {
    **dict.fromkeys(("becomes", "add", "remove", "saying"), list),
    **dict.fromkeys(("replace", "retag"), dict),
    **dict.fromkeys(("join", "drop", "denied", "supposed"), str),
}
"""Keys that say what is to change."""
_REWRITE_KEYS: Mapping[str, Any] = {
    **{key: KEYS[key] for key in KEYS if key not in ("emit", "once")},
    **_CHANGES,
    "order": str,
    "phase": str,
}
_PLACE = re.compile(r"\{(\w+)\}")


def read_rewrite(table: TomlTable, names: DefinedNames, place: Place) -> Rewrite:
    """Read one rewrite rule; what cannot be read is left out and noted as a fault."""
    card = Card(table, names, place, _REWRITE_KEYS, ("why", "match"))
    rule, phase = card.read(), str(table.get("phase", ""))
    if _CHANGES.keys().isdisjoint(table):
        card.fault("G104", "says nothing of what is to change")
    if "becomes" in table and ("add" in table or "remove" in table):
        message = "'becomes' replaces all matched edges; 'add' and 'remove' keep the "
        card.fault("G207", f"{message}others: write one or the other")
    names.check_phase(phase, place)
    becomes, add = _edges(card, "becomes"), _edges(card, "add") or ()
    replaced, tags = _pairs(table, "replace"), _pairs(table, "retag")
    named = {key: tuple(str(table.get(key, "")).split()) for key in _WORDS}
    for key, words in {
        "replace": [n for pair in replaced for n in pair],
        **named,
    }.items():
        for name in words:
            keys = "replace, join, drop, denied, supposed, order"
            card.check_name(name.removesuffix("*"), keys, several=key == "join")
    for name, tag in tags:
        card.check_name(name, "retag")
        if tag not in PENN_TAGS:
            card.fault("G305", f"unknown tag {tag!r} in retag{nearest(tag, PENN_TAGS)}")
    return Rewrite(
        rule,
        becomes,
        add,
        replaced,
        retag=tags,
        saying=_edges(card, "saying"),
        remove=tuple(_removed(card, rule.match)),
        phase=phase,
        **named,
    )


def _pairs(table: TomlTable, key: str) -> tuple[tuple[str, str], ...]:
    """Return the entries of a table under a key, none if it is not a table."""
    value = table.get(key, {})
    pairs = value.items() if isinstance(value, dict) else ()
    return tuple((str(name), str(other)) for name, other in pairs)


def _edges(card: Card, key: str) -> tuple[Clause, ...] | None:
    """Return the edges under a key, None without it."""
    if key not in card.table:
        return None
    clauses = card.all_of(key, read_clause, "G205")
    for clause in clauses:
        if not clause.label or clause.mode != "each":
            card.fault("G205", f"\"{clause.text}\": expected 'head -label-> dependent'")
        ends = (clause.head.name, clause.dependent.name)
        for name in (*ends, *_PLACE.findall(clause.label)):  # words of the match
            card.check_name(name, clause.text, words=name not in ends)
    return clauses


def _removed(card: Card, match: Sequence[Clause]) -> Iterator[Clause]:
    """Yield the clauses of the match whose edges go, without classes and words."""
    matched = {_bare(clause): clause for clause in match if clause.label}
    for clause in card.all_of("remove", read_clause, "G205"):
        if _bare(clause) in matched:
            yield _bare(clause)
        else:
            hint = f"; matched: {', '.join(c.text for c in matched.values())}"
            card.fault("G208", f"\"{clause.text}\" is not an edge of 'match'{hint}")


def _bare(clause: Clause) -> Clause:
    """Return an edge as names and label alone."""
    ends = NodePattern(clause.head.name), NodePattern(clause.dependent.name)
    return Clause(ends[0], clause.label, ends[1])
