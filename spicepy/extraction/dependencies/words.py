"""The word lists that shape dependency graphs, as one value.

In: a grammar's named lists (`grammars/spice-1.0/dependencies.toml`). Out: a
`DependencyWords`, the only part of a grammar that `collapse` and `enhance` depend on.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from spicepy.common.errors import GrammarError

Words = tuple[str, ...]

NAMES = (
    "prepositions-three-words",
    "prepositions-flat",
    "prepositions-headed",
    "conjunctions-additive",
    "conjunctions-negative",
    "quantities-determined",
    "quantities-bare",
    "quantities-partitive",
    "pronouns-singular",
)
"""The lists a grammar must have for its dependency graphs."""


@dataclass(frozen=True, slots=True)
class DependencyWords:
    """The lists ready for look-up; expressions are split at blanks.

    `triggers` holds each word that can start a preposition of several words:
    captions without any need no further look.
    """

    three_words: frozenset[Words]
    flat: frozenset[Words]
    headed: frozenset[Words]
    conjunctions: Mapping[str, str]
    determined: frozenset[str]
    bare: frozenset[str]
    partitive: frozenset[str]
    singular: frozenset[str]
    triggers: frozenset[str]

    @classmethod
    def from_lists(cls, lists: Mapping[str, Iterable[str]]) -> "DependencyWords":
        """Build the value from a grammar's named lists.

        Args:
            lists: List name → words; other names than `NAMES` are ignored.

        Raises:
            GrammarError: A list of `NAMES` is missing.
        """
        if missing := [name for name in NAMES if name not in lists]:
            raise GrammarError(
                f"the grammar lacks the word list {missing[0]!r}, which its "
                f"dependency graphs need; it has: {', '.join(sorted(lists))}"
            )
        three, flat, headed = (_split(lists[name]) for name in NAMES[:3])
        determined, bare, partitive, singular = (
            frozenset(lists[name]) for name in NAMES[5:]
        )
        names = dict.fromkeys(lists[NAMES[3]], "and")
        names |= dict.fromkeys(lists[NAMES[4]], "negcc")
        return cls(
            three_words=three,
            flat=flat,
            headed=headed,
            conjunctions={words.replace(" ", "_"): to for words, to in names.items()},
            determined=determined,
            bare=bare,
            partitive=partitive,
            singular=singular,
            triggers=frozenset(words[0] for words in three | flat | headed),
        )


def _split(expressions: Iterable[str]) -> frozenset[Words]:
    return frozenset(tuple(expression.split()) for expression in expressions)
