"""Patterns of nodes, compiled from text to functions that test a node.

The syntax is that of `grammars/english-pcfg/README.md`. `Patterns` holds the named
tests and word lists of a grammar. A pattern becomes a `Matcher`: the labels it is for,
looked up once a label, and a function for the rest. The second argument of such a
function is the node where the step to this node began; `between` needs it.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from operator import attrgetter
from typing import Final

from spicepy.common.errors import GrammarError, unknown
from spicepy.parsing.conversion.trees import Linked

# Labels as patterns write them: `NP`, `NP~`, `VB*`.

Test = Callable[[Linked, Linked], bool]
"""A test of a node, and of the node where the step to it began."""


class Labels(dict[str, bool]):
    """Whether a label is meant, worked out at its first use."""

    def __init__(self, test: Callable[[str], bool]) -> None:
        self._test = test

    def __missing__(self, label: str) -> bool:
        holds = self[label] = self._test(label)
        return holds


ANY: Final = Labels(lambda label: True)  # All labels
_MARKS = "-=|#^~_["


@cache
def base(label: str) -> str:
    """Return a label without function tags: `NP-TMP` is a `NP`.

    >>> base("NP-TMP"), base("-LRB-")
    ('NP', '-LRB-')
    """
    first = label[:1]
    for index, mark in enumerate(label[1:], 1):
        if mark in _MARKS and (first not in _MARKS or mark != first):
            return label[:index]
    return label


def one_of(labels: Iterable[str]) -> Callable[[str], bool]:
    """Return a test for labels: `NP`, `NP~` (and NP-TMP), `NP*`, `*PP*`."""
    exact: set[str] = set()
    bases: set[str] = set()
    shapes: list[re.Pattern[str]] = []
    for label in labels:
        if label == "*" or not set("*~") & set(label):
            exact.add(label)
        elif label.endswith("~"):
            bases.add(label[:-1])
        else:
            shapes.append(glob(label))
    return lambda text: (
        text in exact
        or base(text) in bases
        or any(shape.fullmatch(text) for shape in shapes)
    )


def glob(text: str) -> re.Pattern[str]:
    """Return a regular expression in which `*` stands for any text."""
    return re.compile(".*".join(map(re.escape, text.split("*"))), re.DOTALL)


# Ways from a node of a tree to others: its children, its siblings, its parent.

Nodes = Sequence[Linked]
Way = Callable[[Linked], Nodes]
OneStep = Callable[[Linked], Linked | None]

children: Way = attrgetter("children")
test_head: OneStep = attrgetter("test_head")


def through(labels: Labels) -> Way:
    """Return the axis of children, and children of children with such labels."""

    def reached(node: Linked) -> Nodes:
        nodes = list(node.children)
        for child in node.children:
            if labels[child.label]:
                nodes += reached(child)
        return nodes

    return reached


def left(node: Linked) -> Nodes:
    """Return the siblings before a node."""
    return node.parent.children[: node.index] if node.parent else ()


def right(node: Linked) -> Nodes:
    """Return the siblings after a node."""
    return node.parent.children[node.index + 1 :] if node.parent else ()


def along(step: OneStep) -> Way:
    """Return the axis of all nodes that a step reaches, taken again and again."""

    def reached(node: Linked) -> Nodes:
        nodes = []
        while (next_one := step(node)) is not None:
            node = next_one
            nodes.append(node)
        return nodes

    return reached


def child_at(index: int) -> OneStep:
    """Return the step to the child at an index."""

    def step(node: Linked) -> Linked | None:
        return node.children[index] if index < len(node.children) else None

    return step


def last(node: Linked) -> Linked | None:
    """Return the last child of a node."""
    return node.children[-1] if node.children else None


def sibling_at(offset: int) -> OneStep:
    """Return the step to the sibling so many places further."""

    def step(node: Linked) -> Linked | None:
        siblings = node.parent.children if node.parent else ()
        index = node.index + offset
        return siblings[index] if 0 <= index < len(siblings) else None

    return step


SINGLE: Final[Mapping[str, OneStep]] = {
    "first": child_at(0),
    "second": child_at(1),
    "third": child_at(2),
    "last": last,
    "only": lambda node: node.children[0] if len(node.children) == 1 else None,
    "next": sibling_at(1),
    "prev": sibling_at(-1),
    "parent": attrgetter("parent"),
    "head": test_head,
}
"""Axes with at most one node; `head` is the test head."""

SEVERAL: Final[Mapping[str, Way]] = {
    "child": children,
    "left": left,
    "right": right,
    "sibling": lambda node: [*left(node), *right(node)],
    "within": through(ANY),
    "opening": along(child_at(0)),
    "ending": along(last),
    "heads": along(test_head),
}
"""Axes with any number of nodes."""

_AXES: Final = frozenset((*SINGLE, *SEVERAL, "between", "through"))
_NO_NODE: Final = frozenset(("", "]", "(", ")", ",", ">"))


def way_of(axis: str, over: Labels) -> Way:
    """Return the way along an axis; `through` goes over nodes with such labels."""
    if axis == "through":
        return through(over)
    if axis in SINGLE:
        step = SINGLE[axis]
        return lambda node: () if (other := step(node)) is None else (other,)
    return SEVERAL[axis]


@dataclass(frozen=True, slots=True)
class Matcher:
    """A compiled pattern: `labels` that it may be, and what else must hold."""

    # `words` are those that a tag must have, if they are a plain list; `rest` asks for
    # them, too.
    labels: Labels
    rest: Test | None
    words: frozenset[str] | None = None

    def test(self) -> Test:
        """Return one function for labels and rest."""
        labels, rest = self.labels, self.rest
        if labels is ANY:
            return rest or (lambda node, start: True)
        if rest is None:
            return lambda node, start: labels[node.label]
        return lambda node, start: labels[node.label] and rest(node, start)

    def __call__(self, node: Linked) -> bool:
        """Return whether a node matches."""
        return self.labels[node.label] and (self.rest is None or self.rest(node, node))


@dataclass(frozen=True, slots=True)
class TreePath:
    """A compiled rule: the phrase, ways to other nodes, and the dependent."""

    phrase: Matcher
    ways: tuple[tuple[Way, Matcher], ...]

    @property
    def direct(self) -> bool:
        """Whether the dependent is any child of the phrase."""
        return len(self.ways) == 1 and self.ways[0][0] is children


class Patterns:
    """Compiles patterns with the tests and word lists of one grammar."""

    def __init__(
        self,
        lists: Mapping[str, str],
        tests: Mapping[str, str | list[str]],
        spelled: Mapping[str, str],
    ) -> None:
        """Take lists of words, tests (one of the patterns must match) and spellings."""
        self._lists = {name: tuple(text.split()) for name, text in lists.items()}
        self._spelled = {name: re.compile(text) for name, text in spelled.items()}
        self._tests: dict[str, Matcher] = dict(_BUILT_IN)
        self._open = dict(tests)

    def matcher(self, text: str) -> Matcher:
        """Compile the pattern of one node."""
        reader = _Reader(text, self)
        matcher = reader.node()
        reader.end()
        return matcher

    def path(self, text: str) -> TreePath:
        """Compile a rule: nodes with `>` between them, each a child by default."""
        reader = _Reader(text, self)
        phrase = reader.node()
        ways = []
        while reader.take(">"):
            axis, over = reader.axis() or ("child", ANY)
            ways.append((way_of(axis, over), reader.node()))
        reader.end()
        return TreePath(phrase, tuple(ways))

    def labelled(self, labels: Sequence[str], names: Sequence[str]) -> Matcher:
        """Return what matches any of these labels or named tests; all without any."""
        each = [Matcher(Labels(one_of(labels)), None)] if labels else []
        each += map(self._named, names)
        return either(each) if each else Matcher(ANY, None)

    def _named(self, name: str) -> Matcher:
        if name not in self._tests:
            if name not in self._open:
                raise unknown("test", name, sorted({*self._tests, *self._open}))
            texts = self._open.pop(name)  # a test cannot use itself
            each = [texts] if isinstance(texts, str) else texts
            self._tests[name] = either([self.matcher(text) for text in each])
        return self._tests[name]

    def worded(self, text: str) -> tuple[frozenset[str] | None, Test]:
        """Return words, if they are a mere list, and the test of a tag's word."""
        negated, exact, words = _WORDS.match(text).groups()  # type: ignore[union-attr]
        plain: list[str] = []
        shapes: list[re.Pattern[str]] = []
        for word in words.split("|"):
            name = word.removeprefix("@")
            if name == word:
                (shapes.append(glob(word)) if "*" in word else plain.append(word))
            elif name in self._spelled:
                shapes.append(self._spelled[name])
            elif name in self._lists:
                plain += self._lists[name]
            else:
                raise unknown("word list", name, [*self._lists, *self._spelled])
        same, wanted = frozenset(plain), not negated
        if not (shapes or exact or negated):
            return same, lambda node, start: node.text in same

        def test(node: Linked, start: Linked) -> bool:
            word = node.form if exact else node.text
            if word is None:  # a phrase
                return False
            found = word in same or any(shape.fullmatch(word) for shape in shapes)
            return found == wanted

        return None, test


