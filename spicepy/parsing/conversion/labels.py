"""Labels and words as patterns write them: `NP`, `NP~`, `VB*`, `@be`."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from typing import Final

from spicepy.parsing.conversion.linked import Linked
from spicepy.parsing.conversion.syntax import Label

Test = Callable[[Linked, Linked], bool]
"""A test of a node, and of the node where the step to it began."""


class Labels(dict[str, bool]):
    """Whether a label is meant, worked out at its first use."""

    def __init__(self, test: Callable[[str], bool]) -> None:
        self._test = test

    def __missing__(self, label: str) -> bool:
        holds = self[label] = self._test(label)
        return holds


ANY: Final = Labels(lambda label: True)
"""All labels."""


@cache
def base(label: str) -> str:
    """Return a label without function tags: `NP-TMP` is a `NP`.

    >>> base("NP-TMP"), base("-LRB-")
    ('NP', '-LRB-')
    """
    first = label[:1]
    for place, mark in enumerate(label[1:], 1):
        if mark in _MARKS and (first not in _MARKS or mark != first):
            return label[:place]
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
    """Words that a tag must have or, `negated`, must not have.

    They are `same` or of one of the `shapes`; `exact` ones are compared as written.
    """

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
