"""Make the picture of the report, or check that its figures are today's.

In: the two systems of `fixtures/example`. Out: `fixtures/report.png`, the opening view
of their report. The shares that the picture shows are kept inside it as a text chunk,
so that a stale picture is also noticed on machines without a browser.

Source: PNG specification, third edition, section 11.3.3.2 (tEXt).
"""

import hashlib
import shutil
import struct
import subprocess
import tempfile
import zlib
from pathlib import Path
from typing import Final

from docs.running import StaleError, run_spicepy

ROOT: Final = Path(__file__).parents[1]
PICTURE: Final = ROOT / "fixtures" / "report.png"
EXAMPLE: Final = ROOT / "fixtures" / "example"
SIZE: Final = (1180, 1000)
KEYWORD: Final = b"shares"
"""Keyword of the text chunk that holds the digest of the shares."""

_BROWSER: Final = (
    *("chromium", "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars"),
    *("--disable-background-networking", f"--window-size={SIZE[0]},{SIZE[1]}"),
)


def refresh_picture(*, check: bool, again: bool = False) -> bool:
    """Make the picture anew if its figures are stale; return whether they were.

    Args:
        check: Change nothing.
        again: Make it in any case, such as after a change of the style.

    Raises:
        StaleError: The picture is stale and there is no Chromium to make it with.
    """
    with tempfile.TemporaryDirectory() as folder:
        page, table = Path(folder, "report.html"), Path(folder, "shares.json")
        _report(page, table)
        digest = hashlib.sha256(table.read_bytes()).hexdigest().encode()
        stale = _kept(PICTURE.read_bytes() if PICTURE.exists() else b"") != digest
        if check or not (stale or again):
            return stale
        if not shutil.which("chromium"):
            raise StaleError("the shares have changed, and there is no chromium")
        shot = Path(folder, "report.png")
        command = [*_BROWSER, f"--screenshot={shot}", page.as_uri()]
        subprocess.run(command, check=True, capture_output=True, timeout=120)
        PICTURE.write_bytes(_with_text(shot.read_bytes(), digest))
    return True


def _report(page: Path, table: Path) -> None:
    """Write the report of the two systems and the shares of its opening view."""
    systems = " ".join(str(EXAMPLE / f"system-{letter}.json") for letter in "ab")
    options = f"--references {EXAMPLE / 'references.json'} --samples 50 --quiet"
    run_spicepy(f"spicepy report {systems} {options} --output {page} --table {table}")


def _kept(picture: bytes) -> bytes | None:
    """Return the text of the picture's own chunk, None without one."""
    at = 8
    while at + 8 <= len(picture):
        size, kind = struct.unpack(">I4s", picture[at : at + 8])
        key, _, text = picture[at + 8 : at + 8 + size].partition(b"\0")
        if kind == b"tEXt" and key == KEYWORD:
            return text
        at += 12 + size
    return None


def _with_text(picture: bytes, text: bytes) -> bytes:
    """Return the picture with a text chunk before its last one."""
    data = KEYWORD + b"\0" + text
    check = zlib.crc32(b"tEXt" + data)
    chunk = struct.pack(">I4s", len(data), b"tEXt") + data + struct.pack(">I", check)
    end = picture.rindex(b"IEND") - 4
    return picture[:end] + chunk + picture[end:]
