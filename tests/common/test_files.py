"""Files that are packed, damaged or in another encoding, and JSON that is wrong."""

import bz2
import gzip
import io
import json
import lzma
import random
from pathlib import Path
from typing import Any

import pytest

from spicepy.captions.reading import read_samples
from spicepy.captions.streams import Source
from spicepy.common.errors import InputError
from spicepy.common.files import load_json, read_bytes, read_text

GOOD = gzip.compress(random.Random(1).randbytes(3000) + b"a" * 3000)


def damaged(at: int) -> bytes:
    return GOOD[:at] + bytes([GOOD[at] ^ 0xFF]) + GOOD[at + 1 :]


@pytest.mark.parametrize(
    "data",
    [GOOD[:100], GOOD[:2], GOOD + b"x", *map(damaged, (3, 12, 1500, -6))],
    ids=["cut", "two bytes", "more", "flags", "header", "middle", "checksum"],
)
def test_damaged_gzip(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "a.json.gz"
    path.write_bytes(data)

    with pytest.raises(InputError, match=r"a\.json\.gz: cannot be read \(damaged gzip"):
        read_bytes(path)


def test_gzip_is_known_by_its_content(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_bytes(gzip.compress(b"[1]") + gzip.compress(b" "))

    assert read_text(path) == "[1] "


@pytest.mark.parametrize(
    ("form", "compress"), [("bzip2", bz2.compress), ("xz", lzma.compress)]
)
def test_other_compressed_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, form: str, compress: Any
) -> None:
    path = tmp_path / f"a.jsonl.{form[:3]}".replace("bzi", "bz2")
    rows = [{"image_id": n, "test": "a dog", "refs": ["a small dog"]} for n in range(3)]
    text = "".join(json.dumps(row) + "\n" for row in rows)
    path.write_bytes(compress(text.encode()))

    assert len(read_samples(path)) == 3
    assert len(list(Source([path]).samples())) == 3
    path.write_bytes(compress(text.encode())[:-20])
    with pytest.raises(InputError, match=f"cannot be read .damaged {form}"):
        read_text(path)
    path.write_bytes(text.encode())
    with pytest.raises(
        InputError, match=f"not compressed: rename it without {path.suffix}"
    ):
        read_text(path)
    monkeypatch.setenv("SPICEPY_UNPACKED_GIB", "0.0001")
    path.write_bytes(compress(b" " * 2**20))
    with pytest.raises(InputError, match="unpacks to more than"):
        read_text(path)


def test_what_a_gzip_file_may_unpack_to_is_limited(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "zeros.gz"
    path.write_bytes(gzip.compress(b" " * 3 * 2**20))
    assert len(read_text(path)) == 3 * 2**20

    monkeypatch.setenv("SPICEPY_UNPACKED_GIB", "0.001")
    message = r"zeros\.gz: unpacks to more than 0\.001 GiB; .* SPICEPY_UNPACKED_GIB"
    with pytest.raises(InputError, match=message):
        read_text(path)

    for wrong in ("many", "0", "-1", "nan"):
        monkeypatch.setenv("SPICEPY_UNPACKED_GIB", wrong)
        with pytest.raises(InputError, match="it must be a number of GiB above 0"):
            read_text(path)


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-32"])
def test_byte_order_marks_are_understood(tmp_path: Path, encoding: str) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes("un café".encode(encoding))

    assert read_text(path) == "un café"


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (
            "a café".encode("utf-16-le"),
            "UTF-16 without a byte order mark; save",
        ),
        (b"PK\x03\x04\x00\x00", "not a text file but an archive or an Excel workbook"),
        (b"\xff\xfea", "line 1: byte 0x61 is not UTF-16; save the file as UTF-8"),
        (b"a\n\xe9", "line 2: byte 0xe9 is not UTF-8; save the file as UTF-8"),
    ],
)
def test_other_encodings_are_refused(tmp_path: Path, data: bytes, message: str) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(data)

    with pytest.raises(InputError, match=rf"a\.txt.*{message}"):
        read_text(path)


def test_paths_that_no_file_has(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read"):
        read_text("a\0b")
    with pytest.raises(InputError, match="cannot be read"):
        read_text(tmp_path)
    with pytest.raises(InputError, match="no such file"):
        read_text(tmp_path / "nowhere.gz")


def test_standard_input_has_a_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"\xe9")))

    with pytest.raises(InputError, match=r"^standard input, line 1: byte 0xe9"):
        read_text("-")


def test_standard_input_may_be_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", None)

    with pytest.raises(InputError, match=r"^standard input is closed"):
        read_text("-")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1" * 5000, "^x: a number has more than 4,300 digits"),
        ("[" * 100_000, "^x: the JSON is nested too deeply"),
        ("[1,\n 2 3]", "^x, line 2, column 4: invalid JSON"),
        ('{"a": 1, "a": 2}', "^x: the key 'a' occurs twice in one object"),
        ('[{}, {"a": [{"b": 1, "b": 1}]}]', "^x, entry 2: the key 'b' occurs twice"),
        ('{"n": [{}, {}, {"b": 1, "b": 1}]}', "^x, entry 3: the key 'b' occurs"),
    ],
)
def test_wrong_json(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        load_json(text, "x")


def test_a_line_of_json_is_named_by_its_number() -> None:
    with pytest.raises(InputError, match=r"^x, line 7, column 1: invalid JSON"):
        load_json("?", "x", 7)
    with pytest.raises(InputError, match=r"^x, line 7: the key 'a' occurs twice"):
        load_json('{"a": 1, "a": 1}', "x", 7)


def test_a_million_keys_are_read_in_one_pass() -> None:
    counts = {f"word {n}": n for n in range(100_000)}

    assert load_json(json.dumps(counts), "x") == counts
