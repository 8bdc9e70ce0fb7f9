"""`spicepy chair`, `count` and `pope`, the metrics and the script's class."""

import json
import pickle
import re
import shutil

import pytest
from cli_run import run as run

from spicepy.common import __version__
from spicepy.common.errors import InputError
from spicepy.compat.chair import (
    CHAIR,
    load_generated_captions,
    print_metrics,
    save_hallucinated_words,
)
from spicepy.diagnosis.annotations import AnnotatedDiagnosis, beside_annotations
from spicepy.diagnosis.findings import Fact, Finding, ImageDiagnosis
from spicepy.diagnosis.lexicon.lexicon import load_lexicon
from spicepy.diagnosis.results.diagnosis import Diagnosis
from spicepy.diagnosis.results.listing import ReferenceComparison
from spicepy.metrics.significance import expectation
from spicepy.objects.instances import ImageObjects, Instances
from spicepy.objects.pope import PopeResult, measure_pope, measure_splits, says_yes
from spicepy.objects.vocabulary import load_vocabulary


@pytest.fixture
def files(fixtures):
    folder = fixtures / "annotations"
    return [folder / f"{name}.json" for name in ("captions", "instances", "references")]


def test_chair_writes_every_caption(run, files, tmp_path) -> None:
    captions, instances, references = files
    out = tmp_path / "out.json"
    done = run(
        *("chair", captions, "--instances", instances, "--references", references),
        *("--variant", "pattern", "--output", out, "--quiet"),
    )

    assert done.returncode == 0, done.stderr
    found = json.loads(out.read_text())
    assert found["captions"][1] == {
        "image_id": 2,
        "caption": "a cat and a dog sleep on a couch. The dog is brown.",
        "mentioned": ["cat", "dog", "couch", "dog"],
        "hallucinated": ["dog", "dog"],
        "words": ["cat", "dog", "couch", "dog"],
        "missed": [],
        "chair-s": 1,
        "chair-i": 0.5,
        "recall": 1.0,
    }
    # Scripts see a cat in "no cat" and a horse in a painting.
    assert found["captions"][5]["hallucinated"] == ["cat", "horse"]
    assert found["corpus"]["chair-s"] == 3 / 6
    assert found["corpus"]["chair-i"] == 5 / 14
    assert "variant:pattern" in found["signature"]


def test_clean_is_the_default(run, files, tmp_path) -> None:
    captions, instances, _ = files
    out = tmp_path / "out.json"
    run("chair", captions, "--instances", instances, "-o", out, "--quiet")
    found = json.loads(out.read_text())

    assert found["variant"] == "clean"
    assert found["captions"][5]["hallucinated"] == []
    assert found["captions"][5]["missed"] == ["bench"]
    assert "|refs:0|" in found["signature"]
    assert "|truth:instances|" in found["signature"]


@pytest.mark.parametrize(("command", "name"), [("chair",) * 2, ("count", "counting")])
def test_signatures_are_those_of_metrics(run, files, tmp_path, command, name) -> None:
    captions, instances, references = files
    common = ("--references", references, "--instances", instances, "--quiet")
    own, other = tmp_path / "own.json", tmp_path / "other.json"
    run(command, captions, *common, "-o", own)
    run("evaluate", captions, *common, "-m", name, "--common", "-o", other)

    found = [json.loads(path.read_text())["signature"] for path in (own, other)]
    assert found[0] == found[1]


@pytest.mark.parametrize("command", ["chair", "count"])
def test_captions_without_words_are_warned_of(run, files, tmp_path, command) -> None:
    empty = tmp_path / "empty.json"
    empty.write_text(
        '[{"image_id": 1, "caption": ""}, {"image_id": 2, "caption": "!"}]'
    )
    done = run(command, empty, "--instances", files[1])

    assert done.returncode == 0
    assert "2 captions have no words" in " ".join(done.stderr.split())
    assert "(images 1, 2)" in " ".join(done.stderr.split())


