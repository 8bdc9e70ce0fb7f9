"""The JSON file of document frequencies: what it must hold.

In: a path. Out: its content, checked. `frequencies.py` shows such a file.
"""

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
    """The checked content of a file.

    Raises:
        InputError: It is missing or not such a file; says what is wrong.
    """
    content = load_json(read_text(path), str(path))
    if not isinstance(content, dict) or content.get("format") != FORMAT:
        raise InputError(f'{path}: not document frequencies: no "format": "{FORMAT}"')
    images = content.get("images")
    if type(images) is not int or not 1 <= images <= MOST:
        raise InputError(f'{path}: "images" is {shown(images)}; must be 1 to {MOST:,}')
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


def _check_frequencies(path: Path, key: str, frequencies: object, images: int) -> None:
    if not isinstance(frequencies, dict):
        raise InputError(f'{path}: "{key}" must map n-grams to image counts')
    for gram, count in frequencies.items():
        if type(count) is not int or not 1 <= count <= images:
            raise InputError(
                f"{path}: frequency of {shown(gram)} is {shown(count)}; "
                f"must be 1 to {images}"
            )
        if gram.count(" ") >= _LONGEST:
            raise InputError(f"{path}: {shown(gram)} has more than 4 words")
