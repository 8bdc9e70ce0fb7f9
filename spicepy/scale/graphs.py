"""Captions of any size to scene graphs: a job in blocks.

    captions ─ count ─▶ digest ─ blocks ─ Parsing ─▶ Folder ─▶ output

In: captions that can be read twice, with the ids of their images if they have any.
Out: a row a caption, as JSON lines or Parquet. Every caption is read by itself.
"""

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from itertools import islice, starmap
from pathlib import Path
from typing import Any, Final

from spicepy.common.errors import InputError, shown
from spicepy.common.progress import advance
from spicepy.common.settings import GraphFormat
from spicepy.common.version import __version__
from spicepy.graph.forms import graph_value, nested
from spicepy.graph.scene import SceneGraph
from spicepy.pipeline import Pipeline
from spicepy.samples.records import Located
from spicepy.samples.sample import MISSING, ImageId, check_caption, check_id, keys_of
from spicepy.scale.block_files import Done
from spicepy.scale.blocks import CAPTIONS
from spicepy.scale.engines import Engine, in_processes, work_through
from spicepy.scale.folder import Folder
from spicepy.scale.rows import (
    check_ids,
    fits_parquet,
    json_lines,
    parquet_bytes,
)

_KEYS: Final = ("caption", "candidate", "test")
_NESTED: Final = (GraphFormat.tuples, GraphFormat.json)
"""Forms that are nested columns in Parquet; the others are text there."""

Captions = Callable[[], Iterator["Captioned"]]
"""All captions, again at each call."""


@dataclass(frozen=True, slots=True)
class Captioned:
    """A caption, and its image if that is known."""

    caption: str
    image_id: ImageId | None = None


@dataclass(frozen=True, slots=True)
class CaptionBlock:
    """Some neighbouring captions; `number` is the block's place, from 0."""

    number: int
    items: tuple[Captioned, ...]

    @property
    def captions(self) -> int:
        """How many it has."""
        return len(self.items)


@dataclass(frozen=True, slots=True)
class Parsed:
    """What a job has done.

    Attributes:
        captions: How many were parsed.
        unwritten: How many graphs the form could not hold; their row says why.
    """

    captions: int
    unwritten: int


def captioned(records: Iterable[Located]) -> Iterator[Captioned]:
    """Yield records with a caption under the names that files have for it.

    Raises:
        InputError: A record has no caption, or a wrong image id.
    """
    for where, record in records:
        key = next((key for key in _KEYS if key in record), None)
        if key is None:
            raise InputError(f"{where}: no key 'caption' ({keys_of(record)})")
        value = record.get("image_id", MISSING)
        image_id = None if value is MISSING else check_id(value, where)
        yield Captioned(check_caption(record[key], "caption", where), image_id)


def caption_blocks(
    items: Iterable[Captioned], captions: int = CAPTIONS
) -> Iterator[CaptionBlock]:
    """Cut captions into blocks, in order."""
    arriving = iter(items)
    parts = iter(lambda: tuple(islice(arriving, captions)), ())
    return starmap(CaptionBlock, enumerate(parts))


@dataclass(frozen=True)
class Parsing:
    """Parses blocks of captions.

    Attributes:
        pipeline: From captions to graphs.
        form: How a graph is written.
        ending: ".jsonl" or ".parquet".
        ids: The type of the image ids in Parquet: "int", "str", or "NoneType" where
            there are none.
    """

    pipeline: Pipeline
    form: GraphFormat = GraphFormat.tuples
    ending: str = ".jsonl"
    ids: str = "NoneType"

    def __call__(self, block: CaptionBlock) -> Done:
        """Parse a block."""
        for item in block.items:
            whose = "" if item.image_id is None else f"image {shown(item.image_id)}"
            self.pipeline.check(item.caption, whose)
        graphs = self.pipeline.parse([item.caption for item in block.items])
        rows = [self._row(item, graph) for item, graph in zip(block.items, graphs)]
        unwritten = sum("error" in row for row in rows)
        if self.ending == ".parquet":
            names = self._types
            found = {name: [row.get(name) for row in rows] for name in names}
            data = parquet_bytes(found, names)
        else:
            data = json_lines(rows)
        return Done(block.number, data, facts={"unwritten": unwritten})

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
        own = {"int": pa.int64(), "str": text}
        return {
            **({"image_id": own[self.ids]} if self.ids in own else {}),
            "caption": text,
            **(
                nested_types if self.form in _NESTED else {"graph": text, "error": text}
            ),
        }


