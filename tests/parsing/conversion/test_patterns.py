"""The language of patterns: what a node matches, and what cannot be read."""

import pytest

from benchmarks.parity.brackets import read_example
from spicepy.common.errors import GrammarError, InputError
from spicepy.parsing.conversion.patterns import Patterns, base
from spicepy.parsing.conversion.trees import link, nodes

PATTERNS = Patterns(
    {"be": "is was"}, {"verb": "VB*", "thing": ["NN*", "PRP"]}, {"cry": "o+h"}
)
TREE = (
    "(S (NP-TMP NN/Today) ,/, (NP DT/the JJ/big NN/dog) (VP VBZ/is (VP VBG/eating"
    " (NP NN/bread)) UH/ooh))"
)


def matched(pattern: str) -> str:
    """The words and labels that match in the tree."""
    top = link(*read_example(TREE))
    for node in nodes(top):
        node.test_head = node.children[-1] if node.children else None
    matcher = PATTERNS.matcher(pattern)
    return " ".join(node.form or node.label for node in nodes(top) if matcher(node))


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ("NP", "NP NP"),
        ("NP~", "NP-TMP NP NP"),
        ("VB*|JJ", "big is eating"),
        ("*TMP", "NP-TMP"),
        ('","', ","),
        ('"*T*"', "ROOT NP-TMP the"),
        ("verb", "is eating"),
        ("verb|thing", "Today dog is eating bread"),
        ("verb:@be", "is"),
        ("VB*:!@be", "eating"),
        ("NN:today|bread", "Today bread"),
        ("NN:=today|bread", "bread"),
        ("NN:*ea*", "bread"),
        ("_:@cry", "ooh"),
        ("NP [child DT]", "NP"),
        ("NP [no child DT]", "NP"),
        ("NN [prev JJ]", "dog"),
        ("NN [no prev _]", "Today bread"),
        ("_ [left DT, right NN]", "big"),
        ("_ [sibling JJ]", "the dog"),
        ("_ [next NN or prev VB*]", "big VP NP"),
        ("DT [right NN [between JJ]]", "the"),
        ("DT [right NN [no between JJ]]", ""),
        ("VP [parent S]", "VP"),
        ("NP [first DT, second JJ, third NN, last NN]", "NP"),
        ("NP~ [only NN]", "NP-TMP NP"),
        ("S [head VP]", "S"),
        ("S [heads UH]", "S"),
        ("S [within NN:bread]", "S"),
        ("S [opening NN]", "S"),
        ("S [ending UH]", "S"),
        ("S [through(VP) VBG]", "S"),
        ("S [through(NP) VBG]", ""),
        ("NP|VP [not VP]", "NP NP"),
        ("NP [(first DT, last NN) or first JJ]", "NP"),
        ("NN [head-child, not phrase]", "Today dog bread"),
        ("VP [labelled-like-parent]", "VP"),
        ("NP [labelled-like-second-previous]", ""),
    ],
)
def test_a_pattern_matches(pattern: str, expected: str) -> None:
    assert matched(pattern) == expected


@pytest.mark.parametrize(
    "pattern",
    ["NP [", "NP ]", "NP [child]", "NP [no X]", "", "NP [child through X]", "NP, VP"],
)
def test_a_pattern_that_cannot_be_read_is_refused(pattern: str) -> None:
    with pytest.raises(GrammarError, match="pattern"):
        PATTERNS.matcher(pattern)


@pytest.mark.parametrize("pattern", ["nuon", "NN:@bee", "NP [child nuon]"])
def test_an_unknown_name_is_refused(pattern: str) -> None:
    with pytest.raises(InputError, match=r"unknown (test|word list)"):
        PATTERNS.matcher(pattern)


@pytest.mark.parametrize(
    ("label", "expected"),
    [("NP-TMP", "NP"), ("-LRB-", "-LRB-"), ("--", "--"), ("S=1", "S"), ("-A=1", "-A")],
)
def test_the_base_of_a_label(label: str, expected: str) -> None:
    assert base(label) == expected
