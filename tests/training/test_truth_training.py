"""The recipe of the parser for scene graphs: each of its steps on small trees."""

import lzma
import random
from pathlib import Path

import pytest

from spicepy.parsing.bundled.analyser import read_part
from spicepy.parsing.bundled.network import Network
from spicepy.parsing.parser import DEFAULT, MODELS
from training.grammar.kbest import Candidate, read_kbest
from training.parser import teachers
from training.parser.constructions import (
    absolute,
    apposed,
    caused,
    counted,
    doers,
    in_hands,
    numbered,
    parallel,
    participles,
    phrase_and_noun,
    reduced,
    shares,
    shares_after,
    the_other,
    watching,
    with_commas,
    with_on_it,
    with_state,
)
from training.parser.maker import Maker
from training.parser.nodes import Node, fresh, leaf, rows, tree
from training.parser.paraphrases import paraphrases
from training.parser.repairs import repaired
from training.parser.teachers import Places, Task, fit, trees
from training.parser.treebank import converted

RIDING = [
    ("a", "DT", "a", 2, "det"),
    ("man", "NN", "man", 0, "root"),
    ("riding", "VBG", "ride", 2, "acl"),
    ("a", "DT", "a", 5, "det"),
    ("horse", "NN", "horse", 3, "dobj"),
]


def said(node: Node | None) -> str:
    """Words with label and head."""
    assert node is not None
    found = rows(fresh(node))
    return " ".join(
        f"{word}<{label}<{found[head - 1][0] if head else 0}"
        for word, _, _, head, label in found
    )


def candidate(heads: list[int], labels: str, tags: str) -> Candidate:
    """A tree."""
    return Candidate(tuple(tags.split()), tuple(heads), tuple(labels.split()))


def test_a_treebank_sentence_gets_the_parsers_labels() -> None:
    """Version 1, the conjunction on the first conjunct, no marks, lower case."""
    lines = """1 Ann _ _ NNP _ 3 nsubj
2 Lee _ _ NNP _ 1 flat
3 waited _ _ VBD _ 0 root
4 in _ _ IN _ 5 case
5 rain _ _ NN _ 3 obl
6 , _ _ , _ 9 punct
7 and _ _ CC _ 9 cc
8 not _ _ RB _ 9 advmod
9 here _ _ RB _ 3 conj"""
    found = converted([line.split() for line in lines.split("\n")])

    assert [(row[0], row[3], row[4]) for row in found] == [
        ("ann", 2, "compound"),
        ("lee", 3, "nsubj"),
        ("waited", 0, "root"),
        ("in", 5, "case"),
        ("rain", 3, "nmod"),
        ("and", 3, "cc"),
        ("not", 8, "neg"),
        ("here", 3, "conj"),
    ]


def test_candidates_are_read(tmp_path: Path) -> None:
    path = tmp_path / "a.txt.xz"
    with lzma.open(path, "wt", encoding="utf-8") as out:
        out.write("# two dogs\n0\tCD 2 nummod NNS 0 root\t(NP CD NNS)\n")
        out.write("-1.5\tCD 0 root NNS 0 root\t(X CD NNS)\n# dogs\n")
        out.write("0\tNNS 0 root\t(NP NNS)\n")

    (words, found), (_, others) = read_kbest(path)

    assert words == ["two", "dogs"]
    tree = ("CD", "NNS"), (2, 0), ("nummod", "root")
    assert found == [Candidate(*tree, brackets="(NP CD NNS)")]
    assert len(others) == 1


def test_a_tree_fits_what_people_saw() -> None:
    """The book is held by the man, not by the sunglasses."""
    words = ["a", "man", "with", "sunglasses", "holding", "a", "book"]
    drawn = [("man", "wear", "sunglasses"), ("man", "hold", "book")]
    tags = "DT NN IN NNS VBG DT NN"
    labels = "det root case nmod acl det dobj"
    right, wrong = (
        candidate([2, 0, 4, 2, head, 7, 5], labels, tags) for head in (2, 4)
    )

    assert fit(words, right, drawn, Places(words)) == 1
    assert fit(words, wrong, drawn, Places(words)) < 1


