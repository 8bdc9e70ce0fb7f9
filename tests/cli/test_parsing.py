"""`spicepy parse` and `explain`: forms by extension, pipes, other locales."""

import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from commands import Run


def test_the_extension_of_an_output_tells_its_format(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run("parse", "two dogs", "a cat", "-o", "x.json").returncode == 0
    first, second = json.loads(Path("x.json").read_text())
    assert "two" in json.dumps(first)
    assert len(second["objects"]) == 1
    assert (
        run("parse", "a cat", "-o", "v.json", "--format", "visual-genome").returncode
        == 0
    )
    assert "relationships" in json.loads(Path("v.json").read_text())[0]
    assert run("parse", "two dogs", "-o", "x.dot").returncode == 0
    assert Path("x.dot").read_text().startswith("digraph")
    assert run("parse", "two dogs", "-o", "x.txt").returncode == 0
    assert Path("x.txt").read_text() == "(dog) (dog, two)\n"


@pytest.mark.parametrize(
    ("output", "options", "words"),
    [
        ("x.csv", (), "x.csv: unsupported file type; use .json"),
        ("x.xyz", ("--format", "json"), "x.xyz: unsupported file type"),
        (
            "x.json",
            ("--format", "svg"),
            "x.json: a .json file cannot hold --format svg",
        ),
        ("x.json", ("--format", "tuples"), "cannot hold --format tuples, only json"),
        ("x.svg", ("--format", "dot"), "x.svg: a .svg file cannot hold --format dot"),
    ],
)
def test_an_extension_that_cannot_hold_the_format(
    run: Run,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    output: str,
    options: tuple[str, ...],
    words: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    done = run("parse", "two dogs", "-o", output, *options)

    assert (done.returncode, Path(output).exists()) == (2, False)
    assert words in done.stderr


def piped(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    stdin = io.TextIOWrapper(io.BytesIO(text.encode()))
    monkeypatch.setattr("sys.stdin", stdin)


@pytest.mark.parametrize("command", ["parse", "explain"])
def test_a_hyphen_is_standard_input(
    run: Run, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    piped(monkeypatch, "two dogs\n")
    done = run(command, "-")
    assert "(dog) (dog, two)" in done.stdout

    piped(monkeypatch, "two dogs\n")
    assert "spice-soft" in run("explain", "-", "a dog").stdout
    piped(monkeypatch, "two dogs\na cat\n")
    assert "standard input has 2 captions" in run("explain", "-").stderr


def test_explain_says_why_spice_is_low(run: Run) -> None:
    given = ("explain", "two dogs with a red ball", "a dog with a red ball")
    lines = run(*given).stdout.splitlines()
    at = next(i for i, line in enumerate(lines) if line.startswith("SPICE: 0."))
    assert "(ball, red)" in lines[at + 1]
    assert lines[at + 2] == "  no reference says: (dog, two)"
    assert lines[at + 3].startswith("  the candidate lacks: ")

    spice = json.loads(run(*given, "--json").stdout)["spice"]
    flags = {tuple(t["tuple"]): t["matched"] for t in spice["candidate_tuples"]}
    assert flags["dog", "two"] is False
    assert flags["ball", "red"] is True


@pytest.mark.skipif(os.name == "nt", reason="locales of POSIX")
def test_a_locale_without_utf_8(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text('[{"image_id": 1, "test": "a dog", "refs": ["a small dog"]}]')
    plain = {"LC_ALL": "POSIX", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}

    def run_there(*arguments: object) -> tuple[int, str, str]:
        done = subprocess.run(
            [sys.executable, "-m", "spicepy", *map(str, arguments)],
            env=os.environ | plain,
            capture_output=True,
            timeout=120,
            check=False,
        )
        return done.returncode, done.stdout.decode("ascii"), done.stderr.decode()

    assert run_there("evaluate", path, "-m", "bleu")[::2] == (0, "")
    code, shown, _ = run_there("parse", "a naïve café and a dog")
    assert (code, shown) == (0, "(caf\\u00e9) (caf\\u00e9, na\\u00efve) (dog)\n")