def test_several_files_follow_one_option(run, files, tmp_path) -> None:
    captions, instances, _ = files
    other = tmp_path / "other.json"
    value = json.loads(instances.read_text())
    value["images"], value["annotations"] = (
        [{"id": 99}],
        [{"image_id": 99, "category_id": 1}],
    )
    other.write_text(json.dumps(value))
    done = run(
        *("chair", captions, "--instances", instances, other, "--variant", "pattern"),
    )

    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    ("record", "message"),
    [
        ({"image_id": 404, "caption": "a dog"}, "no annotation file has the image 404"),
        (
            {"image_id": "x.jpg", "caption": "a"},
            "no annotation file has the image 'x.jpg'",
        ),
        ({"image_id": 1}, "no key 'caption'"),
        ({"image_id": 1, "caption": None}, "must be a string"),
        ({"caption": "a dog"}, "no key 'image_id'"),
    ],
)
@pytest.mark.parametrize("command", ["chair", "count"])
def test_wrong_captions_end_with_a_sentence(
    run, files, tmp_path, record, message, command
) -> None:
    path = tmp_path / "captions.jsonl"
    path.write_text(json.dumps(record) + "\n")
    done = run(command, path, "--instances", files[1])

    assert done.returncode == 2
    assert message in " ".join(done.stderr.split())
    assert "Traceback" not in done.stderr


def test_keys_and_file_names_are_understood(run, files, tmp_path) -> None:
    path, out = tmp_path / "captions.jsonl", tmp_path / "out.json"
    record = {"image": "COCO_val2014_000000000002.jpg", "answer": "a cat"}
    path.write_text(json.dumps(record) + "\n")
    names = ("--id-column", "image", "--candidate-column", "answer")
    earlier = ("--image-id-key=image", "--caption-key", "answer")
    for options in (names, earlier):
        done = run(
            *("chair", path, "--instances", files[1], "--variant", "pattern", "-q"),
            *(*options, "-o", out),
        )
        assert done.returncode == 0, done.stderr
        assert json.loads(out.read_text())["captions"][0]["image_id"] == 2
        out.unlink()


def test_count_scores_numbers(run, files, tmp_path) -> None:
    captions, instances, _ = files
    out = tmp_path / "out.json"
    done = run("count", captions, "--instances", instances, "-o", out, "--quiet")

    assert done.returncode == 0, done.stderr
    found = json.loads(out.read_text())
    # Right: two people, two horses, three buses. Wrong: three of four zebras.
    assert found["groups"]["tier A"]["claims"] == 4
    assert found["corpus"]["count-exact"] == 3 / 4
    assert found["corpus"]["count-under"] == 1 / 4
    assert found["corpus"]["count-coverage"] == 1.0
    assert found["vague"] == {"several": {"claims": 1, "consistent": 1, "share": 1.0}}


def test_chair_is_a_metric(run, files, tmp_path) -> None:
    captions, instances, references = files
    out = tmp_path / "scores.json"
    done = run(
        *("evaluate", "--candidates", captions, "--references", references),
        *("--metrics", "chair,counting", "--variant", "pattern"),
        *("--instances", instances, "-o", out),
    )

    assert done.returncode == 0, done.stderr
    assert json.loads(out.read_text())["corpus"]["chair-s"] == 3 / 6

    done = run(
        *("evaluate", "--candidates", captions, "--references", references),
        *("--metrics", "chair"),
    )
    assert done.returncode == 2
    assert "--instances" in done.stderr


SEVERAL = {
    "chair": ["captions"],
    "count": ["captions"],
    "diagnose": ["samples"],
    "evaluate": ["samples", "--metrics=chair"],
    "compare": ["samples", "others", "--metrics=chair", "--samples=2"],
}


@pytest.mark.parametrize("command", SEVERAL)
def test_annotations_in_several_files(run, files, tmp_path, command) -> None:
    captions, instances, _ = files
    samples = [
        {"image_id": c["image_id"], "test": c["caption"], "refs": ["a dog"]}
        for c in json.loads(captions.read_text())
    ]
    whole, parts = json.loads(instances.read_text()), []
    for rest in (0, 1):
        images = [i for i in whole["images"] if i["id"] % 2 == rest]
        objects = [o for o in whole["annotations"] if o["image_id"] % 2 == rest]
        parts.append({**whole, "images": images, "annotations": objects})
    paths = {"captions": captions}
    written = {"samples": samples, "others": samples, "even": parts[0], "odd": parts[1]}
    for name, value in written.items():
        paths[name] = tmp_path / f"{name}.json"
        paths[name].write_text(json.dumps(value))
    first, *given = [paths.get(word, word) for word in SEVERAL[command]]

    results = []
    for args in (
        (first, *given, "--instances", instances),
        (first, *given, "--instances", paths["even"], paths["odd"]),
        (first, "--instances", paths["odd"], paths["even"], *given[::-1]),
        (*given[::-1], "--instances", instances, first),
    )[: 2 if command == "compare" else 4]:
        out = tmp_path / f"{len(results)}.json"
        done = run(command, "-o", out, *args)
        assert done.returncode == 0, done.stderr
        results.append(json.loads(out.read_text()))

    for result in results:
        result.pop("signature", None)
        assert result == results[0]


