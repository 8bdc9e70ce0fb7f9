"""Parsing any number of captions: a row with a graph for each.

captions ─ survey ─▶ checked, counted ─ blocks ─ parsing ─▶ Folder ─▶ output
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Final

from spicepy.common.errors import InputError, brief
from spicepy.common.settings import GraphFormat
from spicepy.graph.exchange import graph_value, nested
from spicepy.graph.scene import SceneGraph
from spicepy.pipeline import Pipeline
from spicepy.scale.blocks import Block, Captioned, Survey
from spicepy.scale.folder import BlockResult, Folder, json_lines, parquet_bytes
from spicepy.scale.jobs import Corpus

_NESTED: Final = (GraphFormat.tuples, GraphFormat.json)
"""Forms that are nested columns in Parquet; the others are text there."""


@dataclass(frozen=True, slots=True)
class Parsed:
    """The result of parsing captions."""

    captions: int  # The number of captions that were parsed
    unwritten: int  # The number of graphs that the form cannot hold; their rows say why


@dataclass(frozen=True)
class Parsing:
    """The job of parsing captions, and the function of each block.

    The output is a `.jsonl` or `.parquet` file with one row per caption, or a new
    folder of Parquet files, which have tuples and json as nested columns.
    """

    pipeline: Pipeline  # The way from captions to graphs
    form: GraphFormat = GraphFormat.tuples  # The format of graphs
    ending: str = ".jsonl"  # ".jsonl" or ".parquet"
    # The type of the image ids in Parquet: "int", "str", or "NoneType" where there
    # are none.
    ids: str = "NoneType"
    stage = "parsing captions"
    nothing = "no captions: at least one is needed"

    def about(
        self, survey: Survey, corpus: Corpus[Captioned], ending: str
    ) -> dict[str, Any]:
        """See `Job`."""
        if ending == ".parquet" and len(survey.ids) > 1:
            raise InputError(
                "some image ids are integers, others text or missing; a column of "
                "Parquet holds one of them: write .jsonl"
            )
        return {
            "work": "parse",
            "graphs": self.pipeline.signature(),
            "form": str(self.form),
        }

    def work(self, survey: Survey, corpus: Corpus[Captioned], ending: str) -> "Parsing":
        """See `Job`."""
        return replace(self, ending=ending, ids=min(survey.ids))

    def result(
        self, survey: Survey, folder: Folder, blocks: int
    ) -> tuple[Parsed, None]:
        """See `Job`."""
        unwritten = sum(facts["unwritten"] for facts in folder.facts(blocks))
        return Parsed(survey.captions, unwritten), None

    def __call__(self, block: Block[Captioned]) -> BlockResult:
        """Parse a block."""
        for item in block.items:
            where = "" if item.image_id is None else f"image {brief(item.image_id)}"
            self.pipeline.check(item.candidate, where)
        graphs = self.pipeline.parse([item.candidate for item in block.items])
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
        row: dict[str, Any] = {"caption": item.candidate}
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
