"""SPICE as a reward: F of a batch of captions.

The reference graphs of prepared images are read from a file or made once; the latest
scores are kept.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, Self

from spicepy.common.errors import InputError, brief
from spicepy.common.files import load_json, read_text
from spicepy.common.threads import LRUCache, no_collector
from spicepy.common.writing import write_text
from spicepy.graph.matching import counts
from spicepy.graph.scene import SceneGraph
from spicepy.pipeline import Pipeline
from spicepy.rewards.batches import Reward, Texts, saved_references
from spicepy.rules.tuples import Proposals, SemanticTuple

_FORMAT: Final = "spicepy prepared scene graphs 1"
_GRAPHS: Final = 20_000  # The number of images whose reference graph is kept.
_SCORES: Final = 200_000  # The number of captions whose score is kept.

_MAX_WORDS: Final = 3  # words of a tuple

PlainTuples = list[list[str]]  # The tuples of a caption as plain lists


class Spice(Reward):
    """SPICE of batches of captions: F over all tuples.

    Scores are 0-1 but for reused reference tuples.

    Args:
        references: Image id -> references, for calls with image ids.
        tokenised: Whether captions are tokens joined by spaces already, here and
            in calls; False tokenises them as coco-caption does.
        options: grammar, model, synonyms, …; see `PipelineOptions`.

    Raises:
        InputError: References are wrong, or an option has an unknown value.
        ResourceError: A model or WordNet is missing.

    >>> reward = Spice({1: ["a dog runs"], 2: ["two cats sleep"]})
    >>> reward([["a dog runs", "a cat"], ["cats", "a dog"]], image_ids=[1, 2])
    array([[1. , 0. ],
           [0.5, 0. ]])
    """

    memory = ("pipeline", "_graphs", "_scores")

    def __init__(
        self,
        references: Mapping[Any, Sequence[str]] | None = None,
        *,
        tokenised: bool = True,
        **options: Any,
    ) -> None:
        super().__init__(references, tokenised=tokenised)
        self._options = options
        self._proposals: dict[str, PlainTuples] = {}
        self._begin()

    def prepare(self) -> Self:
        """Make the references' graphs now; return the reward itself.

        With more than 20,000 images, only the tuples are made for all.
        """
        captions = [text for texts in self.references.values() for text in texts]
        proposals = self._propose(captions, keep=True)
        images = list(dict.fromkeys(self.references.values()))[:_GRAPHS]
        with no_collector():
            self._graphs.keep(self._merged(images, proposals))
        return self

    def save(self, path: Path | str) -> None:
        """Write the references and their tuples as `.json` or `.json.gz`."""
        self.prepare()
        content = {
            "format": _FORMAT,
            "made-by": self.pipeline.signature(),
            "tokenised": self.tokenised,
            "references": list(self.references.items()),
            "tuples": self._proposals,
        }
        write_text(path, json.dumps(content, ensure_ascii=False))

    @classmethod
    def load(cls, path: Path | str, **options: Any) -> Self:
        """Read what `save` wrote; the options must be those it was made with."""
        content = load_json(read_text(path), str(path))
        if not isinstance(content, dict) or content.get("format") != _FORMAT:
            raise InputError(f'{path}: not prepared graphs: no "format": "{_FORMAT}"')
        made = cls(**options)
        made.tokenised, made.references = saved_references(
            path, content.get("tokenised"), content.get("references")
        )
        now, then = made.pipeline.signature(), content.get("made-by")
        if not isinstance(then, dict):
            raise InputError(f'{path}: "made-by" is {brief(then)}; must be an object')
        for part, value in now.items():
            if then.get(part) != value:
                raise InputError(
                    f"{path}: made with {part} {brief(then.get(part))}, not "
                    f"{brief(value)}; prepare the references again"
                )
        made._proposals = _checked_tuples(path, content.get("tuples"))
        return made

    def _begin(self) -> None:
        self.pipeline = Pipeline(caller="Spice", **self._options)
        self._graphs: LRUCache[Texts, SceneGraph] = LRUCache(_GRAPHS)
        self._scores: LRUCache[tuple[str, Texts], float] = LRUCache(_SCORES)

    def _score(self, texts: list[str], of_each: list[Texts]) -> list[float]:
        pairs = list(zip(texts, of_each))
        scores = self._scores.get(pairs)
        new = list(dict.fromkeys(pair for pair in pairs if pair not in scores))
        if new:
            with no_collector():  # its users nest: once a batch, not once a stage
                scores |= self._scored(new)
            self._scores.keep(scores)
        return [scores[pair] for pair in pairs]

    def _scored(
        self, pairs: Sequence[tuple[str, Texts]]
    ) -> dict[tuple[str, Texts], float]:
        graphs = self._graphs.get(texts for _, texts in pairs)
        missing = [
            texts for texts in dict.fromkeys(o for _, o in pairs) if texts not in graphs
        ]
        captions = [text for text, _ in pairs]
        proposals = self._propose(
            [*captions, *(text for texts in missing for text in texts)]
        )
        graphs |= self._merged(missing, proposals)
        self._graphs.keep(graphs)
        scores = {}
        for text, references in pairs:
            candidate = self.pipeline.graph([proposals[text]])
            scores[text, references] = counts(candidate, graphs[references]).f
        return scores

    def _merged(
        self, images: Iterable[Texts], proposals: Mapping[str, Proposals]
    ) -> dict[Texts, SceneGraph]:
        """Return the one graph of the references of each image."""
        graph = self.pipeline.graph
        return {texts: graph([proposals[text] for text in texts]) for texts in images}

    def _propose(
        self, captions: Iterable[str], *, keep: bool = False
    ) -> Mapping[str, Proposals]:
        """Return the tuples of captions; prepared references have theirs already."""
        distinct = dict.fromkeys(captions)
        proposals: dict[str, Proposals] = {
            text: [SemanticTuple(tuple(members)) for members in self._proposals[text]]
            for text in distinct
            if text in self._proposals
        }
        made = self.pipeline.propose(
            [text for text in distinct if text not in proposals]
        )
        if keep:
            self._proposals |= {
                text: [list(one.members) for one in tuples]
                for text, tuples in made.items()
            }
        return {**proposals, **made}


def _checked_tuples(path: Path | str, tuples: object) -> dict[str, PlainTuples]:
    """Return the tuples of captions in a file after checking them."""
    if not isinstance(tuples, dict):
        raise InputError(f'{path}: "tuples" is {brief(tuples)}; must be an object')
    for caption, members in tuples.items():
        for one in members if isinstance(members, list) else [members]:
            if not isinstance(one, list) or not 1 <= len(one) <= _MAX_WORDS:
                raise InputError(
                    f"{path}: the caption {brief(caption)} has {brief(one)}; must be a "
                    f"list of 1 to {_MAX_WORDS} words"
                )
            if not all(isinstance(word, str) and word for word in one):
                raise InputError(
                    f"{path}: the caption {brief(caption)} has {brief(one)}; words "
                    "must be texts that are not empty"
                )
    return tuples
