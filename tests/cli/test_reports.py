"""`compare`, `diagnose` and `plot` as users meet them, in this process."""

import csv
import json
import re
from pathlib import Path

import pytest
from commands import Run

from spicepy.cli._results import system_names

REFERENCES = {
    1: ["three brown dogs run", "3 dogs on the grass"],
    2: ["a small red bus", "a bus in a street"],
    3: ["a cat sleeps on a bed", "a gray cat on a bed"],
}
GOOD = {
    1: "three brown dogs are running",
    2: "a small red bus",
    3: "a grey cat on a bed",
}
POOR = {1: "two brown dogs are running", 2: "a small blue bus", 3: "a tree <script>"}


@pytest.fixture
def files(tmp_path: Path) -> Path:
    """A folder with refs.json, good.json and poor.json, COCO's format."""
    pairs = [(i, caption) for i, found in REFERENCES.items() for caption in found]
    for name, captions in (
        ("refs", pairs),
        ("good", list(GOOD.items())),
        ("poor", list(POOR.items())),
        ("part", list(POOR.items())[:2]),
    ):
        records = [{"image_id": i, "caption": caption} for i, caption in captions]
        (tmp_path / f"{name}.json").write_text(json.dumps(records))
    return tmp_path


def test_table_2_is_one_command(run: Run, files: Path) -> None:
    systems = files / "good.json", files / "poor.json"
    code, out, _ = run("compare", *systems, "--references", files / "refs.json")
    titles = [*("System", "SPICE", "Object", "Relation"), "Attribute", "Color"]
    titles += ["Count", "Size"]
    header = next(line for line in out.splitlines() if "SPICE" in line)
    rows = [line for line in out.splitlines() if line.startswith("│ ")]

    assert code == 0
    assert [cell.strip() for cell in header.strip("┃").split("┃")] == titles
    assert [row.split("│")[1].strip() for row in rows[:2]] == ["good", "poor"]


def test_compare_writes_every_form(run: Run, files: Path) -> None:
    systems = files / "good.json", files / "poor.json"
    outputs = [("-o", files / f"x.{kind}") for kind in ("json", "csv", "md", "tex")]
    flat = [part for pair in outputs for part in pair]
    common = ("--references", files / "refs.json", "--samples", 20, "--quiet")
    code, out, err = run("compare", *systems, *common, "-m", "spice,bleu", *flat)

    assert (code, out) == (0, "")
    assert err.count("wrote") == 6
    values = json.loads((files / "x.json").read_text())
    assert values["systems"] == ["good", "poor"]
    assert values["intervals"]["bleu-4"][0]["key"] == "bleu-4"
    assert "BLEU|refs:2" in values["signature"]
    assert (files / "x.tex").read_text().count(r"\toprule") == 3

    again = files / "again.json"
    run("compare", *systems, *common, "-m", "spice,bleu", "-o", again)
    assert json.loads(again.read_text()) == values


def test_missing_images_are_an_error_or_left_out(run: Run, files: Path) -> None:
    systems = files / "good.json", files / "part.json"
    refs = ("--references", files / "refs.json", "--samples", 10)
    code, out, err = run("compare", *systems, *refs)

    assert (code, out) == (2, "")
    assert "part lacks image 3" in err
    assert "--common" in err
    code, out, err = run("compare", *systems, *refs, "--common")
    assert code == 0
    assert "2 images" in out
    assert "left out, as not every system has them: 1 image of good" in err


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--level", "95"), "level 95.0 is not between 0 and 1"),
        (("--output", "x.docx"), "unsupported file type"),
        (("--output", "x.html"), "`spicepy report` writes HTML"),
        (("--metrics", "spicy"), "did you mean 'spice'"),
        (("--categories", "extendd"), "did you mean 'extended'?"),
        (("--correction", "bonferroni"), "correction"),
        (("--samples", "1"), "samples"),
    ],
)
def test_wrong_options(
    run: Run, files: Path, options: tuple[str, str], message: str
) -> None:
    systems = files / "good.json", files / "poor.json"
    code, out, err = run(
        "compare", *systems, "--references", files / "refs.json", *options
    )

    assert (code, out) == (2, "")
    assert message in err
    assert "Traceback" not in err


def test_systems_are_named_after_their_files() -> None:
    assert system_names(["x/a.v1.json.gz", "y/a.v2.csv"]) == ["a.v1", "a.v2"]
    assert system_names(["x/a.json", "y/a.json"]) == ["x/a.json", "y/a.json"]


