"""Leave-one-out against its naive definition, and its bounds."""

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from toys import Overlap

from spicepy.captions.sample import Sample
from spicepy.common.errors import InputError, ResourceError
from spicepy.metrics.ngrams.cider import Cider
from spicepy.metrics.ngrams.frequencies import DocumentFrequencies
from spicepy.study import scoring as bounds
from spicepy.study.datasets import read_dataset, read_sentences
from spicepy.study.leave_one_out import UPPER, loocv, make_folds
from spicepy.tokenization.ptb import tokenize

CAPTIONS = {
    "a": ("A dog runs.", "A big dog runs", "One dog"),
    7: ("Two cats", "A cat sleeps"),
}


@pytest.fixture(scope="module")
def dataset(fixtures: Path) -> dict:
    return read_dataset(fixtures / "loocv.json")


def test_scores_equal_the_naive_definition(dataset: dict) -> None:
    """One metric call a fold, captions tokenised one by one, plain numpy after."""
    result = loocv(dataset, metrics=[Overlap()])
    naive, means, spreads = [], [], []
    for captions in dataset.values():
        words = [tokenize([caption])[0] for caption in captions]
        scores = []
        for k, candidate in enumerate(words):
            sample = Sample(0, candidate, tuple(words[:k] + words[k + 1 :]))
            row = Overlap().count([sample]).rows
            scores.append(float(Overlap().image_scores(row)[0, 0]))
        naive += scores
        means.append(np.mean(scores))
        spreads.append(np.std(scores, ddof=1))
    found = result.summary("overlap")

    assert result.scores[UPPER][:, 0].tolist() == naive
    assert found.micro == pytest.approx(np.mean(naive))
    assert found.macro == pytest.approx(np.mean(means))
    assert found.sd == pytest.approx(np.std(naive, ddof=1))
    assert (found.median, found.min, found.max) == (
        pytest.approx(np.median(naive)),
        min(naive),
        max(naive),
    )
    assert found.image_sd == pytest.approx(np.mean(spreads))
    assert found.image_sd_sd == pytest.approx(np.std(spreads, ddof=1))
    assert (found.captions, found.images) == (20, 4)


@pytest.mark.parametrize("damped", [False, True])
@pytest.mark.parametrize("stemming", [False, True])
@pytest.mark.parametrize("references", [None, 2])
def test_corrected_cider_equals_frequencies_counted_for_each_fold(
    dataset: dict, damped: bool, stemming: bool, references: int | None
) -> None:
    """For every fold, all captions but the left-out one are counted anew."""
    lower = [bounds.random_caption(), bounds.gibberish()]
    result = loocv(
        dataset,
        metrics=[Cider(damped=damped, stemming=stemming)],
        bounds=lower,
        references=references,
        corrected=True,
        seed=3,
    )
    words = {i: tuple(tokenize(list(own))) for i, own in dataset.items()}
    folds = make_folds(words, seed=3, references=references)
    places = [(fold.image_id, fold.position) for fold in folds]
    columns = [b.replacements(words, places, 3) for b in lower]
    for bound, candidates in zip(
        result.scores, [[f.left_out for f in folds], *columns], strict=True
    ):
        naive = []
        for fold, candidate in zip(folds, candidates, strict=True):
            rest = {**words, fold.image_id: fold.others}
            counted = DocumentFrequencies.of(
                [Sample(i, "", own) for i, own in rest.items()], stemming=stemming
            )
            metric = Cider(damped=damped, stemming=stemming, frequencies=counted)
            sample = Sample(0, candidate, fold.references)
            naive.append(float(metric.count([sample]).rows[0, 0]))

        assert result.scores[bound][:, 0].tolist() == naive
    whole = loocv(
        dataset,
        metrics=[Cider(damped=damped, stemming=stemming)],
        references=references,
        seed=3,
    )
    assert whole.summary(result.keys[0]).micro > result.summary(result.keys[0]).micro


def test_numbers_by_hand() -> None:
    """a: 3/3 (a, dog, runs), 3/4, 1/2; 7: 0/2, 0/3."""
    result = loocv(CAPTIONS, metrics=[Overlap()])
    found = result.summary("overlap")

    assert result.scores[UPPER][:, 0].tolist() == [1, 0.75, 0.5, 0, 0]
    assert found.micro == pytest.approx(2.25 / 5)
    assert found.macro == pytest.approx((0.75 + 0) / 2)
    assert result.folds == (("a", 0), ("a", 1), ("a", 2), (7, 0), (7, 1))


def test_undefined_scores_are_left_out_and_counted() -> None:
    result = loocv({1: ("dog", "a dog", "cat")}, metrics=[Overlap()])

    assert result.summary("length").captions == 1
    assert result.summary("length").micro == 2
    assert np.isnan(result.summary("length").sd)
    assert result.to_dict()["summaries"][1]["sd"] is None


def test_lower_bounds_never_take_the_own_image(dataset: dict) -> None:
    words = {i: tuple(tokenize(list(own))) for i, own in dataset.items()}
    folds = [(i, k) for i, own in words.items() for k in range(len(own))] * 20
    drawn = bounds.random_caption().replacements(words, folds, seed=1)

    assert all(c not in words[i] for c, (i, _) in zip(drawn, folds, strict=True))
    assert len(set(drawn)) == 20


