"""The variants of CHAIR by name, and the reader of each."""

import hashlib
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache, partial
from itertools import chain
from pathlib import Path
from typing import Any, Final

from spicepy.common.errors import InputError, ResourceError, brief, reason_of
from spicepy.common.resources import read_table, required
from spicepy.objects.mentions import CLEAN, Mention, MentionReader, Mentions
from spicepy.words.wordnet import WordNet, load_wordnet

# Penn Treebank tokens as the scripts that compute CHAIR make them.
#
# The figures of the scripts depend on them; the tokeniser of coco-caption, which the
# other metrics use, is `spicepy.tokenization.ptb`.
#
# A text is first split into sentences, since a full stop is a token of its own only at
# a sentence's end. NLTK's splitter (Punkt) decides by the case of the next word; in
# lower-cased text this leaves a simple rule: a sentence ends at ".", "!" or "?" before
# a blank, a quote or a bracket, unless the stop belongs to an abbreviation
# (`grammars/chair.toml`) or a number. Simple sentences are then split at their blanks,
# all others by the tokeniser of the NLTK that is installed, without the rules that came
# after 3.8.1.
#
# Source: Kiss & Strunk 2006, section 4; observed outputs of NLTK 3.8.1.

TOKENS_FILE: Final = "chair.toml"
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
    """Return NLTK's tokeniser of sentences with the rules of 3.8.1."""
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
    """Read the words whose full stop ends no sentence."""
    return read_table(
        TOKENS_FILE, lambda data: frozenset(chain(*data["abbreviations"].values()))
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
    """Return whether a full stop ends no sentence."""
    # It belongs to an ellipsis or an abbreviation, or to a number or a single letter
    # before a word ("at 12:15. the").
    word, following = match[1], match[2] or match[3]
    if word.endswith(".") or word.rpartition("-")[2] in _abbreviations():
        return True
    if _NUMBER.fullmatch(word) or (len(word) == 1 and word.isalpha()):
        return following.islower() or following in ";:,.!?"
    return False


# Part-of-speech tags as NLTK's averaged perceptron gives them.
#
# The tagger's data are NLTK's, which the user downloads; they are not shipped.
#
# Source: Collins 2002, Discriminative Training Methods for Hidden Markov Models.

_FOLDER: Final = "taggers/averaged_perceptron_tagger_eng/"
_HOW: Final = (
    "run `python -m nltk.downloader averaged_perceptron_tagger_eng` (or set NLTK_DATA "
    "to the folder of NLTK's data), or use --variant pattern or clean"
)


class Tagger:
    """NLTK's tagger; `origin` is a digest of its data, for a result's signature."""

    def __init__(self) -> None:
        data = required("nltk.data", "NLTK's tagger")
        perceptron = required("nltk.tag.perceptron", "NLTK's tagger")
        try:
            folder = data.find(_FOLDER)
            self._tagger = perceptron.PerceptronTagger()
            self.origin = _digest(folder, self._tagger.param_files("eng"))
        except LookupError:
            raise ResourceError(f"NLTK's tagger is not installed: {_HOW}") from None
        except (OSError, ValueError, TypeError) as error:
            raise ResourceError(
                f"{folder}: NLTK's tagger cannot be read ({reason_of(error)}); {_HOW}"
            ) from None

    def tag(self, tokens: Sequence[str]) -> list[str]:
        """Return the tag of each token; all tokens are one text."""
        return [tag for _, tag in self._tagger.tag(tokens)]


def _digest(folder: Any, names: Sequence[str]) -> str:
    digest = hashlib.sha256()
    for name in names:
        with folder.join(name).open() as file:
            content = file.read()
        digest.update(content if isinstance(content, bytes) else content.encode())
    return digest.hexdigest()[:8]


# Mentions as the published CHAIR scripts find them: word by word, from one table.
#
# The scripts share the table (`grammars/chair.toml`) and differ only in how they bring
# a token to its dictionary form:
#
# * `pattern`: `singularize` of the library Pattern (the original script and its ports);
# * `nltk`: WordNet's lemma, by the tag of NLTK's tagger (OPERA's script and its
#   copies).
#
#     caption ─ tokens ─ dictionary forms ─ pairs become one ─ look up ─▶ mentions
#
# A word for an object counts as a mention in any context: "no dog", "a hot dog stand".
# These faults are kept, since the figures of papers have them: see `docs/how-
# to/chair.md`. The variant without them is `mentions`.
#
# Source: Rohrbach et al. 2018, section 3.1; observed outputs of the scripts.

_ENDS: Final = frozenset(".!?")
_PARTS: Final = {"J": "a", "V": "v", "N": "n", "R": "r"}
"""First letter of a tag -> WordNet's letter; all other tags are taken for nouns."""


@dataclass(frozen=True, slots=True)
class WordTable:
    """The words of the scripts."""

    classes: Mapping[str, str]  # Word, in its dictionary form -> object class
    pairs: Mapping[str, str]  # Two words joined by a blank -> the word that they become
    # Word -> what Pattern makes of it, where no rule says it.
    singular: Mapping[str, str]


@cache
def load_word_table() -> WordTable:
    """Read the table of the scripts."""
    return read_table(TOKENS_FILE, _made)


def _made(data: Mapping[str, Any]) -> WordTable:
    pairs = {pair: pair for pair in data["pairs"]["same"]} | data["pairs"]["other"]
    for first, seconds in data["pairs"]["second"].items():
        pairs |= {f"{first} {second}": second for second in seconds}
    classes = {word: name for name, words in data["classes"].items() for word in words}
    known = {part for name in (*classes, *pairs) for part in name.split(" ")}
    singular = {f"{word}s": word for word in known} | {word: word for word in known}
    return WordTable(classes, pairs, singular | data["singular"])


class ScriptReader:
    """Finds mentions as one of the scripts does, by the dictionary forms of tokens."""

    # `origin` is the source of the forms, for the signature.

    def __init__(
        self,
        variant: str,
        forms: Callable[[Sequence[str]], Sequence[str]],
        table: WordTable,
        origin: str,
    ) -> None:
        self.variant = variant
        self.vocabulary = f"the variant {variant}"
        self._forms = forms
        self._table = table
        self._origin = origin

    def class_of(self, name: str) -> str | None:
        """Return the class that the name of an annotation's category means, or None."""
        return self._table.classes.get(name)

    def read(self, captions: Sequence[str]) -> dict[str, Mentions]:
        """Return the mentions of each raw caption."""
        return {caption: self._read(caption) for caption in dict.fromkeys(captions)}

    def signature(self) -> dict[str, str]:
        """Return the variant and the source of its dictionary forms."""
        return {"variant": self.variant, "words": "chair-2018", "forms": self._origin}

    def _read(self, caption: str) -> Mentions:
        tokens = self._joined(self._forms(tokenize_for_scripts(caption)))
        words = tuple(word for word, *_ in tokens)
        # at any place of the caption
        dropped = "seat" if "toilet" in words and "seat" in words else ""
        classes = self._table.classes
        mentioned = (
            Mention(classes[word], word, place, sentence)
            for word, place, sentence in tokens
            if word in classes and word != dropped
        )
        return Mentions(tuple(mentioned), words, tokens[-1][2] if tokens else 1)

    def _joined(self, forms: Sequence[str]) -> list[tuple[str, int, int]]:
        """Return words, the numbers of their tokens and sentences; join pairs."""
        # Pairs are joined from the left; a joined pair is not joined to a third word.
        joined: list[tuple[str, int, int]] = []
        at, sentence = 0, 1
        while at < len(forms):
            if at and forms[at - 1] in _ENDS and forms[at] not in _ENDS:
                sentence += 1
            pair = self._table.pairs.get(" ".join(forms[at : at + 2]))
            joined.append((pair or forms[at], at + 1, sentence))
            at += 2 if pair else 1
        return joined


def load_script_reader(variant: str) -> ScriptReader:
    """Return the reader of a script: "pattern" or "nltk"."""
    table = load_word_table()
    if variant == "pattern":
        return ScriptReader(variant, partial(_singular, table), table, "pattern-3.6")
    tagger, wordnet = Tagger(), load_wordnet()
    origin = f"{wordnet.signature}, tagger@{tagger.origin}"
    return ScriptReader(variant, partial(_lemmas, tagger, wordnet), table, origin)


def _singular(table: WordTable, tokens: Sequence[str]) -> list[str]:
    """Return the singulars that Pattern makes; other tokens stay as they are."""
    return [table.singular.get(token, token) for token in tokens]


def _lemmas(tagger: Tagger, wordnet: WordNet, tokens: Sequence[str]) -> list[str]:
    """Return WordNet's shortest lemma of each token; itself if there is none."""
    return [
        _lemma(wordnet, token, _PARTS.get(tag[:1], "n"))
        for token, tag in zip(tokens, tagger.tag(tokens))
    ]


@lru_cache(maxsize=1 << 17)
def _lemma(wordnet: WordNet, word: str, part: str) -> str:
    return min(wordnet.base_forms(word, part), key=len, default=word)


VARIANTS: Final = (CLEAN, "pattern", "nltk")
"""`pattern`: Rohrbach's script and its ports. `nltk`: OPERA's script and its copies."""


def load_reader(
    variant: str = CLEAN,
    vocabulary: str | Path | None = None,
    *,
    jobs: int = 1,
    cache: str | Path | None = None,
    model: str | None = None,
) -> MentionReader:
    """Return the reader of a variant, a name of `VARIANTS`."""
    # The options are for `clean` alone. The vocabulary is a shipped one's name, a TOML
    # file or an annotation file, "coco-80" by default; `cache` is a folder that keeps
    # what is parsed.
    if variant not in VARIANTS:
        raise InputError(
            f"the variant is {brief(variant)}; it must be one of {', '.join(VARIANTS)}"
        )
    if variant == CLEAN:
        from spicepy.objects.mentions import load_parsed_reader

        return load_parsed_reader(vocabulary, jobs=jobs, cache=cache, model=model)
    if vocabulary is not None:
        raise InputError(
            f"--vocabulary {vocabulary}: the variant {variant} has the words of its "
            "script, for the 80 classes of COCO; other words are for the variant clean"
        )

    return load_script_reader(variant)
