"""A corpus scored in blocks: the same bits as in one piece, and it goes on."""

import json
import math
import os
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from paths import ROOT

from spicepy import evaluate
from spicepy.captions.reading import read_samples
from spicepy.captions.sample import Sample
from spicepy.captions.streams import Source
from spicepy.cli._blocks import kept
from spicepy.common.errors import InputError, SpicepyWarning
from spicepy.evaluation.options import METRICS
from spicepy.metrics.base import exact_sum_of_blocks
from spicepy.scale.blocks import cut_blocks
from spicepy.scale.evaluating import evaluate_corpus, evaluate_stream
from spicepy.scale.folder import Folder
from spicepy.scale.jobs import Corpus
from spicepy.tokenization.samples import tokenised_samples

SCENES = read_samples(ROOT / "fixtures" / "scenes.json")[:60]
ODD = [
    Sample("odd", "it spells the letter K.", ("a sign by Inc.", "")),
    Sample(-1, "", ("A dog.", "...!!", "The letter K.")),
    Sample("last", "A dog", ("The dog runs", '<a title="')),
]
SAMPLES = [*SCENES[:30], *ODD, *SCENES[30:]]
pytestmark = pytest.mark.usefixtures("small_paraphrases")
WORDS = ("bleu", "rouge", "cider-d", "cider", "meteor", "rouge-1", "bleu-smooth-3")


def placed(samples: list[Sample] = SAMPLES):
    def read() -> Iterator[tuple[str, Sample]]:
        return ((f"sample {n}", sample) for n, sample in enumerate(samples, 1))

    return read


def same(streamed, whole) -> None:
    """Bits, not nearly."""
    ours, theirs = streamed.scores(), whole.scores()
    assert {k: np.float64(v).tobytes() for k, v in ours.items()} == {
        k: np.float64(v).tobytes() for k, v in theirs.items()
    }
    assert streamed.signature == whole.signature
    assert streamed.warnings == whole.warnings
    assert streamed.to_dict()["corpus"] == whole.to_dict()["corpus"]
    assert streamed.lines() == whole.lines()


@pytest.mark.parametrize("captions", [1, 7, 50, 10_000])
def test_words_in_any_blocks(tmp_path: Path, captions: int) -> None:
    output = tmp_path / "scores.jsonl"
    whole = evaluate(SAMPLES, WORDS)

    found = evaluate_stream(placed(), output, WORDS, captions=captions)

    same(found, whole)
    lines = output.read_text(encoding="utf-8").split("\n")
    assert [json.loads(line) for line in lines if line] == list(whole.entries())
    corpus = json.loads((tmp_path / "scores.corpus.json").read_text())
    assert corpus["corpus"] == whole.to_dict()["corpus"]
    assert sorted(p.name for p in tmp_path.iterdir()) == [
        "scores.corpus.json",
        "scores.jsonl",
    ]


def test_graphs_in_blocks(tmp_path: Path) -> None:
    output, names = tmp_path / "scores.jsonl", ("spice", "spice-soft", "spider")
    whole = evaluate(SAMPLES, names)

    found = evaluate_stream(placed(), output, names, captions=40, tuples=True)

    same(found, whole)
    lines = output.read_text(encoding="utf-8").split("\n")
    assert [json.loads(line) for line in lines if line] == list(
        whole.entries(tuples=True)
    )


def test_every_metric_says_what_it_takes_from_the_corpus(tmp_path: Path) -> None:
    """A metric that weighs by the corpus unannounced would differ between blocks."""
    others = ("spice", "spice-soft", "spider", "meteor")
    given = {"instances", "answers"}
    names = [
        name
        for name, entry in METRICS.items()
        if name not in others and given.isdisjoint(entry.takes)
    ]
    samples = SCENES[:12]

    found = evaluate_stream(placed(samples), tmp_path / "a.jsonl", names, captions=9)

    same(found, evaluate(samples, names))


