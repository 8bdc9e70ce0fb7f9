"""CIDEr and CIDEr-D: coco-caption's numbers, the definitions, frequencies."""

import json
import math
import warnings
from collections import Counter
from itertools import product

import numpy as np
import pytest
from doors import app
from hypothesis import given, settings
from hypothesis import strategies as st
from nltk.stem.porter import PorterStemmer
from typer.testing import CliRunner

from spicepy.common.errors import InputError, SpicepyWarning
from spicepy.common.settings import MetricOptions
from spicepy.evaluation.options import resolve
from spicepy.metrics.base import combine
from spicepy.metrics.ngrams import grams as ngrams
from spicepy.metrics.ngrams.cider import Cider
from spicepy.metrics.ngrams.frequencies import DocumentFrequencies, save_frequencies
from spicepy.tokenization.samples import TokenisedSample

few = settings(max_examples=25, deadline=None)
words = st.sampled_from(["a", "dog", "dogs", "rides", "riding", "big", "red"])
captions = st.lists(words, max_size=8).map(" ".join)
references = st.lists(captions, min_size=1, max_size=3).map(tuple)
images = st.lists(st.tuples(captions, references), min_size=2, max_size=4)


def samples_of(pairs):
    return [TokenisedSample(i, c, tuple(refs)) for i, (c, refs) in enumerate(pairs)]


def grams(words, n):
    return Counter(tuple(words[i : i + n]) for i in range(len(words) - n + 1))


def naive(pairs, *, damped=True, orders="mean", most=False, idf=True, scale=10.0):
    """Scores by Vedantam et al. (2015), equations 1-5, and the variants."""
    stem = (lambda word: word) if damped else PorterStemmer().stem
    cut = [
        ([stem(w) for w in c.split()], [[stem(w) for w in r.split()] for r in refs])
        for c, refs in pairs
    ]
    found = []
    for candidate, refs in cut:
        by_order = []
        for n in range(1, 5):
            seen = Counter(
                gram
                for _, others in cut
                for gram in {g for other in others for g in grams(other, n)}
            )

            def weigh(words, n=n, seen=seen):
                return {
                    gram: count
                    * (math.log(len(cut) / max(1, seen[gram])) if idf else 1)
                    for gram, count in grams(words, n).items()
                }

            likeness = []
            for ref in refs:
                x, y = weigh(candidate), weigh(ref)
                clip = min if damped else lambda own, other: own
                top = sum(clip(x[g], y[g]) * y[g] for g in x.keys() & y.keys())
                below = math.hypot(*x.values()) * math.hypot(*y.values())
                apart = max(len(candidate) - 1, 0) - max(len(ref) - 1, 0)
                penalty = math.exp(-(apart**2) / 72) if damped else 1.0
                likeness.append(top / below * penalty if below else 0.0)
            by_order.append(max(likeness) if most else sum(likeness) / len(refs))
        if orders == "exp":
            some = any(by_order)
            by_order = [some and math.prod(max(x, 1e-9) for x in by_order) ** (1 / 4)]
        elif orders == "mean":
            by_order = [sum(by_order) / 4]
        found.append([scale * score for score in by_order])
    return found


