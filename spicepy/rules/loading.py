"""Grammars: rule cards, word lists and categories, read from TOML and checked.

A shipped grammar ("spice-1.0"), a folder with a `grammar.toml` or a single TOML file
becomes a frozen `Grammar`, or a `GrammarError` that lists every fault like this:

    relations.toml, rule "clause-object": G202 unknown label 'nsbj' in
    "verb -nsbj-> subj:NOUN"; did you mean 'nsubj'?

The language of the cards is described in `grammars/README.md`, the codes in
`CODES`.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path, PurePosixPath
from threading import Lock
from typing import Any, Final, TypeVar

from spicepy.common.errors import GrammarError, nearest
from spicepy.common.files import without_digest
from spicepy.common.resources import GRAMMAR
from spicepy.rules.files import (
    HEADER,
    SECTIONS,
    DefinedNames,
    Fault,
    Layer,
    Place,
    TomlTable,
    known_names,
    locate,
    read_labels,
    read_layers,
    read_link,
    read_list,
    read_tags,
    texts,
    unchanged,
)
from spicepy.rules.normalising import read_normalisation
from spicepy.rules.rule_cards import read_rewrite, read_rule
from spicepy.rules.tuples import Category, read_category, unique_names
from spicepy.rules.values import Grammar, Rewrite, grammar_digest

# Build a `Grammar` from the tables of its files.
#
# Cards are read by `grammar.rules`, `rewrites` and `normalisations`, names by
# `grammar.names`.

T = TypeVar("T")
CARDS = ("rule", "rewrite", "annotation", "normalisation")

Gathered = dict[str, dict[str, tuple[Place, Any]]]
"""Section -> name -> the value and its place; later layers over earlier ones."""


def build(layers: Sequence[Layer], place: Place) -> Grammar:
    """Build a grammar, and note every fault."""
    tables: Gathered = {section: {} for section in SECTIONS}
    header: TomlTable = {}
    # Without the grammar that it extends, or a file of it, all it names is unknown.
    usable = {"G101", "G102", "G107"}.isdisjoint(f.code for f in place.faults)
    for layer in layers if usable else ():
        header |= layer.header
    phases = texts(header.get("phases")) or ()
    for layer in layers:
        _check_header(layer, place.at(layer.path.name))
        if usable:
            _gather(layer, tables, place, phases)
    last = place.at(layers[-1].path.name)
    names = DefinedNames(
        labels=read_labels(header, last),
        tags=_named_values(tables["tags"], read_tags),
        links=_named_values(tables["links"], read_link),
        lists=_named_values(tables["lists"], read_list),
        phases=tuple(phases),
    )
    for name, (at, _) in tables["links"].items():
        for pattern in names.links[name]:
            names.check_pattern(pattern, at)
    rules = _cards_of(tables["rule"], read_rule, names)
    if not rules and not place.faults:
        last.note("G104", "no [[rule]] found")
    grammar = Grammar(
        name=str(header.get("name", "")),
        version=str(header.get("version", "")),
        description=str(header.get("description", "")),
        labels=str(header.get("labels", "")),
        digest="",
        rules=rules,
        phases=names.phases,
        rewrites=_in_phases(
            _cards_of(tables["rewrite"], read_rewrite, names), names.phases
        ),
        annotations=_cards_of(tables["annotation"], read_rule, names),
        normalisations=_cards_of(tables["normalisation"], read_normalisation, names),
        lists=names.lists,
        categories=_categories(tables, names, place),
        tags=names.tags,
        links=names.links,
        parser=str(header.get("parser", "")),
        distinct_words=header.get("distinct_words") is True,
    )
    return grammar if place.faults else replace(grammar, digest=grammar_digest(grammar))


def _named_values(
    entries: dict[str, tuple[Place, Any]], read: Callable[[str, Any, Place], T]
) -> dict[str, T]:
    return {name: read(name, value, at) for name, (at, value) in entries.items()}


def _cards_of(
    entries: dict[str, tuple[Place, Any]],
    read: Callable[[TomlTable, DefinedNames, Place], T],
    names: DefinedNames,
) -> tuple[T, ...]:
    return tuple(read(table, names, at) for at, table in entries.values())


def _in_phases(cards: Sequence[Rewrite], phases: Sequence[str]) -> tuple[Rewrite, ...]:
    """Return cards phase by phase; within a phase their order stays."""
    places = {phase: place for place, phase in enumerate(phases)}
    return tuple(sorted(cards, key=lambda card: places.get(card.phase, len(places))))


def _check_header(layer: Layer, place: Place) -> None:
    """Check that name and version are given, and that all other keys are known."""
    header = layer.header
    if not header:
        return  # unreadable, which is noted already
    for key in ("name", "version", "description", "labels", "extends", "parser"):
        value = header.get(key, "")
        hint = f', such as {key} = "1"' if key in ("name", "version") else ""
        if not isinstance(value, str):
            place.note("G105", f"{key!r} must be a text{hint}")
        elif hint and not value.strip():
            place.note("G104", f"missing text for {key!r}{hint}")
    if not isinstance(header.get("distinct_words", False), bool):
        place.note("G105", "'distinct_words' must be true or false")
    _check_phases(header.get("phases", []), place)
    for file, table in layer.files:
        for key in table:
            if key not in SECTIONS:
                hint = nearest(key, (*SECTIONS, *HEADER))
                place.at(file).note("G103", f"unknown key {key!r}{hint}")


def _check_phases(value: Any, place: Place) -> None:
    phases = texts(value)
    if phases is None:
        place.note("G105", "'phases' must be a list of names")
    elif len(set(phases)) < len(phases):
        place.note("G106", "'phases' names a phase twice")


def _gather(
    layer: Layer, tables: Gathered, place: Place, phases: Sequence[str]
) -> None:
    """Add a layer's tables; a name used twice in one layer is a fault."""
    seen: set[tuple[str, str]] = set()

    def put(kind: str, name: str, at: Place, value: Any) -> None:
        key = ("card" if kind in CARDS else kind, name)  # an id names one card
        at = at.card(name) if kind in CARDS else at
        if key in seen:
            at.note("G106", f"{name!r} is defined twice")
        seen.add(key)
        if kind == "rewrite":
            _, replaced = tables[kind].get(name, (at, {}))
            known = _phase_of_file(at.file, phases) or replaced.get("phase", "")
            value = {"phase": known, **value} if known else value
        tables[kind][name] = (at, value)

    _drop(layer, tables, place.at(layer.path.name))
    for file, table in layer.files:
        at = place.at(file)
        for key in ("lists", "tags", "links"):
            for name, value in _named(table, key, at):
                put(key, name, at, value)
        for kind in (*CARDS, "category"):
            key = "id" if kind in CARDS else "name"
            for name, card in _cards(table, kind, key, at):
                put(kind, name, at, card)