_WORDS: Final = re.compile(r"^(!?)(=?)(.*)$", re.DOTALL)
_TOKEN = re.compile(r'\s*((?:"[^"]*"|[^\s\[\](),">])+|[\[\](),>])')
_PART = re.compile(r'"([^"]*)"|([^":|]+)|([:|])')


class _Reader:
    """Reads a pattern from left to right, and compiles what it reads."""

    def __init__(self, text: str, patterns: Patterns) -> None:
        self.text, self.patterns = text, patterns
        self.tokens = _TOKEN.findall(text)
        self.at = 0

    def peek(self) -> str:
        return self.tokens[self.at] if self.at < len(self.tokens) else ""

    def take(self, token: str) -> bool:
        if self.peek() != token:
            return False
        self.at += 1
        return True

    def need(self, token: str) -> None:
        if not self.take(token):
            raise self.fault(f"{token!r} expected")

    def end(self) -> None:
        if self.peek():
            raise self.fault("unexpected text")

    def fault(self, what: str) -> GrammarError:
        rest = "".join(self.tokens[self.at :])[:30] or "the end"
        return GrammarError(f"pattern {self.text!r}: {what} at {rest!r}")

    def node(self) -> Matcher:
        token = self.peek()
        if token in _AXES or token in _NO_NODE:
            raise self.fault("a node expected")
        labels, names, words = _split("" if token == "[" else token)
        self.at += token != "["
        matcher = self.patterns.labelled(labels, names)
        rests = [matcher.rest] if matcher.rest else []
        plain = None
        if words is not None:
            plain, test = self.patterns.worded(words)
            rests.append(test)
        if self.take("["):
            rests += self.conditions()
            self.need("]")
        return Matcher(matcher.labels, both(rests) if rests else None, plain)

    def conditions(self) -> list[Test]:
        conditions = [self.either()]
        while self.take(","):
            conditions.append(self.either())
        return conditions

    def either(self) -> Test:
        groups = [self.group()]
        while self.take("or"):
            groups.append(self.group())
        return any_of(groups)

    def group(self) -> Test:
        if self.take("("):
            conditions = self.conditions()
            self.need(")")
            return both(conditions)
        return self.condition()

    def condition(self) -> Test:
        if self.take("not"):
            return negation(self.node().test())
        wanted = not self.take("no")
        on_axis = self.axis()
        if on_axis is None:
            if not wanted:
                raise self.fault("an axis such as child or left expected after no")
            return self.node().test()
        axis, over = on_axis
        matcher = self.node()
        if axis == "between":
            test = between(matcher.test())
        elif axis in SINGLE:
            test = one(SINGLE[axis], matcher)
        else:
            test = some(way_of(axis, over), matcher)
        return test if wanted else negation(test)

    def axis(self) -> tuple[str, Labels] | None:
        axis = self.peek()
        if axis not in _AXES:
            return None
        self.at += 1
        over = ANY
        if axis == "through":
            self.need("(")
            over = self.node().labels
            self.need(")")
        return axis, over


