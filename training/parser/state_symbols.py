"""Names of a grammar's states in, a symbol for each out: how coarse pictures are drawn.

A state is a tag ("NN^NP"), a phrase ("NP^VP-B": a noun phrase below VP without another
one in it), a half of a rule ("@NP^VP-B| NN^NP_ ... JJ^NP<": head NN, last part JJ) or a
*set*, which stands for many halves and whose name says nothing ("@NodeSet-1727236014").
A set is described by the states that it is made of or becomes.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Callable

import numpy as np

from spicepy.parsing.exact.pcfg import Ints, Pcfg

Name = tuple[object, ...]
SET = "@NodeSet"
ROUNDS = 6
"""How far a set may be from a state whose name says something."""


def category(state: str) -> str:
    """Return the category of a phrase or tag: "NP" of "NP^VP-B"."""
    return state[0] + re.split(r"[\^|\-=#]", state[1:])[0]


def coarse_symbols(grammar: Pcfg) -> Ints:
    """Return some 560 symbols: phrases by what is above them, halves by their heads."""
    return _numbered(_named(grammar, _phrase, _tag, _half))


def fine_symbols(grammar: Pcfg) -> Ints:
    """Return some 3,800 symbols: all phrases, tags and sets, and halves by heads."""
    names: list[Name] = []
    for state in grammar.states:
        if state.startswith("@") and not state.startswith(SET):
            names.append(("@", state[1:].split("|")[0], category(_head(state))))
        else:
            names.append((state,))
    return _numbered(names)


def _numbered(names: list[Name]) -> Ints:
    numbers: dict[Name, int] = {}
    return np.array([numbers.setdefault(n, len(numbers)) for n in names], np.intp)


def _head(half: str) -> str:
    return half.split("| ")[1].split("_")[0]


def _phrase(state: str) -> Name:
    """Return category, what is above a noun phrase or PP, and the form of a verb."""
    own = category(state)
    rest = state[len(own) :]
    found = re.search(r"\^([A-Z]+)", rest)
    above = found.group(1) if found else ""
    marks = set(re.findall(r"-(\w+)", rest))
    if own in ("NP", "NX"):
        known = {"PP": "P", "VP": "V", "NP": "N"}
        group = known.get(above, "S" if above[:1] == "S" else "o")
        return own, group, "".join(sorted(marks & set("BRUP")))
    if own == "VP":
        return own, *(
            form for form in ("VBF", "VB", "VBG", "VBN", "TO") if form in marks
        )
    if own == "PP":
        return own, {"NP": "N", "VP": "V"}.get(above, "o")
    return (own,)


def _tag(state: str) -> Name:
    """Return category and phrase of a tag."""
    own = category(state)
    found = re.search(r"\^([A-Z]+)", state)
    above = found.group(1) if found else ""
    phrases = ("NP", "VP", "PP", "ADVP", "ADJP", "QP")
    name: Name = (own, above if above in phrases else "o")
    if own == "IN":
        name += ("-N" in state,)
    if own == "CC":
        name += ("-C" in state,)
    return name


def _half(state: str) -> Name:
    """Return the phrase of a half, and the kind of its head."""
    phrase = state[1:].split("|")[0]
    name: Name = ("@", *_phrase(phrase))
    if category(phrase) in ("NP", "NX", "VP", "S"):
        head = category(_head(state))
        kinds = {"NP": "N", "NX": "N", "VP": "v"}
        first = {"N": "n", "V": "V"}.get(head[0], "o")
        name += (kinds.get(head, first),)
    return name


def _named(
    grammar: Pcfg,
    phrase: Callable[[str], Name],
    tag: Callable[[str], Name],
    half: Callable[[str], Name],
) -> list[Name]:
    """Return the name of each state's symbol; sets are named by their relatives."""
    states, tags = grammar.states, set(grammar.tags)
    names: dict[int, Name] = {}
    for number, state in enumerate(states):
        if state in tags:
            names[number] = tag(state)
        elif not state.startswith("@"):
            names[number] = phrase(state)
        elif not state.startswith(SET):
            names[number] = half(state)
    for above, below in zip(grammar.above.tolist(), grammar.below.tolist()):
        if states[below].startswith(SET) and not states[above].startswith("@"):
            names[below] = ("whole", *phrase(states[above]))
    relatives = _relatives(grammar)
    sets = [n for n, state in enumerate(states) if state.startswith(SET)]
    for _ in range(ROUNDS):
        for number in [n for n in sets if n not in names]:
            near = [names[n] for n in relatives[number] if n in names]
            if near:
                [(name, _)] = Counter(near).most_common(1)
                names[number] = ("part", *(part for part in name if part != "part"))
    return [names.get(number, ("unknown",)) for number in range(len(states))]


def _relatives(grammar: Pcfg) -> dict[int, set[int]]:
    """Return the halves and sets that each half or set is a part of or consists of."""
    found: dict[int, set[int]] = defaultdict(set)
    columns = grammar.parent.tolist(), grammar.left.tolist(), grammar.right.tolist()
    for parent, *children in zip(*columns):
        for child in children:
            if grammar.states[child].startswith("@"):
                found[parent].add(child)
                found[child].add(parent)
    return found
