"""Content recall, the vocabulary of systems, and the scores after CAPTURE and ALOHa."""

import json
import math
from collections import Counter
from itertools import combinations, permutations
from pathlib import Path

import numpy as np
import pytest
from cli_run import run

from spicepy.evaluation.evaluation import Evaluation, evaluate
from spicepy.metrics.content import Vocabulary, assign, vocabulary_table

RIDING = ("a man sits on a horse", ["a man rides a brown horse", "a cowboy is riding"])


__all__ = ["run"]


def scores(candidate: str, references: list[str], metric: str) -> Evaluation:
    sample = {"image_id": 1, "candidate": candidate, "references": references}
    return evaluate([sample], metrics=[metric])


def test_content_recall_counts_the_words_of_all_references_once() -> None:
    found = scores(*RIDING, "content-recall")

    assert found.corpus_score("content-recall-nouns") == pytest.approx(2 / 3)
    assert found.corpus_score("content-recall-verbs") == 0  # sit is not ride
    softly = found.corpus_score("content-recall-nouns-soft")
    assert 2 / 3 < softly < 1  # man is somewhat like cowboy
    assert 0 < found.corpus_score("content-recall-verbs-soft") < 1


def test_content_recall_leaves_out_auxiliaries_and_views() -> None:
    found = scores("a dog", ["a view of a dog that is there"], "content-recall")

    assert found.corpus_score("content-recall-nouns") == 1
    assert math.isnan(found.corpus_score("content-recall-verbs"))


LONG = "A red couch stands beside a wooden table. A cat sleeps on the couch."


@pytest.mark.parametrize("metric", ["content-recall", "capture-like", "aloha-like"])
def test_equal_captions_and_captions_without_words(metric: str) -> None:
    equal, empty = scores(LONG, [LONG], metric), scores("", [LONG], metric)

    for key in equal.keys:
        assert equal.corpus_score(key) == 1
        assert not empty.corpus_score(key) > 0  # 0, or undefined
    silent = scores("", [""], metric)
    assert all(math.isnan(silent.corpus_score(key)) for key in silent.keys)


def test_capture_like_matches_equal_then_synonymous_then_similar() -> None:
    equal, synonym, similar = (
        scores(
            f"There is a {noun}. It is red.",
            ["There is a couch. It is red."],
            "capture-like",
        )
        for noun in ("couch", "sofa", "chair")
    )

    exact, synonyms = "capture-like-exact", "capture-like-synonyms"
    assert equal.corpus_score(exact) == 1
    assert synonym.corpus_score(exact) < synonym.corpus_score(synonyms) == 1
    assert similar.corpus_score(synonyms) == 0
    assert 0 < similar.corpus_score("capture-like") < 1


def test_capture_like_weighs_kinds_and_leaves_out_those_that_nobody_states() -> None:
    found = scores("a red couch", ["a couch"], "capture-like")

    objects, attributes = (
        found.corpus_score(f"capture-like-{kind}") for kind in ("objects", "attributes")
    )
    assert (objects, attributes) == (1, 0)
    assert math.isnan(found.corpus_score("capture-like-relations"))
    assert found.corpus_score("capture-like") == pytest.approx(5 / 10)


def test_nouns_that_name_no_thing_do_not_count() -> None:
    said = "In the background of the image is a dog in the middle of a field."
    plain = scores("A dog is in a field.", ["A dog in a field."], "capture-like")
    wordy = scores(said, ["A dog in a field."], "capture-like")

    for key in ("capture-like-objects", "capture-like-objects-precision"):
        assert wordy.corpus_score(key) == plain.corpus_score(key) == 1


def test_aloha_like_names_the_least_supported_object() -> None:
    found = scores("a dog and a spoon on a sofa", ["a dog on a couch"], "aloha-like")

    entry = found.to_dict()["images"][0]
    partners = {name: partner for name, partner, _ in entry["aloha-like-objects"]}
    assert partners == {"dog": "dog", "sofa": "couch", "spoon": None}
    assert found.corpus_score("aloha-like") == 0
    assert found.corpus_score("aloha-like-mean") == pytest.approx(2 / 3)


def test_each_partner_is_taken_once_and_the_sum_is_largest() -> None:
    random = np.random.default_rng(7)
    for _ in range(300):
        rows, columns = (int(n) for n in random.integers(0, 5, 2))
        similar = np.round(random.random((rows, columns)), 1)
        size = min(rows, columns)
        best = max(
            sum(similar[pair] for pair in zip(some, others))
            for some in permutations(range(rows), size)
            for others in combinations(range(columns), size)
        )

        found = [(row, c) for row, c in enumerate(assign(similar)) if c is not None]

        assert len({column for _, column in found}) == size
        assert sum(similar[pair] for pair in found) == pytest.approx(best)


def test_expected_types_are_the_mean_over_all_samples() -> None:
    vocabulary = Vocabulary.of(["a dog", "a cat a"])  # a a a dog cat
    words = list(vocabulary.counts.elements())
    for tokens in range(6):
        samples = list(combinations(words, tokens))
        mean = sum(len(set(sample)) for sample in samples) / len(samples)
        assert vocabulary.expected(tokens) == pytest.approx(mean)


def test_the_table_of_words(run, tmp_path: Path) -> None:
    captions = {
        "a": ["a dog runs", "a cat"],
        "b": ["the old dog runs over the hill", ""],
    }
    training = tmp_path / "train.json"
    training.write_text(json.dumps([{"image_id": 1, "caption": "A dog runs."}]))

    table = vocabulary_table(captions, training)

    assert table.columns[4] == "types in 5"
    assert table.rows[0] == ("a", 2, 5, 4, 4, 2.5, 0.8, 1.0, 0.5)
    assert table.rows[1][:4] == ("b", 2, 7, 6)
    assert table.rows[1][-1] == 1
    for name, texts in captions.items():
        records = [{"image_id": k, "caption": t} for k, t in enumerate(texts)]
        (tmp_path / f"{name}.json").write_text(json.dumps(records))
    files = [tmp_path / "a.json", tmp_path / "b.json"]
    output = tmp_path / "x.json"
    done = run(
        *("compare", *files, "--references", files[0], "-m", "bleu", "--samples", 10),
        *("--training", training, "-o", output),
    )
    assert done.returncode == 0, done.stderr
    [further] = json.loads(output.read_text())["further"]
    assert further["columns"] == list(table.columns)
    assert [row[0] for row in further["rows"]] == ["a", "b", "(references)"]
    assert "Vocabulary" in done.stdout


def test_words_of_no_captions_are_undefined() -> None:
    [row] = vocabulary_table({"a": [""]}).rows

    assert row == ("a", 1, 0, 0, 0, 0.0, None, None)
    assert Vocabulary.of([]).counts == Counter()
