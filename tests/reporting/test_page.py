"""The HTML report: complete, escaped, and the same numbers as the library's."""

import json
import math
import re
from html.parser import HTMLParser
from math import nan
from pathlib import Path
from typing import Any

import pytest
from doors import app
from toys import Overlap, images_of
from typer.testing import CliRunner

import spicepy
from spicepy.captions.reading import read_samples
from spicepy.captions.sample import Sample
from spicepy.common.errors import InputError
from spicepy.common.tables import render
from spicepy.common.writing import write
from spicepy.diagnosis import Analysis, diagnose, scenes
from spicepy.evaluation import Evaluation, Measured, evaluate
from spicepy.metrics.significance import Interval
from spicepy.metrics.spice import Spice
from spicepy.reporting.page import FILTERS, image_sources, render_report, write_report
from spicepy.reporting.scores import gains_of
from spicepy.reporting.study_figures import section
from spicepy.reporting.summary import bars_of
from spicepy.rules.tuples import SemanticTuple
from spicepy.study.accuracy import pairs
from spicepy.study.datasets import read_dataset
from spicepy.study.leave_one_out import loocv
from spicepy.study.preferences import read_pairs
from spicepy.study.scoring import random_caption
from spicepy.tokenization.samples import find_tokens, tokenised_samples

HOSTILE = "<script>alert(1)</script> & \"quotes\" 'single' </style>\u2028<!-- {{ 7 }}"


def proposed(text: str) -> list[SemanticTuple]:
    """Tuples by hand: "two dogs" is dog, dog two; tokens are positions from 1."""
    found = []
    words = text.lower().split()
    for at, word in enumerate(words, 1):
        if word in ("dogs", "dog", "cat"):
            name = word.removesuffix("s")
            found.append(SemanticTuple((name,), "object", (at,)))
            if words[at - 2] in ("two", "three", "red", "black"):
                members = name, words[at - 2]
                found.append(SemanticTuple(members, "attribute", (at, at - 1)))
    return found


@pytest.fixture(scope="module")
def spice() -> Spice:
    return Spice(synonyms="none")


def evaluated(spice: Spice, samples: list[Sample]) -> Evaluation:
    statistics = spice.count_graphs(
        images_of(
            [s.image_id for s in samples],
            [proposed(s.candidate) for s in samples],
            [[proposed(r) for r in s.references] for s in samples],
        )
    )
    tokenised = tokenised_samples(samples)
    measured = Measured(spice, statistics, "SPICE|toy")
    return Evaluation(tuple(samples), tuple(tokenised), (measured,))


@pytest.fixture(scope="module")
def systems(spice: Spice) -> dict[str, Evaluation]:
    references = ("two dogs and a red cat", "two dogs")
    a = [Sample(7, "Two dogs", references), Sample("x", "A cat", ("a black cat",))]
    b = [Sample(7, "Three dogs", references), Sample("x", HOSTILE, ("a black cat",))]
    return {"a": evaluated(spice, a), "<b>&": evaluated(spice, b)}


@pytest.fixture(scope="module")
def page(systems: dict[str, Evaluation]) -> str:
    return render_report(systems, Path("report.html"), samples=20)


def payload(page: str) -> Any:
    data, scenes = re.findall(
        r'<script type="application/json" id="\w+">(.*?)</script>', page
    )
    return json.loads(data) | {"scenes": json.loads(scenes)}


