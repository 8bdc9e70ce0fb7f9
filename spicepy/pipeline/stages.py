"""The stages around the parser, as functions of their input and a grammar alone.

    caption ─ text ─▶ sentences  │  Parse ─ dependencies ─▶ DependencyGraph
    DependencyGraph of each sentence ─ propose ─▶ proposals

They keep nothing between calls.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from spicepy.common.json_values import plain
from spicepy.common.settings import Sentences
from spicepy.graph.concepts import ConceptLexicon
from spicepy.graph.scene import SceneGraph
from spicepy.parsing.trees import Parse
from spicepy.rules.antecedents import Sentence
from spicepy.rules.collapsing import collapse
from spicepy.rules.coreference import resolve, resolves
from spicepy.rules.dependency_graphs import DependencyGraph, DependencyWords, enhance
from spicepy.rules.engine import extract, extract_unreal
from spicepy.rules.normalising import normalise
from spicepy.rules.rewriting import rewrite
from spicepy.rules.tuples import Proposals, SemanticTuple
from spicepy.rules.values import Grammar
from spicepy.tokenization.ptb import tokenize
from spicepy.tokenization.samples import split_sentences
from spicepy.words.spelling import is_known, mended

# Instances: which mentions of a caption are of one thing, and which of two.
#
# In: the proposals of a caption, with the graphs of its sentences. Out: for each
# position that of the first mention of the same thing:
#
#     one woman holds a cup and another woman reads; she wears a hat
#         → two women, of whom "she" is the second
#
# SPICE has one node for a name (`SceneGraph.from_proposals`); counting, and whoever
# asks about one of two women, needs two.

INTRODUCING: Final = frozenset(["a", "an", "another", "each", "one", "other", "some"])
"""Words before a noun, or in its place, that bring in another thing of its name."""


def same_things(
    proposals: Iterable[SemanticTuple], graphs: Sequence[DependencyGraph]
) -> dict[int, int]:
    """Return each object's position -> that of the first mention of the same thing."""
    # A noun after "a", "another" or a number is a further thing; every other one, and a
    # pronoun, is the last thing of its name, if there is one.
    names: dict[int, str] = {}
    for tuple_ in proposals:
        if len(tuple_.tokens) == len(tuple_.members):
            for name, position in zip(tuple_.members[::2], tuple_.tokens[::2]):
                names.setdefault(position, name)
    names.pop(0, None)
    new = set(_introduced(graphs))
    things: dict[int, int] = {}
    latest: dict[str, int] = {}
    for position, name in sorted(names.items()):
        known = None if position in new else latest.get(name)
        things[position] = latest[name] = position if known is None else known
    return things


def _introduced(graphs: Sequence[DependencyGraph]) -> Iterator[int]:
    """Yield the positions, through the caption, of what is not known before."""
    start = 0
    for graph in graphs:
        lemmas = [lemma.lower() for lemma in graph.lemmas]
        tokens = len(graph.words) - len(graph.copies)
        for position, lemma in enumerate(lemmas[:tokens], 1):
            if lemma in INTRODUCING:
                yield start + position
        for label, head, node in graph.edges:
            number = label == "nummod"
            before = label in ("det", "amod") and lemmas[node - 1] in INTRODUCING
            if (number or before) and 0 < head <= tokens:
                yield start + head
        start += tokens


SPELLED_SO: Final = "spelled-so"
"""The list of words that are not mended; grammars without it mend none."""

_MENDABLE: Final = re.compile(r"(?<!\S)(?:[a-z]{3,}|w/o|w /)(?!\S)")


