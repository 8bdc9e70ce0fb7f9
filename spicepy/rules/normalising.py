"""Normalisation: tuples of a caption that mean the same get the same form.

Each proposal keeps the tuple as the rules made it (`written`), and forms that count
only when tuples are compared (`same`).

    (man, in, shirt)   →  (man, wear, shirt)
    (dog, inside, car) →  (dog, inside, car), which also equals (dog, in, car)
"""

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, Final

from spicepy.common.errors import nearest
from spicepy.common.threads import LRUCache
from spicepy.rules.cards import Example, WordTest, read_example, read_word_test
from spicepy.rules.files import DefinedNames, Place, TomlTable
from spicepy.rules.tuples import SemanticTuple
from spicepy.rules.values import Grammar, Normalisation

# Normalisation rules: cards that give tuples of the same meaning the same form.
#
# `spicepy.rules.normalising` runs them.

MEMBERS = {
    "relation": ("subject", "relation", "object"),
    "attribute": ("object", "attribute"),
    "object": ("object",),
}
"""The kinds of tuples that a card may look at, and the members of each."""
_KEYS: dict[str, Any] = {
    **dict.fromkeys(("id", "why", "source"), str),
    **dict.fromkeys(MEMBERS, (list, dict)),
    "where": dict,
    "becomes": (str, list),
    "same": bool,
    "several": bool,
    "drop": bool,
    "head": bool,
    "example": list,
    "reject": list,
}
Members = tuple[str, ...]


def read_normalisation(
    table: TomlTable, names: DefinedNames, place: Place
) -> Normalisation:
    """Read one normalisation rule; faulty parts are left out and noted."""
    _check_keys(table, place)
    member = next((name for name in MEMBERS if table.get(name)), "relation")
    forms = table.get(member, {})
    made = table.get("becomes", [])
    texts = [made] if isinstance(made, str) else map(str, made)
    becomes = tuple(map(read_members, texts))
    if isinstance(forms, list):
        forms = dict.fromkeys(forms, "")
        if not becomes and not table.get("drop") and not table.get("head"):
            place.note("G104", "missing 'becomes'")
    if member == "object" and (becomes or table.get("same")):
        form = 'object = { puppy = "dog" }'
        place.note("G207", f"an object has no 'becomes' or 'same'; write {form}")
    return Normalisation(
        id=str(table["id"]),
        why=str(table.get("why", "")),
        source=str(table.get("source", "")),
        file=place.file,
        member=member,
        forms=tuple((str(a), str(b)) for a, b in forms.items()),
        where=_where(table.get("where", {}), MEMBERS[member], names, place),
        becomes=becomes,
        same=bool(table.get("same", False)),
        several=bool(table.get("several", False)),
        drop=bool(table.get("drop", False)),
        head=bool(table.get("head", False)),
        examples=_examples(table.get("example", ()), place),
        rejects=tuple(read_members(str(text)) for text in table.get("reject", ())),
    )


def _check_keys(table: TomlTable, place: Place) -> None:
    for key, value in table.items():
        if key not in _KEYS:
            place.note("G103", f"unknown key {key!r}{nearest(key, _KEYS)}")
        elif not isinstance(value, _KEYS[key]):
            place.note("G105", f"{key!r} has the wrong form: {value!r}")
    chosen = [member for member in MEMBERS if table.get(member)]
    if len(chosen) != 1 or not table.get("why"):
        place.note("G104", f"needs 'why' and one of {', '.join(MEMBERS)}")
    if not table.get("example"):
        place.note("G401", "has no example")


def _examples(
    texts: Any, place: Place
) -> tuple[tuple[Members, tuple[Members, ...]], ...]:
    examples = []
    for text in texts:
        try:
            example = _example(str(text))
            examples.append((read_members(example.caption), example.tuples))
        except ValueError as error:
            place.note("G405", f'cannot read "{text}": {error}')
    return tuple(examples)


def _example(text: str) -> Example:
    """Read "(tuple) => (tuple) …", or "(tuple) =>" where nothing is left."""
    given, _, made = text.partition("=>")
    return read_example(text) if made.strip() else Example(given.strip(), ())


