"""Trees of teachers in, trees without mistakes that can be seen from outside out.

Parsers read captions as noun phrases that are sentences ("a clock ticks"), and others
that learnt from newspapers as sentences that are noun phrases ("a hydrant painted
red"); most of the time the words themselves say that this cannot be.
"""

from collections import Counter
from collections.abc import Container, Iterable
from typing import TYPE_CHECKING

from spicepy.words.morphology import lemmatize

if TYPE_CHECKING:
    from training.parser.convert import Row

PLACES = {"on", "in", "near", "at", "under", "onto", "above", "behind", "beside", "to"}
"""Prepositions after which an activity is a place or thing: "on cutting board"."""

VERBAL = 0.75
"""Share of participles among the uses of a word that is not a noun."""

TIED = {"attached", "connected", "fastened", "hooked", "tied", "holding", "next"}
"""Words after which "to" stands before a noun: "bananas attached to stem"."""

POSTURES = {"standing", "sitting", "lying", "laying", "walking", "grazing", "eating"}
"""Participles that hang on the noun before them: "a zebra standing in grass"."""

NEGATIONS = {"no", "not", "n't", "never"}
PLURAL_ALONE = {
    "glasses", "pants", "jeans", "shorts", "scissors", "stairs", "skis", "tongs",
    "headphones", "sunglasses", "goggles", "binoculars", "tights", "clothes", "woods",
    "series", "species", "crossroads", "barracks", "headquarters", "tennis", "lens",
}  # fmt: skip
"""Plurals that have no singular, or none that is written differently."""


def settled(rows: "list[Row]") -> "list[Row]":
    """Settle what teachers have different conventions for."""
    found = []
    for at, (word, tag, _, head, label) in enumerate(rows):
        if word == "to" and tag == "IN":
            tag = "TO"
        if word == "next" and at + 1 < len(rows) and rows[at + 1][0] == "to":
            tag = "JJ"
        if tag.startswith("NNP"):  # names are not seen in lower case
            tag = "NNS" if tag == "NNPS" else "NN"
        if word in NEGATIONS and label in ("det", "advmod"):
            label = "neg"
        found.append((word, tag, lemmatize(word, tag), head, label))
    return found


def repaired(rows: "list[Row]", verbal: Container[str] = ()) -> "list[Row] | None":
    """Mend a tree, or return None if it is wrong and cannot be mended.

    Args:
        rows: The tree.
        verbal: Words in -ing that are hardly ever nouns (`verbal_words`).
    """
    words, tags, _, heads, labels = map(list, zip(*settled(rows), strict=True))
    for at in range(len(words)):
        if words[at] in verbal or words[at] in POSTURES:
            _lower_gerund(at, tags, heads, labels)
        elif words[at].endswith("ing"):
            _join_gerund(at, words, tags, heads, labels)
        if _is_verb_read_as_plural(at, words, tags, heads) and not _raise_verb(
            at, tags, heads, labels
        ):
            return None
        if _is_participle_read_as_past(at, tags, heads, labels):
            _lower_participle(at, tags, heads, labels)
        if _is_participle_read_as_noun(at, words, tags, heads, labels):
            return None
        if labels[at] == "mwe" and tags[at].startswith("NN"):
            return None
        _mend_phrase(at, words, tags, heads, labels)
    _flatten_series(heads, labels)
    lemmas = [lemmatize(word, tag) for word, tag in zip(words, tags)]
    return list(zip(words, tags, lemmas, heads, labels, strict=True))


def _mend_phrase(
    at: int, words: list[str], tags: list[str], heads: list[int], labels: list[str]
) -> None:
    """Mend what single words begin."""
    _raise_doer(at, tags, heads, labels)
    if words[at : at + 2] == ["full", "of"]:
        _fill(at, heads, labels)
    if words[at : at + 2] == ["back", "of"]:
        _place(at, tags, heads, labels)
    if words[at] == "to" and labels[at] == "mark":
        _end_of_tie(at, words, tags, heads, labels)
    if words[at] == "leaves" and tags[at] == "VBZ":
        _lower_leaves(at, tags, heads, labels)


