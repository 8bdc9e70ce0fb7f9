"""From the tables of a grammar's files to a `Grammar`.

In: `Layer` values. Out: a `Grammar`, unusable where faults were found; every
fault of form, word list, class and link goes to the list given. Cards are read
by `grammar.rules`.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from spicepy.common.errors import GrammarError, nearest
from spicepy.common.shipped import folder
from spicepy.grammar.cards import LabelPattern
from spicepy.grammar.categories import Category, read_category, unique_names
from spicepy.grammar.digest import digest
from spicepy.grammar.files import (
    HEADER,
    SECTIONS,
    Fault,
    Layer,
    Table,
    read_bytes,
    read_table,
)
from spicepy.grammar.forms import read_form
from spicepy.grammar.rules import Context, read_rule
from spicepy.grammar.turns import read_turn
from spicepy.grammar.values import Grammar

PENN_TAGS = frozenset(
    """
    CC CD DT EX FW IN JJ JJR JJS LS MD NN NNS NNP NNPS PDT POS PRP PRP$ RB RBR RBS
    RP SYM TO UH VB VBD VBG VBN VBP VBZ WDT WP WP$ WRB
    """.split()  # noqa: SIM905 (a table of tags reads better as one text)
)
CARDS = ("rules", "turns", "notes", "forms")
_LINK_KEYS = ("label", "except", "silent", "to", "having")


@dataclass
class _Gathered:
    """The tables of all layers by name, later layers over earlier ones."""

    rules: dict[str, tuple[str, Table]] = field(default_factory=dict)
    turns: dict[str, tuple[str, Table]] = field(default_factory=dict)
    notes: dict[str, tuple[str, Table]] = field(default_factory=dict)
    forms: dict[str, tuple[str, Table]] = field(default_factory=dict)
    lists: dict[str, tuple[str, Any]] = field(default_factory=dict)
    tags: dict[str, tuple[str, Any]] = field(default_factory=dict)
    links: dict[str, tuple[str, Any]] = field(default_factory=dict)
    categories: dict[str, tuple[str, Table]] = field(default_factory=dict)


def build(layers: Sequence[Layer], faults: list[Fault]) -> Grammar:
    """Put a grammar together, noting every fault on the way."""
    tables = _Gathered()
    for layer in layers:
        _check_header(layer, faults)
        _gather(layer, tables, faults)
    header: Table = {}
    for layer in layers:
        header |= layer.header
    context = Context(
        labels=_label_names(header, layers[-1].path.name, faults),
        tags={n: _tags(n, *found, faults) for n, found in tables.tags.items()},
        links={n: _link(n, *found, faults) for n, found in tables.links.items()},
        lists={n: _words(n, *found, faults) for n, found in tables.lists.items()},
        penn=PENN_TAGS,
        faults=faults,
    )
    for name, (file, _) in tables.links.items():
        for pattern in context.links[name]:
            context.check_pattern(pattern, file)
    rules = [read_rule(file, table, context) for file, table in tables.rules.values()]
    if not rules and not faults:
        faults.append(Fault(layers[-1].path.name, "", "G104", "no [[rule]] found"))
    turns = [read_turn(file, table, context) for file, table in tables.turns.values()]
    notes = [read_rule(file, table, context) for file, table in tables.notes.values()]
    forms = [read_form(file, table, context) for file, table in tables.forms.values()]
    categories = _categories(tables, context)
    found = Grammar(
        name=str(header.get("name", "")),
        version=str(header.get("version", "")),
        description=str(header.get("description", "")),
        labels=str(header.get("labels", "")),
        digest="",
        rules=tuple(rules),
        lists=context.lists,
        categories=categories,
        tags=context.tags,
        links=context.links,
        parser=str(header.get("parser", "")),
        turns=tuple(turns),
        notes=tuple(notes),
        forms=tuple(forms),
    )
    return found if faults else replace(found, digest=digest(found))


def _check_header(layer: Layer, faults: list[Fault]) -> None:
    """Name and version must be there; other keys must be known."""
    header, file = layer.header, layer.path.name
    if not header:
        return  # unreadable, which is noted already
    for key in ("name", "version"):
        if not isinstance(header.get(key), str) or not header[key].strip():
            faults.append(Fault(file, "", "G104", f"missing text for {key!r}"))
    for key in ("description", "labels", "extends", "parser"):
        if key in header and not isinstance(header[key], str):
            faults.append(Fault(file, "", "G105", f"{key!r} must be a text"))
    for name, table in layer.files:
        for key in table:
            if key not in SECTIONS:
                hint = nearest(key, (*SECTIONS, *HEADER))
                faults.append(Fault(name, "", "G103", f"unknown key {key!r}{hint}"))


def _gather(layer: Layer, tables: _Gathered, faults: list[Fault]) -> None:
    """Add a layer's tables; a name used twice in one layer is a fault."""
    seen: set[tuple[str, str]] = set()

    def put(kind: str, name: str, file: str, value: Any) -> None:
        rule = name if kind in CARDS else ""
        key = ("card" if rule else kind, name)  # an id names one card of any kind
        if key in seen:
            faults.append(Fault(file, rule, "G106", f"{name!r} is defined twice"))
        seen.add(key)
        getattr(tables, kind)[name] = (file, value)

    _drop(layer, tables, faults)
    for file, table in layer.files:
        for key in ("lists", "tags", "links"):
            for name, value in _named(table, key, file, faults):
                put(key, name, file, value)
        for kind in ("rule", "turn", "note", "form"):
            for name, card in _cards(table, kind, "id", file, faults):
                put(f"{kind}s", name, file, card)
        for name, card in _cards(table, "category", "name", file, faults):
            put("categories", name, file, card)


