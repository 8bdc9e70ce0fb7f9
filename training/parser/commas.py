"""Sentences with commas, and their trees, for a parser that reads commas.

In: COCO captions, DiscoSG's descriptions and answers of large models as they were
written; a network that reads no commas, and two stock models that do. Out: trees with
commas, whose heads follow from the other words'.

The stock models know what a comma parts, the network how captions are built: the trees
are voted for on the words alone, and the commas come back in afterwards.
"""

import gzip
import json
import lzma
import random
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice, pairwise
from pathlib import Path
from typing import Final

from spicepy.parsing.bundled.network import Network
from spicepy.parsing.trees import drop_unread_marks, mark_tag, positions_read
from spicepy.tokenization.samples import COMMA, split_sentences
from training.grammar.kbest import Candidate
from training.parser.convert import Row, read_conllu
from training.parser.learning import is_known, rows_of
from training.parser.repairs import repaired
from training.parser.teachers import Task, trees
from training.parser.voted import STOCK, load, stock_trees

LONGEST: Final = 45
"""The number of words of the longest sentence that is learnt from."""

FEWEST: Final = 4
"""The number of words of the shortest one."""

KEPT_OUT: Final = 5
"""One description of so many is for measuring only."""

_TEXT: Final = "# text = "

VOTES: Final = (4.0, 3.0)
"""The weight of each stock model's vote, in nats."""


def written_sentences(shared: Path, size: int, seed: int) -> list[list[str]]:
    """Return sentences as the parser reads them, with commas.

    Args:
        shared: The folder of the material.
        size: The number of COCO captions with a comma, and of answers' sentences; all
            sentences of descriptions are taken.
        seed: Random seed of the choice.
    """
    numbers = random.Random(seed)
    captions = [text for text in _coco(shared) if COMMA in text.strip(" ,\n")]
    chosen = numbers.sample(captions, min(size, len(captions)))
    answers = _answers(shared)
    numbers.shuffle(answers)
    answered = islice(_sentences(answers), size)
    described = _sentences(_descriptions(shared))
    known = dict.fromkeys(chain(_sentences(chosen), answered, described))
    return [list(words) for words in known]


def trees_with_commas(
    network: Network, sentences: Sequence[Sequence[str]], verbal: frozenset[str]
) -> list[list[Row]]:
    """Return the trees of sentences, without those that cannot be repaired.

    Args:
        network: A network, which gets the words without commas.
        sentences: Words and commas.
        verbal: Words that are verbs where they may be nouns; see `verbal_words`.
    """
    votes = [stock_trees(load(name), sentences) for name in STOCK]
    tasks = [
        Task(
            [word for word in words if word != COMMA],
            [_without_commas(words, x) if x else None for x in opinions],
        )
        for words, *opinions in zip(sentences, *votes, strict=True)
    ]
    found = []
    for words, task, tree in zip(sentences, tasks, trees(network, tasks, VOTES)):
        rows = repaired(rows_of(task.words, tree), verbal)
        if rows and any(task.teachers) and is_known(rows, network.names):
            before = _before(words)
            found.append(with_commas(with_absolutes(rows, before), before))
    return [rows for rows in found if not parts_a_name(rows)]


def annotated_trees(path: Path) -> Iterator[list[Row]]:
    """Yield the trees of annotated captions, also with commas where they have some."""
    with path.open(encoding="utf-8") as lines:
        texts = [line[len(_TEXT) :] for line in lines if line.startswith(_TEXT)]
    for rows, text in zip(read_conllu([path]), texts, strict=True):
        yield rows
        if COMMA in text:
            words = split_sentences(text, commas=True)[0].split()
            yield with_commas(rows, _before(words))


def with_absolutes(rows: list[Row], before: Sequence[int]) -> list[Row]:
    """Make clauses of what an owner after a comma begins: "its mane standing up".

    Teachers take its noun for an object or a conjunct of what was said before; it is
    the subject of the participle, adjective or place that follows.

    Args:
        rows: The tree of the words.
        before: For each comma the number of words before it, in order.
    """
    mended = list(rows)
    for start, end in pairwise([*before, len(rows)]):
        owns = start < end and rows[start][1] == "PRP$"
        noun = rows[start][3] if owns else 0
        above = rows[noun - 1][3] if noun else 0
        if not start < noun < end or not 0 < above <= start:
            continue
        said = _predicate(mended, noun, above, end)
        if said:
            passive = rows[said - 1][1] == "VBN"
            _hang(mended, noun, said, "nsubjpass" if passive else "nsubj")
            _hang(mended, said, above, "advcl")
            for place in range(said + 1, end + 1):
                if mended[place - 1][3] == above:
                    _hang(mended, place, said, mended[place - 1][4])
    return mended


