"""A made-up build: the new version passes, or fails with exit code 1 and a table."""

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest
from cli_run import run  # noqa: F401 (a fixture)
from commands import Run

from spicepy.common.errors import InputError
from spicepy.evaluation.limits import Limit, on_scales
from spicepy.metrics.meteor import Meteor
from spicepy.objects.counting import Counting
from spicepy.objects.instances import Instances

REFERENCES = [f"a {color} dog runs on the grass" for color in ("red", "big", "old")] * 5


@pytest.fixture
def build(tmp_path: Path) -> Path:
    def write(name: str, captions: list[str]) -> None:
        rows = [{"image_id": n, "caption": text} for n, text in enumerate(captions)]
        (tmp_path / name).write_text(json.dumps(rows))

    write("refs.json", REFERENCES)
    write("old.json", REFERENCES)
    write("new.json", [text.replace("dog", "cat") for text in REFERENCES])
    write("same.json", ["a dog", *REFERENCES[1:]])
    return tmp_path


def test_a_fall_fails_with_every_output(build: Path, run: Run) -> None:  # noqa: F811
    sides = ["--against", build / "old.json", "--references", build / "refs.json"]
    files = [build / f"c.{kind}" for kind in ("xml", "md", "json")]
    outputs = [part for file in files for part in ("-o", file)]

    done = run(
        *("check", build / "new.json", *sides, "--max-drop", "bleu-4=.01,bleu-1=.9"),
        *("--significant", "--github", *outputs),
    )

    assert done.returncode == 1
    assert "FAIL" in done.stdout
    assert "::error title=spicepy check::bleu-4 fell by" in done.stdout
    suite = ElementTree.fromstring((build / "c.xml").read_text())
    assert (suite.get("tests"), suite.get("failures")) == ("2", "1")
    assert "| FAIL | bleu-4 |" in (build / "c.md").read_text()
    result = json.loads((build / "c.json").read_text())
    assert [one["passed"] for one in result["outcomes"]] == [False, True]


def test_a_metric_of_ones_own_has_limits(build: Path, run: Run, monkeypatch) -> None:  # noqa: F811
    (build / "marking.py").write_text(
        "def cats(samples):\n    return ['cat' in s.candidate for s in samples]\n"
        "cats.lower_is_better = True\n"
    )
    monkeypatch.syspath_prepend(build)
    sides = ["--against", build / "old.json", "--references", build / "refs.json"]
    own = [*sides, "--metric-from", "marking:cats"]

    alone = run("check", build / "new.json", *own, "--max-rise", "cats=.1")
    limits = ["--max-rise", "cats=.1", "--max-drop", "bleu-1=.9"]
    both = run("check", build / "same.json", *own, *limits)

    assert (alone.returncode, both.returncode) == (1, 0)
    assert "cats" in alone.stdout
    assert "bleu-1" in both.stdout


def test_what_is_within_its_limit_passes(build: Path, run: Run) -> None:  # noqa: F811
    sides = ["--against", build / "old.json", "--references", build / "refs.json"]
    limits = build / "limits.toml"
    limits.write_text("significant = true\n[max-drop]\nbleu-4 = 0\n")

    same = run("check", build / "old.json", "--against", build / "old.json")
    once = run("check", build / "same.json", *sides, "--limits", limits)
    strict = run("check", build / "same.json", *sides, "--max-drop", "bleu-4=0")

    assert same.returncode == 2
    assert once.returncode == 0, once.stderr
    assert strict.returncode == 1


def test_what_is_not_significant_is_said(build: Path, run: Run) -> None:  # noqa: F811
    for name in ("refs", "old", "new"):
        rows = json.loads((build / f"{name}.json").read_text())
        (build / f"{name}3.json").write_text(json.dumps(rows[:3]))
    files = [build / f"c.{kind}" for kind in ("xml", "md", "json")]

    done = run(
        *("check", build / "new3.json", "--against", build / "old3.json"),
        *("--references", build / "refs3.json", "--max-drop", "bleu-1=.01"),
        *("--significant", "--github", *(part for f in files for part in ("-o", f))),
    )

    assert done.returncode == 0, done.stderr
    assert "no difference can be significant: with 3 images" in done.stderr
    assert "::warning title=spicepy check::bleu-1 fell by" in done.stdout
    suite = ElementTree.fromstring(files[0].read_text())
    assert (suite.get("failures"), suite.get("skipped")) == ("0", "1")
    assert "not significant" in suite.find("testcase/skipped").get("message")
    assert "| not significant | bleu-1 |" in files[1].read_text()
    result = json.loads(files[2].read_text())
    assert result["outcomes"][0]["beyond"]
    assert result["warnings"]


