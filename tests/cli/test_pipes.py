"""Pipes are read once and whole: nothing is lost, and nothing waits for ever."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from doors import app
from typer.testing import CliRunner

pytestmark = pytest.mark.skipif(
    os.name != "posix" or not shutil.which("bash"), reason="needs bash and its pipes"
)

NOTE = "no metric reads this " * 16
ROWS = [
    {"image_id": k, "test": f"{k} dogs and a cat", "refs": ["dogs"], "note": NOTE}
    for k in range(600)
]
"""More than a buffer of text, and than a pipe holds."""


@pytest.fixture
def files(tmp_path: Path) -> Path:
    write_inputs(tmp_path)
    return tmp_path


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the outputs for inputs that are files."""
    folder = tmp_path_factory.mktemp("plain")
    write_inputs(folder)
    samples, captions = str(folder / "all.jsonl"), str(folder / "captions.txt")
    for command in (
        ("evaluate", samples, "-m", "bleu", "-o", str(folder / "p.json")),
        ("evaluate", samples, "-m", "bleu", "-o", str(folder / "q.jsonl")),
        ("parse", "--file", captions, "-o", str(folder / "graphs.jsonl")),
    ):
        done = CliRunner().invoke(app, command)
        assert done.exit_code == 0, done.output
    return folder


def write_inputs(folder: Path) -> None:
    """Write the inputs; `x.jsonl` and `y.jsonl` are the halves of `all.jsonl`."""
    lines = [json.dumps(row) + "\n" for row in ROWS]
    for name, part in (("x", lines[:300]), ("y", lines[300:]), ("all", lines)):
        (folder / f"{name}.jsonl").write_text("".join(part))
    (folder / "x.csv").write_text(
        "image_id,candidate,reference,note\n"
        + "".join(f"{row['image_id']},{row['test']},dogs,{NOTE}\n" for row in ROWS)
    )
    captions = [f"{k % 7} dogs {'and a cat ' * 30}\n" for k in range(600)]
    (folder / "captions.txt").write_text("".join(captions))  # seven are parsed


def bash(folder: Path, command: str) -> "subprocess.CompletedProcess[str]":
    program = f'spicepy() {{ {sys.executable} -m spicepy "$@"; }}; {command}'
    return subprocess.run(
        ["bash", "-c", program],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


def fifo(name: str, file: str) -> str:
    """Return the commands that make a named pipe and write a file to it once."""
    return f"mkfifo {name}; cat {file} > {name} & "


SAME = {
    "two pipes": "spicepy evaluate <(cat x.jsonl) <(cat y.jsonl)",
    "packed": "spicepy evaluate <(gzip -c all.jsonl)",
    "standard input": "cat all.jsonl | spicepy evaluate /dev/stdin",
    "a named pipe": fifo("p.jsonl", "all.jsonl") + "spicepy evaluate p.jsonl",
    "CSV": fifo("p.csv", "x.csv") + "spicepy evaluate p.csv",
}


@pytest.mark.parametrize("given", SAME)
@pytest.mark.parametrize("output", ["p.json", "q.jsonl"])
def test_scores_of_pipes_are_those_of_the_file(files, plain, given, output) -> None:
    done = bash(files, f"{SAME[given]} -m bleu -o {output}")

    assert done.returncode == 0, done.stderr
    assert (files / output).read_text() == (plain / output).read_text()


@pytest.mark.parametrize(
    "given",
    [
        "spicepy parse --file <(cat captions.txt)",
        "cat captions.txt | spicepy parse --file -",
        fifo("p.txt", "captions.txt") + "spicepy parse --file p.txt",
    ],
)
def test_graphs_of_pipes_are_those_of_the_file(files, plain, given) -> None:
    done = bash(files, f"{given} -o p.jsonl")

    assert done.returncode == 0, done.stderr
    assert (files / "p.jsonl").read_text() == (plain / "graphs.jsonl").read_text()


def test_standard_input_is_one_of_several_files(files) -> None:
    done = bash(files, "echo two cats | spicepy parse -f - -f <(echo a dog)")

    assert done.stdout == "(cat) (cat, two)\n(dog)\n", done.stderr


@pytest.mark.parametrize(
    "text",
    ["a dog", "image_id;caption\\n1;a dog", '[{"image_id": 1, "caption": "a dog"}]'],
)
def test_standard_input_may_be_lines_a_table_or_json(files, text) -> None:
    done = bash(files, f"printf '{text}\\n' | spicepy questions - --format dsg")

    assert done.stdout.splitlines()[1:] == [
        "1,a dog,1,0,entity,whole,entity - whole (dog),Is there a dog?"
    ], done.stderr


@pytest.mark.parametrize(
    ("command", "message"),
    [
        (fifo("p.parquet", "x.csv") + "spicepy evaluate p.parquet", "p.parquet: is a"),
        ("spicepy evaluate x.jsonl --frequencies <(cat x.csv)", "is a pipe"),
        (fifo("p.json", "x.csv") + "spicepy evaluate p.json", "p.json"),
        ("spicepy diff <(cat x.csv) <(cat x.csv)", "/dev/fd/"),
        ("spicepy parse -f - -f - < captions.txt", "given twice"),
    ],
)
def test_what_cannot_be_read_so_is_refused(files, command, message) -> None:
    done = bash(files, command + "; code=$?; kill $(jobs -p) 2> /dev/null; exit $code")

    assert done.returncode == 2, (done.stdout, done.stderr)
    assert message in done.stderr
    assert "Traceback" not in done.stderr
