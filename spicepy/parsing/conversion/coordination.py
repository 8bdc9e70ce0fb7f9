"""Flat coordinations inside a phrase get phrases for their parts.

`(NP DT JJ CC JJ NN)` becomes `(NP DT (ADJP JJ CC JJ) NN)`: what belongs together can
only be recognised by tags and positions, so this is code, not a table.
"""

from spicepy.parsing.conversion.linked import Linked, adopt, group, replace

EITHER = frozenset({"either", "neither", "both"})


def conjoin(coordinator: Linked) -> None:
    """Group the children of a flat noun phrase around one coordinator.

    Four shapes: "a and b c" (the joined words come first), "the a and b c",
    "a, b and c d", and two whole noun phrases.
    """
    phrase = coordinator.mother
    assert phrase is not None
    s = phrase.children
    at = coordinator.place
    more = next(
        (i for i in range(at + 1, len(s) - 1) if s[i].label.startswith("CC")), None
    )
    if at == 1 and _joined_first(s):
        _group_first(phrase, more)
    elif (
        at == 2
        and s[0].label.startswith("DT")
        and s[1].label != "NNS"
        and 5 in (len(s), more)
    ):
        group(phrase, 1, 4, category(s[1]))
    elif at > 2 and s[at - 2].label == "," and s[at - 1].label != "NNS":
        start = at - 3
        while start - 1 > 0 and s[start - 1].label == ",":
            start -= 2
        group(phrase, start, at + 2, category(s[at - 1]))
    else:
        _divide_nouns(phrase, at, more)


def category(word: Linked) -> str:
    """Return the category of a phrase made around a word."""
    return "ADJP" if word.label.startswith("JJ") else "NP"


def _joined_first(s: list[Linked]) -> bool:
    """Return whether the words around the first coordinator are joined alone."""
    label = s[0].label
    return (label in ("DT", "JJ", "RB") or s[2].label != "DT") and not (
        label.startswith("NP") or label in ("ADJP", "NNS")
    )


def _group_first(phrase: Linked, more: int | None) -> None:
    """Join the first three children, then what stands before a further coordinator."""
    s = phrase.children
    first = Linked(category(s[0]), s[:3])
    if more is None:
        phrase.children = [first, *s[3:]]
        adopt(phrase)
        return
    stop = more - 1 if s[more - 1].label == "," else more
    if more > 3:
        first = Linked(category(s[more - 1]), [first, *s[3:stop]])
    rest = Linked("NP", s[more + 1 :])
    phrase.children = [first, *s[max(stop, 3) : more + 1], rest]
    adopt(phrase)


def _divide_nouns(phrase: Linked, at: int, more: int | None) -> None:
    """Make two noun phrases of what stands before and after the coordinator."""
    s = phrase.children
    end = len(s) if more is None else more
    parts: list[Linked] = []
    start = 0
    if s[0].text in EITHER:
        s[0].label = "CC"
        parts.append(s[0])
        start = 1
    stop = at - 1 if s[at - 1].label == "," else at
    if start < stop:
        parts.append(Linked(category(s[at - 1]), s[start:stop]))
    parts += s[stop : at + 1]
    last = end - 1 if s[end - 1].label == "," else end
    if at + 1 < last:
        parts.append(Linked(category(s[end - 1]), s[at + 1 : last]))
    parts += s[last:end]
    if more is not None:
        parts = [Linked("NP", parts), *s[end:]]
    phrase.children = parts
    adopt(phrase)


def divide(phrase: Linked) -> None:
    """Give what stands before and after a coordinator among numbers a phrase each."""
    s = phrase.children
    at = next(i for i in range(1, len(s) - 1) if s[i].label.startswith("CC"))
    phrase.children = [_number(s[:at]), s[at], _number(s[at + 1 :])]
    adopt(phrase)


def _number(part: list[Linked]) -> Linked:
    money = any(x.label.startswith("$") or x.label.endswith("CC") for x in part)
    return Linked("QP" if money else "NP", part)


def divide_but_also(phrase: Linked) -> None:
    """Part "but also": but stays, also goes into what follows."""
    but = next(x for x in phrase.children if x.label == "CC" and x.form == "but")
    also = next(x for x in phrase.children if x.label == "RB" and x.form == "also")
    mother, place = phrase.mother, phrase.place
    assert mother is not None
    adverb = Linked("ADVP", [also])
    following = mother.children[place + 1 : place + 2]
    if following and following[0].children:
        replace(phrase, [but])
        following[0].children.insert(0, adverb)
        adopt(following[0])
    else:
        replace(phrase, [but, adverb])
