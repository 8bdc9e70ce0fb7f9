"""Figures: files of every format, the same bytes for the same scores."""

import math
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from spicepy.api import parse
from spicepy.common.errors import InputError, ResourceError
from spicepy.diagnosis import Diagnosis, diagnose, scenes
from spicepy.diagnosis.lexicon.aspects import Aspect
from spicepy.evaluation.evaluation import Evaluation, evaluate, evaluate_graphs
from spicepy.graph.exchange import GraphSample
from spicepy.metrics.significance import Interval
from spicepy.metrics.spice import Spice
from spicepy.reporting import plotting
from spicepy.rules.tuples import SemanticTuple, read_categories

pytest.importorskip("matplotlib")

START = {".pdf": b"%PDF", ".svg": b"<?xml", ".png": b"\x89PNG"}


def graph(*tuples: tuple[str, ...]) -> list[SemanticTuple]:
    return [SemanticTuple(t) for t in tuples]


REFERENCE = (graph(("dog", "two"), ("dog", "red"), ("dog", "on", "sofa")),)
SAMPLES = {
    "right <&": [GraphSample(i, REFERENCE[0], REFERENCE) for i in range(3)],
    "wrong": [
        GraphSample(0, graph(("dog", "three"), ("dog", "blue")), REFERENCE),
        GraphSample(1, graph(("cat",)), REFERENCE),
        GraphSample(2, [], REFERENCE),
    ],
}


@pytest.fixture(scope="module")
def systems() -> dict[str, Evaluation]:
    spice = Spice(categories=read_categories("extended"))
    return {name: evaluate_graphs(found, spice) for name, found in SAMPLES.items()}


@pytest.fixture(scope="module")
def diagnoses(systems: dict[str, Evaluation]) -> dict[str, Diagnosis]:
    return {name: diagnose(scenes(each)) for name, each in systems.items()}


@pytest.mark.parametrize("kind", plotting.FORMATS)
def test_every_format(
    systems: dict[str, Evaluation], tmp_path: Path, kind: str
) -> None:
    path = tmp_path / f"x{kind}"
    plotting.plot_distributions(systems, path, key="spice")

    assert path.read_bytes().startswith(START[kind])


def test_the_same_scores_give_the_same_bytes(
    systems: dict[str, Evaluation],
    diagnoses: dict[str, Diagnosis],
    tmp_path: Path,
) -> None:
    files = []
    for name in "ab":
        paths = [tmp_path / f"{name}{i}.svg" for i in range(3)]
        plotting.plot_categories(systems, paths[0], samples=20)
        plotting.plot_distributions(systems, paths[1])
        plotting.plot_confusions(diagnoses, paths[2], aspect="color")
        files.append([path.read_bytes() for path in paths])

    assert files[0] == files[1]


def test_large_counts_share_a_row(
    diagnoses: dict[str, Diagnosis], tmp_path: Path
) -> None:
    path = tmp_path / "x.svg"
    plotting.plot_confusions(diagnoses, path, aspect="count")
    text = path.read_text(encoding="utf-8")

    assert all(f"<!-- {n} -->" in text for n in ("1", "2", "3", "4+", "many"))
    assert "<!-- 2 (3) -->" in text  # objects of the row
    assert "<!-- 100 -->" in text  # percent
    assert "<!-- count in references (objects) -->" in text


@pytest.mark.parametrize("aspect", ["count", "color"])
def test_long_names_are_not_clipped(
    diagnoses: dict[str, Diagnosis], tmp_path: Path, aspect: Aspect
) -> None:
    """Three systems (and more) with names as people give them."""
    names = ("a name of several words " * 4, "checkpoint-120000-" * 6, "b", "c")
    path = tmp_path / "x.svg"
    several = dict(zip(names, [*diagnoses.values()] * 2))
    plotting.plot_confusions(several, path, aspect=aspect)
    text = path.read_text(encoding="utf-8")
    width = float(re.search(r'viewBox="0 0 ([\d.]+)', text)[1])

    assert "<!-- no object -->" in text
    assert width < 3 * 72 * (0.32 * 16 + 2.4)
    lines = re.findall(r"<!-- (.*?) -->", text)
    assert "".join(names[1:2]) in "".join(lines)
    assert max(map(len, lines)) < 60


