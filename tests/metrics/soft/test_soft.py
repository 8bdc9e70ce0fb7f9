"""spice-soft: what a score must be with any word table, and what it catches."""

import gzip
import json
from concurrent.futures import ThreadPoolExecutor
from time import process_time

import numpy as np
import pytest
from doors import app
from paths import ROOT
from typer.testing import CliRunner

from spicepy import evaluate
from spicepy.common.errors import InputError
from spicepy.common.settings import MetricOptions
from spicepy.evaluation.options import resolve
from spicepy.metrics.soft import matching
from spicepy.metrics.soft.explanation import explain_sample, partners
from spicepy.metrics.soft.metric import SHARES, SpiceSoft
from spicepy.metrics.soft.table import load_table
from spicepy.tokenization.ptb import tokenize
from spicepy.tokenization.samples import TokenisedSample

CAPTIONS = [
    "a man in a red shirt rides a brown horse on the beach",
    "a person is riding a horse along the sea",
    "two dogs chase a cat across the yard",
    "a pair of dogs run after a kitten outside",
    "a bowl of fruit on a wooden table next to a vase",
    "running fast",
    "",
    "blorp gribble",
]
REFERENCES = (
    "a dog chases a cat across a green lawn",
    "a puppy is running after a kitten on the grass",
    "a dog and a cat run through the garden",
)


@pytest.fixture(scope="module")
def metric():
    return SpiceSoft()


def scores(metric, candidate, *references):
    """All keys of one candidate, captions as people write them."""
    texts = tokenize([candidate, *references])
    rows = metric.count([TokenisedSample(1, texts[0], tuple(texts[1:]))]).rows
    return dict(zip(metric.keys, metric.image_scores(rows)[0].tolist()))


def score(metric, candidate, *references):
    return scores(metric, candidate, *references)["spice-soft"]


def samples():
    return [
        TokenisedSample(
            f"{i} {k}", candidate, tuple(CAPTIONS[(i + j) % 8] for j in range(k))
        )
        for i, candidate in enumerate(CAPTIONS)
        for k in range(1, 6)
    ]


@pytest.mark.parametrize("caption", [c for c in CAPTIONS if c])
def test_identical_captions_score_one(metric, caption):
    found = scores(metric, caption, caption, caption)
    assert found["spice-soft"] == found["spice-soft-graph"] == 1


def test_empty_captions_score_zero(metric):
    for candidate, reference in (("", "a dog"), ("a dog", ""), ("", "")):
        assert score(metric, candidate, reference) == 0


def test_unknown_words_are_like_themselves_only(metric):
    assert score(metric, "blorp gribble", "blorp gribble") == 1
    assert score(metric, "blorp gribble", "zwock frim", "a dog runs") == 0
    assert 0 < score(metric, "a blorp runs", "a dog runs") < 1
    assert score(metric, "blorp runs", "blorp sleeps") > score(
        metric, "blorp runs", "frim sleeps"
    )


def test_all_scores_are_between_zero_and_one(metric):
    found = metric.image_scores(metric.count(samples()).rows)
    assert np.isfinite(found[:, :4]).all()
    assert np.nanmin(found) >= 0
    assert np.nanmax(found) <= 1


def test_order_of_references_does_not_matter(metric):
    given = samples()
    turned = [
        TokenisedSample(s.image_id, s.candidate, s.references[::-1]) for s in given
    ]
    assert (metric.count(given).rows == metric.count(turned).rows).all()


def test_score_is_the_same_alone_and_in_any_batch_and_thread(metric, monkeypatch):
    given = samples()
    whole = metric.count(given).rows
    assert (np.concatenate([metric.count([s]).rows for s in given]) == whole).all()
    with ThreadPoolExecutor(4) as pool:
        parts = pool.map(metric.count, [given[i::4] for i in range(4)])
        for i, part in enumerate(parts):
            assert (part.rows == whole[i::4]).all()
    monkeypatch.setattr("spicepy.metrics.soft.metric._BATCH", 100)
    assert (SpiceSoft().count(given[::-1]).rows == whole[::-1]).all()


