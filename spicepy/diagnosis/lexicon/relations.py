"""Relations: which hold both ways, which tie someone to a garment or a limb.

In: the tables `symmetric` and `belonging` of `grammars/diagnosis.toml`. Out:
`Relations`.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Relations:
    """Relations between things.

    Attributes:
        symmetric: Relations that hold both ways: "near".
        after_verbs: Ends of others that do: "park next to".
        belonging: Relations of someone to a garment or a part of the body.
    """

    symmetric: frozenset[str]
    after_verbs: tuple[str, ...]
    belonging: frozenset[str]

    def is_symmetric(self, how: str) -> bool:
        """Return whether a relation holds both ways: "near", "park next to"."""
        after_verb = any(how.endswith(f" {p}") for p in self.after_verbs)
        return how in self.symmetric or after_verb
