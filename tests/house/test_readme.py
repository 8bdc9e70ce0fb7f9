"""What the README says is there, is there; its first example runs."""

import re
import warnings

import pytest
from doors import app
from paths import ROOT

from docs.readme_figures import with_figures
from docs.refresh import figure
from docs.running import StaleError

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


def test_figures_are_the_recorded_ones() -> None:
    assert with_figures(README, figure) == README


def test_source_has_no_comments() -> None:
    assert "<!--" not in README


def test_a_stale_figure_is_replaced_and_a_lost_one_missed() -> None:
    stale = README.replace("Pearson by image 0.", "Pearson by image 9.")

    assert stale != README
    assert with_figures(stale, figure) == README
    with pytest.raises(StaleError, match="Pearson by image"):
        with_figures(README.replace("Pearson by image", "Pearson"), figure)
