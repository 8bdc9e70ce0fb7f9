"""A reader of serialised Java objects, which become plain values; nothing is executed.

The reader follows the Java Object Serialization Specification, chapter 6 (protocol
version 2), as far as data need it. Objects become `JavaObject` values with their class
name and fields; no class is looked up, so that a hostile stream can only be refused.
"""

import struct
from dataclasses import dataclass, field
from typing import Any, Final

from spicepy.common.errors import brief

MAGIC: Final = b"\xac\xed\x00\x05"
CLASSES: Final = ("edu.stanford.nlp.", "java.lang.", "java.util.")
"""Prefixes of the names of the classes that a parser's model consists of."""
DEPTH: Final = 100
"""The maximum depth of nested objects; the known models need fewer than 20."""
OBJECTS: Final = 2_000_000
"""The maximum number of objects in a stream; the known models have some 400,000."""

NULL, REFERENCE, DESCRIPTION, OBJECT, STRING, ARRAY = range(0x70, 0x76)
BLOCK, END = 0x77, 0x78
LONG_BLOCK, LONG_STRING, ENUM = 0x7A, 0x7C, 0x7E
FIRST_HANDLE: Final = 0x7E0000
WRITES, SERIALIZABLE = 1, 2
PRIMITIVES: Final = {
    "B": "b", "C": "H", "D": "d", "F": "f", "I": "i", "J": "q", "S": "h", "Z": "?",
}  # fmt: skip
"""Java's letter of a primitive type -> the letter of `struct`."""


class StreamError(ValueError):
    """The bytes are not a stream of objects that this reader knows."""


@dataclass(slots=True, eq=False)
class ClassDescription:
    """Name and layout of a class, as the stream describes it."""

    name: str
    flags: int
    layout: struct.Struct
    primitives: tuple[str, ...]
    references: tuple[str, ...]
    lineage: "tuple[ClassDescription, ...]" = ()
    """The classes whose data an object holds, the topmost first, this one last."""


@dataclass(slots=True, eq=False)
class JavaObject:
    """An object: its class, its fields, and the further data that the class wrote."""

    name: str
    fields: dict[str, Any] = field(default_factory=dict)
    written: list[Any] = field(default_factory=list)


def read_objects(data: bytes) -> Any:
    """Return the first object of a stream."""
    # Strings become `str`, arrays lists, blocks of data `bytes`; every other object
    # becomes a `JavaObject`. A stream that is damaged, too deep, too large, or has an
    # object of a class that no model of a parser contains is a `StreamError`.
    if not data.startswith(MAGIC):
        raise StreamError("it does not begin as a stream of Java objects does")
    try:
        return _Reader(data).content(0)
    except (struct.error, IndexError) as error:
        raise StreamError("it ends in the middle of an object") from error
    except UnicodeDecodeError as error:
        raise StreamError("a name or word in it is not text") from error