def read_members(text: str) -> Members:
    """Read "(man, in, shirt)"."""
    return tuple(part.strip() for part in text.strip().strip("()").split(","))


def _where(
    table: Any, members: Members, names: DefinedNames, place: Place
) -> tuple[tuple[str, WordTest], ...]:
    tests = []
    for name, text in table.items() if isinstance(table, dict) else ():
        if name not in members:
            place.note("G203", f"{name!r} is not a member; known: {', '.join(members)}")
            continue
        for part in str(text).split(","):
            try:
                test = read_word_test(part.strip())
            except ValueError as error:
                place.note("G301", f'cannot read "{text}": {error}')
                continue
            if test.attribute != "lemma":
                place.note("G301", f'"{text}": only lemma: can be tested here')
            for value in test.values:
                names.check_list(value, str(text), place)
            tests.append((name, test))
    return tuple(tests)


Made = list[SemanticTuple]
Run = Callable[[SemanticTuple], Made | None]
Chain = Callable[[SemanticTuple, int], Made]
"""A function of a tuple and the number of the first card: the tuples of all cards."""

Find = Callable[[str], tuple[str, str] | None]
"""Maps a member to the text of `*` and its form; None if no wording fits it."""


def normalise(
    proposals: Sequence[SemanticTuple], grammar: Grammar, sentences: int = 1
) -> list[SemanticTuple]:
    """Give each proposal its normal form; a card may make several of one."""
    # Cards run in order, each on what the one before made; some only for several
    # sentences.
    if not grammar.normalisations:
        return list(proposals)
    several = sentences > 1
    chain = _CHAINS.made((grammar.digest, several), lambda: _chain(grammar, several))
    return [made for tuple_ in proposals for made in chain(tuple_, 0)]


_CHAINS: Final[LRUCache[tuple[str, bool], Chain]] = LRUCache(16)


def _chain(grammar: Grammar, several: bool) -> Chain:
    """Return all cards as one function of a tuple and the first card to apply."""
    forms = [form for form in grammar.normalisations if several or not form.several]
    runs = [compile_normalisation(form, grammar) for form in forms]
    of_names = frozenset(at for at, form in enumerate(forms) if form.head)
    wordings: dict[str, dict[str, set[int]]] = {kind: {} for kind in MEMBERS}
    for at, form in enumerate(forms):
        for wording, _ in form.forms:
            wordings[form.member].setdefault(wording, set()).add(at)

    @lru_cache(maxsize=1 << 16)
    def fitting(kind: str, member: str) -> frozenset[int]:
        words, known = member.split(" "), wordings[kind]
        ends = (" ".join(["*", *words[start:]]) for start in range(len(words)))
        return frozenset().union(*(known.get(w, ()) for w in (member, "*", *ends)))

    @lru_cache(maxsize=1 << 16)
    def applicable(members: tuple[str, ...]) -> tuple[int, ...]:
        kind = "relation" if len(members) > 2 else "attribute"
        objects = (fitting("object", member) for member in members[::2])
        others = (fitting(kind, member) for member in members[1:2])
        some = frozenset().union(*objects, *others)
        if any(" " in name for name in members[::2]):
            some |= of_names
        tuple_ = SemanticTuple(members)
        return tuple(at for at in sorted(some) if runs[at](tuple_) is not None)

    def chain(tuple_: SemanticTuple, start: int) -> Made:
        for at in applicable(tuple_.members):
            if at >= start:
                made = runs[at](tuple_)
                assert made is not None  # the members alone decide
                return [last for one in made for last in chain(one, at + 1)]
        return [tuple_]

    return chain


def compile_normalisation(form: Normalisation, grammar: Grammar) -> Run:
    """Return a card as a function from a tuple to new ones, None if it stays."""
    find = _finder(form.forms)
    names = MEMBERS[form.member]
    tests = [(names.index(name), _test(test, grammar)) for name, test in form.where]
    if form.head:
        return _with_heads([test for _, test in tests])
    if form.member == "object":
        return _on_objects(form, find, [test for _, test in tests])

    def run(tuple_: SemanticTuple) -> Made | None:
        members = tuple_.members
        match = find(members[1]) if len(members) == len(names) else None
        if match is None or not all(test(members[at]) for at, test in tests):
            return None
        return _changed(form, tuple_, *match)

    return run


