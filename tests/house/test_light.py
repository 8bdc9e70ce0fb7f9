"""Without spaCy, nltk and scipy the main job works; the rest names what it lacks."""

import subprocess
import sys
from pathlib import Path

import pytest
from paths import ROOT

LIGHT = """
import sys

class Absent:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {absent!r}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)

sys.meta_path.insert(0, Absent())
sys.argv = ["spicepy", *{arguments!r}]
from spicepy.__main__ import main
main()
"""
ABSENT = ("spacy", "thinc", "nltk", "scipy", "pandas", "torch", "pycocoevalcap")
NO_PAGES = (*ABSENT, "jinja2", "markupsafe", "networkx", "matplotlib")
SCENES = str(ROOT / "fixtures" / "scenes.json")


def light(
    *arguments: str, absent: tuple[str, ...] = ABSENT
) -> subprocess.CompletedProcess[str]:
    code = LIGHT.format(absent=absent, arguments=arguments)
    return subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        timeout=120,
        env={"PYTHONPATH": str(ROOT), "PATH": "", "COLUMNS": "200"},
    )


def test_the_main_job_needs_none_of_them(tmp_path: Path) -> None:
    names = "spice,bleu,rouge,meteor,cider-d,spider"
    scores = tmp_path / "scores.json"

    done = light(
        *("evaluate", SCENES, "--metrics", names, "--output", str(scores)),
        *("--paraphrases", str(ROOT / "fixtures" / "frozen" / "paraphrases.gz")),
    )

    assert done.returncode == 0, done.stderr
    assert '"spider"' in scores.read_text(encoding="utf-8")


def test_comparing_systems_needs_none_of_them(tmp_path: Path) -> None:
    other = tmp_path / "other.json"
    other.write_bytes(Path(SCENES).read_bytes())
    options = ("--metrics", "bleu", "--samples", "10")

    done = light("compare", SCENES, str(other), *options)

    assert done.returncode == 0, done.stderr


@pytest.mark.slow
def test_reports_and_errors_need_none_of_them(tmp_path: Path) -> None:
    folder = ROOT / "fixtures" / "example"
    pair = [str(folder / f"system-{name}.json") for name in "ab"]
    given = (*pair, "--references", str(folder / "references.json"), "--quiet")
    page = str(tmp_path / "page.html")

    for command in (
        ("report", *given, "--metrics", "bleu", "--samples", "10", "--output", page),
        ("diff", *given),
        ("stability", *given, "--metrics", "bleu", "--samples", "10"),
    ):
        done = light(*command)
        assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("-m", "cider"), "CIDEr of stemmed words needs nltk"),
        (("-m", "bleu-smooth-1"), "BLEU with smoothing 1 needs nltk"),
        (("--model", "en_core_web_sm"), "needs spaCy"),
        (("--synonyms", "nltk"), "NLTK's WordNet needs nltk"),
    ],
)
def test_what_needs_one_names_it(arguments: tuple[str, ...], said: str) -> None:
    done = light("evaluate", SCENES, *arguments)

    assert done.returncode == 2
    assert said in done.stderr
    assert "Traceback" not in done.stderr


def test_a_study_names_scipy() -> None:
    judgments = str(ROOT / "fixtures" / "judgments.jsonl")

    done = light("correlate", judgments, "--metrics", "bleu")

    assert done.returncode == 2
    assert "needs scipy" in done.stderr
    assert "spicepy-captions[study]" in done.stderr
    assert "Traceback" not in done.stderr


FOLDER = ROOT / "fixtures" / "annotations"
GROUNDED = (
    str(FOLDER / "captions.json"),
    "--instances",
    str(FOLDER / "instances.json"),
)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("report", SCENES, "-o", "x.html"), "a picture needs jinja2"),
        (("chair", *GROUNDED, "-o", "x.svg"), "a picture needs jinja2"),
        (("parse", "a dog", "--format", "node-link"), "of networkx needs networkx"),
    ],
)
def test_pages_name_what_they_lack(arguments: tuple[str, ...], said: str) -> None:
    done = light(*arguments, absent=NO_PAGES)

    assert done.returncode == 2
    assert said in done.stderr
    assert "Traceback" not in done.stderr


def test_annotations_need_no_pages(tmp_path: Path) -> None:
    found = str(tmp_path / "chair.json")

    done = light("chair", *GROUNDED, "-q", "-o", found, absent=NO_PAGES)

    assert done.returncode == 0, done.stderr