def _phase_of_file(file: str, phases: Sequence[str]) -> str:
    """Return the phase after which a file, or its folder in the grammar, is named."""
    _, *names = PurePosixPath(file).with_suffix("").parts
    return next((name for name in names if name in phases), "")


def _named(table: TomlTable, key: str, place: Place) -> list[tuple[str, Any]]:
    """Return the entries of a section such as [lists]."""
    section = table.get(key, {})
    if isinstance(section, dict):
        return list(section.items())
    place.note("G105", f"[{key}] must be a table")
    return []


def _cards(
    table: TomlTable, key: str, name: str, place: Place
) -> list[tuple[str, TomlTable]]:
    """Return the tables of a section such as [[rule]], with their names."""
    section = table.get(key, [])
    if not isinstance(section, list) or any(not isinstance(c, dict) for c in section):
        place.note("G105", f"write [[{key}]], not [{key}]")
        return []
    cards = []
    for number, card in enumerate(section, 1):
        if isinstance(card.get(name), str) and card[name]:
            cards.append((card[name], card))
        else:
            place.note("G104", f"[[{key}]] number {number} has no {name!r}")
    return cards


def _drop(layer: Layer, tables: Gathered, place: Place) -> None:
    """Take out the cards of the extended grammar that this one drops."""
    names = layer.header.get("drop", [])
    kinds = [tables[kind] for kind in CARDS]
    for name in names if isinstance(names, list) else [names]:
        if not any(name in cards for cards in kinds):
            text = f"cannot drop rule {name!r}{nearest(str(name), tables['rule'])}"
            place.note("G108", text)
        for cards in kinds:
            cards.pop(name, None)


def _categories(
    tables: Gathered, names: DefinedNames, place: Place
) -> tuple[Category, ...]:
    """Read the categories, `@list` looked up."""
    categories = []
    for name, (at, card) in tables["category"].items():
        table = dict(card)
        words = table.get("words")
        if isinstance(words, str):
            listed = words.removeprefix("@")
            if not words.startswith("@") or listed not in names.lists:
                text = f"category {name!r}: unknown list {words!r}"
                text += nearest(words, (f"@{known}" for known in names.lists))
                at.note("G302", text)
                continue
            table["words"] = list(names.lists[listed])
        try:
            categories.append(read_category(table))
        except GrammarError as error:
            at.note("G105", str(error))
    try:
        return unique_names(categories)
    except GrammarError as error:
        place.at("categories").note("G106", str(error))
        return tuple(categories)


