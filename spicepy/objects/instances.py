"""Instances: the classes and numbers of the objects that people outlined in images.

The files (`instances_val2014.json`) may have any size; outlines and boxes are not kept.

    {"images": [{"id": 42, "file_name": "COCO_val2014_000000000042.jpg"}],
     "annotations": [{"image_id": 42, "category_id": 18, "iscrowd": 0}],
     "categories": [{"id": 18, "name": "dog"}]}

In data sets with very many classes (LVIS), annotators do not look for all classes in
every image. Each image lists the classes that were looked for and are absent
(`neg_category_ids`), and those of which not every object is outlined
(`not_exhaustive_category_ids`): their numbers are lower bounds, as with a crowd.

Source: Lin et al. 2014, Microsoft COCO, section 4 (about 10 to 15 instances of a class
are outlined in an image; what is more is one crowd region); Gupta et al. 2019, LVIS,
section 3 (federated annotation).
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from pathlib import Path
from typing import Any, Final

from spicepy.captions.reading import locate, read_records, read_references
from spicepy.captions.records import ColumnNames, rename_columns
from spicepy.captions.sample import (
    ImageId,
    check_caption,
    check_id,
    first,
    keys_of,
    listed,
)
from spicepy.common.errors import InputError, brief, counted, nearest
from spicepy.common.files import read_text
from spicepy.common.json_values import items_of
from spicepy.common.progress import advance
from spicepy.common.threads import no_collector

_LISTS: Final = ("images", "annotations", "categories")
_ABSENT: Final = "neg_category_ids"
_EMPTY: Final = re.compile(r'"annotations"\s*:\s*\[\s*\]')
_PARTLY: Final = "not_exhaustive_category_ids"


@dataclass(frozen=True, slots=True)
class ImageObjects:
    """The objects of one image."""

    # Class -> number of single instances; 0 if there is a crowd alone.
    counts: Mapping[str, int]
    # Classes with an outlined crowd; their numbers are lower bounds.
    crowd: frozenset[str] = frozenset()
    # Classes that are surely not in the image; None: all that are not annotated.
    absent: frozenset[str] | None = None


@dataclass(frozen=True, slots=True)
class Instances:
    """The annotations of one file or several."""

    files: tuple[str, ...]
    categories: tuple[str, ...]  # The names of the classes, in the order of the files
    # Image id -> its objects; images without any are among them.
    images: Mapping[ImageId, ImageObjects]
    # File name of an image, with and without its folder and extension -> id.
    names: Mapping[str, ImageId] = field(repr=False)

    def image(self, name: ImageId, where: str) -> ImageId:
        """Return the id of an image that captions name by its id or its file name."""
        if name in self.images:
            return name
        if isinstance(name, str):
            plain = name.replace("\\", "/").rpartition("/")[2]
            for known in (name, plain, plain.rpartition(".")[0]):
                if known in self.names:
                    return self.names[known]
            digits = (plain.rpartition(".")[0] or plain).rpartition("_")[2]
            if digits.isascii() and digits.isdigit() and int(digits) in self.images:
                return int(digits)
        elif str(name) in self.images:
            return str(name)
        raise InputError(
            f"{where}: no annotation file has the image {brief(name)}; "
            f"{' and '.join(self.files)} {'has' if len(self.files) == 1 else 'have'} "
            f"{counted(len(self.images), 'image')} (such as "
            f"{listed(list(self.images)[:3])}). Add the file of its split "
            "with another --instances"
        )


def digest(instances: Instances) -> str:
    """Return eight characters that identify the annotations in a signature."""
    # They depend on the image of the images, not on the order or number of files.
    total = 0
    for name, image in instances.images.items():
        absent = None if image.absent is None else sorted(image.absent)
        value = (name, sorted(image.counts.items()), sorted(image.crowd), absent)
        total += int.from_bytes(blake2b(repr(value).encode(), digest_size=8).digest())
    return f"{total % (1 << 32):08x}"


def read_instances(paths: Sequence[str | Path]) -> Instances:
    """Read annotation files in COCO's format; no image may be in two of them."""
    if not paths:
        raise InputError("no annotations: give a file of instances in COCO's format")
    images: dict[ImageId, ImageObjects] = {}
    names: dict[str, ImageId] = {}
    categories: dict[str, None] = {}
    for path in paths:
        with no_collector():  # many small values, none of them in a cycle
            read = _File(str(path))
        for image_id, objects in read.objects():
            if image_id in images:
                raise InputError(
                    f"{path}: image {brief(image_id)} is also in another annotation "
                    "file; its objects would count twice"
                )
            images[image_id] = objects
        names |= read.names
        categories |= dict.fromkeys(read.categories.values())
    return Instances(tuple(map(str, paths)), tuple(categories), images, names)


