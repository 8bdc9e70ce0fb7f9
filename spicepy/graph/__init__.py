"""Scene graphs: proposals merged into objects, attributes and relations."""

from spicepy.graph.concepts import Concept, ConceptLexicon, Origin
from spicepy.graph.scene import SceneGraph

__all__ = ["Concept", "ConceptLexicon", "Origin", "SceneGraph"]
