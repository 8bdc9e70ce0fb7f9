"""The ensemble of the bundled parser: trees, thresholds, the spaCy component."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import spacy
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from spicepy.parsing.bundled import arithmetic
from spicepy.parsing.bundled.ensemble import Ensemble
from spicepy.parsing.bundled.files import read_part, write_part
from spicepy.parsing.bundled.network import Network
from spicepy.parsing.bundled.reranker.chart import best_trees as best_trees_of_words
from spicepy.parsing.bundled.reranker.opening import open_choices
from spicepy.parsing.bundled.scores import Scores, margins
from spicepy.parsing.bundled.thresholds import Thresholds
from spicepy.parsing.bundled.words import AFFIXES
from spicepy.parsing.loading import DEFAULT, MODELS
from spicepy.parsing.parser import parse

FOLDER = MODELS / DEFAULT / "caption_parser"
CAPTIONS = ["a man in a red shirt rides a brown horse", "two dogs", "A dog , asleep ."]


@pytest.fixture(scope="module")
def net() -> Ensemble:
    return Ensemble.from_disk(FOLDER)


def test_written_and_read_again(net: Ensemble, tmp_path: Path) -> None:
    net.to_disk(tmp_path)
    words = CAPTIONS[0].split()

    assert Ensemble.from_disk(tmp_path).analyse([words]) == net.analyse([words])


@settings(deadline=None, max_examples=50)
@given(
    multiples=arrays(
        np.int32,
        st.tuples(st.integers(0, 4), st.integers(1, 5)),
        elements=st.integers(-40_000, 40_000),
    ),
    bits=st.integers(0, 20),
)
def test_numbers_are_the_same_when_read_again(
    tmp_path_factory: pytest.TempPathFactory, multiples: Any, bits: int
) -> None:
    folder = tmp_path_factory.mktemp("part")
    numbers = {
        "some": multiples.astype(np.float32) / np.float32(2**bits),
        "others": np.array([np.pi, 1e30, -np.inf], np.float32),
        "whole": np.arange(-3, 3, dtype=np.int8),
    }

    write_part(folder, {"words": ["a"]}, numbers)
    names, found = read_part(folder)

    assert names == {"words": ["a"]}
    assert found.keys() == numbers.keys()
    for name, array in numbers.items():
        assert found[name].dtype == array.dtype
        assert np.array_equal(found[name], array)


def test_table_of_words_starts_afresh(net: Ensemble) -> None:
    sentences = [caption.split() for caption in CAPTIONS]
    small = Ensemble.from_disk(FOLDER, Thresholds(words=3))

    assert small.analyse(sentences) == net.analyse(sentences)


def test_words_of_one_kind_are_read_alike(net: Ensemble) -> None:
    net = Ensemble(net.networks[:1])
    other, words = next(iter(net.networks[0].names["stand-ins"].items()))
    sentences = [f"a man looks at the {word} today".split() for word in words[:20]]

    found = net.analyse([*sentences, f"a man looks at the {other} today".split()])

    assert len(set(found)) == 1


def test_long_sentences_are_read_in_pieces(net: Ensemble) -> None:
    short = Ensemble(net.networks, net.trees, Thresholds(longest=3))
    words = ["a", "dog", "sleeps", "two", "cats", "run"]

    [(tags, heads, labels)] = short.analyse([words])

    assert len(tags) == len(heads) == len(labels) == 6
    assert heads.count(0) == labels.count("root") == 1
    first = heads.index(0) + 1
    assert first <= 3
    assert labels[3:].count("dep") >= 1
    assert all(head == first or head > 3 for head in heads[3:])


class Counted(Network):
    """A network that counts what it reads."""

    asked = 0

    def read(self, groups: Sequence[Sequence[Sequence[str]]]) -> list[Scores]:
        self.asked += sum(map(len, groups))
        return super().read(groups)


@pytest.mark.parametrize(("sure", "asked"), [(0, 0), (1e9, 3)])
def test_the_second_network_is_asked_where_the_first_is_unsure(
    net: Ensemble, sure: float, asked: int
) -> None:
    first = net.networks[0]
    second = Counted(first.names, first.arrays)
    both = Ensemble([first, second], thresholds=Thresholds(sure=sure))
    sentences = [caption.split() for caption in CAPTIONS]

    # A network that is asked twice says the same.
    expected = Ensemble([first]).analyse(sentences)
    assert both.analyse(sentences) == expected
    assert second.asked == asked


def test_networks_that_agree_may_each_be_less_sure(net: Ensemble) -> None:
    first = net.networks[0]
    others = [Counted(first.names, first.arrays) for _ in range(2)]
    words = CAPTIONS[0].split()
    sure = 1.2 * margins([first.score([words])])[0]

    Ensemble([first, *others], thresholds=Thresholds(sure=sure)).analyse([words])

    assert [network.asked for network in others] == [1, 0]


def test_sentences_of_several_lengths_are_read_as_those_of_one(net: Ensemble) -> None:
    groups = [[caption.split()] for caption in CAPTIONS]
    groups[1] *= 2

    together = net.networks[0].read(groups)

    for group, found in zip(groups, together):
        alone = net.networks[0].score(group)
        for name in ("tags", "arcs", "dependents", "heads"):
            assert np.array_equal(getattr(found, name), getattr(alone, name))


def test_sure_and_unsure_captions_have_the_tree_they_have_alone(
    net: Ensemble, fixtures: Path
) -> None:
    scenes = json.loads((fixtures / "scenes.json").read_text(encoding="utf-8"))
    sentences = [text.split() for scene in scenes[:100] for text in scene["refs"]]

    together = net.analyse(sentences)

    assert [net.analyse([words])[0] for words in sentences[:60]] == together[:60]


def test_trees_are_the_same_without_a_matrix_unit(
    net: Ensemble, fixtures: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    scenes = json.loads((fixtures / "scenes.json").read_text(encoding="utf-8"))
    sentences = [text.split() for scene in scenes[:60] for text in scene["refs"]]

    monkeypatch.setattr(arithmetic, "matrix_unit", lambda: None)
    plain = Ensemble.from_disk(FOLDER)

    assert plain.analyse(sentences) == net.analyse(sentences)


def test_less_is_left_open_where_it_would_be_too_much(net: Ensemble) -> None:
    assert net.trees
    texts = [
        "a man holding a red frisbee up outside",
        "a man is in the houses of bricks",
    ]
    sentences = [text.split() for text in [texts[1], *texts, texts[1]]]
    scores = [network.score(sentences) for network in net.networks]
    sizes, shown = [], []
    for many in (1e9, 20, 0):
        thresholds = Thresholds(reach=12.0, many=many)
        found = open_choices(sentences, scores, net.trees.states, thresholds)
        sizes.append(found.sizes())
        shown.append(best_trees_of_words(found, net.trees))

    assert (sizes[0] > 20).any()
    assert (sizes[1] <= 20).all()
    assert (sizes[2] <= sizes[1]).all()
    for trees in shown:  # each caption has a tree, and equal ones the same
        heads = trees.heads.reshape(4, -1)
        assert ((heads == 0).sum(axis=1) == 1).all()
        assert (heads[[0, 3]] == heads[2]).all()


def made_up(width: int = 4, lookup: int = 3, hidden: int = 5) -> Network:
    """A tiny network of random numbers."""
    random = np.random.default_rng(0)
    names = {
        "words": ["", "dog", "a"],
        "tags": ["DT", "NN", "VB"],
        "labels": ["dep", "det", "nsubj", "root"],
        "stand-ins": {},
    }
    outputs = 4 * hidden + len(names["tags"])
    shapes = {
        "word": (len(names["words"]), lookup),
        **{name: (rows, lookup) for name, (rows, _) in AFFIXES.items()},
        "vector": (lookup * (1 + len(AFFIXES)), width),
        "vector bias": (width,),
        "words": (2, width, 4 * width),
        "layer 0": (2, width, 4 * width),
        "layer 1": (2, 3 * width, 4 * width),
        "bias 0": (2, 4 * width),
        "bias 1": (2, 4 * width),
        "roles": (2 * width, outputs),
        "roles bias": (outputs,),
        "root": (hidden,),
        "label root": (hidden,),
        "arc": (hidden, hidden),
        "arc bias": (hidden,),
        "label": (hidden, len(names["labels"])),
        "label bias": (len(names["labels"]),),
        "distance": (65,),
    }
    return Network(names, {name: random.normal(size=x) for name, x in shapes.items()})


def test_one_network_without_a_reranker_is_a_parser(tmp_path: Path) -> None:
    folder = tmp_path / "tiny-1.0"
    Ensemble([made_up()]).to_disk(folder / "caption_parser")
    (folder / "meta.json").write_text('{"name": "tiny", "version": "1.0.0"}')

    alone = Ensemble.from_disk(folder / "caption_parser")
    trees = parse([*CAPTIONS, "", "a dog " * 150], model=str(folder))

    assert len(alone.networks) == 1
    assert alone.trees is None
    for tree in trees:
        assert len(tree.tags) == len(tree.heads) == len(tree.words)
        assert tree.heads.count(0) == tree.labels.count("root") == bool(tree.words)
    words = CAPTIONS[0].split()
    assert alone.analyse([words]) == [(trees[0].tags, trees[0].heads, trees[0].labels)]
    sure = Ensemble(alone.networks, thresholds=Thresholds(sure=0))
    assert sure.analyse([words]) == alone.analyse([words])


def test_an_ensemble_needs_a_network(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="no network"):
        Ensemble.from_disk(tmp_path)


def test_networks_with_other_labels_are_refused(net: Ensemble) -> None:
    first = net.networks[0]
    other = Network(first.names | {"tags": first.names["tags"][::-1]}, first.arrays)

    with pytest.raises(ValueError, match="same tags"):
        Ensemble([first, other])


def test_as_a_component_of_spacy() -> None:
    nlp = spacy.load(MODELS / DEFAULT)
    docs = [spacy.tokens.Doc(nlp.vocab, words=text.split()) for text in CAPTIONS]

    for doc, tree in zip(nlp.pipe(docs), parse(CAPTIONS), strict=True):
        assert tuple(token.tag_ for token in doc) == tree.tags
        assert tuple(token.lemma_ for token in doc) == tree.lemmas
        heads = tuple(0 if t.head.i == t.i else t.head.i + 1 for t in doc)
        assert heads == tree.heads
        labels = tuple("root" if t.dep_ == "ROOT" else t.dep_ for t in doc)
        assert labels == tree.labels


def test_component_without_numbers_says_so() -> None:
    nlp = spacy.blank("xx")
    nlp.add_pipe("caption_parser")

    with pytest.raises(ValueError, match="not loaded from disk"):
        nlp("a dog")
