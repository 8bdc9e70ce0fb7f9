"""Lists whose items hang on other words than the first item."""

import inspect
import re
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spicepy.parsing import list_repairs
from spicepy.parsing.list_repairs import raise_coordinators, repair_lists, split_name
from spicepy.parsing.trees import Annotations, MutableTree, Parse

STEPS = (split_name, *list_repairs.STEPS, raise_coordinators)


def stated(step: Callable[..., None], key: str) -> tuple[MutableTree, Annotations]:
    """The tree of a step's example or counter-example, and what it must become."""
    doc = inspect.getdoc(step) or ""
    found = re.search(rf"^{key}: (.*(?:\n    .*)*)", doc, re.MULTILINE)
    assert found, f"{step.__name__} has no line '{key}: …'"
    rows = [token.rsplit("/", 3) for token in found[1].split()]
    before, after = (
        [[field.split(">")[end] for field in row] for row in rows] for end in (0, -1)
    )
    words, tags, heads, labels = zip(*before, strict=True)
    tree = MutableTree(Parse(words, tags, (), tuple(map(int, heads)), labels))
    _, tags, heads, labels = zip(*after, strict=True)
    return tree, Annotations(tags, tuple(map(int, heads)), labels)


@pytest.mark.parametrize("step", STEPS, ids=lambda step: step.__name__)
@pytest.mark.parametrize("key", ["Example", "But not"])
def test_each_step_does_what_its_docstring_states(
    step: Callable[..., None], key: str
) -> None:
    tree, expected = stated(step, key)
    before = Annotations(
        tuple(tree.tags[1:]), tuple(tree.heads[1:]), tuple(tree.labels[1:])
    )
    if step is raise_coordinators:
        step(tree)
    else:
        commas = [place for place, word in enumerate(tree.words) if word == ","]
        assert commas
        for comma in commas:
            step(tree, comma)

    made = tuple(tree.tags[1:]), tuple(tree.heads[1:]), tuple(tree.labels[1:])
    assert made == expected
    assert (made == before) == (key == "But not")


def read(sentence: str) -> tuple[list[str], Annotations]:
    """Words, and their tree, from word/head/label or word/tag/head/label."""
    rows = [token.split("/") for token in sentence.split()]
    rows = [row if len(row) == 4 else [row[0], "NN", *row[1:]] for row in rows]
    words, tags, heads, labels = zip(*rows, strict=True)
    return list(words), Annotations(tags, tuple(map(int, heads)), labels)


def test_a_comma_parts_items_of_a_list() -> None:
    words, tree = read(
        "room/0/root with/6/case a/6/det toilet/6/compound ,/6/punct sink/1/nmod "
        "and/6/cc tub/6/conj"
    )

    parted = repair_lists(words, tree)

    assert parted.heads == (0, 4, 4, 1, 4, 4, 4, 4)
    assert parted.labels[3:] == ("nmod", "punct", "conj", "cc", "conj")


def test_a_name_of_two_words_is_the_first_item() -> None:
    words, tree = read(
        "tank/4/compound top/4/compound ,/4/punct tie/0/root and/4/cc hat/4/conj"
    )

    parted = repair_lists(words, tree)

    assert parted.heads == (2, 0, 4, 2, 2, 2)
    assert parted.labels[0] == "compound"


def test_an_adjective_read_as_a_noun_is_no_item() -> None:
    words, tree = read("silver/4/compound ,/4/punct metal/4/amod fridge/0/root")

    assert repair_lists(words, tree) == tree


def test_a_phrase_without_a_preposition_is_an_item() -> None:
    words, tree = read(
        "desk/0/root with/3/case lamp/1/nmod ,/3/punct phone/1/nmod and/5/cc "
        "mouse/5/conj on/9/case top/5/nmod"
    )

    joined = repair_lists(words, tree)

    assert joined.heads == (0, 3, 1, 3, 3, 3, 3, 9, 7)
    assert joined.labels[4] == "conj"


def test_what_has_a_pronoun_belongs_to_all_items() -> None:
    words, tree = read(
        "plate/0/root with/3/case rice/1/nmod ,/3/punct meat/1/nmod and/5/cc "
        "salad/5/conj on/IN/9/case it/PRP/5/nmod"
    )

    assert repair_lists(words, tree).heads[-1] == 3


