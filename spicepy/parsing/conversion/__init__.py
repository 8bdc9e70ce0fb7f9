"""Trees of phrases to basic dependencies, as the original converts them.

    (NP (NP DT NN) (PP IN (NP NN)))     a tree (`trees`) and its words

    editing        reshapes the tree: expressions of several words, flat coordinations
    (here)         finds the head of each phrase
    relations      links head words by patterns of phrases, then what is left; chooses
                   the root and settles labels

    2 0 4 2, det root case nmod

Tables (`grammars/english-pcfg`) define heads, expressions and relations in a small
language (`patterns`).
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from spicepy.common.errors import GrammarError
from spicepy.common.resources import read_table
from spicepy.parsing.conversion.editing import Editor, read_edit
from spicepy.parsing.conversion.patterns import Matcher, Patterns, base
from spicepy.parsing.conversion.relations import (
    Infinitives,
    Labelled,
    RelationFinder,
    finish,
    read_relation,
    settle,
)
from spicepy.parsing.conversion.trees import Linked, Node, link, nodes

# The heads of the phrases of a reshaped tree.
#
# Each phrase has two heads, the same in nearly all: the *test head*, which the phrase
# alone decides and which conditions of relations ask for, and the *head*, for which the
# surroundings count as well ("there is a man": *is*, not *man*).

MARKS: Final = frozenset({"''", "``", "-LRB-", "-RRB-", ".", ":", ","})
"""Tags of marks, which are not heads."""

COORDINATORS: Final = frozenset({"CC", "CONJP"})


@dataclass(frozen=True, slots=True)
class Choice:
    """A rule for the head: which of the children with certain labels."""

    # `sets` are tried in order; of the children with a label of the set the first is
    # taken, or the last.
    last: bool
    sets: tuple[frozenset[str], ...]

    def index(self, labels: Sequence[str]) -> int | None:
        """Return the index of the head among base labels."""
        indices = range(len(labels) - 1, -1, -1) if self.last else range(len(labels))
        for wanted in self.sets:
            for index in indices:
                if labels[index] in wanted:
                    return index
        return None


def read_choice(text: str) -> Choice:
    """Read a rule such as "first NP PRP" or "last-of NN NNS"."""
    how, *labels = text.split()
    if how not in ("first", "last", "last-of"):
        raise GrammarError(
            f"head rule {text!r}: it begins with {how!r}, not first, last or last-of"
        )
    if how == "last-of":
        return Choice(True, (frozenset(labels),))
    return Choice(how == "last", tuple(frozenset({label}) for label in labels))


@dataclass(frozen=True, slots=True)
class Special:
    """A rule before the tables of categories."""

    phrase: Matcher
    unless: Matcher | None
    head: Matcher | None
    choice: Choice
    among: Matcher | None
    require: Matcher | None


def read_special(card: Mapping[str, Any], patterns: Patterns) -> Special:
    """Compile a card `[[special]]` of `heads.toml`."""

    def pattern(key: str) -> Matcher | None:
        return patterns.matcher(card[key]) if key in card else None

    head = None
    choice = card.get("choose", "first")
    if "head" in card:
        choice, _, text = card["head"].partition(" ")
        head = patterns.matcher(text)
    return Special(
        patterns.matcher(card["phrase"]),
        pattern("unless"),
        head,
        read_choice(choice),
        pattern("among"),
        pattern("require"),
    )


class HeadFinder:
    """Finds heads by the rules of a grammar."""

    def __init__(
        self, categories: Mapping[str, list[str]], specials: Iterable[Special]
    ) -> None:
        """Take the rules: texts by category names, and the special ones in order."""
        self._categories = {
            label: tuple(map(read_choice, texts))
            for labels, texts in categories.items()
            for label in labels.split()
        }
        every = tuple(specials)
        self._specials = cache(
            lambda label: [each for each in every if each.phrase.labels[label]]
        )

    def find(self, node: Linked) -> None:
        """Set the heads of all phrases of a tree."""
        children = node.children
        if not children:
            return
        for child in children:
            self.find(child)
        if len(children) == 1:
            node.test_head = node.head = children[0]
        else:
            node.test_head = node.head = self._head(node, alone=True)
            special = self._specials(node.label)
            if any(each.unless and each.unless(node) for each in special):
                node.head = self._head(node, alone=False)
        node.leaf = node.head.leaf

    def _head(self, node: Linked, *, alone: bool) -> Linked:
        for special in self._specials(node.label):
            if special.phrase(node) and (
                alone or not (special.unless and special.unless(node))
            ):
                head = apply(special, node)
                if head is not None:
                    return head
        return by_category(node, self._categories.get(base(node.label), DEFAULT))


DEFAULT: Final = (Choice(False, ()),)


def apply(special: Special, node: Linked) -> Linked | None:
    """Return the head that a special rule finds."""
    children = node.children
    if special.head is not None:
        heads = [child for child in children if special.head(child)]
        if not heads:
            return None
        return heads[-1] if special.choice.last else heads[0]
    if special.among is not None:
        children = [child for child in children if special.among(child)]
    index = special.choice.index([base(child.label) for child in children])
    if index is None:
        return None
    head = children[first_conjunct(children, index)]
    if special.require is not None and not special.require(head):
        return None
    return head


def by_category(node: Linked, choices: Sequence[Choice]) -> Linked:
    """Return the head of a phrase by the rules of its category."""
    children = node.children
    labels = [base(child.label) for child in children]
    for choice in choices:
        index = choice.index(labels)
        if index is not None:
            return children[first_conjunct(children, index)]
    indices = range(len(children))
    order = reversed(indices) if choices[-1].last else indices
    index = next((p for p in order if children[p].label not in MARKS), None)
    if index is None:
        index = len(children) - 1 if choices[-1].last else 0
    return children[first_conjunct(children, index)]


def first_conjunct(children: Sequence[Linked], index: int) -> int:
    """Return the index of the first conjunct, if the head at `index` is a later one."""
    # In "a, b and c" the head c becomes a.
    if index < 2 or children[index - 1].label not in COORDINATORS:
        return index
    skip_interjections = children[index].label != "UH"
    head = index - 2
    while head >= 0 and _skippable(children[head], skip_interjections):
        head -= 1
    if head < 0:
        return index
    while head >= 2:
        before, comma = head - 1, False
        while before >= 0:
            mark = children[before].label in (",", ":")
            if not mark and not _skippable(children[before], skip_interjections):
                break
            comma = comma or mark
            before -= 1
        if before < 0 or not comma:
            break
        head = before
    return head


def _skippable(node: Linked, interjections: bool) -> bool:
    return node.label in MARKS or (interjections and node.label in ("UH", "INTJ"))


FOLDER = "english-pcfg"


@dataclass(frozen=True, slots=True)
class ConversionRules:
    """All data of the conversion, in the order in which they are used."""

    editor: Editor
    heads: HeadFinder
    relations: RelationFinder
    outside: frozenset[str]
    infinitives: Infinitives


@cache
def rules() -> ConversionRules:
    """Read the tables, once."""
    words, tests, heads = map(read, ("words", "nodes", "heads"))
    edits, expressions = read("edits"), read("expressions")
    infinitives = read("infinitives")
    lists = words["lists"]
    patterns = Patterns(
        lists,
        {**tests["tests"], **heads["tests"], **edits["tests"]},
        {**words["spelled"], **edits["spelled"]},
    )
    return ConversionRules(
        Editor(
            tuple(
                read_edit(card, patterns)
                for card in (*expressions["edit"], *edits["edit"])
            )
        ),
        HeadFinder(
            heads["categories"],
            [read_special(card, patterns) for card in heads["special"]],
        ),
        RelationFinder(
            [
                read_relation(name, card, patterns)
                for name, card in read("relations").items()
            ]
        ),
        frozenset(lists["outside"].split()),
        Infinitives(
            **{name: frozenset(text.split()) for name, text in infinitives.items()}
        ),
    )


def read(name: str) -> Mapping[str, Any]:
    """Read one table."""
    return read_table(f"{FOLDER}/{name}.toml", dict)


def dependencies(
    root: Node, words: Sequence[str], tags: Sequence[str] | None = None
) -> tuple[list[int], list[str]]:
    """Convert a tree of phrases to basic dependencies (Universal Dependencies v1)."""
    # Returns the head of each word, as a position from 1, 0 for the root and -1 for a
    # word outside the tree (a mark), and the label of each word ("_" outside). `tags`
    # decide which words stay outside and which are question words; those of the tree by
    # default.
    grammar = rules()
    top = link(root, words)
    if tags is None:
        tags = [node.label for node in nodes(top) if not node.children]
    outside = frozenset(i for i, tag in enumerate(tags) if tag in grammar.outside)
    grammar.editor.edit(top)
    grammar.heads.find(top)
    linked = grammar.relations.edges(top, outside)
    edges = {
        (governor, word): grammar.relations.label(linked.labels[word])
        for word, governor in linked.governor.items()
    }
    root_word = finish(top, edges, outside)
    settle(edges, words, tags, grammar.infinitives)
    return written(edges, root_word, len(words))


def written(
    edges: Labelled, root: int | None, size: int
) -> tuple[list[int], list[str]]:
    """Return the head and label of each word; of two governors the later one counts."""
    heads = [-1] * size
    labels = ["_"] * size
    if root is not None:
        heads[root], labels[root] = 0, "root"
    for (governor, word), label in sorted(edges.items()):
        heads[word], labels[word] = governor + 1, label
    return heads, labels
