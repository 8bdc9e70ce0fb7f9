"""What the README says is there, is there; its first example runs."""

import re
import warnings

import pytest
from doors import app
from paths import ROOT

README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_first_python_example_runs() -> None:
    code = README.split("```python\n", 1)[1].split("```", 1)[0]
    names: dict[str, object] = {}

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # CIDEr of one image warns, rightly
        exec(code, names)

    assert names["result"].corpus_score("spice") == pytest.approx(0.8)  # type: ignore[attr-defined]


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