def test_the_same_file_twice(run: Run, files: Path) -> None:
    same = files / "good.json"
    code, _, err = run("compare", same, same, "--references", files / "refs.json")

    assert code == 2
    assert "the same file is given twice" in err


def test_diagnose(run: Run, files: Path) -> None:
    pair = "--candidates", files / "poor.json", "--references", files / "refs.json"
    code, out, _ = run("diagnose", *pair, "--categories", "extended", "--all")

    assert code == 0
    assert "Gender" in out
    assert "Confusion of count" in out


def test_diagnose_prints_a_verdict_and_one_screen(run: Run, files: Path) -> None:
    pair = "--candidates", files / "poor.json", "--references", files / "refs.json"
    code, out, _ = run("diagnose", *pair)

    assert code == 0
    assert out.startswith("Counts ")
    titles = "Can it count?", "What it does systematically", "Most probable errors"
    assert all(title in out for title in titles)
    assert "Confusion of count" not in out
    assert len(out.splitlines()) < 40


def test_few_findings_have_no_estimated_share(run: Run, files: Path) -> None:
    pair = files / "poor.json", "--references", files / "refs.json"
    _, out, _ = run("diagnose", "--candidates", *pair)

    assert "too few to estimate how many of them are right" in " ".join(out.split())


def test_the_report_estimates_how_many_errors_are_right(
    run: Run, fixtures: Path, files: Path
) -> None:
    """Its first screen has the figures of `diagnose`."""
    captions = fixtures / "example" / "system-b.json"
    pair = captions, "--references", fixtures / "example" / "references.json"
    _, out, _ = run("diagnose", "--candidates", *pair)
    run("report", *pair, "-o", files / "page.html")
    text = re.sub(r"<[^>]*>", " ", (files / "page.html").read_text(encoding="utf-8"))

    title = "How many of the most probable errors are right, estimated"
    shown = text.partition(title)[2]
    [share] = re.findall(r"among the first 10: (\d+ %)", " ".join(out.split()))
    assert " ".join(shown.split()).startswith(
        f"Among the first 10 20 50 100 system-b {share}"
    )


def test_boxes_have_a_say_in_the_verdict(run: Run, fixtures: Path, files: Path) -> None:
    names = ("captions", "instances", "references")
    captions, boxes, refs = (fixtures / "annotations" / f"{n}.json" for n in names)
    pair = "--references", refs, "--common", "--instances", boxes
    _, out, err = run("diagnose", "--candidates", captions, *pair)
    code, _, more = run("report", captions, *pair, "-o", files / "page.html")

    assert code == 0, err + more
    pattern = r"Of its \d+ numbers?, annotated objects confirm [^.]*\."
    [sentence] = re.findall(pattern, " ".join(out.split()))
    assert sentence in (files / "page.html").read_text(encoding="utf-8")


def test_diagnose_writes_rows_and_everything(run: Run, files: Path) -> None:
    pair = "--candidates", files / "poor.json", "--references", files / "refs.json"
    code, out, err = run(
        *("diagnose", *pair, "-q", "--precision", 0),
        *("-o", files / "e.csv", "-o", files / "e.json", "-o", files / "e.tex"),
    )
    rows = list(csv.DictReader((files / "e.csv").open(encoding="utf-8")))
    values = json.loads((files / "e.json").read_text())

    assert (code, out) == (0, "")
    assert err.count("wrote") == 10
    counted = next(row for row in rows if row["error"] == "wrong count")
    assert (counted["tuple"], counted["expected"], counted["said"]) == (
        *("dog, 2", "3", "2"),
    )
    assert {r["image_id"] for r in rows if r["error"] == "wrong color"} == {"2"}
    assert values["count"]["wrong"] == 1
    assert values["by_image"][2]["image_id"] == 3
    assert (files / "e-images.csv").read_text().startswith("image_id,All f,")


def test_plot(run: Run, files: Path) -> None:
    pytest.importorskip("matplotlib")
    systems = files / "good.json", files / "poor.json"
    refs = "--references", files / "refs.json"
    code, _, err = run("plot", "counts", *systems, *refs, "-o", files / "x.svg")
    assert code == 0
    assert "wrote" in err
    assert (files / "x.svg").read_text().startswith("<?xml")

    chosen = "--metrics", "bleu", "--key", "bleu-9"
    code, _, err = run(
        "plot", "distributions", *systems, *refs, *chosen, "-o", files / "y.pdf"
    )
    assert code == 2
    assert "Choose from: bleu-1, bleu-2" in err
    code, _, err = run("plot", "counts", *systems, *refs, "-o", files / "y.gif")
    assert code == 2
    assert "use .pdf, .svg or .png" in err
