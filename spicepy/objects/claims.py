"""Claims: the number of objects of a class that a caption states.

    "two dogs, a cat and a few people"  ->  dog 2-2, cat 1-1, person 2-11
    "a man and two women, no dog"       ->  person 3-3, dog 0-0

How many a noun says there are is read by `amounts`, and what is denied by `presence`;
here the nouns of one class are added up. "Two red cars" and "two people in helmets" are
two cars and two people at least. "Two-story", "number 3 bus", "a pair of scissors" and
"two pieces of pizza" are not claims.

Source: Acharya et al. 2019 (TallyQA); Coventry et al. 2010 (quantifiers); the bounds of
vague words were read off 202,654 captions of COCO val2014.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

from spicepy.objects.amounts import (
    Amount,
    amounts_of_nouns,
    cases,
    children,
    load_amount_words,
    total_of_sentence,
    total_of_sentences,
)
from spicepy.objects.mentions import NamedObject, ParsedReader
from spicepy.objects.presence import (
    is_predicate,
    is_restricted_after,
)
from spicepy.objects.sentence_amounts import SentenceAmounts
from spicepy.objects.stand_ins import further_objects, numbers_in_all, subject_of
from spicepy.objects.vocabulary import load_count_words
from spicepy.parsing.trees import Parse

ClaimType = Literal[
    "exact", "modified", "subset", "bounded", "vague", "one", "singular", "denied"
]
"""The reading of a claim.

