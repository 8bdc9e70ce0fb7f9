"""Finding and reading the files of a grammar.

A name or path becomes `Layer` values, the grammar extended first, with the bytes and
TOML tables of each file; faults of the files (G1xx) are noted.
"""

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from itertools import pairwise
from os.path import exists, isdir, isfile
from pathlib import Path
from typing import Any

from spicepy.common.errors import InputError, brief, nearest, reason_of
from spicepy.common.files import decode
from spicepy.common.resources import folder, labels
from spicepy.rules.cards import LabelPattern

# Faults of a grammar, and the place where they are found.


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing wrong with a grammar."""

    file: str
    rule: str
    code: str
    message: str

    def __str__(self) -> str:
        rule = f', rule "{_short(self.rule, 100)}"' if self.rule else ""
        return f"{self.file}{rule}: {self.code} {_short(self.message, 600)}"


def _short(text: str, limit: int) -> str:
    return text if len(text) <= limit else text[: limit - 1] + "…"


@dataclass(frozen=True, slots=True)
class Place:
    """A file of a grammar, perhaps a card in it, where faults are noted.

    All places of one grammar share one list of `faults`.

    Example:
        >>> place = Place("words.toml")
        >>> place.card("plural").note("G104", "missing 'why'")
        >>> print(*place.faults)
        words.toml, rule "plural": G104 missing 'why'
    """

    file: str = ""
    rule: str = ""
    faults: list[Fault] = field(default_factory=list)

    def note(self, code: str, message: str) -> None:
        """Note that something is wrong here; `grammar.CODES` has the codes."""
        fault = Fault(self.file, self.rule, code, message)
        if fault not in self.faults:  # A head may be in several clauses.
            self.faults.append(fault)

    def at(self, file: str) -> "Place":
        """Return the same list of faults, for another file."""
        return Place(file, "", self.faults)

    def card(self, rule: str) -> "Place":
        """Return the same list of faults, for a card of this file."""
        return Place(self.file, rule, self.faults)


_MAX_ANCESTORS = 100  # The most grammars of which each extends the next
TomlTable = dict[str, Any]
HEADER = (
    *("name", "version", "description", "labels", "parser"),
    *("extends", "files", "drop", "distinct_words", "phases"),
)
"""The keys of a grammar's own file that stand outside all sections."""
SECTIONS = (
    *("rule", "rewrite", "normalisation", "annotation"),
    *("lists", "category", "tags", "links"),
)
"""The sections of a grammar's files."""


@dataclass(frozen=True, slots=True)
class Layer:
    """The files of one grammar, without what it extends."""

    # `files` has the tables of each file by its shown name, `contents` the bytes they
    # were read from (None: the file could not be read).

    path: Path
    header: TomlTable
    files: tuple[tuple[str, TomlTable], ...]
    contents: tuple[tuple[Path, bytes | None], ...]


def known_names() -> list[str]:
    """Return the names of the shipped grammars."""
    return sorted(path.parent.name for path in folder().glob("*/grammar.toml"))


def locate(name_or_path: str | Path, base: Path = Path()) -> Path | None:
    """Return the grammar.toml or single file meant by a name, or a path from `base`."""
    # os.path.exists is False for names that are too long; Path.exists raises OSError.
    path = base / name_or_path
    if not exists(path):
        path = folder() / str(name_or_path)
    if isfile(path) and isfile(path.parent / "grammar.toml"):
        path = path.parent
    if isdir(path):
        path = path / "grammar.toml"
    return path if isfile(path) else None


