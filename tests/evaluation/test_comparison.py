"""Comparing systems: the same images, seeded intervals and tests, tables."""

import json
import math
import re
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from toys import Overlap

import spicepy
from spicepy.captions.sample import Sample
from spicepy.common.errors import InputError
from spicepy.common.tables import Table, render
from spicepy.evaluation.comparison import Comparison, Layout, compare
from spicepy.evaluation.evaluation import Evaluation, evaluate, evaluate_graphs
from spicepy.evaluation.pairwise import check_images, common_images
from spicepy.graph.exchange import GraphSample
from spicepy.metrics.significance import adjust, bootstrap
from spicepy.metrics.spice import Spice
from spicepy.rules.tuples import SemanticTuple

REFERENCES = {
    1: ("two dogs run", "dogs running"),
    2: ("a red bus", "a bus in a street"),
    3: ("a small cat sleeps", "a cat on a bed"),
    4: ("a man rides a horse", "a man on a horse"),
}
GOOD = {1: "two dogs run", 2: "a red bus", 3: "a cat sleeps", 4: "a man on a horse"}
POOR = {1: "three cats run", 2: "a bus", 3: "a dog sleeps here", 4: "a tree"}


def samples(captions: dict[int, str]) -> list[Sample]:
    return [Sample(i, caption, REFERENCES[i]) for i, caption in captions.items()]


def evaluated(captions: dict[int, str]) -> Evaluation:
    return evaluate(samples(captions), [Overlap()])


@pytest.fixture(scope="module")
def compared() -> Comparison:
    systems = {"good": evaluated(GOOD), "poor": evaluated(POOR)}
    return compare(systems, samples=200)


def test_scores_are_the_evaluations(compared: Comparison) -> None:
    good = evaluated(GOOD)

    for key in ("overlap", "length"):
        assert compared.intervals[key][0].score == good.corpus_score(key)
    for test in compared.tests:
        first, second = (each.score for each in compared.intervals[test.key])
        assert test.difference == pytest.approx(first - second)


def test_intervals_are_those_of_the_bootstrap(compared: Comparison) -> None:
    measured = evaluated(GOOD).measured[0]
    interval = bootstrap(measured.metric, measured.statistics, samples=200)["overlap"]

    assert compared.intervals["overlap"][0] == interval


def test_correction_is_over_the_tests_of_a_family() -> None:
    """Three systems, two scores: 3 tests a score, 6 in all."""
    systems = {"a": evaluated(GOOD), "b": evaluated(POOR), "c": evaluated(GOOD)}
    by_score = compare(systems, samples=50)
    whole = compare(systems, samples=50, family="all")
    raw = [test.p_bootstrap for test in by_score.tests]
    halves = [*adjust(raw[:3], "holm"), *adjust(raw[3:], "holm")]

    assert [t.key for t in by_score.tests] == ["overlap"] * 3 + ["length"] * 3
    assert [t.corrected_bootstrap for t in by_score.tests] == halves
    assert [t.corrected_bootstrap for t in whole.tests] == list(adjust(raw, "holm"))
    assert "over the tests of a score (3)" in by_score.significance().notes[1]
    assert "over the tests of the comparison (6)" in whole.significance().notes[1]
    uncorrected = compare(systems, samples=50, correction="none")
    assert [t.corrected_bootstrap for t in uncorrected.tests] == raw


def many(better: int) -> dict[str, Evaluation]:
    """Five systems on 12 images, each right on some more images than the last."""
    images = [Sample(i, "", ("a dog", "one dog")) for i in range(12)]
    return {
        f"s{k}": evaluate(
            [
                replace(s, candidate="a dog" if i < k * better else "a cat")
                for i, s in enumerate(images)
            ],
            [Overlap()],
        )
        for k in range(5)
    }


def test_resamples_are_enough_for_the_number_of_systems() -> None:
    """Ten pairs: 20 x 10 / .05 resamples. At 100, 10/101 is above .05."""
    found, poor = compare(many(3)), compare(many(3), samples=100)
    ends = next(t for t in found.tests if (t.first, t.second) == ("s0", "s4"))

    assert found.samples == 4000
    assert found.warnings == ()
    assert ends.corrected_bootstrap == pytest.approx(10 / 4001)
    assert ends.corrected_randomization < 0.05  # 2 of 4,096 ways to swap 12 images
    assert min(t.corrected_bootstrap for t in poor.tests) >= 10 / 101
    assert poor.warnings == (
        "no difference can be significant: with 100 resamples the smallest p-value is "
        "0.0099, 0.099 corrected for 10 tests, above 0.05; take 4000 resamples",
    )
    assert compare(many(3), samples=100, correction="none").warnings == ()


