"""The shapes of files that data sets and other tools have, in two tables.

Records have `image_id` and `caption` or `references`; also `split`, and the other names
of an image (`OTHER_NAMES`), as far as the file has them.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from spicepy.captions.records import plain_integer

OTHER_NAMES: Final = ("file_name", "imgid", "open_images_id")
"""Keys of a record beside `image_id` under which candidates may know the image."""

Record = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Shape:
    """A shape of JSON values."""

    matches: Callable[[Any], bool]
    records: Callable[[Any], Any]
    entry: str = "entry"


def _has(*keys: str) -> Callable[[Any], bool]:
    return lambda data: isinstance(data, dict) and all(key in data for key in keys)


def _of_coco(data: Record) -> Any:
    """Return COCO's annotations, each with the names of its image."""
    images = data.get("images")
    if not isinstance(images, list) or not isinstance(data["annotations"], list):
        return data["annotations"]
    names: dict[Any, Record] = {}
    for image in images:
        if isinstance(image, dict) and isinstance(image.get("id"), int | str):
            kept = {k: image[k] for k in (*OTHER_NAMES, "split") if k in image}
            names[image["id"]] = kept
    return [
        {**names.get(each["image_id"], {}), **each}
        if isinstance(each, dict) and isinstance(each.get("image_id"), int | str)
        else each
        for each in data["annotations"]
    ]


def _is_karpathy(data: Any) -> bool:
    images = data.get("images") if isinstance(data, dict) else None
    return (
        isinstance(images, list)
        and bool(images)
        and isinstance(images[0], dict)
        and isinstance(images[0].get("sentences"), list)
    )


def _karpathy_image(image: Any) -> Any:
    """Return an image of Karpathy's data sets, by `cocoid` or `imgid`."""
    if not isinstance(image, dict) or not isinstance(image.get("sentences"), list):
        return image
    keys = ("cocoid", "imgid", "filename")
    names = {"file_name": image.get("filename"), "imgid": image.get("imgid")}
    texts = [s.get("raw") if isinstance(s, dict) else s for s in image["sentences"]]
    return {
        "image_id": next((image[key] for key in keys if key in image), None),
        "references": texts,
        **{key: value for key, value in names.items() if value is not None},
        **({"split": image["split"]} if "split" in image else {}),
    }


def _of_msr_vtt(data: Record) -> Any:
    """Return the sentences of MSR-VTT with the splits of their videos."""
    splits = {
        video["video_id"]: video["split"]
        for video in data["videos"]
        if isinstance(video, dict) and {"video_id", "split"} <= video.keys()
    }
    return [
        {**each, "image_id": each["video_id"], "split": splits.get(each["video_id"])}
        if isinstance(each, dict) and isinstance(each.get("video_id"), int | str)
        else each
        for each in data["sentences"]
    ]


def _is_vatex(data: Any) -> bool:
    first = data[0] if isinstance(data, list) and data else None
    return isinstance(first, dict) and {"videoID", "enCap"} <= first.keys()


def _of_vatex(data: Sequence[Any]) -> list[Any]:
    """Return the videos of VATEX with their English captions."""
    return [
        {"image_id": each["videoID"], "references": each["enCap"]}
        if isinstance(each, dict) and {"videoID", "enCap"} <= each.keys()
        else each
        for each in data
    ]


def _is_by_image(data: Any) -> bool:
    return isinstance(data, dict) and bool(data) and all(map(_captions, data.values()))


def _captions(value: Any) -> bool:
    """Return whether a value is one image's captions, as pycocoevalcap has them."""
    # Captions of several images are not: {"results": [{"image_id": 1, …}, …]}.
    captions = value if isinstance(value, list) else [value]
    own = [c if isinstance(c, dict) else {"caption": c} for c in captions]
    texts = all(isinstance(each.get("caption"), str) for each in own)
    return bool(own) and texts and len({str(e.get("image_id")) for e in own}) == 1


def _of_images(data: Record) -> list[Record]:
    """Return the records of captions by image id; ids are numbers if all look so."""
    numbers = all(map(plain_integer, data))
    records: list[Record] = []
    for name, value in data.items():
        listed = value if isinstance(value, list) else [value]
        texts = [c if isinstance(c, str) else c["caption"] for c in listed]
        captions = {"caption": texts[0]} if len(texts) == 1 else {"references": texts}
        records.append({"image_id": int(name) if numbers else name, **captions})
    return records


JSON_SHAPES: Final = (
    Shape(
        lambda data: _has("imgToEval")(data) and isinstance(data["imgToEval"], dict),
        lambda data: list(data["imgToEval"].values()),  # coco-caption's results
        "annotation",
    ),
    Shape(_has("annotations"), _of_coco, "annotation"),
    Shape(
        _is_karpathy,
        lambda data: [_karpathy_image(each) for each in data["images"]],
        "image",
    ),
    Shape(
        lambda data: (
            _has("videos", "sentences")(data)
            and all(isinstance(data[key], list) for key in ("videos", "sentences"))
        ),
        _of_msr_vtt,
        "sentence",
    ),
    Shape(_is_vatex, _of_vatex),
    Shape(_has("image_id"), lambda data: [data], "annotation"),
    Shape(_is_by_image, _of_images, "annotation"),
)
"""Shapes of JSON values other than a plain list of records; the first one counts."""


_PLAIN: Final = re.compile(r"(?P<caption>.*)")
TEXT_SHAPES: Final = (
    re.compile(r"(?P<image_id>[^\t]+)#\d+\t(?P<caption>.*)"),  # Flickr8k.token.txt
    re.compile(r"(?P<image_id>[\w-]{11}_\d+_\d+) (?P<caption>.*)"),  # MSVD
    re.compile(r"(?P<image_id>[^\s]+)\t(?P<caption>[^\t]*)"),  # MSVD with its own ids
    _PLAIN,
)
"""The shapes of lines of text: the first that all lines of a file have. Without an id,
captions are those of the images 1, 2, …"""


def text_records(lines: Sequence[str], name: str) -> Iterator[tuple[str, Record]]:
    """Yield the captions of a text file, one per line, with their places."""
    # Blank lines at the end are not captions; one between captions is an empty caption.
    # Lines that begin with # are comments in files with ids.
    while lines and not lines[-1].strip():
        lines = lines[:-1]
    known = [line for line in lines if line.strip() and not line.startswith("#")]
    shape = next(s for s in TEXT_SHAPES if all(map(s.fullmatch, known)))
    for number, line in enumerate(lines, 1):
        found = shape.fullmatch(line.strip())
        if shape is _PLAIN:
            yield f"{name}, line {number}", {"image_id": number, "caption": line}
        elif found and not line.startswith("#"):
            yield f"{name}, line {number}", found.groupdict()
