"""Synonyms: the bundled WordNet table and its look-up rules."""

import json
import pickle
import sys
import types
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spicepy.common.errors import InputError, ResourceError
from spicepy.words import wordnet as module
from spicepy.words import wordnet as tables
from spicepy.words.wordnet import (
    ExactWords,
    SortedTable,
    WordNet,
    exception_table,
    lemma_table,
    load_synonyms,
    load_wordnet,
)

INDEX = [
    "  1 This is the licence",
    "axe n 1 1 @ 1 0 00000030  ",
    "dog n 2 1 @ 2 1 00000010 00000020  ",
    "hot_dog n 1 1 @ 1 0 00000040  ",
]
VERBS = ["dog v 1 1 @ 1 0 00000010  ", "be v 1 1 @ 1 0 00000050  "]


@pytest.fixture(scope="module")
def toy() -> WordNet:
    lemmas = lemma_table([("noun", INDEX), ("verb", VERBS)])
    exceptions = exception_table(
        [("noun", ["axes ax axis"]), ("verb", ["was be", "axes axe", ""])]
    )
    return WordNet(lemmas, exceptions, "toy")


@given(
    entries=st.dictionaries(st.text("ab_é", min_size=1), st.text("n1 ", min_size=1)),
    others=st.lists(st.text("ab_é\n\t\ud800")),
    block=st.integers(1, 40),
)
def test_sorted_tables_find_their_keys(
    entries: dict[str, str], others: list[str], block: int
) -> None:
    lines = sorted(f"{key}\t{value}\n".encode() for key, value in entries.items())

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tables, "BLOCK", block)
        table = SortedTable(b"".join(lines))

    assert bytes(table) == b"".join(lines)
    for key in (*entries, *others):
        assert table.get(key) == entries.get(key)


def test_shipped_data_are_pickled_by_name(toy: WordNet) -> None:
    again = pickle.loads(pickle.dumps(toy))

    assert pickle.loads(pickle.dumps(load_wordnet())) is load_wordnet()
    assert len(pickle.dumps(load_wordnet())) < 200
    assert (again.senses("dog"), again.signature) == (toy.senses("dog"), "toy")


def test_part_of_speech_is_kept_but_ignored_by_the_ids(toy: WordNet) -> None:
    assert toy.senses("dog") == (("n", 10), ("n", 20), ("v", 10))
    assert toy.get_syn_sets("dog") == {10, 20}


def test_exceptions_hide_the_suffix_rules(toy: WordNet) -> None:
    assert toy.get_stem_syn_sets("axes") == {30}
    assert toy.get_stem_syn_sets("was") == {50}
    assert toy.get_stem_syn_sets("dogs") == {10, 20}


@pytest.mark.parametrize("word", ["", "s", "xs", "dogss", "nothing", "é", "\ud800"])
def test_words_without_base_form(toy: WordNet, word: str) -> None:
    assert toy.synset_ids(word) == frozenset()


def test_short_words_are_their_own_base(toy: WordNet) -> None:
    assert toy.get_stem_syn_sets("be") == {50}


def test_spice_key_is_trimmed_lower_cased_and_joined(toy: WordNet) -> None:
    assert toy.synset_ids("\x00 Hot dog\t") == {40}
    assert toy.exact_ids("Hot dog") == frozenset()


def test_bundled_table_has_the_size_of_wordnet_3() -> None:
    folder = Path(sys.modules["spicepy.words.wordnet"].__file__ or "").parent
    lines = (folder / "wordnet-3.0.lemmas.tsv").read_text("utf-8").splitlines()

    assert len(lines) == 147_306
    assert sum("_" in line.split("\t")[0] for line in lines) == 64_188
    assert (
        len({v[1:] for line in lines for v in line.split("\t")[1].split()}) == 117_374
    )
    assert "WordNet 3.0 Copyright" in (folder / "wordnet-3.0.LICENSE.txt").read_text()


@pytest.mark.parametrize(
    ("one", "two", "synonyms"),
    [
        ("2", "two", True),
        ("bike", "bicycle", True),
        ("able", "breathe", True),
        ("man", "woman", False),
        ("truck", "car", False),
        ("ride on", "ride", False),
    ],
)
def test_known_pairs(one: str, two: str, synonyms: bool) -> None:
    ids = load_wordnet().synset_ids

    assert bool(ids(one) & ids(two)) is synonyms


def test_sources() -> None:
    assert load_synonyms() is load_synonyms("bundled")
    assert load_synonyms().signature == "wordnet-3.0"
    assert isinstance(load_synonyms("none"), ExactWords)
    assert load_synonyms("none").synset_ids("dog") == frozenset()
    with pytest.raises(InputError, match="unknown synonym source 'wn'"):
        load_synonyms("wn")


def test_nltk_corpus_is_read_or_missed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import nltk

    module._load.cache_clear()
    monkeypatch.setattr(nltk.data, "path", [str(tmp_path)])
    with pytest.raises(ResourceError, match=r"nltk\.downloader wordnet"):
        load_synonyms("nltk")

    folder = tmp_path / "corpora" / "wordnet"
    folder.mkdir(parents=True)
    for part in ("noun", "verb", "adj", "adv"):
        lines = {"noun": INDEX, "verb": VERBS}.get(part, [])
        (folder / f"index.{part}").write_text("\r\n".join(lines))
        (folder / f"{part}.exc").write_text("")
    found = load_synonyms("nltk")

    assert found.synset_ids("dogs") == {10, 20}
    assert found.signature.startswith("nltk-wordnet@")
    module._load.cache_clear()


def test_importing_loads_no_nltk(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "nltk", types.ModuleType("broken"))
    module._load.cache_clear()

    assert load_wordnet().synset_ids("dog")


def test_all_recorded_words(shared: Path) -> None:
    """69,986 words with the ids that METEOR 1.5's dictionary gives."""
    path = shared / "oracle" / "ngram" / "synonym_oracle.json"
    words = json.loads(path.read_text())["words"]
    wordnet = load_wordnet()

    wrong = [
        word
        for word, recorded in words.items()
        if recorded
        != [
            sorted(wordnet.get_syn_sets(word)),
            sorted(wordnet.get_stem_syn_sets(word)),
        ]
    ]

    assert wrong == []
