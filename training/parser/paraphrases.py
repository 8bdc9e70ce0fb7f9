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

from training.parser.joined import parallel, participles, phrase_and_noun, with_state
from training.parser.maker import Maker
from training.parser.nodes import Node, fresh, has_case, rows, tree

if TYPE_CHECKING:
    from training.parser.convert import Row

DRESSED = 0.4
"""Share of nouns with a participle that get a phrase between, where one is known."""

LONGEST = 20
"""Words of the longest caption that is made."""


def paraphrases(
    trees: "Sequence[list[Row]]", verbs: dict[str, str], count: int, seed: int
) -> "Iterator[list[Row]]":
    """Yield about `count` paraphrases, each kind as often.

    Args:
        trees: Trees without known mistakes.
        verbs: Lemma -> third person singular.
        count: How many are tried for.
        seed: Random seed.
    """
    numbers = random.Random(seed)
    maker = Maker(numbers, verbs)
    tops = [tree(x) for x in trees if len(x) <= 12]
    phrases = [x for x in tops if x.is_noun and len(x.right) == 1] or tops
    nouns = [x for x in tops if x.is_noun and not x.right] or tops
    bares = [x for top in tops for x in bare_nouns(top)] or nouns
    for top in tops:
        last = top.right[-1] if top.is_noun and len(top.right) == 1 else None
        if last and last.label == "nmod" and has_case(last, ("in", "with")):
            maker.company.setdefault(top.word, []).append(last)

    def any_() -> Node:
        top = maker.named(numbers.choice(tops))
        return (numbers.random() < DRESSED and maker.dressed(top)) or top

    def with_phrase() -> Node:
        return maker.named(numbers.choice(phrases))

    def noun() -> Node:
        return maker.named(numbers.choice(nouns))

    def bare() -> Node:
        return numbers.choice(bares)

    def some() -> int:
        return numbers.choice((2, 3))

    kinds: list[Callable[[], Node | None]] = [
        lambda: maker.finite(any_()),
        lambda: maker.finite(any_()),
        lambda: maker.dressed(any_()),
        lambda: maker.progressive(any_()),
        lambda: maker.passive(any_()),
        lambda: maker.relative(any_()),
        lambda: maker.object_relative(any_()),
        lambda: maker.there(any_()),
        lambda: maker.place(any_()),
        lambda: maker.quality(any_()),
        lambda: maker.clauses(any_(), any_()),
        lambda: maker.predicates([any_() for _ in range(some())]),
        lambda: maker.two_objects(noun(), noun(), noun()),
        lambda: maker.with_another(any_(), any_()),
        lambda: maker.series([any_() for _ in range(numbers.choice((3, 4)))]),
        lambda: maker.series([bare() for _ in range(some())] + [noun()]),
        lambda: maker.inside(any_(), [any_() for _ in range(numbers.choice((1, 2)))]),
        lambda: maker.inside(with_phrase(), [bare() for _ in range(some())]),
        lambda: parallel(maker, with_phrase(), with_phrase()),
        lambda: parallel(maker, with_phrase(), with_phrase()),
        lambda: phrase_and_noun(maker, with_phrase(), noun()),
        lambda: participles(maker, any_(), any_()),
        lambda: with_state(maker, any_()),
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
