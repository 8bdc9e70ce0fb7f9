"""Pictures: the file of each image id, checked before anything is asked.

In: a folder, or a path with `{image_id}` in it. Out: `Picture`s, with their kind and a
digest of their bytes.
"""

import hashlib
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Self

from spicepy.captions.sample import ImageId
from spicepy.common.errors import InputError, brief, counted

MAX_BYTES: Final = 20_000_000
"""The most bytes of a picture; vision models take less."""
_EXTENSIONS: Final = (".jpg", ".jpeg", ".png", ".webp", ".gif", ".bmp")
_BEGINNINGS: Final = re.compile(
    rb"(?s)(?P<jpeg>\xff\xd8\xff)|(?P<png>\x89PNG\r\n\x1a\n)|(?P<webp>RIFF.{4}WEBP)"
    rb"|(?P<gif>GIF8[79]a)|(?P<bmp>BM.{13})"
)


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture in memory."""

    data: bytes  # The bytes of its file.
    kind: str  # Its media type: "image/jpeg".
    path: Path  # Its file, for messages.

    @classmethod
    def load(cls, path: Path) -> Self:
        """Read a picture.

        Raises:
            InputError: The file cannot be read, is larger than `MAX_BYTES`, or is no
                JPEG, PNG, WebP, GIF or BMP.
        """
        kind = check_picture(path)
        try:
            return cls(path.read_bytes(), kind, path)
        except OSError as error:
            raise InputError(f"{path}: cannot be read ({error.strerror})") from None

    @property
    def digest(self) -> str:
        """A digest of its bytes."""
        return hashlib.sha256(self.data).hexdigest()


def check_picture(path: Path) -> str:
    """Return the media type of a picture, from the beginning of its file.

    Raises:
        InputError: See `Picture.load`.
    """
    try:
        size = path.stat().st_size
        with path.open("rb") as file:
            head = file.read(32)
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror})") from None
    if size > MAX_BYTES:
        raise InputError(
            f"{path}: {size:,} bytes; a picture may have at most {MAX_BYTES:,}: make "
            "it smaller"
        )
    if kind := kind_of(head):
        return kind
    found = f"bytes {brief(head[:12])} …" if head else "an empty file"
    raise InputError(
        f"{path}: no picture: found {found}; use JPEG, PNG, WebP, GIF or BMP"
    )


def kind_of(data: bytes) -> str | None:
    """Return the media type of a picture by its first bytes, None if it is none."""
    match = _BEGINNINGS.match(data)
    return f"image/{match.lastgroup}" if match else None


def find_pictures(images: str, image_ids: Iterable[ImageId]) -> dict[ImageId, Path]:
    """Return the file of each image.

    Args:
        images: A folder, whose files are found by name (42.jpg) or by the number at
            its end (COCO_val2014_000000000042.jpg); or a path such as
            "photos/{image_id:012d}.jpg".
        image_ids: The images.

    Raises:
        InputError: It is neither, or images have no file.
    """
    wanted = list(dict.fromkeys(image_ids))
    if Path(images).is_dir():
        names = _in_folder(Path(images))
        found = {i: names[str(i)] for i in wanted if str(i) in names}
    elif "{image_id" in images:
        paths = {i: Path(_filled(images, i)) for i in wanted}
        found = {i: path for i, path in paths.items() if path.is_file()}
    else:
        raise InputError(
            f"--images {brief(images)}: neither a folder nor a path with {{image_id}}, "
            "such as photos/{image_id:012d}.jpg"
        )
    missing = [image_id for image_id in wanted if image_id not in found]
    if missing:
        raise InputError(
            f"--images {images}: no file for {counted(len(missing), 'image')} of "
            f"{len(wanted):,}; the first is {brief(missing[0])}"
        )
    return found


def _in_folder(folder: Path) -> Mapping[str, Path]:
    """Return the pictures of a folder by name, and by the number at the end of it."""
    pictures = [p for p in sorted(folder.iterdir()) if p.suffix.lower() in _EXTENSIONS]
    names: dict[str, Path] = {}
    for path in pictures:
        digits = path.stem[len(path.stem.rstrip("0123456789")) :]
        if digits.isascii() and digits:
            names.setdefault(str(int(digits[-18:])), path)
    return names | {path.stem: path for path in pictures}


def _filled(pattern: str, image_id: ImageId) -> str:
    try:
        return pattern.format(image_id=image_id)
    except (ValueError, KeyError, IndexError, AttributeError, OverflowError) as error:
        raise InputError(
            f"--images {brief(pattern)} does not fit image {brief(image_id)}: {error}"
        ) from None