class Outline(HTMLParser):
    """Tags, and what a page would fetch."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.links: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        names = ("src", "href", "action", "data", "srcset")
        self.links += [value or "" for name, value in attrs if name in names]
        assert not [name for name, _ in attrs if name.startswith("on")]


def test_nothing_is_fetched(page: str) -> None:
    outline = Outline(page)

    assert all(link.startswith("#") for link in outline.links)
    assert outline.tags.count("script") == 3
    assert "url(" not in page
    assert "@import" not in page


def test_captions_and_names_are_inert(page: str) -> None:
    assert "<script>alert" not in page
    assert "<b>&" not in page
    assert "\u2028" not in page
    data = payload(page)
    assert data["strings"][data["runs"][1]["texts"][1]] == HOSTILE
    assert data["systems"] == ["a", "<b>&"]


def test_policy_admits_own_code_only(page: str) -> None:
    policy = re.search(r'Content-Security-Policy" content="(.*?)"', page)

    assert policy
    assert "default-src &#39;none&#39;" in policy[1]
    assert "script-src &#39;sha256-" in policy[1]
    assert "unsafe" not in policy[1]
    assert "innerHTML" not in page


def test_scores_round_trip(page: str, systems: dict[str, Evaluation]) -> None:
    data = payload(page)
    assert data["ids"] == ["7", "x"]
    for run, evaluation in zip(data["runs"], systems.values()):
        for title, column in zip(data["keys"], run["scores"]):
            key = next(k for k, known in evaluation.titles.items() if known == title)
            expected = evaluation.image_scores(key).values()
            assert column == [
                None if math.isnan(v) else round(10_000 * v) for v in expected
            ]


def test_graphs_round_trip(page: str, systems: dict[str, Evaluation]) -> None:
    data = payload(page)
    strings = data["strings"]
    for run, evaluation in zip(data["scenes"]["runs"], systems.values()):
        for i, score in enumerate(evaluation.measured[0].statistics.details):
            objects, attributes, _, places = run["graphs"][i]
            read = {(strings[o],) for o in objects}
            for node, word in zip(attributes[::2], attributes[1::2]):
                read.add((strings[objects[node]], strings[word]))
            assert read == {t.members for t in score.candidate.tuples()}
            assert len(places) == len(score.candidate)
            assert [p >= 0 for p in run["partners"][i]] == score.matching.flags()[0]
            marked = {p for p in run["partners"][i] if p >= 0}
            flags = score.matching.flags()[1]
            assert marked == {k for k, flag in enumerate(flags) if flag}


def test_marks_point_at_the_words(page: str) -> None:
    data = payload(page)
    text = data["references"][0][0]
    objects, _, _, places = data["scenes"]["graphs"][0]
    dog, cat = (places[k] for k in range(2))

    assert [data["strings"][o] for o in objects] == ["dog", "cat"]
    assert text[dog[1] : dog[1] + dog[2]] == "dogs"
    assert text[cat[1] : cat[1] + cat[2]] == "cat"
    assert dog[3:] == [1, 4, 4]  # the second reference's


def test_errors_are_the_diagnosis(page: str, systems: dict[str, Evaluation]) -> None:
    data = payload(page)
    for run, evaluation in zip(data["runs"], systems.values()):
        found = diagnose(scenes(evaluation), support=1)
        assert sum(map(len, run["errors"])) == len(found.findings)
        assert sum(map(len, run["observed"])) == len(found.observations)
    errors = [data["errors"][at] for at in data["runs"][1]["errors"][0]]
    wrong = data["kinds"].index("wrong count")
    [error] = [error for error in errors if error[0] == wrong]
    _, text, expected, references, words, precision, annotated, refuted = error
    strings = data["strings"]
    assert (strings[text], strings[expected], references) == ("dog, 3", "2", 2)
    assert words < 0 or strings[words]
    assert round(100 * precision) in data["precision"][wrong]
    assert (annotated, refuted) == (-1, 0)


def test_glance_has_a_row_a_system(page: str, systems: dict[str, Evaluation]) -> None:
    [table] = re.findall(r'<table class="glance">(.*?)</table>', page, re.DOTALL)
    heads = re.findall(r"<abbr[^>]*>(\w+)</abbr>", table)
    rows = table.split("<tbody>")[1].split("</tr>")[:-1]

    assert heads == ["Objects", "Counts", "Colors", "Hallucinations"]
    assert len(rows) == len(systems) == 2
    assert [row.count('class="best"') for row in rows] == [0, 0]  # two images
    assert "right 1 (100.0 %)" in rows[0]


def test_shares_and_best_values(systems: dict[str, Evaluation]) -> None:
    diagnoses = {n: diagnose(scenes(e), support=1) for n, e in systems.items()}
    opening = bars_of(diagnoses)
    found = {column.title: column for column in opening.columns}
    objects, counts = found["objects"].bars, found["counts"].bars

    assert objects[0].parts == (("right", 2), ("wrong", 0), ("absent", 0))
    assert [bar.share for bar in counts] == [1.0, 0.0]
    assert [bar.best for bar in counts] == [False, False]
    assert 0 < counts[0].low < counts[0].high == 1
    for column in found.values():
        for bar in column.bars:
            ends = [start + length for *_, start, length in bar.stretches()]
            assert not ends or ends[-1] == pytest.approx(1)
    assert not found["hallucinations"].higher
    table, expected, tests = opening.tables()
    assert table.rows[0][:3] == ("a", 1.0, 1.0)
    assert expected.rows[0][1] == pytest.approx(diagnoses["a"].risk.mean)
    assert [row[:2] for row in tests.rows] == [
        ("says wrong", "a - <b>&"),
        ("leaves out", "a - <b>&"),
    ]
    assert json.dumps(opening.to_dict())
    assert bars_of({}).columns == ()


def test_all_systems_are_measured_by_the_same_objects(spice: Spice) -> None:
    grass = "a giraffe bends down to graze on the green grass"
    texts = {"a": "a giraffe grazing on the grass", "b": "a giraffe in a pen"}
    systems = {
        name: evaluated(spice, [Sample(1, text, (grass,) * 5)])
        for name, text in texts.items()
    }
    diagnoses = {n: diagnose(scenes(e)) for n, e in systems.items()}
    [objects, *_] = bars_of(diagnoses).columns

    assert [bar.total for bar in objects.bars] == [2, 2]
    assert [bar.number("right") for bar in objects.bars] == [2, 1]


def test_stars_need_a_significant_difference(spice: Spice) -> None:
    texts = {"good": "two dogs", "bad": "three dogs"}
    systems = {
        name: evaluated(
            spice, [Sample(i, text, ("two dogs", "two dogs")) for i in range(12)]
        )
        for name, text in texts.items()
    }
    opening = bars_of({n: diagnose(scenes(e)) for n, e in systems.items()})
    counts = next(column for column in opening.columns if column.title == "counts")

    assert [bar.best for bar in counts.bars] == [True, False]
    assert opening.expected[0].best == 0
    assert opening.expected[1].best == 0  # The right number is left out.
    shares, expected, _ = opening.tables()
    assert r"\textbf{1.00}" in render(shares, "latex")
    assert expected.best == {(0, 1), (0, 4)}
    page = render_report(systems, Path("r.html"), samples=100)
    [table] = re.findall(r'<table class="scores.*?</table>', page, re.DOTALL)
    assert table.count("★") == 3  # SPICE, Attribute and Count, but not Object


def test_gains_of_mending(systems: dict[str, Evaluation]) -> None:
    evaluation = systems["<b>&"]  # "Three dogs" for "two dogs and a red cat"
    score = evaluation.measured[0].statistics.details[0]
    found = diagnose(scenes(evaluation)).by_image[0].findings
    aspects = Analysis().lexicon.aspects

    gained = gains_of(score.counts["All"], score.matching, found, aspects)

    # 1 of 2 tuples matched out of 4; with the number 2 of 2; with the cat 2 of 3.
    assert score.counts["All"].f == pytest.approx(1 / 3)
    assert gained["wrong count"] == pytest.approx(2 / 3 - 1 / 3)
    assert set(gained) <= {f.kind for f in found}


def test_the_page_lists_what_the_analysis_lists(fixtures: Path) -> None:
    """At any level: a probability of .496 is below 50 %."""
    evaluation = evaluate(read_samples(fixtures / "scenes.json")[:120], ["spice"])
    data = payload(render_report({"a": evaluation}, Path("r.html"), samples=2))
    analysis = Analysis()
    read = list(scenes(evaluation, analysis=analysis))
    every = diagnose(read, support=1, analysis=analysis)
    [run] = data["runs"]
    errors = [data["errors"][at] for found in run["errors"] for at in found]

    for level in data["levels"]:
        listed = sum(error[5] >= level / 100 for error in errors)
        assert listed == len(every.believed(level / 100).findings)


def test_evidence_of_findings(page: str) -> None:
    """Findings lead to what the references say, and to the analysis's graph."""
    data = payload(page)
    run, found = data["scenes"]["runs"][1], data["scenes"]["mentions"][0]
    objects, attributes, _ = run["readings"][0]

    assert [data["strings"][o] for o in objects] == ["dog"]
    assert [data["strings"][a] for a in attributes[1::2]] == ["3"]
    errors = [data["errors"][at] for at in data["runs"][1]["errors"][0]]
    wrong = data["kinds"].index("wrong count")
    [about] = [at for e, at in zip(errors, run["about"][0]) if e[0] == wrong]
    assert about >= -1
    assert all(len(spans) % 3 == 0 for spans in found)


