"""What a caption says of its nouns: how many there are, and whether they are there.

In: the trees of a caption. Out: amounts and denial by the position of a noun in the
whole caption, as `annotations.amounts` and `annotations.presence` read them from each
tree.
"""

from collections.abc import Sequence

from spicepy.diagnosis.lexicon.lexicon import Lexicon
from spicepy.objects.amounts import Amount, SentenceAmounts
from spicepy.objects.presence import (
    SentencePresence,
    denied_name,
    is_restricted_after,
    load_mention_words,
)
from spicepy.parsing.trees import Parse


class SaidOfNouns:
    """The amounts and the presence of the nouns of one caption.

    Args:
        trees: The trees of its sentences.
        lexicon: Words of amounts, and nouns for people and animals.

    Attributes:
        denied: The positions (from 1) of nouns of absent things.
        denied_names: These nouns; "person" for "nobody".
        supposed: The positions of words after a hedge or beside an "or".
    """

    def __init__(self, trees: Sequence[Parse], lexicon: Lexicon) -> None:
        self._lexicon = lexicon
        self._sentences: list[tuple[int, SentenceAmounts, SentencePresence]] = []
        denied: dict[int, str] = {}
        supposed: set[int] = set()
        start = 0
        for tree in trees:
            presence = SentencePresence(tree, load_mention_words())
            amounts = SentenceAmounts(tree, lexicon.quantities)
            self._sentences.append((start, amounts, presence))
            for at in presence.denied_nouns():
                denied[start + at] = denied_name(tree, at)
            supposed.update(start + at for at in presence.supposed)
            start += len(tree.words)
        self.denied, self.denied_names = denied.keys(), tuple(denied.values())
        self.supposed = frozenset(supposed)

    def is_restricted(self, place: int) -> bool:
        """Return whether words after the noun at a position restrict it.

        "Two people in helmets" leaves open how many have none.
        """
        start, amounts, _ = next(s for s in self._sentences[::-1] if s[0] < place)
        return is_restricted_after(amounts, place - start)

    def amount(self, name: str, place: int, *, named: bool) -> Amount | None:
        """Return how many of a thing there are, None if the caption leaves it open.

        Args:
            name: Its name.
            place: The position of its last word, from 1.
            named: Whether an earlier thing has the same name. Then "the dogs" are the
                same dogs and add nothing to their number.
        """
        start, amounts, presence = next(
            s for s in self._sentences[::-1] if s[0] < place
        )
        last = place - start
        first = max(1, last - name.count(" "))
        head, known = name.rpartition(" ")[2], self._lexicon.quantities
        if head in known.plural_only or (named and amounts.is_definite(first, last)):
            return None
        living = self._lexicon.nouns.is_living(name)
        if presence.of(first, last, living=living) in ("depicted", "owner"):
            return None
        said = amounts.of(first, last)
        if said is None or said.wording != "bare":
            return said
        # Captions leave open how many tables there are in "at the table"; who is named
        # without an article is one.
        return Amount(1, 1, "one", said.word, said.link) if living else None