RIGHT = "a dog chases a cat over the lawn"
WRONG = {
    "roles": "a cat chases a dog over the lawn",
    "negation": "a dog does not chase a cat over the lawn",
    "repetition": "a dog a dog a dog chases a dog over a cat",
    "keywords": "lawn cat dog chases",
    "keywords in order": "dog chase cat lawn",
    "other thing": "a dog chases a car over the lawn",
    "less": "a dog",
}


@pytest.mark.parametrize("name", WRONG)
def test_wrong_captions_score_clearly_below_the_right_one(metric, name):
    right = score(metric, RIGHT, *REFERENCES)
    assert score(metric, WRONG[name], *REFERENCES) < right - 0.03
    assert score(metric, WRONG[name], RIGHT) < 0.9


@pytest.mark.parametrize("added", [RIGHT, "dog cat lawn", "a dog chases a cat"])
def test_saying_it_again_costs(metric, added):
    again = f"{RIGHT} {added}"
    assert score(metric, again, *REFERENCES) < score(metric, RIGHT, *REFERENCES) - 0.03
    assert score(metric, again, RIGHT) < 0.93


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        ("a man in a blue shirt and a red hat", "a man in a red shirt and a blue hat"),
        ("three dogs run", "two dogs run"),
        ("a man without a hat", "a man with a hat"),
        ("a black cat sleeps on a white bed", "a white cat sleeps on a black bed"),
    ],
)
def test_swapped_colours_and_other_counts_cost(metric, wrong, right):
    assert score(metric, wrong, right) < 0.9
    assert score(metric, right, right) == 1


@pytest.mark.slow
def test_ten_thousand_captions_a_second_after_parse_and_rules(metric):
    """Of processor time, best of three: others may use the machine, too."""
    path = ROOT / "fixtures" / "captions_parsed.jsonl.gz"
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        known = tokenize([json.loads(line)["caption"] for line in lines][:1000])
    given = [
        TokenisedSample(i, known[i], tuple(known[i + 1 : i + 6]))
        for i in range(0, 990, 2)
    ]
    metric.count(given)  # parses, and remembers the concepts

    def seconds():
        start = process_time()
        metric.count(given)
        return process_time() - start

    assert 6 * len(given) / min(seconds() for _ in range(3)) > 10_000


def test_order_is_lost_where_only_one_caption_has_neighbours(metric):
    for shorter, longer in (("a dog", "a dog sleeps"), ("a cat", "a black cat")):
        assert score(metric, shorter, longer) < 0.85
        assert score(metric, shorter, shorter) == 1


def test_paraphrase_is_above_another_scene(metric):
    near = score(metric, "a puppy runs after a kitten", "a dog chases a cat")
    far = score(metric, "a bus stops at a station", "a dog chases a cat")
    assert near > 0.6 > 0.3 > far


def test_categories_come_from_the_matches(metric):
    found = scores(metric, "a red car", "two small red cars stand")
    assert found["spice-soft-color"] == 1
    assert found["spice-soft-object"] == 1
    assert found["spice-soft-cardinality"] == 0
    assert found["spice-soft-size"] == 0
    assert np.isnan(found["spice-soft-relation"])
    assert found["spice-soft-precision"] == 1 > found["spice-soft-recall"]


def test_corpus_score_is_the_mean_where_defined(metric):
    statistics = metric.count(samples())
    images = metric.image_scores(statistics.rows)
    whole = metric.corpus_scores(statistics.rows.sum(axis=0), len(images))
    colour = metric.keys.index("spice-soft-color")
    assert np.isnan(images[:, colour]).any()
    np.testing.assert_allclose(whole[:8], np.nanmean(images[:, :8], axis=0))


def test_registry_and_signature():
    (metric,) = resolve(["spice-soft"], MetricOptions(grammar="spicepy-1"))
    signature = metric.signature()
    assert signature["vectors"] == load_table().name
    assert signature["grammar"].startswith("spicepy-1@")
    sample = {"image_id": 1, "test": "Two dogs run.", "refs": ["two dogs run"]}
    assert evaluate([sample], ["spice-soft"]).corpus_score("spice-soft") == 1


def test_no_samples_have_no_rows(metric):
    assert metric.count([]).rows.shape[0] == 0


