"""An output that cannot be written is found before the work, by writing there."""

import errno
import json
import os
from importlib import import_module
from pathlib import Path

import pytest
from commands import Run
from package_modules import FILES
from paths import ROOT

from spicepy import Sample
from spicepy.common import writing
from spicepy.common.errors import InputError
from spicepy.metrics.meteor import paraphrases as compiled_paraphrases
from spicepy.parsing.exact import adding
from spicepy.scale.evaluating import evaluate_stream

ROWS = [{"image_id": k, "test": "two dogs", "refs": ["dogs", "a dog"]} for k in "ab"]
RATED = [{**row, "human": k, "system": "s"} for k, row in enumerate(ROWS)]
PAIR = {"candidate_a": "a", "candidate_b": "b", "preferred": "a", "references": ["a"]}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of inputs, whose subfolder `full` takes no new file."""
    (tmp_path / "s.json").write_text(json.dumps(ROWS))
    (tmp_path / "r.json").write_text(json.dumps(RATED))
    (tmp_path / "p.json").write_text(json.dumps([{"image_id": 1, **PAIR}]))
    (tmp_path / "full").mkdir()
    opened = os.open

    def no_space(path, *args, **options):
        if str(path).startswith(str(tmp_path / "full")):
            raise OSError(errno.ENOSPC, "No space left on device")
        return opened(path, *args, **options)

    monkeypatch.setattr(writing.os, "open", no_space)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def no_work(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let all work fail: reading captions, WordNet, grammars."""

    def work(*args: object, **options: object) -> None:
        raise AssertionError("the work has begun")

    # A module that is imported by a command only would keep what replaces its names.
    for path in FILES:
        text = path.read_text(encoding="utf-8")
        if any(name.rpartition(".")[2] in text for name in WORK):
            module = ".".join(path.relative_to(ROOT).with_suffix("").parts)
            import_module(module.removesuffix(".__init__"))
    for name in WORK:
        monkeypatch.setattr(name, work)


WORK = (
    "spicepy.captions.reading.read_records",
    "spicepy.captions.streams.open_text",
    "spicepy.words.wordnet.load_wordnet",
    "spicepy.rules.load_grammar",
    "spicepy.common.files.read_text",
)


COMMANDS = [
    "evaluate s.json -m bleu -o full/x.json",
    "evaluate s.json -m bleu -o full/x.csv.gz",
    "evaluate s.json -m bleu -o full/x.jsonl",
    "evaluate s.json -m bleu -o full/x.parquet",
    "parse -f s.json -o full/x.txt",
    "parse -f s.json -o full/x.jsonl",
    "compare s.json r.json -o full/x.json",
    "diagnose s.json -o full/x.csv",
    "diff s.json r.json -o full/x.html",
    "report s.json -o full/x.html",
    "report s.json -o x.html --table full/x.csv",
    "loocv s.json -o full/x.md",
    "stability s.json -o full/x.tex",
    "correlate r.json -o full/x.json",
    "pairs p.json -o full/x.json",
    "pairs p.json --rankings full/x.csv",
    "frequencies s.json -o full/x.json.gz",
    "tokenize s.json -o full/x.txt",
    "plot colors s.json -o full/x.svg",
    "chair s.json --instances i.json -o full/x.json",
    "count s.json --instances i.json -o full/x.json",
    "pope s.json s.json -o full/x.json",
]


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.usefixtures("no_work")
def test_commands_find_it_before_the_work(run: Run, folder: Path, command) -> None:
    done = run(*command.split())

    assert done.returncode == 2, done.stderr
    assert "cannot be written (No space left on device)" in done.stderr
    assert not list((folder / "full").iterdir())


@pytest.mark.parametrize("name", ["x-2.csv", "x-images.csv"])
@pytest.mark.usefixtures("no_work")
def test_a_folder_where_a_further_table_goes(run: Run, folder: Path, name) -> None:
    (folder / name).mkdir()

    done = run("diagnose", "s.json", "-o", "x.csv")

    assert done.returncode == 2
    assert f"{name}: cannot be written (is a folder)" in done.stderr


@pytest.mark.usefixtures("no_work")
def test_a_folder_where_the_scores_of_the_corpus_go(run: Run, folder: Path) -> None:
    (folder / "x.corpus.json").mkdir()
    (folder / "x.jsonl").write_text("older\n")

    done = run("evaluate", "s.json", "-m", "bleu", "-o", "x.jsonl")

    assert done.returncode == 2
    assert "x.corpus.json: cannot be written (is a folder)" in done.stderr
    assert (folder / "x.jsonl").read_text() == "older\n"
    assert not (folder / "x.jsonl.part").exists()


def test_graphs_have_no_scores_of_the_corpus(run: Run, folder: Path) -> None:
    (folder / "y.corpus.json").mkdir()

    assert run("parse", "a dog", "-o", "y.jsonl").returncode == 0


@pytest.mark.parametrize("failing", ["x.jsonl", "x.corpus.json"])
@pytest.mark.parametrize("older", [True, False])
def test_a_pair_is_replaced_together_or_not_at_all(
    tmp_path: Path, monkeypatch, failing: str, older: bool
) -> None:
    samples = [Sample(1, "a dog", ("a dog",))]
    names = ("x.jsonl", "x.corpus.json")
    for name in names if older else ():
        (tmp_path / name).write_text("older")
    replace = os.replace

    def refuse(source: str, target: str) -> None:
        if target == str(tmp_path / failing):
            if older and Path(source).read_text() == "older":
                return replace(source, target)  # what was there comes back
            raise PermissionError(errno.EPERM, "not permitted")
        return replace(source, target)

    monkeypatch.setattr(os, "replace", refuse)

    def all_samples():
        return (("", sample) for sample in samples)

    with pytest.raises(InputError, match=rf"{failing}: cannot be written"):
        evaluate_stream(all_samples, tmp_path / "x.jsonl", ["bleu"])

    left = {path.name for path in tmp_path.iterdir()}
    assert left == {"x.jsonl.part", *(names if older else ())}
    for name in names if older else ():
        assert (tmp_path / name).read_text() == "older"
    monkeypatch.setattr(os, "replace", replace)
    evaluate_stream(all_samples, tmp_path / "x.jsonl", ["bleu"])  # resumes
    assert {path.name for path in tmp_path.iterdir()} == set(names)
    assert json.loads((tmp_path / "x.jsonl").read_text())["image_id"] == 1


@pytest.mark.parametrize("command", ["model paraphrases s.json", "model add s.json"])
def test_the_data_folder_is_tried_before_the_work(
    run: Run, folder: Path, monkeypatch, command: str
) -> None:
    def work(*args: object) -> None:
        raise AssertionError("the work has begun")

    monkeypatch.setattr(compiled_paraphrases, "compiled", work)
    monkeypatch.setattr(adding, "read_model", work)
    for data in ("full/data", "s.json/data", "full"):
        monkeypatch.setenv("SPICEPY_DATA", str(folder / data))
        done = run(*command.split())

        assert done.returncode == 2, done.stderr
        assert str(folder / data) in done.stderr
        assert "SPICEPY_DATA" in done.stderr
