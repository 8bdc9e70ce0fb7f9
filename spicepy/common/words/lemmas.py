"""Lemmas of words with Penn tags, as SPICE's lemmatiser (Morpha) has them.

The tag decides what may happen: verbs and plural nouns lose their ending,
pronouns and modals have a short table, every other word stays as it is.
A table of suffixes gives what endings turn into (`lemma_suffixes.tsv`,
made by `training/words/lemmas.py`): the longest suffix of the word in the
table wins, and a whole word is its own longest suffix.
"""

from functools import lru_cache
from importlib.resources import files

START = "^"
"""Marks the start of a word, so that a whole word can be a table entry."""

LONGEST = 8
"""The number of letters of the longest suffix in the table that is not a whole word."""

Edits = dict[str, tuple[int, str]]
"""Suffix -> (letters to strip, letters to add)."""


@lru_cache(maxsize=1 << 17)
def lemmatize(word: str, tag: str) -> str:
    """Return the lemma of a word with a Penn Treebank tag.

    The lemma is in lower case, except that of a proper noun (NNP, NNPS),
    which is the word itself.

    Source: Minnen, Carroll and Pearce (2001), Applied morphological
    processing of English; the table is inferred from that program's output.

    >>> lemmatize("riding", "VBG"), lemmatize("shelves", "NNS")
    ('ride', 'shelf')
    """
    if tag.startswith("NNP"):
        return word
    word = word.lower()
    edits = _edits().get(tag_class(tag))
    return word if edits is None else apply_edits(word, edits)


def tag_class(tag: str) -> str:
    """Return the table a tag uses: all verb tags share one."""
    return "V" if tag.startswith("VB") else tag


def apply_edits(word: str, edits: Edits) -> str:
    """Apply the edit of the longest suffix of `word` that has one."""
    marked = START + word
    edit = edits.get(marked)
    size = min(len(word), LONGEST)
    while edit is None and size >= 0:
        edit = edits.get(word[len(word) - size :])
        size -= 1
    if edit is None:
        return word
    strip, add = edit
    return word[: len(word) - strip] + add if strip < len(word) or add else word


@lru_cache(maxsize=1)
def _edits() -> dict[str, Edits]:
    tables: dict[str, Edits] = {}
    path = files(__package__) / "lemma_suffixes.tsv"
    for line in path.read_text(encoding="utf-8").split("\n"):
        if line and not line.startswith("# "):
            kind, suffix, strip, add = line.split("\t")
            tables.setdefault(kind, {})[suffix] = (int(strip), add)
    return tables