def verbal_words(tagged: Iterable[tuple[str, str]]) -> frozenset[str]:
    """Find the words in -ing that are participles nearly always.

    Args:
        tagged: Words with their tags, of many captions.
    """
    counts: dict[str, Counter[str]] = {}
    for word, tag in tagged:
        if word.endswith("ing"):
            counts.setdefault(word, Counter())[tag] += 1
    return frozenset(
        word
        for word, tags in counts.items()
        if tags["VBG"] >= VERBAL * tags.total() and tags.total() >= 5
    )


def _lower_gerund(
    at: int, tags: list[str], heads: list[int], labels: list[str]
) -> None:
    """Hang "grazing" on "zebra" where the two were read as one noun."""
    noun = at - 1
    if (
        tags[at] != "NN"
        or labels[at] != "root"
        or noun < 0
        or (heads[noun], labels[noun]) != (at + 1, "compound")
        or not tags[noun].startswith("NN")
    ):
        return
    for child in _children(at, heads):
        if child < noun:
            heads[child] = noun + 1
    heads[noun], labels[noun] = 0, "root"
    heads[at], labels[at], tags[at] = noun + 1, "acl", "VBG"


def _join_gerund(
    at: int, words: list[str], tags: list[str], heads: list[int], labels: list[str]
) -> None:
    """Make one thing of "cutting board" after a preposition of place."""
    noun = at + 1
    if (
        not 0 < at < len(words) - 1
        or words[at - 1] not in PLACES
        or tags[at] != "VBG"
        or (heads[noun], labels[noun]) != (at + 1, "dobj")
        or not tags[noun].startswith("NN")
        or heads[at - 1] != at + 1
    ):
        return
    heads[noun], labels[noun] = heads[at], "nmod"
    for child in _children(at, heads):
        heads[child] = noun + 1
    heads[at - 1], labels[at - 1] = noun + 1, "case"
    heads[at], labels[at], tags[at] = noun + 1, "compound", "NN"


def _fill(at: int, heads: list[int], labels: list[str]) -> None:
    """Hang what follows "full of" on "full"."""
    noun = heads[at + 1] - 1
    if labels[noun] == "nmod" and heads[noun] - 1 <= at:
        heads[noun] = at + 1


def _place(at: int, tags: list[str], heads: list[int], labels: list[str]) -> None:
    """Make a place of "back" in "sitting on back of a truck"."""
    before = at - 1
    if before < 0 or labels[before] != "compound:prt" or labels[at] != "advmod":
        return
    heads[before], labels[before], tags[before] = at + 1, "case", "IN"
    labels[at], tags[at] = "nmod", "NN"


def _end_of_tie(
    at: int, words: list[str], tags: list[str], heads: list[int], labels: list[str]
) -> None:
    """Make a noun of "stem" in "attached to stem"."""
    noun = heads[at] - 1
    verb = heads[noun] - 1
    alone = _children(noun, heads) == [at] and noun == at + 1
    if tags[noun] != "VB" or not alone or verb < 0:
        return
    tied = at - 1 if words[at - 1] == "next" else verb
    if words[tied] not in TIED:  # "a bolt holding a sign to post": hangs on the sign
        tied = heads[verb] - 1
    if tied >= 0 and words[tied] in TIED:
        heads[noun], labels[noun], tags[noun] = tied + 1, "nmod", "NN"
        labels[at] = "case"


def _lower_leaves(
    at: int, tags: list[str], heads: list[int], labels: list[str]
) -> None:
    """Make a noun of "leaves" in "leaves lying on the ground"."""
    below = _children(at, heads)
    if any(labels[x] in ("nsubj", "nsubjpass", "dobj", "aux") for x in below):
        return
    tags[at] = "NNS"
    for child in below:
        if labels[child] in ("xcomp", "advcl"):
            labels[child] = "acl"


def _raise_doer(at: int, tags: list[str], heads: list[int], labels: list[str]) -> None:
    """Attach "holding bat" to "batter", which was read as its object."""
    doer, obj = at - 1, heads[at] - 1
    if (
        doer < 0
        or (tags[at], labels[at]) != ("VBG", "amod")
        or obj <= at
        or (heads[doer], labels[doer]) != (at + 1, "dobj")
        or not tags[doer].startswith("NN")
    ):
        return
    heads[doer], labels[doer] = heads[obj], labels[obj]
    heads[at], labels[at] = doer + 1, "acl"
    for child in _children(obj, heads):
        if child < doer:
            heads[child] = doer + 1
    heads[obj], labels[obj] = at + 1, "dobj"


