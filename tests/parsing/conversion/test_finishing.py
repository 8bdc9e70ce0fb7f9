"""The last steps: stranded words, roots, question words, prepositions, passives."""

import pytest

from benchmarks.parity.brackets import read_example
from spicepy.parsing.conversion import dependencies, rules
from spicepy.parsing.conversion.relations import in_table_order


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # What do you hope to see: see what.
        (
            "(SBARQ (WHNP WP/what) (SQ VBP/do (NP PRP/you) (VP VB/hope (S (VP TO/to"
            " (VP VB/see))))))",
            "6 dobj 4 aux 4 nsubj 0 root 6 mark 4 xcomp",
        ),
        # The chair that he sits on: on that.
        (
            "(NP (NP DT/the NN/chair) (SBAR (WHNP WDT/that) (S (NP PRP/he) (VP"
            " VBZ/sits (PP IN/on)))))",
            "2 det 0 root 5 nmod 5 nsubj 2 acl:relcl 3 case",
        ),
        # A preposition without any noun.
        ("(S (NP PRP/he) (VP VBZ/walks (PP IN/by)))", "2 nsubj 0 root 2 nmod"),
        # A cake is cut: a passive subject without a rule for it.
        (
            "(S (NP DT/a NN/cake) (VP VBZ/is (VP VBN/cut)))",
            "2 det 4 nsubjpass 4 auxpass 0 root",
        ),
        # Words that no rule links.
        ("(FRAG (NP NN/dog) (NP NN/cat))", "0 root 1 dep"),
        # A mark as the head of all hands over to its first dependent.
        ("(X (X NN/dog) (X NN/cat) (X :/-))", "0 root 1 dep -1 _"),
    ],
)
def test_labels_are_settled(text: str, expected: str) -> None:
    heads, labels = dependencies(*read_example(text))

    found = " ".join(f"{h} {label}" for h, label in zip(heads, labels, strict=True))
    assert found == expected


@pytest.mark.parametrize(
    ("word", "tag", "expected"),
    [
        ("hope", "NN", True),
        ("Hoped", "VBD", True),
        ("hopes", "NNS", True),
        ("hoped", "JJ", False),
        ("likes", "NNS", False),
        ("Hope", "NNP", False),
        ("begun", "VBN", True),
        ("planed", "VBD", False),
        ("planned", "VBD", True),
        ("says", "VBZ", False),
    ],
)
def test_verbs_with_an_infinitive_are_known(word, tag, expected) -> None:
    assert rules().infinitives.includes(word, tag) is expected


def test_dependents_come_in_the_order_of_a_table() -> None:
    assert in_table_order([2, 14, 15, 16]) == [15, 16, 2, 14]
    assert in_table_order(list(range(5, 20))) == list(range(5, 20))
