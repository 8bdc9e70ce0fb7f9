"""Addresses of the images that a report shows.

In: a folder, or a path or URL with `{image_id}` in it. Out: an `<img src>` for
each image id, and the sources that the page's policy must allow.

Sections that belong to it:

* Numbers as text of the pages.
"""

import os
import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from string import Formatter
from typing import Any, Final
from urllib.parse import quote, urlsplit

from spicepy.captions.sample import ImageId
from spicepy.common.errors import InputError, brief

_KINDS = (".jpg", ".jpeg", ".png", ".webp", ".gif", ".avif")
_WIDEST = 1000  # The most characters of an address; a wider pattern is a mistake.
_SCHEMES = ("http", "https", "file")


def image_sources(
    images: str, image_ids: Sequence[ImageId], report: Path
) -> tuple[str, ...]:
    """Return the address of each image, "" where a folder has no file for it.

    Args:
        images: A folder, whose files are found by name (42.jpg) or by the number
            at its end (COCO_val2014_000000000042.jpg); or a pattern such as
            "photos/{image_id:012d}.jpg", taken from the report's folder, or
            "https://example.org/{image_id}.jpg"; widths are at most 1000.
        image_ids: The images, in order.
        report: The path of the report, from which the files of a folder are linked.

    Raises:
        InputError: Neither a folder nor a pattern, or the pattern does not fit.
    """
    if Path(images).is_dir():
        return _from_folder(Path(images), image_ids, report)
    _check(images)
    return tuple(_filled(images, image_id) for image_id in image_ids)


def policy_sources(images: str | None) -> str:
    """Return the `img-src` of the Content-Security-Policy."""
    if images is None:
        return "'none'"
    scheme = urlsplit(images).scheme
    return f"{scheme}:" if scheme in ("http", "https") else "'self' file:"


def _from_folder(
    folder: Path, image_ids: Sequence[ImageId], report: Path
) -> tuple[str, ...]:
    files: dict[str, str] = {}
    for path in sorted(folder.iterdir()):
        if path.suffix.lower() in _KINDS:
            digits = path.stem[len(path.stem.rstrip("0123456789")) :]
            if digits:
                files.setdefault(str(int(digits)), path.name)
    for path in sorted(folder.iterdir()):
        if path.suffix.lower() in _KINDS:
            files[path.stem] = path.name
    start = os.path.relpath(folder.resolve(), report.resolve().parent)
    names = [files.get(str(image_id), "") for image_id in image_ids]
    if not any(names):
        raise InputError(
            f"{folder}: no file is named after an image id "
            f"(such as {brief(image_ids[0])})"
        )
    return tuple(
        quote(os.fsencode(Path(start, name).as_posix())) if name else ""
        for name in names
    )


def _check(pattern: str) -> None:
    try:
        fields = [name for _, name, _, _ in Formatter().parse(pattern) if name]
    except ValueError as error:
        raise InputError(f"--images {brief(pattern)}: {error}") from None
    if not fields or set(fields) != {"image_id"}:
        raise InputError(
            f"--images {brief(pattern)}: neither a folder nor a pattern with "
            "{image_id}, such as photos/{image_id:012d}.jpg"
        )
    specs = " ".join(spec or "" for _, _, spec, _ in Formatter().parse(pattern))
    if "{" in specs or any(int(n[:9]) > _WIDEST for n in re.findall(r"\d+", specs)):
        raise InputError(
            f"--images {brief(pattern)}: a width in {{image_id:…}} is a number of "
            f"at most {_WIDEST}"
        )
    scheme = urlsplit(pattern).scheme
    if len(scheme) > 1 and scheme not in _SCHEMES:
        raise InputError(
            f"--images {brief(pattern)}: use a path, {', '.join(_SCHEMES)}"
        )


def _filled(pattern: str, image_id: ImageId) -> str:
    value = quote(image_id, safe="") if isinstance(image_id, str) else image_id
    try:
        return pattern.format(image_id=value)
    except (ValueError, OverflowError) as error:
        raise InputError(
            f"--images {brief(pattern)} does not fit image {brief(image_id)}: {error}"
        ) from None


# Numbers as text of the pages.


def score(value: Any, digits: int = 3) -> str:
    """Return a fraction; an undefined one is a dash."""
    if value is None or value != value:
        return "–"
    return f"{value:.{digits}f}"


def percent(share: float) -> str:
    """Return a share of 0-1 in whole percent; 0 and 100 stand for exact shares only."""
    return f"{min(max(round(100 * share), int(share > 0)), 100 - int(share < 1))} %"


def p_value(value: float) -> str:
    """Return a p-value, 0-1."""
    return "< 0.001" if value < 0.001 else f"{value:.3f}"


FILTERS: Final[Mapping[str, Callable[..., str]]] = {
    "score": score,
    "percent": percent,
    "p_value": p_value,
}
"""The same as filters of templates."""
