"""Files as data sets and other tools have them; all captions written for the test."""

import json
from pathlib import Path

import pytest
from doors import app
from typer.testing import CliRunner

from spicepy.captions.reading import (
    chosen_samples,
    read_pair,
    read_references,
    read_samples,
)
from spicepy.captions.records import ColumnNames
from spicepy.captions.sample import Sample
from spicepy.captions.streams import Source
from spicepy.common.errors import InputError

KARPATHY = {
    "dataset": "coco",
    "images": [
        {
            "imgid": number,
            "cocoid": 100 + number,
            "split": split,
            "filename": f"COCO_val2014_{number}.jpg",
            "sentids": [number],
            "sentences": [{"raw": text, "tokens": text.split(), "imgid": number}],
        }
        for number, (split, text) in enumerate(
            [("test", "A dog."), ("test", "A cat."), ("train", "A bus.")]
        )
    ],
}


def write(path: Path, content: object) -> Path:
    text = content if isinstance(content, str) else json.dumps(content)
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize(
    "names", [(100, 101), (0, 1), ("COCO_val2014_0.jpg", "a/COCO_val2014_1")]
)
def test_karpathy_by_any_of_its_names(tmp_path: Path, names: tuple) -> None:
    references = write(tmp_path / "dataset_coco.json", KARPATHY)
    rows = [{"image_id": name, "caption": "a dog"} for name in names]
    candidates = write(tmp_path / "results.json", rows)

    samples = read_pair(candidates, references, naming=ColumnNames(split="test"))

    assert [s.image_id for s in samples] == [100, 101]
    assert [s.references for s in samples] == [("A dog.",), ("A cat.",)]
    with pytest.raises(InputError, match=r"--split, .* in Python: test, train"):
        read_pair(candidates, references)
    with pytest.raises(InputError, match="no record belongs to the split 'val'"):
        read_references(references, naming=ColumnNames(split="val"))


MSR_VTT = {
    "videos": [{"video_id": "video0", "split": "test"}, {"video_id": "video1"}],
    "sentences": [
        {"caption": "a man talks", "video_id": "video0", "sen_id": 0},
        {"caption": "a man is talking", "video_id": "video0", "sen_id": 1},
    ],
}
VATEX = [{"videoID": "x_1_2", "enCap": ["a man runs", "a man is running"]}]


@pytest.mark.parametrize(
    ("name", "content", "found"),
    [
        ("vtt.json", MSR_VTT, {"video0": ("a man talks", "a man is talking")}),
        ("vatex.json", VATEX, {"x_1_2": ("a man runs", "a man is running")}),
        (
            "token.txt",
            "1000.jpg#0\tA child .\n1000.jpg#1\tA girl .\n",
            {"1000.jpg": ("A child .", "A girl .")},
        ),
        ("results_20130124.token", "7.jpg#0\tTwo men .\n", {"7.jpg": ("Two men .",)}),
        ("sents_test.txt", "vid1\ta man\nvid1\tmen\n", {"vid1": ("a man", "men")}),
        (
            "results.csv",
            'image_name| comment_number| comment\n1000.jpg| 0| Two "men" , .\n'
            "1000.jpg| 1   Two guys .\n",
            {"1000.jpg": ('Two "men" , .', "Two guys .")},
        ),
        ("captions.txt", "image,caption\n1.jpg,A dog .\n", {"1.jpg": ("A dog .",)}),
        (
            "msvd.txt",
            "# comment\nmv89psg6zh4_33_46 a bird bathes\n",
            {"mv89psg6zh4_33_46": ("a bird bathes",)},
        ),
        ("refs.txt", "a dog\r\na cat\r\n", {1: ("a dog",), 2: ("a cat",)}),
        ("some.csv", "image_id;caption\n7.0;a dog\n", {7: ("a dog",)}),
        ("tabs.csv", "image_id\tcaption\nx\ta dog, red\n", {"x": ("a dog, red",)}),
        ("video.csv", "video_id,caption\nv1,a dog\n", {"v1": ("a dog",)}),
    ],
)
def test_references_of_data_sets(tmp_path: Path, name, content, found) -> None:
    assert read_references(write(tmp_path / name, content)) == found


def test_captions_of_several_images_under_one_key_are_refused(tmp_path: Path) -> None:
    rows = [{"image_id": number, "caption": "a dog"} for number in (1, 2)]
    with pytest.raises(InputError, match="expected a list of objects"):
        read_references(write(tmp_path / "nested.json", {"results": rows}))


def test_text_pairs(tmp_path: Path) -> None:
    candidates = write(tmp_path / "candidates.txt", "a dog\n\na cat\n")
    for number in range(2):
        write(tmp_path / f"ref{number}.txt", f"dog {number}\nbus\ncat\n")
    many = read_pair(candidates, tmp_path / "ref*.txt")

    assert many[0] == Sample(1, "a dog", ("dog 0", "dog 1"))
    assert [sample.candidate for sample in many] == ["a dog", "", "a cat"]
    names = [str(tmp_path / f"ref{number}.txt") for number in range(2)]
    command = ["evaluate", "--candidates", str(candidates), "--references", *names]
    result = CliRunner().invoke(app, [*command, "-m", "bleu"])
    assert result.exit_code == 0, result.output
    write(tmp_path / "ref1.txt", "a\nb\n")
    with pytest.raises(InputError, match=r"ref0\.txt has 3 .*ref1\.txt has 2"):
        read_references(tmp_path / "ref*.txt")


