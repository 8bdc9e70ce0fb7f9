"""The language of rule cards: from the text of a card to typed values.

The strings of a card ("verb -nsubj-> subj:NOUN", "(subj, verb how, obj)") become
`Clause`, `Pattern` and `Emission` values with names still unresolved; a text that
cannot be read raises `CardError`. `grammars/README.md` describes the language.
"""

import re
from dataclasses import dataclass, field
from fnmatch import fnmatchcase

_NODE = r"(?:\w+)(?::@?[\w-]+)?"
_CLAUSE = re.compile(
    rf"(?P<mode>[?*] )?(?P<head>{_NODE})"
    rf"(?: -(?P<label>[^\s=>]+?)(?:=(?P<bind>\w+))?-> (?P<dependent>{_NODE}))?"
)
_MODES = {None: "each", "? ": "first", "* ": "all"}
_PART = re.compile(r"'(?P<literal>[^']*)'|(?P<name>\w+)(?P<text>\.text)?")
_CONDITIONS = (
    (re.compile(r"(?P<a>\w+) < (?P<b>\w+)"), "before"),
    (re.compile(r"(?P<a>\w+) (?P<b>!?(?:lemma|text|tag):\S+)"), "word"),
    (re.compile(r"no (?P<a>\w+)(?P<b>)"), "absent"),
    (re.compile(r"(?P<a>\w+)(?P<b>)"), "present"),
)


class CardError(ValueError):
    """A text on a card cannot be read; the message says what was expected."""


@dataclass(frozen=True, slots=True)
class NodePattern:
    """A token of a pattern: its name (`_` any, `ROOT`), and its class or `@`list."""

    name: str
    tags: str = ""

    def __str__(self) -> str:
        return f"{self.name}:{self.tags}" if self.tags else self.name

    @property
    def listed(self) -> bool:
        """Whether the class is a word list."""
        return self.tags.startswith("@")


@dataclass(frozen=True, slots=True)
class Clause:
    """One edge of a pattern, or a lone node (then `label` is empty)."""

    # `mode` is "each" (all combinations), "first" or "all" (optional edges); `bind`
    # names the word that stands in the label (nmod:on → "on").

    head: NodePattern
    label: str = ""
    dependent: NodePattern = field(default=NodePattern("_"))
    bind: str = ""
    mode: str = "each"
    text: str = field(default="", compare=False, repr=False)

    def __str__(self) -> str:
        """Return "? verb -nmod:*=how-> obj:NOUN" or "noun:NOUN"."""
        if not self.label:
            return str(self.head)
        bind = f"={self.bind}" if self.bind else ""
        mark = {"each": "", "first": "? ", "all": "* "}[self.mode]
        return f"{mark}{self.head} -{self.label}{bind}-> {self.dependent}"


@dataclass(frozen=True, slots=True)
class Condition:
    """A test on an emission: `kind` present, absent, before or word."""

    kind: str
    node: str
    other: str = ""


@dataclass(frozen=True, slots=True)
class WordTest:
    """A test on one token: `attribute` lemma, text or tag; a list has `@`."""

    attribute: str
    values: tuple[str, ...]
    negated: bool = False

    def __str__(self) -> str:
        return f"{'!' * self.negated}{self.attribute}:{'|'.join(self.values)}"


@dataclass(frozen=True, slots=True)
class Part:
    """A piece of a member: a node's lemma or text, a bound word, or a literal."""

    name: str = ""
    literal: str = ""
    surface: bool = False


