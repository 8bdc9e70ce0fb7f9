"""SPICE as a metric: equal to the original on 400 scenes, additive, documented."""

import gzip
import json
import math
import pickle
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from toys import images_of

import spicepy
from spicepy.common.errors import GrammarError, InputError
from spicepy.metrics.base import Statistics
from spicepy.metrics.spice import FIELDS, Spice
from spicepy.pipeline import Pipeline
from spicepy.rules.tuples import Category, Proposals, SemanticTuple
from spicepy.tokenization.ptb import tokenize
from spicepy.tokenization.samples import TokenisedSample

KEYS = {"f": "f", "precision": "pr", "recall": "re", "tp": "tp", "fp": "fp", "fn": "fn"}


@pytest.fixture(scope="module")
def spice() -> Spice:
    return Spice()


@pytest.fixture(scope="module")
def recorded(fixtures: Path) -> dict[str, Any]:
    """The original's scores: {"corpus": f, "images": {id: {category: …}}}."""
    text = (fixtures / "scenes_scores.json").read_text()
    scores: dict[str, Any] = json.loads(text)["SPICE"]
    return scores


@pytest.fixture(scope="module")
def proposals(fixtures: Path) -> dict[str, Proposals]:
    """The original's proposals, [source, target, relation], by caption."""
    found = {}
    with gzip.open(fixtures / "captions_parsed.jsonl.gz", "rt") as lines:
        for row in map(json.loads, lines):
            found[row["caption"]] = [
                SemanticTuple((t[0], t[2], t[1]) if len(t) == 3 else tuple(t))
                for t in row["tuples"]
            ]
    return found


@pytest.fixture(scope="module")
def samples(fixtures: Path) -> list[TokenisedSample]:
    scenes = json.loads((fixtures / "scenes.json").read_text())
    return [
        TokenisedSample(
            s["image_id"], tokenize([s["test"]])[0], tuple(tokenize(s["refs"]))
        )
        for s in scenes
    ]


@pytest.fixture(scope="module")
def statistics(
    samples: list[TokenisedSample], proposals: dict[str, Proposals]
) -> Statistics:
    """Counted with recorded proposals in the place of parser and rules."""
    return Spice(Recorded(proposals)).count(samples)


class Recorded(Pipeline):
    """Recorded proposals in the place of parser and rules; notes what it makes."""

    def __init__(
        self, proposals: dict[str, Proposals], synonyms: str = "bundled"
    ) -> None:
        super().__init__(synonyms=synonyms)
        self.recorded = proposals
        self.made: list[str] = []

    def make(self, captions: Sequence[str]) -> list[Proposals]:
        self.made += captions
        return [self.recorded[caption] for caption in captions]


def test_every_scene_scores_as_the_original(
    statistics: Statistics, recorded: dict[str, Any]
) -> None:
    """tp, fp, fn, precision, recall and F of 400 scenes in 7 categories."""
    for image_id, score in zip(statistics.image_ids, statistics.details):
        original = recorded["images"][str(image_id)]
        entry = score.to_dict()

        assert set(entry) == set(original)
        for name, values in entry.items():
            assert values == {ours: original[name][KEYS[ours]] for ours in KEYS}


def test_cases_by_category(spice: Spice, fixtures: Path) -> None:
    cases = json.loads((fixtures / "spice_scoring_cases.json").read_text())
    made = [
        [
            [
                SemanticTuple((t[0], t[2], t[1]) if len(t) == 3 else tuple(t))
                for t in case[f"{side}_proposals"]
            ]
            for side in ("candidate", "reference")
        ]
        for case in cases
    ]
    found = spice.count_graphs(
        images_of(
            [case["name"] for case in cases],
            [candidate for candidate, _ in made],
            [[reference] for _, reference in made],
        )
    )

    for case, score in zip(cases, found.details):
        entry = {
            name: {KEYS[key]: value for key, value in values.items()}
            for name, values in score.to_dict().items()
        }
        assert entry == case["scores"], case["name"]


