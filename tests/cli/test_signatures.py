"""Every output of the analysis has its signature, whose names are options."""

import csv
import json
import re
from html import unescape
from pathlib import Path

import pytest
from commands import Run

CAPTIONS = "three white trains", "a dog on a sofa"
PAIR = ("a.json", "b.json", "--references", "refs.json")
ONE = ("--candidates", "a.json", "--references", "refs.json")
BOXES = ("captions.json", "--instances", "instances.json")
COMMANDS = {
    "diagnose": (*ONE, "-q", "-o", "x.json"),
    "report": (*PAIR, "-q", "-o", "x.html"),
    "compare": (*PAIR, "--patterns", "-q", "-o", "x.json"),
    "diff": (*PAIR, "-q", "-o", "x.json"),
    "plot": ("counts", *PAIR, "-q", "-o", "x.svg"),
    "chair": (*BOXES, "-q", "-o", "x.json"),
    "count": (*BOXES, "-q", "-o", "x.json"),
}
OPTION = {"words": "vocabulary"}
"""The option for a part of a signature, if it is not of the same name."""
FIXED = {"tokeniser", "spicepy"}
"""Parts that are this version's own, for which there is no choice."""
NAMED = re.compile(r"[\w.]+-\d[\w.]*(@[0-9a-f]{8})?|[\w.-]+@[0-9a-f]{8}")
"""A name with a version or a digest."""


@pytest.fixture(autouse=True)
def files(tmp_path: Path, fixtures: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    references = [
        {"image_id": i, "caption": c}
        for i, texts in enumerate([["two trains", "2 white trains"], ["a cat", "cats"]])
        for c in texts
    ]
    for name, texts in {"a": CAPTIONS, "b": ("two trains", "a cat")}.items():
        rows = [{"image_id": i, "caption": c} for i, c in enumerate(texts)]
        Path(f"{name}.json").write_text(json.dumps(rows))
    Path("refs.json").write_text(json.dumps(references))
    for name in ("captions", "instances"):
        text = (fixtures / "annotations" / f"{name}.json").read_text(encoding="utf-8")
        Path(f"{name}.json").write_text(text, encoding="utf-8")


def signature(path: Path) -> str:
    """Return the signature in a JSON file, a page or a picture."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".json":
        return str(json.loads(text)["signature"])
    marks = r'class="signature">(.*?)</p>|<dc:description>(.*?)</dc:description>'
    [found] = re.findall(marks, text, re.S)
    return unescape("".join(found))


def names(signed: str) -> dict[str, str]:
    """Return option -> name; of scores and analysis together, the analysis's."""
    parts = (part.partition(":") for part in re.split(r"; |\|", signed))
    named = {key: value for key, _, value in parts if NAMED.fullmatch(value)}
    return {OPTION.get(k, k): v for k, v in named.items() if k not in FIXED}


@pytest.mark.parametrize("command", COMMANDS)
def test_names_of_a_signature_are_options(run: Run, command: str) -> None:
    pytest.importorskip("matplotlib")
    arguments = COMMANDS[command]
    path = Path(arguments[-1])
    assert run(command, *arguments).returncode == 0
    signed = signature(path)
    given = names(signed)
    again = [x for key, name in given.items() for x in (f"--{key}", name)]

    assert "spicepy:" in signed
    assert given.keys() >= (
        {"model", "vocabulary"}
        if command in ("chair", "count")
        else {"analysis-grammar", "analysis-model", "lexicon", "weights"}
    )
    done = run(command, *arguments, *again)
    assert (done.returncode, signature(path)) == (0, signed), done.stderr
    for key, name in given.items():
        other = re.sub(r"@.*", "@00000000", name) if "@" in name else f"{name}.9"
        done = run(command, *arguments, f"--{key}", other)
        assert done.returncode == 2, (key, other)
        assert name.partition("@")[0].rpartition("-")[0] in done.stderr


def test_every_table_of_data_is_signed(run: Run) -> None:
    openpyxl = pytest.importorskip("openpyxl", reason="no openpyxl")
    run("diagnose", *ONE, "--facts", "-q", "-o", "x.csv", "-o", "x.json")
    run("diagnose", *ONE, "-q", "-o", "x.xlsx")
    run("diff", *PAIR, "-q", "-o", "d.csv")
    run("chair", *BOXES, "-q", "-o", "c.csv")
    run("count", *BOXES, "-q", "-o", "n.csv")
    run("report", *PAIR, "-q", "-o", "x.html", "--table", "t.csv")
    signed = signature(Path("x.json"))

    for path in Path().glob("*.csv"):
        with path.open(encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        assert all("spicepy:" in row["signature"] for row in rows), path
        if path.name.startswith("x"):
            assert {row["signature"] for row in rows} <= {signed}, path
    for sheet in openpyxl.load_workbook("x.xlsx"):
        header, *cells = sheet.iter_rows(values_only=True)
        assert header[-1] == "signature"
        assert {row[-1] for row in cells} <= {signed}
