"""How likely people say a word of a picture that others described."""

import pytest

from spicepy.common.errors import ResourceError
from spicepy.diagnosis.lexicon import lexicon as expected_words
from spicepy.diagnosis.lexicon.lexicon import ExpectedWords

DOG = (["dog", "lie", "couch"], ["dog", "sleep", "sofa"], ["dog", "couch"])


def raised(words: ExpectedWords, word: str) -> float:
    odds = words.log_odds(word, words.evidence_of(DOG))
    return odds.known - odds.usual


def test_what_others_say_tells_a_paraphrase_from_another_thing() -> None:
    words = ExpectedWords()

    assert raised(words, "dog") > raised(words, "puppy") > 2
    assert raised(words, "cat") < 1
    assert raised(words, "horse") < 0 < raised(words, "sofa")


def test_without_captions_or_a_known_word_nothing_is_raised() -> None:
    words = ExpectedWords()
    nothing = words.evidence_of([])

    assert words.log_odds("dog", nothing).known == words.log_odds("dog", nothing).usual
    assert raised(words, "glorbnax") == 0
    assert words.log_odds("glorbnax", nothing).usual < words.log_odds("dog", nothing)[1]


def test_a_missing_table_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(expected_words, "FILE", "absent.npz")

    with pytest.raises(ResourceError, match=r"absent\.npz is unusable: .*no such file"):
        ExpectedWords().evidence_of(DOG)
