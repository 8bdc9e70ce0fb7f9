"""ROUGE: coco-caption's ROUGE-L, Lin's definitions and examples, invariants."""

from collections import Counter
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spicepy.common.errors import InputError
from spicepy.metrics.base import combine
from spicepy.metrics.ngrams.rouge import Rouge, RougeL
from spicepy.tokenization.samples import TokenisedSample

KINDS = ("1", "2", "3", "4", "l", "w", "s", "su")
few = settings(max_examples=25, deadline=None)
words = st.sampled_from(["a", "dog", "cat", "rides", "big", "red"])
captions = st.lists(words, max_size=8).map(" ".join)
references = st.lists(captions, min_size=1, max_size=4).map(tuple)


def scores(metric, candidate, refs):
    return metric.count([TokenisedSample(1, candidate, tuple(refs))]).rows[0].tolist()


def units(kind, words):
    """The units of a caption by Lin's definitions."""
    if kind.isdigit():
        n = int(kind)
        return Counter(tuple(words[i : i + n]) for i in range(len(words) - n + 1))
    pairs = combinations(range(len(words)), 2)
    found = Counter((words[i], words[j]) for i, j in pairs if j - i - 1 <= 4)
    return found + Counter(words) if kind == "su" else found


def lcs(a, b):
    table = [[0] * (len(b) + 1) for _ in range(len(a) + 1)]
    for i, x in enumerate(a):
        for j, y in enumerate(b):
            best = max(table[i][j + 1], table[i + 1][j])
            table[i + 1][j + 1] = table[i][j] + 1 if x == y else best
    return table[-1][-1]


def naive(kind, candidate, reference, beta=None):
    """(F, precision, recall) against one reference."""
    a, b = candidate.split(), reference.split()
    if kind == "l":
        shared, own, total, beta = lcs(a, b), len(a), len(b), 1.2
    else:
        x, y = units(kind, a), units(kind, b)
        shared, own, total, beta = (x & y).total(), x.total(), y.total(), 1
    p, r = shared / own if own else 0.0, shared / total if total else 0.0
    f = (1 + beta**2) * p * r / (r + beta**2 * p) if p and r else 0.0
    return f, p, r


def test_lins_skip_bigrams_by_hand():
    """Lin (2004), section 5: police kill the gunman; 3 of 6 skip bigrams shared."""
    metric = Rouge("s")
    reference = "police killed the gunman"
    assert scores(metric, "police kill the gunman", [reference])[0] == 0.5
    found = scores(metric, "the gunman kill police", [reference])
    assert found[0] == pytest.approx(1 / 6)
    assert scores(metric, "the gunman police killed", [reference])[0] == pytest.approx(
        1 / 3
    )


def test_lins_weighted_subsequence_by_hand():
    """Lin (2004), section 4: in a row beats apart, though both share 4 words."""
    metric, reference = Rouge("w", weight=2), "a b c d e f g"
    in_row = scores(metric, "a b c d h i k", [reference])
    apart = scores(metric, "a h b k c i d", [reference])
    assert in_row[0] == pytest.approx(0.571, abs=5e-4)
    assert apart[0] == pytest.approx(0.286, abs=5e-4)


def test_coco_mixes_references_and_lin_does_not():
    refs = ["a dog", "a dog b c d x y z"]
    assert scores(RougeL(), "a dog b c d", refs) == [1.0]
    assert scores(Rouge("l"), "a dog b c d", refs)[0] < 1


def test_jackknife_by_hand():
    """Best 1, second best 1/2, worst 0: without the best 1/2, else 1."""
    refs = ["a b", "a c", "x y"]
    assert scores(Rouge("1", references="jackknife"), "a b", refs)[0] == 2.5 / 3
    assert scores(Rouge("1", references="average"), "a b", refs)[0] == 0.5
    assert scores(Rouge("1", references="jackknife"), "a b", ["a b"])[0] == 1


def test_keys():
    keys = [Rouge(kind).keys[0] for kind in KINDS]
    assert keys[4:] == ["rouge-l-lin", "rouge-w-1.2", "rouge-s4", "rouge-su4"]
    assert Rouge("2", references="jackknife").keys[1] == "rouge-2-jackknife-precision"


@pytest.mark.parametrize("kind", KINDS)
def test_empty_captions_score_0(kind):
    for candidate, reference in (("", "a dog"), ("a dog", ""), ("", "")):
        assert scores(Rouge(kind), candidate, [reference]) == [0, 0, 0]


def test_coco_takes_an_empty_caption_for_an_empty_word():
    assert scores(RougeL(), "", [""]) == [1.0]
    assert scores(RougeL(), "", ["a dog"]) == [0.0]


def test_rouge_l_cuts_at_single_spaces_only():
    odd = "west 25\u00a01/2 street"
    assert scores(RougeL(), odd, ["west 25 1/2 street"]) == pytest.approx(
        [naive("l", "w 25_1/2 s", "w 25 1/2 s")[0]]
    )
    assert scores(Rouge("l"), odd, ["west 25 1/2 street"])[0] == 1


def test_long_captions_equal_short_steps():
    rng = np.random.default_rng(1)
    a, b = (" ".join(map(str, rng.integers(0, 9, 150))) for _ in range(2))
    for x, y in ((a, b), (a, b[:40]), (a[:127], b), (a[:129], b)):
        assert scores(Rouge("l"), x, [y]) == pytest.approx(naive("l", x, y))


def test_wrong_options():
    with pytest.raises(InputError, match="kind"):
        Rouge("5")
    with pytest.raises(InputError, match="max, average or jackknife"):
        Rouge("1", references="best")  # type: ignore[arg-type]
    with pytest.raises(InputError, match="beta"):
        RougeL(beta=0)
    with pytest.raises(InputError, match="no references"):
        RougeL().count([TokenisedSample(1, "a", ())])


@few
@given(captions, references)
def test_equals_the_definition(candidate, refs):
    for kind in ("1", "2", "4", "l", "s", "su"):
        each = [naive(kind, candidate, reference) for reference in refs]
        best = max(each, key=lambda x: (x[0], x[2], x[1]))
        assert scores(Rouge(kind), candidate, refs) == pytest.approx(best)
        mean = np.mean(each, axis=0)
        found = scores(Rouge(kind, references="average"), candidate, refs)
        assert found == pytest.approx(mean)


@few
@given(captions, references)
def test_coco_rouge_l_equals_the_definition(candidate, refs):
    each = [naive("l", candidate or "_", reference or "_") for reference in refs]
    p, r = (max(x[i] for x in each) for i in (1, 2))
    expected = (1 + 1.2**2) * p * r / (r + 1.2**2 * p) if p and r else 0.0
    assert scores(RougeL(), candidate, refs) == pytest.approx([expected])


@few
@given(st.lists(words, min_size=4, max_size=9).map(" ".join), references)
def test_identity_range_and_order(caption, others):
    for kind in KINDS:
        found = scores(Rouge(kind), caption, [caption, *others])
        assert found == pytest.approx([1, 1, 1])
        found = scores(Rouge(kind), caption, others)
        assert all(0 <= x <= 1 for x in found)
        assert scores(Rouge(kind), caption, others[::-1]) == found


def test_parts_combined_equal_the_whole():
    samples = [TokenisedSample(i, "a b" * i, ("a b c", "b" * i)) for i in range(5)]
    for metric in (RougeL(), *map(Rouge, KINDS)):
        parts = combine([metric.count(samples[:2]), metric.count(samples[2:])])
        assert (parts.rows == metric.count(samples).rows).all()
