"""Build a `Grammar` from the tables of its files.

In: `Layer` values. Out: a `Grammar`, unusable if faults were noted. Cards are
read by `grammar.rules`, `rewrites` and `normalisations`, names by `grammar.names`.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import PurePosixPath
from typing import Any, TypeVar

from spicepy.common.errors import GrammarError, nearest
from spicepy.grammar.canonical import grammar_digest
from spicepy.grammar.categories import Category, read_category, unique_names
from spicepy.grammar.faults import Place
from spicepy.grammar.files import HEADER, SECTIONS, Layer, TomlTable
from spicepy.grammar.names import (
    DefinedNames,
    read_labels,
    read_link,
    read_list,
    read_tags,
    texts,
)
from spicepy.grammar.normalisations import read_normalisation
from spicepy.grammar.rewrites import read_rewrite
from spicepy.grammar.rules import read_rule
from spicepy.grammar.values import Grammar, Rewrite

T = TypeVar("T")
CARDS = ("rule", "rewrite", "annotation", "normalisation")

Gathered = dict[str, dict[str, tuple[Place, Any]]]
"""Section -> name -> the value and its place; later layers over earlier ones."""


def build(layers: Sequence[Layer], place: Place) -> Grammar:
    """Build a grammar, and note every fault."""
    tables: Gathered = {section: {} for section in SECTIONS}
    header: TomlTable = {}
    for layer in layers:
        header |= layer.header
    phases = texts(header.get("phases")) or ()
    for layer in layers:
        _check_header(layer, place.at(layer.path.name))
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
    for key in ("name", "version"):
        if not isinstance(header.get(key), str) or not header[key].strip():
            place.note("G104", f"missing text for {key!r}")
    for key in ("description", "labels", "extends", "parser"):
        if key in header and not isinstance(header[key], str):
            place.note("G105", f"{key!r} must be a text")
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
