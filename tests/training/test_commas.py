"""Trees with commas, from which a parser learns to read them."""

from training.parser.commas import parts_a_name, with_absolutes, with_commas
from training.parser.treebank import converted

# A man, tall and thin, waves.
WAVING = [
    ("a", "DT", "a", 2, "det"),
    ("man", "NN", "man", 6, "nsubj"),
    ("tall", "JJ", "tall", 2, "amod"),
    ("and", "CC", "and", 3, "cc"),
    ("thin", "JJ", "thin", 3, "conj"),
    ("waves", "VBZ", "wave", 0, "root"),
]


def test_a_comma_hangs_on_the_head_of_the_shortest_arc_across_it() -> None:
    rows = with_commas(WAVING, [2, 5])

    assert " ".join(row[0] for row in rows) == "a man , tall and thin , waves"
    assert [row[3] for row in rows] == [2, 8, 2, 2, 4, 4, 8, 0]
    assert [row[4] for row in rows if row[0] == ","] == ["punct", "punct"]


def test_a_comma_across_which_nothing_hangs_is_the_roots() -> None:
    rows = with_commas([("dogs", "NNS", "dog", 0, "root")], [1])

    assert rows[1][3] == 1


def test_an_owner_after_a_comma_begins_a_clause() -> None:
    words = ["it", "runs", "its", "mane", "long", "and", "black"]
    tags = ["PRP", "VBZ", "PRP$", "NN", "JJ", "CC", "JJ"]
    heads = [2, 0, 4, 2, 4, 2, 2]
    labels = ["nsubj", "root", "nmod:poss", "dobj", "amod", "cc", "conj"]
    rows = list(zip(words, tags, words, heads, labels, strict=True))

    mended = with_absolutes(rows, [2])

    assert [row[3] for row in mended] == [2, 0, 4, 5, 2, 5, 5]
    assert [row[4] for row in mended[3:5]] == ["nsubj", "advcl"]
    assert with_absolutes(rows, []) == rows


def test_a_name_is_not_parted_by_a_comma() -> None:
    name = [("stop", "NN", "stop", 2, "compound"), ("sign", "NN", "sign", 0, "root")]

    assert parts_a_name(with_commas(name, [1]))
    assert not parts_a_name(name)


def test_pauses_of_the_treebank_are_commas() -> None:
    lines = """1 He _ _ PRP _ 4 nsubj
2 ( _ _ -LRB- _ 3 punct
3 old _ _ JJ _ 1 amod
4 sang _ _ VBD _ 0 root
5 -- _ _ : _ 6 punct
6 well _ _ RB _ 4 advmod
7 . _ _ . _ 4 punct"""
    cells = [line.split() for line in lines.split("\n")]

    said = [row[0] for row in converted(cells, commas=True)]

    assert " ".join(said) == "he , old sang , well"
    assert "," not in [row[0] for row in converted(cells)]