def test_facts_of_long_captions() -> None:
    long = Sample(1, "A dog sits on a red sofa. A cat sleeps.", ("a dog", "a dog sits"))
    short = Sample(2, "A dog sits on a red sofa.", ("a dog", "a dog sits"))
    data = payload(
        render_report({"a": evaluate([long, short])}, Path("r.html"), samples=2)
    )
    facts = data["scenes"]["runs"][0]["facts"]

    assert list(facts) == ["0"]
    said = [
        (s, data["strings"][at]) for s, at in zip(facts["0"][::4], facts["0"][1::4])
    ]
    assert said[:2] == [(1, "dog"), (1, "sofa")]
    assert (2, "cat") in said


def test_evidence_stands_in_the_references() -> None:
    sample = Sample(1, "a red bus", ("a big blue bus on a street", "the blue bus"))
    data = payload(render_report({"a": evaluate([sample])}, Path("r.html"), samples=2))
    [run], [mentions] = data["scenes"]["runs"], data["scenes"]["mentions"]
    errors = [data["errors"][at] for at in data["runs"][0]["errors"][0]]
    kinds = [data["kinds"][error[0]] for error in errors]
    spans = mentions[run["about"][0][kinds.index("wrong color")]]

    said = [sample.references[n][a : a + m] for n, a, m in zip(*[iter(spans)] * 3)]
    assert said == ["big blue bus", "blue bus"]


