"""Grammars: rule cards, word lists and categories, read from TOML and checked.

In: the name of a shipped grammar ("spice-1.0"), or the path of a folder with a
`grammar.toml` or of a single TOML file. Out: a frozen `Grammar`, or a
`GrammarError` that lists every fault, each like this:

    relations.toml, rule "clause-object": G202 unknown label 'nsbj' in
    "verb -nsbj-> subj:NOUN"; did you mean 'nsubj'?

The language of the cards is described in `grammars/README.md`, the codes in
`CODES`.
"""

from pathlib import Path
from threading import Lock
from typing import Final

from spicepy.common.data_files import GRAMMAR
from spicepy.common.errors import GrammarError, nearest
from spicepy.common.files import without_digest
from spicepy.grammar.building import build
from spicepy.grammar.faults import Fault, Place
from spicepy.grammar.files import (
    Layer,
    known_names,
    locate,
    read_layers,
    unchanged,
)
from spicepy.grammar.values import Grammar, Normalisation, Rewrite, Rule

__all__ = ["CODES", "Fault", "Grammar", "Normalisation", "Rewrite", "Rule"]
__all__ += ["known_names", "load_grammar", "read_grammar"]

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
    "G203": "a name is used that is never matched, or where it cannot stand",
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
    "G401": "a rule has no example",
    "G402": "an example does not give the tuples it states",
    "G403": "a rejected caption gives tuples",
    "G404": "the caption of an example has no parse",
    "G405": "an example cannot be read",
}
"""The meaning of each code of a fault."""


def load_grammar(name_or_path: str | Path = GRAMMAR) -> Grammar:
    """Read and check a grammar; its examples are left to `spicepy.extraction.examples`.

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
    """Return the grammar at a path, made anew only if one of its files has changed.

    "Changed" means other bytes: times of files are too coarse, and the time of
    a header says nothing of the word lists beside it. One thread makes a
    grammar while others wait for it.
    """
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


def read_grammar(
    name_or_path: str | Path,
) -> tuple[Grammar, list[Fault], list[Path]]:
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
