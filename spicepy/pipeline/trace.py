"""The values between a caption and its scene graph."""

from dataclasses import dataclass, field
from typing import Any

from spicepy.common.plain_values import plain
from spicepy.extraction.dependencies.graphs import DependencyGraph
from spicepy.extraction.tuples import Proposals
from spicepy.graph.concepts import ConceptLexicon
from spicepy.graph.instances import same_things
from spicepy.graph.scene import SceneGraph
from spicepy.parsing.trees import Parse


@dataclass(frozen=True, slots=True)
class Trace:
    """The values between the stages, from caption to scene graph.

    `parses` and `dependencies` have an entry for each sentence. `notes` are tuples that
    the caption only implies (see `extraction.engine.annotate`), `unreal` those that it
    denies or supposes.
    """

    caption: str
    parses: tuple[Parse, ...]
    dependencies: tuple[DependencyGraph, ...]
    proposals: Proposals
    lexicon: ConceptLexicon = field(compare=False, repr=False)
    notes: Proposals = ()
    unreal: Proposals = ()

    @property
    def graph(self) -> SceneGraph:
        """The scene graph; made at each access, since the diagnosis needs none."""
        return SceneGraph.from_proposals(
            [[*self.proposals, *self.unreal]], self.lexicon
        )

    @property
    def instances(self) -> SceneGraph:
        """The scene graph in which each thing is a node: two women are two."""
        everything = (*self.proposals, *self.unreal)
        things = same_things(everything, self.dependencies)
        return SceneGraph.from_instances(everything, things, self.lexicon)

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values, ready for JSON."""
        sentences = [
            {"parse": plain(tree), "edges": [list(edge) for edge in graph.edges]}
            for tree, graph in zip(self.parses, self.dependencies, strict=True)
        ]
        [first, *others] = sentences
        stages = {"sentences": sentences} if others else first
        # Most tuples stand as a rule made them, have no other wording and are stated.
        proposals = [
            {
                k: v
                for k, v in entry.items()
                if v or k not in ("written", "same", "heads", "mood")
            }
            for entry in plain((*self.proposals, *self.unreal))
        ]
        return {"caption": self.caption, **stages, "proposals": proposals}
