"""Faults of a grammar, and the place where they are found.

In: a code and a message. Out: `Fault` values, gathered while a grammar is read,
so that one check reports all of them.
"""

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing wrong with a grammar."""

    file: str
    rule: str
    code: str
    message: str

    def __str__(self) -> str:
        rule = f', rule "{_short(self.rule, 100)}"' if self.rule else ""
        return f"{self.file}{rule}: {self.code} {_short(self.message, 600)}"


def _short(text: str, limit: int) -> str:
    return text if len(text) <= limit else text[: limit - 1] + "…"


@dataclass(frozen=True, slots=True)
class Place:
    """A file of a grammar, perhaps a card in it, where faults are noted.

    All places of one grammar share one list of `faults`.

    Example:
        >>> place = Place("words.toml")
        >>> place.card("plural").note("G104", "missing 'why'")
        >>> print(*place.faults)
        words.toml, rule "plural": G104 missing 'why'
    """

    file: str = ""
    rule: str = ""
    faults: list[Fault] = field(default_factory=list)

    def note(self, code: str, message: str) -> None:
        """Note that something is wrong here; `grammar.CODES` has the codes."""
        self.faults.append(Fault(self.file, self.rule, code, message))

    def at(self, file: str) -> "Place":
        """Return the same list of faults, for another file."""
        return Place(file, "", self.faults)

    def card(self, rule: str) -> "Place":
        """Return the same list of faults, for a card of this file."""
        return Place(self.file, rule, self.faults)
