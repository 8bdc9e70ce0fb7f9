"""The values a grammar is made of: `Rule` and `Grammar`, both frozen."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from spicepy.grammar.cards import (
    Clause,
    Emission,
    Example,
    LabelPattern,
    Pattern,
    WordTest,
)
from spicepy.grammar.categories import Category


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule card.

    Attributes:
        id: Unique in its grammar.
        why: What the rule says, for people.
        source: Where it comes from ("P1" of the specification), may be empty.
        file: The file that has the card.
        match: Edges that must exist; the head of the first is the head token.
        where: (node, test) pairs that must all hold.
        without: Patterns of which none may hold.
        any: Patterns of which one must hold; empty for no such demand.
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
class Grammar:
    """A checked grammar.

    Attributes:
        name: "spice-1.0", or that of the grammar's own file.
        version: Its version.
        description: One line for people.
        labels: The label scheme its rules are written in.
        digest: SHA-256 (64 hexadecimal digits) of all that can change a score:
            rules, classes, links, lists and categories, not the prose; its form
            is described in `grammar.digest`.
        rules: In the order they run.
        lists: Word lists by name.
        categories: Categories beside Object, Attribute and Relation.
        tags: Classes of part-of-speech tags by name.
        links: Classes of edges by name.
    """

    name: str
    version: str
    description: str
    labels: str
    digest: str
    rules: tuple[Rule, ...]
    lists: Mapping[str, tuple[str, ...]] = field(repr=False)
    categories: tuple[Category, ...] = field(repr=False)
    tags: Mapping[str, tuple[str, ...]] = field(repr=False)
    links: Mapping[str, tuple[LabelPattern, ...]] = field(repr=False)

    def edge_patterns(self, label: str) -> tuple[LabelPattern, ...]:
        """What a clause's label stands for: a link, or labels joined by `|`."""
        if label in self.links:
            return self.links[label]
        return tuple(LabelPattern(part) for part in label.split("|"))
