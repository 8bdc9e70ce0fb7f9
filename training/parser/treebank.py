"""Conversion of a gold treebank to trees of the caption parser's kind.

In: trees in Universal Dependencies v2. Out: version 1, lower case, no punctuation
marks but commas, where they are asked for.

UD English EWT (Silveira et al. 2014), CC BY-SA 4.0. What is annotated in another way
than the parser's labels can say (version 1 as Stanford's converter uses it, see
`fixtures/domains/README.md`) is changed; sentences for which that is not possible
are left out.
"""

import gzip
from collections.abc import Iterator
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING

from spicepy.parsing.trees import PAUSES, mark_tag
from spicepy.words.morphology import lemmatize
from training.parser.commas import with_commas

if TYPE_CHECKING:
    from training.parser.convert import Row

RENAMED = {
    "advcl:relcl": "advcl",
    "aux:pass": "auxpass",
    "csubj:outer": "csubj",
    "csubj:pass": "csubj",
    "dislocated": "dep",
    "fixed": "mwe",
    "flat": "compound",
    "list": "dep",
    "nmod:desc": "compound",
    "nmod:unmarked": "nmod:npmod",
    "nsubj:outer": "nsubj",
    "nsubj:pass": "nsubjpass",
    "obj": "dobj",
    "obl": "nmod",
    "obl:agent": "nmod",
    "obl:unmarked": "nmod:npmod",
    "orphan": "dep",
    "reparandum": "dep",
    "vocative": "dep",
}
"""Labels of version 2 -> those of version 1."""

NEGATIONS = {"not", "n't", "no", "never"}
TIMES = {
    *("today", "tonight", "tomorrow", "yesterday", "day", "days", "night", "nights"),
    *("morning", "evening", "afternoon", "week", "weeks", "month", "months", "year"),
    *("years", "summer", "winter", "spring", "fall", "monday", "tuesday", "wednesday"),
    *("thursday", "friday", "saturday", "sunday"),
}
"""Nouns that tell a time without a preposition."""

SPLIT = {"GW", "HYPH", "AFX", "ADD", "XX", "NFP"}
"""Tags of what is one word for the tokeniser, or none."""


def read_treebank(path: Path, *, commas: bool = False) -> "Iterator[list[Row]]":
    """Yield the trees of a gzipped CoNLL-U file that can be converted.

    Args:
        path: The file.
        commas: Whether marks at which a reader pauses stay in, as commas.
    """
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        blocks = lines.read().strip().split("\n\n")
    for block in blocks:
        cells = [line.split("\t") for line in block.split("\n") if line[0] != "#"]
        cells = [row for row in cells if row[0].isdigit()]
        if rows := converted(cells, commas=commas):
            yield rows


def converted(cells: list[list[str]], *, commas: bool = False) -> "list[Row]":
    """Turn the columns of a sentence's words into rows; none if it cannot be done."""
    words = ["", *(row[1].lower() for row in cells)]
    tags = ["", *(row[4] for row in cells)]
    heads = [0, *(int(row[6]) for row in cells)]
    labels = ["", *(row[7] for row in cells)]
    if SPLIT & set(tags) or "goeswith" in labels or any(" " in w for w in words):
        return []
    _turn_names(heads, labels)
    for place in range(1, len(words)):
        _rename(place, words, tags, heads, labels)
    rows = _without_marks(words, tags, heads, labels)
    return with_commas(rows, _pauses(words)) if rows and commas else rows


def _turn_names(heads: list[int], labels: list[str]) -> None:
    """Make the last word of a name its head."""
    for first in range(1, len(heads)):
        parts = [
            place
            for place in range(1, len(heads))
            if heads[place] == first and labels[place] == "flat"
        ]
        if not parts:
            continue
        last = parts[-1]
        for place in range(1, len(heads)):
            if heads[place] == first and place != last:
                heads[place] = last
        heads[last], labels[last] = heads[first], labels[first]
        heads[first], labels[first] = last, "compound"


def _rename(
    place: int, words: list[str], tags: list[str], heads: list[int], labels: list[str]
) -> None:
    word, label, head = words[place], labels[place], heads[place]
    if word == "to" and tags[place] == "IN":
        tags[place] = "TO"
    if label == "cc" and labels[head] == "conj":
        heads[place] = heads[head]  # of the first conjunct, as in version 1
    if label in ("advmod", "det") and word in NEGATIONS:
        label = "neg"
    elif label == "obl:unmarked" and word in TIMES:
        label = "nmod:tmod"
    elif label == "fixed" and (words[head], word) == ("out", "of"):
        label, heads[place] = "case", heads[head]
    labels[place] = RENAMED.get(label, label)


def _without_marks(
    words: list[str], tags: list[str], heads: list[int], labels: list[str]
) -> "list[Row]":
    marks = {at for at, word in enumerate(words) if at and mark_tag(word)}
    kept = [at for at in range(1, len(words)) if at not in marks]
    if any(heads[at] in marks for at in kept) or not kept:
        return []
    to = {0: 0} | {at: new for new, at in enumerate(kept, 1)}
    return [
        (
            words[at],
            tags[at],
            lemmatize(words[at], tags[at]),
            to[heads[at]],
            "root" if not heads[at] else labels[at],
        )
        for at in kept
    ]


def _pauses(words: list[str]) -> list[int]:
    """Return for each pause inside a sentence the number of words before it."""
    counts = list(accumulate(not mark_tag(word) for word in words[1:]))
    pauses = {count for count, x in zip(counts, words[1:]) if x in PAUSES}
    return sorted(pauses - {0, counts[-1]})  # marks in a row are one pause
