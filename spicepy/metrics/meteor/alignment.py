"""The alignment of a candidate's words with those of a reference, by METEOR 1.5.

First all matches are collected (`matches`), then a beam search walks over the
reference and chooses among them. Both follow the Java program in every quirk,
since most of them change scores: half weights cut to whole numbers, distances
charged to the wrong path, 40 paths at most.

The search keeps a path as a tuple (cost, last, used, chosen):

    cost    one number that orders paths by weight of matched words (more is
            better), chunks, distance, in this order
    last    the candidate position after the previous match, -1 if no chunk is
            open
    used    bit set of the words taken: candidate words, then reference words
    chosen  linked list of matches, newest first
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from dataclasses import dataclass
from operator import itemgetter
from typing import Any

from spicepy.common.java_hash import string_hash
from spicepy.common.threads import LOCK
from spicepy.metrics.meteor.paraphrases import Occurrence, ParaphraseTable
from spicepy.words.morphology import stem

# Relations of words in METEOR 1.5: identity, stems, synonyms, function words.
#
# The relation is symmetric, so that each word is compared once, when it is first seen;
# alignment then needs dictionary look-ups only.

EXACT, STEM, SYNONYM, PARAPHRASE = range(4)

SynsetIds = Callable[[str], frozenset[int]]


class WordRelations:
    """The relations of all words seen so far, which grow with `learn`."""

    # `relatives` is word -> {word it matches: matchers that match the two, in METEOR's
    # order}. Every word is its own relative (exact).

    def __init__(self, synonyms: SynsetIds) -> None:
        self.relatives: dict[str, dict[str, tuple[int, ...]]] = {}
        self._synonyms = synonyms
        self._sharing: tuple[defaultdict[int, list[str]], ...] = tuple(
            defaultdict(list) for _ in (EXACT, STEM, SYNONYM)
        )

    def learn(self, words: Iterable[str]) -> None:
        """Add the words that are new."""
        with LOCK:
            for word in words:
                if word not in self.relatives:
                    self._add(word)

    def _add(self, word: str) -> None:
        # METEOR compares words by Java's hash code, which a few words share: "tv" and
        # "v8" are equal to it.
        identity, stemmed = string_hash(word), string_hash(stem(word))
        properties = ((identity,), (stemmed,), self._synonyms(word))
        matches: defaultdict[str, list[int]] = defaultdict(list)
        for matcher, keys in enumerate(properties):
            sharing = self._sharing[matcher]
            for key in keys:
                sharing[key].append(word)
            for other in {other for key in keys for other in sharing[key]}:
                # Words of one identity match exactly and in no other way.
                if matcher == EXACT or EXACT not in matches[other]:
                    matches[other].append(matcher)
        self.relatives[word] = {}
        for other, matchers in matches.items():
            self.relatives[word][other] = tuple(matchers)
            self.relatives[other][word] = tuple(matchers)


# All matches of a candidate's words with those of its references, for METEOR 1.5.

AlignedPhrase = tuple[int, int, int, int]
"""Matcher, first candidate word, words there, words in the reference."""


@dataclass(frozen=True, slots=True)
class Caption:
    """A caption in the form that METEOR aligns."""

    words: tuple[str, ...]  # Normalised lower-case words
    function: tuple[bool, ...]  # For each word, whether it is a function word
    phrases: Sequence[Occurrence] = ()  # Phrases of the paraphrase table in it


def matches_of(
    candidate: Caption,
    references: Sequence[Caption],
    relations: WordRelations,
    paraphrases: ParaphraseTable | None,
) -> Iterator[list[list[AlignedPhrase]]]:
    """Yield the matches of every reference's words."""
    # Arguments as for `spicepy.metrics.meteor.alignment.align`.
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
    """Paraphrase matches of one candidate with its references."""

    # Rewritings are looked up once for all references.

    def __init__(
        self, candidate: Caption, references: Sequence[Caption], table: ParaphraseTable
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


BEAM = 40

Alignment = list[tuple[int, AlignedPhrase]]
"""The chosen matches with their first reference word, in reference order."""

_Path = tuple[int, int, int, Any]
_Option = tuple[int, int, int, int, int, tuple[int, AlignedPhrase]]
_cost = itemgetter(0)


def align(
    candidate: Caption,
    references: Sequence[Caption],
    relations: WordRelations,
    paraphrases: ParaphraseTable | None,
) -> Iterator[Alignment]:
    """Align a candidate with each of its references."""
    for matches in matches_of(candidate, references, relations, paraphrases):
        yield _choose(matches, len(candidate.words))


def _choose(matches: list[list[AlignedPhrase]], words: int) -> Alignment:
    """Choose among the matches of every reference word by a beam search."""
    # A match found twice is twice in the list of the word where it begins and counts
    # twice. `words` is the number of words of the candidate.
    definite = _definite(matches, words)
    alignment = list(definite.items())
    if len(definite) < sum(map(len, matches)):
        alignment += _search(matches, definite, words)
        alignment.sort()
    return alignment


def _definite(
    matches: list[list[AlignedPhrase]], words: int
) -> dict[int, AlignedPhrase]:
    """Return matches whose words, on both sides, no other match touches."""
    in_candidate = [0] * words
    in_reference = [0] * len(matches)
    for j, options in enumerate(matches):
        for _, i, length, reference_length in options:
            for at in range(i, i + length):
                in_candidate[at] += 1
            for at in range(j, j + reference_length):
                in_reference[at] += 1
    definite = {}
    for j, options in enumerate(matches):
        if len(options) == 1 and in_reference[j] == 1:
            _, i, length, reference_length = options[0]
            covered = in_candidate[i : i + length]
            covered += in_reference[j : j + reference_length]
            if max(covered) == 1:
                definite[j] = options[0]
    return definite


def _search(
    matches: list[list[AlignedPhrase]], definite: dict[int, AlignedPhrase], words: int
) -> Alignment:
    """Return the beam search: the matches chosen beside the definite ones."""
    distances = sum(abs(m[1] - j) for j, listed in enumerate(matches) for m in listed)
    chunk = distances + 1  # one chunk outweighs all distances,
    weight = chunk * (len(matches) + 2)  # one matched word all chunks
    paths: list[_Path] = [(0, -1, 0, None)]
    definite_end = 0  # the latest definite match ends before this word,
    occupied = 0  # the other matches begun so far before this one
    chunks_open = False  # on any path; if not, skipping a word changes nothing
    for j, own in enumerate(matches):
        if j < definite_end:
            continue
        if j in definite:
            paths = _extend(_best(paths), j, definite[j], chunk, weight)
            definite_end = j + definite[j][3]
            chunks_open = True
        elif own or j < occupied:
            options = [_option(j, match, words, weight) for match in own]
            paths = _branch(_best(paths), options, 1 << (words + j), chunk)
            occupied = max([occupied, *(j + match[3] for match in own)])
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
    """Return the beam: the first 40 paths in order of cost, ties in order of age."""
    if len(paths) > 1:
        paths.sort(key=_cost)
        del paths[BEAM:]
    return paths


def _gain(match: AlignedPhrase) -> int:
    """Return the words of a match, halved unless exact, cut to whole words."""
    matcher, _, length, reference_length = match
    return 2 if matcher == EXACT else length // 2 + reference_length // 2


def _extend(
    paths: list[_Path], j: int, match: AlignedPhrase, chunk: int, weight: int
) -> list[_Path]:
    """Take a definite match on every path."""
    _, i, length, _ = match
    step = abs(i - j) - _gain(match) * weight
    return [
        (cost + step + (chunk if last not in (-1, i) else 0), i + length, used, chosen)
        for cost, last, used, chosen in paths
    ]


def _option(j: int, match: AlignedPhrase, words: int, weight: int) -> _Option:
    """Return the cost of a match: (bits, begin, end, gain, distance, step)."""
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
                # The distance is charged to the paths that branch off after it.
                cost += distance
        grown.append((cost if last < 0 else cost + chunk, -1, used, chosen))
    return grown


def _close_chunks(paths: list[_Path], chunk: int) -> list[_Path]:
    return [
        (cost if last < 0 else cost + chunk, -1, used, chosen)
        for cost, last, used, chosen in paths
    ]
