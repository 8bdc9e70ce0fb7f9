"""Several candidates of an image: by definition, by hand, and what is refused."""

import math

import numpy as np
import pytest

import spicepy
from spicepy.common.errors import InputError
from spicepy.evaluation.multi_candidate import allspice, best, diversity
from spicepy.metrics.spice import Spice
from spicepy.metrics.spider import Spider

REFERENCES = {
    1: ["A dog runs on the grass."],
    "b": ["Two cats sleep.", "cats in a bed"],
}
CANDIDATES = {1: ["a cat", "A dog runs.", "the grass"], "b": ["two dogs", "two cats"]}


def test_the_best_of_several_is_the_maximum() -> None:
    found = best(CANDIDATES, REFERENCES)

    single = {}
    for at in range(2):
        samples = [
            spicepy.Sample(i, CANDIDATES[i][at], REFERENCES[i]) for i in REFERENCES
        ]
        single[at] = spicepy.evaluate(samples, ["spider"]).image_scores("spider")
    assert found.image_ids == (1, "b")
    assert found.images["spider-max"].tolist() == [
        max(single[0][i], single[1][i]) for i in REFERENCES
    ]
    assert found.corpus["spider-max"] == found.images["spider-max"].mean()
    assert best(CANDIDATES, REFERENCES, Spice()).images["spice-max"][
        1
    ] == pytest.approx(4 / 7)
    assert list(best(CANDIDATES, REFERENCES, Spider()).corpus) == ["spider-max"]


def test_allspice_merges_the_candidates() -> None:
    found = allspice(CANDIDATES, REFERENCES)

    # cat, dog, grass and (dog, run) against dog, grass and (dog, run on, grass)
    assert found.images["allspice-precision"][0] == 2 / 4
    assert found.images["allspice-recall"][0] == 2 / 3
    one = allspice({1: ["a dog"]}, {1: REFERENCES[1]}).corpus["allspice"]
    assert one == spicepy.score("a dog", REFERENCES[1]).f


def test_diversity_by_hand() -> None:
    found = diversity(
        {1: ["a dog runs", "a dog runs"], 2: ["a dog", "two cats"], 3: ["x"]}
    )

    assert found.images["mbleu-1"][0] == pytest.approx(1.0)
    assert found.images["mbleu-1"][1] == pytest.approx(0.0, abs=1e-6)
    assert found.images["distinct-1"].tolist() == [3 / 6, 1.0, 1.0]
    assert found.images["distinct-2"][:2].tolist() == [2 / 4, 1.0]
    assert math.isnan(found.images["distinct-2"][2])
    assert math.isnan(found.images["self-cider"][2])
    assert found.images["self-cider"][1] == pytest.approx(1.0)
    assert found.corpus["distinct-2"] == pytest.approx(0.75)


def test_self_cider_of_equal_captions_is_zero() -> None:
    same = ["a brown dog runs on the green grass"] * 3
    other = ["two cats sleep in a bed all day"] * 2 + ["a man rides a horse"]

    found = diversity({1: same, 2: other}, {1: same[:1], 2: other[1:]}).images

    assert found["self-cider"][0] == pytest.approx(0.0, abs=1e-6)
    # Two equal captions and one that shares "a" with them, which one of two images
    # has: singular values near sqrt(2), 1 and 0.
    assert 0.4 < found["self-cider"][1] < 0.7
    assert np.array_equal(found["distinct-1"], [8 / 24, 11 / 21])


@pytest.mark.parametrize(
    ("candidates", "references", "said"),
    [
        ({}, {}, "no candidates"),
        ({1: []}, {1: ["a"]}, "image 1: the candidates"),
        ({1: "a"}, {1: ["a"]}, "image 1: the candidates are 'a'"),
        ({1: ["a"]}, {2: ["a"]}, "without references: image 1"),
        ({1: ["a"]}, {1: []}, "image 1: no references"),
        ({1: [3]}, {1: ["a"]}, "image 1: the reference 1 is 3"),
    ],
)
@pytest.mark.parametrize("function", [best, allspice, diversity])
def test_wrong_input_names_the_image(function, candidates, references, said) -> None:
    with pytest.raises(InputError, match=said):
        function(candidates, references)