class _Reader:
    """Reads one content after the other; `at` is the position of the next byte."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.at = len(MAGIC)
        self.handles: list[Any] = []
        self.kinds = {
            REFERENCE: self.reference,
            DESCRIPTION: self.description,
            OBJECT: self.object,
            STRING: self.string,
            ARRAY: self.array,
            BLOCK: self.block,
            LONG_BLOCK: self.long_block,
            LONG_STRING: self.long_string,
            ENUM: self.enum,
        }

    def content(self, depth: int) -> Any:
        """Return the next content; None of a null."""
        kind = self.data[self.at]
        self.at += 1
        if kind == NULL:
            return None
        if kind not in self.kinds:
            raise StreamError(f"byte {self.at - 1} begins nothing known (0x{kind:02x})")
        if depth > DEPTH:
            raise StreamError(f"objects are nested more than {DEPTH} deep")
        return self.kinds[kind](depth + 1)

    def unpack(self, layout: struct.Struct) -> tuple[Any, ...]:
        """Return the values of a layout at the current position."""
        values = layout.unpack_from(self.data, self.at)
        self.at += layout.size
        return values

    def number(self, layout: struct.Struct) -> int:
        """Return one number that is not negative."""
        (value,) = self.unpack(layout)
        if value < 0:
            raise StreamError(f"a length before byte {self.at} is negative")
        return int(value)

    def take(self, size: int) -> bytes:
        """Return the next bytes, as many as are asked for."""
        start, self.at = self.at, self.at + size
        if self.at > len(self.data):
            raise StreamError("it ends in the middle of an object")
        return self.data[start : self.at]

    def text(self, layout: struct.Struct) -> str:
        """Return a text with its length before it."""
        return self.take(self.number(layout)).decode("utf-8")

    def new(self, value: Any) -> Any:
        """Give a value the next handle."""
        if len(self.handles) >= OBJECTS:
            raise StreamError(f"it has more than {OBJECTS:,} objects")
        self.handles.append(value)
        return value

    def reference(self, depth: int) -> Any:
        """Return an object that an earlier handle refers to."""
        place = self.number(_INT) - FIRST_HANDLE
        if not 0 <= place < len(self.handles):
            raise StreamError(f"a reference before byte {self.at} leads nowhere")
        return self.handles[place]

    def string(self, depth: int) -> str:
        """Return a string."""
        text: str = self.new(self.text(_SHORT))
        return text

    def long_string(self, depth: int) -> str:
        """Return a string whose length takes eight bytes."""
        text: str = self.new(self.text(_LONG))
        return text

    def block(self, depth: int) -> bytes:
        """Return a short block of data."""
        return self.take(self.number(_BYTE))

    def long_block(self, depth: int) -> bytes:
        """Return a block of data whose length takes four bytes."""
        return self.take(self.number(_INT))

    def class_of(self, depth: int) -> ClassDescription:
        """Return the description of a class."""
        description = self.content(depth)
        if not isinstance(description, ClassDescription):
            raise StreamError(f"byte {self.at} follows no description of a class")
        return description

    def description(self, depth: int) -> ClassDescription:
        """Return a class description that is written out at this position."""
        name = self.text(_SHORT)
        if not name.startswith((*CLASSES, "[")):
            raise StreamError(f"class {brief(name, 80)} is in no model of a parser")
        self.take(_LONG.size)  # the version of the class
        new = ClassDescription(name, 0, struct.Struct(">"), (), ())
        self.new(new)
        (new.flags,) = self.unpack(_BYTE)
        letters, primitives, references = "", [], []
        for _ in range(self.number(_SHORT)):
            letter, field_name = chr(self.take(1)[0]), self.text(_SHORT)
            if letter in PRIMITIVES:
                letters += PRIMITIVES[letter]
                primitives.append(field_name)
            elif letter in "L[":
                references.append(field_name)
                self.content(depth)  # the type, a string
            else:
                raise StreamError(f"a field of {brief(name, 80)} has no known type")
        new.layout = struct.Struct(">" + letters)
        new.primitives, new.references = tuple(primitives), tuple(references)
        self.written(depth)
        parent = self.content(depth)
        if parent is not None and not isinstance(parent, ClassDescription):
            raise StreamError(f"the class above {brief(name, 80)} is not a class")
        new.lineage = (*(parent.lineage if parent else ()), new)
        return new

    def object(self, depth: int) -> JavaObject:
        """Return an object."""
        description = self.class_of(depth)
        made: JavaObject = self.new(JavaObject(description.name))
        for part in description.lineage:
            if not part.flags & SERIALIZABLE:
                raise StreamError(
                    f"class {brief(part.name, 80)} writes itself unreadably"
                )
            made.fields.update(zip(part.primitives, self.unpack(part.layout)))
            for name in part.references:
                made.fields[name] = self.content(depth)
            if part.flags & WRITES:
                made.written += self.written(depth)
        return made

    def written(self, depth: int) -> list[Any]:
        """Return the contents that a class wrote, up to their end mark."""
        contents = []
        while self.data[self.at] != END:
            contents.append(self.content(depth))
        self.at += 1
        return contents

    def array(self, depth: int) -> list[Any]:
        """Return the elements of an array."""
        name = self.class_of(depth).name
        elements: list[Any] = self.new([])
        size, letter = self.number(_INT), name[1:2]
        if letter in PRIMITIVES:
            code = PRIMITIVES[letter]
            data = self.take(size * struct.calcsize(f">{code}"))
            elements.extend(struct.unpack(f">{size}{code}", data))
        elif size > len(self.data) - self.at:
            raise StreamError("an array is longer than the file")
        else:
            for _ in range(size):
                elements.append(self.content(depth))
        return elements

    def enum(self, depth: int) -> JavaObject:
        """Return a constant of an enumeration; its field `name` says which."""
        made: JavaObject = self.new(JavaObject(self.class_of(depth).name))
        made.fields["name"] = self.content(depth)
        return made


_BYTE, _SHORT = struct.Struct(">B"), struct.Struct(">H")
_INT, _LONG = struct.Struct(">i"), struct.Struct(">q")