def read_layers(
    path: Path, place: Place, extending: tuple[Path, ...] = ()
) -> list[Layer]:
    """Read a grammar and, before it, the grammars it extends."""
    # `extending` are the files of the grammars that extend this one, in turn.
    here = place.at(path.name)
    data = read_bytes(path, here)
    header = read_toml(data, here)
    contents = [(path, data)]
    layers: list[Layer] = []
    base = header.get("extends")
    if isinstance(base, str):
        found, chain = locate(base, path.parent), (*extending, path.resolve())
        if found is None:
            hint = nearest(base, known_names())
            here.note("G107", f"unknown grammar {base!r} in 'extends'{hint}")
        elif found.resolve() in chain:
            here.note("G107", f"extends itself: {base!r} in 'extends'")
        elif len(chain) > _MAX_ANCESTORS:
            here.note("G107", f"more than {_MAX_ANCESTORS} grammars extend each other")
        else:
            layers = read_layers(found, place, chain)
    if path.name == "grammar.toml" and "files" not in header:
        others = sorted(p.name for p in path.parent.glob("*.toml") if p != path)
        if others:
            hint = "write files = [] if it should not"
            here.note("G104", f"missing 'files': {others[0]} would not be read; {hint}")
    names = header.get("files", [])
    if not isinstance(names, list) or not all(isinstance(n, str) for n in names):
        here.note("G105", "'files' must be a list of names")
        names = []
    files = [(path.name, {k: v for k, v in header.items() if k not in HEADER})]
    for name in names:
        shown = f"{path.parent.name}/{name}"
        data = read_bytes(path.parent / name, place.at(shown))
        contents.append((path.parent / name, data))
        files.append((shown, read_toml(data, place.at(shown))))
    return [*layers, Layer(path, header, tuple(files), tuple(contents))]


def unchanged(layers: Sequence[Layer]) -> bool:
    """Return whether reading these layers again would give the same."""
    return all(
        locate(after.header["extends"], after.path.parent) == base.path
        for base, after in pairwise(layers)
    ) and all(
        data is not None and read_bytes(path, Place()) == data
        for layer in layers
        for path, data in layer.contents
    )


def read_bytes(path: Path, place: Place) -> bytes | None:
    """Read one file; None and a fault if that is not possible."""
    try:
        return path.read_bytes()
    except FileNotFoundError:
        present = (p.name for p in path.parent.glob("*.toml"))
        place.note("G101", f"file not found{nearest(path.name, present)}")
    except OSError as error:
        place.note("G101", f"cannot be read: {reason_of(error)}")
    return None


def read_toml(data: bytes | None, place: Place) -> TomlTable:
    """Read the TOML of one file; an unusable one counts as empty."""
    try:
        return tomllib.loads(decode(data, "")) if data is not None else {}
    except InputError as error:  # the file is named before the code
        place.note("G101", f"cannot be read: {str(error).lstrip(':, ')}")
    except (ValueError, RecursionError) as error:  # also numbers of 5,000 digits
        place.note("G102", f"not valid TOML: {error}")
    return {}


# The names that a grammar defines: labels, classes of tags, links and lists.

PENN_TAGS = frozenset(
    """
    CC CD DT EX FW IN JJ JJR JJS LS MD NN NNS NNP NNPS PDT POS PRP PRP$ RB RBR RBS
    RP SYM TO UH VB VBD VBG VBN VBP VBZ WDT WP WP$ WRB
    """.split()  # noqa: SIM905 (a table of tags reads better as one text)
)
_LINK_KEYS = ("label", "except", "silent", "to", "having")


@dataclass
class DefinedNames:
    """The names that a grammar defines, and checks of those that a card uses."""

    labels: frozenset[str]
    tags: Mapping[str, tuple[str, ...]]
    links: Mapping[str, tuple[LabelPattern, ...]]
    lists: Mapping[str, tuple[str, ...]]
    phases: tuple[str, ...] = ()

    def check_phase(self, phase: str, place: Place) -> None:
        """Note G109 if a rewrite rule is in none of the grammar's phases."""
        if phase in self.phases or (not phase and not self.phases):
            return
        if not self.phases:
            place.note("G109", f"phase {phase!r}: the grammar declares no 'phases'")
            return
        problem = f"unknown phase {phase!r}" if phase else "names no 'phase'"
        hint = nearest(phase, self.phases) or f"; known: {', '.join(self.phases)}"
        place.note("G109", problem + hint)

    def check_pattern(self, pattern: LabelPattern, place: Place) -> None:
        """Check the names in one part of a link."""
        for label in (pattern.label, pattern.having):
            self.check_label(label, label, place)
        self.check_tags(pattern.to, pattern.label, place)

    def check_label(self, label: str, text: str, place: Place) -> None:
        """Raise G202 if no label of the scheme is like this one."""
        if not label or not self.labels or label in self.labels:
            return
        if not any(
            fnmatchcase(label, known) or fnmatchcase(known, label)
            for known in self.labels
        ):
            hint = nearest(label, self.labels)
            message = f'unknown label {label!r} in "{text}"{hint}'
            place.note("G202", message)

    def check_tags(self, name: str, text: str, place: Place) -> None:
        """Raise G206 if a class of tags is not defined, G302 if a list is not."""
        if name.startswith("@"):
            self.check_list(name, text, place)
        elif name and name not in self.tags:
            hint = nearest(name, self.tags)
            place.note("G206", f'unknown tag class {name!r} in "{text}"{hint}')

    def check_list(self, value: str, text: str, place: Place) -> bool:
        """Return whether a value is a word or names a known list; note G302 if not."""
        if not value.startswith("@") or value[1:] in self.lists:
            return True
        hint = nearest(value, (f"@{known}" for known in self.lists))
        place.note("G302", f'unknown list {value!r} in "{text}"{hint}')
        return False


