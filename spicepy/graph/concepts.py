"""Concepts: words merged by synonymy, the members of a scene graph's tuples.

Source: Anderson et al. 2016, SPICE, section 3.3 (WordNet synsets).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final, Protocol

from spicepy.common.java_hash import buckets, spread, string_hash
from spicepy.rules.tuples import SemanticTuple
from spicepy.words.wordnet import Synonyms

WORDS: Final = 50_000  # The number of words whose concept is kept; some 35 MB


@dataclass(frozen=True, slots=True)
class Concept:
    """One or several merged words and the synsets of all of them.

    `keys` holds synset ids and words together: two concepts are *similar*
    (they match) if they share any key, and *equal* (`==`) if all keys agree.
    """

    words: tuple[str, ...] = field(compare=False)
    keys: frozenset[int | str]

    def __str__(self) -> str:
        return "/".join(printed_words(self.words))

    @property
    def synsets(self) -> frozenset[int]:
        """The synset ids (bare WordNet 3.0 offsets)."""
        return frozenset(key for key in self.keys if isinstance(key, int))

    @property
    def same(self) -> list[str]:
        """Wordings that are not words of it but mean the same, sorted."""
        words = {key for key in self.keys if isinstance(key, str)}
        return sorted(words.difference(self.words))

    def similarity(self, other: "Concept") -> float:
        """Return 1 with a common word, else the share of common ids; 0-1.

        The original divides in single precision; with at most some hundred
        ids no two different quotients fall together there.
        """
        common = self.keys & other.keys
        if not common:
            return 0.0
        if any(isinstance(key, str) for key in common):
            return 1.0
        words = len(self.words) + len(other.words)
        return len(common) / (len(self.keys | other.keys) - words)

    def widened(self, same: Sequence[str]) -> "Concept":
        """Return the concept that also equals these words and is printed as before."""
        return Concept(self.words, self.keys.union(same)) if same else self

    def merged(self, other: "Concept") -> "Concept":
        """Return the union of both."""
        words = dict.fromkeys(self.words + other.words)
        return Concept(tuple(words), self.keys | other.keys)


class ConceptLexicon(dict[str, Concept]):
    """The concept of each word under one source of synonyms, made once.

    Beyond `WORDS` words it is emptied, since names of several words have no end.

    Args:
        synonyms: The source of synonyms.
        distinct: Whether different words of one caption name different objects, also if
            they are synonyms. Words of different captions always merge.
    """

    def __init__(self, synonyms: Synonyms, *, distinct: bool = False) -> None:
        super().__init__()
        self.synonyms = synonyms
        self.distinct = distinct

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the lexicon empty; concepts are made again when they are needed."""
        made = partial(ConceptLexicon, distinct=self.distinct)
        return made, (self.synonyms,)

    def __missing__(self, word: str) -> Concept:
        if len(self) >= WORDS:
            self.clear()
        keys: frozenset[int | str] = self.synonyms.synset_ids(word)
        return self.setdefault(word, Concept((word,), keys | {word}))


def printed_words(words: Sequence[str]) -> list[str]:
    """Order merged words as the original's hash map does: motorcycle/bicycle/bike."""
    if len(words) == 1:
        return list(words)
    last = buckets(len(words)) - 1
    return sorted(words, key=lambda word: spread(string_hash(word)) & last)


# Origins: the caption, rule and words from which each part of a scene graph comes.

GraphPlace = tuple[int, ...]
"""(node,), (node, number of attribute) or (source, target, number of relation)."""


@dataclass(frozen=True, slots=True)
class Origin:
    """The origin of a concept in a graph: caption (from 0), rule, token positions.

    `tokens` are positions from 1 in that caption; empty if unknown. `written` is the
    tuple in the caption's words, where a normalisation rule has changed it.
    """

    caption: int
    rule: str
    tokens: tuple[int, ...]
    written: tuple[str, ...] = ()


def origins_of(
    captions: Sequence[Sequence[SemanticTuple]], places: Sequence[Sequence[GraphPlace]]
) -> dict[GraphPlace, list[Origin]]:
    """Return where each concept came from (`SceneGraph.origins`)."""
    # `places` has the place of each proposal in the graph, caption by caption.
    origins: dict[GraphPlace, dict[Origin, None]] = {}
    for caption, proposals in enumerate(captions):
        for tuple_, place in zip(proposals, places[caption]):
            for key, members in _parts(place):
                tokens = tuple_.tokens
                if len(tokens) == len(tuple_.members):
                    tokens = tuple(tokens[k] for k in members if tokens[k])
                origin = Origin(caption, tuple_.rule, tokens, tuple_.written)
                origins.setdefault(key, {})[origin] = None
    return {place: list(rest) for place, rest in origins.items()}


def _parts(place: GraphPlace) -> list[tuple[GraphPlace, tuple[int, ...]]]:
    """Return the parts of a place: keys of `origins` and the members they stand for."""
    if len(place) == 1:
        return [(place, (0,))]
    if len(place) == 2:
        return [(place[:1], (0,)), (place, (1,))]
    return [(place[:1], (0,)), (place[1:2], (2,)), (place, (1,))]


class GraphParts(Protocol):
    """The parts of a scene graph that its views need; see `SceneGraph`."""

    objects: list[Concept]
    attributes: list[list[Concept]]
    relations: dict[tuple[int, int], list[Concept]]
    heads: dict[int, frozenset[int | str]]

    @property
    def denied(self) -> Sequence[SemanticTuple]:
        """The tuples that a caption says are not so."""
        ...

    @property
    def supposed(self) -> Sequence[SemanticTuple]:
        """The tuples that a caption only supposes."""
        ...

    def origins(self) -> Mapping[GraphPlace, Sequence[Origin]]:
        """Return where each concept came from."""
        ...