def _flatten_series(heads: list[int], labels: list[str]) -> None:
    """Hang all members of a series, and its "and", on the first of them.

    Without commas, "a cup a plate and a fork" looks like an apposition.
    """
    for at, label in enumerate(labels):
        below = _children(at, heads)
        joint = [x for x in below if labels[x] in ("conj", "cc") and x > at]
        if label not in ("appos", "conj", "dep") or len(joint) < 2:
            continue
        head = heads[at] - 1
        if head > at or (label == "dep" and labels[head] != "root"):
            continue
        labels[at] = "conj"
        for child in joint:
            heads[child] = head + 1
    for at, label in enumerate(labels):
        first = heads[at] - 1
        if label == "cc" and labels[first] == "conj" and heads[first] - 1 < first:
            below = _children(first, heads)
            if not any(labels[child] == "conj" for child in below):
                heads[at] = heads[first]


def _children(at: int, heads: list[int]) -> list[int]:
    return [child for child, head in enumerate(heads) if head == at + 1]


def _is_verb_read_as_plural(
    at: int, words: list[str], tags: list[str], heads: list[int]
) -> bool:
    """Return whether "a" stands before a plural: "a clock ticks"."""
    if tags[at] != "NNS" or words[at] in PLURAL_ALONE or not words[at].endswith("s"):
        return False
    left = [child for child in _children(at, heads) if child < at]
    counted = any(tags[child] == "CD" for child in left) or {"few", "dozen"} & {
        words[child] for child in left
    }
    articles = [child for child in left if words[child] in ("a", "an")]
    return bool(articles) and not counted and at - articles[0] > 1


def _raise_verb(at: int, tags: list[str], heads: list[int], labels: list[str]) -> bool:
    """Make a verb of a root that was read as a plural; its last modifier is subject."""
    subject = at - 1
    ok = labels[at] == "root" and heads[subject] == at + 1
    ok = ok and tags[subject].startswith(("NN", "JJ"))
    if not ok or any(labels[child] == "appos" for child in _children(at, heads)):
        return False
    tags[at], tags[subject] = "VBZ", "NN"
    for child in _children(at, heads):
        if child < subject:
            heads[child] = subject + 1
    labels[subject] = "nsubj"
    return True


def _is_participle_read_as_past(
    at: int, tags: list[str], heads: list[int], labels: list[str]
) -> bool:
    """Return whether a caption's only verb is a past tense without an object."""
    if tags[at] != "VBD" or labels[at] != "root":
        return False
    children = _children(at, heads)
    if not children or labels[children[0]] != "nsubj":
        return False
    after = {labels[child] for child in children if child > at}
    before = {labels[child] for child in children if child < at}
    return (
        tags[children[0]].startswith("NN")
        and sum(labels[child] == "nsubj" for child in children) == 1
        and after <= {"nmod", "advmod", "compound:prt", "nmod:tmod"}
        and before <= {"nsubj", "advmod"}
    )


def _lower_participle(
    at: int, tags: list[str], heads: list[int], labels: list[str]
) -> None:
    """Hang "painted" on "hydrant" in "a hydrant painted red"."""
    subject = next(c for c in _children(at, heads) if labels[c] == "nsubj")
    heads[subject], labels[subject] = 0, "root"
    heads[at], labels[at], tags[at] = subject + 1, "acl", "VBN"


def _is_participle_read_as_noun(
    at: int, words: list[str], tags: list[str], heads: list[int], labels: list[str]
) -> bool:
    """Return whether a word in -ing stands between two nouns of one compound."""
    return (
        0 < at < len(words) - 1
        and words[at].endswith("ing")
        and (tags[at], labels[at]) in (("NN", "compound"), ("VBG", "amod"))
        and heads[at - 1] == heads[at]
        and labels[at - 1] == "compound"
        and tags[at - 1].startswith("NN")
    )
