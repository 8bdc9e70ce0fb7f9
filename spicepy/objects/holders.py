"""Holders: several things of which each has another one.

    each of the men holds a cup     men have cups
    on each bench sit two women     benches have women
    three beds with a cat on each   beds have cats
    two boys hold a kite each       boys have kites

In: a `Parse` and the position of a noun. Out: which noun, if any, has it.

Source: Quirk et al. 1985, sections 5.15 and 6.50 (distributive determiners).
"""

from collections.abc import Iterator
from typing import NamedTuple

from spicepy.objects.amounts import AmountWords
from spicepy.parsing.trees import Parse


class Holder(NamedTuple):
    """A noun of which each has something."""

    noun: int  # The position of the noun, from 1; 0 if nothing names it
    top: int  # The position of the top word of its phrase: "each" in "each of the men"
    shared: bool = False  # Whether several may have one: "each sits on a bench"


def holder_of(tree: Parse, known: AmountWords, last: int) -> Holder | None:
    """Return the holder of what a noun, at a position, names, None without one."""
    holders = list(_holders(tree, known))
    if any(last in (holder.noun, holder.top) for holder in holders):
        return None
    for holder in holders:
        if holder.noun and _has(tree, known, holder, last):
            beside = tree.heads[last - 1] == tree.heads[holder.top - 1]
            shared = beside and tree.labels[last - 1] == "nmod"
            return holder._replace(shared=shared)
    return None


def _holders(tree: Parse, known: AmountWords) -> Iterator[Holder]:
    """Yield the noun of every "each", other than that of "each other"."""
    for at, word in enumerate(tree.words, 1):
        after = tree.words[at : at + 1]
        if word in known.each and known.rest.isdisjoint(after):
            yield _holder(tree, known, at, of=after == ("of",))


def _holder(tree: Parse, known: AmountWords, each: int, *, of: bool) -> Holder:
    head, label = tree.heads[each - 1], tree.labels[each - 1]
    if label == "det" and head > each:  # "Each boy", not "each day"
        noun = tree.lemmas[head - 1]
        named = tree.lemmas.index(noun) + 1  # "Two tables with a cup on each table"
        return Holder(named * (noun not in known.times), head)
    if label == "appos":  # "Two boys each"
        return Holder(head, head)
    below = [k for k in _below(tree, each) if k > each + 1]
    if of and below and tree.tags[below[0] - 1] != "PRP":
        return Holder(below[0], each)  # "Each of the boys"
    if head and label != "conj" and tree.tags[head - 1].startswith("NN"):
        return Holder(tree.heads[head - 1], each)  # "Beds with a cat on each"
    own = (k for k in _below(tree, head) if tree.labels[k - 1] == "nsubj")
    who = next(own, each)
    several = tree.tags[who - 1].endswith("S")
    return Holder(who * several, each)  # "Two boys hold a kite each"


def _has(tree: Parse, known: AmountWords, holder: Holder, last: int) -> bool:
    """Return whether each of some holders has what a noun names."""
    head, label = tree.heads[holder.top - 1], tree.labels[holder.top - 1]
    cases = {tree.words[k - 1] for k in _below(tree, holder.top)}
    place = label.startswith("nmod")
    if place and cases.isdisjoint(known.static):
        return False
    if tree.heads[last - 1] != head:
        return head == last
    objects = any(tree.labels[k - 1] == "dobj" for k in _below(tree, head))
    owned = ("dobj" if objects else "nsubj",) if place else ("dobj", "nmod")
    return tree.labels[last - 1] in owned


def _below(tree: Parse, at: int) -> list[int]:
    """Return the positions of the dependents of a word."""
    return [k for k, head in enumerate(tree.heads, 1) if head == at]