def test_a_comma_hangs_on_the_phrase_before_it() -> None:
    words, tree = read(
        "desk/0/root with/3/case lamp/1/nmod ,/1/punct mouse/1/conj ,/1/punct "
        "and/CC/1/cc phone/1/conj"
    )
    assert repair_lists(words, tree).heads == (0, 3, 1, 3, 1, 1, 1, 1)

    words, tree = read(
        "desk/0/root with/3/case lamp/1/nmod ,/1/punct and/CC/1/cc bed/1/conj"
    )
    assert repair_lists(words, tree) == tree


def test_a_phrase_with_a_preposition_is_no_item() -> None:
    words, tree = read(
        "man/0/root in/3/case suit/1/nmod ,/3/punct on/6/case bench/1/nmod"
    )

    assert repair_lists(words, tree) == tree


def test_a_verb_has_no_object_right_after_a_comma() -> None:
    words, tree = read(
        "man/2/nsubj jumps/VBZ/0/root ,/2/punct twists/NNS/2/dobj and/CC/4/cc "
        "lands/NNS/4/conj on/8/case ice/4/nmod"
    )

    joined = repair_lists(words, tree)

    assert joined.tags[3] == joined.tags[5] == "VBZ"
    assert joined.heads == (2, 0, 2, 2, 2, 2, 8, 6)
    assert joined.labels[3:6] == ("conj", "cc", "conj")


def test_the_last_verb_of_a_list_may_have_an_object() -> None:
    words, tree = read(
        "chef/2/nsubj chops/VBZ/0/root ,/2/punct mixes/NNS/2/dobj and/CC/4/cc "
        "cooks/NNS/7/compound leeks/NNS/4/conj"
    )

    joined = repair_lists(words, tree)

    assert joined.heads == (2, 0, 2, 2, 2, 2, 6)
    assert joined.labels[5:] == ("conj", "dobj")
    assert joined.tags[5:] == ("VBZ", "NNS")


def test_plurals_that_look_like_verbs_are_no_predicates() -> None:
    words, tree = read(
        "buildings/NNS/3/nsubj ,/3/punct docks/VBZ/0/root ,/3/punct boats/NNS/3/dobj "
        "and/5/cc piers/NNS/5/conj"
    )

    assert repair_lists(words, tree).tags == tree.tags


def test_a_singular_is_no_third_person() -> None:
    words, tree = read(
        "she/2/nsubj sits/VBZ/0/root ,/2/punct head/NN/2/dobj down/4/advmod"
    )

    assert repair_lists(words, tree) == tree


def test_the_coordinator_hangs_on_the_first_item() -> None:
    words, tree = read("ham/0/root ,/1/punct cheese/1/conj and/CC/3/cc tomato/1/conj")

    assert repair_lists(words, tree).heads == (0, 1, 1, 1, 1)


def test_the_items_of_an_item_after_a_comma_are_the_lists() -> None:
    words, tree = read(
        "ham/0/root ,/1/punct old/4/amod brie/1/conj and/CC/4/cc egg/4/conj "
        "on/8/case rice/4/nmod"
    )
    assert repair_lists(words, tree).heads == (0, 1, 4, 1, 1, 1, 8, 1)

    words, tree = read(
        "ham/0/root or/CC/1/cc egg/1/conj ,/1/punct rice/1/conj and/CC/5/cc pea/5/conj"
    )
    assert repair_lists(words, tree) == tree


def test_the_coordinator_of_an_inner_list_stays() -> None:
    words, tree = read("man/0/root and/1/cc woman/1/conj or/3/cc girl/3/conj")

    assert repair_lists(words, tree) == tree


def test_a_list_in_a_phrase_has_the_last_items_of_the_root() -> None:
    words, tree = read(
        "tray/0/root of/3/case cups/1/nmod ,/3/punct spoons/3/conj ,/1/punct "
        "and/CC/1/cc jar/1/conj"
    )
    assert repair_lists(words, tree).heads == (0, 3, 1, 3, 3, 1, 3, 3)

    words, tree = read(
        "man/0/root with/3/case hat/1/nmod ,/3/punct and/CC/1/cc dog/1/conj"
    )
    assert repair_lists(words, tree) == tree


def test_a_verb_without_a_subject_is_an_item() -> None:
    words, tree = read(
        "man/2/nsubj takes/VBZ/0/root it/2/dobj ,/2/punct runs/VBZ/2/ccomp on/5/advmod"
    )
    assert repair_lists(words, tree).labels[4] == "conj"

    words, tree = read(
        "man/2/nsubj says/VBZ/0/root ,/2/punct it/5/nsubj runs/VBZ/2/ccomp"
    )
    assert repair_lists(words, tree) == tree