def test_gibberish_has_the_length_and_the_words_of_its_text() -> None:
    words = {1: ("a a b", "a a a"), 2: ("a a a a a",)}
    folds = [(1, 0)] * 2000
    average = bounds.gibberish().replacements(words, folds, seed=1)
    other = bounds.gibberish(10, "x", ["Cats!", "dogs"]).replacements(words, folds, 1)
    counted = " ".join(average).split()

    assert {len(c.split()) for c in average} == {4}
    assert counted.count("b") / len(counted) == pytest.approx(1 / 11, abs=0.02)
    assert {len(c.split()) for c in other} == {10}
    assert set(" ".join(other).split()) == {"cats", "dogs"}


def test_short_sentences_are_left_out() -> None:
    lines = ["Too short.", "a b c d e", "This sentence is long enough."]
    bound = bounds.sentences("text", lines)

    assert set(bound.replacements({}, [(1, 0)] * 9, 1)) == {
        "this sentence is long enough"
    }
    with pytest.raises(InputError, match="text: no sentence of at least 5 words"):
        bounds.sentences("text", lines[:2])


def test_lower_bounds_are_below_the_upper_one(dataset: dict) -> None:
    lower = [
        bounds.random_caption(),
        bounds.gibberish(),
        bounds.other_set("other", CAPTIONS),
        bounds.sentences("text", ["None of these words is there."]),
    ]
    result = loocv(dataset, metrics=[Overlap()], bounds=lower)
    best = result.summary("overlap").micro

    assert list(result.scores) == [UPPER, *(b.name for b in lower)]
    assert all(result.summary("overlap", b.name).micro < best for b in lower)
    assert lower[0].source in result.protocol.values()


def test_a_bound_does_not_depend_on_the_others(dataset: dict) -> None:
    both = [bounds.random_caption(), bounds.gibberish()]
    alone = loocv(dataset, metrics=[Overlap()], bounds=both[1:])
    together = loocv(dataset, metrics=[Overlap()], bounds=both)
    name = both[1].name

    assert np.array_equal(alone.scores[name], together.scores[name], equal_nan=True)


def test_the_seed_decides_every_draw(dataset: dict) -> None:
    def run(seed: int) -> dict:
        lower = [bounds.random_caption()]
        options = {"bounds": lower, "references": 2, "images": 3, "seed": seed}
        return loocv(dataset, metrics=[Overlap()], **options).to_dict()

    assert run(1) == run(1)
    assert run(1)["summaries"] != run(2)["summaries"]


@given(st.integers(1, 5), st.integers(0, 99))
def test_folds_with_fewer_references(count: int, seed: int) -> None:
    captions = {1: tuple("abcdef"), 2: tuple("gh"), 3: tuple("i")}
    folds = make_folds(captions, seed=seed, references=count)

    assert {f.image_id for f in folds} == ({1, 2} if count == 1 else {1})
    for fold in folds:
        assert len(fold.references) == count
        assert fold.left_out not in fold.references
        assert list(fold.references) == sorted(fold.references)


def test_rank_correlations_per_image_and_caption(dataset: dict) -> None:
    result = loocv(dataset, metrics=[Overlap()], coefficients=["kendall-b", "spearman"])
    levels = [(m.level, m.coefficient) for m in result.rank_correlations]

    assert levels == [
        ("image", "kendall-b"),
        ("caption", "kendall-b"),
        ("image", "spearman"),
        ("caption", "spearman"),
    ]
    assert result.rank_correlations[0].between("overlap", "overlap") == 1


def test_bad_options_are_named() -> None:
    with pytest.raises(InputError, match="no image has 2 captions or more"):
        loocv({1: ("a dog",)}, metrics=[Overlap()])
    with pytest.raises(InputError, match="image 2: found 'a dog'; a list of captions"):
        loocv({1: ("a", "b"), 2: "a dog"}, metrics=[Overlap()])
    with pytest.raises(InputError, match="references is 0"):
        loocv(CAPTIONS, metrics=[Overlap()], references=0)
    with pytest.raises(InputError, match="known: kendall-b"):
        loocv(CAPTIONS, metrics=[Overlap()], coefficients=["tau"])
    with pytest.raises(InputError, match="given twice"):
        loocv(CAPTIONS, metrics=[Overlap()], bounds=[bounds.gibberish()] * 2)
    with pytest.raises(InputError, match="no other image"):
        loocv({1: ("a", "b")}, metrics=[Overlap()], bounds=[bounds.random_caption()])


def test_data_sets_pool_candidates_and_references(tmp_path: Path) -> None:
    path = tmp_path / "set.json"
    path.write_text(json.dumps([{"image_id": 1, "test": "a", "refs": ["b", "c"]}]))
    table = tmp_path / "set.csv"
    table.write_text("image_id,caption\n1,a\n1,b\n2,c\n")
    wrong = tmp_path / "wrong.json"
    wrong.write_text('[{"image_id": 1, "text": "a"}]')

    assert read_dataset(path) == {1: ("a", "b", "c")}
    assert read_dataset(table) == {1: ("a", "b"), 2: ("c",)}
    with pytest.raises(InputError, match=r"wrong.json, entry 1 .*no 'caption'"):
        read_dataset(wrong)


def test_a_missing_brown_corpus_says_how_to_get_it(monkeypatch) -> None:
    monkeypatch.setattr("nltk.data.path", [])
    with pytest.raises(ResourceError, match=r"nltk\.downloader brown"):
        read_sentences("brown")
