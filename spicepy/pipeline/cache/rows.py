"""A row of the cache: a result, the text it is of, a key and a check sum.

In: a shelf, a text and its result. Out: what the file holds; and back, with word
whether the row is as it was written. Texts are bytes in the file, since captions may
hold half of a surrogate pair.
"""

import json
from contextlib import suppress
from hashlib import blake2b
from typing import NamedTuple
from zlib import crc32


class Row(NamedTuple):
    """A result, the text it is of, and whether the row is as it was written."""

    shelf: int
    text: str
    result: str
    sound: bool


def packed(
    shelf: int, text: bytes, result: bytes
) -> tuple[int, int, bytes, bytes, int]:
    """Return the key, shelf, text, result and check sum of a row in the file."""
    return row_key(shelf, text), shelf, text, result, checksum(shelf, text, result)


def unpacked(shelf: int, text: bytes, result: bytes, key: int, checked: int) -> Row:
    """Return a row of the file; without text and result if it is damaged."""
    if checksum(shelf, text, result) == checked and row_key(shelf, text) == key:
        with suppress(UnicodeDecodeError):
            return Row(shelf, plain(text), plain(result), True)
    return Row(shelf, "", "", False)


def about_of(shelf: int, about: bytes, checked: int) -> dict[str, str] | None:
    """Return what the results of a shelf depend on, or None if that is damaged."""
    if checksum(shelf, about, b"") != checked:
        return None
    with suppress(ValueError):
        record = json.loads(about)
        if isinstance(record, dict):
            return {str(name): str(value) for name, value in record.items()}
    return None


def row_key(shelf: int, text: bytes) -> int:
    """Return 64 bits of a hash of shelf and text."""
    salt = shelf.to_bytes(8, "big")
    digest = blake2b(text, digest_size=8, salt=salt).digest()
    return int.from_bytes(digest, "big", signed=True)


def checksum(shelf: int, text: bytes, result: bytes) -> int:
    """Return CRC-32 of shelf, text and result."""
    if isinstance(text, bytes) and isinstance(result, bytes):
        return crc32(result, crc32(text, shelf & 0xFFFFFFFF))
    return -1  # a damaged row may hold values of any type


def raw(text: str) -> bytes:
    """Return a text as bytes of the file."""
    return text.encode("utf-8", "surrogatepass")


def plain(raw: bytes) -> str:
    """Return bytes of the file as text."""
    return raw.decode("utf-8", "surrogatepass")
