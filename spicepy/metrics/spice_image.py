"""The SPICE score of one image: its candidate's scene graph against its references'.

In: proposed tuples of a candidate and of its references. Out: a `SpiceScore`:
counts by category, and the matched, missing and spurious tuples when asked.

Source: Anderson et al. 2016, SPICE, section 3.3.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import cached_property
from typing import Any

from spicepy.graph.concepts import ConceptLexicon
from spicepy.graph.matching import Counts, Matching, match
from spicepy.graph.scene import ConceptTuple, SceneGraph
from spicepy.rules.categories import BASIC, Category
from spicepy.rules.tuples import Proposals, SemanticTuple


@dataclass(frozen=True)
class SpiceScore:
    """SPICE of one image.

    The graphs and the matching are made on demand, so that thousands of scores stay
    small, in memory and pickled.

    Attributes:
        counts: Counts by category, "All" first; the whole caption's are `f`,
            `precision` and `recall`, in 0-1 but for reused reference tuples.
        candidate_tuples: As the rules proposed them, before synonyms are merged.
        reference_tuples: The same of each reference.
        lexicon: The concepts of their words; pickled as the name of its synonyms.
    """

    counts: Mapping[str, Counts]
    candidate_tuples: Proposals = field(repr=False, compare=False)
    reference_tuples: tuple[Proposals, ...] = field(repr=False, compare=False)
    lexicon: ConceptLexicon = field(repr=False, compare=False)

    def __repr__(self) -> str:
        return (
            f"SpiceScore({self.f:.4f}: precision {self.precision:.4f}, "
            f"recall {self.recall:.4f})"
        )

    def __getstate__(self) -> dict[str, Any]:
        """Return the state to pickle: the fields, not the graphs made from them."""
        return {f.name: getattr(self, f.name) for f in fields(self)}

    @property
    def f(self) -> float:
        """The SPICE score, F over all tuples."""
        return self.counts["All"].f or 0.0

    @property
    def precision(self) -> float:
        """Matched candidate tuples by candidate tuples."""
        return self.counts["All"].precision or 0.0

    @property
    def recall(self) -> float:
        """Matched candidate tuples by reference tuples."""
        return self.counts["All"].recall or 0.0

    @cached_property
    def candidate(self) -> SceneGraph:
        """The candidate's scene graph."""
        return SceneGraph.from_proposals([self.candidate_tuples], self.lexicon)

    @cached_property
    def reference(self) -> SceneGraph:
        """The one scene graph of all references."""
        return SceneGraph.from_proposals(self.reference_tuples, self.lexicon)

    @cached_property
    def matching(self) -> Matching:
        """The matching of the tuples of the two graphs."""
        return match(self.candidate, self.reference)

    @property
    def matched(self) -> tuple[SemanticTuple, ...]:
        """Candidate tuples with a partner, as printed, sorted."""
        return _chosen(self.matching.candidate, self.matching.flags()[0], True)

    @property
    def spurious(self) -> tuple[SemanticTuple, ...]:
        """Candidate tuples without a partner, as printed, sorted."""
        return _chosen(self.matching.candidate, self.matching.flags()[0], False)

    @property
    def missing(self) -> tuple[SemanticTuple, ...]:
        """Reference tuples that no candidate tuple was paired with."""
        return _chosen(self.matching.reference, self.matching.flags()[1], False)

    def to_dict(self, *, tuples: bool = False) -> dict[str, Any]:
        """Return scores by category as JSON-ready values, None where undefined.

        Args:
            tuples: Add "candidate_tuples" and "reference_tuples", each a list
                of {"tuple": [...], "matched": true or false}.
        """
        entry: dict[str, Any] = {
            name: counts.to_dict() for name, counts in self.counts.items()
        }
        if tuples:
            matching = self.matching
            flags = matching.flags()
            entry["candidate_tuples"] = _flagged(matching.candidate, flags[0])
            entry["reference_tuples"] = _flagged(matching.reference, flags[1])
        return entry


def score_proposals(
    candidate: Proposals,
    references: Iterable[Proposals],
    lexicon: ConceptLexicon,
    categories: Sequence[Category] = BASIC,
) -> SpiceScore:
    """Score a candidate's proposed tuples against its references'.

    Args:
        candidate: The candidate's tuples, in the order of the rules.
        references: The tuples of each reference, in the references' order.
        lexicon: Concepts by word; share one between calls.
        categories: Categories to count beside all tuples.
    """
    references = tuple(references)
    matching = match(
        SceneGraph.from_proposals([candidate], lexicon),
        SceneGraph.from_proposals(references, lexicon),
    )
    within = zip(categories, matching.counts_of(categories), strict=True)
    counts = {"All": matching.counts(), **{c.name: counted for c, counted in within}}
    return SpiceScore(counts, candidate, references, lexicon)


def _chosen(
    tuples: Sequence[ConceptTuple], flags: Sequence[bool], wanted: bool
) -> tuple[SemanticTuple, ...]:
    tuples_with = [
        tuple(map(str, members))
        for members, flag in zip(tuples, flags)
        if flag is wanted
    ]
    return tuple(map(SemanticTuple, sorted(tuples_with)))


def _flagged(
    tuples: Sequence[ConceptTuple], flags: Sequence[bool]
) -> list[dict[str, Any]]:
    rows = sorted(
        (list(map(str, members)), flag) for members, flag in zip(tuples, flags)
    )
    return [{"tuple": members, "matched": flag} for members, flag in rows]