def test_partners_add_up(spice: Spice) -> None:
    sample = Sample(1, "a cat chases a puppy", ("a dog chases a cat", "two cats"))
    evaluation = evaluate([sample], ["spice-soft"])
    data = payload(render_report({"a": evaluation}, Path("r.html"), samples=10))
    concepts, [run] = data["scenes"]["concepts"], data["scenes"]["runs"]
    [own], [back] = run["soft"]["candidate"], run["soft"]["references"]
    words = data["strings"]
    named = [words[number] for number in concepts[0][::3]]

    assert [words[number] for number in own[::5]] == ["cat", "puppy", "cat chase puppy"]
    assert [named[at] for at in own[3::5]] == ["cat", "dog", "dog chase cat"]
    assert own[4] == 100
    assert sum(own[2::5]) == pytest.approx(100, abs=2)
    assert sum(concepts[0][2::3]) == pytest.approx(100, abs=4)
    assert len(back) == 2 * len(named)
    assert data["judged"]
    assert data["scenes"]["graphs"] == []


def test_images_in_another_order_are_joined_by_id(spice: Spice) -> None:
    samples = [Sample(1, "a dog", ("a dog",)), Sample(2, "a cat", ("a dog",))]
    systems = {
        "a": evaluated(spice, samples),
        "b": evaluated(spice, samples[::-1]),
    }
    data = payload(render_report(systems, Path("r.html"), samples=10))

    assert data["runs"][0] == data["runs"][1]


