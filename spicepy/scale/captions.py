"""Captions to be parsed, with the ids of their images if they have any.

In: records. Out: checked captions with their places.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from spicepy.common.errors import InputError
from spicepy.samples.records import Located
from spicepy.samples.sample import MISSING, ImageId, check_caption, check_id, keys_of

_KEYS: Final = ("caption", "candidate", "test")


@dataclass(frozen=True, slots=True)
class Captioned:
    """A caption, and its image if that is known."""

    caption: str
    image_id: ImageId | None = None


def read_captions(records: Iterable[Located]) -> Iterator[tuple[str, Captioned]]:
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
        caption = check_caption(record[key], "caption", where)
        yield where, Captioned(caption, image_id)
