"""Python values in, a stream of serialised Java objects out: for small test models.

It follows the Java Object Serialization Specification, chapter 6, like the reader under
test, but shares no code with it.
"""

import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

LEXPARSER = "edu.stanford.nlp.parser.lexparser."
FORMATS = {"D": "d", "F": "f", "I": "i", "S": "h", "Z": "?"}
"""Java's letter of a primitive type -> `struct`'s."""


@dataclass
class Java:
    """An object to write: class, fields as name -> (type, value), what it writes."""

    name: str
    fields: dict[str, tuple[str, Any]] = field(default_factory=dict)
    written: list[Any] | None = None


class Writer:
    """Writes objects; classes that were described are referred to."""

    def __init__(self) -> None:
        self.out = bytearray(b"\xac\xed\x00\x05")
        self.handles = 0
        self.classes: dict[str, int] = {}

    def utf(self, text: str) -> None:
        data = text.encode()
        self.out += struct.pack(">H", len(data)) + data

    def value(self, value: Any) -> None:
        if value is None:
            self.out += b"\x70"
        elif isinstance(value, str):
            self.out += b"\x74"
            self.utf(value)
            self.handles += 1
        elif isinstance(value, bytes):
            self.out += b"\x77" + bytes([len(value)]) + value
        elif isinstance(value, list):  # an array of doubles
            self.out += b"\x75"
            self.describe("[D", {}, 2)
            self.handles += 1
            self.out += struct.pack(f">i{len(value)}d", len(value), *value)
        else:
            self.object(value)

    def describe(
        self, name: str, fields: Mapping[str, tuple[str, Any]], flags: int
    ) -> None:
        if name in self.classes:
            self.out += b"\x71" + struct.pack(">i", 0x7E0000 + self.classes[name])
            return
        self.out += b"\x72"
        self.utf(name)
        self.out += bytes(8)
        self.classes[name] = self.handles
        self.handles += 1
        self.out += struct.pack(">BH", flags, len(fields))
        for field_name, (kind, _) in fields.items():
            self.out += kind[:1].encode()
            self.utf(field_name)
            if kind[:1] in "L[":
                self.value(kind)
        self.out += b"\x78\x70"

    def object(self, java: Java) -> None:
        self.out += b"\x73"
        primitive = {n: v for n, v in java.fields.items() if v[0] in FORMATS}
        fields = {
            **primitive,
            **{n: v for n, v in java.fields.items() if n not in primitive},
        }
        self.describe(java.name, fields, 2 if java.written is None else 3)
        self.handles += 1
        for kind, value in fields.values():
            if kind in FORMATS:
                self.out += struct.pack(f">{FORMATS[kind]}", value)
            else:
                self.value(value)
        if java.written is not None:
            for value in java.written:
                self.value(value)
            self.out += b"\x78"


def array_list(elements: Sequence[Any]) -> Java:
    """Return a list as Java writes it."""
    size = len(elements)
    return Java(
        "java.util.ArrayList",
        {"size": ("I", size)},
        [struct.pack(">i", size), *elements],
    )


def hash_map(entries: Sequence[tuple[Any, Any]]) -> Java:
    """Return a map as Java writes it."""
    flat = [part for entry in entries for part in entry]
    sizes = struct.pack(">ii", 16, len(entries))
    return Java("java.util.HashMap", {"loadFactor": ("F", 0.75)}, [sizes, *flat])


def index(names: Sequence[str]) -> Java:
    """Return an index of names."""
    return Java(
        "edu.stanford.nlp.util.HashIndex",
        {"objects": ("Ljava/util/List;", array_list(names))},
    )


def counter(counts: Mapping[tuple[int, int], float]) -> Java:
    """Return counts of (word, tag)."""
    entries = [
        (
            Java(LEXPARSER + "IntTaggedWord", {"word": ("I", word), "tag": ("S", tag)}),
            Java("edu.stanford.nlp.util.MutableDouble", {"d": ("D", count)}),
        )
        for (word, tag), count in counts.items()
    ]
    return Java(
        "edu.stanford.nlp.stats.ClassicCounter",
        {"map": ("Ljava/util/Map;", hash_map(entries))},
    )