def test_explanation_adds_up_to_the_score(metric):
    candidate, *references = tokenize(["a brown cat chases a puppy", *REFERENCES])
    found = explain_sample(metric, TokenisedSample(0, candidate, tuple(references)))
    # Some categories are undefined, hence NaN.
    np.testing.assert_equal(found.scores, scores(metric, candidate, *references))

    def mean(matches):
        assert sum(m.weight for m in matches) == pytest.approx(1)
        return sum(m.weight * m.similarity for m in matches)

    parts = sum(share * found.parts[name] for name, share in SHARES.items())
    assert parts == found.scores["spice-soft"]
    others = [match for matches in found.references for match in matches]
    assert mean(found.candidate) == pytest.approx(found.scores["spice-soft-precision"])
    assert mean(others) == pytest.approx(found.scores["spice-soft-recall"])
    cat = next(m for m in found.candidate if m.concept.term == "cat")
    assert (str(cat.partner), cat.similarity, cat.reference) == ("cat", 1, 0)
    assert all(m.partner is None or m.reference in (0, 1, 2) for m in found.candidate)


def test_explanation_of_captions_without_concepts(metric):
    found = explain_sample(metric, TokenisedSample(0, "", ("a dog", "")))
    assert found.candidate == ()
    assert [len(matches) for matches in found.references] == [1, 0]
    assert found.references[0][0].partner is None


def test_terms_of_the_table_are_matched_without_a_parser():
    table = load_table()
    from spicepy.metrics.soft.matching import described
    from spicepy.rules.tuples import SemanticTuple

    one = described(["dog", "run"], [SemanticTuple(("dog",))])
    other = described(["cat"], [SemanticTuple(("cat",)), SemanticTuple(("dog",))])
    found = matching.match(matching.encode([one, other], table), [0], [[1]])
    assert found.candidate.best.tolist() == [[1.0]]
    assert found.candidate.partner.tolist() == [[1]]


GLOVE = "dog 1 0 0.5\ncat 0.9 0.1 0.5\nnew york -1 0.5 0\n"


@pytest.mark.parametrize("header", ["", "3 3\n"])
@pytest.mark.parametrize("name", ["vectors.txt", "vectors.vec", "vectors.txt.gz"])
def test_vectors_of_a_text_file(tmp_path, name, header):
    path = tmp_path / name
    opened = gzip.open if name.endswith("gz") else open
    with opened(path, "wt", encoding="utf-8") as file:
        file.write(header + GLOVE)
    table = load_table(path)
    assert list(table.rows) == ["dog", "cat", "new york"]
    assert table.vectors[0] @ table.vectors[1] > table.vectors[0] @ table.vectors[2]
    assert table.name.startswith(f"{name}@")
    metric = SpiceSoft(vectors=path)
    assert score(metric, "a dog", "a cat") > score(metric, "a dog", "a car")
    assert score(metric, "a car", "a car") == 1


def test_vectors_of_an_npz_file(tmp_path):
    path = tmp_path / "mine.npz"
    np.savez(path, words=np.array(["dog", "cat"]), vectors=np.eye(2, 5))
    table = load_table(path)
    assert table.rows == {"dog": 0, "cat": 1}
    assert np.array_equal(table.vectors, np.vstack([511 * np.eye(2, 5), np.zeros(5)]))


def test_a_table_in_the_bundled_format_is_taken_as_it_is(tmp_path):
    words, bundled = np.array(["dog", "a"]), np.array([[90, 3], [2, 1]], np.int8)
    np.savez(tmp_path / "t.npz", words=words, vectors=bundled, unknown=40.0, minor=5.0)
    table = load_table(tmp_path / "t.npz")
    assert table.vectors.tolist() == [[90, 3], [2, 1], [0, 0]]
    assert (table.unknown, table.minor.tolist()) == (40, [False, True, False])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no word vectors"),
        ("dog 1 2\ncat 1\n", "line 2: 'cat 1' has 1 number"),
        ("dog 1 2\ncat 1 x\n", "line 2: the vector of 'cat' has a value that is no"),
        ("dog 1 2\ncat 1 nan\n", "line 2: the vector of 'cat' has a number that is"),
        ("dog 1 2\ndog 2 1\n", "line 2: 'dog' already has a vector"),
        ("dog\n", "line 1: 'dog' has 0 numbers"),
        ("dog 0 0\n", "all vectors are 0"),
        ("dog 1 \xff\n", "cannot be read"),
    ],
)
def test_bad_text_files_are_refused(tmp_path, text, message):
    path = tmp_path / "bad.txt"
    path.write_bytes(text.encode("latin-1"))
    with pytest.raises(InputError, match=message) as error:
        load_table(path)
    assert "bad.txt" in str(error.value)


