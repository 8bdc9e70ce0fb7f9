"""How error messages show values and suggest names."""

from dataclasses import replace
from pathlib import Path

import pytest

from spicepy import evaluate
from spicepy.common.errors import (
    InputError,
    SpicepyWarning,
    brief,
    is_out_of_memory,
    nearest,
    unknown,
)
from spicepy.evaluation.comparison import compare
from spicepy.metrics.ngrams.cider import Cider
from spicepy.metrics.significance import bootstrap
from spicepy.study.accuracy import pairs
from spicepy.study.correlation import correlate
from spicepy.study.datasets import Judgment
from spicepy.study.leave_one_out import loocv
from spicepy.study.preferences import read_pairs
from spicepy.study.scoring import gibberish


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "null"),
        (True, "true"),
        ([None, False, "a"], "[null, false, 'a']"),
        ({"refs": None}, "{'refs': null}"),
        ("a\nb\ud800", r"'a\nb\ud800'"),
        (1.5, "1.5"),
        (-12, "-12"),
    ],
)
def test_values_are_shown_as_in_json(value: object, text: str) -> None:
    assert brief(value) == text


def test_no_value_takes_more_than_its_limit() -> None:
    deep: list[object] = []
    for _ in range(100_000):
        deep = [deep]
    for value in ("x" * 10**6, ["x" * 150] * 9, 10**5000, deep, {1: "y" * 999}):
        assert len(brief(value)) <= 200
    assert len(brief("abc" * 99, limit=20)) == 20
    assert brief("abc" * 99).endswith("…")
    assert "5000 digits" in brief(10**5000)


def test_a_wrong_name_is_answered_by_the_nearest() -> None:
    assert nearest("blu", ["bleu", "spice"]) == "; did you mean 'bleu'?"
    message = str(unknown("score", "bleu4", [f"bleu-{n}" for n in range(1, 100)]))
    assert message.startswith("unknown score 'bleu4'; did you mean 'bleu-4'?")
    assert len(message) < 500
    assert str(unknown("score", "zz", [])).endswith("there are none")


def test_results_name_the_keys_there_are(fixtures: Path) -> None:
    captions = {"x": ("a dog", "a cat"), "y": ("c dog", "d")}
    found = loocv(captions, metrics=["bleu"])
    preferences, _ = read_pairs(fixtures / "pairs.jsonl")
    accuracies = pairs(preferences, metrics=["bleu"])
    samples = [{"image_id": 1, "test": "a dog", "refs": ["a dog"]}]
    evaluated = evaluate(samples, ["bleu"])
    statistics = evaluated.measured[0].statistics
    intervals = bootstrap(evaluated.measured[0].metric, statistics, samples=2)
    for wrong in (
        lambda: found.summary("nokey"),
        lambda: found.summary("bleu-1", "nobound"),
        lambda: found.rank_correlations[0].between("bleu-4", "nokey"),
        lambda: accuracies.accuracy("nokey"),
        lambda: accuracies.accuracy("bleu-1", "nocategory"),
        lambda: accuracies.accuracy("bleu-1", references=7),
        lambda: intervals["nokey"],
        lambda: evaluated.corpus_score("nokey"),
    ):
        with pytest.raises(InputError, match=r"^unknown .*; .*hoose from: "):
            wrong()
    with pytest.raises(InputError, match="bleu-1, bleu-2, bleu-3, bleu-4"):
        found.summary("nokey")


@pytest.mark.parametrize("seed", [-1, 1.5])
def test_seeds_are_checked_before_the_work(seed: int, fixtures: Path) -> None:
    preferences, _ = read_pairs(fixtures / "pairs.jsonl")
    samples = [{"image_id": 1, "test": "a dog", "refs": ["a dog"]}]
    for start in (
        lambda: pairs(preferences, metrics=[], seed=seed),
        lambda: loocv({}, metrics=[], seed=seed),
        lambda: compare({"a": evaluate(samples, ["bleu"])}, seed=seed),
        lambda: correlate([Judgment(1, "a", ("a",), {})], metrics=[], seed=seed),
    ):
        with pytest.raises(InputError, match="seed is"):
            start()


def test_numbers_of_references_that_no_pair_has(fixtures: Path) -> None:
    preferences, _ = read_pairs(fixtures / "pairs.jsonl")
    few = [preferences[0], replace(preferences[1], references=("one dog of many",))]
    with pytest.raises(InputError, match="references is 50, but a pair has at most"):
        pairs(preferences, metrics=["bleu"], references=[1, 50])

    protocol = pairs(few, metrics=["bleu"], references=[1, 2]).protocol
    assert protocol["pairs with fewer references"] == (
        "1 of 2 have fewer than 2: all of theirs are used"
    )


def test_sizes_have_limits() -> None:
    for words in (0, -5, 1001):
        with pytest.raises(InputError, match="1 to 1000"):
            gibberish(words)
    long = {"image_id": 1, "test": "dog " * 250_000, "refs": ["a dog"]}
    with pytest.raises(InputError, match="250,000 words; METEOR aligns at most 2,000"):
        evaluate([long], ["meteor"])


@pytest.mark.parametrize("name", ["cider", "CIDEr", " CIDER "])
def test_naming_cider_says_which_it_is(name: str) -> None:
    sample = {"image_id": 1, "test": "a dog", "refs": ["a dog"]}

    with pytest.warns(SpicepyWarning, match="cider-d") as said:
        found = evaluate([sample], [name])

    assert "cider-d" in found.warnings[0]
    assert [one.filename for one in said if "coco-caption" in str(one.message)] == [
        __file__
    ]


def test_other_names_say_nothing(recwarn: pytest.WarningsRecorder) -> None:
    samples = [
        {"image_id": 1, "test": "a dog", "refs": ["a dog"]},
        {"image_id": 2, "test": "a cat", "refs": ["a cat"]},
    ]

    assert not evaluate(samples, ["cider-d", "cider-n"]).warnings
    assert not evaluate(samples, [Cider()]).warnings
    assert not recwarn.list


def test_python_may_forget_to_say_that_it_got_no_memory() -> None:
    assert is_out_of_memory(SystemError("error return without exception set"))
    assert not is_out_of_memory(SystemError("bad argument to internal function"))
