"""Mentions by our parser: the variant `clean` of CHAIR.

A noun names an object if the vocabulary has its name or its last word, and if the
caption says that the object is in the picture (`presence`):

* "hot dog" is not a dog: the longest name of the vocabulary counts;
* "cat food" is not a cat: of a compound only the last word is an object, but for parts
  ("pizza slices");
* "no dog", "without a dog", "does not show any dog", "the dog's bowl" name none;
* "a painting of a horse", "a toy horse", "shaped like a bird" name none;
* "possibly a dog" and "a dog or a cat" leave open what is there;
* an "orange cat" is not an orange, "seated" is not a seat: only nouns name objects.

These words are in `grammars/mentions.toml`, the nouns of the classes in
`grammars/vocabularies/`.
"""

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, Protocol

from spicepy.objects.amounts import cases, children, load_amount_words
from spicepy.objects.presence import (
    COMPOUND,
    MentionWords,
    Presence,
    SentencePresence,
    is_living,
    load_mention_words,
)
from spicepy.objects.sentence_amounts import SentenceAmounts
from spicepy.objects.vocabulary import COCO, Vocabulary, load_vocabulary
from spicepy.parsing.trees import Parse
from spicepy.pipeline import Pipeline

CLEAN: Final = "clean"  # The variant that reads captions with our parser


@dataclass(frozen=True, slots=True)
class Mention:
    """One object that a caption names."""

    name: str  # The object class, "person"
    word: str  # The word that names it, as the reader looked it up: "man"
    place: int  # The number of the token, from 1
    sentence: int = 1  # The number of the sentence, from 1


@dataclass(frozen=True, slots=True)
class Mentions:
    """The objects that one caption names."""

    # The mentions in the order of the caption; a class may be repeated.
    mentions: tuple[Mention, ...]
    # The tokens of the caption in their dictionary forms, pairs such as "hot dog"
    # joined to one.
    tokens: tuple[str, ...]
    sentences: int = 1  # The number of its sentences

    @property
    def names(self) -> tuple[str, ...]:
        """The classes in the order of the caption, with repetitions."""
        return tuple(mention.name for mention in self.mentions)


class MentionReader(Protocol):
    """The interface of readers, which find the objects that captions name."""

    @property
    def variant(self) -> str:
        """The name of the variant: "pattern", "nltk" or "clean"."""

    @property
    def vocabulary(self) -> str:
        """The name of the vocabulary whose classes it knows: "coco-80"."""

    def class_of(self, name: str) -> str | None:
        """Return the class that the name of an annotation's category means, or None."""

    def read(self, captions: Sequence[str]) -> Mapping[str, Mentions]:
        """Return the mentions of each raw caption."""

    def signature(self) -> dict[str, str]:
        """Return everything that can change the mentions, in a stable order."""


_MAX_WORDS: Final = 4  # The number of words of the longest name of an object
_PERSON: Final = "person"


@dataclass(frozen=True, slots=True)
class NamedObject:
    """A noun of a tree that names an object."""

    name: str  # The object class
    word: str  # Its name as the vocabulary has it, "hot dog"
    # first, last: The positions of its words in the tree, from 1.
    first: int
    last: int
    presence: Presence  # Whether the caption says that the object is there

    @property
    def there(self) -> bool:
        """Whether the caption says that the object is there."""
        return self.presence == "there"


