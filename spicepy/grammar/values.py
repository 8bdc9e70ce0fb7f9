"""The values a grammar is made of: `Rule` and `Grammar`, both frozen."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import chain

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
        why: The reason for the rule, for people.
        source: Its source ("P1" of the specification); may be empty.
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
class Rewrite:
    """A card that changes the dependency graph before extraction.

    Attributes:
        card: Id, patterns and examples as on a rule; it emits nothing. An example
            states the edges made, as (head, label, dependent), and names.
        becomes: Edges that take the place of all the matched ones; `{name}` in a
            label is a node's lemma or a bound word. None: the matched edges stay, but
            for those in `remove`.
        add: Edges made while the matched ones stay.
        replace: (old, new): all other edges of `old` go to `new`.
        join: Nodes whose words become the name of the last of them.
        drop: Nodes that lose all other edges.
        retag: (name, tag): the node gets this part of speech, and the lemma that its
            word has with it.
        denied, supposed: Nodes of which the caption says that they are not, or only
            may be; tuples with them are kept apart from what it states.
        saying: Edges that take the place of the matched ones in what is denied or
            supposed. None: the matched edges stay.
        order: Names whose words must stand in this order.
        remove: Clauses of the match whose edges go away while the others stay.
        phase: The phase of the grammar in which the card runs; "" if it has none.
    """

    card: Rule
    becomes: tuple[Clause, ...] | None
    add: tuple[Clause, ...]
    replace: tuple[tuple[str, str], ...]
    join: tuple[str, ...]
    drop: tuple[str, ...]
    retag: tuple[tuple[str, str], ...]
    denied: tuple[str, ...] = ()
    supposed: tuple[str, ...] = ()
    saying: tuple[Clause, ...] | None = None
    order: tuple[str, ...] = ()
    remove: tuple[Clause, ...] = ()
    phase: str = ""


@dataclass(frozen=True, slots=True)
class Normalisation:
    """A card that gives tuples of one meaning one form.

    Attributes:
        id, why, source, file: As on a rule.
        member: "relation", "attribute" or "object": what `forms` are compared with.
        forms: (wording, form): `*` in front of either stands for any words.
        where: (member, test) pairs that must all hold; a test looks at the whole
            member and at its last word.
        becomes: Tuples made instead; empty if only the member changes to its form.
        drop: The tuple is left out.
        head: A name of several words also matches its last word.
        same: The form counts in comparison only, and the wording stays.
        several: The card is for captions of several sentences only.
        examples: (tuple, tuples made of it).
        rejects: Tuples the card leaves alone.
    """

    id: str
    why: str
    source: str
    file: str
    member: str
    forms: tuple[tuple[str, str], ...]
    where: tuple[tuple[str, WordTest], ...]
    becomes: tuple[tuple[str, ...], ...]
    same: bool
    several: bool
    drop: bool
    head: bool
    examples: tuple[tuple[tuple[str, ...], tuple[tuple[str, ...], ...]], ...]
    rejects: tuple[tuple[str, ...], ...]


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
            (`spicepy.extraction.dependencies.enhancing`).
        annotations: Cards whose tuples stay beside the graph.
        normalisations: Cards that give tuples of one meaning one form, in order.
        distinct_words: Whether different words of one caption name different things,
            also if they are synonyms.
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
    parser: str = ""
    phases: tuple[str, ...] = ()
    rewrites: tuple[Rewrite, ...] = ()
    annotations: tuple[Rule, ...] = ()
    normalisations: tuple[Normalisation, ...] = ()
    distinct_words: bool = False

    def words(self, test: WordTest) -> frozenset[str]:
        """Return the values of a test, with the words of the lists that it names."""
        named = (self.lists[v[1:]] if v.startswith("@") else (v,) for v in test.values)
        return frozenset(chain.from_iterable(named))

    def edge_patterns(self, label: str) -> tuple[LabelPattern, ...]:
        """Return the patterns of a clause's label: a link, or labels joined by `|`."""
        if label in self.links:
            return self.links[label]
        return tuple(LabelPattern(part) for part in label.split("|"))
