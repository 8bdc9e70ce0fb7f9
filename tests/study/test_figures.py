"""Files and pictures of study results."""

import json
from base64 import b64encode
from hashlib import sha256
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from toys import Overlap

from spicepy.common.errors import InputError
from spicepy.common.writing import write
from spicepy.reporting.study_figures import (
    PICTURES,
    curve,
    heat_map,
    page,
    section,
)
from spicepy.study.accuracy import pairs
from spicepy.study.captions import scatter_of
from spicepy.study.correlation import Correlations, correlate
from spicepy.study.datasets import read_dataset, read_judgments
from spicepy.study.leave_one_out import Loocv, loocv
from spicepy.study.preferences import read_pairs
from spicepy.study.scoring import random_caption

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(scope="module")
def result(fixtures: Path) -> Loocv:
    captions = read_dataset(fixtures / "loocv.json")
    return loocv(captions, metrics=[Overlap()], bounds=[random_caption()])


def test_heat_map_is_svg_with_every_number(result: Loocv) -> None:
    matrix = result.rank_correlations[0]
    root = ElementTree.fromstring(heat_map(matrix))
    texts = [e.text for e in root.iter("{http://www.w3.org/2000/svg}text")]

    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert texts.count("1.00") == 2
    assert texts.count(f"{matrix.between('overlap', 'length'):.2f}") == 2


def test_curve_has_a_line_a_metric_and_a_point_a_number(fixtures: Path) -> None:
    preferences, _ = read_pairs(fixtures / "pairs.jsonl")
    found = pairs(preferences, metrics=[Overlap()], references=[1, 2, None], repeats=3)
    root = ElementTree.fromstring(curve(found, "HC"))

    assert len(list(root.iter("{http://www.w3.org/2000/svg}polyline"))) == 2
    assert len(list(root.iter("{http://www.w3.org/2000/svg}circle"))) == 6


@pytest.fixture(scope="module")
def judged(fixtures: Path) -> Correlations:
    judgments = read_judgments(fixtures / "judgments.jsonl")
    return correlate(judgments, metrics=[Overlap()], samples=20)


def test_metrics_against_people_have_three_pictures(judged: Correlations) -> None:
    """20 captions lie on their places; five systems have names."""
    drawn = list(PICTURES[".svg"](judged))
    bars, captions, systems = (ElementTree.fromstring(text) for text in drawn)
    places = judged.caption("overlap").scatter
    names = {e.text for e in systems.iter(f"{SVG}text")}

    assert len(list(bars.iter(f"{SVG}rect"))) == 2
    assert sum(places.captions) == 20
    lengths = judged.caption("length").scatter
    circles = len(places.captions) + len(lengths.captions)
    assert len(list(captions.iter(f"{SVG}circle"))) == circles
    assert {"expert", "careful", "vague", "sloppy", "random"} <= names
    assert len(list(systems.iter(f"{SVG}circle"))) == 10


def test_a_panel_by_hand() -> None:
    """Scores 0, 1, 2 and ratings 1, 2, 6: the line has slope 5/2, intercept 1/2."""
    points = scatter_of(np.array([0.0, 1, 2, 1]), np.array([1.0, 2, 6, 2]))
    line = scatter_of(np.array([0.0, 1, 2]), np.array([1.0, 2, 6]))

    assert points.scores == (0, 1, 2)
    assert points.captions == (1, 2, 1)
    assert (line.slope, line.intercept) == pytest.approx((2.5, 0.5))
    assert np.isnan(scatter_of(np.ones(3), np.arange(3.0)).slope)


def test_many_points_become_few() -> None:
    values = np.random.default_rng(0).random((5000, 2))
    points = scatter_of(values[:, 0], values[:, 1])

    assert sum(points.captions) == 5000
    assert len(points.captions) <= 900
    slope = np.polyfit(values[:, 0], values[:, 1], 1)[0]
    assert points.slope == pytest.approx(slope)


def test_every_form_is_written(result: Loocv, tmp_path: Path) -> None:
    names = [f"x{s}" for s in (".json", ".csv", ".md", ".tex", ".html", ".svg")]
    written = [p.name for n in names for p in write(result, tmp_path / n, PICTURES)]
    values = json.loads((tmp_path / "x.json").read_text())

    assert written == [
        *("x.json", "x.csv", "x-2.csv", "x-3.csv"),
        *("x.md", "x.tex", "x.html", "x.svg", "x-2.svg"),
    ]
    assert values["protocol"]["seed"] == 12345
    assert values["signatures"][0].startswith("overlap|refs:4|")
    assert values["summaries"][0]["key"] == "overlap"
    assert "<svg" in (tmp_path / "x.html").read_text()


def test_a_page_needs_nothing_from_outside(result: Loocv) -> None:
    text = page(result).replace("http://www.w3.org/2000/svg", "")

    assert "http:" not in text
    assert "https:" not in text
    assert section(result) in page(result)


def test_a_page_runs_nothing(result: Loocv) -> None:
    text = page(result)
    style = text.partition("<style>")[2].partition("</style>")[0]
    digest = b64encode(sha256(style.encode()).digest()).decode()

    assert f"style-src &#39;sha256-{digest}&#39;; img-src &#39;none&#39;" in text
    assert "default-src &#39;none&#39;; script-src &#39;none&#39;" in text
    assert "style=" not in text


def test_names_are_escaped(fixtures: Path) -> None:
    captions = {"<b>": ("a", "b"), "c": ("c", "d")}
    bound = random_caption()
    unsafe = type(bound)("<script>alert(1)</script>", "<i>", bound.draw)
    text = page(loocv(captions, metrics=[Overlap()], bounds=[unsafe]))

    assert "<script>" not in text
    assert "&lt;script&gt;alert(1)" in text


def test_wrong_output_files_are_named(result: Loocv, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"use \.json, \.csv"):
        write(result, tmp_path / "x.docx")
    with pytest.raises(InputError, match="does not exist"):
        write(result, tmp_path / "no" / "x.json")


def test_a_result_without_pictures_is_told(fixtures: Path, tmp_path: Path) -> None:
    preferences, _ = read_pairs(fixtures / "pairs.jsonl")
    found = pairs(preferences, metrics=[Overlap()])

    with pytest.raises(InputError, match="has no picture"):
        write(found, tmp_path / "x.svg", PICTURES)
    assert not list(tmp_path.iterdir())