@pytest.mark.slow
def test_two_processes(tmp_path: Path) -> None:
    whole = evaluate(SAMPLES, WORDS)

    found = evaluate_stream(placed(), tmp_path / "a.jsonl", WORDS, captions=50, jobs=2)

    same(found, whole)


@pytest.mark.parametrize("size", [1, 5, 8, 129, 1000, 9001, 70001])
@pytest.mark.parametrize("columns", [1, 3])
def test_totals(size: int, columns: int) -> None:
    rows = np.random.default_rng(size).lognormal(size=(size, columns))
    for step in (1 + size // 50, 777, 8192):
        parts = [rows[at : at + step] for at in range(0, size, step)]
        alone = [np.mean(column.tolist()) for column in rows.T]
        assert (exact_sum_of_blocks(parts, size) / size == alone).all()


def test_blocks_have_the_tokens_of_the_whole() -> None:
    whole = tokenised_samples(SAMPLES)

    cut = [
        sample
        for block in cut_blocks(SAMPLES, 3)
        for sample in tokenised_samples(block.items, block.after)
    ]

    assert cut == whole


def test_parquet(tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    output = tmp_path / "scores.parquet"
    whole = evaluate(SCENES, ("bleu", "spice"))

    evaluate_stream(placed(SCENES), output, ("bleu", "spice"), captions=50)

    table = parquet.read_table(output)
    assert table["image_id"].to_pylist() == [s.image_id for s in SCENES]
    for key in whole.keys:
        expected = whole.image_scores(key).values()
        written = [None if math.isnan(score) else score for score in expected]
        assert table[key].to_pylist() == written


def test_a_folder_of_parquet(tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    output = tmp_path / "scores"

    evaluate_stream(placed(SCENES), output, ("bleu",), captions=100)

    files = sorted(file.name for file in output.iterdir())
    assert files == ["corpus.json", "part-000000.parquet", "part-000001.parquet"] or (
        len(files) > 3
    )
    assert parquet.read_table(output / files[1]).num_rows
    with pytest.raises(InputError, match="exists"):
        evaluate_stream(placed(SCENES), output, ("bleu",), captions=100)


def test_mixed_ids_are_no_column(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")

    with pytest.raises(InputError, match=r"write \.jsonl"):
        evaluate_stream(placed(), tmp_path / "a.parquet", ("bleu",))


def test_an_image_twice(tmp_path: Path) -> None:
    samples = [*SCENES, SCENES[3]]

    with pytest.raises(InputError, match=r"sample 61: image .* twice, .* in sample 4"):
        evaluate_stream(placed(samples), tmp_path / "a.jsonl", ("bleu",), captions=9)

    assert not list(tmp_path.iterdir())


class Stopped(Exception):
    pass


class Stopping(Corpus):
    """Is killed after some blocks, and leaves rubbish behind."""

    after = 0

    def work(self, keeping, present):
        for number, done in enumerate(super().work(keeping, present)):
            if number == self.after:
                rows = keeping.folder.path / "rows"
                (rows / ".spicepy-0123456789abcdef").write_bytes(b"{")
                (rows / "part-000009.jsonl").write_bytes(b"{")
                raise Stopped
            yield done


def stop(samples, output: Path, metrics, captions: int, after: int) -> None:
    corpus = Stopping(samples, cut=captions)
    object.__setattr__(corpus, "after", after)
    with pytest.raises(Stopped):
        evaluate_corpus(corpus, output, metrics)


def test_goes_on(tmp_path: Path) -> None:
    output, whole = tmp_path / "a.jsonl", tmp_path / "whole.jsonl"
    expected = evaluate_stream(placed(), whole, WORDS, captions=30)
    for after in (0, 1, 0):
        stop(placed(), output, WORDS, 30, after)
    assert not output.exists()

    found = evaluate_stream(placed(), output, WORDS, captions=30)

    assert output.read_bytes() == whole.read_bytes()
    assert found.to_dict() == expected.to_dict()
    assert not Path(f"{output}.part").exists()


@pytest.mark.parametrize(
    ("samples", "metrics", "options", "named"),
    [
        (SAMPLES[1:], WORDS, {}, r"with other captions; .* \(images: \d+, now \d+\)"),
        (SAMPLES[::-1], WORDS, {}, "with other captions; the input was changed since;"),
        (
            SAMPLES,
            WORDS[:1],
            {},
            r"by other metrics \(without ROUGE-L, CIDEr-D, .* now",
        ),
        (SAMPLES, (*WORDS, "rouge-2"), {}, r"by other metrics \(with ROUGE-2\S* now"),
        (
            SAMPLES,
            WORDS,
            {"captions": 31},
            "in which 'captions of a block' is 30, now 31",
        ),
        (SAMPLES, WORDS, {"tuples": True}, "in which 'tuples' is false, now true"),
    ],
)
def test_another_run_is_refused(
    tmp_path: Path, samples, metrics, options, named: str
) -> None:
    output = tmp_path / "a.jsonl"
    stop(placed(), output, WORDS, 30, 1)

    with pytest.raises(InputError, match=f"unfinished run {named}"):
        evaluate_stream(placed(samples), output, metrics, **{"captions": 30, **options})


def test_the_refusal_says_what_differs(tmp_path: Path) -> None:
    output = tmp_path / "a.jsonl"
    stop(placed(), output, ["cider-d", "bleu"], 30, 1)

    with pytest.raises(InputError) as raised:
        evaluate_stream(placed(), output, ["cider-d", "bleu-smooth-1"], captions=30)

    said = str(raised.value)
    assert "smoothing:none" in said
    assert "smoothing:1" in said
    assert "CIDEr" not in said


def test_one_output_has_one_writer(tmp_path: Path) -> None:
    pytest.importorskip("fcntl", reason="folders cannot be locked on this system")
    output = tmp_path / "scores.jsonl"

    with (
        Folder(output).alone(),
        pytest.raises(InputError, match=r"scores\.jsonl is being written by another"),
    ):
        evaluate_stream(placed(), output, ["bleu"])

    assert not list(tmp_path.iterdir())
    evaluate_stream(placed(), output, ["bleu"])
    assert output.exists()


def test_what_a_finished_run_left_is_not_gone_on_with(tmp_path: Path) -> None:
    """A run that is killed while it removes its folder leaves a part of it."""
    part = tmp_path / "scores.jsonl.part"
    part.mkdir(mode=0o700)
    (part / "run.json").write_text('{"work": "finished"}')
    for name in ("rows/part-000000.jsonl", "sums/000000.npz"):
        (part / name).parent.mkdir()
        (part / name).write_bytes(b"of other captions")

    for name in ("scores.jsonl", "others.jsonl"):
        evaluate_stream(placed(), tmp_path / name, ["bleu"], captions=10)

    assert same_bytes(tmp_path / "scores.jsonl", tmp_path / "others.jsonl")
    assert not part.exists()


def same_bytes(one: Path, other: Path) -> bool:
    return one.read_bytes() == other.read_bytes()


def stopped_run(output: Path) -> Path:
    """The folder of a run that was stopped when blocks 0 to 2 were finished."""
    stop(placed(), output, ["bleu"], 30, 2)
    return Path(f"{output}.part")


def test_a_run_that_goes_on_says_so(tmp_path, capsys) -> None:
    output = tmp_path / "a.jsonl"
    with kept(output):
        pass
    assert not capsys.readouterr().err
    stopped_run(output)
    with pytest.raises(InputError), kept(output):
        evaluate_stream(placed(), output, ["cider-d"], captions=30)
    assert not capsys.readouterr().err
    with suppress(Stopped), kept(output):
        stop(placed(), output, ["bleu"], 30, 0)
    with pytest.raises(KeyboardInterrupt) as stopped, kept(output):
        raise KeyboardInterrupt

    said = " ".join(capsys.readouterr().err.split())
    assert "resuming" in said
    assert "3 blocks finished by an earlier run" in said
    assert "4 blocks are kept in" in stopped.value.__notes__[0]


def go_on(output: Path) -> None:
    evaluate_stream(placed(), output, ["bleu"], captions=30)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    output = tmp_path_factory.mktemp("whole") / "a.jsonl"
    go_on(output)
    return output


@pytest.mark.parametrize("name", ["rows/part-000001.jsonl", "sums/000001.npz"])
@pytest.mark.parametrize("damage", ["cut", "empty", "flipped", "of another block"])
def test_a_damaged_block_is_computed_again(
    tmp_path: Path, whole: Path, name: str, damage: str
) -> None:
    path = stopped_run(tmp_path / "a.jsonl") / name
    data = path.read_bytes()
    middle = len(data) // 2
    flipped = bytes([*data[:middle], data[middle] ^ 1, *data[middle + 1 :]])
    other = path.with_name(path.name.replace("1", "0")).read_bytes()
    changed = {"cut": data[:middle], "empty": b"", "flipped": flipped}
    path.write_bytes(changed.get(damage, other))

    with pytest.warns(SpicepyWarning, match=r"1 block is damaged .* again \(1\)"):
        go_on(tmp_path / "a.jsonl")

    assert same_bytes(tmp_path / "a.jsonl", whole)


def test_a_block_of_another_run_is_computed_again(tmp_path: Path, whole: Path) -> None:
    part, other = stopped_run(tmp_path / "a.jsonl"), tmp_path / "b.jsonl"
    samples = placed(SAMPLES[::-1])
    stop(samples, other, ["bleu"], 30, 2)
    for name in ("rows/part-000000.jsonl", "sums/000000.npz"):
        (part / name).write_bytes((tmp_path / "b.jsonl.part" / name).read_bytes())

    with pytest.warns(SpicepyWarning, match="damaged"):
        go_on(tmp_path / "a.jsonl")

    assert same_bytes(tmp_path / "a.jsonl", whole)


@pytest.mark.parametrize("name", ["rows/part-x.jsonl", "rows/note", "sums/9.npz", "x"])
@pytest.mark.parametrize("output", ["a.jsonl", "a"])
def test_stray_files_are_neither_used_nor_removed(
    tmp_path: Path, whole: Path, name: str, output: str
) -> None:
    pytest.importorskip("pyarrow")
    samples = [sample for sample in SAMPLES if isinstance(sample.image_id, int)]
    samples, place = placed(samples), tmp_path / output
    stop(samples, place, ["bleu"], 60, 0)
    part = Path(f"{place}.part")
    (part / name).write_text("mine")

    evaluate_stream(samples, place, ["bleu"], captions=60)

    assert [f.read_text() for f in part.rglob("*") if f.is_file()].count("mine") == 1
    if output == "a":
        assert all(f.name.startswith(("part-0", "corpus")) for f in place.iterdir())
    evaluate_stream(samples, tmp_path / "again.jsonl", ["bleu"], captions=60)
    if output == "a.jsonl":
        assert same_bytes(place, tmp_path / "again.jsonl")
        evaluate_stream(samples, place, ["bleu"], captions=60)  # beside what is left


def test_a_damaged_run_file_is_one_sentence(tmp_path: Path) -> None:
    part = stopped_run(tmp_path / "a.jsonl")
    for text in ("", "{", "[]", "7", '{"work": 7}', "[" * 100_000):
        (part / "run.json").write_text(text)
        with pytest.raises(InputError, match=r"remove the folder"):
            go_on(tmp_path / "a.jsonl")


def test_a_foreign_folder_is_refused(tmp_path: Path) -> None:
    part = tmp_path / "a.jsonl.part"
    (part / "rows").mkdir(parents=True)
    (part / "rows" / "part-000000.jsonl").write_text("mine")
    before = sorted(tmp_path.rglob("*"))

    with pytest.raises(InputError, match="did not make what is there"):
        go_on(tmp_path / "a.jsonl")

    assert sorted(tmp_path.rglob("*")) == before


@pytest.mark.skipif(os.name == "nt", reason="permissions of POSIX")
def test_links_and_shared_folders_are_refused(tmp_path: Path) -> None:
    part = stopped_run(tmp_path / "a.jsonl")
    assert part.stat().st_mode & 0o777 == 0o700
    mine = tmp_path / "mine"
    mine.mkdir(mode=0o700)
    (mine / "run.json").write_text((part / "run.json").read_text())
    (mine / "000000.npz").write_text("mine")
    for name in ("rows/part-000007.jsonl", "sums", "run.json", ""):
        place = part / name if name else part
        aside = place.rename(tmp_path / "aside") if place.exists() else None
        for target in (mine, mine / "000000.npz", mine / "none"):
            place.symlink_to(target)
            with pytest.raises(InputError, match="did not make what is there"):
                go_on(tmp_path / "a.jsonl")
            place.unlink()
        if aside is not None:
            aside.rename(place)
    assert (mine / "000000.npz").read_text() == "mine"

    part.chmod(0o777)
    with pytest.raises(InputError, match="others than this user can write"):
        go_on(tmp_path / "a.jsonl")
    part.chmod(0o700)
    go_on(tmp_path / "a.jsonl")


def test_windows_locks_a_file_beside_the_folder(tmp_path, monkeypatch) -> None:
    locked: set[int] = set()

    def locking(opened: int, mode: int, size: int) -> None:
        file = os.fstat(opened).st_ino
        if file in locked:
            raise PermissionError(13, "Permission denied")
        locked.add(file)

    windows = SimpleNamespace(locking=locking, LK_NBLCK=2)
    monkeypatch.setitem(sys.modules, "fcntl", None)
    monkeypatch.setitem(sys.modules, "msvcrt", windows)
    folder = Folder(tmp_path / "a.jsonl")

    refused = pytest.raises(InputError, match="by another process")
    with folder.alone(), refused, folder.alone():
        pass
    assert list(tmp_path.iterdir()) == []
    locked.clear()
    with folder.alone():
        pass


def rows_of(numbers) -> str:
    rows = ({"image_id": n, "test": f"{n} dogs", "refs": ["dogs"]} for n in numbers)
    return "".join(json.dumps(row) + "\n" for row in rows)


@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize(
    "numbers",
    [
        [*range(300), 7],  # one image twice
        [*range(250), 7],
        range(500),  # further blocks
        range(220),
        range(100),  # fewer blocks
        [*range(150), *range(1000, 1150)],
    ],
)
def test_an_input_that_changes_during_the_run(
    tmp_path, monkeypatch, jobs, numbers
) -> None:
    path, output = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    path.write_text(rows_of(range(250)))

    def scored() -> None:
        corpus = Corpus(Source([path]).samples, jobs, cut=200)
        evaluate_corpus(corpus, output, ["bleu"])

    begin = Folder.begin

    def changed(folder: Folder, about: object) -> None:  # when it is surveyed
        begin(folder, about)
        path.write_text(rows_of(numbers))

    monkeypatch.setattr(Folder, "begin", changed)
    with pytest.raises(InputError, match=r"in\.jsonl, line \d+: .* have changed"):
        scored()

    assert not output.exists()
    assert not (tmp_path / "out.corpus.json").exists()
    assert Folder(output).path.is_dir()
    path.write_text(rows_of(range(250)))
    monkeypatch.setattr(Folder, "begin", begin)
    scored()
    assert len(output.read_text().splitlines()) == 250