def test_a_drawn_graph_decides_between_trees(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(teachers, "FIT", 1e4)
    network = Network(*read_part(MODELS / DEFAULT / "caption_parser" / "network"))
    words = ["a", "man", "with", "sunglasses", "holding", "a", "book"]
    tags, labels = "DT NN IN NNS VBG DT NN", "det root case nmod acl det dobj"
    wrong, right = (
        candidate([2, 0, 4, 2, head, 7, 5], labels, tags) for head in (4, 2)
    )
    drawn = [("man", "hold", "book")]

    tasks = [Task(words, [wrong]), Task(words, [wrong], drawn, [right])]
    without, found = trees(network, tasks, [200.0])

    assert without.heads[4] == 4
    assert found.heads[4] == 2


def test_visible_mistakes_are_mended() -> None:
    """A plural has no "a", and a caption is not a report of what happened."""
    ticks = [
        ("a", "DT", "a", 3, "det"),
        ("clock", "NN", "clock", 3, "compound"),
        ("ticks", "NNS", "tick", 0, "root"),
    ]
    painted = [
        ("a", "DT", "a", 2, "det"),
        ("wall", "NN", "wall", 3, "nsubj"),
        ("painted", "VBD", "paint", 0, "root"),
        ("at", "IN", "at", 5, "case"),
        ("night", "NN", "night", 3, "nmod"),
    ]

    verb, participle = repaired(ticks), repaired(painted)

    assert verb
    assert [(row[1], row[3], row[4]) for row in verb] == [
        ("DT", 2, "det"),
        ("NN", 3, "nsubj"),
        ("VBZ", 0, "root"),
    ]
    assert participle
    assert [(row[1], row[3], row[4]) for row in participle[1:3]] == [
        ("NN", 0, "root"),
        ("VBN", 2, "acl"),
    ]


@pytest.mark.parametrize(
    ("caption", "mended"),
    [
        (
            "batter/NN/2/dobj holding/VBG/3/amod bat/NN/0/root",
            "batter/NN/0/root holding/VBG/1/acl bat/NN/2/dobj",
        ),
        (
            "sitting/VBG/0/root on/IN/1/compound:prt back/NN/1/advmod of/IN/5/case "
            "truck/NN/3/nmod",
            "sitting/VBG/0/root on/IN/3/case back/NN/1/nmod of/IN/5/case "
            "truck/NN/3/nmod",
        ),
        (
            "woman/NN/0/root next/JJ/1/advmod to/TO/4/mark train/VB/1/advcl",
            "woman/NN/0/root next/JJ/1/advmod to/TO/4/case train/NN/2/nmod",
        ),
        (
            "bananas/NNS/0/root attached/VBN/1/acl to/TO/4/mark stem/VB/2/xcomp",
            "bananas/NNS/0/root attached/VBN/1/acl to/TO/4/case stem/NN/2/nmod",
        ),
        (
            "leaves/VBZ/0/root lying/VBG/1/xcomp",
            "leaves/NNS/0/root lying/VBG/1/acl",
        ),
        (
            "zebra/NN/2/compound standing/NN/0/root",
            "zebra/NN/0/root standing/VBG/1/acl",
        ),
    ],
)
def test_what_the_network_learnt_from_itself_is_mended(
    caption: str, mended: str
) -> None:
    given = [tuple(word.split("/")) for word in caption.split()]
    trees = [(w, tag, w, int(head), label) for w, tag, head, label in given]

    found = repaired(trees)

    assert found is not None
    shown = [f"{w}/{tag}/{head}/{label}" for w, tag, _, head, label in found]
    assert " ".join(shown) == mended


def test_a_noun_in_a_fixed_expression_is_no_tree() -> None:
    hotel = [
        ("on", "IN", "on", 3, "case"),
        ("hotel", "NN", "hotel", 1, "mwe"),
        ("floor", "NN", "floor", 0, "root"),
    ]

    assert repaired(hotel) is None


def test_members_of_a_series_hang_on_the_first() -> None:
    labels = ["root", "appos", "cc", "conj"]
    series = [
        (word, tag, word, head, label)
        for word, tag, head, label in zip(
            *(["cup", "plate", "and", "fork"], ["NN", "NN", "CC", "NN"]),
            *([0, 1, 2, 2], labels),
        )
    ]
    found = repaired(series)

    assert found
    assert [row[3:] for row in found] == [
        (0, "root"),
        (1, "conj"),
        (1, "cc"),
        (1, "conj"),
    ]


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        ("finite", "a<det<man man<nsubj<rides rides<root<0"),
        ("progressive", "a<det<man man<nsubj<riding is<aux<riding riding<root<0"),
        ("there", "there<expl<is is<root<0 a<det<man man<nsubj<is riding<acl<man"),
    ],
)
def test_paraphrases(kind: str, expected: str) -> None:
    maker = Maker(random.Random(0), {"ride": "rides"})
    made = said(getattr(maker, kind)(tree(RIDING)))

    assert made.startswith(expected)
    assert made.endswith("a<det<horse horse<dobj<" + made.split("horse<dobj<")[1])