def test_without_spice_and_alone(tmp_path: Path) -> None:
    samples = [Sample(1, "a b", ("a b",)), Sample(2, "a", ("b",))]
    path = tmp_path / "report.html"
    write_report({"one": evaluate(samples, [Overlap()])}, path, samples=10)
    data = payload(path.read_text(encoding="utf-8"))

    assert data["scenes"]["graphs"] == []
    assert data["runs"][0]["scores"][0] == [10_000, 0]
    assert data["runs"][0]["scores"][1][1] is None


def test_wrong_paths_are_refused(systems: Any, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"\.html"):
        write_report(systems, tmp_path / "report.pdf")
    with pytest.raises(InputError, match="does not exist"):
        write_report(systems, tmp_path / "absent" / "report.html")
    with pytest.raises(InputError, match="no systems"):
        write_report({}, tmp_path / "report.html")


def test_command_reports_on_the_example(fixtures: Path, tmp_path: Path) -> None:
    folder = fixtures / "example"
    files = [str(folder / f"system-{name}.json") for name in "ab"]
    references = ["--references", str(folder / "references.json")]
    path = tmp_path / "report.html"
    options = ["--output", str(path), "--samples", "10", "--quiet"]
    options += ["--table", str(tmp_path / "opening.tex")]

    result = CliRunner().invoke(app, ["report", *files, *references, *options])

    assert result.exit_code == 0, result.output
    data = payload(path.read_text(encoding="utf-8"))
    assert data["systems"] == ["system-a", "system-b"]
    assert len(data["ids"]) == 63
    assert "wrong count" in data["kinds"]
    opening = (tmp_path / "opening.tex").read_text(encoding="utf-8")
    assert r"\textbf{0.96}" in opening
    assert r"\caption{Estimated errors per caption" in opening
    assert "finding\\_weights@" in opening
    bleu = ["report", *files, *references, *options, "--metrics", "bleu"]
    assert "needs spice" in str(CliRunner().invoke(app, bleu).exception)


def test_studies_are_sections(
    systems: dict[str, Evaluation], page: str, fixtures: Path
) -> None:
    captions = read_dataset(fixtures / "loocv.json")
    preferences, _ = read_pairs(fixtures / "pairs.jsonl")
    bound = random_caption()
    hostile = type(bound)(HOSTILE, "a caption", bound.draw)
    bounds = loocv(captions, metrics=[Overlap()], bounds=[hostile])
    curves = pairs(preferences, metrics=[Overlap()], references=[1, None], repeats=2)
    studies = {"<i>bounds": bounds, "curves": curves}
    whole = render_report(systems, Path("r.html"), studies=studies, samples=20)
    outline = Outline(whole)

    assert section(bounds) in whole
    assert section(curves) in whole
    assert outline.tags.count("svg") - Outline(page).tags.count("svg") == 2 + 6
    assert 'href="#study-1"' in whole
    assert "&lt;i&gt;bounds" in whole
    assert "<script>alert" not in whole
    assert " style=" not in whole  # the policy would drop it
    assert all(link.startswith("#") for link in outline.links)
    assert "study" not in page.split("<main>")[1].split("<script")[0]


