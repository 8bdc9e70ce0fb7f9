"""Mentions as the published CHAIR scripts find them: word by word, from one table.

In: a caption. Out: its `Mentions`. The scripts share the table (`grammars/chair.toml`)
and differ only in how they bring a token to its dictionary form:

* `pattern`: `singularize` of the library Pattern (the original script and its ports);
* `nltk`: WordNet's lemma, by the tag of NLTK's tagger (OPERA's script and its copies).

    caption ─ tokens ─ dictionary forms ─ pairs become one ─ look up ─▶ mentions

A word for an object counts as a mention in any context: "no dog", "a hot dog stand".
These faults are kept, since the figures of papers have them: see
`docs/how-to/chair.md`. The variant without them is `annotations.parsed_mentions`.

Source: Rohrbach et al. 2018, section 3.1; observed outputs of the scripts.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache, partial
from typing import Any, Final

from spicepy.annotations.mentions import Mention, Mentions
from spicepy.annotations.script_tokens import tokenize_for_scripts
from spicepy.annotations.tagging import Tagger
from spicepy.common.data_files import read_table
from spicepy.common.words.wordnet import WordNet, load_wordnet

FILE: Final = "chair.toml"
_ENDS: Final = frozenset(".!?")
_PARTS: Final = {"J": "a", "V": "v", "N": "n", "R": "r"}
"""First letter of a tag -> WordNet's letter; all other tags are taken for nouns."""


@dataclass(frozen=True, slots=True)
class WordTable:
    """The words of the scripts.

    Attributes:
        classes: Word, in its dictionary form -> object class.
        pairs: Two words joined by a blank -> the word that they become.
        singular: Word -> what Pattern makes of it, where no rule says it.
    """

    classes: Mapping[str, str]
    pairs: Mapping[str, str]
    singular: Mapping[str, str]


@cache
def load_word_table() -> WordTable:
    """Read the table of the scripts.

    Raises:
        ResourceError: The file is missing or damaged.
    """
    return read_table(FILE, _made)


def _made(data: Mapping[str, Any]) -> WordTable:
    pairs = {pair: pair for pair in data["pairs"]["same"]} | data["pairs"]["other"]
    for first, seconds in data["pairs"]["second"].items():
        pairs |= {f"{first} {second}": second for second in seconds}
    classes = {word: name for name, words in data["classes"].items() for word in words}
    known = {part for name in (*classes, *pairs) for part in name.split(" ")}
    singular = {f"{word}s": word for word in known} | {word: word for word in known}
    return WordTable(classes, pairs, singular | data["singular"])


class ScriptReader:
    """Finds mentions as one of the scripts does.

    Args:
        variant: "pattern" or "nltk".
        forms: A function from the tokens of a caption to their dictionary forms.
        table: The words.
        origin: The source of the forms, for the signature.
    """

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
        """Return the mentions of each caption, as it was written."""
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
        """Return words, the numbers of their tokens and sentences; pairs are one word.

        Pairs are joined from the left; a joined pair is not joined to a third word.
        """
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
    """Return the reader of a script.

    Args:
        variant: "pattern" or "nltk".

    Raises:
        ResourceError: The data of NLTK's tagger are missing ("nltk").
    """
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
