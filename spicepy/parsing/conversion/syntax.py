"""The syntax of patterns (`grammars/english-pcfg/README.md`), read into parts."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from typing import Final

from spicepy.common.errors import GrammarError
from spicepy.parsing.conversion.trees import Linked

AXES = frozenset(
    (
        *("child", "first", "second", "third", "last", "only", "within"),
        *("next", "prev", "left", "right", "sibling", "between", "parent"),
        *("head", "heads", "opening", "ending", "through"),
    )
)
"""Ways from a node to others."""


@dataclass(frozen=True, slots=True)
class Label:
    """A label or the name of a test; `quoted` ones are taken literally."""

    text: str
    quoted: bool = False


@dataclass(frozen=True, slots=True)
class Description:
    """A node: any of these labels, its word, and conditions that all hold."""

    labels: tuple[Label, ...]
    words: str | None
    conditions: "tuple[Condition, ...]"


@dataclass(frozen=True, slots=True)
class Step:
    """There is (or is not) such a node on an axis."""

    wanted: bool
    axis: str
    over: tuple[Label, ...]
    node: Description


@dataclass(frozen=True, slots=True)
class Itself:
    """The node itself is (or is not) such a node."""

    wanted: bool
    node: Description


@dataclass(frozen=True, slots=True)
class Either:
    """One of several groups of conditions holds."""

    groups: "tuple[tuple[Condition, ...], ...]"


Condition = Step | Itself | Either

Path = tuple[tuple[str, tuple[Label, ...], Description], ...]
"""Steps of a rule: axis, what `through` goes over, node."""


def read_description(text: str) -> Description:
    """Read a node with its conditions."""
    reader = _Reader(text)
    description = reader.description()
    reader.end()
    return description


def read_path(text: str) -> Path:
    """Read a rule: nodes with `>` between them; a step is to a child by default."""
    reader = _Reader(text)
    steps: Path = (("", (), reader.description()),)
    while reader.take(">"):
        axis, over = reader.axis() or ("child", ())
        steps = (*steps, (axis, over, reader.description()))
    reader.end()
    return steps


class _Reader:
    """Reads a pattern from left to right."""

    def __init__(self, text: str) -> None:
        self.text = text
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

    def axis(self) -> tuple[str, tuple[Label, ...]] | None:
        axis = self.peek()
        if axis not in AXES:
            return None
        self.at += 1
        over: tuple[Label, ...] = ()
        if axis == "through":
            self.need("(")
            over = self.description().labels
            self.need(")")
        return axis, over

    def description(self) -> Description:
        token = self.peek()
        labels: tuple[Label, ...] = ()
        words = None
        if token not in ("", "[", "]", "(", ")", ",", ">"):
            self.at += 1
            labels, words = _split(token)
        elif token != "[":
            raise self.fault("a node expected")
        conditions: tuple[Condition, ...] = ()
        if self.take("["):
            conditions = self.conditions()
            self.need("]")
        return Description(labels, words, conditions)

    def conditions(self) -> tuple[Condition, ...]:
        conditions = [self.either()]
        while self.take(","):
            conditions.append(self.either())
        return tuple(conditions)

    def either(self) -> Condition:
        groups = [self.group()]
        while self.take("or"):
            groups.append(self.group())
        if len(groups) == 1 and len(groups[0]) == 1:
            return groups[0][0]
        return Either(tuple(groups))

    def group(self) -> tuple[Condition, ...]:
        if self.take("("):
            conditions = self.conditions()
            self.need(")")
            return conditions
        return (self.condition(),)

    def condition(self) -> Condition:
        if self.take("not"):
            return Itself(False, self.description())
        wanted = not self.take("no")
        axis = self.axis()
        if axis is not None:
            return Step(wanted, *axis, self.description())
        if not wanted:
            raise self.fault("an axis such as child or left expected after no")
        return Itself(True, self.description())


_TOKEN = re.compile(r'\s*((?:"[^"]*"|[^\s\[\](),">])+|[\[\](),>])')
_PART = re.compile(r'"([^"]*)"|([^":|]+)|([:|])')


def _split(token: str) -> tuple[tuple[Label, ...], str | None]:
    """Split `VB*|AUX:@be` into its labels and its words."""
    labels: list[Label] = []
    for match in _PART.finditer(token):
        quoted, plain, mark = match.groups()
        if mark == ":":
            return tuple(labels), token[match.end() :].replace('"', "")
        if plain is not None and plain != "_":
            labels.append(Label(plain))
        elif quoted is not None:
            labels.append(Label(quoted, quoted=True))
    return tuple(labels), None


# Labels and words as patterns write them: `NP`, `NP~`, `VB*`, `@be`.

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


_MARKS = "-=|#^~_["


def one_of(labels: Iterable[Label]) -> Callable[[str], bool]:
    """Return a test for labels: `NP`, `NP~` (and NP-TMP), `NP*`, `*PP*`."""
    exact: set[str] = set()
    bases: set[str] = set()
    shapes: list[re.Pattern[str]] = []
    for label in labels:
        if label.text == "*" or not set("*~") & set(label.text):
            exact.add(label.text)
        elif label.text.endswith("~"):
            bases.add(label.text[:-1])
        else:
            shapes.append(glob(label.text))
    return lambda text: (
        text in exact
        or base(text) in bases
        or any(shape.fullmatch(text) for shape in shapes)
    )


def glob(text: str) -> re.Pattern[str]:
    """Return a regular expression in which `*` stands for any text."""
    return re.compile(".*".join(map(re.escape, text.split("*"))), re.DOTALL)


@dataclass(frozen=True, slots=True)
class Words:
    """Words that a tag must have or, `negated`, must not have."""

    # They are `same` or of one of the `shapes`; `exact` ones are compared as written.
    same: frozenset[str]
    shapes: tuple[re.Pattern[str], ...]
    exact: bool
    negated: bool

    def plain(self) -> frozenset[str] | None:
        """Return the words in lower case if they are a mere list."""
        return None if self.shapes or self.exact or self.negated else self.same

    def test(self) -> Test:
        """Return a test of a node; a phrase has no word and fails."""
        same, shapes, negated, exact = self.same, self.shapes, self.negated, self.exact
        if self.plain() is not None:
            return lambda node, start: node.text in same

        def test(node: Linked, start: Linked) -> bool:
            word = node.form if exact else node.text
            if word is None:
                return False
            found = word in same or any(shape.fullmatch(word) for shape in shapes)
            return found != negated

        return test
