"""Captions that people judged, in a development part and a part that is kept out.

In: `../shared/errors`, `../shared/judgments`, `../shared/annotations`. Out: rows with a
`candidate`, its `references` and what people said of it. A fifth of the images is kept
out, in all data sets the same ones: nothing is fitted to them and nobody reads them.
"""

import gzip
import hashlib
import json
import lzma
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Final, Literal

from spicepy.diagnosis import Analysis, ImageDiagnosis, Scene

Row = dict[str, Any]
Part = Literal["development", "kept-out"]
PARTS: Final[tuple[Part, ...]] = ("development", "kept-out")

LABELS: Final[Mapping[str, tuple[str, ...]]] = {
    "wrong count": ("number",),
    "wrong color": ("color of clothing", "color"),
    "wrong gender": ("gender",),
    "wrong age": ("age",),
    "wrong clothing": ("type of clothing",),
    "wrong activity": ("activity",),
    "wrong place": ("scene/event/location",),
    "confused object": ("similar-object", "similar-subject", "wrong-object"),
}
"""Kind of finding -> the labels of Flickr30k's readers that confirm it."""
OBJECTS: Final = (
    *("invented object", "confused object", "wrong place", "wrong clothing"),
)
"""Kinds that say: this object of the candidate is not in the picture."""
UNRELATED: Final = "generally unrelated"
"""A caption of another picture; its readers listed nothing else."""
SYSTEMS: Final = {
    "people": "",
    "SMURF C2": "karpathy_test/SMURF_C2",
    "SMURF C3": "karpathy_test/SMURF_C3",
    "SMURF C4": "karpathy_test/SMURF_C4",
    "MAGIC": "karpathy_test/MAGIC_magic_result",
    "ZeroCap": "karpathy_test/MAGIC_zerocap_result",
}
"""Captioners of the same COCO images; the captions of people are references."""

_KEPT_OUT: Final = 5  # One image of so many.
_STEM: Final = re.compile(r"(?:.*/)?(?:COCO_\w+_0*)?(\w+?)(?:_[0-9a-f]{10})?(?:\.jpg)?")


def part_of(image_id: object) -> Part:
    """Return the part of an image, whatever the data set calls it."""
    match = _STEM.fullmatch(str(image_id))
    stem = match.group(1) if match else str(image_id)
    digest = hashlib.sha256(stem.encode()).digest()
    return "kept-out" if digest[0] % _KEPT_OUT == 0 else "development"


def errors(shared: Path, name: str) -> list[Row]:
    """Return the rows of a file of labelled errors."""
    return _read(shared / "errors" / f"{name}.jsonl.gz")


def judged(shared: Path, name: str) -> list[Row]:
    """Return the rows of a file of rated captions, without the candidate's copies."""
    found = _read(shared / "judgments" / f"{name}.jsonl.gz")
    return [row for row in found if len(row["references"]) > 1]