def test_the_class_of_the_script(files, tmp_path, capsys) -> None:
    captions, instances, references = files
    shutil.copy(instances, tmp_path / "instances_val2014.json")
    shutil.copy(references, tmp_path / "captions_val2014.json")
    output = CHAIR(tmp_path, variant="pattern").compute_chair(
        captions, "image_id", "caption"
    )

    assert output["overall_metrics"]["CHAIRs"] == 3 / 6
    assert output["sentences"][1]["mscoco_hallucinated_words"] == [["dog", "dog"]] * 2
    assert output["sentences"][1]["hallucination_idxs"] == [4, 11]
    save_hallucinated_words(tmp_path / "out.json", output)
    print_metrics(json.loads((tmp_path / "out.json").read_text()))
    assert "CHAIRs    : 50.0" in capsys.readouterr().out


def test_the_class_of_rohrbachs_script(files, tmp_path) -> None:
    captions, instances, references = files
    shutil.copy(instances, tmp_path / "instances_val2014.json")
    shutil.copy(references, tmp_path / "captions_val2014.json")
    results = tmp_path / "results.json"
    entries = {
        str(own["image_id"]): {**own, "CIDEr": 0.5}
        for own in json.loads(captions.read_text())
    }
    results.write_text(json.dumps({"overall": {"CIDEr": 0.5}, "imgToEval": entries}))
    _, imids, _ = load_generated_captions(results)
    evaluator = CHAIR(imids, tmp_path)
    evaluator.get_annotations()
    output = pickle.loads(pickle.dumps(evaluator)).compute_chair(results)

    assert imids == {1, 2, 3, 4, 5, 6}
    assert output["overall_metrics"] == {
        **{"CIDEr": 0.5, "CHAIRs": 0.5, "CHAIRi": 5 / 14},
        **{"Recall": 0.9, "Len": output["overall_metrics"]["Len"]},
    }
    assert output["sentences"][0]["metrics"]["CIDEr"] == 0.5
    assert evaluator.imid_to_objects[2] == {"cat", "couch"}
    assert 404 not in evaluator.imid_to_objects
    words, classes, places, tokens = evaluator.caption_to_words("Two men near a sofa.")
    assert (words, classes, places) == (["man", "sofa"], ["person", "couch"], [1, 4])
    assert tokens == ["two", "man", "near", "a", "sofa", "."]
    with pytest.raises(InputError, match="the ids of images and then the folder"):
        CHAIR(imids)


def test_report_shows_what_annotations_say(run, files, tmp_path) -> None:
    captions, instances, references = files
    other = tmp_path / "other.json"
    other.write_text(captions.read_text().replace("two people", "three people"))
    page = tmp_path / "report.html"
    done = run(
        *("report", captions, other, "--references", references, "--output", page),
        *("--instances", instances, "--quiet"),
    )

    assert done.returncode == 0, done.stderr
    text = page.read_text()
    assert '<a href="#annotations">' in text
    for title in ("Hallucinated objects (CHAIR)", "Numbers of objects (tier A)"):
        assert f"<h2>{title}</h2>" in text
    assert re.search(r"<td>exact</td><td>0.750 \(.*?\)</td><td>0.500 ", text)
    assert "annotated: 1 dog: refuted" not in text
    assert "annotated: no dog: confirmed" in text


def test_pages_and_pictures_of_sentences(run, files, tmp_path) -> None:
    page, picture = tmp_path / "chair.html", tmp_path / "chair.svg"
    path = tmp_path / "long.json"
    text = "A cat sleeps on a couch. A dog and a cat and a couch are there."
    path.write_text(json.dumps([{"image_id": 2, "caption": text}] * 5))
    done = run(
        *("chair", path, "--instances", files[1], "--quiet"),
        *("-o", page, "-o", picture),
    )

    assert done.returncode == 0, done.stderr
    assert "captions, 2: 5 of 15" in picture.read_text()
    assert picture.read_text().strip() in page.read_text()
    done = run("chair", files[0], "--instances", files[1], "-q", "-o", picture)
    assert done.returncode == 2
    assert "no picture" in done.stderr