def _split(token: str) -> tuple[list[str], list[str], str | None]:
    """Split `VB*|verb:@be` into its labels, the names of its tests, and its words."""
    labels: list[str] = []
    names: list[str] = []
    for match in _PART.finditer(token):
        quoted, plain, mark = match.groups()
        if mark == ":":
            return labels, names, token[match.end() :].replace('"', "")
        if quoted is not None:  # taken literally
            labels.append(quoted)
        elif plain is not None and plain != "_":
            (names if plain[0].islower() else labels).append(plain)
    return labels, names, None


def either(matchers: Sequence[Matcher]) -> Matcher:
    """Match what one of several matchers matches."""
    if len(matchers) == 1:
        return matchers[0]
    accepts = [each.labels for each in matchers]
    labels = Labels(lambda label: any(each[label] for each in accepts))
    if all(each.rest is None for each in matchers):
        return Matcher(labels, None)
    return Matcher(labels, any_of([each.test() for each in matchers]))


def both(tests: Sequence[Test]) -> Test:
    """Return a test that all tests hold."""
    if len(tests) == 1:
        return tests[0]
    if len(tests) == 2:
        first, second = tests
        return lambda node, start: first(node, start) and second(node, start)

    def every(node: Linked, start: Linked) -> bool:
        for test in tests:  # noqa: SIM110 (a generator takes twice as long)
            if not test(node, start):
                return False
        return True

    return every