def test_corpus_is_the_mean_over_defined_images(
    spice: Spice, statistics: Statistics, recorded: dict[str, Any]
) -> None:
    totals = statistics.rows.sum(axis=0)
    images = list(recorded["images"].values())
    corpus = spice.corpus_entry(statistics.rows.sum(axis=0), len(statistics.rows))[
        "spice"
    ]

    assert corpus["All"]["f"] == pytest.approx(recorded["corpus"], abs=1e-12)
    assert corpus["All"]["images"] == 400
    for column, name in enumerate(spice.names):
        values = [i[name]["f"] for i in images if i[name]["f"] is not None]
        assert corpus[name]["images"] == len(values)
        assert corpus[name]["f"] == pytest.approx(sum(values) / len(values), abs=1e-12)
        assert corpus[name]["tp"] == sum(image[name]["tp"] for image in images)
        assert spice.corpus_scores(totals, 400)[column] == corpus[name]["f"]


def test_rows_are_additive(spice: Spice, statistics: Statistics) -> None:
    """Sums of parts, with any leading shape, score as the whole."""
    rows = statistics.rows
    parts = np.stack([rows[:100].sum(axis=0), rows[100:].sum(axis=0)])
    both = spice.corpus_scores(np.stack([parts.sum(axis=0)] * 3), 400)

    assert rows.shape == (400, len(spice.names) * len(FIELDS))
    assert spice.corpus_scores(parts, np.array([100, 300])).shape == (2, 7)
    np.testing.assert_allclose(both[1], spice.corpus_scores(rows.sum(axis=0), 400))


def test_image_scores_are_f_or_nan(spice: Spice, statistics: Statistics) -> None:
    scores = spice.image_scores(statistics.rows)

    assert spice.keys[:3] == ("spice", "spice-object", "spice-attribute")
    assert scores.shape == (400, 7)
    for row, detail in zip(scores, statistics.details):
        for value, counts in zip(row, detail.counts.values()):
            assert math.isnan(value) if math.isnan(counts.f) else value == counts.f


def test_no_caption_is_parsed_twice(
    samples: list[TokenisedSample], proposals: dict[str, Proposals]
) -> None:
    """Systems that share references, and blocks of a study, parse them once."""
    pipeline = Recorded(proposals)
    spice = Spice(pipeline)
    first, second = spice.count(samples[:9]), spice.count(samples[:9])

    assert len(pipeline.made) == len(set(pipeline.made))
    np.testing.assert_array_equal(first.rows, second.rows)


def test_captions_without_tuples_score_zero(spice: Spice) -> None:
    dog = [SemanticTuple(("dog",))]
    found = spice.count_graphs(
        images_of([1, "2", 3], [[], dog, []], [[dog], [[], []], [[]]])
    )

    assert found.image_ids == (1, "2", 3)
    assert [score.f for score in found.details] == [0.0, 0.0, 0.0]
    object_f = [score.counts["Object"].f for score in found.details]
    assert object_f == pytest.approx([0.0, math.nan, math.nan], nan_ok=True)
    corpus = spice.corpus_entry(found.rows.sum(axis=0), len(found.rows))["spice"]
    assert corpus["Object"]["images"] == 1
    assert (corpus["Color"]["f"], corpus["Color"]["images"]) == (None, 0)


def test_tuples_with_flags_on_request(spice: Spice) -> None:
    dog = [SemanticTuple(("dog",)), SemanticTuple(("dog", "red"))]
    found = spice.count_graphs(images_of([1], [dog], [[dog[:1]]]))

    entry = spice.image_entry(found.rows[0], found.details[0], tuples=True)["spice"]
    assert entry["candidate_tuples"] == [
        {"tuple": ["dog"], "matched": True},
        {"tuple": ["dog", "red"], "matched": False},
    ]
    assert (
        "candidate_tuples"
        not in spice.image_entry(found.rows[0], found.details[0])["spice"]
    )
    assert json.loads(json.dumps(entry)) == entry