@dataclass(slots=True)
class CaptionSurvey:
    """Facts about all captions; those of parts can be joined.

    Attributes:
        captions: How many there are.
        ids: The types of their image ids: "int", "str", "NoneType".
        too_large: An image id of more bits than Parquet can hold, if there is one.
    """

    captions: int = 0
    ids: tuple[str, ...] = ()
    too_large: int | None = None
    _content: Any = field(default_factory=hashlib.sha256, repr=False)

    def add(self, items: Sequence[Captioned]) -> None:
        """Count captions that follow those counted."""
        for item in items:
            self._content.update(repr((item.image_id, item.caption)).encode())
            if self.too_large is None and not fits_parquet(item.image_id):
                self.too_large = int(item.image_id or 0)
        self.captions += len(items)
        self._know({type(item.image_id).__name__ for item in items})

    def _know(self, kinds: Iterable[str]) -> None:
        self.ids = tuple(sorted({*self.ids, *kinds}))

    @property
    def digest(self) -> str:
        """Of all ids and captions, in their order."""
        return str(self._content.hexdigest())

    def to_dict(self) -> dict[str, Any]:
        """Return what is found, as plain values that can travel."""
        found = {"captions": self.captions, "ids": list(self.ids)}
        return {**found, "digest": self.digest, "too_large": self.too_large}

    @classmethod
    def joined(cls, parts: Iterable[Mapping[str, Any]]) -> "CaptionSurvey":
        """Return the survey of the whole from `to_dict` of its parts, in order."""
        whole = cls()
        for part in parts:
            whole.captions += part["captions"]
            whole._know(part["ids"])
            if whole.too_large is None:
                whole.too_large = part["too_large"]
            whole._content.update(part["digest"].encode())
        return whole


@dataclass(frozen=True)
class CaptionCorpus:
    """Captions as an engine works on them.

    Attributes:
        survey: Reads and counts them all.
        given: The blocks as the engine gets them: themselves, or their addresses.
        engine: Works on the blocks.
        cut: How they are cut; another way does not go on with a run.
    """

    survey: Callable[[], CaptionSurvey]
    given: Callable[[], Iterator[Any]]
    engine: Engine
    cut: Any


def local_captions(
    captions: Captions, *, jobs: int = 1, block: int = CAPTIONS
) -> CaptionCorpus:
    """Return captions that this machine works on."""

    def cut() -> Iterator[CaptionBlock]:
        return caption_blocks(captions(), block)

    def survey() -> CaptionSurvey:
        found = CaptionSurvey()
        for each in cut():
            found.add(each.items)
            advance("reading captions", found.captions, 0)
        return found

    return CaptionCorpus(survey, cut, partial(in_processes, processes=jobs), block)


def parse_stream(
    captions: CaptionCorpus,
    output: str | Path,
    pipeline: Pipeline,
    form: GraphFormat = GraphFormat.tuples,
) -> Parsed:
    """Parse captions in blocks; a run that was killed goes on where it was.

    Args:
        captions: All captions, and who works on them.
        output: A `.jsonl` or `.parquet` file with a row a caption, or a new folder of
            Parquet files.
        pipeline: From captions to graphs.
        form: How a graph is written. Parquet has tuples and json as nested columns.

    Raises:
        InputError: A caption is wrong (nothing was parsed), or the output cannot be
            written, is that of another run, or another process is writing it.
        ResourceError: A model, WordNet or pyarrow is missing.
    """
    folder = Folder(Path(output))
    with folder.alone():
        return _parsed(captions, folder, pipeline, form)


def _parsed(
    captions: CaptionCorpus, folder: Folder, pipeline: Pipeline, form: GraphFormat
) -> Parsed:
    seen = captions.survey()
    if not seen.captions:
        raise InputError("no captions: at least one is needed")
    if folder.ending == ".parquet" and len(seen.ids) > 1:
        raise InputError(
            "some image ids are integers, others text or missing; a column of Parquet "
            "holds one of them: write .jsonl"
        )
    if folder.ending == ".parquet":
        check_ids(seen.too_large)
    folder.begin(
        {
            "work": "parse",
            "spicepy": __version__,
            "graphs": pipeline.signature(),
            "form": str(form),
            "captions": seen.captions,
            "captions of a block": captions.cut,
            "digest of the captions": seen.digest,
        }
    )
    blocks = work_through(
        Parsing(pipeline, form, folder.ending, seen.ids[0]),
        folder,
        captions.given(),
        stage="parsing captions",
        captions=seen.captions,
        engine=captions.engine,
    )
    unwritten = sum(facts["unwritten"] for facts in folder.facts(blocks))
    folder.finish(blocks)
    return Parsed(seen.captions, unwritten)
