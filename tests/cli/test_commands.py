"""The command line as users meet it: good runs, bad input, exit codes."""

import csv
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from commands import Run
from doors import app
from paths import ROOT
from typer.main import get_command
from typer.testing import CliRunner

from spicepy import cli
from spicepy.common import __version__
from spicepy.parsing.parser import DEFAULT

SAMPLES = [
    {
        "image_id": 9,
        "test": "Two dogs are running.",
        "refs": ["two dogs are running", "a dog"],
    },
    {"image_id": "b", "test": "a red car", "refs": ["a blue car", "cars"]},
]


@pytest.fixture
def samples(tmp_path: Path) -> Path:
    path = tmp_path / "samples.json"
    path.write_text(json.dumps(SAMPLES))
    return path


def test_evaluate_writes_the_documented_json(
    run: Run, samples: Path, tmp_path: Path
) -> None:
    output = tmp_path / "scores.json"
    names = "spice,bleu,rouge,cider-d"

    done = run("evaluate", samples, "-m", names, "-o", output, "--tuples")

    assert done.returncode == 0, done.stderr
    result = json.loads(output.read_text())
    keys = ["schema_version", "spicepy", "signature", "warnings", "corpus", "images"]
    assert list(result) == keys
    assert "spice-1.0@" in result["signature"]
    everything = result["corpus"]["spice"]["All"]
    assert list(everything) == [
        *("f", "precision", "recall", "tp", "fp", "fn", "images")
    ]
    assert everything["images"] == 2
    assert {"bleu-1", "bleu-4", "rouge-l", "cider-d"} < set(result["corpus"])
    assert [i["image_id"] for i in result["images"]] == [9, "b"]
    first = result["images"][0]
    assert first["candidate"] == "Two dogs are running."
    assert first["spice"]["Color"]["f"] is None
    assert result["images"][1]["spice"]["Color"]["f"] == 0.0
    flagged = {
        tuple(t["tuple"]): t["matched"] for t in first["spice"]["candidate_tuples"]
    }
    assert flagged == {("dog",): True, ("dog", "two"): True, ("dog", "run"): True}


def test_evaluate_writes_a_table_for_a_paper(
    run: Run, samples: Path, tmp_path: Path
) -> None:
    for name in ("scores.tex", "scores.md"):
        done = run("evaluate", samples, "-m", "bleu", "-o", tmp_path / name)
        assert done.returncode == 0, done.stderr

    latex = (tmp_path / "scores.tex").read_text()
    assert "BLEU-4 &" in latex
    assert r"\caption{Corpus scores. {\scriptsize\ttfamily BLEU\textbar" in latex
    assert "| bleu-4 |" in (tmp_path / "scores.md").read_text()


def test_evaluate_writes_csv_keyed_by_id(
    run: Run, samples: Path, tmp_path: Path
) -> None:
    output = tmp_path / "scores.csv"

    done = run("evaluate", samples, "--output", output, "--quiet")

    assert (done.returncode, done.stdout) == (0, "")
    with output.open(newline="") as lines:
        rows = list(csv.DictReader(lines))
    assert [r["image_id"] for r in rows] == ["9", "b"]
    assert float(rows[0]["spice"]) > 0
    assert rows[0]["spice-color"] == ""


def test_evaluate_reads_standard_input() -> None:
    command = [sys.executable, "-m", "spicepy", "evaluate", "-", "-m", "bleu"]

    done = subprocess.run(
        command,
        input=json.dumps(SAMPLES),
        capture_output=True,
        encoding="utf-8",
        check=False,
    )

    assert done.returncode == 0, done.stderr
    assert "bleu-4" in done.stdout


def test_ready_made_graphs_are_scored_without_a_parser(
    run: Run, tmp_path: Path
) -> None:
    graphs = [
        {
            "image_id": 1,
            "candidate": [["dog"], ["dog", "brown"]],
            "references": [[["dog"], ["dog", "on", "grass"]], [["grass"]]],
        }
    ]
    path, output = tmp_path / "graphs.json", tmp_path / "scores.json"
    path.write_text(json.dumps(graphs))

    done = run("evaluate", path, "--graphs", "-o", output)

    assert done.returncode == 0, done.stderr
    found = json.loads(output.read_text())["corpus"]["spice"]["All"]
    assert (found["tp"], found["fp"], found["fn"]) == (1, 1, 2)


