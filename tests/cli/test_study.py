"""The study commands on the project's own files, n-gram metrics only."""

import json
from pathlib import Path

import pytest
from doors import app
from typer.testing import CliRunner

from spicepy.common.errors import InputError

METRICS = ("--metrics", "bleu,cider-d,rouge")


def run(*arguments: object) -> str:
    result = CliRunner().invoke(app, [str(a) for a in arguments])
    if result.exception:
        raise result.exception
    return result.output


def test_loocv(fixtures: Path, tmp_path: Path) -> None:
    text = tmp_path / "text.txt"
    text.write_text("The committee met again on Monday.\nShort.\n")
    data, output = fixtures / "loocv.json", tmp_path / "bounds.json"
    options = ("--lower", "--sentences", text, "--other", fixtures / "judgments.jsonl")
    printed = run("loocv", data, *METRICS, *options, "-o", output)
    result = json.loads(output.read_text())
    bounds = {s["bound"] for s in result["summaries"]}

    assert "upper bound" in printed
    assert bounds == {
        "upper bound",
        "random caption",
        "gibberish, average length",
        "caption of judgments.jsonl",
        "gibberish of judgments.jsonl, average length",
        "sentence of text.txt",
        "gibberish of text.txt, average length",
    }
    assert "idf:set(4 images" in result["signatures"][1]


def test_loocv_of_two_sets(fixtures: Path, tmp_path: Path) -> None:
    sets = (fixtures / "loocv.json", fixtures / "example" / "references.json")
    output = tmp_path / "sets.html"
    printed = run("loocv", *sets, *METRICS, "--lower", "--images", 10, "-o", output)

    assert "Data sets by what people reach" in printed
    assert "caption of the other sets" in printed
    assert "Bounds of the data sets" in output.read_text()
    with pytest.raises(InputError, match="the same file is given twice"):
        run("loocv", sets[0], sets[0], *METRICS)


def test_correlate(fixtures: Path, tmp_path: Path) -> None:
    output = tmp_path / "table.tex"
    options = ("--samples", 20, "--raters", "flatten", "-o", output)
    printed = run("correlate", fixtures / "judgments.jsonl", *METRICS, *options)

    assert "Difference of two metrics" in printed
    assert "flatten" in printed
    assert r"\toprule" in output.read_text()


def test_pairs(fixtures: Path, tmp_path: Path) -> None:
    output = tmp_path / "curve.svg"
    options = ("--references", "1,3,all", "--repeats", 3, "-o", output)
    printed = run("pairs", fixtures / "pairs.jsonl", *METRICS, *options)

    assert "Accuracy by number of references, HC" in printed
    assert output.read_text().startswith("<svg")


def test_triplets_say_what_was_left_out(fixtures: Path) -> None:
    assert "1 pair left out" in run("pairs", fixtures / "triplets.jsonl", *METRICS)


def test_captions_ranked_by_people_and_metrics(fixtures: Path, tmp_path: Path) -> None:
    path = tmp_path / "ranked.csv"
    options = ("--rankings", path, "-o", tmp_path / "x.json", "--quiet")
    run("pairs", fixtures / "pairs.jsonl", *METRICS, *options)
    header, first, *_ = path.read_text().splitlines()

    assert header.startswith("image_id,caption,system,pairs,won,rank by people,bleu-1")
    assert first.startswith("kitchen,")
    with pytest.raises(InputError, match=r"\.csv"):
        run("pairs", fixtures / "pairs.jsonl", "--rankings", tmp_path / "ranked.html")


def test_how_many_images(fixtures: Path, tmp_path: Path) -> None:
    example = fixtures / "example"
    files = [example / f"system-{name}.json" for name in "ab"]
    options = ("--references", example / "references.json", "--samples", 50)
    sizes = ("--images", "10,63", "-o", tmp_path / "curve.svg")
    printed = run("stability", *files, *options, *METRICS, *sizes)

    assert "Stability of the ranking" in printed
    assert (tmp_path / "curve.svg").read_text().startswith("<svg")
    with pytest.raises(InputError, match="--images is 'many'"):
        run("stability", *files, *options, *METRICS, "--images", "many")


def test_systems_rated_as_wholes(fixtures: Path, tmp_path: Path) -> None:
    path = tmp_path / "systems.csv"
    names = ("expert", "careful", "vague", "sloppy", "random")
    rows = [f"{name},{len(names) - i}\n" for i, name in enumerate(names)]
    path.write_text("system,M1\n" + "".join(rows))
    judgments = fixtures / "judgments.jsonl"
    printed = run("correlate", judgments, *METRICS, "--system-scores", path)

    assert "Correlation with people, systems" in printed
    assert "Correlation with people, captions" not in printed
    path.write_text("system,M1\nexpert,5\n")
    with pytest.raises(InputError, match=r"systems without a rating: .*careful"):
        run("correlate", judgments, *METRICS, "--system-scores", path)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("pairs", "pairs.jsonl", "--references", "some"), "numbers or 'all'"),
        (("loocv", "loocv.json", "-o", "x.doc"), "unsupported file type"),
        (("correlate", "judgments.jsonl", "--human", "taste"), "--human "),
        (("loocv", "missing.json"), "no such file"),
    ],
)
def test_mistakes_are_explained(fixtures: Path, arguments: tuple, message: str) -> None:
    command, name, *options = arguments
    with pytest.raises(Exception, match=message):
        run(command, fixtures / name, *METRICS, *options)


def test_captions_are_left_out_of_the_sets_own_frequencies(fixtures: Path) -> None:
    options = ("--correct-df", "--frequencies", "train.json")

    with pytest.raises(InputError, match="leave out --frequencies"):
        run("loocv", fixtures / "loocv.json", *METRICS, *options)