@dataclass(frozen=True, slots=True)
class Emission:
    """A tuple to make: its members, each of parts, and when it is made."""

    members: tuple[tuple[Part, ...], ...]
    conditions: tuple[Condition, ...] = ()
    text: str = field(default="", compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class LabelPattern:
    """One kind of edge in a link: its label, excluded labels and its dependent."""

    # `*` in `label` stands for any text, `?` for one letter. A bound name gets the text
    # of `*`, unless that is in `silent`. `to` is a class of tags for the dependent,
    # `having` a label the dependent must govern.

    label: str
    excluded: tuple[str, ...] = ()
    silent: tuple[str, ...] = ()
    to: str = ""
    having: str = ""

    def bound(self, label: str) -> str | None:
        """Return the word `label` carries ("" if none); None if it does not match."""
        if "*" not in self.label and "?" not in self.label and label != self.label:
            return None
        if not fnmatchcase(label, self.label):
            return None
        if any(fnmatchcase(label, pattern) for pattern in self.excluded):
            return None
        stem, star, _ = self.label.partition("*")
        word = label[len(stem) :] if star else ""
        return "" if word in self.silent else word.replace("_", " ")


@dataclass(frozen=True, slots=True)
class Example:
    """A caption and the tuples one rule must make of it, as printed members."""

    caption: str
    tuples: tuple[tuple[str, ...], ...]

    def __str__(self) -> str:
        shown = " ".join(f"({', '.join(members)})" for members in self.tuples)
        return f"{self.caption} => {shown}"


Pattern = tuple[tuple[bool, Clause], ...]
"""Clauses that must hold together; True marks one that must not hold."""


def read_clause(text: str) -> Clause:
    """Read "verb -nsubj-> subj:NOUN", "? verb -aux-> aux" or "noun:NOUN"."""
    match = _CLAUSE.fullmatch(text.strip())
    if not match or (match["mode"] and not match["label"]):
        raise CardError("expected 'head -label-> dependent' or 'node:TAGS'")
    return Clause(
        head=_node(match["head"]),
        label=match["label"] or "",
        dependent=_node(match["dependent"] or "_"),
        bind=match["bind"] or "",
        mode=_MODES[match["mode"]],
        text=text,
    )


def read_pattern(text: str) -> Pattern:
    """Read clauses joined by `&`, each with `no` in front if it must not hold."""
    pattern = []
    for piece in text.split("&"):
        bare = piece.strip()
        negated = bare.startswith("no ")
        clause = read_clause(bare.removeprefix("no "))
        if clause.mode != "each":
            raise CardError("an optional edge belongs in 'match'")
        if not clause.label:
            raise CardError("expected 'head -label-> dependent'")
        pattern.append((negated, clause))
    return tuple(pattern)


def read_emission(text: str) -> Emission:
    """Read "(subj, verb prt.text how, obj) if prt, verb !lemma:be"."""
    body, separator, tests = text.strip().partition(") if ")
    if not separator:
        body = body.removesuffix(")")
    if not body.startswith("(") or (not separator and not text.strip().endswith(")")):
        raise CardError("expected '(member, …)', perhaps followed by 'if …'")
    members = tuple(_member(piece) for piece in body[1:].split(","))
    if len(members) > 3:
        raise CardError("a tuple has one, two or three members")
    conditions = tuple(_condition(piece) for piece in tests.split(",") if separator)
    return Emission(members, conditions, text)


def read_word_test(text: str) -> WordTest:
    """Read "lemma:be", "!lemma:be|have", "tag:WDT|WP" or "lemma:@colors"."""
    attribute, colon, values = text.removeprefix("!").partition(":")
    if not colon or not values:
        raise CardError("expected 'lemma:word', 'text:word' or 'tag:TAG'")
    return WordTest(attribute, tuple(values.split("|")), text.startswith("!"))


def read_example(text: str) -> Example:
    """Read "a man sits => (man, sit)"."""
    caption, arrow, tuples = text.partition("=>")
    written = re.findall(r"\(([^()]+)\)", tuples)
    leftover = re.sub(r"\([^()]+\)", "", tuples).strip()
    if not arrow or not written or leftover or not caption.strip():
        raise CardError("expected 'caption => (member, …) (member, …)'")
    split = tuple(tuple(m.strip() for m in piece.split(",")) for piece in written)
    return Example(" ".join(caption.split()), split)


def _node(text: str) -> NodePattern:
    name, _, tags = text.partition(":")
    return NodePattern(name, tags)


def _member(text: str) -> tuple[Part, ...]:
    parts = []
    for token in re.findall(r"'[^']*'|\S+", text):
        match = _PART.fullmatch(token)
        if not match:
            raise CardError(f"cannot read the member part {token!r}")
        surface = match["text"] is not None
        parts.append(Part(match["name"] or "", match["literal"] or "", surface))
    if not parts:
        raise CardError("a member is empty")
    return tuple(parts)


def _condition(text: str) -> Condition:
    for expression, kind in _CONDITIONS:
        match = expression.fullmatch(text.strip())
        if match:
            return Condition(kind, match["a"], match["b"])
    raise CardError(f"cannot read the condition {text.strip()!r}")
