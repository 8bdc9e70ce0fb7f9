"""Hypothesis strategies: parses of any shape, over words that trigger steps."""

from hypothesis import strategies as st

from spicepy.parsing.trees import Parse

LABELS = [
    *("root", "nmod", "case", "conj", "cc", "nsubj", "nsubjpass", "auxpass", "cop"),
    *(
        "mwe",
        "acl",
        "advcl",
        "mark",
        "advmod",
        "dep",
        "dobj",
        "amod",
        "det",
        "acl:relcl",
    ),
]
WORDS = [
    "in",
    "front",
    "of",
    "next",
    "to",
    "on",
    "top",
    "out",
    "by",
    "a",
    "two",
    "lots",
    "couple",
    "it",
    "dog",
    "and",
    "or",
]
TAGS = ["NN", "NNS", "VB", "VBG", "VBN", "JJ", "IN", "DT", "CC", "PRP", "RB"]


@st.composite
def parses(draw, labels=LABELS, tree=False):
    """Any heads, cycles and self-loops too; with `tree`, one root and no cycle."""
    size = draw(st.integers(1, 12))

    def column(values):
        return tuple(draw(st.sampled_from(values)) for _ in range(size))

    if not tree:
        heads = tuple(draw(st.integers(0, size)) for _ in range(size))
        return Parse(column(WORDS), column(TAGS), column(WORDS), heads, column(labels))
    order = draw(st.permutations(range(1, size + 1)))
    heads = {order[0]: 0}
    for i in range(1, size):
        heads[order[i]] = order[draw(st.integers(0, i - 1))]
    found = tuple(heads[i] for i in range(1, size + 1))
    marks = tuple(
        "root" if head == 0 else draw(st.sampled_from(labels[1:])) for head in found
    )
    return Parse(column(WORDS), column(TAGS), column(WORDS), found, marks)
