"""The alignment of a candidate's words with those of a reference, by METEOR 1.5.

In: two prepared captions. Out: an `Alignment`, the chosen matches.

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

from collections.abc import Iterator, Sequence
from operator import itemgetter
from typing import Any

from spicepy.metrics.meteor.matches import AlignedPhrase, Caption, matches_of
from spicepy.metrics.meteor.paraphrases import ParaphraseTable
from spicepy.metrics.meteor.relations import EXACT, WordRelations

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
    """Align a candidate with each of its references.

    Args:
        candidate: The caption to score.
        references: The captions it is compared with.
        relations: The relations of words, of all these captions at least.
        paraphrases: The table their `phrases` come from, or None.
    """
    for matches in matches_of(candidate, references, relations, paraphrases):
        yield _choose(matches, len(candidate.words))


def _choose(matches: list[list[AlignedPhrase]], words: int) -> Alignment:
    """Choose among the matches of every reference word by a beam search.

    Args:
        matches: For each reference word the matches that begin there; a match
            found twice is there twice and counts twice.
        words: Number of words of the candidate.
    """
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
