"""What commands print of one image: "1 image", not "1 images"."""

import json
import re
from pathlib import Path

import pytest
from commands import Run

PLURAL = re.compile(r"(?<![\d.,/-])1 (?!is\b|was\b|has\b)(\w+ )?\w+[^su\W]s\b")


@pytest.fixture
def image(tmp_path: Path) -> Path:
    """A folder with files of one image."""
    one = {"image_id": 1, "test": "a dog runs", "refs": ["two dogs run"]}
    (tmp_path / "a.json").write_text(json.dumps([one]))
    (tmp_path / "b.json").write_text(json.dumps([one | {"test": "two cats"}]))
    (tmp_path / "refs.json").write_text(
        json.dumps([{"image_id": 1, "caption": "two dogs run"}])
    )
    return tmp_path


def test_one_image_is_singular(run: Run, image: Path) -> None:
    a, b, refs = (image / f"{name}.json" for name in ("a", "b", "refs"))
    cache = image / "cache"
    for arguments in (
        ("evaluate", a, "--cache", cache, "-o", image / "out.csv"),
        ("evaluate", a, "-o", image / "out.jsonl"),
        ("cache", "clear", "--cache", cache),
        ("compare", a, b, "--metrics", "bleu"),
        ("diagnose", a),
        ("diff", a, b, "-o", image / "diff.html"),
        ("report", a, "-o", image / "report.html"),
        ("frequencies", refs, "-o", image / "frequencies.json.gz"),
        ("parse", "--file", a, "-o", image / "graphs.jsonl"),
    ):
        code, out, err = run(*arguments)

        assert code == 0, (arguments, err)
        assert [m[0] for m in PLURAL.finditer(out + err)] == [], arguments
    for page in image.glob("*.html"):
        text = re.sub(r"(?s)<(script|style).*?</\1>", "", page.read_text())
        assert [m[0] for m in PLURAL.finditer(text)] == [], page