def phrase(noun: str, case: str = "", inner: str = "") -> Node:
    """ "a bowl", "a bowl of soup"."""
    below = Node(inner, "NN", "nmod", (leaf(case, "IN", "case"),)) if case else None
    return Node(noun, "NN", "root", (leaf("a", "DT", "det"),), (below,) * bool(below))


def test_phrases_of_one_build_are_joined_as_wholes() -> None:
    maker = Maker(random.Random(0))
    soup, bread = phrase("bowl", "of", "soup"), phrase("slice", "of", "bread")

    made = said(parallel(maker, soup, bread))
    other = said(phrase_and_noun(maker, soup, phrase("spoon")))

    assert "soup<nmod<bowl and<cc<bowl a<det<slice slice<conj<bowl" in made
    assert {"spoon<conj<bowl", "bowl<conj<spoon"} & set(other.split())
    assert parallel(maker, soup, phrase("man", "with", "bread")) is None


def test_participles_are_joined() -> None:
    made = said(participles(Maker(random.Random(0)), tree(RIDING), tree(RIDING)))

    assert "riding<acl<man a<det<horse horse<dobj<riding and<cc<riding" in made
    assert made.split()[6] == "riding<conj<riding"


@pytest.mark.parametrize("seed", range(5))
def test_a_state_is_that_of_the_part(seed: int) -> None:
    words = said(with_state(Maker(random.Random(seed)), phrase("car"))).split()

    part = next(word for word in words if word.endswith("<nmod<car")).split("<")[0]
    name, label, head = words[-1].split("<")
    assert label in ("amod", "acl", "advmod", "nmod")
    assert head == part != name


def test_another_name_stands_between_commas() -> None:
    made = said(apposed(Maker(random.Random(0), {"ride": "rides"}), tree(RIDING)))

    name = made.split()[1].split("<")[0]
    assert f"{name}<nsubj<rides ,<punct<{name}" in made
    assert f"man<appos<{name} ,<punct<rides rides<root" in made


def test_a_number_after_a_name_says_which_one_it_is() -> None:
    made = said(numbered(Maker(random.Random(0), {"ride": "rides"}), tree(RIDING)))

    assert made.startswith("man<nsubj<rides number<appos<man ")
    assert made.split()[2].endswith("<nummod<number")


def test_commas_stand_in_lists_of_three() -> None:
    cups, *others = (phrase(x) for x in ("cup", "fork", "lamp", "pen"))
    maker = Maker(random.Random(0))

    made = said(with_commas(maker.series([cups, *others])))

    assert "cup<root<0 ,<punct<cup a<det<fork fork<conj<cup and<cc<cup" in made
    assert "," not in said(with_commas(maker.series([cups, *others[:2]])))


@pytest.mark.parametrize("seed", range(8))
def test_who_does_it_is_the_doer_of_an_infinitive(seed: int) -> None:
    """A man lets his man ride; a man asks a man to ride."""
    maker = Maker(random.Random(seed))
    dog = [("dog", "NN", "dog", 0, "root"), ("riding", "VBG", "ride", 1, "acl")]

    verb = said(caused(maker, tree(RIDING), tree(dog))).split()[2].split("<")[0]
    made = said(caused(Maker(random.Random(seed)), tree(RIDING), tree(dog)))

    bare, with_to = f"ride<ccomp<{verb}", f"to<mark<ride ride<xcomp<{verb}"
    assert made.endswith((f"dog<nsubj<ride {bare}", f"dog<dobj<{verb} {with_to}"))