@dataclass(frozen=True)
class Stages:
    """The stages before and after the parser."""

    grammar: Grammar
    sentences: Sentences
    _words: DependencyWords = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Gather the words that dependencies depend on."""
        words = DependencyWords.from_lists(self.grammar.lists)
        object.__setattr__(self, "_words", words)

    def text(self, caption: str) -> str:
        """Normalise a raw caption to the text on which all later stages depend."""
        # Commas stay for a grammar that shapes graphs itself: its parser may read them.
        # Text that is quoted after words of its list "quoting" is left out. A grammar
        # with a list "spelled-so" has misspelt words mended, but for those of the list.
        text = self._as_written(caption)
        if SPELLED_SO not in self.grammar.lists:
            return text
        return _MENDABLE.sub(lambda word: self._meant(word[0]) or word[0], text)

    def spelling(self, caption: str) -> dict[str, str | None]:
        """Return the unknown words of a caption → what they are read as, or None."""
        if SPELLED_SO not in self.grammar.lists:
            return {}
        kept = self.grammar.lists[SPELLED_SO]
        words = _MENDABLE.findall(self._as_written(caption))
        return {w: mended(w) for w in words if w not in kept and not is_known(w)}

    def _as_written(self, caption: str) -> str:
        if self.sentences == "split":
            commas = bool(self.grammar.rewrites)
            quoting = self.grammar.lists.get("quoting", ())
            return "\n".join(split_sentences(caption, commas=commas, quoting=quoting))
        return tokenize([caption])[0]

    def _meant(self, word: str) -> str | None:
        return None if word in self.grammar.lists[SPELLED_SO] else mended(word)

    def collapsed(self, tree: Parse) -> DependencyGraph:
        """Return the graph that a grammar's rewrite rules read, if it has any."""
        graph = collapse(tree, self._words)
        return graph if self.grammar.rewrites else enhance(graph, self._words)

    def dependencies(self, tree: Parse) -> DependencyGraph:
        """Return the graph that the rules read."""
        # Prepositions stand in labels and conjuncts share their governors. A grammar
        # with rewrite rules shapes the graph by them; for others, quantity phrases and
        # pronouns are enhanced as in SPICE.
        return rewrite(self.collapsed(tree), self.grammar)

    def extract(self, trees: Iterable[Parse]) -> Proposals:
        """Return the proposals of a caption, from the tree of each of its sentences."""
        return self.propose(list(map(self.dependencies, trees)))

    def propose(self, graphs: Sequence[DependencyGraph]) -> Proposals:
        """Return what a caption states, denies and supposes, sentence by sentence."""
        sentences = [Sentence(graph, self._proposed(graph)) for graph in graphs]
        if resolves(self.grammar):
            proposals = resolve(sentences, self.grammar)
        else:
            proposals = [tuple_ for one in sentences for tuple_ in one.proposals]
        made = normalise(proposals, self.grammar, len(graphs))
        return _without_stated(made) if any(graph.unreal for graph in graphs) else made

    def _proposed(self, graph: DependencyGraph) -> list[SemanticTuple]:
        made = extract(graph, self.grammar)
        return made + extract_unreal(graph, self.grammar) if graph.unreal else made


def _without_stated(proposals: Sequence[SemanticTuple]) -> list[SemanticTuple]:
    """Leave out what a caption denies or supposes of one thing and states of another.

    "A man wears a hat, a boy wears no hat": there is a hat.
    """
    stated = {tuple_.members for tuple_ in proposals if not tuple_.mood}
    return [t for t in proposals if not t.mood or t.members not in stated]


@dataclass(frozen=True, slots=True)
class Trace:
    """The values between the stages, from caption to scene graph.

    `parses` and `dependencies` have an entry for each sentence. `unreal` are the tuples
    that the caption denies or supposes. `spelling` has its unknown words → what they
    are read as, or None.
    """

    caption: str
    parses: tuple[Parse, ...]
    dependencies: tuple[DependencyGraph, ...]
    proposals: Proposals
    lexicon: ConceptLexicon = field(compare=False, repr=False)
    unreal: Proposals = ()
    spelling: Mapping[str, str | None] = field(default_factory=dict)

    @property
    def graph(self) -> SceneGraph:
        """The scene graph; made at each access, since the diagnosis needs none."""
        return SceneGraph.from_proposals(
            [[*self.proposals, *self.unreal]], self.lexicon
        )

    @property
    def instances(self) -> SceneGraph:
        """The scene graph in which each thing is a node, so that two women are two."""
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
        spelling = {"spelling": dict(self.spelling)} if self.spelling else {}
        return {"caption": self.caption, **spelling, **stages, "proposals": proposals}