class _File:
    """The parts of one annotation file that are kept."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.names: dict[str, ImageId] = {}
        self.categories: dict[ImageId, str] = {}
        self._counts: dict[ImageId, Counter[ImageId]] = {}
        self._crowds: dict[ImageId, set[ImageId]] = {}
        self._absent: dict[ImageId, list[ImageId]] = {}
        self._first: dict[ImageId, ImageId] = {}
        self._read()

    def objects(self) -> Iterator[tuple[ImageId, ImageObjects]]:
        """Yield each image with its objects, by the names of their classes."""
        self._check_categories()
        for image_id, counts in self._counts.items():
            numbers = Counter[str]()
            for category, number in counts.items():
                numbers[self.categories[category]] += number
            crowd = self._names(self._crowds.get(image_id, ()))
            absent = self._absent.get(image_id)
            known = None if absent is None else self._names(absent)
            yield image_id, ImageObjects(dict(numbers), crowd & numbers.keys(), known)

    def _names(self, categories: Iterable[ImageId]) -> frozenset[str]:
        return frozenset(self.categories[category] for category in categories)

    def _read(self) -> None:
        readers = {
            "images": self._image,
            "annotations": self._annotation,
            "categories": self._category,
        }
        numbers = dict.fromkeys(_LISTS, 0)
        for key, item in items_of(self.path, _LISTS, "segmentation"):
            numbers[key] += 1
            try:
                readers[key](item)
            except (InputError, AttributeError, TypeError) as error:
                where = f"{self.path}, {key} {numbers[key]}"
                if isinstance(item, dict) and isinstance(error, InputError):
                    raise InputError(f"{where}: {error}") from None
                quoted = brief(item)
                raise InputError(
                    f"{where}: expected an object, found {quoted}"
                ) from None
            if numbers[key] % 10_000 == 0:
                advance("reading annotations", sum(numbers.values()), 0)
        if not numbers["annotations"] and not _EMPTY.search(read_text(self.path)):
            raise InputError(f"{self.path}: has no annotations ('annotations': [...])")
        if not numbers["categories"]:
            raise InputError(
                f"{self.path}: has no categories, so that the classes of its objects "
                "have no names; a file of instances has 'categories': "
                '[{"id": 1, "name": "person"}, …]'
            )

    def _image(self, item: Mapping[str, Any]) -> None:
        image_id = _id(item.get("id"))
        self._counts.setdefault(image_id, Counter())
        if (absent := self._listed(item, _ABSENT, image_id)) is not None:
            self._absent[image_id] = absent
        if partly := self._listed(item, _PARTLY, image_id):
            self._crowds.setdefault(image_id, set()).update(partly)
        name = item.get("file_name") or item.get("coco_url")
        if isinstance(name, str):
            plain = name.rpartition("/")[2]
            for known in (name, plain, plain.rpartition(".")[0]):
                self.names[known] = image_id

    def _listed(
        self, item: Mapping[str, Any], key: str, image_id: ImageId
    ) -> list[ImageId] | None:
        """Return the categories that an image lists, None if it lists none."""
        listed = item.get(key)
        if listed is None:
            return None
        if not isinstance(listed, list):
            raise InputError(
                f"its {key} is {brief(str(listed))}; a list of ids is needed"
            )
        categories = [_id(category, key) for category in listed]
        for category in categories:
            self._first.setdefault(category, image_id)
        return categories

    def _annotation(self, item: Mapping[str, Any]) -> None:
        try:
            image_id, category = item["image_id"], item["category_id"]
        except KeyError:
            raise InputError(_no_instance(item)) from None
        if type(image_id) is not int or type(category) is not int:
            image_id = _id(image_id, "image_id")
            category = _id(category, "category_id")
        counts = self._counts.get(image_id)
        if counts is None:
            counts = self._counts[image_id] = Counter()
        self._first.setdefault(category, image_id)
        if item.get("iscrowd"):
            counts[category] += 0
            self._crowds.setdefault(image_id, set()).add(category)
        else:
            counts[category] += 1

    def _category(self, item: Mapping[str, Any]) -> None:
        category, name = _id(item.get("id")), item.get("name")
        if not isinstance(name, str) or not name.strip():
            raise InputError(f"its name is {brief(name)}; a text is needed")
        if self.categories.setdefault(category, name) != name:
            raise InputError(
                f"the id {brief(category)} has two names: "
                f"{brief(self.categories[category])} and {brief(name)}"
            )

    def _check_categories(self) -> None:
        for category, image_id in self._first.items():
            if category not in self.categories:
                raise InputError(
                    f"{self.path}: image {brief(image_id)} has an object of category "
                    f"{brief(category)}, or says that it has none, but that is not "
                    "among its categories"
                )


def _id(value: Any, key: str = "id") -> ImageId:
    if type(value) is int or (isinstance(value, str) and value):
        return value
    raise InputError(
        f"its {key} is {brief(value)}; it must be an integer or a non-empty string"
    )


def _no_instance(item: Mapping[str, Any]) -> str:
    if "caption" in item:
        return (
            "this is a caption, not an object; give files of captions with "
            "--references, and files of instances (instances_val2014.json) here"
        )
    missing = "image_id" if "image_id" not in item else "category_id"
    return f"no key {missing!r} ({keys_of(item)})"


def check_classes(
    instances: Instances, classes: Mapping[str, str | None], vocabulary: str
) -> None:
    """Refuse annotated classes that a vocabulary lacks (whose class is None)."""
    unknown = [name for name in instances.categories if classes.get(name) is None]
    if unknown:
        known = [name for name in classes.values() if name is not None]
        which = f"the category {brief(unknown[0])} is"
        if len(unknown) > 1:
            more = len(unknown) - 1
            which = f"the category {brief(unknown[0])} and {more:,} more are"
        raise InputError(
            f"{instances.files[0]}: {which} not "
            f"among the classes of {vocabulary}{nearest(unknown[0], known)}; give the "
            "words of these classes with --vocabulary (a TOML file, or the annotation "
            "file itself for a start from WordNet)"
        )


_CAPTIONS: Final = ("caption", "candidate", "test")


ImageCaption = tuple[ImageId, str]  # The image's id, and a caption of it


def read_image_captions(
    path: str | Path,
    instances: Instances,
    *,
    id_key: str | None = None,
    caption_key: str | None = None,
) -> list[ImageCaption]:
    """Read the captions of a file; all their images must be annotated."""
    # The keys of ids and captions are "image_id" and "caption" if None.
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
        read.append((instances.image(image_id, where), caption))
    return read


def read_image_references(
    paths: Sequence[str | Path], instances: Instances
) -> dict[ImageId, tuple[str, ...]]:
    """Read the references of all annotated images; skip those of other images."""
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
    images = dict.fromkeys(image_id for image_id, _ in captions)
    return [image_id for image_id in images if not references.get(image_id)]


def _known(name: ImageId, instances: Instances) -> ImageId | None:
    try:
        return instances.image(name, "")
    except InputError:
        return None