@pytest.mark.parametrize(
    ("arrays", "message"),
    [
        ({"words": np.array(["dog"])}, "no array 'vectors'"),
        ({"words": np.array([1]), "vectors": np.ones((1, 2))}, "list of strings"),
        ({"words": np.array(["a"]), "vectors": np.ones((2, 2))}, r"shape \(2, 2\)"),
        (
            {"words": np.array(["a", "a"]), "vectors": np.ones((2, 2))},
            "'a' has two vectors",
        ),
        ({"words": np.array(["a"]), "vectors": np.array([[np.inf]])}, "not finite"),
        (
            {"words": np.array(["a"]), "vectors": np.array([["x"]])},
            "numbers, not texts",
        ),
    ],
)
def test_bad_npz_files_are_refused(tmp_path, arrays, message):
    path = tmp_path / "bad.npz"
    np.savez(path, **arrays)
    with pytest.raises(InputError, match=message) as error:
        load_table(path)
    assert "bad.npz" in str(error.value)


def test_missing_and_broken_files_are_refused(tmp_path):
    with pytest.raises(InputError, match="no such file"):
        load_table(tmp_path / "none.txt")
    (tmp_path / "broken.npz").write_bytes(b"no zip")
    with pytest.raises(InputError, match=r"broken\.npz: cannot be read"):
        load_table(tmp_path / "broken.npz")


def test_command_line_takes_vectors(tmp_path):
    (tmp_path / "mine.txt").write_text(GLOVE)
    record = {"image_id": 1, "test": "a dog", "refs": ["a cat"]}
    (tmp_path / "samples.json").write_text(json.dumps([record]))
    arguments = ["evaluate", tmp_path / "samples.json", "--metrics", "spice-soft"]
    arguments += ["--vectors", tmp_path / "mine.txt", "-o", tmp_path / "scores.json"]
    done = CliRunner().invoke(app, list(map(str, arguments)))
    assert done.exit_code == 0, done.output
    scores = json.loads((tmp_path / "scores.json").read_text())
    assert scores["corpus"]["spice-soft"] > 0.8
    assert "vectors:mine.txt@" in scores["signature"]


def test_partners_in_a_batch_are_those_of_each_sample(metric):
    captions = ["a brown cat chases a puppy", "", "two red buses in a long street"]
    samples = [
        TokenisedSample(i, caption, tuple(REFERENCES[: 1 + i]))
        for i, caption in enumerate(captions)
    ]
    together = list(partners(metric, samples))
    assert together == [found for s in samples for found in partners(metric, [s])]
    assert [len(found.references) for found in together] == [1, 2, 3]


def test_explanation_as_tables_and_plain_values(metric):
    found = explain_sample(
        metric,
        TokenisedSample(0, "a cat chases a puppy", ("a dog chases a cat", "a sky")),
    )
    values = found.to_dict()

    assert [match["concept"] for match in values["candidate"]][:2] == ["cat", "puppy"]
    assert values["candidate"][1]["partner"] == "dog"
    assert values["scores"]["spice-soft-color"] is None
    titles = [table.title for table in found.tables()]
    assert titles[1:] == [
        "What the score is made of",
        "Concepts of the candidate",
        "Concepts of reference 1",
        "Concepts of reference 2",
    ]
    assert sum(row[-1] for row in found.tables()[1].rows) == pytest.approx(
        values["scores"]["spice-soft"]
    )
    precision = sum(row[-1] for row in found.tables()[2].rows)
    assert precision == pytest.approx(values["scores"]["spice-soft-precision"])