def _predicate(rows: Sequence[Row], noun: int, above: int, end: int) -> int:
    """Return the place of what is said of a noun; 0 if nothing is."""
    for tags, labels in (
        (("VBG", "VBN", "JJ"), ("acl", "advcl", "amod", "xcomp", "dep", "conj")),
        (("NN", "NNS"), ("nmod",)),
    ):
        for place in range(noun + 1, end + 1):
            _, tag, _, head, label = rows[place - 1]
            if head in (noun, above) and tag in tags and label in labels:
                return place
    return 0


def _hang(rows: list[Row], place: int, head: int, label: str) -> None:
    rows[place - 1] = (*rows[place - 1][:3], head, label)


def with_commas(rows: Sequence[Row], before: Sequence[int]) -> list[Row]:
    """Put commas into a tree.

    A comma hangs on the head of the shortest arc across it, or else on the root, so
    that the tree stays projective and the words alone decide.

    Args:
        rows: The tree of the words.
        before: For each comma the number of words before it, in order.
    """
    words: list[tuple[int, Row | None]] = [
        *((place, row) for place, row in enumerate(rows, 1)),
        *((place, None) for place in before),
    ]
    # A comma comes after the word of its place.
    words.sort(key=lambda x: (x[0], x[1] is None))
    to = {0: 0} | {place: new for new, (place, row) in enumerate(words, 1) if row}
    return [
        (*row[:3], to[row[3]], row[4])
        if row
        else (COMMA, COMMA, COMMA, to[_head_of_comma(rows, place)], "punct")
        for place, row in words
    ]


def parts_a_name(rows: Sequence[Row]) -> bool:
    """Return whether a comma stands inside a compound: such a tree is wrong."""
    commas = [place for place, row in enumerate(rows, 1) if row[0] == COMMA]
    return any(
        row[4] == "compound" and min(place, row[3]) < comma < max(place, row[3])
        for place, row in enumerate(rows, 1)
        for comma in commas
    )


def _head_of_comma(rows: Sequence[Row], before: int) -> int:
    across = [
        (abs(row[3] - place), row[3])
        for place, row in enumerate(rows, 1)
        if row[3] and min(place, row[3]) <= before < max(place, row[3])
    ]
    root = next(place for place, row in enumerate(rows, 1) if not row[3])
    return min(across, default=(0, root))[1]


def _before(words: Iterable[str]) -> list[int]:
    """Return the number of words before each comma."""
    count, found = 0, []
    for word in words:
        if word == COMMA:
            found.append(count)
        else:
            count += 1
    return found


def _without_commas(words: Sequence[str], tree: Candidate) -> Candidate | None:
    """Take the commas out of a tree; None if a word hangs on one."""
    kept = [place for place, word in enumerate(words, 1) if word != COMMA]
    to = {0: 0} | {place: new for new, place in enumerate(kept, 1)}
    if any(tree.heads[place - 1] not in to for place in kept):
        return None
    return Candidate(
        tuple(tree.tags[place - 1] for place in kept),
        tuple(to[tree.heads[place - 1]] for place in kept),
        tuple(tree.labels[place - 1] for place in kept),
    )


def _sentences(texts: Iterable[str]) -> Iterator[tuple[str, ...]]:
    """Yield the sentences of texts as the parser reads them."""
    for text in texts:
        for sentence in split_sentences(text, commas=True):
            words = sentence.split()
            words = drop_unread_marks(words, positions_read(words, True))
            if FEWEST <= len(words) <= LONGEST and not mark_tag(words[0]):
                yield tuple(words)


def _coco(shared: Path) -> Iterator[str]:
    path = shared / "oracle" / "ngram" / "coco_train_raw.txt.gz"
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        yield from lines


def _answers(shared: Path) -> list[str]:
    path = shared / "annotations" / "goldens_lvlm.jsonl.xz"
    with lzma.open(path, "rt", encoding="utf-8") as lines:
        return list(dict.fromkeys(json.loads(line)["caption"] for line in lines))


def _descriptions(shared: Path) -> Iterator[str]:
    path = shared / "scene-graphs" / "discosg-train.jsonl.gz"
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for number, line in enumerate(lines):
            if number % KEPT_OUT:
                yield json.loads(line)["caption"]
