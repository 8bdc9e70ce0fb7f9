"""Trees of captions in, trees of other captions that are built of the same phrases out.

Most captions are noun phrases, and where a phrase belongs is known best of those with a
drawn scene graph. How to say the same in a sentence is grammar: "a man riding a horse"
becomes "a man rides a horse", "there is a man riding a horse", "a man who is riding a
horse", and two phrases become a list or two clauses. So a parser sees all constructions
with all words.
"""

import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from training.parser.constructions import (
    absolute,
    activity,
    apposed,
    caused,
    counted,
    doers,
    in_hands,
    inverted,
    numbered,
    parallel,
    participles,
    phrase_and_noun,
    reduced,
    shares,
    shares_after,
    the_other,
    watching,
    with_commas,
    with_on_it,
    with_state,
)
from training.parser.maker import Maker
from training.parser.nodes import Node, fresh, has_case, rows, tree

if TYPE_CHECKING:
    from training.parser.convert import Row

DRESSED = 0.4
"""Share of nouns with a participle that get a phrase between, where one is known."""

LONGEST = 20
"""The number of words of the longest caption that is made."""


class Phrases:
    """The phrases of captions, each chosen at random.

    Args:
        trees: Trees without known mistakes.
        maker: Chooses, and puts articles before nouns.
    """

    def __init__(self, trees: "Sequence[list[Row]]", maker: Maker) -> None:
        self._maker, self._choose = maker, maker.numbers.choice
        self._tops = tops = [tree(x) for x in trees if len(x) <= 12]
        self._long = [x for x in tops if x.is_noun and len(x.right) == 1] or tops
        self._nouns = [x for x in tops if x.is_noun and not x.right] or tops
        self._bare = [x for top in tops for x in bare_nouns(top)] or self._nouns
        for top in tops:
            last = top.right[-1] if top.is_noun and len(top.right) == 1 else None
            if last and last.label == "nmod" and has_case(last, ("in", "with")):
                maker.company.setdefault(top.word, []).append(last)

    def any(self) -> Node:
        """Return the phrase of any caption, now and then with another one in it."""
        top = self._maker.named(self._choose(self._tops))
        dress = self._maker.numbers.random() < DRESSED
        return (dress and self._maker.dressed(top)) or top

    def long(self) -> Node:
        """Return a noun with one phrase: "a cup on a table"."""
        return self._maker.named(self._choose(self._long))

    def bare_long(self) -> Node:
        """Return the same without article: "cups on a table"."""
        top = self._choose(self._long)
        return replace(top, left=tuple(x for x in top.left if x.label == "amod"))

    def noun(self) -> Node:
        """Return a noun, with what stands before it."""
        return self._maker.named(self._choose(self._nouns))

    def bare(self) -> Node:
        """Return a noun that stands alone, or with one adjective."""
        return self._choose(self._bare)

    def bares(self) -> list[Node]:
        """Return two or three such nouns."""
        return [self.bare() for _ in range(self._choose((2, 3)))]

    def some(self, *counts: int) -> list[Node]:
        """Return as many phrases as one of the counts says."""
        return [self.any() for _ in range(self._choose(counts))]


def paraphrases(
    trees: "Sequence[list[Row]]", verbs: dict[str, str], count: int, seed: int
) -> "Iterator[list[Row]]":
    """Yield about `count` paraphrases, each kind as often.

    Args:
        trees: Trees without known mistakes.
        verbs: Lemma -> third person singular.
        count: The number of paraphrases to try for.
        seed: Random seed.
    """
    maker = Maker(random.Random(seed), verbs)
    of = Phrases(trees, maker)
    kinds: list[Callable[[], Node | None]] = [
        lambda: maker.finite(of.any()),
        lambda: maker.finite(of.any()),
        lambda: maker.dressed(of.any()),
        lambda: maker.progressive(of.any()),
        lambda: maker.passive(of.any()),
        lambda: maker.relative(of.any()),
        lambda: maker.object_relative(of.any()),
        lambda: maker.there(of.any()),
        lambda: maker.place(of.any()),
        lambda: maker.quality(of.any()),
        lambda: maker.clauses(of.any(), of.any()),
        lambda: maker.predicates(of.some(2, 3)),
        lambda: maker.two_objects(of.noun(), of.noun(), of.noun()),
        lambda: maker.with_another(of.any(), of.any()),
        lambda: maker.series(of.some(3, 4)),
        lambda: maker.series([*of.bares(), of.noun()]),
        lambda: maker.series([*of.bares(), of.bare_long()]),
        lambda: maker.subjects(of.any(), of.bares()),
        lambda: maker.inside(of.any(), of.some(1, 2)),
        lambda: maker.inside(of.long(), of.bares()),
        lambda: parallel(maker, of.long(), of.long()),
        lambda: parallel(maker, of.long(), of.long()),
        lambda: phrase_and_noun(maker, of.long(), of.noun()),
        lambda: participles(maker, of.any(), of.any()),
        lambda: with_state(maker, of.any()),
        lambda: shares(maker, of.any(), of.any(), of.any()),
        lambda: the_other(maker, of.any(), of.any()),
        lambda: caused(maker, of.any(), of.any()),
        lambda: activity(maker, of.any(), of.long()),
        lambda: counted(maker, of.any()),
        lambda: inverted(maker, of.any()),
        lambda: absolute(maker, of.any(), of.noun()),
        lambda: apposed(maker, of.any()),
        lambda: numbered(maker, of.any()),
        lambda: reduced(maker, of.any(), of.any(), of.noun()),
        lambda: reduced(maker, of.any(), of.any(), of.noun()),
        lambda: watching(maker, of.any(), of.any(), of.any()),
        lambda: doers(maker, of.any(), of.any(), of.any()),
        lambda: doers(maker, of.any(), of.any(), of.any()),
        lambda: in_hands(maker, of.noun(), of.noun(), of.noun()),
        lambda: with_on_it(maker, of.any(), of.noun()),
        lambda: shares_after(maker, of.any(), of.any(), of.any()),
        lambda: with_commas(maker.predicates(of.some(3))),
        lambda: with_commas(maker.series([*of.bares(), of.bare_long()])),
        lambda: with_commas(maker.series(of.some(3, 4))),
        lambda: with_commas(maker.inside(of.long(), [of.noun(), of.noun()])),
    ]
    for number in range(count):
        make = kinds[number % len(kinds)]
        for _ in range(200):
            if (made := make()) and len(found := rows(fresh(made))) <= LONGEST:
                yield found
                break


def bare_nouns(top: Node) -> Iterator[Node]:
    """Yield the nouns of a caption that stand alone, or with one adjective."""
    for x in top.children:
        yield from bare_nouns(x)
    own = replace(top, left=tuple(x for x in top.left if x.label != "case"))
    if (
        own.is_noun
        and not own.right
        and own.label in ("conj", "dobj", "nmod", "nsubj", "root")
        and len(own.left) < 2
        and all(x.tag == "JJ" and not x.children for x in own.left)
    ):
        yield own


def third_persons(found: "Iterable[list[Row]]") -> dict[str, str]:
    """Learn how verbs are written in the third person: lemma -> word."""
    forms: dict[str, Counter[str]] = {}
    for known in found:
        for word, tag, lemma, _, _ in known:
            if tag == "VBZ" and word.isalpha():
                forms.setdefault(lemma, Counter())[word] += 1
    return {lemma: words.most_common(1)[0][0] for lemma, words in forms.items()}