def by_people(shared: Path, number: int, part: Part) -> list[Row]:
    """Return captions that people wrote for COCO, each against four of its image.

    Args:
        shared: The folder of the data.
        number: The number of images of train2014, with one caption each.
        part: The part that they are in.
    """
    found = train_captions(shared)
    images = [image for image in sorted(found) if part_of(image) == part]
    every = max(1, len(images) // number)
    return [
        _one_of(found[image], image, n % 5)
        for n, image in enumerate(images[::every][:number])
    ]


def _one_of(captions: Sequence[str], image: object, at: int) -> Row:
    others = [c for n, c in enumerate(captions) if n != at]
    return {"image_id": image, "candidate": captions[at], "references": others}


@cache
def train_captions(shared: Path) -> dict[str, list[str]]:
    """Return image -> five of its captions, of COCO's images of training."""
    found: dict[str, list[str]] = {}
    folder = shared / "oracle" / "ngram"
    with (
        gzip.open(folder / "coco_train_raw.txt.gz", "rt", encoding="utf-8") as texts,
        gzip.open(folder / "coco_train_images.txt.gz", "rt") as images,
    ):
        for text, image in zip(texts, images, strict=True):
            found.setdefault(image.strip(), []).append(text.strip())
    return {image: own[:5] for image, own in found.items() if len(own) > 4}


def systems(shared: Path, number: int) -> Iterator[tuple[str, Row]]:
    """Yield (captioner, row) of the same images, against the same four references."""
    names = {folder: name for name, folder in SYSTEMS.items()}
    found: dict[str, dict[int, str]] = {name: {} for name in SYSTEMS}
    path = shared / "annotations" / "goldens_coco_systems.jsonl.xz"
    with lzma.open(path, "rt", encoding="utf-8") as lines:
        for row in map(json.loads, lines):
            if row["set"] in names:
                found[names[row["set"]]][row["image_id"]] = row["caption"]
    references = coco_references(shared)
    found["people"] = {i: captions[0] for i, captions in references.items()}
    common = sorted(set.intersection(*(set(own) for own in found.values())))
    for image in common[:: max(1, len(common) // number)][:number]:
        for name, own in found.items():
            others = references[image][1:5]
            row = {"candidate": own[image], "references": others, "image_id": image}
            yield name, row


@cache
def coco_references(shared: Path) -> dict[int, list[str]]:
    """Return the reference captions of COCO's images."""
    path = shared / "annotations" / "refs_val2014.jsonl.xz"
    with lzma.open(path, "rt", encoding="utf-8") as lines:
        return {row["image_id"]: row["refs"] for row in map(json.loads, lines)}


def _read(path: Path) -> list[Row]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def of_part(found: Iterable[Row], part: Part) -> list[Row]:
    """Return the rows of one part."""
    return [row for row in found if part_of(row["image_id"]) == part]


def texts(row: Mapping[str, Any]) -> Iterator[str]:
    """Yield all captions of a row."""
    yield from (row[k] for k in ("candidate", "caption", "foil") if k in row)
    yield from row["references"]
    yield from row.get("repaired", {}).values()


def reader(
    analysis: Analysis, found: Iterable[Row]
) -> Callable[[str, Sequence[str]], ImageDiagnosis]:
    """Read all captions at once; return a function that diagnoses one of them."""
    readings = analysis.reader.read(text for row in found for text in texts(row))

    def diagnose(candidate: str, references: Sequence[str]) -> ImageDiagnosis:
        others = tuple(readings[text] for text in references)
        return analysis.diagnose(Scene(0, readings[candidate], others))

    return diagnose


def judged_rows(shared: Path, name: str) -> Callable[[str], Iterable[Row]]:
    """Return a function from a row's name in `fixtures/verdicts` to the row.

    A name is the row's number; of Pascal-50S with the candidate, `a` or `b`, which is
    judged against the first five references; of captions that people wrote for COCO the
    image, perhaps with the number of the caption; of captioners the set and the image.
    """
    if name == "coco_people":
        return lambda at: _of_image(
            coco_references(shared).get(int(at.split(":")[0]), ()), at
        )
    if name == "coco_train":
        return lambda at: _of_image(
            train_captions(shared).get(at.split(":")[0], ()), at
        )
    if name in ("goldens_coco_systems", "goldens_lvlm"):
        return lambda at: _of_set(shared, name, *at.split(":"))
    path = shared / "judgments" / f"{name}.jsonl.gz"
    found = _read(path) if path.exists() else []

    def rows(at: str) -> Iterator[Row]:
        number = int(at.rstrip("ab"))
        if number < len(found):
            own = dict(found[number])
            if at[-1] in "ab":
                own["candidate"] = own[f"candidate_{at[-1]}"]
                own["references"] = own["references"][:5]
            yield own

    return rows


def outlined(
    shared: Path, name: str, number: int
) -> Iterator[tuple[Row, Mapping[str, Any]]]:
    """Yield (row, what people outlined in its image) of machine captions.

    Args:
        shared: The folder of the data.
        name: The file of captions.
        number: The number of captions of each captioner.
    """
    path = shared / "annotations" / "instances.jsonl.xz"
    with lzma.open(path, "rt", encoding="utf-8") as lines:
        objects = {row["image_id"]: row for row in map(json.loads, lines)}
    by_set: dict[str, list[Row]] = {}
    for folder, row in _goldens(shared, name):
        if row["image_id"] in objects and part_of(row["image_id"]) == "development":
            by_set.setdefault(folder, []).append(row)
    for own in by_set.values():
        for row in own[:: max(1, len(own) // number)][:number]:
            yield row, objects[row["image_id"]]


def _of_image(captions: Sequence[str], at: str) -> Iterator[Row]:
    image, _, number = at.partition(":")
    for k in [int(number)] if number else range(min(5, len(captions))):
        if k < len(captions):
            yield _one_of(captions[:5], image, k)


def _of_set(shared: Path, name: str, folder: str, image: str) -> Iterator[Row]:
    for own, row in _goldens(shared, name):
        if own == folder and str(row["image_id"]) == image:
            yield row


@cache
def _goldens(shared: Path, name: str) -> list[tuple[str, Row]]:
    references = coco_references(shared)
    path = shared / "annotations" / f"{name}.jsonl.xz"
    with lzma.open(path, "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    return [
        (row["set"], {"image_id": i, "candidate": row["caption"], "references": refs})
        for row in rows
        if (refs := references.get(i := row["image_id"])) is not None
    ]
