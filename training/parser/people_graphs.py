"""Scene graphs that people wrote (FACTUAL, DiscoSG), as values.

In: the JSON lines of `SHARED/scene-graphs`. Out: captions with a `SceneGraph` each
whose nouns and verbs are lemmas, as those of a parsed caption are.
"""

import gzip
import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from spicepy.graph.concepts import ConceptLexicon
from spicepy.graph.matching import Counts, match
from spicepy.graph.scene import SceneGraph
from spicepy.rules.tuples import SemanticTuple
from spicepy.words.morphology import lemmatize

PLURALS = ("s", "men", "children", "feet", "teeth", "mice", "geese", "oxen")
"""Endings of nouns that may be plurals."""

VERBS = {"ing": "VBG", "ed": "VBN"}
"""Endings of attributes that are lemmas in a parsed caption -> tag."""


@dataclass(frozen=True, slots=True)
class Drawn:
    """A caption (raw text) and the tuples of the graph that people drew of it."""

    caption: str
    tuples: tuple[tuple[str, ...], ...]

    @property
    def attributes(self) -> tuple[tuple[str, ...], ...]:
        """The tuples (object, attribute)."""
        return tuple(x for x in self.tuples if len(x) == 2)

    @property
    def relations(self) -> tuple[tuple[str, ...], ...]:
        """The tuples (subject, predicate, object)."""
        return tuple(x for x in self.tuples if len(x) == 3)


def read_graphs(path: Path) -> list[Drawn]:
    """Read captions and graphs; those with an empty graph are left out."""
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    found = []
    for row in rows:
        attributes = [(noun(x), value(y)) for x, y in row["attributes"]]
        relations = [(noun(x), how, noun(y)) for x, how, y in row["relations"]]
        ends = [x[0] for x in attributes] + [y for x in relations for y in x[::2]]
        objects = [(x,) for x in dict.fromkeys(ends)]
        if objects:
            tuples = dict.fromkeys([*objects, *attributes, *relations])
            found.append(Drawn(row["caption"], tuple(tuples)))
    return found


def noun(words: str) -> str:
    """Return the lemma of the last word takes its place: "tennis rackets"."""
    *before, last = words.lower().split()
    if last.endswith(PLURALS):
        last = lemmatize(last, "NNS")
    return " ".join([*before, last])


def value(words: str) -> str:
    """Return an attribute that is a participle becomes a lemma: "standing"."""
    *before, last = words.lower().split()
    tag = next((tag for end, tag in VERBS.items() if last.endswith(end)), "JJ")
    known = lemmatize(last, tag)
    return " ".join([*before, known if len(known) > 2 else last])


def compare(
    proposals: Sequence[SemanticTuple], drawn: Drawn, lexicon: ConceptLexicon
) -> dict[str, Counts]:
    """Count matches of a caption's proposals and its drawn graph, as SPICE does.

    Returns:
        Counts of "All", "objects", "attributes", "relations"; one that people drew
        no tuples for is not defined.
    """
    read = [_as_drawn(tuple_) for tuple_ in proposals]
    ours = SceneGraph.from_proposals([read], lexicon)
    matching = match(ours, SceneGraph.from_tuples(drawn.tuples, lexicon))
    counts = {"All": matching.counts()}
    for length, name in enumerate(("objects", "attributes", "relations"), 1):
        own, theirs = (
            [place for place, x in enumerate(side) if len(x) == length]
            for side in (matching.candidate, matching.reference)
        )
        tp = sum(bool(matching.partners[place]) for place in own)
        counts[name] = Counts(tp, len(own) - tp, len(theirs) - tp, bool(theirs))
    return counts


def _as_drawn(tuple_: SemanticTuple) -> SemanticTuple:
    """Return an attribute as drawn ones are read: "striped" is one word for both."""
    if len(tuple_.members) != 2:
        return tuple_
    name, what = tuple_.members
    return replace(tuple_, members=(name, value(what)))


def is_whole(counts: Counts) -> bool:
    """Return whether two graphs say the same."""
    return not counts.fp and not counts.fn
