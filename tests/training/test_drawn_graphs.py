"""What is learnt from the graphs that people drew: trees, and names of two nouns."""

from collections import Counter

import numpy as np
import pytest

from spicepy.parsing.bundled.analyser import read_part
from spicepy.parsing.bundled.network import Network
from spicepy.parsing.parser import MODELS
from spicepy.parsing.trees import Parse
from spicepy.pipeline import Pipeline
from spicepy.rules.tuples import SemanticTuple
from training.grammar.kbest import Candidate
from training.parser.checked import is_sound, readings
from training.parser.files import floats_of
from training.parser.learning import averaged, pruned
from training.parser.people_graphs import Drawn, compare
from training.parser.train_truth import weight
from training.words.drawn_names import as_toml, meaning, modifiers, of_pairs, of_words

CAPTION = ["a", "dog", "on", "a", "bed", "with", "a", "ball"]


@pytest.fixture(scope="module")
def pipeline() -> Pipeline:
    """The grammar that reads trees as people do."""
    return Pipeline(grammar="spicepy-1")


@pytest.fixture(scope="module")
def network(pipeline: Pipeline) -> Network:
    """The network of its parser."""
    return Network(*read_part(MODELS / pipeline.model / "caption_parser" / "network"))


def drawn(caption: list[str], *relations: tuple[str, str, str]) -> Drawn:
    """A graph of relations."""
    ends = dict.fromkeys(end for x in relations for end in x[::2])
    return Drawn(" ".join(caption), (*((end,) for end in ends), *relations))


def test_the_tree_is_taken_whose_graph_people_drew(
    network: Network, pipeline: Pipeline
) -> None:
    """Whoever is said to have the ball has it in the tree."""
    own, other = (
        drawn(CAPTION, ("dog", "on", "bed"), (owner, "with", "ball"))
        for owner in ("dog", "bed")
    )

    found = readings(network, pipeline, [(CAPTION, own), (CAPTION, other)], seed=0)

    assert [x.whole for x in found] == [True, True]
    assert [x.tree.heads[7] for x in found] == [2, 5]
    assert sorted(x.before for x in found)[1] == 1 > min(x.before for x in found)
    assert sorted(weight([], x) for x in found) == [1, 3]


def test_no_object_hangs_on_a_noun() -> None:
    tags, heads = ("NN", "NN"), (0, 1)

    assert is_sound(Candidate(tags, heads, ("root", "nmod")))
    assert not is_sound(Candidate(tags, heads, ("root", "dobj")))
    assert not is_sound(Candidate(("VB", "DT"), heads, ("root", "det")))
    assert not is_sound(Candidate(("NN", "IN"), heads, ("root", "case")))
    assert not is_sound(Candidate(tags, heads, ("root", "mwe")))
    assert not is_sound(Candidate(tags, heads, ("root", "compound")))


def test_rare_words_lose_their_vectors(network: Network) -> None:
    rows = [("dog", "NN", "dog", 0, "root")]

    small = pruned(network, [rows, rows], least=2)

    assert small.names["words"] == ["", "dog"]
    assert small.arrays["word"].shape[0] == 2


def test_the_mean_of_networks_has_the_words_of_the_last(network: Network) -> None:
    rows = [("dog", "NN", "dog", 0, "root")]
    small = pruned(network, [rows], least=1)

    mean = averaged([network, small])

    assert mean.names["words"] == small.names["words"]
    for name, array in floats_of(small).items():
        np.testing.assert_allclose(floats_of(mean)[name], array, atol=1e-6)


@pytest.mark.parametrize(
    ("tuples", "made"),
    [
        ([("fire truck",)], "name"),
        ([("truck",), ("truck", "fire")], "attribute"),
        ([("truck",)], "last"),
        ([("fire",)], "first"),
        ([("fire",), ("truck",), ("truck", "in", "fire")], "in"),
        ([("fire",), ("truck",), ("fire", "have", "truck")], "has"),
        ([("fire",), ("truck",)], "other"),
    ],
)
def test_what_people_made_of_two_nouns(
    tuples: list[tuple[str, ...]], made: str
) -> None:
    assert meaning(Drawn("", tuple(tuples)), "fire", "truck") == made


def test_lists_hold_what_the_rules_do_not_know() -> None:
    tree = Parse(
        ("toy", "dog"), ("NN", "NN"), ("toy", "dog"), (2, 0), ("compound", "root")
    )
    people = {(a, b): Counter(attribute=2) for a in ("toy", "cat") for b in "dwxyz"}
    rules = {pair: Counter(name=2) for pair in people} | {
        ("cat", "d"): Counter(attribute=1)
    }

    assert list(modifiers(tree)) == [("toy", "dog")]
    pairs = of_pairs(people, rules)["drawn-attributes"]
    assert "toy d" in pairs
    assert "cat d" not in pairs
    assert of_words(people, rules) == ["toy", "cat"]
    assert '"toy d", "toy w",' in as_toml({"drawn-attributes": ["toy d", "toy w"]})


def test_drawn_and_parsed_attributes_are_read_alike(pipeline: Pipeline) -> None:
    """A striped tie is not an error because "striped" is also a participle."""
    made = [SemanticTuple(("tie",)), SemanticTuple(("tie", "striped"))]
    people = Drawn("striped tie", (("tie",), ("tie", "strip")))

    assert compare(made, people, pipeline.lexicon)["attributes"].f == 1
