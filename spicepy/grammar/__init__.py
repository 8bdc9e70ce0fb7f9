"""Grammars: rule cards, word lists and categories as data, read and checked.

In: a folder or file of TOML (see `grammars/README.md`). Out: a frozen `Grammar`.
"""

from spicepy.grammar.faults import Fault
from spicepy.grammar.files import known_names
from spicepy.grammar.loading import CODES, load_grammar, read_grammar
from spicepy.grammar.values import Grammar, Rule

__all__ = [
    "CODES",
    "Fault",
    "Grammar",
    "Rule",
    "known_names",
    "load_grammar",
    "read_grammar",
]
