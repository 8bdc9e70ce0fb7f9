"""The JSON file of document frequencies, and checks of frequencies in any file.

In: a path. Out: its content, checked. `frequencies.py` shows such a file; the checks of
a number of images, of its frequencies and of n-grams hold for arrays and pickles, too
(`storage.py`).
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from spicepy.common.errors import InputError, shown
from spicepy.common.files import load_json, read_text
from spicepy.samples.sample import clean

FORMAT: Final = "spicepy document frequencies 1"
KEYS: Final = {False: "frequencies", True: "stemmed-frequencies"}
"""Whether words are stemmed -> the key of these frequencies."""

MOST: Final = 2**53
"""The most images: a float counts them exactly."""

_LONGEST: Final = 4  # words of an n-gram


def read_content(path: Path) -> dict[str, Any]:
    """Return the checked content of a file.

    Raises:
        InputError: It is missing or not such a file; says what is wrong.
    """
    content = load_json(read_text(path), str(path))
    if not isinstance(content, dict) or content.get("format") != FORMAT:
        raise InputError(f'{path}: not document frequencies: no "format": "{FORMAT}"')
    images = checked_images(path, "images", content.get("images"))
    name = content.get("name", "")
    if not isinstance(name, str):
        raise InputError(f'{path}: "name" is {shown(name)}; must be a text')
    content["name"] = clean(name)
    present = [key for key in KEYS.values() if key in content]
    if not present:
        raise InputError(f'{path}: neither "{KEYS[False]}" nor "{KEYS[True]}"')
    for key in present:
        _check_frequencies(path, key, content[key], images)
    return content


def checked_images(path: Path | str, key: str, images: object) -> int:
    """Return a number of images.

    Raises:
        InputError: It is not a whole number from 1 to `MOST`; names the key.
    """
    if type(images) is not int or not 1 <= images <= MOST:
        raise InputError(f'{path}: "{key}" is {shown(images)}; must be 1 to {MOST:,}')
    return images


def check_count(path: Path | str, gram: object, count: object, images: int) -> None:
    """Refuse a frequency that no such number of images can have.

    Raises:
        InputError: It is not a whole number from 1 to `images`.
    """
    if type(count) is not int or not 1 <= count <= images:
        raise InputError(
            f"{path}: frequency of {shown(gram)} is {shown(count)}; "
            f"must be 1 to {images}"
        )


def check_words(path: Path | str, gram: object, words: Sequence[object]) -> None:
    """Refuse a value that is no n-gram.

    Args:
        path: The file.
        gram: The n-gram as the file has it.
        words: Its words.

    Raises:
        InputError: It has more than 4 words or none, or one that is no word.
    """
    if len(words) > _LONGEST:
        raise InputError(f"{path}: {shown(gram)} has more than {_LONGEST} words")
    if not words or not all(isinstance(w, str) and w.split() == [w] for w in words):
        raise InputError(
            f"{path}: {shown(gram)} is no n-gram; it must be 1 to {_LONGEST} words "
            "without white space in them"
        )


def _check_frequencies(path: Path, key: str, frequencies: object, images: int) -> None:
    if not isinstance(frequencies, dict):
        raise InputError(f'{path}: "{key}" must map n-grams to image counts')
    for gram, count in frequencies.items():
        check_count(path, gram, count, images)
        check_words(path, gram, gram.split(" "))
