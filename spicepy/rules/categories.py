"""Categories: sets of tuples about colours, counts, sizes and so on.

In: tables from a TOML file, members of tuples. Out: `Category` values, and whether a
tuple belongs to one. Objects, attributes and relations are categories without words;
the others test one member of the tuple (the object, the attribute or the relation)
against a list of words.

Published SPICE tests the member as it is printed. A member merged from several
words prints as "gray/grey" and is in no list, so it leaves the category
(`match = "printed"`). `match = "any"` asks whether any of its words is listed.

Source: Anderson et al. 2016, SPICE, section 4 (the categories of Table 2).
"""

import hashlib
import json
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from os.path import isfile
from pathlib import Path
from typing import Any, Literal, get_args

from spicepy.common.errors import GrammarError, InputError, brief, nearest
from spicepy.common.files import read_text
from spicepy.common.resources import folder

MatchMode = Literal["printed", "any"]
MEMBER = {1: 0, 2: 1, 3: 1}
"""The member tested, by length: (object), (…, attribute), (…, relation, …)."""

_KEYS = ("name", "length", "words", "match", "digits", "source", "why")


@dataclass(frozen=True, slots=True)
class Category:
    """A named set of tuples.

    Attributes:
        name: As reported: "Color".
        length: 1 objects, 2 attributes, 3 relations.
        words: The words that belong; None for all tuples of this length.
        match: "printed" tests the whole printed member, "any" each word of it.
        digits: Whether a string of digits belongs, too.
    """

    name: str
    length: int
    words: frozenset[str] | None = None
    match: MatchMode = "printed"
    digits: bool = False

    def has(self, words: Sequence[str]) -> bool:
        """Return whether a member with these (merged) words belongs."""
        if self.words is None:
            return True
        if self.match == "any":
            return any(self._lists(word) for word in words)
        return len(words) == 1 and self._lists(words[0])

    def _lists(self, word: str) -> bool:
        listed = self.words is not None and word in self.words
        return listed or (self.digits and word.isascii() and word.isdecimal())


BASIC = (
    Category("Object", 1),
    Category("Attribute", 2),
    Category("Relation", 3),
)
"""The categories every grammar has."""


def read_categories(name_or_path: str | Path) -> list[Category]:
    """Read further categories from a TOML file of `[[category]]` tables.

    Args:
        name_or_path: A file, or the name of a shipped one ("extended", see
            `grammars/categories/`).

    Raises:
        InputError: There is no such file or name, or it cannot be read.
        GrammarError: A category is wrong; every fault is named.
    """
    path = _locate(str(name_or_path))
    text = read_text(path)
    try:
        data = tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path}: not valid TOML: {error}") from None
    if unknown := sorted(set(data) - {"category"}):
        hint = "; did you mean [[category]]?" if len(data) == 1 else ""
        raise GrammarError(f"{path}: unknown key {', '.join(unknown)[:200]}{hint}")
    tables = data.get("category")
    if not isinstance(tables, list) or not all(isinstance(t, dict) for t in tables):
        raise GrammarError(f"{path}: no [[category]] tables")
    categories, faults = [], []
    for table in tables:
        try:
            categories.append(read_category(table, f"{path}: category"))
        except GrammarError as error:
            faults.append(str(error))
    if faults:
        raise GrammarError("\n".join(faults))
    return categories


def canonical_categories(categories: Iterable[Category]) -> list[dict[str, Any]]:
    """Return categories as JSON with all that can change a score, sorted by name.

    This form is hashed for signatures: a change of it changes them all.

    Example:
        >>> canonical_categories([Category("Pet", 1, frozenset({"dog", "cat"}))])
        [{'name': 'Pet', 'length': 1, 'words': ['cat', 'dog'], 'match': 'printed', \
'digits': False}]
    """
    return [
        {
            "name": category.name,
            "length": category.length,
            "words": None if category.words is None else sorted(category.words),
            "match": category.match,
            "digits": category.digits,
        }
        for category in sorted(categories, key=lambda category: category.name)
    ]


def categories_digest(categories: Iterable[Category]) -> str:
    """Return a digest of eight hexadecimal digits; the order of categories is ignored.

    The first of the SHA-256 of "spicepy-categories-1", a line feed, and
    `canonical_categories` as JSON: keys sorted, no blanks, ASCII.
    """
    text = json.dumps(
        canonical_categories(categories), sort_keys=True, separators=(",", ":")
    )
    hashed = hashlib.sha256(f"spicepy-categories-1\n{text}".encode())
    return hashed.hexdigest()[:8]


def _locate(name: str) -> Path:
    if isfile(name):
        return Path(name)
    shipped = folder() / "categories" / f"{name}.toml"
    if isfile(shipped) and Path(name).name == name:
        return shipped
    known = sorted(path.stem for path in shipped.parent.glob("*.toml"))
    raise InputError(
        f"no categories {brief(name)}: no such file, and no shipped file of this name"
        f"{nearest(name, known)}"
    )


def read_category(table: Mapping[str, Any], where: str = "category") -> Category:
    """Build a category from a TOML table.

    Args:
        table: `name`, `length` (1-3), `words`; optional `match` ("printed" or
            "any"), `digits` (true or false), and for people `source`, `why`.
        where: File and place, for messages.

    Raises:
        GrammarError: Naming every fault of the table.
    """
    faults = []
    name = table.get("name")
    if not isinstance(name, str) or not name.strip():
        faults.append(f"name is {brief(name)}: give a text such as 'Color'")
    if unknown := sorted(set(table).difference(_KEYS)):
        faults.append(f"unknown key {', '.join(unknown)[:200]}: use {', '.join(_KEYS)}")
    length = table.get("length")
    if length not in (1, 2, 3) or isinstance(length, bool):
        faults.append(f"length is {brief(length)}: give 1, 2 or 3")
    words = table.get("words")
    if not isinstance(words, list) or not words:
        faults.append("words is missing or empty: list at least one word")
    elif wrong := [word for word in words if not _is_word(word)]:
        faults.append(f"words has {brief(wrong[0])}: give lower-case lemmas")
    match = table.get("match", "printed")
    if match not in get_args(MatchMode):
        faults.append(f"match is {brief(match)}: give 'printed' or 'any'")
    digits = table.get("digits", False)
    if not isinstance(digits, bool):
        faults.append(f"digits is {brief(digits)}: give true or false")
    if faults:
        label = f"{where} {brief(name, 60)}" if isinstance(name, str) else where
        raise GrammarError("\n".join(f"{label}: {fault}" for fault in faults))
    return Category(str(name), int(length or 0), frozenset(words or ()), match, digits)


def _is_word(word: object) -> bool:
    return isinstance(word, str) and bool(word.strip()) and word == word.lower()


def unique_names(categories: Sequence[Category]) -> tuple[Category, ...]:
    """Return the categories, checked to have different names (case ignored).

    Raises:
        GrammarError: If two share a name, or one is called "All".
    """
    seen = {"all"}
    for category in categories:
        if category.name.lower() in seen:
            raise GrammarError(
                f"category {category.name!r}: this name is taken; choose another"
            )
        seen.add(category.name.lower())
    return tuple(categories)
