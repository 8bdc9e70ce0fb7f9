"""Without spaCy, nltk and scipy the main job works; the rest names what it lacks."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from commands import Done
from paths import ROOT

LIGHT = """
import contextlib, io, json, sys

class Absent:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {absent!r}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)

sys.meta_path.insert(0, Absent())
from spicepy.__main__ import main
ended = []
for arguments in {commands!r}:
    sys.argv = ["spicepy", *arguments]
    code, printed, told = 0, io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(told):
        try:
            main()
        except SystemExit as done:
            code = done.code or 0
    ended.append((code, printed.getvalue(), told.getvalue()))
print(json.dumps(ended))
"""
ABSENT = ("spacy", "thinc", "nltk", "scipy", "pandas", "torch", "pycocoevalcap")
NO_PAGES = (*ABSENT, "jinja2", "markupsafe", "networkx", "matplotlib")
SCENES = str(ROOT / "fixtures" / "scenes.json")


def light(*commands: tuple[str, ...], absent: tuple[str, ...] = ABSENT) -> list[Done]:
    """Run commands one after the other in a process that lacks libraries."""
    code = LIGHT.format(absent=absent, commands=commands)
    compiled = {k: v for k, v in os.environ.items() if k == "PYTHONPYCACHEPREFIX"}
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        timeout=300,
        env={"PYTHONPATH": str(ROOT), "PATH": "", "COLUMNS": "200", **compiled},
    )
    assert done.returncode == 0, done.stderr
    return [Done(*ended) for ended in json.loads(done.stdout)]


def test_the_main_job_and_comparing_need_none_of_them(tmp_path: Path) -> None:
    names = "spice,bleu,rouge,meteor,cider-d,spider"
    scores = tmp_path / "scores.json"
    other = tmp_path / "other.json"
    other.write_bytes(Path(SCENES).read_bytes())
    table = str(ROOT / "fixtures" / "frozen" / "paraphrases.gz")

    for done in light(
        ("compare", SCENES, str(other), "--metrics", "bleu", "--samples", "10"),
        (
            *("evaluate", SCENES, "--metrics", names, "--output", str(scores)),
            *("--paraphrases", table),
        ),
    ):
        assert done.returncode == 0, done.stderr
    assert '"spider"' in scores.read_text(encoding="utf-8")


@pytest.mark.slow
def test_reports_and_errors_need_none_of_them(tmp_path: Path) -> None:
    folder = ROOT / "fixtures" / "example"
    pair = [str(folder / f"system-{name}.json") for name in "ab"]
    given = (*pair, "--references", str(folder / "references.json"), "--quiet")
    page = str(tmp_path / "page.html")

    for done in light(
        ("report", *given, "--metrics", "bleu", "--samples", "10", "--output", page),
        ("diff", *given),
        ("stability", *given, "--metrics", "bleu", "--samples", "10"),
    ):
        assert done.returncode == 0, done.stderr


NAMED = {
    ("evaluate", SCENES, "-m", "cider"): ["CIDEr of stemmed words needs nltk"],
    ("evaluate", SCENES, "-m", "bleu-smooth-1"): ["BLEU with smoothing 1 needs nltk"],
    ("evaluate", SCENES, "--model", "en_core_web_sm"): ["needs spaCy"],
    ("evaluate", SCENES, "--synonyms", "nltk"): ["NLTK's WordNet needs nltk"],
    (
        *("correlate", str(ROOT / "fixtures" / "judgments.jsonl")),
        *("--metrics", "bleu"),
    ): ["needs scipy", "spicepy-captions[study]"],
}
FOLDER = ROOT / "fixtures" / "annotations"
GROUNDED = (
    str(FOLDER / "captions.json"),
    "--instances",
    str(FOLDER / "instances.json"),
)
PAGES = {
    ("report", SCENES, "-o", "x.html"): ["a picture needs jinja2"],
    ("chair", *GROUNDED, "-o", "x.svg"): ["a picture needs jinja2"],
    ("parse", "a dog", "--format", "node-link"): ["of networkx needs networkx"],
}


@pytest.mark.parametrize(
    ("absent", "named"), [(ABSENT, NAMED), (NO_PAGES, PAGES)], ids=["job", "pages"]
)
def test_what_needs_one_names_it(absent, named) -> None:
    for done, sentences in zip(light(*named, absent=absent), named.values()):
        assert done.returncode == 2
        assert all(sentence in done.stderr for sentence in sentences), done.stderr
        assert "Traceback" not in done.stderr


def test_annotations_need_no_pages(tmp_path: Path) -> None:
    found = str(tmp_path / "chair.json")

    [done] = light(("chair", *GROUNDED, "-q", "-o", found), absent=NO_PAGES)

    assert done.returncode == 0, done.stderr
