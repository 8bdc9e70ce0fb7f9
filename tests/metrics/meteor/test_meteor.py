"""METEOR 1.5: the original program's numbers, its edge cases, and invariants.

`fixtures/scenes_meteor.json` holds the original's scores (meteor-1.5.jar with
`-l en -norm`, with and without `-m "exact stem synonym"`) of the untokenised
captions in `fixtures/scenes.json`. They are never edited to fit.
"""

import gzip
import json
import re
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from spicepy.common.errors import InputError, ResourceError
from spicepy.common.java_hash import string_hash
from spicepy.metrics.meteor.metric import COLUMNS, Meteor, meteor_words
from spicepy.tokenization.samples import TokenisedSample
from spicepy.words.morphology import read_function_words

SOME_WORDS = "a the man men woman dog dogs rides riding horse couch sofa . , 's"
captions = st.lists(st.sampled_from(SOME_WORDS.split()), max_size=9).map(" ".join)
written = captions.filter(bool)


@pytest.fixture(scope="module")
def meteor() -> Meteor:
    return Meteor(None)


@pytest.fixture(scope="module")
def with_paraphrases() -> Meteor:
    metric = Meteor()
    if metric.keys != ("meteor",):
        pytest.skip("no paraphrase table: the package pycocoevalcap is not installed")
    return metric


@pytest.fixture
def table(tmp_path: Path) -> Path:
    """A paraphrase table of a few entries."""
    entries = [
        ("0.25", "a lot of", "many"),
        ("0.125", "child", "kid"),
        ("0.5", "next to", "beside"),
        ("0.5", "not in", "the captions"),
    ]
    path = tmp_path / "paraphrase-en.gz"
    lines = "".join(f"{p}\n{left}\n{right}\n" for p, left, right in entries)
    path.write_bytes(gzip.compress(lines.encode()))
    return path


def score(metric: Meteor, candidate: str, *references: str) -> float:
    rows = metric.count([TokenisedSample(1, candidate, references)]).rows
    return float(metric.image_scores(rows)[0, 0])


# --- single captions; expected values are the original program's


@pytest.mark.parametrize(
    ("candidate", "reference", "expected"),
    [
        ("", "a man", 0.0),
        ("a man", "", 0.0),
        ("", "", 0.0),
        ("a", "a", 1.0),
        (".", ".", 1.0),
        ("A Dog", "a dog", 1.0),
        ("dog", "dogs", 0.0),
        ("dog", "cat", 0.0),
        ("a man .", "a man", 0.46040449351549445),
        ("the the the", "the", 0.3076923076923077),
        ("a horse rides a man", "a man rides a horse", 0.45827172913153946),
        ("U.S. flag", "us flag", 1.0),
        ("old-fashioned chest-of-drawers", "old fashioned chest of drawers", 1.0),
    ],
)
def test_edge_cases(
    meteor: Meteor, candidate: str, reference: str, expected: float
) -> None:
    assert score(meteor, candidate, reference) == expected


def test_words_of_one_java_hash_are_one_word(meteor: Meteor) -> None:
    assert string_hash("tv") == string_hash("v8")
    assert score(meteor, "a tv", "a v8") == 1.0


def test_java_hash_counts_utf16_units() -> None:
    assert string_hash("é") == 233
    assert string_hash("\U0001f600") == (0xD83D * 31 + 0xDE00) & 0xFFFFFFFF


def test_function_words() -> None:
    assert len(read_function_words()) == 93


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("isn't it?", ["isn", "'t", "it", "?"]),
        ("the dog 's ball", ["the", "dog", "'", "s", "ball"]),
        ("1,000 cats,dogs", ["1,000", "cats", ",", "dogs"]),
        ("1-2-3-4", ["1", "2-3", "4"]),
        ("st. louis at 5 p.m.", ["st.", "louis", "at", "5", "pm"]),
        ("the end. Go", ["the", "end", ".", "go"]),
        ("wait... what", ["wait", "...", "what"]),
        ("2\u00a01/2 cups", ["2", "1", "/", "2", "cups"]),
        ("“hi” — you", ['"', "hi", '"', "—", "you"]),
        ("", []),
    ],
)
def test_normalizer(text: str, expected: list[str]) -> None:
    assert meteor_words(text) == expected


# --- several references, statistics, corpus


def test_the_first_of_equally_good_references_counts(meteor: Meteor) -> None:
    rows = meteor.count([TokenisedSample(1, "", ("a b", "a b c"))]).rows

    assert rows[0, COLUMNS.index("reference-words")] == 2


def test_a_reference_with_bars_is_two(meteor: Meteor) -> None:
    assert score(meteor, "a dog", "a cat ||| a dog") == 1.0


def test_statistics_of_one_pair(meteor: Meteor) -> None:
    sample = TokenisedSample(1, "a woman on a couch", ("the woman sits on a sofa",))

    row = dict(zip(COLUMNS, meteor.count([sample]).rows[0].tolist()))

    assert {name: value for name, value in row.items() if value} == {
        "candidate-words": 5,
        "reference-words": 6,
        "candidate-function-words": 3,
        "reference-function-words": 3,
        "exact-candidate-content": 1,
        "exact-reference-content": 1,
        "exact-candidate-function": 2,
        "exact-reference-function": 2,
        "synonym-candidate-content": 1,
        "synonym-reference-content": 1,
        "chunks": 2,
        "candidate-matched": 4,
        "reference-matched": 4,
        "corpus-chunks": 2,
    }


def test_a_perfect_segment_adds_no_chunks_to_the_corpus(meteor: Meteor) -> None:
    samples = [
        TokenisedSample(1, "a dog", ("a dog",)),
        TokenisedSample(2, "a man", ("a man",)),
    ]

    rows = meteor.count(samples).rows

    assert meteor.corpus_scores(rows.sum(axis=0), 2).tolist() == [1.0]
    assert rows[:, COLUMNS.index("chunks")].tolist() == [1, 1]


