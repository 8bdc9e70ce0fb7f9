"""The amounts of the nouns of one sentence, read off its words and their tree.

In: a `Parse`, and for each noun the positions of its words. Out: its `Amount`, None
where the sentence leaves it open:

    two dogs   2-2      half of a dog       None      a pair of dogs   2-2
    a 747      None     two of the dogs     2-        beds with a cat on each   None

Source: Quirk et al. 1985, sections 5.16-5.25 (quantifiers), 6.52 (collectives).
"""

from dataclasses import replace
from typing import Final

from spicepy.objects.amounts import (
    ONE,
    Amount,
    AmountForm,
    AmountWords,
    Link,
    holder_of,
    of_numeral,
)
from spicepy.parsing.trees import Parse
from spicepy.words.numerals import Numeral, bound_after, bounded, find_numerals
from spicepy.words.wordnet import is_below

PLURALS: Final = ("NNS", "NNPS")
_BARE: Final = "plural"  # The word of amounts that nothing but the form says.
_DETERMINING: Final = ("DT", "PDT", "PRP$", "JJ", "JJR")
_MODIFIERS: Final = ("CD", "JJ", "VBN", "VBG", "VBD", "NN", "RB")
_JOINING: Final = ("CC", ",", "HYPH")
_MODEL: Final = 100  # Before a singular, a number this large is a name: a 747 plane.