DOG = Finding(1, "invented object", ("dog",), probability=0.1)


def annotated(
    finding: Finding,
    *facts: Fact,
    people: ReferenceComparison = ReferenceComparison(),  # noqa: B008
    **truth: int,
) -> AnnotatedDiagnosis:
    """Return a diagnosis of one finding beside the numbers of annotated objects."""
    image = ImageDiagnosis(1, {}, (), (finding,), risk=0.1)
    return beside_annotations(
        Diagnosis((image,), facts=(facts,), people=people),
        Instances(("x",), tuple(truth), {1: ImageObjects(truth)}, {}),
        load_vocabulary(),
        load_lexicon().nouns,
    )


def evidence(kind: str, members: tuple[str, ...], said: int | None = None, **truth):
    """Return the opinion on one finding, given the numbers of annotated objects."""
    found = annotated(Finding(1, kind, members, said=said, probability=0.1), **truth)
    [own] = found.evidence
    listed = len(found.diagnosis.findings)
    return own.opinion, listed, round(found.everything.by_image[0].risk, 3)


def test_evidence_of_annotations() -> None:
    assert evidence("invented object", ("dog",)) == ("confirmed", 1, 0.83)
    assert evidence("invented object", ("dog",), dog=1) == ("refuted", 0, 0.0)
    assert evidence("invented object", ("table",)) == ("open", 0, 0.1)
    assert evidence("missed object", ("dog",), dog=1) == ("confirmed", 0, 0.1)
    assert evidence("wrong count", ("dog", "2"), 2, dog=3) == ("confirmed", 1, 0.83)
    assert evidence("wrong count", ("dog", "2"), 2, dog=2) == ("refuted", 0, 0.0)
    # "A dog" does not say that there is one; two men are not all people.
    assert evidence("wrong count", ("dog", "1"), 1, dog=3) == ("open", 0, 0.1)
    assert evidence("wrong count", ("man", "2"), 2, person=3) == ("open", 0, 0.1)
    assert evidence("wrong count", ("people", "2"), 2, person=3) == ("open", 0, 0.1)


def test_annotations_judge_the_references_alike(run, tmp_path, fixtures) -> None:
    """A captioner and a reference name something that only the picture has."""
    women = ["a woman sits", "a woman sits outside", "a woman is sitting"]
    rows = [
        {"image_id": 1, "test": "a horse stands", "refs": women},
        {"image_id": 2, "test": women[0], "refs": ["a couch stands", *women[1:]]},
    ]
    samples, out = tmp_path / "samples.json", tmp_path / "out.json"
    samples.write_text(json.dumps(rows))
    instances = fixtures / "annotations" / "instances.json"

    def figures(*options: object) -> tuple[float, float]:
        done = run("diagnose", samples, *options, "-o", out, "--quiet")
        assert done.returncode == 0, done.stderr
        found = json.loads(out.read_text())
        return found["risk"]["mean"], found["people"]["risk"]["mean"]

    (own, people), (judged, of_people) = figures(), figures("--instances", instances)
    assert judged != own
    assert of_people != people

    image = ImageDiagnosis(1, {}, (), (DOG,), risk=0.1)
    people_too = ReferenceComparison(1, expectation([0.1]), images=(image,))
    for truth in ({}, {"dog": 1}):
        found = annotated(DOG, people=people_too, **truth)
        for diagnosis in (found.everything, found.diagnosis):
            assert diagnosis.people.risk.mean == diagnosis.risk.mean != 0.1


def test_facts_follow_the_annotations() -> None:
    facts = [
        Fact(1, ("dog",), 0.1, "invented object"),
        Fact(1, ("cat", "chase", "dog"), 0.1, "invented object"),
        Fact(1, ("cat",), 0.02, ""),
    ]

    def chances(**truth: int) -> list[float]:
        [own] = annotated(DOG, *facts, **truth).diagnosis.facts
        return [fact.wrong for fact in own]

    assert chances() == [0.83, 0.83, 0.02]
    assert chances(dog=1) == [0, 0, 0.02]


