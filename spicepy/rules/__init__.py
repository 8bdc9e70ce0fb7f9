"""Rules: turn a dependency tree into semantic tuples by the rules of a grammar.

In: a `Parse`, and a folder or file of TOML with rule cards, word lists and categories
(see `grammars/README.md`), which becomes a frozen `Grammar`. Out: `SemanticTuple`s, the
proposals.

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
