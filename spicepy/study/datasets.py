"""Data sets for leave-one-out: all captions of each image, in one pool.

In: a file in any form that `spicepy.samples.reading` knows: COCO annotations
(`image_id`, `caption`), or candidates and references together, which are pooled
with the candidate first. Out: captions by image id; and sentences of a text.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from spicepy.common.errors import InputError, ResourceError, shown
from spicepy.common.files import read_text
from spicepy.common.lazy_imports import required
from spicepy.samples.reading import read_records
from spicepy.samples.sample import (
    MISSING,
    ImageId,
    check_caption,
    check_id,
    check_references,
    keys_of,
)

BROWN = "brown"


def read_dataset(path: str | Path) -> dict[ImageId, tuple[str, ...]]:
    """Return all captions of each image, in the file's order.

    Raises:
        InputError: The file or a record is wrong; the message names both.
    """
    pooled: dict[ImageId, tuple[str, ...]] = {}
    for where, record in read_records(path):
        image_id = check_id(record.get("image_id", MISSING), where, record)
        captions = _captions(record, f"{where} (image {shown(image_id)})")
        pooled[image_id] = pooled.get(image_id, ()) + captions
    return pooled


def _captions(record: Mapping[str, Any], where: str) -> tuple[str, ...]:
    single = [n for n in ("caption", "candidate", "test") if n in record]
    several = [n for n in ("references", "refs") if n in record]
    if not single and not several:
        raise InputError(
            f"{where}: no 'caption', and no 'test' and 'refs' ({keys_of(record)})"
        )
    captions = tuple(check_caption(record[n], n, where) for n in single[:1])
    return captions + tuple(
        c for n in several[:1] for c in check_references(record[n], where)
    )


def read_sentences(source: str) -> list[str]:
    """Return the lines of a text file, or "brown": the sentences of nltk's corpus.

    Raises:
        InputError: The file cannot be read.
        ResourceError: The Brown corpus is not installed.
    """
    if source != BROWN:
        return [line.strip() for line in read_text(source).splitlines() if line.strip()]
    nltk = required("nltk", "the Brown corpus")

    try:
        return [" ".join(words) for words in nltk.corpus.brown.sents()]
    except LookupError:
        raise ResourceError(
            "nltk's Brown corpus is not installed: run `python -m nltk.downloader "
            "brown`, or give a text file with one sentence a line"
        ) from None
