"""Captions that are too long are refused in one sentence; below, time is linear."""

import json
import time
from pathlib import Path

import pytest

import spicepy
from spicepy.common.errors import InputError
from spicepy.diagnosis.results.diagnosing import diagnose, scenes
from spicepy.pipeline import Pipeline
from spicepy.tokenization.samples import EXACT_WORDS, SENTENCES, WORDS, check_length

LONG = " ".join(["dog"] * (WORDS + 1))
MANY = "A dog runs. " * (SENTENCES + 1)


def sample(caption: str, reference: str = "a dog"):
    return {"image_id": "x7", "candidate": caption, "references": [reference]}


@pytest.mark.parametrize("metric", ["spice", "spice-soft", "spider"])
@pytest.mark.parametrize("side", [(LONG, "a dog"), ("a dog", LONG)])
def test_the_image_of_a_long_sentence_is_named(metric: str, side) -> None:
    with pytest.raises(InputError, match="image 'x7': 2,001 words") as error:
        spicepy.evaluate([sample(*side)], [metric])
    assert "SPICEPY_SENTENCE_WORDS" in str(error.value)
    assert len(str(error.value)) < 300


def test_the_image_of_many_sentences_is_named() -> None:
    pipeline = Pipeline(grammar="spicepy-1")
    found = spicepy.evaluate([sample(MANY)], ["bleu"])

    with pytest.raises(InputError, match="image 'x7': 501 sentences"):
        diagnose(scenes(found, pipeline))
    with pytest.raises(InputError, match="501 sentences"):
        pipeline.parse([MANY])


def test_captions_without_an_image_are_named_by_their_words() -> None:
    for call in (Pipeline().parse, Pipeline().propose, Pipeline().read):
        with pytest.raises(InputError, match="the caption 'dog dog"):
            call([LONG])


def test_the_exact_parser_takes_shorter_sentences() -> None:
    pipeline = Pipeline(model="english-pcfg-3.6.0")

    with pytest.raises(InputError, match="201 words in a sentence, and at most 200"):
        pipeline.parse([" ".join(["dog"] * (EXACT_WORDS + 1))])


def test_n_grams_take_captions_of_any_length() -> None:
    caption = " ".join(["a", "dog", "runs"] * 40_000)
    begun = time.process_time()

    found = spicepy.evaluate([sample(caption)], ["bleu", "rouge", "cider-d"])

    assert found.corpus_score("bleu-1") is not None
    assert time.process_time() - begun < 10


def test_other_limits(monkeypatch) -> None:
    monkeypatch.setenv("SPICEPY_SENTENCE_WORDS", str(WORDS + 1))
    check_length(LONG)
    monkeypatch.setenv("SPICEPY_CAPTION_SENTENCES", "200")
    with pytest.raises(InputError, match="at most 200 are parsed"):
        check_length("\n".join(["a dog"] * 201))
    monkeypatch.setenv("SPICEPY_SENTENCE_WORDS", "many")
    with pytest.raises(InputError, match="SPICEPY_SENTENCE_WORDS is 'many'"):
        check_length(LONG)


@pytest.mark.parametrize("command", ["evaluate", "parse", "diagnose", "report"])
def test_commands_say_so_and_end_with_2(run, tmp_path: Path, command: str) -> None:
    path = tmp_path / "captions.json"
    path.write_text(json.dumps([sample("dog " * 170_000)]))
    options = {
        "parse": ["--file", str(path), "-o", str(tmp_path / "o.jsonl")],
        "report": [str(path), "-o", str(tmp_path / "o.html")],
    }
    begun = time.process_time()

    code, _, err = run(command, *options.get(command, [str(path)]), "-q")

    assert code == 2
    assert "image 'x7': 170,000 words in a sentence" in " ".join(err.split())
    assert time.process_time() - begun < 20


@pytest.mark.slow
@pytest.mark.parametrize("grammar", ["spice-1.0", "spicepy-1"])
@pytest.mark.parametrize("unit", ["dog", "red", "dog and", "red ,", "man who is"])
def test_time_is_linear_below_the_limit(grammar: str, unit: str) -> None:
    pipeline = Pipeline(grammar=grammar)
    pipeline.parse(["a dog"])
    spent = []
    for words in (WORDS // 4, WORDS):
        caption = " ".join((unit.split() * words)[: words - 1])
        begun = time.process_time()
        pipeline.parse([f"{caption} x{words}"])
        spent.append(time.process_time() - begun)

    assert spent[1] < 2 + 6 * spent[0]
