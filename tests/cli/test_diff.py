"""`diff` and `explain` with references, as users meet them, in this process."""

import csv
import json
from pathlib import Path

import pytest
from commands import Run
from two_versions import NEW, OLD, REFERENCES


@pytest.fixture
def files(tmp_path: Path) -> Path:
    """A folder with refs.json, old.json and new.json, COCO's format."""
    pairs = [(i, text) for i, texts in REFERENCES.items() for text in texts]
    captions = {"refs": pairs, "old": [*OLD.items()], "new": [*NEW.items()]}
    captions |= {"part": list(NEW.items())[:2]}
    for name, found in captions.items():
        records = [{"image_id": i, "caption": caption} for i, caption in found]
        (tmp_path / f"{name}.json").write_text(json.dumps(records))
    return tmp_path


def test_command_writes_every_form(run: Run, files: Path) -> None:
    inputs = files / "old.json", files / "new.json", "--references", files / "refs.json"
    inputs += "--cache", files / "cache"
    outputs = [("-o", files / f"x.{kind}") for kind in ("json", "csv", "tex", "html")]
    code, out, err = run("diff", *inputs, *(part for pair in outputs for part in pair))

    assert code == 0
    assert list((files / "cache").iterdir())
    assert "Says wrong: what became of it in new" in out
    assert err.count("wrote") == 7
    values = json.loads((files / "x.json").read_text())
    assert values["systems"] == ["old", "new"]
    with (files / "x.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == len(values["changes"])
    assert {row["change"] for row in rows} >= {"corrected", "replaced"}
    assert {"image_id", "error", "tuple", "probability", "old", "new"} <= set(rows[0])
    heads = "Question,Kind,old,new,corrected,dropped,replaced,new errors,p,signature"
    assert (files / "x-kinds.csv").read_text().splitlines()[0] == heads
    assert r"\toprule" in (files / "x.tex").read_text()
    assert "<h1>old → new</h1>" in (files / "x.html").read_text()


def test_wrong_inputs_get_one_sentence(run: Run, files: Path) -> None:
    old, new, part = (files / f"{name}.json" for name in ("old", "new", "part"))
    references = "--references", files / "refs.json"
    result = files / "result.json"
    run("diagnose", "--candidates", old, *references, "-q", "-o", result)
    for arguments, message in (
        ((old, old, *references), f"{old}: the same file is given twice"),
        ((old, part, *references), "part lacks images 3, 4"),
        ((old, new), "give them with --references"),
        ((result, new, *references), "a result that spicepy wrote"),
        ((old, new, *references, "-o", files / "x.docx"), "unsupported file type"),
    ):
        code, _, err = run("diff", *arguments)
        assert code == 2, arguments
        assert message in " ".join(err.split())
        assert "Traceback" not in err
    code, _, _ = run("diff", old, part, *references, "--common", "-q")
    assert code == 0


def test_explain_a_score(run: Run, tmp_path: Path) -> None:
    captions = "a cat chases a brown puppy", "a dog chases a cat"
    code, out, _ = run("explain", *captions)
    assert code == 0
    assert "swapped relation: cat … puppy (not measured)" in out.splitlines()[0]
    assert "leaves out: nothing found" in out
    [puppy] = [line for line in out.splitlines() if line.startswith("│ puppy")]
    assert "dog" in puppy
    assert run("explain", "")[:2] == (0, "scene graph: empty\n")
    code, out, _ = run("explain", *captions, "--json")
    values = json.loads(out)
    assert code == 0
    keys = ("schema_version", "findings", "spice", "scores", "parts")
    assert tuple(values) == (*keys, "candidate", "references")
    assert values["candidate"][0]["similarity"] == 1
    code, out, _ = run("explain", "three dogs in a park", *["two red dogs"] * 3)
    assert out.startswith("says wrong: wrong count: 3 for 2 (.")
    code, _, err = run("explain", captions[0], "--vectors", tmp_path / "v.txt")
    assert code == 2
    assert "also give references" in err
