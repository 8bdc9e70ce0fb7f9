"""Scene graphs: objects with attributes, and relations between them.

Words that share a WordNet synset become one concept: after (bike) and (bicycle) there
is one node, printed bicycle/bike. All references of an image go into one graph. The
order of captions and tuples matters a little, since nodes grow: bike, bicycle,
motorcycle make one node; bicycle, motorcycle, bike two.

Scoring builds a graph for every caption and image, so the graph itself is three plain
containers; the networkx view is made on demand.

Source: Anderson et al. 2016, SPICE, section 3.1-3.2.
"""

import warnings
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Self

from spicepy.common.errors import SpicepyWarning, shortened
from spicepy.common.resources import required
from spicepy.graph import concepts as parts
from spicepy.graph import formats
from spicepy.graph.concepts import Concept, ConceptLexicon, GraphPlace, Origin
from spicepy.graph.formats import svg_of
from spicepy.rules.tuples import Mood, SemanticTuple, facts, merged_parts
from spicepy.words.wordnet import load_synonyms

if TYPE_CHECKING:
    import networkx as nx

ConceptTuple = tuple[Concept, ...]
"""(object), (object, attribute) or (source, relation, target)."""


class SceneGraph:
    """Concepts as nodes, their attributes, and relations between nodes.

    Not changed after building. Nodes are numbered from 0 in order of entry, which does
    not count in `==`: graphs are equal if they have the same tuples, and the words of
    these the same synonyms.

    Args:
        lexicon: Concepts by word, shared between graphs.

    Attributes:
        objects: The concept of each node.
        attributes: The attribute concepts of each node, in order of entry.
        relations: (source node, target node) -> relation concepts.
        heads: Node -> keys of the words its name is a kind of ("stop sign": "sign");
            only for grammars that say so. They count in matching, not in merging.
        unreal: The tuples that the captions deny or suppose, in their order; they are
            no part of the graph, and count in no comparison.
    """

    def __init__(self, lexicon: ConceptLexicon) -> None:
        self._lexicon = lexicon
        self.objects: list[Concept] = []
        self.attributes: list[list[Concept]] = []
        self.relations: dict[tuple[int, int], list[Concept]] = {}
        self.heads: dict[int, frozenset[int | str]] = {}
        self.unreal: list[SemanticTuple] = []
        self._captions: list[Sequence[SemanticTuple]] = []
        self._places: list[list[GraphPlace]] = []
        self._nodes: dict[str, int] = {}  # word -> node; emptied when a node grows
        self._taken: set[int] = set()  # nodes of the caption, if its words are distinct

    @classmethod
    def from_proposals(
        cls,
        captions: Iterable[Sequence[SemanticTuple]],
        lexicon: ConceptLexicon | None = None,
    ) -> Self:
        """Merge the proposals of one or several captions into one graph.

        Args:
            captions: One sequence of proposed tuples per caption, in order.
            lexicon: Concepts by word, shared between graphs; WordNet by default.
        """
        graph = cls(_or_wordnet(lexicon))
        for proposals in captions:
            stated = facts(proposals)
            if stated is not proposals:
                graph.unreal += [tuple_ for tuple_ in proposals if tuple_.mood]
            graph._captions.append(stated)
            graph._places.append(graph._add(stated))
        return graph

    @classmethod
    def from_instances(
        cls,
        proposals: Sequence[SemanticTuple],
        things: Mapping[int, int],
        lexicon: ConceptLexicon | None = None,
    ) -> Self:
        """Build the graph of one caption in which two women are two nodes.

        Args:
            proposals: The tuples of the caption.
            things: Position of an object -> that of the first mention of the same
                thing, see `spicepy.pipeline.stages`; without a position, the name
                says what is the same.
            lexicon: As for `from_proposals`.
        """
        graph = cls(_or_wordnet(lexicon))
        graph.unreal = [tuple_ for tuple_ in proposals if tuple_.mood]
        stated = [tuple_ for tuple_ in proposals if not tuple_.mood]
        nodes: dict[int | str, int] = {}

        def node(name: str, position: int) -> int:
            thing = things.get(position, name)
            if thing not in nodes:
                nodes[thing] = len(graph.objects)
                graph.objects.append(graph._lexicon[name])
                graph.attributes.append([])
            return nodes[thing]

        places: list[GraphPlace] = []
        for tuple_ in stated:
            members = tuple_.members
            tokens = tuple_.tokens
            if len(tokens) != len(members):
                tokens = (0,) * len(members)
            ends = tuple(map(node, members[::2], tokens[::2]))
            for name, end, head in zip(members[::2], ends, tuple_.heads):
                if head and name:
                    keys = graph._lexicon[head].keys
                    graph.heads[end] = graph.heads.get(end, frozenset()) | keys
            if len(members) == 1:
                places.append(ends)
                continue
            concept = graph._lexicon[members[1].removeprefix("be ")]
            entered = graph.attributes[ends[0]]
            if len(members) == 3:
                entered = graph.relations.setdefault((ends[0], ends[1]), [])
            if tuple_.same:
                concept = concept.widened(tuple_.same)
            places.append((*ends, _enter(entered, concept)))
        graph._captions.append(stated)
        graph._places.append(places)
        return graph

    @classmethod
    def from_tuples(
        cls, tuples: Iterable[Sequence[str]], lexicon: ConceptLexicon | None = None
    ) -> Self:
        """Build a graph from plain tuples in printed order, merging synonyms.

        Args:
            tuples: (object), (object, attribute), (source, relation, target);
                a bare string is an object. An attribute is a pair: "a brown dog"
                is ("dog", "brown"). Three members are always a relation between
                two objects, so ("dog", "is", "brown") makes an object "brown";
                such a tuple is warned of (`SpicepyWarning`).
            lexicon: As for `from_proposals`.

        Raises:
            InputError: If a tuple has another length or a member is not a text.
        """
        read = formats.read_tuples(tuples)
        if hint := formats.attribute_hint(read):
            warnings.warn(hint, SpicepyWarning, stacklevel=2)
        return cls.from_proposals([read], lexicon)

    @classmethod
    def from_json(cls, text: str, lexicon: ConceptLexicon | None = None) -> Self:
        """Read a graph back from `to_json`, or from a JSON list of tuples.

        Raises:
            InputError: If the text is not JSON of either form.
        """
        data = formats.read_json(text)
        if isinstance(data, list):
            return cls.from_tuples(data, lexicon)
        graph = cls(_or_wordnet(lexicon))
        concept = graph._concept
        for node in data["objects"]:
            if heads := node.get("heads"):
                keys = (graph._lexicon[head].keys for head in heads)
                graph.heads[len(graph.objects)] = frozenset().union(*keys)
            graph.objects.append(concept(node["words"]))
            graph.attributes.append([concept(words) for words in node["attributes"]])
        for edge in data["relations"]:
            pair = edge["source"], edge["target"]
            graph.relations.setdefault(pair, []).append(concept(edge))
        graph.unreal = [
            SemanticTuple(tuple_.members, mood=mood)
            for mood in formats.MOODS
            for tuple_ in formats.read_tuples(data.get(mood, ()), mood)
        ]
        return graph

    @property
    def captions(self) -> Sequence[Sequence[SemanticTuple]]:
        """The proposals the graph was built from, caption by caption."""
        return self._captions

    def members(self) -> tuple[ConceptTuple, ...]:
        """Return all tuples as concepts: objects, attributes by node, relations."""
        objects = self.objects
        members: list[ConceptTuple] = [(concept,) for concept in objects]
        for concept, attributes in zip(objects, self.attributes):
            members += [(concept, attribute) for attribute in attributes]
        for (source, target), relations in self.relations.items():
            ends = objects[source], objects[target]
            members += [(ends[0], relation, ends[1]) for relation in relations]
        return tuple(members)

    def places(self) -> tuple[GraphPlace, ...]:
        """Return where each tuple of `members` stands, as a key of `origins`."""
        places: list[GraphPlace] = [(node,) for node in range(len(self.objects))]
        for node, attributes in enumerate(self.attributes):
            places += [(node, k) for k in range(len(attributes))]
        for pair, relations in self.relations.items():
            places += [(*pair, k) for k in range(len(relations))]
        return tuple(places)

    def printed(self) -> tuple[SemanticTuple, ...]:
        """Return each tuple of `members` as printed, with the rule that made it.

        `rule` and `tokens` are those of its first proposal, if there is one.
        """
        first: dict[GraphPlace, SemanticTuple] = {}
        for proposals, places in zip(self._captions, self._places):
            for proposal, place in zip(proposals, places):
                first.setdefault(place, proposal)
        tuples = []
        for place, members in zip(self.places(), self.members()):
            made = first.get(place)
            origin = (made.rule, made.tokens) if made else ()
            tuples.append(SemanticTuple(tuple(map(str, members)), *origin))
        return tuple(tuples)

    def tuples(self) -> tuple[SemanticTuple, ...]:
        """Return all tuples as printed, sorted; no duplicates."""
        return tuple(sorted(self.printed(), key=lambda tuple_: tuple_.members))

    def to_tuples(self) -> list[tuple[str, ...]]:
        """Return the tuples as plain tuples of strings."""
        return [tuple_.members for tuple_ in self.tuples()]

    @property
    def denied(self) -> tuple[SemanticTuple, ...]:
        """The tuples that a caption says are not so ("no people"), sorted."""
        return self._of_mood("denied")

    @property
    def supposed(self) -> tuple[SemanticTuple, ...]:
        """The tuples that a caption only supposes ("may be waiting"), sorted."""
        return self._of_mood("supposed")

    def _of_mood(self, mood: Mood) -> tuple[SemanticTuple, ...]:
        found = {
            tuple_.members: SemanticTuple(tuple_.members, mood=mood)
            for tuple_ in self.unreal
            if tuple_.mood == mood
        }
        return tuple(found[members] for members in sorted(found))

    def to_json(self) -> str:
        """Return the graph without loss, merged words kept apart, as JSON text.

        What captions deny and suppose stands under "denied" and "supposed", each a list
        of tuples, if there is any.
        """
        return formats.write_json(self)

    def to_node_link(self) -> dict[str, Any]:
        """Return networkx's node-link data of `to_networkx`, ready for JSON."""
        networkx = required("networkx", "a graph of networkx")
        data: dict[str, Any] = networkx.node_link_data(
            self.to_networkx(), edges="edges"
        )
        return data

    def to_dot(self) -> str:
        """Return graphviz: objects red, attributes green, relations blue."""
        return formats.write_dot(self)

    def _repr_svg_(self) -> str:
        """Return a drawing for notebooks; see `spicepy.graph.formats`."""
        return svg_of(self)

    def to_networkx(self) -> "nx.MultiDiGraph[int]":
        """Return a networkx graph; see `spicepy.graph.formats.to_networkx`."""
        return formats.to_networkx(self)

    def origins(self) -> dict[GraphPlace, list[Origin]]:
        """Return where each concept came from.

        Returns:
            Keys: (node,) for an object, (node, k) for its k-th attribute,
            (source, target, k) for the k-th relation between two nodes.
        """
        return parts.origins_of(self._captions, self._places)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, SceneGraph):
            return NotImplemented
        return len(self) == len(other) and self._content() == other._content()

    def __hash__(self) -> int:
        return hash(self._content())

    def __str__(self) -> str:
        return " ".join(str(tuple_) for tuple_ in self.tuples())

    def __repr__(self) -> str:
        return f"SceneGraph({shortened(str(self), 400)})"

    def __len__(self) -> int:
        """Return the number of tuples."""
        attributes = sum(map(len, self.attributes))
        return len(self.objects) + attributes + sum(map(len, self.relations.values()))

    def _content(self) -> tuple[frozenset[object], frozenset[object]]:
        """Return the tuples, and the words that names are kinds of, in no order."""
        heads = ((self.objects[node], keys) for node, keys in self.heads.items())
        return frozenset(self.members()), frozenset(heads)

    def _concept(self, data: Any) -> Concept:
        """Read a concept from JSON: its words, and perhaps others of its meaning."""
        same = data.get("same", ()) if isinstance(data, dict) else ()
        words = data["words"] if isinstance(data, dict) else data
        concept = self._lexicon[words[0]].widened(same)
        for word in words[1:]:
            concept = concept.merged(self._lexicon[word])
        return concept

    def _add(self, proposals: Iterable[SemanticTuple]) -> list[GraphPlace]:
        """Enter the tuples of a caption; return the places of their parts."""
        places: list[GraphPlace] = []
        lexicon, relations = self._lexicon, self.relations
        known = self._known if lexicon.distinct else self._nodes.get
        self._taken.clear()
        for members, same, heads in merged_parts(proposals):
            if heads:
                self._add_heads(members, heads)
            node = known(members[0])
            if node is None:
                node = self._node(members[0])
            if len(members) == 1:
                places.append((node,))
                continue
            if len(members) == 2:
                concept, entered = lexicon[members[1]], self.attributes[node]
                pair: GraphPlace = (node,)
            else:
                target = known(members[2])
                pair = node, self._node(members[2]) if target is None else target
                concept = lexicon[members[1].removeprefix("be ")]
                entered = relations.setdefault(pair, [])
            if same:
                concept = concept.widened(same)
            places.append((*pair, _enter(entered, concept)))
        return places

    def _add_heads(self, members: Sequence[str], heads: Sequence[str]) -> None:
        for name, head in zip(members[::2], heads):
            if head:
                node, keys = self._node(name), self._lexicon[head].keys
                self.heads[node] = self.heads.get(node, frozenset()) | keys

    def _node(self, word: str) -> int:
        node = self._nodes.get(word)
        if node is None:
            node = self._nodes[word] = self._find_node(self._lexicon[word])
        if self._lexicon.distinct:
            self._taken.add(node)
        return node

    def _known(self, word: str) -> int | None:
        """Return the node of a word, which no other word of the caption shares."""
        node = self._nodes.get(word)
        if node is not None:
            self._taken.add(node)
        return node

    def _find_node(self, concept: Concept) -> int:
        """Return the equal node, or the most similar one (it grows), or a new one."""
        best, highest = -1, 0.0
        keys = concept.keys
        for node, other in enumerate(self.objects):
            if keys.isdisjoint(other.keys):
                continue
            if keys == other.keys:
                return node
            if node in self._taken:
                continue
            similarity = concept.similarity(other)
            if similarity > highest:
                best, highest = node, similarity
        if best < 0:
            self.objects.append(concept)
            self.attributes.append([])
            return len(self.objects) - 1
        if not keys <= self.objects[best].keys:
            self.objects[best] = self.objects[best].merged(concept)
            self._nodes.clear()
        return best


def _or_wordnet(lexicon: ConceptLexicon | None) -> ConceptLexicon:
    # Not `or`: a new lexicon is empty, and false.
    return ConceptLexicon(load_synonyms()) if lexicon is None else lexicon


def _enter(concepts: list[Concept], concept: Concept) -> int:
    """Add to a list of concepts, or merge with the first similar one."""
    first = -1
    for index, other in enumerate(concepts):
        if other is concept or other.keys == concept.keys:
            return index
        if first < 0 and not other.keys.isdisjoint(concept.keys):
            first = index
    if first < 0:
        concepts.append(concept)
        return len(concepts) - 1
    if not concept.keys <= concepts[first].keys:
        concepts[first] = concepts[first].merged(concept)
    return first