def test_the_command_line_overrides_the_file(build: Path, run: Run) -> None:  # noqa: F811
    limits = build / "limits.toml"
    limits.write_text("[max-drop]\nbleu-1 = 0\n")

    done = run(
        *("check", build / "same.json", "--against", build / "old.json"),
        *("--references", build / "refs.json", "--limits", limits),
        *("--max-drop", "bleu-1=.9,Object=.9", "-o", build / "c.json"),
    )

    assert done.returncode == 0, done.stderr
    outcomes = json.loads((build / "c.json").read_text())["outcomes"]
    assert [one["limit"]["key"] for one in outcomes] == ["bleu-1", "spice-object"]


def test_a_limit_is_not_lost_if_the_option_is_repeated(build: Path, run: Run) -> None:  # noqa: F811
    done = run(
        *("check", build / "same.json", "--against", build / "old.json"),
        *("--references", build / "refs.json"),
        *("--max-drop", "bleu-1=.9", "--max-drop", "bleu-4=.9"),
    )

    assert done.returncode == 2
    assert "--max-drop is given 2 times; give it once" in done.stderr


def test_an_undefined_score_has_no_limit(build: Path, run: Run) -> None:  # noqa: F811
    done = run(
        *("check", build / "new.json", "--against", build / "old.json"),
        *("--references", build / "refs.json", "--max-drop", "spice-cardinality=.1"),
    )

    assert done.returncode == 2
    assert "spice-cardinality is undefined" in done.stderr


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ([], "no limits"),
        (["--max-drop", "bleu-4"], "'bleu-4' is not a limit"),
        (["--max-drop", "bleu-4=-1"], "0 or more"),
        (["--max-drop", "blue=1"], "unknown score 'blue'"),
        (["--max-drop", "bleu-7=1"], "unknown score 'bleu-7'"),
        (["--max-drop", "count-exat=.1"], "counting compares captions with annotated"),
        (["--max-drop", "count-mae=.1"], "counting compares captions with annotated"),
        (
            ["--max-drop", "spce=.1"],
            "did you mean 'spice'? Choose from: spice, spice-ob",
        ),
        (["--max-drop", "blue=.1"], "spice-size, bleu-1, bleu-2"),
        (["--max-drop", "spice-count=.1"], "spice-cardinality is undefined"),
        (["--limits", "limits.toml"], "'max-fall' is unknown"),
        (["--limits", "below.toml"], "significant is true; a number is needed; it"),
        (["--limits", "yes.toml"], "significant is 'yes'; true or false"),
    ],
)
def test_wrong_limits(build: Path, run: Run, monkeypatch, options, said) -> None:  # noqa: F811
    monkeypatch.chdir(build)
    Path("limits.toml").write_text("[max-fall]\nspice = 1\n")
    Path("yes.toml").write_text('significant = "yes"\n[max-drop]\nspice = 1\n')
    Path("below.toml").write_text("[max-drop]\nspice = 1\nsignificant = true\n")

    done = run(
        *("check", "new.json", "--against", "old.json", "--references", "refs.json"),
        *options,
    )

    assert done.returncode == 2
    assert said in done.stderr


def test_the_build_sees_why_nothing_is_checked(build: Path, run: Run) -> None:  # noqa: F811
    outputs = [part for end in ("xml", "md") for part in ("-o", build / f"c.{end}")]
    done = run(
        *("check", build / "new.json", "--against", build / "none.json", "--github"),
        *("--references", build / "refs.json", "--max-drop", "bleu-4=.1", *outputs),
    )

    assert done.returncode == 2
    assert done.stdout.startswith("::error title=spicepy check::")
    [case] = ElementTree.parse(build / "c.xml").getroot()
    assert "none.json" in case[0].attrib["message"]
    assert "not checked" in (build / "c.md").read_text()


def test_a_limit_must_catch_a_loss() -> None:
    counts = Counting(Instances((), ("dog",), {}, {}))
    limits = [Limit("count-mae", "drop", 0.1)]

    with pytest.raises(InputError, match="lower is better; give --max-rise count-mae"):
        on_scales(limits, [counts])


def test_a_limit_of_meteor_needs_its_table() -> None:
    with pytest.raises(InputError, match="needs METEOR's table of paraphrases"):
        on_scales([Limit("meteor", "drop", 0.1)], [Meteor(paraphrases=None)])