def test_delimiters_in_files_read_row_by_row(tmp_path: Path) -> None:
    path = write(
        tmp_path / "rows.csv", "image_id;candidate;reference_1\n42.0;a dog;dogs, red\n"
    )

    assert read_samples(path) == [Sample(42, "a dog", ("dogs, red",))]
    assert [s for _, s in Source([path]).samples()] == read_samples(path)


def test_rows_of_aac_metrics_have_no_ids(tmp_path: Path) -> None:
    path = write(
        tmp_path / "out.csv",
        "caption_predicted,caption_1,caption_2\nrain,Rain.,It rains.\na dog,A dog.,\n",
    )

    assert read_samples(path) == [
        Sample(1, "rain", ("Rain.", "It rains.")),
        Sample(2, "a dog", ("A dog.",)),
    ]


COCO = {
    "images": [{"id": 42, "file_name": "COCO_val2014_000000000042.jpg"}],
    "annotations": [{"image_id": 42, "caption": "A dog runs."}],
}


@pytest.mark.parametrize("command", ["evaluate", "compare", "stability", "diff"])
def test_file_names_are_matched_in_every_command(tmp_path: Path, command) -> None:
    references = str(write(tmp_path / "refs.json", COCO))
    rows = [{"image_id": "COCO_val2014_000000000042.jpg", "caption": "a dog"}]
    files = [str(write(tmp_path / f"{n}.json", rows)) for n in ("a", "b", "c")]
    given = {"evaluate": ["--candidates", files[0]], "diff": files[:2]}
    bleu = [] if command == "diff" else ["-m", "bleu"]

    arguments = [command, *given.get(command, files), "--references", references]
    result = CliRunner().invoke(app, [*arguments, *bleu])

    assert result.exit_code == 0, result.output


def test_columns_of_each_side(tmp_path: Path) -> None:
    references = str(write(tmp_path / "refs.json", COCO))
    rows = [{"question_id": 42, "text": "a dog"}]
    candidates = str(write(tmp_path / "a.jsonl", "\n".join(map(json.dumps, rows))))
    columns = ["--candidate-id-column", "question_id", "--candidate-column", "text"]

    sides = ["--candidates", candidates, "--references", references]
    for arguments in (["evaluate", *sides], ["compare", candidates, *sides[2:]]):
        result = CliRunner().invoke(app, [*arguments, *columns, "-m", "bleu"])
        assert result.exit_code == 0, result.output


def test_identical_rows_are_kept_once_on_request(tmp_path: Path) -> None:
    row = {"image_id": 1, "caption": "a dog"}
    candidates = write(tmp_path / "a.json", [row, row])
    references = write(tmp_path / "refs.json", [row])
    both = {"image_id": 1, "candidate": "a dog", "references": ["dogs"]}
    complete = write(tmp_path / "both.jsonl", f"{json.dumps(both)}\n" * 2)
    once = ColumnNames(once=True)

    with pytest.raises(InputError, match="--drop-repeats"):
        read_pair(candidates, references)
    assert len(read_pair(candidates, references, naming=once)) == 1
    assert len(read_samples(complete, naming=once)) == 1
    assert len(list(Source([complete], naming=once).samples())) == 1
    other = write(tmp_path / "b.json", [row, {**row, "caption": "a cat"}])
    with pytest.raises(InputError, match="with another candidate"):
        read_pair(other, references, naming=once)


def test_nothing_in_common_does_not_advise_common(tmp_path: Path) -> None:
    candidates = write(tmp_path / "a.json", [{"image_id": "x", "caption": "a dog"}])
    references = write(tmp_path / "b.json", [{"image_id": 1, "caption": "a dog"}])

    with pytest.raises(InputError, match="no image has both") as caught:
        read_pair(candidates, references)

    assert "--common" not in str(caught.value)


def test_captions_in_python_beside_a_file(tmp_path: Path) -> None:
    """As in a notebook: predictions in memory, annotations on disk."""
    pandas = pytest.importorskip("pandas")
    path = write(tmp_path / "references.json", KARPATHY)
    train = {"split": "train"}
    table = pandas.DataFrame({"q": [2.0], "cap": ["A bus ."]})
    record = {"image_id": 102, "caption": "A bus ."}
    for given, columns in (
        ({"COCO_val2014_2.jpg": "A bus ."}, train),
        ({2: ["A bus ."]}, train),
        ([record], train),
        ({"image_id": [102], "caption": ["A bus ."]}, train),
        (table, {"candidate_id": "q", "candidate": "cap", **train}),
        (table.set_index("q"), {"candidate": "cap", **train}),
    ):
        [one] = chosen_samples(given, None, path, None, columns=columns)
        assert one == Sample(102, "A bus .", ("A bus.",))
        assert [one] == chosen_samples(None, given, path, None, columns=columns)
    with pytest.raises(InputError, match="belongs to the split 'val'; it has: test"):
        chosen_samples([record], None, path, None, columns={"split": "val"})
    with pytest.raises(InputError, match=r"the candidates and .*no image has both"):
        chosen_samples({77: "a"}, None, path, None)


def test_a_file_of_lines_for_each_reference(tmp_path: Path) -> None:
    texts = "a\nb\n", "c\nd\n", "e\nf\n"
    first, *others = (write(tmp_path / f"{i}.txt", t) for i, t in enumerate(texts))
    samples = chosen_samples(None, first, others, None)
    assert [s.references for s in samples] == [("c", "e"), ("d", "f")]