CODES = {
    "G101": "a file is missing or cannot be read",
    "G102": "a file is not valid TOML",
    "G103": "a key is unknown",
    "G104": "a key or table is missing",
    "G105": "a value has the wrong form",
    "G106": "a name is defined twice",
    "G107": "the grammar or label scheme named is unknown",
    "G108": "a rule to drop does not exist",
    "G109": "a rewrite rule is in no phase of the grammar",
    "G201": "a clause cannot be read",
    "G202": "a label is not one of the label scheme",
    "G203": "a name is used that is never matched, or where it cannot be",
    "G204": "a clause is not connected to the others",
    "G205": "a tuple to emit cannot be read",
    "G206": "a tag class or link is unknown",
    "G207": "keys of a rewrite rule exclude each other",
    "G208": "an edge to remove is not one of the match",
    "G301": "a word test cannot be read",
    "G302": "a word list is unknown",
    "G303": "a word list is empty",
    "G304": "a word list names no source",
    "G305": "a part-of-speech tag is unknown",
    "G306": "a word of a list has capital letters",
    "G401": "a rule has no example",
    "G402": "an example does not give the tuples it states",
    "G403": "a rejected caption gives tuples",
    "G404": "the caption of an example has no parse",
    "G405": "an example cannot be read",
}
"""The meaning of each code of a fault."""


def load_grammar(name_or_path: str | Path = GRAMMAR) -> Grammar:
    """Read and check a grammar; its examples are left to `spicepy.rules.examples`.

    A grammar that was loaded before is made anew only if one of its files, or
    of those it extends, has changed.

    Args:
        name_or_path: The name of a shipped grammar, a folder with a
            `grammar.toml`, or a single TOML file; also with the digest that a
            signature has.

    Raises:
        GrammarError: If there is no such grammar (names the known ones), if
            it has faults: one line each, with file, rule, code and text; or if its
            digest is another one.

    Example:
        >>> load_grammar("spice-1.0").rules[0].id
        'clause-object'
    """
    path, (name, digest) = locate(name_or_path), without_digest(name_or_path)
    if path is None and digest:
        path = locate(name)
    else:
        digest = ""
    if path is None:
        raise GrammarError(_unknown(name_or_path))
    grammar = _loaded(path.resolve())
    if digest and not grammar.digest.startswith(digest):
        raise GrammarError(
            f"the grammar {name} is {name}@{grammar.digest[:8]} now, not "
            f"{name_or_path}: its rules have changed since"
        )
    return grammar


_KEPT = 16
_KEEP: Final[dict[Path, tuple[list[Layer], Grammar]]] = {}
"""The grammars used last and the files they were made of, oldest first."""
_LOCK: Final = Lock()


def _loaded(path: Path) -> Grammar:
    """Return the grammar at a path, made anew only if one of its files has changed."""
    # "Changed" means other bytes: times of files are too coarse, and the time of a
    # header says nothing of the word lists beside it. One thread makes a grammar while
    # others wait.
    with _LOCK:
        layers, grammar = _KEEP.pop(path, ([], None))
        if grammar is None or not unchanged(layers):
            layers, grammar = _read(path)
        _KEEP[path] = layers, grammar
        if len(_KEEP) > _KEPT:
            del _KEEP[next(iter(_KEEP))]
    return grammar


def _read(path: Path) -> tuple[list[Layer], Grammar]:
    place = Place()
    layers = read_layers(path, place)
    grammar = build(layers, place)
    if place.faults:
        raise GrammarError("\n".join(str(fault) for fault in place.faults))
    return layers, grammar


def read_grammar(name_or_path: str | Path) -> tuple[Grammar, list[Fault], list[Path]]:
    """Read a grammar, faults and all.

    Returns:
        The grammar (unusable if there are faults), its faults, and the folders
        of the grammars it extends and of its own.

    Raises:
        GrammarError: Only if there is no such grammar.
    """
    path = locate(name_or_path)
    if path is None:
        raise GrammarError(_unknown(name_or_path))
    place = Place()
    layers = read_layers(path.resolve(), place)
    grammar = build(layers, place)
    return grammar, place.faults, [layer.path.parent for layer in layers]


def _unknown(name_or_path: str | Path) -> str:
    hint = nearest(str(name_or_path), known_names())
    known = ", ".join(known_names())
    return (
        f"no grammar {str(name_or_path)!r}{hint.partition(';')[0]}: give a folder "
        f"with a grammar.toml, a TOML file, or one of: {known}"
    )
