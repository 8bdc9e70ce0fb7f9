"""Damage to files, for `fuzz_readers.py`: bytes, JSON, lines, gzip, zip, encodings.

In: the bytes of a good file and a random generator. Out: the bytes of a file that is
probably damaged in one to three ways.
"""

import gzip
import io
import json
import random
import zipfile
from collections.abc import Callable
from typing import Any

Random = random.Random

HUGE = "1" * 5000
DEEP = "[" * 20_000 + "]" * 20_000
_RAW = {"<huge>": HUGE, "<deep>": DEEP, "<half>": '"\\ud83d"'}
"""Values that `json.dumps` would not write, by the text that stands for them."""

VALUES: tuple[Any, ...] = (
    *(None, True, False, 0, -1, 1.5, 10**18, 2**63, 10**400, 10**4000),
    *(float("nan"), float("inf"), "", " ", "a", "NaN", "1;2", "é" * 5000),
    *([], {}, [[]], [None], {"": None}, ["a"], [["a"]], [1, "a"], ["a"] * 1000),
    *("=1+1", "\0", "\r\n", "<huge>", "<deep>", "<half>", {"a" * 5000: 1}),
    *([["dog"], ["dog", "is", "brown"]], {"words": ["a"], "attributes": []}),
)
TOKENS = (
    *(b"null", b"NaN", b"-", b"1e999", b'"', b"'", b"{", b"}", b"[", b"]", b",", b":"),
    *(b"\n", b"\r", b"\t", b"\0", b"\xff", b"\xff\xfe", b"\xef\xbb\xbf", b"\\ud800"),
    *(b"\xed\xa0\x80", b"\x1f\x8b", b"=", b"#", b"\\", b" ", b"\xc3", b"\xe2\x80\xa8"),
    *(HUGE.encode(), DEEP.encode(), b"x" * 100_000),
)


def mutated(data: bytes, other: bytes, rng: Random) -> bytes:
    """Return the file `data` damaged; `other` is another file, to splice with."""
    if data.startswith(b"\x1f\x8b") and rng.random() < 0.6:
        inner = mutated(gzip.decompress(data), other, rng)
        return gzip.compress(inner, 1, mtime=0)
    if data.startswith(b"PK") and rng.random() < 0.6:
        return _zipped(data, other, rng)
    for _ in range(rng.choice((1, 1, 2, 3))):
        kind = rng.choice((_bytes, _bytes, _json, _json, _json, _lines, _whole))
        data = kind(data, other, rng)
    return data