@pytest.mark.parametrize("orders", ["mean", "exp", "separate"])
@few
@given(images)
def test_every_variant_equals_the_definition(orders, pairs):
    for damped, references, idf in product((True, False), ("mean", "max"), (1, 0)):
        metric = Cider(
            damped=damped, orders=orders, references=references, idf=bool(idf)
        )
        expected = naive(
            pairs, damped=damped, orders=orders, most=references == "max", idf=idf
        )
        rows = metric.count(samples_of(pairs)).rows
        np.testing.assert_allclose(rows, expected, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_one_length_of_ngrams_alone(n: int) -> None:
    """ "a red bus" against "a red car" shares 2 of 3 words and 1 of 2 bigrams.

    Every n-gram weighs the same without idf, so the cosines are 2/3, 1/2, 0 and 0.
    """
    samples = samples_of([("a red bus", ["a red car"])])
    alone = Cider(damped=False, orders=n, idf=False, scale=1.0)

    assert alone.keys == (f"cider-no-idf-raw-{n}",)
    assert alone.count(samples).rows[0] == pytest.approx([(2 / 3, 1 / 2, 0, 0)[n - 1]])
    assert alone.signature()["orders"] == str(n)
    [by_name] = resolve([f"cider-{n}"])
    assert by_name.keys == (f"cider-{n}",)


def test_the_geometric_mean_survives_a_missing_length() -> None:
    """Cosines of 2/3, 1/2, 0 and 0: (1/3 * 1e-18) ** (1/4); of no common word: 0."""
    samples = samples_of([("a red bus", ["a red car"]), ("a cat", ["no dog"])])
    metric = Cider(damped=False, orders="exp", idf=False, scale=1.0)

    rows = metric.count(samples).rows[:, 0]
    np.testing.assert_allclose(rows, [(1 / 3 * 1e-18) ** 0.25, 0], rtol=1e-9)


@few
@given(images)
def test_range_order_and_duplicated_images(pairs):
    for metric in (Cider(), Cider(damped=False)):
        rows = metric.count(samples_of(pairs)).rows
        assert ((rows >= 0) & (rows <= 10 + 1e-9)).all()
        turned = [(c, refs[::-1]) for c, refs in pairs]
        same = metric.count(samples_of(turned)).rows
        np.testing.assert_allclose(same, rows, atol=1e-12)
        # An n-gram that no reference has counts as seen once in either corpus.
        pairs = [*pairs, ("", tuple(c for c, _ in pairs))]
        rows = metric.count(samples_of(pairs)).rows
        twice = metric.count(samples_of(pairs + pairs)).rows[: len(pairs)]
        np.testing.assert_allclose(twice, rows, atol=1e-12)


def test_identity_scores_10():
    pairs = [("a big red dog", ["a big red dog"]), ("x y z w", ["x y z w"])]
    for damped in (True, False):
        rows = Cider(damped=damped).count(samples_of(pairs)).rows
        np.testing.assert_allclose(rows, 10)


def test_keys_and_raw():
    pairs = samples_of([("a dog", ["a dog runs"]), ("x", ["y"])])
    assert Cider(damped=False, references="max", idf=False).keys == (
        "cider-max-no-idf",
    )
    assert Cider(orders="separate").keys[3] == "cider-d-4"
    raw, scaled = Cider(scale=1), Cider()
    assert raw.keys == ("cider-d-raw",)
    np.testing.assert_allclose(raw.count(pairs).rows * 10, scaled.count(pairs).rows)


def test_only_cider_stems():
    pairs = samples_of([("dogs riding", ["dog rides"]), ("x", ["y"])])
    assert Cider().count(pairs).rows[0] == 0
    assert Cider(damped=False).count(pairs).rows[0] == pytest.approx(5)


@pytest.mark.parametrize(("candidate", "refs"), [("", ["a"]), ("a", [""]), ("", [""])])
def test_empty_captions_score_0(candidate, refs):
    pairs = samples_of([(candidate, refs), ("x", ["y"])])
    assert (Cider().count(pairs).rows == 0).all()


def test_one_image_warns():
    sample = [TokenisedSample(1, "a dog", ("a dog",))]
    with pytest.warns(SpicepyWarning, match="one image"):
        assert Cider().count(sample).rows == 0
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        more = DocumentFrequencies.of(
            [TokenisedSample(i, "", (c,)) for i, c in enumerate("abc")]
        )
        assert Cider(frequencies=more).count(sample).rows == pytest.approx(5)
        assert Cider(idf=False).count(sample).rows == pytest.approx(5)


@few
@given(images, st.booleans())
def test_parts_with_merged_frequencies_equal_the_whole(pairs, damped):
    samples = samples_of(pairs)
    first, second = samples[:1], samples[1:]
    stemming = not damped
    merged = DocumentFrequencies.of(first, stemming=stemming).merge(
        DocumentFrequencies.of(second, stemming=stemming)
    )
    metric = Cider(damped=damped, frequencies=merged)
    parts = combine([metric.count(first), metric.count(second)])
    whole = Cider(damped=damped).count(samples).rows
    np.testing.assert_allclose(parts.rows, whole, rtol=0, atol=1e-12)


def test_chunks_equal_the_whole(monkeypatch):
    samples = samples_of([(f"a dog {i % 3}", (f"a dog {i % 5}",)) for i in range(20)])
    whole = [Cider(damped=damped).count(samples).rows for damped in (True, False)]
    monkeypatch.setattr(ngrams, "CHUNK", 7)
    for damped, rows in zip((True, False), whole):
        np.testing.assert_allclose(Cider(damped=damped).count(samples).rows, rows)


def test_many_bits_take_the_longer_way(monkeypatch):
    pairs = samples_of([("a b c d e", ("a b c d", "e d c b a")), ("x", ("b c d",))])
    expected = Cider().count(pairs).rows
    monkeypatch.setattr(ngrams, "_COMPACT", 0)
    ngrams._LAST.clear()
    assert (Cider().count(pairs).rows == expected).all()


@pytest.mark.parametrize("name", ["df.json", "df.json.gz"])
@pytest.mark.parametrize("stemming", [False, True])
def test_frequencies_survive_a_file(tmp_path, name, stemming):
    pairs = samples_of([("dogs ride", ("a dog rides on", "so dogs")), ("x", ("a y",))])
    counted = DocumentFrequencies.of(pairs, stemming=stemming, name="two")
    counted.save(tmp_path / name)
    loaded = DocumentFrequencies.load(tmp_path / name)
    assert loaded.as_mapping() == counted.as_mapping()
    assert loaded.as_mapping()["a"] == 2
    assert loaded.label == counted.label
    assert loaded.label.startswith("two(2 images, ")
    used = Cider(damped=not stemming, frequencies=loaded).count(pairs).rows
    own = Cider(damped=not stemming).count(pairs).rows
    np.testing.assert_allclose(used, own, atol=1e-12)


def test_a_file_may_hold_words_and_stems(tmp_path):
    pairs = samples_of([("dogs", ("two dogs",)), ("x", ("a dog",))])
    plain = DocumentFrequencies.of(pairs, name="both")
    stemmed = DocumentFrequencies.of(pairs, stemming=True, name="both")
    save_frequencies(tmp_path / "df.json", plain, stemmed)
    for metric in resolve(
        ["cider", "cider-d"], MetricOptions(frequencies=tmp_path / "df.json")
    ):
        assert metric.signature()["idf"].startswith("both(2 images")
    plain.save(tmp_path / "plain.json")
    with pytest.raises(InputError, match='no "stemmed-frequencies"'):
        DocumentFrequencies.load(tmp_path / "plain.json", stemming=True)
    with pytest.raises(InputError, match="cannot be written"):
        plain.save(tmp_path / "no" / "df.json")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("{", "invalid JSON"),
        ("{}", "not document frequencies"),
        ({"images": 0}, '"images" is 0; must be 1 to'),
        ({"images": 10**400}, "must be 1 to 9,007,199,254,740,992"),
        ({"name": ["x"]}, "\"name\" is ['x']; must be a text"),
        ('{"a": 1, "a": 1}', "the key 'a' occurs twice"),
        ({"frequencies": 1}, '"frequencies" must map n-grams'),
        ({"frequencies": None}, "must map"),
        ({"frequencies": {"a": 3}}, "frequency of 'a' is 3; must be 1 to 2"),
        ({"frequencies": {"a b c d e": 1}}, "more than 4 words"),
    ],
)
def test_bad_files_are_refused(tmp_path, content, message):
    path = tmp_path / "df.json"
    if isinstance(content, dict):
        good = {"images": 2, "frequencies": {}}
        marked = {"format": "spicepy document frequencies 1", **good, **content}
        content = json.dumps(marked)
    path.write_text(content)
    with pytest.raises(InputError, match=r"df\.json") as error:
        DocumentFrequencies.load(path)
    assert message in str(error.value)