def _named(
    table: Table, key: str, file: str, faults: list[Fault]
) -> list[tuple[str, Any]]:
    """The entries of a section such as [lists]."""
    section = table.get(key, {})
    if isinstance(section, dict):
        return list(section.items())
    faults.append(Fault(file, "", "G105", f"[{key}] must be a table"))
    return []


def _cards(
    table: Table, key: str, name: str, file: str, faults: list[Fault]
) -> list[tuple[str, Table]]:
    """The tables of a section such as [[rule]], with their names."""
    section = table.get(key, [])
    if not isinstance(section, list) or any(not isinstance(c, dict) for c in section):
        faults.append(Fault(file, "", "G105", f"write [[{key}]], not [{key}]"))
        return []
    found = []
    for number, card in enumerate(section, 1):
        if isinstance(card.get(name), str) and card[name]:
            found.append((card[name], card))
        else:
            text = f"[[{key}]] number {number} has no {name!r}"
            faults.append(Fault(file, "", "G104", text))
    return found


def _drop(layer: Layer, tables: _Gathered, faults: list[Fault]) -> None:
    """Take out the cards of the extended grammar that this one drops."""
    names = layer.header.get("drop", [])
    kinds = [getattr(tables, kind) for kind in CARDS]
    for name in names if isinstance(names, list) else [names]:
        if not any(name in cards for cards in kinds):
            text = f"cannot drop rule {name!r}{nearest(str(name), tables.rules)}"
            faults.append(Fault(layer.path.name, "", "G108", text))
        for cards in kinds:
            cards.pop(name, None)


def _label_names(header: Table, file: str, faults: list[Fault]) -> frozenset[str]:
    """The labels of the scheme the grammar names; empty if none is known."""
    scheme = header.get("labels")
    path = folder() / "labels" / f"{scheme}.toml"
    if not header:
        return frozenset()
    if not isinstance(scheme, str):
        faults.append(Fault(file, "", "G104", "missing text for 'labels'"))
        return frozenset()
    if not path.is_file():
        hint = nearest(scheme, (p.stem for p in path.parent.glob("*.toml")))
        faults.append(Fault(file, "", "G107", f"unknown labels {scheme!r}{hint}"))
        return frozenset()
    data = read_bytes(path, path.name, faults)
    return frozenset(read_table(data, path.name, faults).get("labels", {}))


def _texts(value: object) -> list[str] | None:
    if isinstance(value, list) and all(isinstance(v, str) for v in value):
        return value
    return None


def _words(name: str, file: str, value: Any, faults: list[Fault]) -> tuple[str, ...]:
    """Read one word list."""
    table = value if isinstance(value, dict) else {}
    words = _texts(table.get("words"))
    if words is None:
        text = f'list {name!r} needs words = ["…"]'
        faults.append(Fault(file, "", "G105", text))
        return ()
    if not words:
        faults.append(Fault(file, "", "G303", f"list {name!r} is empty"))
    if not isinstance(table.get("source"), str) or not table["source"].strip():
        faults.append(Fault(file, "", "G304", f"list {name!r} names no source"))
    for key in set(table) - {"words", "source", "why"}:
        hint = nearest(key, ("words", "source", "why"))
        text = f"unknown key {key!r} in list {name!r}{hint}"
        faults.append(Fault(file, "", "G103", text))
    return tuple(words)


def _tags(name: str, file: str, value: Any, faults: list[Fault]) -> tuple[str, ...]:
    """Read one class of tags."""
    tags = _texts(value)
    if not tags:
        text = f"tag class {name!r} must be a list of tags"
        faults.append(Fault(file, "", "G105", text))
        return ()
    for tag in tags:
        if tag not in PENN_TAGS:
            text = f"unknown tag {tag!r} in {name!r}{nearest(tag, PENN_TAGS)}"
            faults.append(Fault(file, "", "G305", text))
    return tuple(tags)


def _link(
    name: str, file: str, value: Any, faults: list[Fault]
) -> tuple[LabelPattern, ...]:
    """Read one class of edges."""
    table = value if isinstance(value, dict) else {}
    items = table.get("any")
    if not name.isupper():
        faults.append(Fault(file, "", "G105", f"write the link {name!r} in capitals"))
    if not isinstance(items, list) or not items:
        text = f'link {name!r} needs any = [{{ label = "…" }}]'
        faults.append(Fault(file, "", "G105", text))
        return ()
    patterns = []
    for item in items:
        wrong = set(item) - set(_LINK_KEYS) if isinstance(item, dict) else {str(item)}
        for key in wrong:
            text = f"unknown key {key!r} in link {name!r}{nearest(key, _LINK_KEYS)}"
            faults.append(Fault(file, "", "G103", text))
        if wrong or not isinstance(item.get("label"), str):
            if not wrong:
                text = f"a part of link {name!r} has no 'label'"
                faults.append(Fault(file, "", "G104", text))
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


def _categories(tables: _Gathered, context: Context) -> tuple[Category, ...]:
    """Read the categories, `@list` looked up."""
    categories = []
    for name, (file, card) in tables.categories.items():
        table = dict(card)
        words = table.get("words")
        if isinstance(words, str):
            listed = words.removeprefix("@")
            if not words.startswith("@") or listed not in context.lists:
                text = f"category {name!r}: unknown list {words!r}"
                text += nearest(words, (f"@{known}" for known in context.lists))
                context.faults.append(Fault(file, "", "G302", text))
                continue
            table["words"] = list(context.lists[listed])
        try:
            categories.append(read_category(table))
        except GrammarError as error:
            context.faults.append(Fault(file, "", "G105", str(error)))
    try:
        return unique_names(categories)
    except GrammarError as error:
        context.faults.append(Fault("categories", "", "G106", str(error)))
        return tuple(categories)