class ParsedReader:
    """Finds mentions of a vocabulary's classes in dependency trees."""

    variant = CLEAN

    def __init__(
        self, vocabulary: Vocabulary, pipeline: Pipeline, words: MentionWords
    ) -> None:
        self.vocabulary, self._words_read = vocabulary.name, vocabulary.signature
        self.pipeline = pipeline
        self._words = words
        self._names = {name.lower(): name for name in vocabulary.classes.values()}
        self._nouns = dict(vocabulary.classes)
        known = frozenset(vocabulary.classes.values())
        self._compounds = {
            compound: name
            for compound, name in words.compounds.items()
            if compound not in known and (not name or name in known)
        }

    def class_of(self, name: str) -> str | None:
        """Return the class that the name of an annotation's category means, or None."""
        lower = name.lower()
        return self._names.get(lower) or self._nouns.get(lower.replace("_", " "))

    def read(self, captions: Sequence[str]) -> dict[str, Mentions]:
        """Return the mentions of each raw caption."""
        readings = {}
        for caption, trees in self.trees(captions).items():
            mentions: list[Mention] = []
            start = 0
            for number, tree in enumerate(trees, 1):
                mentions += (
                    Mention(named.name, named.word, start + named.last, number)
                    for named in self.named(tree)
                    if named.there
                )
                start += len(tree.words)
            tokens = tuple(lemma for tree in trees for lemma in tree.lemmas)
            readings[caption] = Mentions(tuple(mentions), tokens, len(trees))
        return readings

    def trees(self, captions: Sequence[str]) -> dict[str, tuple[Parse, ...]]:
        """Return the trees of the sentences of each caption."""
        texts = {c: self.pipeline.text(c) for c in dict.fromkeys(captions)}
        for caption in texts:
            self.pipeline.check(caption, "a caption")
        split = {caption: text.split("\n") for caption, text in texts.items()}
        of_line = self.pipeline.trees(
            dict.fromkeys(line for lines in split.values() for line in lines if line)
        )
        return {
            caption: tuple(of_line[line] for line in lines if line)
            for caption, lines in split.items()
        }

    def signature(self) -> dict[str, str]:
        """Return the variant, the vocabulary and the parser."""
        signature = self.pipeline.signature()
        return {
            "variant": self.variant,
            "words": self._words_read,
            **{key: signature[key] for key in ("model", "tokeniser")},
        }

    def named(self, tree: Parse) -> list[NamedObject]:
        """Return the nouns of a tree that name objects, in their order."""
        taken: set[int] = set()
        objects = []
        amounts = SentenceAmounts(tree, load_amount_words())
        presence = SentencePresence(amounts, self._words)
        for last in range(len(tree.words), 0, -1):
            if last in taken:
                continue
            span = self._name_at(tree, last)
            if span is None and _PERSON in self._names and amounts.members(last):
                span = self._names[_PERSON], tree.lemmas[last - 1], last
            if span is None:
                continue
            name, word, first = span
            taken |= set(range(first, last + 1))
            if name and not self._is_modifier(amounts, first, last):
                stated = presence.of(first, last, living=is_living(name))
                objects.append(NamedObject(name, word, first, last, stated))
        objects = [*objects[::-1], *self._nobody(tree)]
        return _chosen_within_class(objects, presence.chosen)

    def _nobody(self, tree: Parse) -> Iterator[NamedObject]:
        """Yield the person who is not there: "nobody", "no one"."""
        if _PERSON not in self._names:
            return
        for at in range(1, len(tree.words) + 1):
            for first in (at, at - 1):
                word = " ".join(tree.words[max(0, first - 1) : at])
                if word in self._words.nobody:
                    name = self._names[_PERSON]
                    yield NamedObject(name, word, max(1, first), at, "denied")
                    break

    def _name_at(self, tree: Parse, last: int) -> tuple[str, str, int] | None:
        """Return class, name and first position of the longest name that ends here."""
        for size in range(min(_MAX_WORDS, last), 0, -1):
            first = last - size + 1
            forms = _forms(tree, first, last)
            for word in forms:
                if word in self._compounds:
                    return self._compounds[word], word, first
                if size > 1 and word in self._nouns:
                    return self._nouns[word], word, first
                if word in self._nouns and tree.tags[last - 1].startswith("NN"):
                    return self._nouns[word], word, first
        return None

    def _is_modifier(self, amounts: SentenceAmounts, first: int, last: int) -> bool:
        """Return whether a noun only modifies another one, as an amount or a kind."""
        # A plural with a number does not: of "two dogs bark", "bark" is the verb.
        tree = amounts.tree
        head = tree.heads[last - 1]
        of = any("of" in cases(tree, k) for k in children(tree, last))
        known, lemma = load_amount_words(), tree.lemmas[last - 1]
        if of and lemma in known.groups:
            return amounts.members(last) is None
        if lemma in known.collectives and "NNS" in tree.tags[last : last + 1]:
            return True  # "A couple dogs"
        if tree.labels[last - 1] not in (*COMPOUND, "amod") or head <= last:
            return False
        if tree.lemmas[head - 1] in self._words.parts:
            return False
        amount = amounts.of(first, last) if tree.tags[last - 1] == "NNS" else None
        return amount is None or amount.low < 2 or head != last + 1


def load_parsed_reader(
    vocabulary: str | Path | None = None,
    *,
    jobs: int = 1,
    cache: str | Path | None = None,
    model: str | None = None,
) -> ParsedReader:
    """Return the reader of the variant `clean`, by default for "coco-80"."""
    # The parser is by default the one that `spicepy-1` is written for.
    words = load_vocabulary(COCO if vocabulary is None else vocabulary)
    pipeline = Pipeline(grammar="spicepy-1", model=model, jobs=jobs, cache=cache)
    return ParsedReader(words, pipeline, load_mention_words())


def _chosen_within_class(
    objects: Sequence[NamedObject], chosen: Set[int]
) -> list[NamedObject]:
    """Return the objects; of "a man or a woman", both people, one is there."""
    supposed = [n for n in objects if n.presence == "supposed" and n.last in chosen]
    names = {named.name for named in supposed}
    if len(supposed) < 2 or len(names) > 1:
        return list(objects)
    return [
        replace(named, presence="there") if named is supposed[0] else named
        for named in objects
    ]


def _forms(tree: Parse, first: int, last: int) -> Iterator[str]:
    """Yield a name with its last word as lemma and as written."""
    before = [*tree.words[first - 1 : last - 1]]
    for final in dict.fromkeys((tree.lemmas[last - 1], tree.words[last - 1])):
        yield " ".join((*before, final))
        if before:
            yield " ".join((*tree.lemmas[first - 1 : last - 1], final))