def test_wrong_options():
    plain = DocumentFrequencies.empty()
    with pytest.raises(InputError, match="with stemming"):
        Cider(damped=False, frequencies=plain)
    with pytest.raises(InputError, match="without stemming differ"):
        plain.merge(DocumentFrequencies.empty(stemming=True))
    with pytest.raises(InputError, match="orders"):
        Cider(orders="sum")  # type: ignore[arg-type]
    with pytest.raises(InputError, match="references"):
        Cider(references="sum")  # type: ignore[arg-type]
    with pytest.raises(InputError, match="image 1: no references"):
        Cider().count([TokenisedSample(1, "a", ())])


def test_frequencies_command(fixtures, tmp_path):
    path = tmp_path / "scenes.json.gz"
    command = ["frequencies", str(fixtures / "scenes.json"), "-o", str(path)]
    assert CliRunner().invoke(app, command).exit_code == 0
    loaded = DocumentFrequencies.load(path)
    assert (loaded.images, loaded.name, loaded.stemming) == (400, "scenes", False)
    assert DocumentFrequencies.load(path, stemming=True).images == 400


def test_frequencies_are_digested_once(monkeypatch: pytest.MonkeyPatch) -> None:
    samples = [
        TokenisedSample(1, "a dog", ("a dog runs",)),
        TokenisedSample(2, "a cat", ("two cats",)),
    ]
    cider = Cider(frequencies=DocumentFrequencies.of(samples, name="two"))
    first = cider.signature()

    def again(_: DocumentFrequencies) -> dict[str, int]:
        raise AssertionError("all frequencies are read again")

    monkeypatch.setattr(DocumentFrequencies, "as_mapping", again)

    assert cider.signature() == first
    assert first["idf"] == "two(2 images, c9f56ba0)"
