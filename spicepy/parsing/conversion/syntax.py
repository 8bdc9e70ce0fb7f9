"""The syntax of patterns (`grammars/english-pcfg/README.md`), read into parts.

In: the text of a pattern. Out: its parts.
"""

import re
from dataclasses import dataclass

from spicepy.common.errors import GrammarError

AXES = frozenset(
    (
        *("child", "first", "second", "third", "last", "only", "within"),
        *("next", "prev", "left", "right", "sister", "between", "mother"),
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
    """Read a node with its conditions.

    Raises:
        GrammarError: The text cannot be read.
    """
    reader = _Reader(text)
    description = reader.description()
    reader.end()
    return description


def read_path(text: str) -> Path:
    """Read a rule: nodes with `>` between them; a step is to a child by default.

    Raises:
        GrammarError: The text cannot be read.
    """
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
