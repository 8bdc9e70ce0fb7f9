"""Penn Treebank tokens as the scripts that compute CHAIR make them.

In: a caption as it was written. Out: its tokens in lower case, as `word_tokenize` of
NLTK 3.5 to 3.8.1 makes them. The figures of the scripts depend on them; the tokeniser
of coco-caption, which the other metrics use, is `spicepy.tokenization.ptb`.

A text is first split into sentences, since a full stop is a token of its own only at a
sentence's end. NLTK's splitter (Punkt) decides by the case of the next word; in
lower-cased text this leaves a simple rule: a sentence ends at ".", "!" or "?" before a
blank, a quote or a bracket, unless the stop belongs to an abbreviation
(`grammars/chair.toml`) or a number. Simple sentences are then split at their blanks,
all others by the tokeniser of the NLTK that is installed, without the rules that came
after 3.8.1.

Source: Kiss & Strunk 2006, section 4; observed outputs of NLTK 3.8.1.
"""

import re
from collections.abc import Callable, Iterator
from functools import cache
from itertools import chain
from typing import Any, Final

from spicepy.common.data_files import read_table
from spicepy.common.lazy_imports import required

FILE: Final = "chair.toml"
_END: Final = re.compile(
    r"([^\s()\";}\]*:@'{\[!?]*)[.?!](?=\s+(\S)|([)\";}\]*:@'({\[!?]))"
)
"""A word, its stop, and the character that follows."""
_CLOSERS: Final = re.compile(r"\s*[\"')\]}]+(?=\s|--|$)")
"""Quotes and brackets that belong to the sentence before them."""
_NUMBER: Final = re.compile(r"-?[.,]?\d[\d,.-]*")

_SIMPLE: Final = re.compile(r"[a-z0-9 -]+(?:, [a-z0-9 -]+)*[.?!]?")
_SPECIAL: Final = re.compile(r"--|\b(?:cannot|gimme|gonna|gotta|lemme|wanna)\b")
"""Most sentences are simple, and need no rules unless they hold one of these."""

_LATER_RULES: Final = frozenset([r"\s+", r"[\u2012-\u2015]"])
"""Patterns of NLTK's rules that came after 3.8.1."""
_OPENING_QUOTE: Final = re.compile(r"(?i)'(?!re|ve|ll|m|t|s|d|n)(?=\w\b)")
"""A quote before a single letter, which 3.8.1 separates from it."""


def tokenize_for_scripts(caption: str) -> list[str]:
    """Return the tokens of a caption in lower case."""
    return [
        token for sentence in _sentences(caption.lower()) for token in _tokens(sentence)
    ]


def _tokens(sentence: str) -> list[str]:
    if _SIMPLE.fullmatch(sentence) and not _SPECIAL.search(sentence):
        tokens = sentence.replace(",", " ,").split()
        last = tokens[-1] if tokens else ""
        if len(last) > 1 and last[-1] in ".?!":
            tokens[-1:] = [last[:-1], last[-1]]
        return tokens
    return _nltk_tokenizer()(sentence)


@cache
def _nltk_tokenizer() -> Callable[[str], list[str]]:
    """Return NLTK's tokeniser of sentences with the rules of 3.8.1.

    Raises:
        ResourceError: NLTK cannot be imported.
    """
    nltk = required("nltk.tokenize.destructive", "CHAIR as its scripts compute it")
    made: Any = nltk.NLTKWordTokenizer()
    made.ENDING_QUOTES = _early(made.ENDING_QUOTES)
    made.PUNCTUATION = _early(made.PUNCTUATION)
    made.STARTING_QUOTES = [*made.STARTING_QUOTES[:-1], (_OPENING_QUOTE, "' ")]
    tokenize: Callable[[str], list[str]] = made.tokenize
    return tokenize


def _early(rules: list[tuple[re.Pattern[str], str]]) -> list[Any]:
    return [rule for rule in rules if rule[0].pattern not in _LATER_RULES]


@cache
def _abbreviations() -> frozenset[str]:
    """Read the words whose full stop ends no sentence.

    Raises:
        ResourceError: The file is missing or damaged.
    """
    return read_table(
        FILE, lambda data: frozenset(chain(*data["abbreviations"].values()))
    )


def _sentences(text: str) -> Iterator[str]:
    start = 0
    for found in _END.finditer(text):
        end = found.end()
        if end <= start or (text[end - 1] == "." and _goes_on(found)):
            continue
        closers = _CLOSERS.match(text, end)
        end = closers.end() if closers else end
        yield text[start:end].strip()
        start = end
    yield text[start:].strip()


def _goes_on(match: re.Match[str]) -> bool:
    """Return whether a full stop ends no sentence.

    It belongs to an ellipsis or an abbreviation, or to a number or a single letter
    before a word ("at 12:15. the").
    """
    word, following = match[1], match[2] or match[3]
    if word.endswith(".") or word.rpartition("-")[2] in _abbreviations():
        return True
    if _NUMBER.fullmatch(word) or (len(word) == 1 and word.isalpha()):
        return following.islower() or following in ";:,.!?"
    return False
