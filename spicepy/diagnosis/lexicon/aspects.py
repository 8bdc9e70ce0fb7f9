"""Aspects of objects: number, colour, size, material, gender and age.

In: the tables `colors`, `sizes`, `materials` and `near_colors` of
`grammars/diagnosis.toml`. Out: `AspectValues`: the values of words, and which values
contradict each other.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal

from spicepy.annotations.amounts import load_amount_words
from spicepy.diagnosis.lexicon.caching import cached_method

Value = int | str
Aspect = Literal["count", "color", "size", "material", "gender", "age"]
ASPECTS: tuple[Aspect, ...] = ("count", "color", "size", "material", "gender", "age")

_TABLES: Final[Mapping[Aspect, str]] = {
    "color": "colors",
    "size": "sizes",
    "material": "materials",
}


@dataclass(frozen=True)
class AspectValues:
    """The values of words.

    Attributes:
        values: Word -> value, for each aspect.
        large: The sizes of the large side; the others are of the small side.
        near: Colour -> colours that people call by its name as well.
    """

    values: Mapping[Aspect, Mapping[str, Value]]
    large: frozenset[Value]
    near: Mapping[Value, frozenset[Value]]

    def of(self, aspect: Aspect, words: Iterable[str]) -> list[Value]:
        """Return the distinct values of words in order; digits are numbers."""
        known = self.values[aspect]
        values: dict[Value, None] = {}
        for word in words:
            if word in known:
                values[known[word]] = None
            elif aspect == "count" and word.isascii() and word.isdecimal():
                values[int(word)] = None
        return list(values)

    @cached_method
    def of_attributes(self, attributes: tuple[str, ...], aspect: Aspect) -> list[Value]:
        """Return the values of attributes and of the single words in them."""
        words = (w for a in attributes for w in (a, *a.replace("-", " ").split()))
        return self.of(aspect, words)

    def contradict(self, aspect: Aspect, said: Value, expected: Value) -> bool:
        """Return whether two values exclude each other; "tall" and "big" do not."""
        if aspect == "size":
            return (said in self.large) != (expected in self.large)
        if aspect == "color":
            return said != expected and expected not in self.near.get(said, ())
        return said != expected


def read_aspects(data: Mapping[str, Any]) -> AspectValues:
    """Return the values of aspects from the tables of a lexicon file."""
    return AspectValues(
        values={
            "count": load_amount_words().numbers.cardinals,
            **{aspect: data[table]["values"] for aspect, table in _TABLES.items()},
        },
        large=frozenset(data["sizes"]["large_side"]),
        near=_neighbours(data["near_colors"]["groups"]),
    )


def _neighbours(groups: Iterable[Iterable[Value]]) -> dict[Value, frozenset[Value]]:
    """Return value -> all values that share a group with it."""
    neighbours: dict[Value, frozenset[Value]] = {}
    for group in groups:
        for value in group:
            neighbours[value] = neighbours.get(value, frozenset()) | frozenset(group)
    return neighbours