def test_corpus_scores_of_many_sums_at_once(meteor: Meteor, fixtures: Path) -> None:
    rows = meteor.count(scenes(fixtures)[:50]).rows
    sums = np.stack([rows[:20].sum(axis=0), rows[20:].sum(axis=0)])

    together = meteor.corpus_scores(np.stack([sums, sums]), np.array([20, 30]))

    assert together.shape == (2, 2, 1)
    for part, expected in zip(sums, together[0]):
        assert meteor.corpus_scores(part, 1).tolist() == expected.tolist()


def test_no_samples(meteor: Meteor) -> None:
    assert meteor.count([]).rows.shape == (0, len(COLUMNS))


def test_a_sample_without_references(meteor: Meteor) -> None:
    with pytest.raises(InputError, match="image 'x': no references"):
        meteor.count([TokenisedSample("x", "a dog", ())])


def test_very_long_captions(meteor: Meteor) -> None:
    long = "a man rides a horse and " * 40

    assert score(meteor, long, long) == 1.0
    assert 0 < score(meteor, long, "a horse") < 0.2


# --- paraphrases


def test_without_a_table_the_name_says_so(meteor: Meteor) -> None:
    assert meteor.keys == ("meteor-no-paraphrase",)
    assert meteor.signature()["metric"] == "METEOR-no-paraphrase"


def test_paraphrases_match_in_both_directions(table: Path, meteor: Meteor) -> None:
    metric = Meteor(table)
    one, other = "many dogs beside it", "a lot of dogs next to it"

    assert metric.keys == ("meteor",)
    assert metric.signature()["metric"] == "METEOR"
    assert metric.signature().keys() == meteor.signature().keys()
    assert score(metric, one, other) > score(meteor, one, other)
    assert score(metric, other, one) > score(meteor, other, one)


def test_a_missing_table(tmp_path: Path) -> None:
    with pytest.raises(ResourceError, match=r"nothing\.gz: no such file"):
        Meteor(tmp_path / "nothing.gz")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"plain text", "Not a gzipped file"),
        (b"", "has 0 words"),
        (gzip.compress(b"", mtime=0), "has 0 words"),
        (gzip.compress(b"0.5\na\nb\n0.5\n", mtime=0), "expected three lines an entry"),
        (gzip.compress(b"0.5\na\nb\n" * 99, mtime=0)[:-9], "ended before"),
        (gzip.compress(bytes(2**21), mtime=0), "expected three lines an entry"),
    ],
)
def test_an_unusable_table(tmp_path: Path, content: bytes, message: str) -> None:
    path = tmp_path / "table.gz"
    path.write_bytes(content)

    with pytest.raises(ResourceError, match=message):
        Meteor(path).count([TokenisedSample(1, "a", ("b",))])


# --- parity


def scenes(fixtures: Path) -> list[TokenisedSample]:
    entries = json.loads((fixtures / "scenes.json").read_text())
    return [
        TokenisedSample(e["image_id"], e["test"], tuple(e["refs"])) for e in entries
    ]


def check_scenes(metric: Meteor, fixtures: Path) -> None:
    recorded = json.loads((fixtures / "scenes_meteor.json").read_text())
    expected = recorded[metric.keys[0]]
    statistics = metric.count(scenes(fixtures))
    ids = map(str, statistics.image_ids)
    scores = metric.image_scores(statistics.rows)[:, 0].tolist()
    total = metric.corpus_scores(statistics.rows.sum(axis=0), len(scores))

    assert dict(zip(ids, scores)) == expected["images"]
    assert total.tolist() == [expected["corpus"]]


def test_scenes_without_paraphrases(meteor: Meteor, fixtures: Path) -> None:
    check_scenes(meteor, fixtures)


@pytest.mark.slow
def test_scenes_with_paraphrases(with_paraphrases: Meteor, fixtures: Path) -> None:
    check_scenes(with_paraphrases, fixtures)


def test_oracle_without_paraphrases(meteor: Meteor, shared: Path) -> None:
    """Every seventh item; `benchmarks/parity/meteor.py` takes all of them."""
    oracle = json.loads((shared / "oracle/ngram/meteor_oracle.json").read_text())
    kept = slice(None, None, 7)
    items = [
        TokenisedSample(k, item["hyp"], tuple(item["refs"]))
        for k, item in enumerate(oracle["items"][kept])
    ]
    lines = oracle["java"]["nopara"]["stats"][kept]
    expected = [[float(number) for number in line.split()] for line in lines]

    assert meteor.count(items).rows[:, :23].tolist() == expected


def test_normalizer_oracle(shared: Path) -> None:
    path = shared / "oracle/ngram/normalizer_oracle.json"
    for text, normalized in json.loads(path.read_text()):
        assert meteor_words(text) == re.findall(r"[^ \t\n\r\f]+", normalized)


# --- invariants


@given(written)
def test_identical_captions_score_1(meteor: Meteor, caption: str) -> None:
    assert score(meteor, caption, caption) == 1.0


@given(captions, st.lists(captions, min_size=1, max_size=3))
def test_scores_lie_between_0_and_1(
    meteor: Meteor, candidate: str, references: list[str]
) -> None:
    assert 0.0 <= score(meteor, candidate, *references) <= 1.0


@given(captions, st.lists(captions, min_size=1, max_size=3))
def test_order_and_duplicates_of_references_change_nothing(
    meteor: Meteor, candidate: str, references: list[str]
) -> None:
    expected = score(meteor, candidate, *references)

    assert score(meteor, candidate, *references, *references) == expected
    assert score(meteor, candidate, *reversed(references)) == expected
