"""Captions that are measured against annotations, and the references of their images.

In: a file of captions in any format that spicepy reads (COCO results, JSON lists and
lines, CSV, Parquet, the results of coco-caption), with keys of any name. Out:
`ImageCaption` values, one a record: an image may have several captions. Images are
named by their ids, or by their file names as the annotations have them.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from spicepy.captions.reading import first, locate, read_records, read_references
from spicepy.captions.records import ColumnNames, rename_columns
from spicepy.captions.sample import ImageId, check_caption, check_id, keys_of
from spicepy.common.errors import InputError, brief
from spicepy.objects.instances import Instances

_CAPTIONS: Final = ("caption", "candidate", "test")


@dataclass(frozen=True, slots=True)
class ImageCaption:
    """A caption of an image.

    Attributes:
        image_id: The image, as the annotations name it.
        caption: The caption as it was written.
    """

    image_id: ImageId
    caption: str


def read_image_captions(
    path: str | Path,
    instances: Instances,
    *,
    id_key: str | None = None,
    caption_key: str | None = None,
) -> list[ImageCaption]:
    """Read the captions of a file; all their images must be annotated.

    Args:
        path: The file.
        instances: The annotations.
        id_key: The key of the image ids in the file, "image_id" if None.
        caption_key: The key of the captions in the file, "caption" if None.

    Raises:
        InputError: The file is missing, empty or of no known format, a record has no
            such key, or no annotation file knows its image.
    """
    read = []
    for where, record in read_records(path, ColumnNames(id_key)):
        if id_key is not None and id_key in record:
            image_id = check_id(record[id_key], where)
        elif id_key is not None and "image_id" not in record:
            raise InputError(f"{where}: no key {brief(id_key)} ({keys_of(record)})")
        else:
            image_id, _ = locate(rename_columns(record, where), where)
        place = f"{where} (image {brief(image_id)})"
        keys = _CAPTIONS if caption_key is None else (caption_key,)
        caption = check_caption(first(record, keys, place), "caption", place)
        read.append(ImageCaption(instances.image(image_id, where), caption))
    return read


def read_image_references(
    paths: Sequence[str | Path], instances: Instances
) -> dict[ImageId, tuple[str, ...]]:
    """Read the references of all annotated images; skip those of other images.

    Raises:
        InputError: See `spicepy.captions.reading.read_references`.
    """
    references: dict[ImageId, tuple[str, ...]] = {}
    for path in paths:
        for name, captions in read_references(path).items():
            image_id = _known(name, instances)
            if image_id is not None:
                references[image_id] = (*references.get(image_id, ()), *captions)
    return references


def without_references(
    captions: Iterable[ImageCaption], references: Mapping[ImageId, Sequence[str]]
) -> list[ImageId]:
    """Return the image ids of captions without references."""
    images = dict.fromkeys(caption.image_id for caption in captions)
    return [image_id for image_id in images if not references.get(image_id)]


def _known(name: ImageId, instances: Instances) -> ImageId | None:
    try:
        return instances.image(name, "")
    except InputError:
        return None
