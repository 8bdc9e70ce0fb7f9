"""All matches of a candidate's words with those of its references, for METEOR 1.5.

In: prepared captions, the relations of their words, a table of paraphrases. Out: for
each reference word the matches that begin there, in the order of the Java program:
exact, stem, synonym, paraphrase.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass

from spicepy.metrics.meteor.paraphrases import Occurrence, ParaphraseTable
from spicepy.metrics.meteor.relations import EXACT, PARAPHRASE, WordRelations

AlignedPhrase = tuple[int, int, int, int]
"""Matcher, first candidate word, words there, words in the reference."""


@dataclass(frozen=True, slots=True)
class Caption:
    """A caption in the form that METEOR aligns.

    Attributes:
        words: Normalised lower-case words.
        function: For each word, whether it is a function word.
        phrases: Phrases of the paraphrase table in it.
    """

    words: tuple[str, ...]
    function: tuple[bool, ...]
    phrases: Sequence[Occurrence] = ()


def matches_of(
    candidate: Caption,
    references: Sequence[Caption],
    relations: WordRelations,
    paraphrases: ParaphraseTable | None,
) -> Iterator[list[list[AlignedPhrase]]]:
    """Yield the matches of every reference's words.

    Arguments as for `spicepy.metrics.meteor.alignment.align`.
    """
    columns = _word_matches(candidate, references, relations)
    phrase_matches = None
    if paraphrases is not None:
        phrase_matches = _PhraseMatches(candidate, references, paraphrases)
    for reference in references:
        matches = [columns[word] for word in reference.words]
        if _identical(candidate.words, reference.words, relations):
            # Identical captions have exact matches only.
            matches = [[m for m in listed if m[0] == EXACT] for listed in matches]
        elif phrase_matches is not None:
            phrase_matches.add_to(matches, reference)
        yield matches


def _word_matches(
    candidate: Caption, references: Sequence[Caption], relations: WordRelations
) -> dict[str, list[AlignedPhrase]]:
    """Return exact, stem and synonym matches of every reference word, in this order."""
    columns: dict[str, list[AlignedPhrase]] = {
        word: [] for reference in references for word in reference.words
    }
    for i, word in enumerate(candidate.words):
        relatives = relations.relatives[word]
        for other in relatives.keys() & columns.keys():
            for matcher in relatives[other]:
                columns[other].append((matcher, i, 1, 1))
    for column in columns.values():
        if len(column) > 1:
            column.sort()
    return columns


def _identical(
    candidate: Sequence[str], reference: Sequence[str], relations: WordRelations
) -> bool:
    if len(candidate) != len(reference):
        return False
    return all(
        one == other or EXACT in relations.relatives[one].get(other, ())
        for one, other in zip(candidate, reference)
    )


class _PhraseMatches:
    """Paraphrase matches of one candidate with its references.

    Rewritings are looked up once for all references.
    """

    def __init__(
        self,
        candidate: Caption,
        references: Sequence[Caption],
        table: ParaphraseTable,
    ) -> None:
        self._phrases = candidate.phrases
        self._places = _places(candidate)
        in_references = {
            phrase for reference in references for _, _, phrase in reference.phrases
        }
        self._from_reference = _rewritings(in_references, self._places.keys(), table)
        self._from_candidate = _rewritings(self._places.keys(), in_references, table)

    def add_to(self, matches: list[list[AlignedPhrase]], reference: Caption) -> None:
        """Append to the matches of every reference word, in METEOR's order."""
        added: defaultdict[int, list[AlignedPhrase]] = defaultdict(list)
        for j, length, phrase in reference.phrases:
            for right in self._from_reference.get(phrase, ()):
                for i, right_length in self._places[right]:
                    added[j].append((PARAPHRASE, i, right_length, length))
        places = _places(reference)
        for i, length, phrase in self._phrases:
            for right in self._from_candidate.get(phrase, ()):
                for j, right_length in places.get(right, ()):
                    added[j].append((PARAPHRASE, i, length, right_length))
        for j, further in added.items():
            matches[j] = matches[j] + further


def _places(caption: Caption) -> dict[int, list[tuple[int, int]]]:
    """Return the first words and the length of each phrase of a caption."""
    places: defaultdict[int, list[tuple[int, int]]] = defaultdict(list)
    for first, length, phrase in caption.phrases:
        places[phrase].append((first, length))
    return dict(places)


def _rewritings(
    lefts: Iterable[int], rights: Set[int], table: ParaphraseTable
) -> dict[int, list[int]]:
    """Return the rewritings of each left phrase among those given, in file order."""
    kept = {}
    for left in lefts:
        ranks = table.rewritings.get(left)
        common = ranks.keys() & rights if ranks else None
        if ranks and common:
            kept[left] = sorted(common, key=ranks.__getitem__)
    return kept