def test_empty_captions_score_zero_with_a_warning(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "s.json"
    odd = ["", "  \t\n", "...!", "\x00", "\U0001f600"]
    path.write_text(
        json.dumps(
            [{"image_id": i, "test": t, "refs": ["a dog"]} for i, t in enumerate(odd)]
        )
    )

    table = ROOT / "fixtures" / "frozen" / "paraphrases.gz"
    names = "spice,bleu,rouge,meteor,cider-d"
    done = run("evaluate", path, "-m", names, "--paraphrases", table)

    assert done.returncode == 0, done.stderr
    assert "candidates have no words and score 0" in done.stderr


BAD = {
    "missing file": (["evaluate", "nowhere.json"], "nowhere.json: no such file"),
    "no input": (["evaluate"], "no captions"),
    "unknown metric": (["evaluate", "{samples}", "-m", "blue"], "did you mean 'bleu'"),
    "unknown model": (["evaluate", "{samples}", "--model", "en_core"], "en_core"),
    "unknown grammar": (
        ["evaluate", "{samples}", "--grammar", "spice-2"],
        "spice-1.0",
    ),
    "unknown synonyms": (["evaluate", "{samples}", "--synonyms", "x"], "bundled"),
    "output kind": (
        ["evaluate", "{samples}", "-o", "x.xlsx"],
        ".json, .csv, .md, .tex, .jsonl or .parquet",
    ),
    "output folder": (["evaluate", "{samples}", "-o", "no/x.json"], "does not exist"),
    "both inputs": (
        ["evaluate", "{samples}", "--candidates", "c.json"],
        "either FILE or the pair",
    ),
}


@pytest.mark.parametrize("name", BAD)
def test_mistakes_end_with_a_message_and_exit_code_2(
    run: Run, name: str, samples: Path
) -> None:
    args, message = BAD[name]

    done = run(*(a.format(samples=samples) for a in args))

    assert done.returncode == 2
    assert message in done.stderr
    assert "Traceback" not in done.stderr


def test_parse_and_explain(run: Run) -> None:
    parsed = run("parse", "two dogs are running")
    explained = run("explain", "two dogs are running")
    dot = run("parse", "two dogs are running", "--format", "dot")

    assert parsed.stdout == "(dog) (dog, run) (dog, two)\n"
    assert explained.returncode == 0, explained.stderr
    assert "nsubj" in explained.stdout
    assert dot.stdout.startswith("digraph")


def test_a_file_is_no_caption(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "captions.jsonl"
    path.write_text('{"caption": "a dog"}\n')
    done = run("parse", str(path))

    assert done.returncode == 2
    assert "captions.jsonl" in done.stderr
    assert "is a file: give it with --file" in " ".join(done.stderr.split())


@pytest.mark.parametrize("command", sorted(get_command(app).commands))
def test_help_of_every_command(command: str) -> None:
    done = CliRunner().invoke(app, [command, "--help"])

    assert done.exit_code == 0
    assert "Usage" in done.stdout


def test_importing_spicepy_is_light() -> None:
    code = (
        "import sys, spicepy; "
        "assert not {'spacy', 'nltk', 'numpy'} & set(sys.modules), 'heavy import'"
    )

    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_the_command_line_loads_no_stage() -> None:
    """So that workers are begun beside all that takes long to load."""
    code = (
        "import sys, spicepy.cli; "
        "stages = {name.split('.')[1] for name in sys.modules if 'spicepy.' in name}; "
        "assert stages <= {'cli', 'common', 'captions'}, stages; "
        "assert 'numpy' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_only_the_command_that_is_called_is_made() -> None:
    folder = Path(cli.__file__).parent
    modules = {path.stem for path in folder.glob("*.py") if path.stem[0] != "_"}
    [alone] = cli.command_line("evaluate").registered_commands
    group = cli.command_line("grammar")
    mistaken = cli.command_line("evalute")

    named = [name for names in cli.PANELS.values() for name in names]
    assert modules == {cli.MODULES.get(name, name) for name in named}
    assert alone.name == "evaluate"
    assert [x.name for x in group.registered_groups] == ["grammar"]
    commands = [x.name for x in mistaken.registered_commands]
    assert commands == [name for name in named if name not in cli.GROUPS]
    assert [x.name for x in mistaken.registered_groups] == list(cli.GROUPS)


def test_a_report_of_a_fault_says_what_runs(run: Run) -> None:
    done = run("--version", "--verbose")

    lines = dict(line.split(": ", 1) for line in done.stdout.splitlines()[1:])
    assert lines["spicepy"].startswith(__version__)
    assert f"{DEFAULT} (default)" in lines["parsers"]
    assert re.search(r"spice-1.0@[0-9a-f]{8}", lines["grammars"])
