"""Captions to graphs as a job: any file in, every form out, in blocks."""

import csv
import json
from pathlib import Path

import pytest

from spicepy import parse
from spicepy.common.errors import InputError
from spicepy.common.settings import GraphFormat
from spicepy.graph.exchange import (
    graph_line,
    graph_value,
    read_factual,
    read_sng,
    read_visual_genome,
)
from spicepy.graph.scene import SceneGraph
from spicepy.pipeline import Pipeline
from spicepy.scale.blocks import Captioned
from spicepy.scale.jobs import Corpus, run_job
from spicepy.scale.parsing import Parsed, Parsing

CAPTIONS = [
    "two brown dogs run on the beach",
    "a man rides a bike and a bicycle",
    "",
    "a red stop sign",
    "1,000 dogs run on a beach",
]
ITEMS = [Captioned(caption, number) for number, caption in enumerate(CAPTIONS)]


def items(**options):
    return Corpus(lambda: enumerate(ITEMS), **{"cut": 2, **options})


def job(output: Path, form: GraphFormat = GraphFormat.tuples, **options) -> list[dict]:
    run_job(Parsing(Pipeline(), form), items(**options), output)
    return [json.loads(line) for line in output.read_text("utf-8").splitlines()]


@pytest.mark.parametrize(
    "form", [f for f in GraphFormat if f is not GraphFormat.factual]
)
def test_rows_are_the_graphs_of_single_captions(
    tmp_path: Path, form: GraphFormat
) -> None:
    rows = job(tmp_path / "graphs.jsonl", form)

    assert rows == [
        {"image_id": n, "caption": c, "graph": graph_value(parse(c), form, n)}
        for n, c in enumerate(CAPTIONS)
    ]


def test_a_graph_that_a_form_cannot_hold_is_named(tmp_path: Path) -> None:
    output = tmp_path / "graphs.jsonl"

    done = run_job(Parsing(Pipeline(), GraphFormat.factual), items(), output)

    rows = [json.loads(line) for line in output.read_text("utf-8").splitlines()]
    assert done == Parsed(5, 1)
    assert rows[0]["graph"] == graph_line(parse(CAPTIONS[0]), GraphFormat.factual)
    assert rows[4]["graph"] is None
    assert "comma" in rows[4]["error"]


def test_other_forms_are_read_back() -> None:
    graph = parse(CAPTIONS[0])
    expected = graph.to_tuples()

    assert read_factual(graph_value(graph, GraphFormat.factual)).to_tuples() == expected
    assert read_sng(graph_value(graph, GraphFormat.sng)).to_tuples() == expected
    found = graph_value(graph, GraphFormat.visual_genome, 7)
    assert found["image_id"] == 7
    assert read_visual_genome(found).to_tuples() == expected
    again = SceneGraph.from_json(json.dumps(graph_value(graph, GraphFormat.json)))
    assert again.to_tuples() == expected


