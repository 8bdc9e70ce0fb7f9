"""Stand-ins: words without a noun for further things of a kind that was named.

    a dog and another one        one further dog
    two dogs and three others    three further dogs
    a red car and a green one    one further car

In: the amounts of a sentence, for claims also the objects that its nouns name. Out:
where such words stand, how many things they mean, and which object that is.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final, NamedTuple

from spicepy.objects.amounts import ONE, Amount, Link, cases, children, of_numeral
from spicepy.objects.mentions import NamedObject
from spicepy.objects.presence import load_mention_words
from spicepy.objects.sentence_amounts import PLURALS, SentenceAmounts
from spicepy.parsing.trees import Parse

_NOT_ALONE: Final = ("det", "amod", "nummod", "compound")
"""Labels of words that modify a noun: "two more dogs"."""
_SUBJECTS: Final = ("nsubj", "nsubjpass")
_APART: Final = (
    "share",
    "further",
    "part",
)  # Links of nouns beside which are "the rest"


class StandIn(NamedTuple):
    """Words that stand for further things without their noun: "the other two"."""

    # first, last: The positions of its first and last word, from 1.
    first: int
    last: int
    head: int  # The position of the word that stands for the noun: "two"
    amount: Amount
    described: bool = False  # Whether an adjective tells it apart: "a green one"
    beside: bool = False  # Whether only "two more", "two of" or "once" allows it


def find_stand_ins(amounts: SentenceAmounts) -> Iterator[StandIn]:
    """Yield the words without a noun that stand for further things, in order."""
    tree, known = amounts.tree, amounts.known
    if known.standing.isdisjoint(tree.words) and len(amounts.numerals) < 2:
        return
    for last in range(1, len(tree.words) + 1):
        said = _stand_in(amounts, last)
        if said is None or amounts.word(last + 1) == "of":
            continue
        label, above = tree.labels[said.head - 1], tree.heads[said.head - 1]
        modifies = label in _NOT_ALONE and not said.first <= above <= last
        if not modifies and amounts.word(said.first - 1) not in known.single:
            yield said


def several_more(amounts: SentenceAmounts) -> int:
    """Return the position of words for several further things, "two more"; else 0."""
    several = (said.last for said in find_stand_ins(amounts) if said.amount.low > 1)
    return max(several, default=0)


def _stand_in(amounts: SentenceAmounts, last: int) -> StandIn | None:
    """Return what ends at a position and stands for things, else None."""
    known, word = amounts.known, amounts.word(last)
    further = known.further - known.ordinals.keys() - known.another
    numeral = amounts.numerals.get(last - 1)
    if numeral and word in further and amounts.tag(last) != "RB":
        amount = of_numeral(numeral, "further")  # "Two more", "three others"
        head = last - (amounts.tag(last) not in PLURALS)
        return StandIn(numeral.first, last, head, amount)
    if word in known.remainder and amounts.word(last - 1) in known.definite:
        low = 1 + (amounts.tag(last) in PLURALS)
        amount = Amount(low, None, "number", word, "rest")
        return StandIn(last, last, last, amount, beside=True)
    if said := _those_before(amounts, last) or _contrasted(amounts, last):
        return said
    alone = word not in known.pronouns
    start = last + alone  # The first of the adjectives: "another white one"
    named = known.further | known.rest
    while (
        not alone
        and amounts.tag(start - 1).startswith("JJ")
        and amounts.word(start - 1) not in named
    ):
        start -= 1
    described, at, numeral = start < last, start - 1, amounts.numerals.get(start - 1)
    amount = ONE if word not in known.plural_pronouns else Amount(2, None, "plural")
    if numeral:
        amount, at = of_numeral(numeral, ""), numeral.first - 1
    how, before = amounts.word(at), amounts.word(at - 1)
    article, definite = before in known.articles, before in known.definite
    place = known.ordinals.get(how, 0) if article or definite else 0
    if definite and (place or how in known.rest):
        link: Link = "rest"
    elif place or how in known.another or (how in further and article):
        link = "further"
    elif described and (how in known.articles or numeral):
        amount = replace(amount, link="further")
        return StandIn(start, last, last, amount, described=True)
    else:
        return None
    word = how if amount.high == 1 else amount.word
    return StandIn(at, last, last, replace(amount, word=word, link=link, place=place))


def _those_before(amounts: SentenceAmounts, last: int) -> StandIn | None:
    """Return the others in "two more dogs join the first three", else None."""
    known, numeral = amounts.known, amounts.numerals.get(last)
    if numeral is None or amounts.tag(last + 1).startswith("NN"):
        return None
    at = numeral.first - 1
    at -= amounts.word(at) in known.first
    before = amounts.tree.words[: at - 1]
    more = amounts.word(at) in known.definite and not known.further.isdisjoint(before)
    alone = amounts.tree.labels[last - 1] in _SUBJECTS
    if more or (
        alone and not known.now.isdisjoint(amounts.tree.words)
    ):  # "Now there is one"
        amount = of_numeral(numeral, "rest" if more else "left")
        return StandIn(at + 1, last, last, amount, beside=more)
    return None


def _contrasted(amounts: SentenceAmounts, last: int) -> StandIn | None:
    """Return the others in "two men stand and three sit", else None."""
    tree, numeral = amounts.tree, amounts.numerals.get(last)
    if numeral is None or amounts.tag(numeral.first - 1) != "CC":
        return None
    subject = tree.labels[last - 1] in _SUBJECTS
    verb = tree.heads[last - 1] if subject else last
    more = amounts.word(last + 1) in amounts.known.further  # "And one more sits"
    if tree.labels[verb - 1] != "conj" or more or _is_of_all(amounts, last):
        return None
    for k in children(tree, tree.heads[verb - 1]):
        if tree.labels[k - 1] not in _SUBJECTS or k > numeral.first:
            continue
        those = [n for n in amounts.numerals.values() if n.last in children(tree, k)]
        # Of "two men swim and one surfs", the one is among the two.
        if those and (not subject or those[0].low <= numeral.low):
            return StandIn(numeral.first, last, last, of_numeral(numeral, "further"))
    return None


def _is_of_all(amounts: SentenceAmounts, last: int) -> bool:
    """Return whether a number counts all that is named: "seven in all"."""
    after = (amounts.tree.words[last : last + size] for size in (1, 2))
    return not amounts.known.in_all.isdisjoint(map(" ".join, after))


def numbers_in_all(
    amounts: SentenceAmounts, objects: Sequence[NamedObject]
) -> Iterator[tuple[str, Amount]]:
    """Yield the class whose objects "seven in all" counts, and their number."""
    for last, numeral in amounts.numerals.items():
        counted = {
            named.name
            for named in objects
            if named.last < numeral.first
            and not amounts.inside.isdisjoint(children(amounts.tree, named.last))
        }
        if len(counted) == 1 and _is_of_all(amounts, last):
            yield counted.pop(), of_numeral(numeral, "")


def subject_of(tree: Parse, objects: Sequence[NamedObject]) -> NamedObject | None:
    """Return the object that a sentence is about, which the next may count on."""
    named = next(iter(objects), None)
    about = (*_SUBJECTS, "root", "xcomp")
    return named if named and tree.labels[named.last - 1] in about else None


def further_objects(
    amounts: SentenceAmounts,
    objects: Sequence[NamedObject],
    earlier: NamedObject | None = None,
) -> Iterator[tuple[NamedObject, Amount]]:
    """Yield the words that stand for further objects: "a dog and another one".

    What they mean may be an `earlier` sentence's subject: "A dog barks. Another runs".
    """
    for said in find_stand_ins(amounts):
        before = [named for named in objects if named.last < said.first]
        if earlier and not before and not said.described:
            named = replace(earlier, first=said.last, last=said.last, presence="there")
            yield named, said.amount
            continue
        if said.described:
            meant, of_some = _described_alike(amounts.tree, said, before), False
        else:
            meant, of_some = _antecedent(amounts, said, before)
        if said.beside and meant is not None and meant.there:
            first = amounts.of(meant.first, meant.last)
            meant = meant if first and first.link in _APART else None
        last_one = said.amount.place and said.amount.link == "rest"
        ones = amounts.known.parts.intersection(amounts.tree.words[: said.first])
        if last_one and ones:
            continue  # "Three cats: one asleep, another awake and the third outside"
        if meant is not None:
            link: Link = "rest" if of_some else said.amount.link
            amount = replace(said.amount, link=link)
            yield replace(meant, first=said.last, last=said.last), amount


def _described_alike(
    tree: Parse, said: StandIn, before: Sequence[NamedObject]
) -> NamedObject | None:
    """Return what "a green one" is, from a noun with an adjective, None if unknown.

    It is the noun before it, or one with the same part in the sentence.
    """
    part = tree.labels[said.last - 1], cases(tree, said.last)
    nouns = (k for k in range(said.first, 0, -1) if tree.tags[k - 1].startswith("NN"))
    last = next(nouns, 0)
    for named in before[::-1]:
        alike = (tree.labels[named.last - 1], cases(tree, named.last)) == part
        described = any(
            tree.labels[k - 1] == "amod" for k in children(tree, named.last)
        )
        if described and (named.last == last or alike):
            return named
    return None


def _antecedent(
    amounts: SentenceAmounts, said: StandIn, before: Sequence[NamedObject]
) -> tuple[NamedObject | None, bool]:
    """Return the noun whose class "another" or "the other" has, None if unknown.

    It is the noun that it is joined to, or the one that "one" counts ("one dog chases
    the other"), or one with the same part in the sentence, or the first one. The other
    value is whether a number alone stands before it: "two dogs, one asleep and another
    …".
    """
    tree, known, at = amounts.tree, amounts.known, said.head
    label, head = tree.labels[at - 1], tree.heads[at - 1]
    how = label, cases(tree, at)
    number = max((k for k in amounts.inside if k < said.first), default=0)
    alone = number > 0 and tree.labels[number - 1] != "nummod"
    alone = alone and amounts.word(number + 1) != "of" and not said.beside
    before = [n for n in before if not alone or n.last < number]
    joined = [n for n in before if label == "conj" and n.last == head]
    is_object = label == "dobj" and tree.words[at - 1] in known.parts | known.further
    is_one = number and tree.words[number - 1] in known.parts
    if is_one and not (alone or joined or is_object):
        counted = tree.heads[number - 1]
        return next((n for n in before if n.last == counted), None), False
    alike = [n for n in before if (tree.labels[n.last - 1], cases(tree, n.last)) == how]
    pictures = load_mention_words().pictures
    nouns = (k for k, tag in enumerate(tree.tags, 1) if tag.startswith("NN"))
    other = pictures | {tree.words[k - 1] for k in amounts.inside}  # "A dozen cows"
    main = next((k for k in nouns if tree.lemmas[k - 1] not in other), 0)
    others = [n for n in before[:1] if n.first <= main]
    if label.startswith("nmod") and tree.words[at - 1] in known.rest:
        alike = []  # "A dog on a bench, with another beside it"
    return next(iter((*joined, *alike, *others)), None), alone