def _zipped(data: bytes, other: bytes, rng: Random) -> bytes:
    """Damage, drop or rename a file in an archive, with the right check sum."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    name = rng.choice(list(files))
    what = rng.randrange(8)
    if what == 0:
        files[rng.choice(("x.npy", rng.choice(list(files)), "../x"))] = files.pop(name)
    elif what == 1:
        files[name] = files[rng.choice(list(files))]
    elif what == 2:
        del files[name]
    elif what < 5:
        files[name] = _inside(files[name], rng)
    else:
        files[name] = _bytes(files[name], other, rng)
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", rng.choice((0, zipfile.ZIP_DEFLATED))) as archive:
        for own, content in files.items():
            archive.writestr(own, content)
    return packed.getvalue()


def _inside(array: bytes, rng: Random) -> bytes:
    """Return a `.npy` file with another shape, type or number."""
    head, _, body = array.partition(b"\n")
    what = rng.randrange(4)
    if what == 0:
        shapes = (b"(1, 2)", b"(-1,)", b"(99999999999,)", b"()", b"(0,)", b"(1,)")
        start, end = head.find(b"("), head.find(b")") + 1
        shape = rng.choice(shapes)
        head = head[:start] + shape + head[end:]
    elif what == 1:
        kinds = (b"<i8", b"<f8", b"|O", b"<U1", b"|u1", b">i8", b"<c16", b"|S8", b"<M8")
        start = head.find(b"'descr': '") + 10
        head = head[:start] + rng.choice(kinds) + head[start + 3 :]
    else:
        number = rng.choice((0, 1, -1, 2**31, 2**62, 2**63 - 1, 99))
        at = 8 * rng.randrange(len(body) // 8 + 1)
        body = body[:at] + number.to_bytes(8, "little", signed=True) + body[at + 8 :]
    return head + b"\n" + body


def _bytes(data: bytes, other: bytes, rng: Random) -> bytes:
    """Flip, cut, double, insert or overwrite some bytes."""
    start = rng.randrange(len(data) + 1)
    end = min(len(data), start + rng.choice((0, 1, 1, 2, 8, 64, 10_000)))
    part = data[start:end]
    if part and rng.random() < 0.3:
        flipped = part[0] ^ (1 << rng.randrange(8))
        return data[:start] + bytes([flipped]) + data[start + 1 :]
    inserted = rng.choice(
        (b"", part * 2, rng.choice(TOKENS), rng.randbytes(4), other[start:end], part)
    )
    return data[:start] + inserted + data[end:]


def _whole(data: bytes, other: bytes, rng: Random) -> bytes:
    """Cut off, splice, repeat, pack or recode a whole file."""
    at = rng.randrange(len(data) + 1)
    changes: tuple[Callable[[], bytes], ...] = (
        lambda: data[:at],
        lambda: data[at:],
        lambda: data[:at] + other[at:],
        lambda: other,
        lambda: data + data,
        lambda: data + rng.choice(TOKENS),
        lambda: gzip.compress(data, 1, mtime=0),
        lambda: gzip.compress(data, 1, mtime=0)[: at // 2],
        lambda: data.replace(b"\n", b"\r\n"),
        lambda: data.replace(b"\n", b"\r"),
        lambda: data.replace(b"\n", b""),
        lambda: rng.choice((b"\xef\xbb\xbf", b"\xff\xfe", b"\0\0\xfe\xff")) + data,
        lambda: _recoded(data, rng.choice(("utf-16", "utf-16-le", "utf-32", "cp500"))),
    )
    return rng.choice(changes)()


def _recoded(data: bytes, encoding: str) -> bytes:
    return data.decode("utf-8", "replace").encode(encoding, "replace")


def _lines(data: bytes, other: bytes, rng: Random) -> bytes:
    """Drop, double or swap lines; change what stands behind `=` (TOML) or `,`."""
    lines = data.split(b"\n")
    i, j = rng.randrange(len(lines)), rng.randrange(len(lines))
    what = rng.randrange(6)
    if what == 0:
        del lines[i]
    elif what == 1:
        lines.insert(j, lines[i])
    elif what == 2:
        lines[i], lines[j] = lines[j], lines[i]
    elif what == 3:
        lines[i] = rng.choice(other.split(b"\n"))
    else:
        separator = rng.choice((b"=", b",", b"\t"))
        cells = lines[i].split(separator)
        cells[rng.randrange(len(cells))] = _dumped(rng.choice(VALUES))
        lines[i] = separator.join(cells)
    return b"\n".join(lines)


def _json(data: bytes, _other: bytes, rng: Random) -> bytes:
    """Put another value, or a repeated or renamed key, somewhere into the JSON."""
    lines = [data]
    at = 0
    if data.startswith(b"{") and data.count(b"\n{"):
        lines = data.split(b"\n")
        at = rng.randrange(len(lines))
    try:
        value = json.loads(lines[at])
    except (ValueError, RecursionError):
        return data
    holders: list[Any] = [[value]]
    for holder in holders:  # grows while it is walked
        inner = holder.values() if isinstance(holder, dict) else holder
        holders += [v for v in inner if isinstance(v, dict | list) and v]
    holder = rng.choice(holders)
    key: Any = (
        rng.choice(list(holder))
        if isinstance(holder, dict)
        else rng.randrange(len(holder))
    )
    what = rng.randrange(10)
    if what == 0 and isinstance(holder, list):
        holder *= 2
    elif what < 2:
        del holder[key]
    elif what == 2 and isinstance(holder, dict):
        holder[rng.choice(("x", "image_id", "captions", "", "a\ud800"))] = holder.pop(
            key
        )
    elif what == 3 and isinstance(holder, dict):
        holder["<twice>"] = key
    else:
        holder[key] = rng.choice((*VALUES, rng.choice(holders), holder[key]))
    try:
        made = _dumped(holders[0][0] if holders[0] else None)
    except (ValueError, RecursionError):  # now it contains itself
        return data
    lines[at] = made
    return b"\n".join(lines)


def _dumped(value: Any) -> bytes:
    text = json.dumps(value)
    for mark, raw in _RAW.items():
        text = text.replace(f'"{mark}"', raw)
    if '"<twice>": ' in text:  # the same key, twice
        key = text.split('"<twice>": ')[1].split('"')[1]
        text = text.replace('"<twice>"', f'"{key}"')
    return text.encode()
