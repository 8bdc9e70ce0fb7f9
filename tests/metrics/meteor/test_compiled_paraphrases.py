"""The compiled paraphrase table has the entries of its source, in its order."""

import gzip
import os
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from subprocess import run as run_program

import pytest
from cli_run import run as run
from hypothesis import given
from hypothesis import strategies as st
from spicepy.compat.pycocoevalcap.meteor.meteor import Meteor as CocoMeteor

from spicepy import Sample, evaluate
from spicepy.common.errors import ResourceError
from spicepy.metrics.meteor import paraphrases as compiled_paraphrases
from spicepy.metrics.meteor.metric import Meteor
from spicepy.metrics.meteor.paraphrases import (
    ParaphraseTable,
    compile_table,
    find_paraphrases,
    load_table,
    read_paraphrases,
)
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
    table = load_table(made)
    assert table is not None
    assert table.entries(captions) == expected
    rewritings = read_paraphrases(source, captions).rewritings
    assert read_paraphrases(made, captions).rewritings == rewritings
    assert ParaphraseTable(expected).rewritings == rewritings


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


@pytest.fixture(params=["writable", "unwritable"])
def source(request, tmp_path, monkeypatch) -> Path:
    """A table that the user names, with a data folder that can be written or not."""
    data = tmp_path / ("data" if request.param == "writable" else "x.gz/data")
    source = written(tmp_path / "x.gz", [("a cat", "one kitten")])
    monkeypatch.setenv("SPICEPY_DATA", str(data))
    monkeypatch.setenv("SPICEPY_PARAPHRASES", str(source))
    return source


@pytest.fixture
def readings(monkeypatch) -> list[Path]:
    """The tables that were read from their beginnings, one by one."""
    opened: list[Path] = []

    def read(path: Path):
        opened.append(path)
        return gzip.GzipFile(path)

    monkeypatch.setattr(gzip, "open", read)
    return opened


SAMPLES = [Sample(k, "a cat", ("one kitten",)) for k in range(4)]


def by_the_drop_in() -> None:
    gts = {sample.image_id: list(sample.references) for sample in SAMPLES}
    res = {sample.image_id: [sample.candidate] for sample in SAMPLES}
    assert CocoMeteor().compute_score(gts, res)[0] > 0.3


def by_evaluate() -> None:
    assert evaluate(SAMPLES, ["meteor"]).corpus_score("meteor") > 0.3


def by_blocks(folder: Path) -> None:
    samples = lambda: (("", sample) for sample in SAMPLES)  # noqa: E731
    scores = evaluate_stream(samples, folder / "x.jsonl", ["meteor"], captions=2)
    assert scores.scores()["meteor"] > 0.3


def test_a_process_reads_a_table_once(source, readings, tmp_path) -> None:
    for _ in range(3):
        by_the_drop_in()
        by_evaluate()
    by_blocks(tmp_path)

    assert readings == [source]
    [*kept] = (tmp_path / "data").glob("*")
    digest = Meteor().signature()["paraphrases"]
    if os.environ["SPICEPY_DATA"] == str(tmp_path / "data"):
        assert [file.name for file in kept] == [f"paraphrases-{digest}.paraphrases"]


def test_threads_read_a_table_once(source, readings) -> None:
    with ThreadPoolExecutor(4) as threads:
        for done in [threads.submit(by_evaluate) for _ in range(8)]:
            done.result()

    assert readings == [source]


def test_another_process_reads_the_compiled_table(tmp_path, monkeypatch) -> None:
    source = written(tmp_path / "x.gz", [("a cat", "one kitten")])
    monkeypatch.setenv("SPICEPY_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("SPICEPY_PARAPHRASES", str(source))
    by_the_drop_in()
    source.write_bytes(source.read_bytes())  # changed, but the same
    program = """
import gzip, sys
from spicepy.compat.pycocoevalcap.meteor.meteor import Meteor
gzip.open = None
print(Meteor().compute_score({1: ["one kitten"]}, {1: ["a cat"]})[0])
"""
    done = run_program([sys.executable, "-c", program], capture_output=True, text=True)

    assert done.returncode == 0, done.stderr
    assert float(done.stdout) > 0.3


def test_a_damaged_compiled_table_is_made_again(tmp_path, monkeypatch) -> None:
    source = written(tmp_path / "x.gz", [("a cat", "one kitten")])
    monkeypatch.setenv("SPICEPY_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("SPICEPY_PARAPHRASES", str(source))
    by_evaluate()
    [kept] = (tmp_path / "data").iterdir()
    sound = kept.read_bytes()
    kept.write_bytes(sound[:100])
    compiled_paraphrases._load.cache_clear()

    by_evaluate()

    assert len(kept.read_bytes()) == len(sound)


def test_a_table_in_any_order_is_compiled(tmp_path) -> None:
    entries = [("b", "a"), ("a", "b"), ("a", "b")]
    unsorted = written(tmp_path / "x.gz", entries)

    table = load_table(unsorted)

    assert table.entries([["a", "b"]]) == [(b"a", b"b"), (b"b", b"a")]


@pytest.mark.parametrize(
    ("entries", "message"),
    [
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
