"""The bundled parser: network, grammar, thresholds, the spaCy component."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from spicepy.parsing.bundled.analyser import Analyser, read_part
from spicepy.parsing.bundled.network import Network
from spicepy.parsing.bundled.words import AFFIXES, ParserThresholds
from spicepy.parsing.parser import DEFAULT, MODELS, parse
from training.parser.files import write_parser, write_part

FOLDER = MODELS / DEFAULT / "caption_parser"
CAPTIONS = ["a man in a red shirt rides a brown horse", "two dogs", "A dog , asleep ."]


@pytest.fixture(scope="module")
def net() -> Analyser:
    return Analyser.from_disk(FOLDER)


def test_written_and_read_again(net: Analyser, tmp_path: Path) -> None:
    write_parser(tmp_path, net)
    words = CAPTIONS[0].split()

    assert Analyser.from_disk(tmp_path).analyse([words]) == net.analyse([words])


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
        "large": np.array([[7, -70000], [2, 1]], np.int32),
        "rising": np.array([3, 3, 2**32 - 1], np.uint32),
        "rising from below": np.array([-(2**31), 0, 2**31 - 1], np.int32),
        "none": np.zeros(0, np.int16),
    }

    write_part(folder, {"words": ["a"]}, numbers)
    names, found = read_part(folder)

    assert names == {"words": ["a"]}
    assert found.keys() == numbers.keys()
    for name, array in numbers.items():
        assert found[name].dtype == array.dtype
        assert np.array_equal(found[name], array)


def test_table_of_words_starts_afresh(net: Analyser) -> None:
    sentences = [caption.split() for caption in CAPTIONS]
    small = Analyser.from_disk(FOLDER, ParserThresholds(cached_words=3))

    assert small.analyse(sentences) == net.analyse(sentences)


def test_words_of_one_kind_are_read_alike(net: Analyser) -> None:
    net = Analyser(net.network)
    other, words = next(iter(net.network.names["stand-ins"].items()))
    sentences = [f"a man looks at the {word} today".split() for word in words[:20]]

    found = net.analyse([*sentences, f"a man looks at the {other} today".split()])

    assert len(set(found)) == 1


def test_numerals_without_a_vector_are_read_like_others(net: Analyser) -> None:
    few, many = net.analyse([["2", "dogs", "run"], ["31,415", "dogs", "run"]])

    assert many == few
    assert many.tags[0] == "CD"


def test_long_sentences_are_read_in_pieces(net: Analyser) -> None:
    short = Analyser(net.network, net.grammar, ParserThresholds(longest=3))
    words = ["a", "dog", "sleeps", "two", "cats", "run"]

    [(tags, heads, labels)] = short.analyse([words])

    assert len(tags) == len(heads) == len(labels) == 6
    assert heads.count(0) == labels.count("root") == 1
    first = heads.index(0) + 1
    assert first <= 3
    assert labels[3:].count("dep") >= 1
    assert all(head == first or head > 3 for head in heads[3:])


def test_sentences_of_several_lengths_are_read_as_those_of_one(net: Analyser) -> None:
    groups = [[caption.split()] for caption in CAPTIONS]
    groups[1] *= 2

    together = net.network.read(groups)

    for group, found in zip(groups, together):
        alone = net.network.score(group)
        for name in ("tags", "arcs", "states"):
            assert np.array_equal(getattr(found, name), getattr(alone, name))
        heads = np.zeros(found.tags.shape[:2], np.intp)
        assert np.array_equal(found.labels(heads), alone.labels(heads))


def test_sure_and_unsure_captions_have_the_tree_they_have_alone(
    net: Analyser, fixtures: Path
) -> None:
    scenes = json.loads((fixtures / "scenes.json").read_text(encoding="utf-8"))
    sentences = [text.split() for scene in scenes[:100] for text in scene["refs"]]

    together = net.analyse(sentences)

    assert [net.analyse([words])[0] for words in sentences[:60]] == together[:60]


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


def test_a_network_without_a_grammar_is_a_parser(tmp_path: Path) -> None:
    folder = tmp_path / "tiny-1.0"
    write_parser(folder / "caption_parser", Analyser(made_up()))
    (folder / "meta.json").write_text('{"name": "tiny", "version": "1.0.0"}')

    alone = Analyser.from_disk(folder / "caption_parser")
    trees = parse([*CAPTIONS, "", "a dog " * 150], model=str(folder))

    assert alone.grammar is None
    for tree in trees:
        assert len(tree.tags) == len(tree.heads) == len(tree.words)
        assert tree.heads.count(0) == tree.labels.count("root") == bool(tree.words)
    words = CAPTIONS[0].split()
    assert alone.analyse([words]) == [(trees[0].tags, trees[0].heads, trees[0].labels)]
    sure = Analyser(alone.network, thresholds=ParserThresholds(margin=0))
    assert sure.analyse([words]) == alone.analyse([words])


def test_a_folder_without_a_network_is_no_parser(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="network"):
        Analyser.from_disk(tmp_path)


def test_as_a_component_of_spacy() -> None:
    import spacy  # takes a second, in each process that collects the tests

    nlp = spacy.load(MODELS / DEFAULT)
    docs = [spacy.tokens.Doc(nlp.vocab, words=text.split()) for text in CAPTIONS]

    for doc, tree in zip(nlp.pipe(docs), parse(CAPTIONS), strict=True):
        assert tuple(token.tag_ for token in doc) == tree.tags
        assert tuple(token.lemma_ for token in doc) == tree.lemmas
        heads = tuple(0 if t.head.i == t.i else t.head.i + 1 for t in doc)
        assert heads == tree.heads
        labels = tuple("root" if t.dep_ == "ROOT" else t.dep_ for t in doc)
        assert labels == tree.labels


def test_saved_with_a_pipeline_of_spacy(tmp_path: Path) -> None:
    import spacy

    nlp = spacy.load(MODELS / DEFAULT)
    nlp.to_disk(tmp_path)
    saved = spacy.load(tmp_path)
    saved.to_disk(tmp_path)  # over itself

    docs = [spacy.tokens.Doc(nlp.vocab, words=text.split()) for text in CAPTIONS]
    for doc, tree in zip(saved.pipe(docs), parse(CAPTIONS), strict=True):
        assert tuple(token.tag_ for token in doc) == tree.tags
        assert tuple(token.lemma_ for token in doc) == tree.lemmas


def test_component_without_numbers_says_so() -> None:
    import spacy

    nlp = spacy.blank("xx")
    nlp.add_pipe("caption_parser")

    with pytest.raises(ValueError, match="not loaded from disk"):
        nlp("a dog")
