"""BLEU: coco-caption's numbers, nltk's smoothing, hand-made cases, invariants."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from nltk.translate.bleu_score import SmoothingFunction, sentence_bleu

from spicepy.common.errors import InputError
from spicepy.metrics.base import combine
from spicepy.metrics.ngrams.bleu import Bleu
from spicepy.tokenization.samples import TokenisedSample

few = settings(max_examples=25, deadline=None)
words = st.sampled_from(["a", "dog", "cat", "rides", "big", "red", "the", "horse"])
captions = st.lists(words, max_size=9).map(" ".join)
references = st.lists(captions, min_size=1, max_size=4).map(tuple)
pairs = st.lists(st.tuples(captions, references), min_size=1, max_size=4)


def samples_of(pairs):
    return [TokenisedSample(i, c, tuple(refs)) for i, (c, refs) in enumerate(pairs)]


def image_scores(metric, *pairs):
    return metric.image_scores(metric.count(samples_of(pairs)).rows)


def corpus(metric, samples):
    rows = metric.count(samples).rows
    return metric.corpus_scores(rows.sum(axis=0), len(rows))


def naive(images):
    """BLEU-1..4 of lists of (candidate, references), by the definition."""
    matched, total, length, closest = [0] * 4, [0] * 4, 0, 0
    for candidate, refs in images:
        own, others = candidate.split(), [ref.split() for ref in refs]
        length += len(own)
        closest += min((abs(len(o) - len(own)), len(o)) for o in others)[1]
        for n in range(1, 5):
            grams = grams_of(own, n)
            total[n - 1] += len(grams)
            for gram in set(grams):
                most = max(grams_of(other, n).count(gram) for other in others)
                matched[n - 1] += min(grams.count(gram), most)
    ratio = (length + 1e-15) / (closest + 1e-9)
    penalty = math.exp(1 - 1 / ratio) if ratio < 1 else 1.0
    shares = [(m + 1e-15) / (t + 1e-9) for m, t in zip(matched, total)]
    return [math.prod(shares[:n]) ** (1 / n) * penalty for n in range(1, 5)]


def grams_of(words, n):
    return [tuple(words[i : i + n]) for i in range(len(words) - n + 1)]


def test_clipped_counts_by_hand():
    """Papineni et al. (2002), example 2: "the" seven times matches twice."""
    scores = image_scores(
        Bleu(brevity_penalty=False),
        ("the the the the the the the", ["the cat is on the mat", "a cat on a mat"]),
    )
    assert scores[0, 0] == pytest.approx(2 / 7)


def test_the_shorter_of_two_equally_close_references_counts():
    rows = Bleu().count([TokenisedSample(1, "a b c", ("a b c d", "a b"))]).rows
    assert rows[0, 9] == 2


def test_brevity_penalty_can_be_left_out():
    scores = image_scores(Bleu(brevity_penalty=False), ("a dog", ["a dog runs far"]))
    assert scores[0, 0] == pytest.approx(1.0)
    with_penalty = image_scores(Bleu(), ("a dog", ["a dog runs far"]))
    assert with_penalty[0, 0] == pytest.approx(math.exp(-1))


@pytest.mark.parametrize(
    ("candidate", "refs", "bleu_1"),
    [("", ["a dog"], 0), ("", [""], 0), ("a dog", [""], 0), ("a", ["a", ""], 1)],
)
def test_empty_captions(candidate, refs, bleu_1):
    scores = image_scores(Bleu(), (candidate, refs))
    assert np.isfinite(scores).all()
    assert scores[0, 0] == pytest.approx(bleu_1, abs=1e-5)


def test_hundreds_of_references_and_long_captions():
    long = " ".join(str(i) for i in range(5000))
    scores = image_scores(Bleu(), (long, [long, *["a dog"] * 500]))
    assert scores[0] == pytest.approx(1.0)


def test_no_references_name_the_image():
    with pytest.raises(InputError, match="'x'"):
        Bleu().count([TokenisedSample("x", "a dog", ())])


@few
@given(pairs)
def test_equals_the_definition(pairs):
    scores = image_scores(Bleu(), *pairs)
    expected = [naive([pair]) for pair in pairs]
    np.testing.assert_allclose(scores, expected, rtol=1e-12, atol=1e-12)
    whole = corpus(Bleu(), samples_of(pairs))
    np.testing.assert_allclose(whole, naive(pairs), rtol=1e-12, atol=1e-12)


@few
@given(pairs)
def test_range_and_order_of_references(pairs):
    for metric in (Bleu(), Bleu(smoothing=3), Bleu(brevity_penalty=False)):
        scores = image_scores(metric, *pairs)
        assert ((scores >= 0) & (scores <= 1)).all()
        turned = [(c, refs[::-1]) for c, refs in pairs]
        assert (image_scores(metric, *turned) == scores).all()


@few
@given(pairs)
def test_duplicated_images_change_no_corpus_score(pairs):
    # Without a match of each order the tiny constants would show.
    pairs = [*pairs, ("a big red dog", ("a big red dog",))]
    once, twice = samples_of(pairs), samples_of(pairs + pairs)
    np.testing.assert_allclose(corpus(Bleu(), once), corpus(Bleu(), twice), atol=1e-6)


@few
@given(pairs)
def test_parts_combined_equal_the_whole(pairs):
    metric, samples = Bleu(), samples_of(pairs)
    parts = [metric.count(samples[:1]), metric.count(samples[1:])]
    parts = [part for part in parts if part.image_ids]
    assert (combine(parts).rows == metric.count(samples).rows).all()


@few
@given(st.lists(words, min_size=4, max_size=9).map(" ".join), references)
def test_identity(caption, others):
    scores = image_scores(Bleu(), (caption, [caption, *others]))
    assert scores[0] == pytest.approx(1.0)


@few
@given(st.lists(words, min_size=1, max_size=9), references)
def test_smoothing_3_is_nltks_from_four_words_on(candidate, refs):
    scores = image_scores(Bleu(smoothing=3), (" ".join(candidate), refs))[0]
    split = [ref.split() for ref in refs]
    orders = min(4, len(candidate))
    for n in range(1, orders + 1):
        smooth = SmoothingFunction().method3
        weights = (1 / n,) * n
        expected = sentence_bleu(split, candidate, weights, smooth)
        assert scores[n - 1] == pytest.approx(expected, abs=1e-12)
    # Orders that do not exist add nothing (Wang and Gaizauskas 2016, footnote 4).
    assert (scores[orders:] == scores[orders - 1]).all()


def test_smoothing_3_by_hand():
    """Matches 2/3, then 0/2 and 0/1: the misses count 1/2 and 1/4 matches."""
    scores = image_scores(Bleu(smoothing=3), ("a dog x", ["dog a y"]))[0]
    assert scores[0] == pytest.approx(2 / 3)
    assert scores[1] == pytest.approx((2 / 3 * 1 / 4) ** (1 / 2))
    assert scores[2] == pytest.approx((2 / 3 * 1 / 4 * 1 / 4) ** (1 / 3))
    assert scores[3] == scores[2]


@pytest.mark.parametrize("method", [1, 2, 4, 5, 6, 7])
def test_other_smoothing_is_nltks(method):
    candidate, refs = "a dog on the big red mat", ["a big dog on a mat", "the dog"]
    metric = Bleu(smoothing=method)
    shared = [*refs, "a dog on the mat"]
    scores = image_scores(metric, (candidate, shared), ("", refs), ("x y", refs))
    smooth = getattr(SmoothingFunction(), f"method{method}")
    split = [ref.split() for ref in shared]
    expected = sentence_bleu(split, candidate.split(), smoothing_function=smooth)
    assert scores[0, 3] == pytest.approx(expected)
    assert (scores[1:] == 0).all()
    assert metric.keys[3] == f"bleu-4-smooth-{method}"


def test_smoothing_6_needs_a_shared_trigram():
    assert (image_scores(Bleu(smoothing=6), ("a dog", ["a dog"])) == 0).all()


def test_wrong_options():
    with pytest.raises(InputError, match="1 to 7"):
        Bleu(smoothing=8)
    with pytest.raises(InputError, match="penalty"):
        Bleu(smoothing=1, brevity_penalty=False)