def test_a_difference_as_large_as_the_detectable_one_is_found_in_four_of_five() -> None:
    """Wins of one system are binomial: the error of their mean is sqrt(pq / n)."""
    images = [Sample(i, "", ("a dog", "one dog")) for i in range(400)]
    right = {"a": 120, "b": 100}
    systems = {
        name: evaluate(
            [
                replace(s, candidate="dog" if i < n else "cat")
                for i, s in enumerate(images)
            ],
            [Overlap()],
        )
        for name, n in right.items()
    }
    [test] = (t for t in compare(systems).tests if t.key == "overlap")
    error = (0.05 * 0.95 / 400) ** 0.5

    assert test.difference == pytest.approx(0.05)
    assert test.detectable == pytest.approx((1.960 + 0.842) * error, rel=0.05)


@given(st.integers(0, 2**32 - 1))
def test_same_seed_same_numbers(seed: int) -> None:
    systems = {"good": evaluated(GOOD), "poor": evaluated(POOR)}

    first, again = (compare(systems, samples=10, seed=seed) for _ in range(2))

    assert first == again


def test_the_order_of_images_does_not_matter(compared: Comparison) -> None:
    turned = {"good": evaluated(GOOD), "poor": evaluated(dict(reversed(POOR.items())))}

    assert compare(turned, samples=200) == compared


def test_another_seed_gives_other_intervals(compared: Comparison) -> None:
    systems = {"good": evaluated(GOOD), "poor": evaluated(POOR)}

    assert compare(systems, samples=200, seed=1).intervals != compared.intervals


def test_one_system_has_intervals_only() -> None:
    found = compare({"good": evaluated(GOOD)}, samples=10)

    assert found.tests == ()
    assert [t.title for t in found.tables()] == ["Scores", "Confidence intervals"]


def test_table_2_of_the_paper() -> None:
    """SPICE, then Object, Relation, Attribute, Color, Count, Size."""
    made = [SemanticTuple(t) for t in (("dog",), ("dog", "two"), ("dog", "red"))]
    evaluation = evaluate_graphs([GraphSample(1, made, (made,))], Spice())
    table = compare({"a": evaluation, "b": evaluation}, samples=10).scores()

    assert table.columns == (
        *("System", "SPICE", "Object", "Relation", "Attribute"),
        *("Color", "Count", "Size"),
    )
    assert [row[0] for row in table.rows] == ["a", "b"]
    assert table.rows[0][1] == 1.0
    lines = render(table, "markdown").splitlines()
    assert lines[4].startswith("| a | 1.000 | 1.000 |")  # none is better


def test_bold_is_significantly_best(compared: Comparison) -> None:
    table = compared.scores()
    best = {(s, k) for k, s in compared.clearly_best().items() if s is not None}
    keys = list(compared.intervals)
    assert {(row, keys[column - 1]) for row, column in table.best} == best
    turned = replace(compared, lower_is_better=frozenset(compared.intervals))
    assert all(turned.clearly_best()[key] != system for system, key in best)
    unsure = replace(compared, tests=())
    assert not unsure.scores().best


def test_the_layout_of_a_paper(compared: Comparison) -> None:
    [first, *_] = compared.intervals
    layout = Layout((compared.title(first).upper(),), percent=True)
    paper = replace(compared, layout=layout)
    table = paper.scores()
    assert table.columns == ("System", compared.title(first))
    assert table.rows[0][1] == 100 * compared.intervals[first][0].score
    assert table.digits == 1
    assert compared.signature.split("|")[0] in render(table, "latex")
    assert {row[0] for row in paper.confidence().rows} == {compared.title(first)}
    turned = replace(compared, layout=Layout(turned=True)).scores()
    assert turned.columns == ("Score", *compared.systems)
    with pytest.raises(InputError, match="unknown column 'x'"):
        replace(compared, layout=Layout(("x",))).scores()


def test_captions_have_the_signatures_of_the_scores_shown(compared: Comparison) -> None:
    further = Table("Words", ("System",), [("a",)], signature="words|version:1")
    signatures = {"overlap": "overlap|1", "other": "other|2"}
    intervals = dict.fromkeys(signatures, compared.intervals["overlap"])
    both = replace(
        compared, intervals=intervals, signatures=signatures, further=(further,)
    )

    chosen = replace(both, layout=Layout(("other",)))
    assert chosen.scores().signature == "other|2"
    assert chosen.signature == "overlap|1; other|2; words|version:1"
    assert chosen.to_dict()["signature"] == chosen.signature


