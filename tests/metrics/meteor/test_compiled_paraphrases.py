"""The compiled paraphrase table has the entries of its source, in its order."""

import gzip
from pathlib import Path

import pytest
from cli_run import run as run
from hypothesis import given
from hypothesis import strategies as st

from spicepy import Sample, evaluate
from spicepy.common.errors import ResourceError
from spicepy.metrics.meteor import metric
from spicepy.metrics.meteor.compiled_paraphrases import (
    compile_table,
    compiled_entries,
)
from spicepy.metrics.meteor.metric import Meteor
from spicepy.metrics.meteor.paraphrases import find_paraphrases, read_paraphrases
from spicepy.scale.evaluating import evaluate_stream

WORDS = st.sampled_from(["a", "an", "big", "dog", "dogs", "é", "z"])
PHRASES = st.lists(WORDS, min_size=1, max_size=7).map(" ".join)


def written(path: Path, entries) -> Path:
    lines = (f"0.5\n{left}\n{right}\n" for left, right in entries)
    path.write_bytes(gzip.compress("".join(lines).encode()))
    return path


@given(
    st.sets(st.tuples(PHRASES, PHRASES), min_size=1, max_size=30),
    st.lists(st.lists(WORDS, min_size=1, max_size=12), max_size=8),
)
def test_entries_are_those_of_the_source(tmp_path_factory, entries, captions) -> None:
    folder = tmp_path_factory.mktemp("table")
    ordered = sorted(entries, key=lambda pair: [side.encode() for side in pair])
    source = written(folder / "x.gz", ordered)
    made = folder / "x.paraphrases"
    plain = [(left.encode(), right.encode()) for left, right in ordered]

    assert compile_table(source, made) == len(plain)
    texts = [f" {' '.join(words)} ".encode() for words in captions]
    expected = [
        pair
        for pair in plain
        if all(any(b" " + side + b" " in text for text in texts) for side in pair)
    ]
    assert list(compiled_entries(made, captions)) == expected
    rewritings = read_paraphrases(source, captions).rewritings
    assert read_paraphrases(made, captions).rewritings == rewritings


def test_the_command_compiles_and_meteor_uses_it(run, tmp_path, monkeypatch) -> None:
    source = written(tmp_path / "paraphrase-en.gz", [("a cat", "one kitten")])
    monkeypatch.setenv("SPICEPY_DATA", str(tmp_path / "data"))
    monkeypatch.delenv("SPICEPY_PARAPHRASES", raising=False)
    done = run("model", "paraphrases", source)

    assert done.returncode == 0, done.stderr
    assert "1 entry" in done.stdout
    found = find_paraphrases()
    assert found is not None
    assert found.parent == tmp_path / "data"
    assert Meteor().signature() == Meteor(source).signature()  # the same numbers


def test_blocks_read_a_table_once(tmp_path, monkeypatch) -> None:
    source = written(tmp_path / "paraphrase-en.gz", [("a cat", "one kitten")])
    monkeypatch.setenv("SPICEPY_DATA", str(tmp_path / "data"))
    monkeypatch.setattr(metric, "_WORTH_COMPILING", 2)
    samples = [Sample(str(k), "a cat", ("one kitten",)) for k in range(2)]
    meteor = Meteor(source)
    plain, signature = evaluate(samples, [meteor]).to_dict(), meteor.signature()
    meteor.prepare(1)
    assert not (tmp_path / "data").exists()  # one block: not worth it

    evaluate_stream(lambda: (("", s) for s in samples), tmp_path / "x.jsonl", [meteor])

    [kept] = (tmp_path / "data").iterdir()
    assert kept.name == f"paraphrases-{signature['paraphrases']}.paraphrases"
    source.write_bytes(source.read_bytes())  # changed, but the same
    monkeypatch.setattr(gzip, "open", None)  # the source is not read any more
    assert evaluate(samples, [meteor]).to_dict() == plain
    assert Meteor(source).signature() == signature


def test_blocks_are_scored_where_no_compiled_table_can_be_kept(
    tmp_path, monkeypatch
) -> None:
    unsorted = written(tmp_path / "x.gz", [("b", "a"), ("a", "b")])
    monkeypatch.setenv("SPICEPY_DATA", str(tmp_path / "data"))
    monkeypatch.setattr(metric, "_WORTH_COMPILING", 0)

    Meteor(unsorted).prepare(1)

    assert read_paraphrases(unsorted, [["a", "b"]]).rewritings


@pytest.mark.parametrize(
    ("entries", "message"),
    [
        ([("b", "a"), ("a", "b")], "not sorted"),
        ([("a", "b"), ("a", "b")], "not sorted"),
        ([("a " * 7 + "a", "b")], "at most 7"),
        ([], "has 0 words"),
    ],
)
def test_other_tables_are_refused(tmp_path, entries, message) -> None:
    source = written(tmp_path / "x.gz", entries)

    with pytest.raises(ResourceError, match=message):
        compile_table(source, tmp_path / "x.paraphrases")
    assert not (tmp_path / "x.paraphrases").exists()


@pytest.mark.parametrize("cut", [0, 1, 10, 300])
def test_a_damaged_table_is_named(tmp_path, cut) -> None:
    made = tmp_path / "x.paraphrases"
    compile_table(written(tmp_path / "x.gz", [("a", "b")]), made)
    made.write_bytes(made.read_bytes()[:cut])

    with pytest.raises(ResourceError, match=r"paraphrase table .*x\.paraphrases"):
        Meteor(made).signature()
    with pytest.raises(ResourceError, match=r"paraphrase table .*x\.paraphrases"):
        read_paraphrases(made, [["a"]])
    (tmp_path / "y.gz").write_bytes(b"\x1f\x8bno gzip")
    with pytest.raises(ResourceError, match=r"y\.gz"):
        compile_table(tmp_path / "y.gz", made)