@pytest.mark.parametrize("seed", range(8))
def test_what_is_said_of_a_share_hangs_on_it(seed: int) -> None:
    """Dogs, one black and one riding a horse."""
    dogs = tree([("dogs", "NNS", "dog", 0, "root")])

    words = said(shares(Maker(random.Random(seed)), dogs, tree(RIDING), dogs)).split()

    first = words[2].split("<")[0]
    assert words[:3] == ["dogs<root<0", ",<punct<dogs", f"{first}<appos<dogs"]
    assert words[3].split("<")[1:] in (["amod", first], ["acl", first])
    assert all(x.endswith(f"<{first}") for x in words if "<conj<" in x)


def test_a_verb_follows_a_participle_of_its_subject() -> None:
    """A man riding a horse rides; a man letting his man ride rides a horse."""
    maker = Maker(random.Random(0), {"ride": "rides"})

    made = said(reduced(maker, tree(RIDING), tree(RIDING), phrase("bag")))
    joined = said(reduced(Maker(random.Random(3)), *[tree(RIDING)] * 2, phrase("bag")))
    watched = said(watching(maker, *[tree(RIDING)] * 3))

    assert made.startswith("a<det<man man<nsubj<rides riding<acl<man ")
    assert "rides<root<0" in made
    assert "horse<dobj<riding and<cc<horse a<det<bag bag<conj<horse" in joined
    assert watched.startswith("a<det<man man<nsubj<rides ")
    assert "<acl<man " in watched
    assert "ride<root" not in watched


def test_two_with_a_participle_each_do_the_same() -> None:
    made = said(doers(Maker(random.Random(2)), *[tree(RIDING)] * 3))

    assert made.startswith("a<det<man man<nsubj<ride riding<acl<man a<det<horse")
    assert {"and<cc<man", "man<conj<man", "ride<root<0"} <= set(made.split())


def test_each_hand_holds_something() -> None:
    cup, pen = phrase("cup"), phrase("pen")
    made = said(in_hands(Maker(random.Random(0)), phrase("man"), cup, pen))

    assert "hand<nmod<cup and<cc<cup a<det<pen pen<conj<cup in<case<other" in made
    assert made.endswith("other<nmod<pen")
    assert in_hands(Maker(random.Random(0)), phrase("dog"), cup, pen) is None


def test_what_is_on_a_place_is_of_the_place() -> None:
    maker = Maker(random.Random(0), {"ride": "rides"})
    made = said(with_on_it(maker, tree(RIDING), phrase("bag")))

    assert "horse<dobj<rides with<case<bag a<det<bag bag<nmod<horse" in made
    assert made.endswith("it<nmod<bag")


def test_shares_after_a_verb_hang_on_it() -> None:
    dogs = Node("dogs", "NNS", "root", (), tree(RIDING).right)
    made = said(shares_after(Maker(random.Random(0)), dogs, tree(RIDING), dogs))

    assert made.startswith("dogs<nsubj<ride ride<root<0 a<det<horse horse<dobj<ride")
    assert "<appos<ride" in made


def test_constructions_that_captions_lack() -> None:
    maker = Maker(random.Random(0), {"ride": "rides"})
    dogs = tree([("dogs", "NNS", "dog", 0, "root")])

    other = said(the_other(maker, tree(RIDING), tree(RIDING)))
    clause = said(absolute(maker, tree(RIDING), phrase("cup")))

    assert other.startswith("one<nummod<man man<nsubj<rides")
    assert said(counted(maker, dogs)).endswith("dogs<root<0")
    assert "<punct<rides" in clause or "<punct<riding" in clause
    assert clause.split()[-1].split("<")[1] == "advcl"


def test_a_tree_survives_being_taken_apart() -> None:
    assert rows(tree(RIDING)) == RIDING
    assert rows(leaf("dogs", "NNS", "root")) == [("dogs", "NNS", "dog", 0, "root")]


def test_every_paraphrase_is_one_tree() -> None:
    dog = [("dog", "NN", "dog", 0, "root"), ("standing", "VBG", "stand", 1, "acl")]
    verbs = {"ride": "rides", "stand": "stands"}

    found = list(paraphrases([RIDING, dog], verbs, 120, 0))

    assert len(found) > 50
    for made in found:
        assert [row[3] for row in made].count(0) == 1
        assert all(row[3] <= len(made) for row in made)
