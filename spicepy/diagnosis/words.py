"""The words of the error analysis, and the values that attributes give an object.

In: `grammars/diagnosis.toml`; a scene graph and the captions it was made from.
Out: for each node the numbers, colours or sizes said of it, and by how many
captions each.
"""

import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Literal

from spicepy.common.errors import ResourceError
from spicepy.common.shipped import folder
from spicepy.graph.concepts import Concept
from spicepy.graph.scene import Origin, SceneGraph

Value = int | str
Aspect = Literal["count", "color", "size"]
ASPECTS: tuple[Aspect, ...] = ("count", "color", "size")

_TABLES: Mapping[Aspect, str] = {"count": "numbers", "color": "colors", "size": "sizes"}
_LONGEST = 4  # words between "a couple of" and its noun: "the two large brown"


def by_size(value: Value) -> tuple[int, str]:
    """A key for sorting: numbers by size, then words by the alphabet."""
    return (value, "") if isinstance(value, int) else (1_000_000_000, value)


@dataclass(frozen=True, slots=True)
class Words:
    """What the words of `grammars/diagnosis.toml` mean.

    Attributes:
        values: Word -> value, for each aspect.
        large: The sizes of the large side; the others are of the small side.
        quantities: "couple" -> 2.
        plural_only: A pair of these is one thing.
        ends: Words that end a quantity phrase.
        symmetric: Relations that hold both ways.
        no_things: Nouns that name no thing in the picture.
        no_properties: Attributes that say nothing of their object.
    """

    values: Mapping[Aspect, Mapping[str, Value]]
    large: frozenset[Value]
    quantities: Mapping[str, int]
    plural_only: frozenset[str]
    ends: frozenset[str]
    symmetric: frozenset[str]
    no_things: frozenset[str]
    no_properties: frozenset[str]

    def of(self, aspect: Aspect, concept: Concept) -> list[Value]:
        """The values of a concept's words, digits being numbers."""
        known = self.values[aspect]
        found: dict[Value, None] = {}
        for word in concept.words:
            if word in known:
                found[known[word]] = None
            elif aspect == "count" and word.isascii() and word.isdecimal():
                found[int(word)] = None
        return list(found)

    def contradict(self, aspect: Aspect, said: Value, expected: Value) -> bool:
        """Whether both cannot be true; sizes of one side can ("tall", "big")."""
        if aspect == "size":
            return (said in self.large) != (expected in self.large)
        return said != expected


@cache
def load_words() -> Words:
    """Read the word lists.

    Raises:
        ResourceError: The file is missing or damaged.
    """
    path = folder() / "diagnosis.toml"
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
        return Words(
            values={aspect: data[t]["values"] for aspect, t in _TABLES.items()},
            large=frozenset(data["sizes"]["large_side"]),
            quantities=data["quantities"]["values"],
            plural_only=frozenset(data["quantities"]["plural_only"]),
            ends=frozenset(data["quantities"]["ends"]),
            symmetric=frozenset(data["symmetric"]["words"]),
            no_things=frozenset(data["no_things"]["words"]),
            no_properties=frozenset(data["no_properties"]["words"]),
        )
    except (OSError, ValueError, KeyError) as error:
        raise ResourceError(f"{path}: cannot read word lists: {error!r}") from None


def said_of_nodes(
    graph: SceneGraph, aspect: Aspect, captions: Sequence[str] | None = None
) -> list[dict[Value, int]]:
    """The values said of each node, the most frequent first.

    Args:
        graph: Of the candidate or of all references.
        aspect: Which attributes.
        captions: The tokenised captions, if "a couple of" is to count as 2.

    Returns:
        For each node, value -> number of captions that say it.
    """
    words = load_words()
    found: list[Counter[Value]] = [Counter() for _ in graph.objects]
    origins = None
    for node, attributes in enumerate(graph.attributes):
        for k, attribute in enumerate(attributes):
            for value in words.of(aspect, attribute):
                origins = graph.origins() if origins is None else origins
                captions_of = {o.caption for o in origins.get((node, k), ())}
                found[node][value] += len(captions_of) or 1
    if aspect == "count" and captions is not None:
        for node, value in _quantities(graph, captions, words):
            found[node][value] += 1
    return [dict(counted.most_common()) for counted in found]


def _quantities(
    graph: SceneGraph, captions: Sequence[str], words: Words
) -> Iterator[tuple[int, int]]:
    """(node, number) for every "a couple of dogs"."""
    tokens = [caption.split(" ") for caption in captions]
    if not any(q in caption for caption in tokens for q in words.quantities):
        return
    origins = graph.origins()
    nodes = {node: origins.get((node,), ()) for node in range(len(graph.objects))}
    heads = {(c, p) for found in nodes.values() for c, p in _places(found)}
    for node, found in nodes.items():
        if not words.plural_only.isdisjoint(graph.objects[node].words):
            continue
        for caption, place in sorted(set(_places(found))):
            if caption < len(tokens):
                blocked = words.ends | {
                    tokens[caption][p - 1]
                    for c, p in heads
                    if c == caption and p <= len(tokens[caption])
                }
                before = tokens[caption][: place - 1]
                number = _quantity_before(before, blocked, words.quantities)
                if number is not None:
                    yield node, number


def _quantity_before(
    before: Sequence[str], blocked: Iterable[str], quantities: Mapping[str, int]
) -> int | None:
    """The number of the phrase that ends the words before a noun.

    "couple of", "couple of large brown", "dozen"; "dozen" needs no "of".
    """
    for back, word in enumerate(reversed(before[-_LONGEST - 2 :]), 1):
        follows = before[len(before) - back + 1] if back > 1 else ""
        if word in quantities and (follows == "of" or word == "dozen"):
            return quantities[word]
        if word in blocked and word not in quantities:
            return None
    return None


def _places(origins: Iterable[Origin]) -> Iterator[tuple[int, int]]:
    for origin in origins:
        if origin.tokens:
            yield origin.caption, origin.tokens[0]
