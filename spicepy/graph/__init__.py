"""Scene graphs: proposals merged into objects, attributes and relations."""

from spicepy.graph.concepts import Concept, Lexicon
from spicepy.graph.origins import Origin
from spicepy.graph.scene import SceneGraph

__all__ = [
    "Concept",
    "Lexicon",
    "Origin",
    "SceneGraph",
]