def test_more_systems_than_colours_differ(tmp_path: Path) -> None:
    looks = {
        (plotting.COLORS[i % 7], plotting._HATCHES[i // 7], plotting._DASHES[i // 7])
        for i in range(28)
    }
    assert len(looks) == 28


def test_wrong_requests(
    systems: dict[str, Evaluation], diagnoses: dict[str, Diagnosis], tmp_path: Path
) -> None:
    with pytest.raises(InputError, match=r"use \.pdf, \.svg or \.png"):
        plotting.check_path(tmp_path / "x.docx")
    with pytest.raises(InputError, match="does not exist"):
        plotting.check_path(tmp_path / "no" / "x.pdf")
    with pytest.raises(InputError, match="unknown score 'bleu-4'"):
        plotting.plot_distributions(systems, tmp_path / "x.png", key="bleu-4")
    unscored = {name: evaluate_graphs(SAMPLES[name], Spice()) for name in SAMPLES}
    with pytest.raises(InputError, match="spice-size is undefined for all images"):
        plotting.plot_distributions(unscored, tmp_path / "x.pdf", key="spice-size")
    with pytest.raises(InputError, match="no size is said"):
        plotting.plot_confusions(diagnoses, tmp_path / "x.png", aspect="size")
    by_bleu = {"a": evaluate([{"image_id": 1, "test": "a", "refs": ["a"]}], ["bleu"])}
    with pytest.raises(InputError, match="no SPICE scores"):
        plotting.plot_categories(by_bleu, tmp_path / "x.png")


def test_bars_reach_from_the_score_to_the_bounds() -> None:
    outside = Interval("spice", 0.5, 0.6, 0.7, 0.1)
    undefined = Interval("spice", math.nan, math.nan, math.nan, math.nan)
    below, above = plotting._errors([outside, undefined])

    assert below[0] == 0
    assert above[0] == pytest.approx(0.2)


def test_matplotlib_is_named_if_it_is_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(__import__("sys").modules, "matplotlib", None)

    with pytest.raises(ResourceError, match=r"spicepy-captions\[plot\]"):
        plotting.check_path(tmp_path / "x.pdf")


@pytest.mark.parametrize("backend", ["module://no_such.backend", "tkagg"])
def test_the_command_draws_whatever_backend_is_set(
    backend: str, tmp_path: Path
) -> None:
    samples, output = tmp_path / "s.json", tmp_path / "x.svg"
    samples.write_text('[{"image_id": 1, "test": "a dog", "refs": ["dogs"]}]')
    command = ["plot", "distributions", str(samples), "-m", "bleu", "-o", str(output)]
    done = subprocess.run(
        [sys.executable, "-m", "spicepy", *command],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
        env={**os.environ, "MPLBACKEND": backend},
    )

    assert done.returncode == 0, done.stderr
    assert output.read_bytes().startswith(START[".svg"])


def test_the_users_backend_stays(systems: dict[str, Evaluation], tmp_path) -> None:
    import matplotlib as mpl

    with mpl.rc_context({"backend": "svg"}):
        plotting.plot_distributions(systems, tmp_path / "x.png")

        assert mpl.rcParams["backend"] == "svg"


@pytest.mark.parametrize("extension", [".pdf", ".png", ".svg"])
def test_a_graph_is_drawn(tmp_path: Path, extension: str) -> None:
    path = tmp_path / f"graph{extension}"
    plotting.plot_graph(parse("two dogs run in a park $1"), path)

    start = {**START, ".svg": b"<svg"}
    assert path.read_bytes().startswith(start[extension])