def any_of(tests: Sequence[Test]) -> Test:
    """Return a test that one of the tests holds."""
    if len(tests) == 1:
        return tests[0]
    if len(tests) == 2:
        first, second = tests
        return lambda node, start: first(node, start) or second(node, start)
    return lambda node, start: any(test(node, start) for test in tests)


def negation(test: Test) -> Test:
    """Return the contrary of a test."""
    return lambda node, start: not test(node, start)


def some(axis: Way, matcher: Matcher) -> Test:
    """Return a test that a node on an axis matches."""
    labels, rest = matcher.labels, matcher.rest

    def found(node: Linked, start: Linked) -> bool:
        for other in axis(node):
            if labels[other.label] and (rest is None or rest(other, node)):
                return True
        return False

    return found


def one(step: OneStep, matcher: Matcher) -> Test:
    """Return a test of the one node that a step leads to."""
    labels, rest = matcher.labels, matcher.rest

    def found(node: Linked, start: Linked) -> bool:
        other = step(node)
        return (
            other is not None
            and labels[other.label]
            and (rest is None or rest(other, node))
        )

    return found


def between(test: Test) -> Test:
    """Return a test of the siblings between a node and where the step began."""

    def found(node: Linked, start: Linked) -> bool:
        if node.parent is None:
            return False
        first, last = sorted((node.index, start.index))
        others = node.parent.children[first + 1 : last]
        return any(test(other, node) for other in others)

    return found


def _like_second_previous(node: Linked, start: Linked) -> bool:
    other = sibling_at(-2)(node)
    return other is not None and other.label == node.label


_BUILT_IN: Final[Mapping[str, Matcher]] = {
    "head-child": Matcher(
        ANY,
        lambda node, start: node.parent is not None and node.parent.test_head is node,
    ),
    "phrase": Matcher(ANY, lambda node, start: bool(node.children)),
    "labelled-like-parent": Matcher(
        ANY,
        lambda node, start: node.parent is not None and node.parent.label == node.label,
    ),
    "labelled-like-second-previous": Matcher(ANY, _like_second_previous),
}
"""Tests that no pattern can say."""