class SentenceAmounts:
    """The amounts of the nouns of one sentence."""

    def __init__(self, tree: Parse, known: AmountWords) -> None:
        self.tree, self.known = tree, known
        self.numerals: dict[int, Numeral] = {}
        self.inside: set[int] = set()
        for numeral in find_numerals(tree.words, tree.tags, known.numbers):
            self.numerals[numeral.last] = numeral
            self.inside.update(range(numeral.first, numeral.last + 1))

    def of(self, first: int, last: int) -> Amount | None:
        """Return how many of a thing there are, None if the sentence leaves it open."""
        # The words of its noun are at the positions `first` to `last`, from 1.
        known = self.known
        start = self.start(first, last)
        amount = self._stated(start, first, last)
        if amount is None:
            return None
        # In "two dogs bark" the next word is not what the noun modifies.
        counted = self.tag(last) in PLURALS and amount.word != _BARE
        if not counted and self._is_modifier(last):
            return None
        amount = self._of_group(amount, last)
        if amount.high and (other := self.of_other_sort(first, last)):
            return replace(amount.plus(other), wording="quantity")
        if (others := self._each_with(last)) and not self.is_definite(first, last):
            return amount.for_each_of(others)
        phrase = self._phrase(first, start)
        definite = self._is_definite(phrase)
        place = max((known.ordinals.get(word, 0) for word in phrase), default=0)
        if not known.rest.isdisjoint(phrase) and not known.definite.isdisjoint(phrase):
            return replace(amount, link="rest")
        if place and amount.wording != "number":
            link: Link = "rest" if definite else "further"
            return replace(amount, link=link, place=place)
        if not definite and not known.further.isdisjoint(phrase):
            return replace(amount, link="further")
        if not known.parts.isdisjoint(phrase):
            return replace(amount, link="part")
        return amount

    def _phrase(self, first: int, start: int) -> set[str]:
        """Return the words before a noun that belong to it, of its numbers "one"."""
        phrase = {*self.tree.words[start - 1 : first - 1]}
        before = start - 1
        if numeral := self.numerals.get(before):
            phrase.update({numeral.words} & self.known.parts)
            before = numeral.first - 1
        while before and self.tag(before) in _DETERMINING:
            phrase.add(self.word(before))
            before -= 1
        return phrase

    def is_definite(self, first: int, last: int) -> bool:
        """Return whether a noun refers back: "the dogs", not "the other dogs"."""
        return self._is_definite(self._phrase(first, self.start(first, last)))

    def _is_definite(self, phrase: set[str]) -> bool:
        definite = not self.known.definite.isdisjoint(phrase)
        return definite and self.known.rest.isdisjoint(phrase)

    def start(self, first: int, last: int) -> int:
        """Return the position of the first modifier of a noun, after its numbers."""
        start = first
        while start > 1 and self._modifies(start - 1, last):
            start -= 1
        while start < first and self.tree.tags[start - 1] in _JOINING:
            start += 1
        return start

    def _modifies(self, at: int, last: int) -> bool:
        """Return whether the word at a position modifies a noun: "large", "police"."""
        tree, known = self.tree, self.known
        word, tag = tree.words[at - 1], tree.tags[at - 1]
        quantity = word in known.vague and not tag.startswith("NN")
        if self.tag(at + 1) in PLURALS and word in known.collectives:
            return False  # "A couple cars"
        if at in self.inside or quantity or word in known.portions | known.distributive:
            return False
        if not tag.startswith(_MODIFIERS) and tag not in _JOINING:
            return False
        while at < last:
            at = tree.heads[at - 1]
            if at == last:
                return True
            if not at:
                return False
        return False

    def word(self, at: int) -> str:
        """Return the word at a position, "" outside of the sentence."""
        return self.tree.words[at - 1] if 0 < at <= len(self.tree.words) else ""

    def tag(self, at: int) -> str:
        """Return the part of speech at a position, "" outside of the sentence."""
        return self.tree.tags[at - 1] if 0 < at <= len(self.tree.tags) else ""

    def _stated(self, start: int, first: int, last: int) -> Amount | None:
        """Return what the words before a noun phrase say of its number."""
        known, tree = self.known, self.tree
        at, word = start - 1, self.word(start - 1)
        noun = first if self.word(first + 1) == "of" and first < last else last
        plural = tree.tags[noun - 1] in PLURALS
        between = {*tree.words[start - 1 : last - 1]} - {"of"}
        if numeral := self.numerals.get(at):
            found = self._counted(numeral, noun, last, plural=plural)
            groups = self._groups_of(numeral)
            if found and groups:
                return found.for_each_of(groups)
            named = found is None and numeral.low >= _MODEL
            if known.units.isdisjoint(between) and not named:
                return found
            at, word = numeral.first - 1, self.word(numeral.first - 1)
        if at in self.inside or self._is_of_portion(at):
            return None
        if word in known.them and self.word(at - 1) == "of":
            return None  # "Four people, two of them women"
        definite = word in known.definite or word == "of"
        if definite and (found := self._partitive(at, plural=plural)):
            return found
        if word == "of" and self._collects(at - 1):
            return self._collected(at - 1, noun, plural=plural)
        if found := self._quantified(at, noun, last, plural=plural):
            return found if found.low else None
        return self._bare(word, start, last, plural=plural)

    def _quantified(
        self, at: int, noun: int, last: int, *, plural: bool
    ) -> Amount | None:
        """Return the amount of "both", "several"; one of 0 after "not many"."""
        known, word = self.known, self.word(at)
        if word in known.collectives and not self._is_correlative(at, last):
            number = known.collectives[word]
            return Amount(number, number, "quantity", word)
        several = plural or self.tree.lemmas[noun - 1] in known.same_plural
        if word in known.vague and (several or self.tag(at).startswith(("JJ", "NN"))):
            as_ = self.word(at - 1)
            if as_ in known.comparing and as_ in self.tree.words[last:]:
                return Amount(2, None, "plural", _BARE)  # "As many girls as boys"
            low, high = known.vague[word]
            denied = self.word(at - 1) in known.nots
            return Amount(0 if denied else low, high or None, "vague", word)
        return None

    def _is_of_portion(self, at: int) -> bool:
        """Return whether a determiner follows a portion: "half of a pizza"."""
        lemma = self.tree.lemmas[at - 3] if at > 2 else ""
        of = self.word(at - 1) == "of" and self.word(at) != "of"
        return of and lemma in self.known.portions

    def _counted(
        self, numeral: Numeral, noun: int, last: int, *, plural: bool
    ) -> Amount | None:
        """Return the amount of a number before a noun, None if it counts no things."""
        # Before a singular it is a part of a name ("a 747 plane", "a two man boat"),
        # unless the singular is a plural, too ("two sheep"), or misspelt ("two zebra").
        same = self.tree.lemmas[noun - 1] in self.known.same_plural
        if not plural and not same and numeral.low > 1:
            article = self.tag(numeral.first - 1) in ("DT", "PRP$")
            if article or numeral.low >= _MODEL:
                return None
        low, high = numeral.low, numeral.high
        _, after = bound_after(self.tree.words, last, self.known.numbers)
        if after in ("or_more", "or_fewer"):  # "three dogs or more"
            low, high = bounded(low, high, after, self.known.numbers)
        if high == low == 1:
            return Amount(1, 1, "one", numeral.words)
        form: AmountForm = "quantity" if numeral.collective else "number"
        return Amount(low, high, form, numeral.words)

    def _groups_of(self, numeral: Numeral) -> Amount | None:
        """Return the number of groups of so many, "two rows of three"; else None."""
        at, known = numeral.first - 2, self.known
        several = self.word(at + 1) == "of" and self.tag(at) in PLURALS
        lemma = self.tree.lemmas[at - 1]
        if several and (lemma in known.vague or lemma in known.collectives):
            return self._stated(self.start(at, at), at, at)
        return None

    def _partitive(self, at: int, *, plural: bool) -> Amount | None:
        """Return the amount of "two of the dogs", "all the dogs"; else None."""
        # At least that many are there, and at least two if the noun is a plural.
        known = self.known
        before = at - 1
        if self.word(before) == "of" and self.word(at) != "of":
            before -= 1
        elif self.word(before) not in known.all or self.word(at) == "of":
            return None
        word, least = self.word(before), 1 + plural
        if plural and word in known.all and (two := known.collectives.get(word)):
            return Amount(two, two, "quantity", word)  # "Both of the dogs"
        if before in self.numerals:
            numeral = self.numerals[before]
            low = max(numeral.low, least)
            return Amount(low, None, "number", numeral.words, "share")
        if word in known.all or self.tag(before) in ("DT", "JJS"):
            low = max(known.vague.get(word, (least, 0))[0], least)
            return Amount(low, None, "plural", word) if plural else None
        return None

    def _collects(self, at: int) -> bool:
        """Return whether a noun before "of" says how many: "pair", "slice"."""
        known, lemma = self.known, self.tree.lemmas[at - 1] if at else ""
        lists = known.collectives, known.vague, known.measures, known.pieces
        listed = any(lemma in words for words in lists)
        return listed or at in self.numerals or bool(self._scale(at))

    def _scale(self, at: int) -> int:
        """Return the number of the plural of a scale, "dozens"; 0 of other words."""
        word = self.word(at)
        if word == "tens":
            return 10
        scale = self.known.numbers.scales.get(word.removesuffix("s"), 0)
        return scale if word.endswith("s") else 0

    def _collected(self, at: int, noun: int, *, plural: bool) -> Amount | None:
        """Return the amount of "a pair of dogs", from its "pair"."""
        known, tree = self.known, self.tree
        word, lemma = self.word(at), tree.lemmas[at - 1]
        some = Amount(2, None, "plural", _BARE) if plural else None
        several = plural or tree.lemmas[noun - 1] in known.same_plural | known.mass
        if scale := self._scale(at):
            return Amount(2 * scale, None, "quantity", word)
        if lemma in known.pieces and tree.lemmas[noun - 1] in known.mass:
            return self.of(at, at)
        numeral = self.numerals.get(self.start(at, at) - 1)
        times = numeral.low if numeral else 1
        if lemma in known.collectives:
            low = known.collectives[lemma] * times
            exact = tree.tags[at - 1] not in PLURALS or (numeral and numeral.high)
            return Amount(low, low if exact else None, "quantity", word)
        if lemma in known.measures or at in self.numerals or not several:
            return some
        return self._vague(at, times)

    def _vague(self, at: int, times: int) -> Amount:
        """Return the amount of "a large group of", several times."""
        known, lemma = self.known, self.tree.lemmas[at - 1]
        low, high = known.vague[lemma]
        words = set(self.tree.words[self.start(at, at) - 1 : at])
        if lemma in known.large_of and not words.isdisjoint(known.large):
            low, high = known.large_range
        return Amount(low * times, high or None, "vague", lemma)

    def _bare(self, word: str, start: int, last: int, *, plural: bool) -> Amount | None:
        """Return the amount of a noun by its own form and its article."""
        known, tree = self.known, self.tree
        modifiers = {*tree.words[start - 1 : last]}
        if not modifiers.isdisjoint(known.single) and not plural:
            return Amount(1, 1, "one", next(iter(modifiers & known.single)))
        if plural:
            singular = word in known.singular and word != "one"
            return None if singular else Amount(2, None, "plural", _BARE)
        same = tree.lemmas[last - 1] in known.same_plural
        other = self.word(start) in known.rest  # "Near each other"
        if word in known.each and self.tag(last) == "NN" and not other:
            return Amount(2, None, "vague", word)
        if word in known.distributive or tree.tags[last - 1] not in ("NN", "NNP"):
            return None
        if word in known.singular:
            if " ".join(self.tree.words[last : last + 2]) in known.or_two:
                return Amount(1, 2, "quantity", "or two")
            return Amount(1, 1, "one", word)
        misspelt = tree.labels[last - 1].startswith("nsubj") and (
            "and" not in tree.words[:last] and self.word(last + 1) in known.are
        )
        if same or misspelt:
            return None
        if tree.lemmas[last - 1] in known.mass:
            return None
        return Amount(1, 1, "bare", word if word in known.definite else "")

    def of_other_sort(self, first: int, last: int) -> Amount | None:
        """Return the number before the first adjective of "a red and a green car"."""
        start = self.start(first, last)
        numeral, articles = self.numerals.get(start - 1), self.known.articles
        if numeral is None and self.word(start - 1) not in articles:
            return None
        at = joined = (numeral.first if numeral else start - 1) - 1
        while self._is_adjective(at - 1):
            at -= 1
        if at == joined or self.word(joined) != "and":
            return None
        if other := self.numerals.get(at - 1):
            return of_numeral(other, "")
        return ONE if self.word(at - 1) in articles else None

    def _is_adjective(self, at: int) -> bool:
        """Return whether a word is an adjective or a color, whatever its tag."""
        tag, word = self.tag(at), self.word(at)
        if not tag.startswith(("JJ", "NN")) or is_below(word, ("edible fruit",), 1):
            return False  # "An orange and a green apple"
        return tag.startswith("JJ") or (tag == "NN" and is_below(word, ("color",), 2))

    def _each_with(self, last: int) -> Amount | None:
        """Return of how many things each has this one: "beds with a cat on each"."""
        found = holder_of(self.tree, self.known, last)
        if found is None:
            return None
        paired = self.tree.lemmas[found.noun - 1] in self.known.paired
        amount = self.of(found.noun, found.noun)
        if paired or amount is None or amount.low < 2:
            amount = Amount(2, 2 if paired else None, "plural", _BARE)
        return replace(amount, low=1) if found.shared else amount

    def _is_correlative(self, at: int, last: int) -> bool:
        """Return whether a "both" joins two nouns: "both dogs and cats"."""
        tree = self.tree
        joined = any(
            head == last and label == "cc"
            for head, label in zip(tree.heads, tree.labels, strict=True)
        )
        return self.word(at) in self.known.all | self.known.distributive and joined

    def _is_modifier(self, last: int) -> bool:
        """Return whether a noun modifies the next word: "snow covered"."""
        tree, tag = self.tree, self.tag(last)
        if tag in PLURALS:
            return self.tag(last + 1) in ("NN", "NNS", "POS")
        modifies = tree.labels[last - 1] in ("compound", "nn", "amod", "nmod:npmod")
        return modifies and tree.heads[last - 1] > last

    def members(self, last: int) -> Numeral | None:
        """Return the number of a group's people: "four" in "a family of four"."""
        tree, lemma = self.tree, self.tree.lemmas[last - 1]
        if lemma not in self.known.groups or lemma in self.known.collectives:
            return None
        of = self.word(last + 1) == "of"
        own = (n for n in self.numerals.values() if of and n.first == last + 2)
        return next((n for n in own if tree.labels[n.last - 1] != "nummod"), None)

    def _of_group(self, amount: Amount, last: int) -> Amount:
        """Return the number of people in groups: two for "a couple"."""
        lemma = self.tree.lemmas[last - 1]
        if numeral := self.members(last):
            return Amount(numeral.low, numeral.high, "number", numeral.words)
        if lemma not in self.known.groups or amount.link:
            return amount
        low, high = self.known.groups[lemma]
        top = high * amount.high if high and amount.high else None
        form: AmountForm = "quantity" if top else "vague"
        if amount.wording == "plural" and high:
            top = None
        return Amount(low * amount.low, top, form, lemma)