def test_exact_spice_merges_nothing(
    samples: list[TokenisedSample],
    proposals: dict[str, Proposals],
    statistics: Statistics,
) -> None:
    exact = Spice(Recorded(proposals, synonyms="none"))
    found = exact.count(samples)

    assert exact.signature()["synonyms"] == "none"
    sizes = zip(statistics.details, found.details)
    assert all(len(a.reference) <= len(b.reference) for a, b in sizes)
    assert exact.corpus_scores(found.rows.sum(axis=0), 400)[0] < 0.482


def test_further_categories() -> None:
    material = Category("Material", 2, frozenset({"wooden"}))
    spice = Spice(categories=[material])
    table = [SemanticTuple(("table", "wooden"))]
    found = spice.count_graphs(images_of([1], [table], [[table]]))

    assert spice.keys[-1] == "spice-material"
    assert found.details[0].counts["Material"].f == 1.0
    with pytest.raises(GrammarError, match=r"'Color'.*taken"):
        Spice(categories=[Category("Color", 2)])


def test_unknown_options() -> None:
    with pytest.raises(InputError, match="bundled, nltk or none"):
        Spice(synonyms="wordnet")
    with pytest.raises(GrammarError, match=r"spice-1\.0"):
        Spice(grammar="spice-9")


def test_signature_says_what_can_change_the_numbers(spice: Spice) -> None:
    signature = spice.signature()

    assert list(signature)[:3] == ["metric", "grammar", "model"]
    assert signature["metric"] == "SPICE"
    assert signature["grammar"].startswith("spice-1.0@")
    assert signature["synonyms"] == "wordnet-3.0"
    assert signature["averaging"] == "macro"


def test_from_captions_alone(
    spice: Spice, samples: list[TokenisedSample], recorded: dict[str, Any]
) -> None:
    """The bundled parser lands near the original's score of the scenes."""
    found = spice.count(samples)

    score = spice.corpus_scores(found.rows.sum(axis=0), 400)[0]
    assert score == pytest.approx(recorded["corpus"], abs=0.02)
    alone = spice.count(samples[7:8])
    np.testing.assert_array_equal(alone.rows[0], found.rows[7])


def test_all_images_of_the_oracle(spice: Spice, shared: Path) -> None:
    """tp, fp, fn of 5,000 COCO images from the original's proposals."""
    folder = shared / "oracle" / "spice"
    made = {}
    with gzip.open(folder / "coco5k_captions.jsonl.gz", "rt") as lines:
        for row in map(json.loads, lines):
            made[row["caption"]] = [
                SemanticTuple((t[0], t[2], t[1]) if len(t) == 3 else tuple(t))
                for t in row["tuples"]
            ]
    rows = json.loads(gzip.decompress((folder / "coco5k_scores.json.gz").read_bytes()))
    found = spice.count_graphs(
        images_of(
            [row["image_id"] for row in rows],
            [made[row["test"]] for row in rows],
            [[made[text] for text in row["refs"]] for row in rows],
        )
    )

    wrong = [
        row["image_id"]
        for row, score in zip(rows, found.details)
        for name, values in score.to_dict().items()
        if any(values[key] != row["scores"][name][KEYS[key]] for key in KEYS)
    ]
    assert wrong == []


def test_a_pickled_score_is_small_and_whole(statistics: Statistics) -> None:
    score = max(statistics.details, key=lambda score: len(score.reference))
    matched, missing = score.matched, score.missing
    pickled = pickle.dumps(score)
    again = pickle.loads(pickled)

    assert len(pickled) <= 20_000
    assert again == score
    assert (again.matched, again.missing) == (matched, missing)
    assert again.lexicon.synonyms is score.lexicon.synonyms


def test_a_score_is_printed_in_one_line() -> None:
    score = spicepy.score("a dog", ["a dog runs"])

    assert repr(score) == "SpiceScore(0.6667: precision 1.0000, recall 0.5000)"


def test_a_pickled_metric_forgets_captions() -> None:
    spice = Spice()
    size = len(pickle.dumps(spice))
    rows = spice.count(DOGS).rows
    again = pickle.loads(pickle.dumps(spice))

    assert len(pickle.dumps(spice)) == size
    assert np.array_equal(again.count(DOGS).rows, rows)


DOGS = [TokenisedSample(1, "two dogs run", ("a dog runs", "two dogs"))]
