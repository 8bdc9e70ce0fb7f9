"""Captions of any size to scene graphs: a job in blocks.

    captions ─ count ─▶ digest ─ blocks ─ Parsing ─▶ Folder ─▶ output

In: captions that can be read twice, with the ids of their images if they have any.
Out: one row per caption, as JSON lines or Parquet. Every caption is read by itself.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Final

from spicepy.common import __version__
from spicepy.common.errors import InputError, brief
from spicepy.common.settings import GraphFormat
from spicepy.graph.exchange import graph_value, nested
from spicepy.graph.scene import SceneGraph
from spicepy.pipeline import Pipeline
from spicepy.scale.blocks import Block, Captioned, CaptionSurvey
from spicepy.scale.folder import Folder
from spicepy.scale.jobs import Corpus, run_job
from spicepy.scale.rows import BlockResult, check_ids, json_lines, parquet_bytes

_NESTED: Final = (GraphFormat.tuples, GraphFormat.json)
"""Forms that are nested columns in Parquet; the others are text there."""


@dataclass(frozen=True, slots=True)
class Parsed:
    """The result of parsing captions.

    Attributes:
        captions: The number of captions that were parsed.
        unwritten: The number of graphs that the form cannot hold; their rows say why.
    """

    captions: int
    unwritten: int


@dataclass(frozen=True)
class Parsing:
    """The job of parsing captions, and the function of each block.

    Attributes:
        pipeline: The way from captions to graphs.
        form: The format of graphs.
        ending: ".jsonl" or ".parquet".
        ids: The type of the image ids in Parquet: "int", "str", or "NoneType" where
            there are none.
    """

    pipeline: Pipeline
    form: GraphFormat = GraphFormat.tuples
    ending: str = ".jsonl"
    ids: str = "NoneType"
    stage = "parsing captions"
    nothing = "no captions: at least one is needed"

    def about(
        self, survey: CaptionSurvey, corpus: Corpus[Captioned, Any], ending: str
    ) -> dict[str, Any]:
        """See `Job`."""
        if ending == ".parquet" and len(survey.ids) > 1:
            raise InputError(
                "some image ids are integers, others text or missing; a column of "
                "Parquet holds one of them: write .jsonl"
            )
        if ending == ".parquet":
            check_ids(survey.too_large)
        return {
            "work": "parse",
            "spicepy": __version__,
            "graphs": self.pipeline.signature(),
            "form": str(self.form),
            "captions": survey.captions,
            "digest of the captions": survey.digest,
        }

    def work(
        self, survey: CaptionSurvey, corpus: Corpus[Captioned, Any], ending: str
    ) -> "Parsing":
        """See `Job`."""
        return replace(self, ending=ending, ids=min(survey.ids))

    def result(
        self, survey: CaptionSurvey, folder: Folder, blocks: int
    ) -> tuple[Parsed, None]:
        """See `Job`."""
        unwritten = sum(facts["unwritten"] for facts in folder.facts(blocks))
        return Parsed(survey.captions, unwritten), None

    def __call__(self, block: Block[Captioned]) -> BlockResult:
        """Parse a block."""
        for item in block.items:
            where = "" if item.image_id is None else f"image {brief(item.image_id)}"
            self.pipeline.check(item.caption, where)
        graphs = self.pipeline.parse([item.caption for item in block.items])
        rows = [self._row(item, graph) for item, graph in zip(block.items, graphs)]
        unwritten = sum("error" in row for row in rows)
        if self.ending == ".parquet":
            names = self._types
            columns = {name: [row.get(name) for row in rows] for name in names}
            data = parquet_bytes(columns, names)
        else:
            data = json_lines(rows)
        return BlockResult(block.number, data, facts={"unwritten": unwritten})

    def _row(self, item: Captioned, graph: SceneGraph) -> dict[str, Any]:
        row: dict[str, Any] = {"caption": item.caption}
        if item.image_id is not None:
            row = {"image_id": item.image_id, **row}
        if self.ending == ".parquet" and self.form in _NESTED:
            return row | nested(graph)
        try:
            value = graph_value(graph, self.form, item.image_id or 0)
        except InputError as error:  # A job does not end for one graph.
            return row | {"graph": None, "error": str(error)}
        if self.ending == ".parquet" and not isinstance(value, str):
            value = json_lines([value]).decode().rstrip("\n")
        return row | {"graph": value}

    @cached_property
    def _types(self) -> Mapping[str, Any]:
        import pyarrow as pa

        text, place = pa.string(), pa.int32()
        thing = {"name": text, "words": pa.list_(text), "attributes": pa.list_(text)}
        edge = {"subject": place, "predicate": text, "object": place}
        nested_types = {
            "objects": pa.list_(pa.struct(list(thing.items()))),
            "relations": pa.list_(pa.struct(list(edge.items()))),
        }
        types = {"int": pa.int64(), "str": text}
        return {
            **({"image_id": types[self.ids]} if self.ids in types else {}),
            "caption": text,
            **(
                nested_types if self.form in _NESTED else {"graph": text, "error": text}
            ),
        }


def parse_corpus(
    corpus: Corpus[Captioned, CaptionSurvey],
    output: str | Path,
    pipeline: Pipeline,
    form: GraphFormat = GraphFormat.tuples,
) -> Parsed:
    """Parse captions in blocks; a run that was killed can be resumed.

    Args:
        corpus: All captions, on this machine or a cluster.
        output: A `.jsonl` or `.parquet` file with one row per caption, or a new folder
            of Parquet files.
        pipeline: The way from captions to graphs.
        form: The format of graphs. Parquet has tuples and json as nested columns.

    Raises:
        InputError: A caption is wrong (nothing was parsed), or the output cannot be
            written, is that of another run, or another process is writing it.
        ResourceError: A model, WordNet or pyarrow is missing.
    """
    return run_job(Parsing(pipeline, form), corpus, output)
