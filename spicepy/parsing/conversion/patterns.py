"""Patterns of nodes, compiled from text to functions that test a node.

`Patterns` holds the named tests and word lists of a grammar. A pattern becomes a
`Matcher`: the labels it is for, looked up once a label, and a function for the rest.
The second argument of such a function is the node where the step to this node began;
`between` needs it.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from spicepy.common.errors import unknown
from spicepy.parsing.conversion.syntax import (
    ANY,
    Condition,
    Description,
    Itself,
    Label,
    Labels,
    Step,
    Test,
    Words,
    glob,
    one_of,
    read_description,
    read_path,
)
from spicepy.parsing.conversion.trees import Linked

# Ways from a node of a tree to others: its children, its siblings, its parent.

Nodes = Sequence[Linked]
OneStep = Callable[[Linked], Linked | None]


def through(labels: Labels) -> Callable[[Linked], Nodes]:
    """Return the axis of children, and children of children with such labels."""

    def reached(node: Linked) -> Nodes:
        nodes = list(node.children)
        for child in node.children:
            if labels[child.label]:
                nodes += reached(child)
        return nodes

    return reached


def children(node: Linked) -> Nodes:
    """Return the children of a node."""
    return node.children


def left(node: Linked) -> Nodes:
    """Return the siblings before a node."""
    return node.parent.children[: node.index] if node.parent else ()


def right(node: Linked) -> Nodes:
    """Return the siblings after a node."""
    return node.parent.children[node.index + 1 :] if node.parent else ()


def along(step: OneStep) -> Callable[[Linked], Nodes]:
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


def sibling_at(offset: int) -> OneStep:
    """Return the step to the sibling so many places further."""

    def step(node: Linked) -> Linked | None:
        siblings = node.parent.children if node.parent else ()
        index = node.index + offset
        return siblings[index] if 0 <= index < len(siblings) else None

    return step


def last(node: Linked) -> Linked | None:
    """Return the last child of a node."""
    return node.children[-1] if node.children else None


def only(node: Linked) -> Linked | None:
    """Return the only child of a node."""
    return node.children[0] if len(node.children) == 1 else None


def test_head(node: Linked) -> Linked | None:
    """Return the test head of a node."""
    return node.test_head


SINGLE: Final[Mapping[str, OneStep]] = {
    "first": child_at(0),
    "second": child_at(1),
    "third": child_at(2),
    "last": last,
    "only": only,
    "next": sibling_at(1),
    "prev": sibling_at(-1),
    "parent": lambda node: node.parent,
    "head": test_head,
}
"""Axes with at most one node; `head` is the test head."""

SEVERAL: Final[Mapping[str, Callable[[Linked], Nodes]]] = {
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

WORDS: Final = re.compile(r"^(!?)(=?)(.*)$", re.DOTALL)


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
    ways: tuple[tuple[Callable[[Linked], Nodes], Matcher], ...]

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
        return self._description(read_description(text))

    def path(self, text: str) -> TreePath:
        """Compile a rule."""
        (_, _, phrase), *steps = read_path(text)
        ways = tuple(
            (self._axis(axis, over), self._description(node))
            for axis, over, node in steps
        )
        return TreePath(self._description(phrase), ways)

    def words(self, name: str) -> tuple[str, ...]:
        """Return a word list."""
        return self._lists[name]

    def _named(self, name: str) -> Matcher:
        if name not in self._tests:
            if name not in self._open:
                raise unknown("test", name, sorted({*self._tests, *self._open}))
            texts = self._open.pop(name)  # a test cannot use itself
            each = [texts] if isinstance(texts, str) else texts
            self._tests[name] = either([self.matcher(text) for text in each])
        return self._tests[name]

    def _description(self, node: Description) -> Matcher:
        matcher = self._labelled(node.labels)
        rests = [matcher.rest] if matcher.rest else []
        words = None
        if node.words is not None:
            wanted = self._word(node.words)
            words = wanted.plain()
            rests.append(wanted.test())
        rests += [self._condition(each) for each in node.conditions]
        return Matcher(matcher.labels, both(rests) if rests else None, words)

    def _labelled(self, labels: tuple[Label, ...]) -> Matcher:
        if not labels:
            return Matcher(ANY, None)
        plain = [each for each in labels if each.quoted or not each.text[0].islower()]
        named = [self._named(each.text) for each in labels if each not in plain]
        if not plain:
            return either(named)
        return either([Matcher(Labels(one_of(plain)), None), *named])

    def _word(self, text: str) -> Words:
        negated, exact, words = WORDS.match(text).groups()  # type: ignore[union-attr]
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
        return Words(frozenset(plain), tuple(shapes), bool(exact), bool(negated))

    def _condition(self, condition: Condition) -> Test:
        if isinstance(condition, Itself):
            test = self._description(condition.node).test()
            return test if condition.wanted else negation(test)
        if isinstance(condition, Step):
            return self._step(condition)
        groups = [
            both([self._condition(each) for each in group])
            for group in condition.groups
        ]
        return any_of(groups)

    def _step(self, step: Step) -> Test:
        matcher = self._description(step.node)
        if step.axis == "between":
            test = between(matcher.test())
        elif step.axis in SINGLE:
            test = one(SINGLE[step.axis], matcher)
        else:
            test = some(self._axis(step.axis, step.over), matcher)
        return test if step.wanted else negation(test)

    def _axis(self, axis: str, over: tuple[Label, ...]) -> Callable[[Linked], Nodes]:
        if axis == "through":
            return through(self._labelled(over).labels)
        if axis in SINGLE:
            step = SINGLE[axis]
            return lambda node: () if (other := step(node)) is None else (other,)
        return SEVERAL[axis]


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
    if len(tests) == 2:
        first, second = tests
        return lambda node, start: first(node, start) or second(node, start)
    return lambda node, start: any(test(node, start) for test in tests)


def negation(test: Test) -> Test:
    """Return the contrary of a test."""
    return lambda node, start: not test(node, start)


def some(axis: Callable[[Linked], Nodes], matcher: Matcher) -> Test:
    """Return a test that a node on an axis matches."""
    labels, rest = matcher.labels, matcher.rest
    if rest is None:

        def found(node: Linked, start: Linked) -> bool:
            for other in axis(node):  # noqa: SIM110
                if labels[other.label]:
                    return True
            return False

        return found
    holds = rest

    def matched(node: Linked, start: Linked) -> bool:
        for other in axis(node):  # noqa: SIM110
            if labels[other.label] and holds(other, node):
                return True
        return False

    return matched


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