def test_annotations_strike_findings_out(run, tmp_path, fixtures) -> None:
    samples, out = tmp_path / "samples.json", tmp_path / "out.json"
    references = ["a woman on a horse in a field", "a woman rides in a field"]
    captions = {1: "a woman on a horse with a dog", 6: "a man and a dog and a zebra"}
    samples.write_text(
        json.dumps(
            [
                {
                    "image_id": image_id,
                    "test": caption,
                    "refs": references if image_id == 1 else ["a man sits outside"] * 3,
                }
                for image_id, caption in captions.items()
            ]
        )
    )
    instances = fixtures / "annotations" / "instances.json"
    done = run(
        *("diagnose", samples, "--instances", instances, "--precision", 0),
        *("-o", out, "--quiet"),
    )

    assert done.returncode == 0, done.stderr
    found = json.loads(out.read_text())
    opinions = {
        (own["image_id"], own["class"]): own["opinion"] for own in found["annotations"]
    }
    assert opinions[1, "dog"] == "confirmed"
    assert opinions[6, "dog"] == "refuted"
    assert opinions[6, "zebra"] == "confirmed"
    errors = [e["members"][0] for e in found["by_image"][1]["errors"]]
    assert "zebra" in errors
    assert "dog" not in errors
    measured = found["against_annotations"]
    assert measured["chair"]["corpus"]["chair-s"] == 1.0
    assert measured["counting"]["claims"] == {}


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("Yes, there is.", True),
        ("No, there is not.", False),
        ("There is a dog. There is no cat.", True),
        ("There are no dogs", False),
        ("I can not see one", False),
        ("", True),
    ],
)
def test_answers_are_read_as_by_the_script(answer: str, expected: bool) -> None:
    assert says_yes(answer) is expected


def test_pope(run, tmp_path) -> None:
    questions, answers = tmp_path / "q.json", tmp_path / "a.json"
    labels = ["yes", "yes", "no", "no"]
    questions.write_text(
        "\n".join(
            json.dumps({"question_id": k, "label": x}) for k, x in enumerate(labels)
        )
    )
    said = ["Yes.", "No.", "Yes, it is.", "No"]
    answers.write_text(
        "\n".join(
            json.dumps({"question_id": k, "answer": a})
            for k, a in reversed(list(enumerate(said)))
        )
    )
    found = measure_pope(answers, questions)

    assert found.scores() == {
        "accuracy": 0.5,
        "precision": 0.5,
        "recall": 0.5,
        "f1": 0.5,
        "yes-rate": 0.5,
    }
    signature = f"POPE|answers:published-rule|spicepy:{__version__}"
    assert found.to_dict()["signature"] == signature
    assert signature in found.write(tmp_path / "x.csv")[0].read_text()
    assert run("pope", answers, questions).returncode == 0
    answers.write_text(json.dumps({"question_id": 1, "answer": "Yes"}) + "\n")
    done = run("pope", answers, questions)
    assert done.returncode == 2
    assert "without an answer" in done.stderr


def test_pope_of_several_splits(run, tmp_path) -> None:
    files, said = [], []
    for split, labels in {"random": "yn", "popular": "nn", "adversarial": "ny"}.items():
        rows = [
            {"question_id": k, "label": {"y": "yes", "n": "no"}[x]}
            for k, x in enumerate(labels)
        ]
        files.append(tmp_path / f"{split}.jsonl")
        files[-1].write_text("\n".join(map(json.dumps, rows)))
        said += ["Yes.", "Maybe; unknown" if split == "random" else "No, I see none."]
    answers = tmp_path / "answers.jsonl"
    answers.write_text("\n".join(json.dumps({"answer": text}) for text in said))

    found = measure_splits(answers, files)

    assert list(found.splits) == ["random", "popular", "adversarial"]
    assert [r.scores()["accuracy"] for r in found.splits.values()] == [0.5, 0.5, 0.0]
    assert found.means()["accuracy"] == pytest.approx(1 / 3)
    assert found.to_dict()["signature"].startswith("POPE|")
    with pytest.raises(InputError, match="the same file is given twice"):
        measure_splits(answers, [files[0], files[0]])
    assert [r.unclear for r in found.splits.values()] == [1, 0, 0]
    done = run("pope", answers, *files, "-o", tmp_path / "p.json")
    assert done.returncode == 0, done.stderr
    assert "mean" in done.stdout
    assert json.loads((tmp_path / "p.json").read_text())["mean"]["accuracy"] < 0.4