@pytest.mark.slow
def test_latex_compiles(compared: Comparison, tmp_path: Path) -> None:
    engine = shutil.which("pdflatex") or shutil.which("tectonic")
    if engine is None:
        pytest.skip("no TeX engine (pdflatex or tectonic)")
    signs = (
        "  Object",
        "a_1 & 2% #3 ~ ^ \\ {x} < > | τ ρ α ≤ ≥ − – é",
        "w" + " word" * 30,
    )
    shown = *compared.tables(), Table("Signs", ("Score", "a - b", "Text"), (signs,))
    tables = "\n".join(render(table, "latex") for table in shown)
    document = (
        r"\documentclass{article}\usepackage{booktabs,graphicx}\begin{document}"
        rf"{tables}\end{{document}}"
    )
    (tmp_path / "t.tex").write_text(document)
    mode = ["-interaction=nonstopmode", "-halt-on-error"] * engine.endswith("latex")
    done = subprocess.run(
        [engine, *mode, "t.tex"], cwd=tmp_path, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout[-2000:]
    assert (tmp_path / "t.pdf").exists()
    assert "Overfull" not in done.stdout


def test_many_scores_stand_below_each_other() -> None:
    found = compare({"a": evaluated(GOOD), "b": evaluated(POOR)}, samples=10)
    interval = found.intervals["overlap"]
    many = Comparison(
        *(found.systems, {f"s{i}": interval for i in range(11)}, (), 4),
        *(10, 1, 0.95, "holm", dict.fromkeys((f"s{i}" for i in range(11)), "")),
    )

    assert many.scores().columns == ("Score", "a", "b")
    assert len(many.scores().rows) == 11


def test_latex_is_balanced(compared: Comparison) -> None:
    for table in compared.tables():
        text = render(table, "latex")
        opened = re.findall(r"\\begin\{(\w+)\}", text)
        closed = re.findall(r"\\end\{(\w+)\}", text)
        columns = len(table.columns)
        rows = [line for line in text.splitlines() if line.endswith(r"\\")]

        assert opened == closed[::-1]
        assert text.count("{") == text.count("}")
        assert all(row.count(" & ") == columns - 1 for row in rows)
        assert [text.count(rf"\{r}rule") for r in ("top", "mid", "bottom")] == [1, 1, 1]
        assert not re.search(r"(?<!\\)%(?! )", text)


def test_json_has_everything(compared: Comparison) -> None:
    values = json.loads(json.dumps(compared.to_dict(), allow_nan=False))

    assert values["systems"] == ["good", "poor"]
    assert values["samples"] == 200
    assert values["intervals"]["overlap"][1]["low"] <= 1
    assert values["tests"][0]["corrected_bootstrap"] <= 1


def test_a_frame_has_a_row_for_each_system(compared: Comparison) -> None:
    pandas = pytest.importorskip("pandas")
    frame = compared.to_frame()

    assert list(frame.index) == ["good", "poor"]
    assert frame["overlap"]["poor"] == compared.intervals["overlap"][1].score
    assert "corrected_bootstrap" in pandas.DataFrame(compared.tests)


def test_missing_images_are_listed() -> None:
    part = {i: caption for i, caption in POOR.items() if i < 3}
    systems = {"good": samples(GOOD), "poor": samples(part)}

    with pytest.raises(InputError, match=r"poor lacks images 3, 4 \(use --common"):
        check_images(systems)
    shared = common_images(systems)
    assert [s.image_id for s in shared["good"]] == [1, 2]
    with pytest.raises(InputError, match="no image is common"):
        common_images({"good": samples(GOOD), "none": []})


def test_common_images_are_in_the_first_systems_order() -> None:
    turned = dict(reversed(POOR.items()))
    shared = common_images({"good": samples(GOOD), "poor": samples(turned)})

    assert [s.image_id for s in shared["poor"]] == [1, 2, 3, 4]


def test_other_references_are_refused() -> None:
    other = [Sample(1, "a", ("b",)), *samples(POOR)[1:]]

    with pytest.raises(InputError, match="image 1 has different references"):
        check_images({"good": samples(GOOD), "poor": other})


def test_systems_must_be_comparable() -> None:
    by_bleu = evaluate(samples(POOR), ["bleu"])

    with pytest.raises(InputError, match="good and poor are not comparable"):
        compare({"good": evaluated(GOOD), "poor": by_bleu})
    with pytest.raises(InputError, match="no systems"):
        compare({})
    with pytest.raises(InputError, match="a mapping of names to evaluations"):
        compare([by_bleu, by_bleu])  # type: ignore[arg-type]
    with pytest.raises(InputError, match=r"b: found 'b\.json'; an evaluation"):
        compare({"a": by_bleu, "b": "b.json"})  # type: ignore[dict-item]
    with pytest.raises(InputError, match="unknown correction 'bonferoni'"):
        compare({"a": evaluated(GOOD)}, correction="bonferoni")  # type: ignore[arg-type]
    with pytest.raises(InputError, match="unknown family 'system'; known: score, all"):
        compare({"a": evaluated(GOOD)}, family="system")  # type: ignore[arg-type]


def test_nothing_is_detectable_without_variance() -> None:
    rows = [{"image_id": n, "test": "a dog", "refs": ["a dog runs"]} for n in range(4)]
    compared = spicepy.compare({"a": rows, "b": rows[:]}, ["bleu"], samples=20)

    assert all(math.isnan(test.detectable) for test in compared.tests)
    assert render(compared.significance(), "markdown").count("– |\n") == 4


def test_numbers_of_things_are_neither_percentages_nor_better(
    compared: Comparison,
) -> None:
    layout = Layout(percent=True)
    sizes = replace(compared, layout=layout, amounts=frozenset(["length"]))
    as_shares = replace(compared, layout=layout)
    at = as_shares.scores().columns.index("length")
    of_sizes, of_shares = (c.scores().rows[0][at] for c in (sizes, as_shares))

    assert of_shares == pytest.approx(100 * of_sizes)