def test_studies_on_the_command_line(fixtures: Path, tmp_path: Path) -> None:
    preferences, _ = read_pairs(fixtures / "pairs.jsonl")
    study, report = tmp_path / "people.json", tmp_path / "report.html"
    write(pairs(preferences, metrics=[Overlap()]), study)
    scenes_file = str(fixtures / "scenes.json")
    arguments = ["report", scenes_file, "-m", "bleu", "--samples", "10"]
    arguments += ["-o", str(report), "--study", str(study)]

    assert CliRunner().invoke(app, arguments).exit_code == 0
    assert 'aria-label="Study people"' in report.read_text(encoding="utf-8")
    wrong = CliRunner().invoke(app, [*arguments, "--study", scenes_file])
    assert isinstance(wrong.exception, InputError)
    assert "scenes.json: a JSON list" in str(wrong.exception)
    twice = CliRunner().invoke(app, [*arguments, "--study", str(study)])
    assert "given twice" in str(twice.exception)


@pytest.mark.parametrize(
    ("caption", "tokens", "words"),
    [
        ("A dog, running.", "a dog running", ["A", "dog", "running"]),
        ("Isn't it", "is n't it", ["Is", "n't", "it"]),
        ("(a dog)", "-lrb- a dog -rrb-", ["(", "a", "dog", ")"]),
        ("a – dog", "a -- dog", ["a", "", "dog"]),
        ("cat’s dog cat", "cats dog cat", ["", "dog", "cat"]),
        ("\U0001f436 Dog", "dog", ["Dog"]),
        ("", "", []),
        ("İ dog", "i̇ dog", ["", "dog"]),
    ],
)
def test_tokens_are_found(caption: str, tokens: str, words: list[str]) -> None:
    assert [caption[a:b] for a, b in find_tokens(caption, tokens)] == words


def test_image_patterns() -> None:
    report = Path("report.html")

    def first(pattern: str, image_id: int | str = 42) -> str:
        return image_sources(pattern, [image_id], report)[0]

    assert first("photos/{image_id:05d}.jpg") == "photos/00042.jpg"
    assert first("https://a.org/{image_id}.jpg") == "https://a.org/42.jpg"
    assert first("p/{image_id}", '"><script>') == "p/%22%3E%3Cscript%3E"
    with pytest.raises(InputError, match="neither a folder nor a pattern"):
        first("photos")
    with pytest.raises(InputError, match="neither a folder nor a pattern"):
        first("{image_id.__class__}")
    with pytest.raises(InputError, match="use a path"):
        first("javascript:alert({image_id})")
    with pytest.raises(InputError, match="does not fit image 'x'"):
        first("{image_id:d}.jpg", "x")


def test_image_folder(tmp_path: Path) -> None:
    folder = tmp_path / "my photos"
    folder.mkdir()
    for name in ("COCO_000042.jpg", "x.png", "notes.txt"):
        (folder / name).touch()
    report = tmp_path / "report.html"

    found = image_sources(str(folder), [42, "x", 3], report)

    assert found == ("my%20photos/COCO_000042.jpg", "my%20photos/x.png", "")
    with pytest.raises(InputError, match="no file is named after"):
        image_sources(str(folder), [5], report)


def test_undefined_numbers_are_a_dash() -> None:
    undefined = Interval("spice-size", nan, nan, nan, nan)

    assert FILTERS["score"](nan) == FILTERS["p_value"](nan) == "–"
    assert FILTERS["interval"](undefined) == FILTERS["change"](nan) == "–"
    assert FILTERS["interval"](Interval("spice", 0.5, 0.25, 1, 0)) == "0.250–1.000"
    assert FILTERS["change"](-0.448) == "−0.448"
    assert FILTERS["change"](0.5, 2) == "+0.50"


def test_a_page_shows_no_nan(tmp_path: Path) -> None:
    rows = [
        {"image_id": n, "test": f"{a} dog", "refs": ["a dog runs"]}
        for n, a in enumerate(["a", "one", "the", "a"])
    ]
    spicepy.report({"one": rows, "two": rows[:]}, tmp_path / "r.html", samples=20)

    text = (tmp_path / "r.html").read_text(encoding="utf-8")
    table = text.partition('class="scores')[2].partition("</table>")[0]
    assert "Size" in table
    assert "nan" not in table
    assert "–––" not in table