def test_pope_of_lmms_eval_samples(run, tmp_path) -> None:
    rows = [("random", "yes", "Yes"), ("random", "no", "Yes."), ("popular", "no", "No")]
    samples = tmp_path / "samples_pope.jsonl"
    lines = [
        {
            "doc_id": k,
            "target": label,
            "filtered_resps": [said],
            "doc": {"question_id": str(k), "answer": label, "category": split},
        }
        for k, (split, label, said) in enumerate(rows)
    ]
    samples.write_text("\n".join(map(json.dumps, lines)))

    found = measure_splits(samples)

    assert {k: r.scores()["accuracy"] for k, r in found.splits.items()} == {
        "random": 0.5,
        "popular": 1.0,
    }
    done = run("pope", samples)
    assert done.returncode == 0, done.stderr
    for line in lines:
        del line["doc"]  # as later versions log them
    samples.write_text("\n".join(json.dumps(x) for x in lines))
    assert measure_splits(samples).scores()["accuracy"] == 2 / 3
    samples.write_text(json.dumps(lines[0] | {"filtered_resps": []}))
    assert "the answer is" in run("pope", samples).stderr
    samples.write_text(json.dumps({"question_id": 1, "answer": "Yes"}))
    assert "give the files of questions" in run("pope", samples).stderr


def test_pope_of_llava_answers_in_another_order_than_the_files(run, tmp_path) -> None:
    answers, files, said = tmp_path / "answers.jsonl", [], []
    for split, thing in (("adversarial", "fork"), ("random", "kite")):
        rows = [
            {"question_id": k, "text": f"Is there a {x} in the image?", "label": label}
            for k, (x, label) in enumerate([("dog", "yes"), (thing, "no")])
        ]
        files.append(tmp_path / f"coco_pope_{split}.json")
        files[-1].write_text("\n".join(map(json.dumps, rows)))
        for row in rows:
            prompt = f"{row['text']}\nAnswer the question using a single word."
            answer = {"prompt": prompt, "text": row["label"].title()}
            said.append({"question_id": len(said) + 7, **answer})
    answers.write_text("\n".join(map(json.dumps, said)))

    found = measure_splits(answers, files)

    assert [r.true_no for r in found.splits.values()] == [1, 1]
    for answer in said:
        answer["prompt"] = answer["prompt"].replace("image", "photo")
    worded = tmp_path / "worded.jsonl"
    worded.write_text("\n".join(map(json.dumps, said)))
    assert measure_splits(worded, files) == found
    done = run("pope", answers, *reversed(files))
    assert done.returncode == 2
    assert "answers another question" in done.stderr


@pytest.mark.parametrize(
    ("answer", "unclear"),
    [
        ("Maybe; unknown", 1),
        ("None", 1),
        ("Nope, I see none.", 1),
        ("I cannot see a dog in it", 1),
        ("No.", 0),
        ("It is not there", 0),
        ("yes", 0),
    ],
)
def test_answers_without_yes_or_no_are_counted(tmp_path, answer, unclear) -> None:
    answers, questions = tmp_path / "a.json", tmp_path / "q.json"
    answers.write_text(json.dumps([{"answer": answer}]))
    questions.write_text(json.dumps([{"label": "no"}]))

    assert measure_pope(answers, questions).unclear == unclear


@pytest.mark.parametrize(("number", "read"), [(1, "and is read"), (2, "and are read")])
def test_unclear_answers_are_told_in_a_sentence(number: int, read: str) -> None:
    [table] = PopeResult(1, 1, 1, 1, unclear=number).tables()

    assert any(read in note for note in table.notes)


def test_pope_has_the_bits_of_the_script() -> None:
    scores = PopeResult(1219, 792, 708, 281).scores()  # as its script printed them

    assert scores == {
        "accuracy": 0.6423333333333333,
        "precision": 0.6061660865241174,
        "recall": 0.8126666666666666,
        "f1": 0.6943890629450299,
        "yes-rate": 0.6703333333333333,
    }
    assert PopeResult(0, 2, 1, 1).scores()["f1"] == 0.0
    assert PopeResult(0, 0, 3, 0).scores()["f1"] is None
