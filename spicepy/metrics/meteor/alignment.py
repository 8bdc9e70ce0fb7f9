"""Which words of a candidate METEOR 1.5 aligns with which words of a reference.

In: two prepared captions. Out: an `Alignment`, the chosen matches.

First all candidate matches are collected (exact, stem, synonym, paraphrase),
then a beam search walks over the reference and chooses among them. Both follow
the Java program in every quirk, since most of them change scores: half weights
cut to whole numbers, distances charged to the wrong path, 40 paths at most.

The search keeps a path as a tuple (cost, last, used, chosen):

    cost    one number that orders paths by weight of matched words (more is
            better), chunks, distance, in this order
    last    the candidate position after the previous match, -1 if no chunk is
            open
    used    bit set of the words taken: candidate words, then reference words
    chosen  linked list of matches, newest first
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass
from operator import itemgetter
from typing import Any

from spicepy.metrics.meteor.paraphrases import Occurrence, ParaphraseTable
from spicepy.metrics.meteor.relations import EXACT, PARAPHRASE, WordRelations

BEAM = 40

Match = tuple[int, int, int, int]
"""Matcher, first candidate word, words there, words in the reference."""

Alignment = list[tuple[int, Match]]
"""The chosen matches with their first reference word, in reference order."""

_Path = tuple[int, int, int, Any]
_Option = tuple[int, int, int, int, int, tuple[int, Match]]
_cost = itemgetter(0)


@dataclass(frozen=True, slots=True)
class Caption:
    """A caption as METEOR sees it.

    Attributes:
        words: normalised lower-case words.
        function: for each word, whether it is a function word.
        phrases: phrases of the paraphrase table in it.
    """

    words: tuple[str, ...]
    function: tuple[bool, ...]
    phrases: Sequence[Occurrence] = ()


def align(
    candidate: Caption,
    references: Sequence[Caption],
    relations: WordRelations,
    paraphrases: ParaphraseTable | None,
) -> Iterator[Alignment]:
    """Align a candidate with each of its references.

    Args:
        candidate: the caption to score.
        references: the captions it is compared with.
        relations: must have learnt the words of all these captions.
        paraphrases: the table their `phrases` come from, or None.
    """
    columns = _word_matches(candidate, references, relations)
    phrase_matches = None
    if paraphrases is not None:
        phrase_matches = _PhraseMatches(candidate, references, paraphrases)
    for reference in references:
        matches = [columns[word] for word in reference.words]
        if _identical(candidate.words, reference.words, relations):
            # Only exact matches are looked for between identical captions.
            matches = [[m for m in found if m[0] == EXACT] for found in matches]
        elif phrase_matches is not None:
            phrase_matches.add_to(matches, reference)
        yield _choose(matches, len(candidate.words))


def _word_matches(
    candidate: Caption, references: Sequence[Caption], relations: WordRelations
) -> dict[str, list[Match]]:
    """Exact, stem and synonym matches of every reference word, in this order."""
    columns: dict[str, list[Match]] = {
        word: [] for reference in references for word in reference.words
    }
    for i, word in enumerate(candidate.words):
        relatives = relations.relatives[word]
        for other in relatives.keys() & columns.keys():
            for matcher in relatives[other]:
                columns[other].append((matcher, i, 1, 1))
    for found in columns.values():
        if len(found) > 1:
            found.sort()
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

    Which phrases are rewritings of which is looked up once for all references.
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

    def add_to(self, matches: list[list[Match]], reference: Caption) -> None:
        """Append to the matches of every reference word, in METEOR's order."""
        added: defaultdict[int, list[Match]] = defaultdict(list)
        for j, length, phrase in reference.phrases:
            for right in self._from_reference.get(phrase, ()):
                for i, right_length in self._places[right]:
                    added[j].append((PARAPHRASE, i, right_length, length))
        places = _places(reference)
        for i, length, phrase in self._phrases:
            for right in self._from_candidate.get(phrase, ()):
                for j, right_length in places.get(right, ()):
                    added[j].append((PARAPHRASE, i, length, right_length))
        for j, found in added.items():
            matches[j] = matches[j] + found


def _places(caption: Caption) -> dict[int, list[tuple[int, int]]]:
    """Where each phrase of a caption stands: first words, ascending; length."""
    places: defaultdict[int, list[tuple[int, int]]] = defaultdict(list)
    for first, length, phrase in caption.phrases:
        places[phrase].append((first, length))
    return dict(places)


def _rewritings(
    lefts: Iterable[int], rights: Set[int], table: ParaphraseTable
) -> dict[int, list[int]]:
    """Of each left phrase the rewritings among the given, in file order."""
    found = {}
    for left in lefts:
        ranks = table.rewritings.get(left)
        common = ranks.keys() & rights if ranks else None
        if ranks and common:
            found[left] = sorted(common, key=ranks.__getitem__)
    return found


