"""The training recipe's own steps; the whole recipe in small runs in CI."""

from collections import Counter
from pathlib import Path

import pytest

from spicepy.words.morphology import apply_edits
from training.parser.convert import read_conllu, write_docs
from training.words.lemmas import common_edit, infer

BLOCK = """# text = # dogs
1\t#\t#\t_\t#\t_\t2\tdep\t_\t_
2\tdogs\tdog\t_\tNNS\t_\t0\troot\t_\t_

"""


@pytest.fixture
def silver(tmp_path: Path) -> Path:
    import gzip

    path = tmp_path / "a.conllu.gz"
    with gzip.open(path, "wt", encoding="utf-8") as out:
        out.write(BLOCK * 2)
    return path


def test_read_conllu(silver: Path) -> None:
    rows = [("#", "#", "#", 2, "dep"), ("dogs", "NNS", "dog", 0, "root")]

    assert list(read_conllu([silver])) == [rows, rows]


def test_trees_with_two_roots_are_left_out(silver: Path, tmp_path: Path) -> None:
    good = next(read_conllu([silver]))
    bad = [(*row[:3], 0, "root") for row in good]

    assert write_docs([good, bad], tmp_path / "x.spacy") == 1


def test_edits_are_right_for_every_word() -> None:
    lemmas = {"riding": "ride", "hiding": "hide", "siding": "side", "adding": "add"}
    lemmas |= {"walking": "walk", "talking": "talk", "baking": "bake"}

    edits = infer(lemmas)

    assert {word: apply_edits(word, edits) for word in lemmas} == lemmas
    assert common_edit("riding", "ride") == (3, "e")


def test_stand_ins_are_words_of_one_tag() -> None:
    pytest.importorskip("torch")
    from training.parser.component import find_stand_ins

    tagged = {
        "dog": Counter(NN=90),
        "cat": Counter(NN=50),
        "man": Counter(NN=80, VB=20),  # told apart by its other tag
        "on": Counter(IN=99),  # the original's grammar knows prepositions by name
        "owl": Counter(NN=2),  # too rare to know
        "cats": Counter(NNS=99, VBZ=1),
        "dogs": Counter(NNS=50),
    }

    assert find_stand_ins(tagged) == {"dog": ["cat"], "cats": ["dogs"]}


def test_arrays_go_back_into_the_network(monkeypatch: pytest.MonkeyPatch) -> None:
    torch = pytest.importorskip("torch")
    from training.parser import network
    from training.parser.network import CaptionNetwork, arrays_of, load_arrays

    monkeypatch.setattr(network, "BFLOAT16", False)

    first, second = (CaptionNetwork(9, 4, 5, 8, 2, 6, 7) for _ in range(2))

    load_arrays(second, arrays_of(first.state_dict()))

    sizes = [9, 2000, 4000, 6000, 1000, 500]
    rows = torch.stack([torch.randint(0, size, (5,)) for size in sizes], 1)
    types, heads, labels = (torch.randint(0, 4, (3, 6)) for _ in range(3))
    tags, arcs = torch.rand(3, 6, 4), torch.rand(3, 6, 7)
    batch = (rows, types, tags, arcs, heads, labels, lambda values: values)
    assert torch.allclose(first(*batch), second(*batch), atol=1e-5)


def test_arrays_go_back_to_the_same_bits_wherever_they_lie() -> None:
    torch = pytest.importorskip("torch")
    from training.parser.network import CaptionNetwork, arrays_of, load_arrays

    first, second = (CaptionNetwork(9, 4, 5, 32, 2, 6, 7) for _ in range(2))
    torch.nn.init.normal_(first.root)
    arrays = arrays_of(first.state_dict())

    roots, elsewhere = set(), []
    for size in range(1, 200, 7):
        elsewhere.append(torch.empty(size))
        load_arrays(second, arrays)
        roots.add(second.root.detach().numpy().tobytes())

    assert len(roots) == 1
