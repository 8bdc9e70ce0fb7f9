"""The names that a grammar defines: labels, classes of tags, links and lists.

In: the tables of a grammar's files. Out: `DefinedNames`, against which cards are
checked; every fault is noted.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from os.path import isfile
from typing import Any

from spicepy.common.data_files import labels
from spicepy.common.errors import nearest
from spicepy.grammar.cards import LabelPattern
from spicepy.grammar.faults import Place
from spicepy.grammar.files import TomlTable, read_bytes, read_toml

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
        if not label or not self.labels:
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
    if not header:
        return frozenset()
    if not isinstance(scheme, str):
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
        text = f'list {name!r} needs words = ["…"]'
        place.note("G105", text)
        return ()
    if not words:
        place.note("G303", f"list {name!r} is empty")
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