`exact`: that many of the whole class. `modified` (objects that something singles out)
and `subset` (narrower nouns): that many, and there may be others of the class.
`bounded`: a range of numbers, "at least two". `vague`: a range, by a word such as
"several". `one`: a single object. `singular`: one, by its article. `denied`: none.
"""
_CLAIM_TYPES: Final[tuple[ClaimType, ...]] = (
    *("vague", "bounded", "modified", "subset", "exact", "one", "singular", "denied"),
)
"""The claim_type of a sum is the first of these that its parts have."""
_PARTS: Final = ("car", "carriage")
"""Parts of trains; "two train cars" says nothing of the number of trains."""


@dataclass(frozen=True, slots=True)
class Claim:
    """A statement of a caption on the number of objects of a class."""

    name: str  # The object class
    low: int  # The least number
    high: int | None  # The greatest number; None if there is no upper bound
    claim_type: ClaimType  # The reading of the claim; see `ClaimType`
    word: str  # The words of quantity: "two", "at least two", "several"
    noun: str  # The noun: "dog"

    @property
    def number(self) -> int:
        """The number that is stated: the only one, or the least."""
        return self.low


@dataclass(frozen=True, slots=True)
class _Counted:
    """A noun that names objects of a class, with their number."""

    named: NamedObject
    amount: Amount
    claim_type: ClaimType
    sentence: int


class ClaimReader:
    """Finds the claims of captions."""

    def __init__(self, reader: ParsedReader) -> None:
        self.reader, self.words = reader, load_count_words()
        self._amounts = load_amount_words()

    def read(self, captions: Sequence[str]) -> dict[str, tuple[Claim, ...]]:
        """Return the claims of each caption, one for each class."""
        return {
            caption: self.claims(trees)
            for caption, trees in self.reader.trees(captions).items()
        }

    def claims(self, trees: Sequence[Parse]) -> tuple[Claim, ...]:
        """Return the claims of the sentences of one caption."""
        by_class: dict[str, list[_Counted]] = {}
        in_all: dict[str, Amount] = {}
        earlier: NamedObject | None = None
        for number, tree in enumerate(trees, 1):
            amounts = SentenceAmounts(tree, self._amounts)
            objects = self.reader.named(tree)
            further = dict(further_objects(amounts, objects, earlier))
            in_all.update(numbers_in_all(amounts, objects))
            earlier = subject_of(tree, objects)
            for named in (*objects, *further):
                known = by_class.setdefault(named.name, [])
                amount = further.get(named) or self._amount(amounts, named, known)
                if amount is not None:
                    claim_type = self._claim_type(amounts, named, amount)
                    if claim_type == "modified" and named not in further:
                        amount = replace(amount, high=None)
                    known.append(_Counted(named, amount, claim_type, number))
        return tuple(
            self._claim(name, own, in_all.get(name))
            for name, own in by_class.items()
            if own
        )

    def _amount(
        self, amounts: SentenceAmounts, named: NamedObject, known: Sequence[_Counted]
    ) -> Amount | None:
        """Return how many objects a noun adds to those of its class, None if unsaid."""
        if named.presence == "denied":
            return Amount(0, 0, "none", "no")
        head = named.word.rpartition(" ")[2]
        if not named.there or _is_part(named):
            return None
        if not self._amounts.plural_only.isdisjoint((named.name, named.word, head)):
            return None
        if is_predicate(amounts, named.last):
            return None
        if _is_listed(amounts, named, known):
            return None
        again = {one.named.word for one in known}
        amount = amounts.of(named.first, named.last)
        one = amount is not None and amount.high == 1 and not amount.link
        same = named.word in again or (again and self._is_whole(named))
        heads = {word.rpartition(" ")[2] for word in again}
        same = same or (
            one and not heads.isdisjoint({named.word, *self._amounts.groups})
        )
        if same and amounts.is_definite(named.first, named.last):
            joined = all(one.amount.link == "further" for one in known)
            several = amount is not None and amount.wording == "number"
            if amount is not None and amount.place:
                return amount  # "Two dogs bark, and the third dog sleeps"
            return amount if joined and several else None  # "Another dog joins the two"
        bare = amount is not None and amount.wording == "bare" and not amount.link
        bare = bare or (amount is not None and amount.word in self._amounts.each)
        if bare and named.word in again:
            return (
                None  # "A toilet by toilet paper", "two sinks with a cup on each sink"
            )
        return amount

    def _is_whole(self, named: NamedObject) -> bool:
        return self.words.is_whole(named.word, named.name)

    def _claim_type(
        self, amounts: SentenceAmounts, named: NamedObject, amount: Amount
    ) -> ClaimType:
        """Return the reading of the amount of a noun."""
        if amount.wording == "none":
            return "denied"
        if amount.wording in ("vague", "plural"):
            return "vague"
        if amount.low == amount.high == 1:
            is_stated = amount.word.split(" ")[0] in self._amounts.single | {"another"}
            return "one" if is_stated else "singular"
        if amount.low != amount.high:
            return "bounded"
        if _is_restricted(amounts, named):
            return "modified"
        return "exact" if self._is_group(named) or self._is_whole(named) else "subset"

    def _claim(
        self, name: str, counted: Sequence[_Counted], in_all: Amount | None
    ) -> Claim:
        """Return the claim about a class, from all its nouns and "seven in all"."""
        positive = [one for one in counted if one.claim_type != "denied"] or counted
        sentences: dict[int, list[_Counted]] = {}
        for one in positive:
            sentences.setdefault(one.sentence, []).append(one)
        total = total_of_sentences([self._together(own) for own in sentences.values()])
        assert total is not None  # every list has an amount
        parts = [c for c in positive if c.amount.word == total.word] or positive
        claim_type = min((c.claim_type for c in positive), key=_CLAIM_TYPES.index)
        if len(positive) > 1:
            claim_type = self._of_sum(total, positive)
        elif claim_type == "singular" and total.low > 1:
            claim_type = "bounded"  # "A third dog"
        word = parts[0].amount.word
        if in_all and in_all.low >= total.low:
            total, claim_type, word = in_all, "exact", in_all.word
        return Claim(name, total.low, total.high, claim_type, word, parts[0].named.word)

    def _of_sum(self, amount: Amount, counted: Sequence[_Counted]) -> ClaimType:
        """Return the reading of a sum."""
        same = [c for c in counted if c.amount.has_range_of(amount)]
        if same:
            return min((c.claim_type for c in same), key=_CLAIM_TYPES.index)
        strata = {one.claim_type for one in counted}
        if amount.high is None or amount.low != amount.high:
            return next(s for s in _CLAIM_TYPES if s in strata | {"bounded"})
        return "exact" if all(self._is_whole(c.named) for c in counted) else "subset"

    def _together(self, counted: Sequence[_Counted]) -> list[Amount]:
        """Return the amounts of one sentence that add up."""
        by_noun: dict[str, list[_Counted]] = {}
        for one in counted:
            by_noun.setdefault(one.named.word, []).append(one)
        of_nouns = map(self._of_noun, by_noun.values())
        nouns = [(one.amount, one.named) for one in of_nouns]
        return amounts_of_nouns(
            [(amount, self._is_whole(n) or self._is_group(n)) for amount, n in nouns]
        )

    def _of_noun(self, counted: Sequence[_Counted]) -> _Counted:
        """Return the objects of one noun in a sentence: a vague number includes all."""
        first, *others = counted
        rest = all(one.amount.link == "rest" for one in others)
        if not others or (rest and first.amount.place):
            return first  # "A third dog looks at the other two"
        amount = total_of_sentence([one.amount for one in counted])
        assert amount is not None
        vague = [one for one in counted if one.claim_type == "vague"]
        if not vague:
            return replace(first, amount=amount)
        least = max(one.amount.low for one in counted)
        return replace(vague[0], amount=replace(vague[0].amount, low=least))

    def _is_group(self, named: NamedObject) -> bool:
        return named.word in self._amounts.groups


def _is_listed(
    amounts: SentenceAmounts, named: NamedObject, known: Sequence[_Counted]
) -> bool:
    """Return whether a noun is among those before it: "people, including a man"."""
    tree, at = amounts.tree, named.last
    while tree.labels[at - 1] == "conj" and not cases(tree, at):
        at = tree.heads[at - 1]
    counted = {one.named.last for one in known}
    listed = not cases(tree, at).isdisjoint(amounts.known.including)
    return listed and tree.heads[at - 1] in counted


def _is_restricted(amounts: SentenceAmounts, named: NamedObject) -> bool:
    """Return whether something restricts a noun to some of its class: "red"."""
    tree, known = amounts.tree, amounts.known
    if amounts.of_other_sort(named.first, named.last):
        return False  # "A red and a green car"
    for k in children(tree, named.last):
        label, lemma = tree.labels[k - 1], tree.lemmas[k - 1]
        own = named.first <= k < named.last or k in amounts.inside
        if label == "amod" and not own and lemma not in known.further | known.rest:
            return True
    return is_restricted_after(amounts, named.last)


def _is_part(named: NamedObject) -> bool:
    first, _, last = named.word.rpartition(" ")
    return bool(first) and last in _PARTS and named.name != last