def _choose(matches: list[list[Match]], words: int) -> Alignment:
    """Choose among the matches of every reference word by beam search.

    Args:
        matches: for each reference word the matches that begin there; a match
            found twice is there twice and counts twice.
        words: number of words of the candidate.
    """
    definite = _definite(matches, words)
    alignment = list(definite.items())
    if len(definite) < sum(map(len, matches)):
        alignment += _search(matches, definite, words)
        alignment.sort()
    return alignment


def _definite(matches: list[list[Match]], words: int) -> dict[int, Match]:
    """Matches whose words, on both sides, no other match touches."""
    in_candidate = [0] * words
    in_reference = [0] * len(matches)
    for j, found in enumerate(matches):
        for _, i, length, reference_length in found:
            for at in range(i, i + length):
                in_candidate[at] += 1
            for at in range(j, j + reference_length):
                in_reference[at] += 1
    definite = {}
    for j, found in enumerate(matches):
        if len(found) == 1 and in_reference[j] == 1:
            _, i, length, reference_length = found[0]
            covered = in_candidate[i : i + length]
            covered += in_reference[j : j + reference_length]
            if max(covered) == 1:
                definite[j] = found[0]
    return definite


def _search(
    matches: list[list[Match]], definite: dict[int, Match], words: int
) -> Alignment:
    """The beam search: the matches chosen beside the definite ones."""
    distances = sum(abs(m[1] - j) for j, found in enumerate(matches) for m in found)
    chunk = distances + 1  # one chunk outweighs all distances,
    weight = chunk * (len(matches) + 2)  # one matched word all chunks
    paths: list[_Path] = [(0, -1, 0, None)]
    definite_end = 0  # the latest definite match ends before this word,
    occupied = 0  # the other matches begun so far before this one
    chunks_open = False  # on any path; if not, skipping a word changes nothing
    for j, found in enumerate(matches):
        if j < definite_end:
            continue
        if j in definite:
            paths = _extend(_best(paths), j, definite[j], chunk, weight)
            definite_end = j + definite[j][3]
            chunks_open = True
        elif found or j < occupied:
            options = [_option(j, match, words, weight) for match in found]
            paths = _branch(_best(paths), options, 1 << (words + j), chunk)
            occupied = max([occupied, *(j + match[3] for match in found)])
            chunks_open = True
        elif chunks_open:
            paths = _close_chunks(_best(paths), chunk)
            chunks_open = False
    paths = _close_chunks(_best(paths), chunk)
    chosen = min(paths, key=_cost)[3]
    steps: Alignment = []
    while chosen is not None:
        chosen, step = chosen
        steps.append(step)
    return steps


def _best(paths: list[_Path]) -> list[_Path]:
    """The beam: the first 40 paths in order of cost, ties in order of age."""
    if len(paths) > 1:
        paths.sort(key=_cost)
        del paths[BEAM:]
    return paths


def _gain(match: Match) -> int:
    """The search counts half a word for non-exact matches, cut to whole words."""
    matcher, _, length, reference_length = match
    return 2 if matcher == EXACT else length // 2 + reference_length // 2


def _extend(
    paths: list[_Path], j: int, match: Match, chunk: int, weight: int
) -> list[_Path]:
    """Take a definite match on every path."""
    _, i, length, _ = match
    step = abs(i - j) - _gain(match) * weight
    return [
        (cost + step + (chunk if last not in (-1, i) else 0), i + length, used, chosen)
        for cost, last, used, chosen in paths
    ]


def _option(j: int, match: Match, words: int, weight: int) -> _Option:
    """What taking a match costs: (bits, begin, end, gain, distance, step)."""
    _, i, length, reference_length = match
    bits = ((1 << length) - 1) << i | ((1 << reference_length) - 1) << (words + j)
    return bits, i, i + length, _gain(match) * weight, abs(i - j), (j, match)


def _branch(
    paths: list[_Path], options: list[_Option], here: int, chunk: int
) -> list[_Path]:
    """Take each possible match, or skip the word `here`, on every path."""
    grown: list[_Path] = []
    for path in paths:
        cost, last, used, chosen = path
        if used & here:  # inside an earlier match of this path
            grown.append(path)
            continue
        for bits, begin, end, gain, distance, step in options:
            if not used & bits:
                paid = cost - gain
                if last >= 0 and last != begin:
                    paid += chunk
                grown.append((paid, end, used | bits, (chosen, step)))
                # The distance falls to the paths that branch off after it.
                cost += distance
        grown.append((cost if last < 0 else cost + chunk, -1, used, chosen))
    return grown


def _close_chunks(paths: list[_Path], chunk: int) -> list[_Path]:
    return [
        (cost if last < 0 else cost + chunk, -1, used, chosen)
        for cost, last, used, chosen in paths
    ]
