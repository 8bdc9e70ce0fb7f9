"""What the README says is there, is there; its first example runs."""

import re
import warnings
from itertools import pairwise

import pytest
from paths import ROOT

from spicepy.cli import app
from spicepy.metrics.spice.metric import Spice
from spicepy.study.judgments import read_judgments

README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_first_python_example_runs() -> None:
    code = README.split("```python\n", 1)[1].split("```", 1)[0]
    names: dict[str, object] = {}

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # CIDEr of one image warns, rightly
        exec(code, names)

    assert names["result"].corpus_score("spice") == pytest.approx(0.8)  # type: ignore[attr-defined]


def test_dependency_example_runs() -> None:
    section = README.split("## Dependency graphs\n", 1)[1]
    code = section.split("```python\n", 1)[1].split("```", 1)[0]
    *_, last = code.splitlines()
    names: dict[str, object] = {}
    exec(code, names)

    value, said = last.split("   # ")
    assert said.startswith(f"{eval(value, names)}: ")
    assert "`nmod:on_top_of(sitting, car)`" in section


def test_named_synonyms_exist() -> None:
    assert Spice(synonyms="none").signature()["synonyms"] == "none"
    assert '`Spice(synonyms="none")`' in README


def test_correlate_example_names_columns_of_its_file() -> None:
    [command] = re.findall(r"^spicepy correlate (.*)", README, flags=re.MULTILINE)
    path, *options = command.split()
    columns = [b for a, b in pairwise(options) if a == "--human"]

    assert columns
    assert read_judgments(ROOT / path, columns)


def test_named_files_exist() -> None:
    named = set(
        re.findall(r"(?:benchmarks|training|fixtures|grammars)/[\w./-]+", README)
    )

    missing = sorted(n for n in named if not (ROOT / n.rstrip(".")).exists())
    assert not missing


def test_named_commands_exist() -> None:
    known = {c.name for c in app.registered_commands}
    known |= {g.name for g in app.registered_groups}
    named = set(re.findall(r"^\$? ?spicepy ([a-z]+)", README, flags=re.MULTILINE))

    assert named
    assert named <= known
