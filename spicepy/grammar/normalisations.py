"""Normalisation rules: cards that give tuples of the same meaning the same form.

In: a table of a grammar file. Out: a `Normalisation`; faults are noted.
`spicepy.extraction.normalising` runs them.
"""

from typing import Any

from spicepy.common.errors import nearest
from spicepy.grammar.cards import Example, WordTest, read_example, read_word_test
from spicepy.grammar.faults import Place
from spicepy.grammar.files import TomlTable
from spicepy.grammar.names import DefinedNames
from spicepy.grammar.values import Normalisation

MEMBERS = {
    "relation": ("subject", "relation", "object"),
    "attribute": ("object", "attribute"),
    "object": ("object",),
}
"""The kinds of tuples that a card may look at, and the members of each."""
_KEYS: dict[str, Any] = {
    **dict.fromkeys(("id", "why", "source"), str),
    **dict.fromkeys(MEMBERS, (list, dict)),
    "where": dict,
    "becomes": (str, list),
    "same": bool,
    "several": bool,
    "drop": bool,
    "head": bool,
    "example": list,
    "reject": list,
}
Members = tuple[str, ...]


def read_normalisation(
    table: TomlTable, names: DefinedNames, place: Place
) -> Normalisation:
    """Read one normalisation rule; faulty parts are left out and noted."""
    _check_keys(table, place)
    member = next((name for name in MEMBERS if table.get(name)), "relation")
    forms = table.get(member, {})
    becomes = _becomes(table.get("becomes", []))
    if isinstance(forms, list):
        forms = dict.fromkeys(forms, "")
        if not becomes and not table.get("drop") and not table.get("head"):
            place.note("G104", "missing 'becomes'")
    return Normalisation(
        id=str(table["id"]),
        why=str(table.get("why", "")),
        source=str(table.get("source", "")),
        file=place.file,
        member=member,
        forms=tuple((str(a), str(b)) for a, b in forms.items()),
        where=_where(table.get("where", {}), MEMBERS[member], names, place),
        becomes=becomes,
        same=bool(table.get("same", False)),
        several=bool(table.get("several", False)),
        drop=bool(table.get("drop", False)),
        head=bool(table.get("head", False)),
        examples=_examples(table.get("example", ()), place),
        rejects=tuple(read_members(str(text)) for text in table.get("reject", ())),
    )


def _check_keys(table: TomlTable, place: Place) -> None:
    for key, value in table.items():
        if key not in _KEYS:
            place.note("G103", f"unknown key {key!r}{nearest(key, _KEYS)}")
        elif not isinstance(value, _KEYS[key]):
            place.note("G105", f"{key!r} has the wrong form: {value!r}")
    chosen = [member for member in MEMBERS if table.get(member)]
    if len(chosen) != 1 or not table.get("why"):
        place.note("G104", f"needs 'why' and one of {', '.join(MEMBERS)}")
    if not table.get("example"):
        place.note("G401", "has no example")


def _examples(
    texts: Any, place: Place
) -> tuple[tuple[Members, tuple[Members, ...]], ...]:
    examples = []
    for text in texts:
        try:
            example = _example(str(text))
            examples.append((read_members(example.caption), example.tuples))
        except ValueError as error:
            place.note("G405", f'cannot read "{text}": {error}')
    return tuple(examples)


def _example(text: str) -> Example:
    """Read "(tuple) => (tuple) …", or "(tuple) =>" where nothing is left."""
    given, _, made = text.partition("=>")
    return read_example(text) if made.strip() else Example(given.strip(), ())


def read_members(text: str) -> Members:
    """Read "(man, in, shirt)"."""
    return tuple(part.strip() for part in text.strip().strip("()").split(","))


def _becomes(value: Any) -> tuple[Members, ...]:
    texts = [value] if isinstance(value, str) else value
    return tuple(read_members(str(text)) for text in texts)


def _where(
    table: Any, members: Members, names: DefinedNames, place: Place
) -> tuple[tuple[str, WordTest], ...]:
    tests = []
    for name, text in table.items() if isinstance(table, dict) else ():
        if name not in members:
            place.note("G203", f"{name!r} is no member; known: {', '.join(members)}")
            continue
        for part in str(text).split(","):
            try:
                test = read_word_test(part.strip())
            except ValueError as error:
                place.note("G301", f'cannot read "{text}": {error}')
                continue
            if test.attribute != "lemma":
                place.note("G301", f'"{text}": only lemma: can be tested here')
            for value in test.values:
                names.check_list(value, str(text), place)
            tests.append((name, test))
    return tuple(tests)
