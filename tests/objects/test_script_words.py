"""Mentions as the published scripts find them."""

import json
import lzma

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spicepy.common.errors import InputError, ResourceError
from spicepy.objects.readers import (
    Tagger,
    load_reader,
    load_word_table,
    tokenize_for_scripts,
)

PATTERN = load_reader("pattern")


def named(caption: str) -> list[tuple[str, str]]:
    [found] = PATTERN.read([caption]).values()
    return [(mention.word, mention.name) for mention in found.mentions]


@pytest.mark.parametrize(
    ("caption", "expected"),
    [
        ("A woman leads two ponies.", [("woman", "person"), ("pony", "horse")]),
        ("the bus is late", []),
        ("the buses are late", [("bus", "bus")]),
        ("a hot dog beside a dog", [("hot dog", "hot dog"), ("dog", "dog")]),
        ("no dogs allowed", [("dog", "dog")]),
        ("a toilet and, far away, a seat", [("toilet", "toilet")]),
        ("an adult bear with baby birds", [("bear", "bear"), ("bird", "bird")]),
        ("red wine glasses", [("wine glass", "wine glass")]),
        ("men wearing ties", [("man", "person")]),
        ("", []),
    ],
)
def test_words_are_looked_up_one_by_one(caption: str, expected: object) -> None:
    assert named(caption) == expected


def test_mentions_know_their_sentence_and_token() -> None:
    [found] = PATTERN.read(["A cat sits. A hot dog lies there! A dog?"]).values()

    assert [(m.word, m.sentence, m.place) for m in found.mentions] == [
        ("cat", 1, 2),
        ("hot dog", 2, 6),
        ("dog", 3, 12),
    ]


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("It's 5 p.m. here.", "it 's 5 p.m. here ."),
        (
            "The clock says 12:15. The man waits.",
            "the clock says 12:15. the man waits .",
        ),
        ('a sign "stop." now', "a sign `` stop . '' now"),
        ("dogs, cats (and 1,000 birds)", "dogs , cats ( and 1,000 birds )"),
        ("they can't, cannot and won't", "they ca n't , can not and wo n't"),
        ("one... two -- three", "one ... two -- three"),
    ],
)
def test_tokens_are_those_of_the_treebank(text: str, tokens: str) -> None:
    assert tokenize_for_scripts(text) == tokens.split(" ")


@given(st.text(max_size=60))
def test_any_text_has_tokens_without_blanks(text: str) -> None:
    assert all(token and not token.isspace() for token in tokenize_for_scripts(text))
    PATTERN.read([text])


@given(st.lists(st.sampled_from(sorted(load_word_table().classes)), max_size=6))
def test_simple_sentences_need_no_rules(words: list[str]) -> None:
    """The short cut and the rules give the same tokens."""
    text = " , ".join(words)

    assert tokenize_for_scripts(f"{text} .") == tokenize_for_scripts(f"{text}  .")


def test_scripts_have_their_own_words() -> None:
    with pytest.raises(InputError, match="has the words of its script"):
        load_reader("pattern", "coco-80")


def test_a_missing_tagger_says_how_to_get_it(monkeypatch) -> None:
    import nltk

    monkeypatch.setattr(nltk.data, "path", [])

    with pytest.raises(ResourceError, match=r"nltk\.downloader"):
        Tagger()


def test_the_tagger_of_the_user_is_read(tmp_path, monkeypatch) -> None:
    import nltk

    folder = tmp_path / "taggers" / "averaged_perceptron_tagger_eng"
    folder.mkdir(parents=True)
    weights = {"i suffix ogs": {"NNS": 1.0}, "bias": {"NN": 0.5}}
    for part, value in (
        ("weights", weights),
        ("tagdict", {"the": "DT"}),
        ("classes", ["DT", "NN", "NNS"]),
    ):
        path = folder / f"averaged_perceptron_tagger_eng.{part}.json"
        path.write_text(json.dumps(value))
    monkeypatch.setattr(nltk.data, "path", [str(tmp_path)])

    assert Tagger().tag(["the", "dogs", "run"]) == ["DT", "NNS", "NN"]
    assert len(Tagger().origin) == 8
    path.write_text("[")
    with pytest.raises(ResourceError, match="cannot be read"):
        Tagger()


def test_the_table_of_singulars_is_the_scripts(shared) -> None:
    table = load_word_table()
    lines = (shared / "annotations" / "chair_singular.tsv").read_text().split("\n")
    known = {
        part for name in (*table.classes, *table.pairs) for part in name.split(" ")
    }
    for line in lines[1:-1]:
        token, singular = line.split("\t")
        if singular in known:
            assert table.singular.get(token, token) == singular, token


@pytest.mark.parametrize(("name", "every"), [("lvlm", 97), ("coco_systems", 211)])
def test_shared_captions_agree(shared, name: str, every: int) -> None:
    path = shared / "annotations" / f"goldens_{name}.jsonl.xz"
    with lzma.open(path, "rt", encoding="utf-8") as file:
        records = [json.loads(line) for k, line in enumerate(file) if k % every == 0]
    read = PATTERN.read([record["caption"] for record in records])

    for record in records:
        assert list(read[record["caption"]].names) == record["b"]["words"]