def _changed(
    form: Normalisation, tuple_: SemanticTuple, star: str, instead: str
) -> Made:
    """Return the tuples that a card makes of one whose middle or last one matches."""
    names, members = MEMBERS[form.member], tuple_.members
    if form.drop:
        return []
    if form.same:
        return [_copied(tuple_, same=(*tuple_.same, instead))]
    if not form.becomes:
        return [_remade(tuple_, (members[0], instead, *members[2:]), names, names)]
    values = dict(zip(names, members)) | {"*": star}
    return [
        _remade(tuple_, tuple(_filled(m, values) for m in wanted), names, wanted)
        for wanted in form.becomes
    ]


def _on_objects(
    form: Normalisation, find: Find, tests: Sequence[Callable[[str], bool]]
) -> Run:
    """Return a card for objects: both ends of a relation, else the first member."""

    def run(tuple_: SemanticTuple) -> Made | None:
        members = list(tuple_.members)
        for at in range(0, len(members), 2):
            match = find(members[at])
            if match is not None and all(test(members[at]) for test in tests):
                if form.drop:
                    return []
                members[at] = match[1]
        if tuple(members) == tuple_.members:
            return None
        return [_remade(tuple_, tuple(members), members, members)]

    return run


def _with_heads(tests: Sequence[Callable[[str], bool]]) -> Run:
    """Return a card for names of several words: each also means its last word."""

    def run(tuple_: SemanticTuple) -> Made | None:
        heads = tuple(
            name.rpartition(" ")[2]
            if " " in name and all(test(name) for test in tests)
            else ""
            for name in tuple_.members[::2]
        )
        return [_copied(tuple_, heads=heads)] if any(heads) else None

    return run


def _finder(forms: Sequence[tuple[str, str]]) -> Find:
    whole = {wording: form for wording, form in forms if not wording.startswith("*")}
    ends = [
        (wording[1:].strip(), form) for wording, form in forms if wording[:1] == "*"
    ]

    @lru_cache(maxsize=8192)
    def find(member: str) -> tuple[str, str] | None:
        if member in whole:
            return "", whole[member]
        for end, form in ends:
            if member == end or not end or member.endswith(f" {end}"):
                star = member.removesuffix(end).strip()
                return star, " ".join(form.replace("*", star).split())
        return None

    return find


def _test(test: WordTest, grammar: Grammar) -> Callable[[str], bool]:
    words = grammar.words(test)

    def holds(member: str) -> bool:
        last = member.rpartition(" ")[2]
        return (member in words or last in words) is not test.negated

    return holds


def _filled(text: str, values: dict[str, str]) -> str:
    return " ".join(values.get(word, word) for word in text.split()).strip()


def _remade(
    tuple_: SemanticTuple,
    members: tuple[str, ...],
    names: Sequence[str],
    wanted: Sequence[str],
) -> SemanticTuple:
    """Return the tuple with new members, which keep the positions of the old ones."""
    tokens = tuple_.tokens
    if len(tokens) == len(tuple_.members):
        place = dict(zip(names, tokens))
        tokens = tuple(place.get(name, tokens[len(tokens) // 2]) for name in wanted)
    written, same = tuple_.written or tuple_.members, tuple_.same
    if len(members) > 1 and members[::2] == tuple_.members[::2]:
        same = (*same, tuple_.members[1])
    return SemanticTuple(
        members, tuple_.rule, tokens, written, same, tuple_.heads, tuple_.mood
    )


def _copied(
    tuple_: SemanticTuple,
    *,
    same: tuple[str, ...] | None = None,
    heads: tuple[str, ...] | None = None,
) -> SemanticTuple:
    """Return the tuple with other wordings or heads; `replace` takes twice as long."""
    return SemanticTuple(
        tuple_.members,
        tuple_.rule,
        tuple_.tokens,
        tuple_.written,
        tuple_.same if same is None else same,
        tuple_.heads if heads is None else heads,
        tuple_.mood,
    )