def test_nested_columns(tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    output = tmp_path / "graphs.parquet"

    run_job(Parsing(Pipeline()), items(), output)

    rows = parquet.read_table(output).to_pylist()
    assert [row["image_id"] for row in rows] == [0, 1, 2, 3, 4]
    assert rows[2] == {"image_id": 2, "caption": "", "objects": [], "relations": []}
    things = {thing["name"]: thing for thing in rows[0]["objects"]}
    assert things["dog"]["attributes"] == ["two", "brown"] or (
        set(things["dog"]["attributes"]) >= {"brown"}
    )
    edges = [
        (o[e["subject"]]["name"], e["predicate"], o[e["object"]]["name"])
        for row in rows[:1]
        for o in [row["objects"]]
        for e in row["relations"]
    ]
    assert ("dog", "run on", "beach") in edges
    merged = next(o for o in rows[1]["objects"] if len(o["words"]) > 1)
    assert set(merged["words"]) == {"bike", "bicycle"}


def test_other_forms_are_text_in_parquet(tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    output = tmp_path / "graphs.parquet"

    run_job(Parsing(Pipeline(), GraphFormat.factual), items(), output)

    rows = parquet.read_table(output).to_pylist()
    assert rows[0]["graph"] == graph_line(parse(CAPTIONS[0]), GraphFormat.factual)
    assert rows[4]["graph"] is None


@pytest.mark.slow
def test_two_processes(tmp_path: Path) -> None:
    assert job(tmp_path / "a.jsonl", processes=2, cut=1) == job(tmp_path / "b.jsonl")


def test_another_form_does_not_go_on(tmp_path: Path) -> None:
    output = tmp_path / "a.jsonl"

    class Stopped(Corpus):
        def work(self, keeping, present):
            yield next(super().work(keeping, present))
            raise KeyboardInterrupt

    corpus = Stopped(lambda: enumerate(ITEMS), cut=2)
    with pytest.raises(KeyboardInterrupt):
        run_job(Parsing(Pipeline()), corpus, output)
    with pytest.raises(InputError, match="in which 'form' is"):
        run_job(Parsing(Pipeline(), GraphFormat.json), items(), output)

    assert len(job(output)) == 5


RECORDS = [{"image_id": n, "caption": c} for n, c in enumerate(CAPTIONS[:3])]


def csv_file(path: Path) -> None:
    with path.open("w", newline="") as file:
        writer = csv.DictWriter(file, ["image_id", "caption"])
        writer.writeheader()
        writer.writerows(RECORDS)


def parquet_file(path: Path) -> None:
    arrow = pytest.importorskip("pyarrow")
    from pyarrow import parquet

    parquet.write_table(arrow.Table.from_pylist(RECORDS), path)


WRITERS = {
    "a.jsonl": lambda p: p.write_text("".join(json.dumps(r) + "\n" for r in RECORDS)),
    "a.json": lambda p: p.write_text(json.dumps({"annotations": RECORDS})),
    "a.csv": csv_file,
    "a.parquet": parquet_file,
}


@pytest.mark.parametrize("name", WRITERS)
def test_files_in(run, tmp_path: Path, name: str) -> None:
    WRITERS[name](tmp_path / name)
    output = tmp_path / "graphs.jsonl"

    done = run("parse", "-f", tmp_path / name, "-o", output, "--format", "json")

    assert done.returncode == 0, done.stderr
    rows = [json.loads(line) for line in output.read_text("utf-8").splitlines()]
    assert [{k: row[k] for k in ("image_id", "caption")} for row in rows] == RECORDS
    assert rows[0]["graph"] == json.loads(parse(CAPTIONS[0]).to_json())


def test_lines_of_text(run, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("two dogs run\na red sign\n")
    output = tmp_path / "graphs.jsonl"

    done = run("parse", "-f", tmp_path / "*.txt", "-o", output)

    assert done.returncode == 0, done.stderr
    rows = [json.loads(line) for line in output.read_text("utf-8").splitlines()]
    assert rows[1] == {
        "caption": "a red sign",
        "graph": [["sign"], ["sign", "red"]],
    }


def test_a_caption_that_is_none(run, tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text('{"caption": "a"}\n{"caption": 7}\n')

    done = run("parse", "-f", tmp_path / "a.jsonl", "-o", tmp_path / "b.jsonl")

    assert done.returncode == 2
    assert "line 2: the caption is 7" in done.stderr
    assert not (tmp_path / "b.jsonl.part").exists()


BREAKS = "\x85\u2028\u2029\v\f\x1c\x1d\x1e"


@pytest.mark.parametrize("command", ["parse", "evaluate"])
def test_every_reader_of_lines_sees_a_row_a_line(
    run, tmp_path: Path, command: str
) -> None:
    captions = tmp_path / "captions.jsonl"
    record = {"image_id": f"a{BREAKS}b", "candidate": "a dog", "references": ["dogs"]}
    own = {"image_id": f"a{BREAKS}b", "caption": f"a dog{BREAKS}runs"}
    captions.write_text(json.dumps(own if command == "parse" else record))
    output = tmp_path / "out.jsonl"
    options = ["-f"] if command == "parse" else ["--metrics", "bleu"]

    code, _, _ = run(command, *options, str(captions), "-o", str(output), "-q")

    assert code == 0
    [row] = output.read_text(encoding="utf-8").splitlines()
    assert json.loads(row)["image_id"] == f"a{BREAKS}b"


@pytest.mark.parametrize(
    "form", [GraphFormat.json, GraphFormat.node_link, GraphFormat.sng]
)
def test_every_reader_of_lines_sees_a_graph_a_line(form: GraphFormat) -> None:
    graph = SceneGraph.from_tuples([[f"a{BREAKS}dog"]])

    assert graph_line(graph, form).splitlines() == [graph_line(graph, form)]
