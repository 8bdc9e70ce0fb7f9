"""The weights of the tree model are learnt from trees (needs a C compiler)."""

import shutil
from pathlib import Path

import numpy as np
import pytest
import tree_model
from accuracy import read_analysed

from spicepy.parsing.bundled.ensemble import Ensemble
from spicepy.parsing.bundled.reranker import TreeModel
from spicepy.parsing.bundled.thresholds import Thresholds
from spicepy.parsing.loading import DEFAULT, MODELS

pytestmark = pytest.mark.skipif(not shutil.which("cc"), reason="no C compiler (cc)")


def test_learnt_trees_are_preferred(
    fixtures: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tree_model, "BITS", 16)
    monkeypatch.setattr(tree_model, "LEAST", 1)
    known = read_analysed(fixtures / "captions_parsed.jsonl.gz")[:150]
    rows = [
        list(zip(tree.words, tree.tags, tree.lemmas, tree.heads, tree.labels))
        for tree in known
    ]
    networks = Ensemble.from_disk(MODELS / DEFAULT / "caption_parser").networks

    learnt, again = (tree_model.learn(rows, networks) for _ in range(2))

    assert learnt.weights.tobytes() == again.weights.tobytes()
    assert np.any(learnt.weights)
    words = [tree.words for tree in known]
    gold = [(tree.tags, tree.heads, tree.labels) for tree in known]

    def right(trees: TreeModel | None) -> int:
        found = Ensemble(networks, trees, Thresholds(sure=1e9)).analyse(words)
        return sum(a == b for a, b in zip(found, gold, strict=True))

    assert right(learnt) > right(None)