def test_a_phrase_after_bare_verbs_belongs_to_the_last() -> None:
    words, tree = read(
        "men/2/nsubj jump/VBP/0/root ,/2/punct spin/VBP/2/conj and/CC/2/cc "
        "clap/VBP/2/conj on/8/case ice/2/nmod"
    )
    assert repair_lists(words, tree).heads[-1] == 6


@st.composite
def trees(draw: st.DrawFn) -> tuple[list[str], Annotations]:
    """Random words with commas, in a random tree."""
    size = draw(st.integers(1, 9))
    order = draw(st.permutations(range(1, size + 1)))
    heads = [0] * size
    for at, place in enumerate(order[1:], 1):
        heads[place - 1] = draw(st.sampled_from(order[:at]))
    names = ["conj", "cc", "nmod", "case", "dobj", "compound", "punct", "advcl"]
    labels = draw(st.lists(st.sampled_from(names), min_size=size, max_size=size))
    labels[order[0] - 1] = "root"
    kinds = ["NN", "NNS", "VBZ", "VBG", "CC", "PRP"]
    tags = draw(st.lists(st.sampled_from(kinds), min_size=size, max_size=size))
    texts = st.sampled_from([",", ",", "and", "dogs", "running"])
    words = draw(st.lists(texts, min_size=size, max_size=size))
    return words, Annotations(tuple(tags), tuple(heads), tuple(labels))


@given(trees())
def test_a_tree_stays_a_tree(given_tree: tuple[list[str], Annotations]) -> None:
    words, tree = given_tree
    heads = repair_lists(words, tree).heads

    assert heads.count(0) == 1
    for start in range(1, len(heads) + 1):
        path = [start]
        while path[-1]:
            path.append(heads[path[-1] - 1])
            assert len(path) <= len(heads) + 1


def test_a_name_across_a_comma_is_a_list_if_its_governor_has_the_last_item() -> None:
    words, tree = read(
        "room/0/root with/6/case a/6/det bed/6/compound ,/6/punct rug/1/nmod "
        "and/CC/1/cc lamps/1/conj"
    )
    parted = repair_lists(words, tree)

    assert parted.heads == (0, 4, 4, 1, 4, 4, 4, 4)
    assert parted.labels[3:] == ("nmod", "punct", "conj", "cc", "conj")


def test_a_noun_has_no_object() -> None:
    words, tree = read(
        "room/0/root with/3/case signs/NNS/1/nmod ,/3/punct a/6/det clock/3/dobj "
        "and/CC/3/cc lamps/NNS/3/conj"
    )

    joined = repair_lists(words, tree)

    assert joined.heads == (0, 3, 1, 3, 6, 3, 3, 3)
    assert joined.labels[5] == "conj"


def test_a_plural_between_a_singular_and_a_plural_is_a_verb() -> None:
    words, tree = read(
        "a/4/det clown/3/compound juggles/NNS/4/compound balls/NNS/0/root ,/4/punct "
        "pins/NNS/4/conj and/CC/4/cc rings/NNS/4/conj"
    )

    clause = repair_lists(words, tree)

    assert clause.tags[2] == "VBZ"
    assert clause.heads == (2, 3, 0, 3, 4, 4, 4, 4)
    assert clause.labels[1:4] == ("nsubj", "root", "dobj")


def test_first_words_of_all_items_after_a_verb_are_verbs() -> None:
    words, tree = read(
        "chef/2/nsubj chops/VBZ/0/root carrots/NNS/2/dobj ,/3/punct "
        "stirs/NNS/6/compound soup/3/conj and/CC/3/cc seasons/NNS/9/compound "
        "meat/3/conj"
    )

    verbs = repair_lists(words, tree)

    assert verbs.tags == ("NN", "VBZ", "NNS", "NN", "VBZ", "NN", "CC", "VBZ", "NN")
    assert verbs.heads == (2, 0, 2, 3, 2, 5, 2, 2, 8)


def test_a_list_of_a_phrase_within_a_clause_has_the_last_items() -> None:
    words, tree = read(
        "girl/8/nsubj in/3/case coat/1/nmod ,/3/punct boots/NNS/3/conj and/CC/1/cc "
        "scarf/1/conj jumps/VBZ/0/root"
    )

    assert repair_lists(words, tree).heads == (8, 3, 1, 3, 3, 3, 3, 0)


def test_the_list_after_of_ends_before_the_outer_phrase() -> None:
    words, tree = read(
        "table/0/root with/3/case plate/1/nmod of/5/case food/3/nmod ,/5/punct "
        "rolls/NNS/5/conj and/CC/3/cc cup/3/conj"
    )

    assert repair_lists(words, tree).heads[7:] == (3, 3)
