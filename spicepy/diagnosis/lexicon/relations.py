"""Relations that are symmetric, and relations to a garment or a part of the body.

In: the tables `symmetric` and `belonging` of `grammars/diagnosis.toml`. Out:
`Relations`.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Relations:
    """Relations between things.

    Attributes:
        symmetric: Relations that hold in both directions: "near".
        after_verbs: Prepositions that make a verb's relation symmetric: "next to" in
            "park next to".
        belonging: Relations of someone to a garment or a part of the body: "wear".
    """

    symmetric: frozenset[str]
    after_verbs: tuple[str, ...]
    belonging: frozenset[str]

    def is_symmetric(self, how: str) -> bool:
        """Return whether a relation is symmetric: "near", "park next to"."""
        after_verb = any(how.endswith(f" {p}") for p in self.after_verbs)
        return how in self.symmetric or after_verb
