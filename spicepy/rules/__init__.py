"""Rules: turn a dependency tree into semantic tuples by the rules of a grammar.

A grammar is a folder or file of TOML (see `grammars/README.md`), read as a frozen
`Grammar`; the tuples that it makes of a tree are the proposals.

    Parse ─ collapse ─▶ prepositions in labels ─ enhance ─▶ DependencyGraph
          ─ rewrite ─▶ the same graph, changed ─ extract ─▶ tuples ─ normalise ─▶ tuples
"""

from spicepy.rules.engine import extract
from spicepy.rules.files import Fault, known_names
from spicepy.rules.loading import CODES, load_grammar, read_grammar
from spicepy.rules.tuples import SemanticTuple
from spicepy.rules.values import Grammar, Rule

__all__ = [
    "CODES",
    "Fault",
    "Grammar",
    "Rule",
    "SemanticTuple",
    "extract",
    "known_names",
    "load_grammar",
    "read_grammar",
]