def read_labels(header: TomlTable, place: Place) -> frozenset[str]:
    """Return the labels of the scheme the grammar names; empty if none is known."""
    scheme = header.get("labels")
    path = labels() / f"{scheme}.toml"
    if not header or not isinstance(scheme, str | None):
        return frozenset()  # which is noted already
    if scheme is None:
        place.note("G104", "missing text for 'labels'")
        return frozenset()
    if not isfile(path):  # pathlib raises OSError for a name that is too long
        hint = nearest(scheme, (p.stem for p in path.parent.glob("*.toml")))
        place.note("G107", f"unknown labels {scheme!r}{hint}")
        return frozenset()
    there = place.at(path.name)
    return frozenset(read_toml(read_bytes(path, there), there).get("labels", {}))


def texts(value: object) -> list[str] | None:
    """Return a value that is a list of texts, None if it is anything else."""
    if isinstance(value, list) and all(isinstance(v, str) for v in value):
        return value
    return None


def read_list(name: str, value: Any, place: Place) -> tuple[str, ...]:
    """Read one word list."""
    table = value if isinstance(value, dict) else {}
    words = texts(table.get("words"))
    if words is None:
        given = table.get("words")
        given = given if isinstance(given, list) else []
        wrong = next((f", not {brief(w)}" for w in given if not isinstance(w, str)), "")
        text = f'list {name!r} needs words = ["…"], all of them texts{wrong}'
        place.note("G105", text)
        return ()
    if not words:
        place.note("G303", f"list {name!r} is empty")
    if capital := [word for word in words if word != word.lower()]:
        text = f"list {name!r} has {brief(capital[0])}: captions are read in lower case"
        place.note("G306", text)
    if not isinstance(table.get("source"), str) or not table["source"].strip():
        place.note("G304", f"list {name!r} names no source")
    for key in set(table) - {"words", "source", "why"}:
        hint = nearest(key, ("words", "source", "why"))
        text = f"unknown key {key!r} in list {name!r}{hint}"
        place.note("G103", text)
    return tuple(words)


def read_tags(name: str, value: Any, place: Place) -> tuple[str, ...]:
    """Read one class of tags."""
    tags = texts(value)
    if not tags:
        text = f"tag class {name!r} must be a list of tags"
        place.note("G105", text)
        return ()
    for tag in tags:
        if tag not in PENN_TAGS:
            text = f"unknown tag {tag!r} in {name!r}{nearest(tag, PENN_TAGS)}"
            place.note("G305", text)
    return tuple(tags)


def read_link(name: str, value: Any, place: Place) -> tuple[LabelPattern, ...]:
    """Read one class of edges."""
    table = value if isinstance(value, dict) else {}
    items = table.get("any")
    if not name.isupper():
        place.note("G105", f"write the link {name!r} in capitals")
    if not isinstance(items, list) or not items:
        text = f'link {name!r} needs any = [{{ label = "…" }}]'
        place.note("G105", text)
        return ()
    patterns = []
    for item in items:
        wrong = set(item) - set(_LINK_KEYS) if isinstance(item, dict) else {str(item)}
        for key in wrong:
            text = f"unknown key {key!r} in link {name!r}{nearest(key, _LINK_KEYS)}"
            place.note("G103", text)
        if wrong or not isinstance(item.get("label"), str):
            if not wrong:
                text = f"a part of link {name!r} has no 'label'"
                place.note("G104", text)
            continue
        patterns.append(
            LabelPattern(
                label=item["label"],
                excluded=tuple(item.get("except", ())),
                silent=tuple(item.get("silent", ())),
                to=item.get("to", ""),
                having=item.get("having", ""),
            )
        )
    return tuple(patterns)
