"""Mentions by our parser: the variant `clean` of CHAIR.

In: captions. Out: the `Mentions` of each caption, and its trees. A noun names an object
if the vocabulary has its name or its last word, and if the caption says that the object
is in the picture:

* "hot dog" is no dog: the longest name of the vocabulary counts;
* "cat food" is no cat: of a compound only the last word is an object, but for parts
  ("pizza slices");
* "no dog", "without a dog", "does not show any dog" name none;
* "a painting of a horse", "a toy horse", "shaped like a bird" name none;
* an "orange cat" is no orange, "seated" is no seat: only nouns name objects.

These words are in `grammars/mentions.toml`, the nouns of the classes in
`grammars/vocabularies/`.

Sections that belong to it:

* Mentions: the objects that a caption names, by the classes of a vocabulary.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final, Protocol

from spicepy.common.resources import read_table
from spicepy.objects.vocabulary import COCO, Vocabulary, load_vocabulary
from spicepy.parsing.trees import Parse
from spicepy.pipeline import Pipeline

# Mentions: the objects that a caption names, by the classes of a vocabulary.
#
#     "a man with two dogs"  →  person (man), dog (dogs)
#
# In: captions. Out: a `Mentions` for each caption, made by the word lists of the
# scripts (`script_words`) or by the parser (`parsed_mentions`).

CLEAN: Final = "clean"
"""The variant that reads captions with our parser."""


@dataclass(frozen=True, slots=True)
class Mention:
    """One object that a caption names.

    Attributes:
        name: The object class, "person".
        word: The word that names it, as the reader looked it up: "man".
        place: The number of the token, from 1.
        sentence: The number of the sentence, from 1.
    """

    name: str
    word: str
    place: int
    sentence: int = 1


@dataclass(frozen=True, slots=True)
class Mentions:
    """The objects that one caption names.

    Attributes:
        mentions: The mentions in the order of the caption; a class may be repeated.
        tokens: The tokens of the caption in their dictionary forms, pairs such as "hot
            dog" joined to one.
        sentences: The number of its sentences.
    """

    mentions: tuple[Mention, ...]
    tokens: tuple[str, ...]
    sentences: int = 1

    @property
    def names(self) -> tuple[str, ...]:
        """The classes in the order of the caption, with repetitions."""
        return tuple(mention.name for mention in self.mentions)


class MentionReader(Protocol):
    """The interface of readers, which find the objects that captions name."""

    @property
    def variant(self) -> str:
        """The name of the variant: "pattern", "nltk" or "clean"."""
        ...

    @property
    def vocabulary(self) -> str:
        """The name of the vocabulary whose classes it knows: "coco-80"."""
        ...

    def class_of(self, name: str) -> str | None:
        """Return the class that the name of an annotation's category means, or None."""
        ...

    def read(self, captions: Sequence[str]) -> Mapping[str, Mentions]:
        """Return the mentions of each caption, as it was written."""
        ...

    def signature(self) -> dict[str, str]:
        """Return everything that can change the mentions, in a stable order."""
        ...


FILE: Final = "mentions.toml"
_LONGEST: Final = 4
"""The number of words of the longest name of an object."""
_COMPOUND: Final = ("compound", "nn")
_SUBJECTS: Final = ("nsubj", "nsubjpass", "csubj")
_OBJECTS: Final = ("dobj", "obj")
_CHOICE: Final = frozenset(["or", "nor"])


@dataclass(frozen=True, slots=True)
class MentionWords:
    """Words next to which a noun names no object; see `grammars/mentions.toml`."""

    negation: frozenset[str]
    absence: frozenset[str]
    depictions: frozenset[str]
    pictures: frozenset[str]
    modifiers: frozenset[str]
    living: frozenset[str]
    likeness: frozenset[str]
    parts: frozenset[str]
    amounts: frozenset[str]
    compounds: Mapping[str, str]


@cache
def load_mention_words() -> MentionWords:
    """Read the words.

    Raises:
        ResourceError: The file is missing or damaged.
    """
    return read_table(FILE, _made)


def _made(data: Mapping[str, Any]) -> MentionWords:
    names = [name for name in MentionWords.__dataclass_fields__ if name != "compounds"]
    lists = {name: frozenset(data[name]) for name in names}
    return MentionWords(**lists, compounds=data["compounds"])


@dataclass(frozen=True, slots=True)
class NamedObject:
    """A noun of a tree that names an object.

    Attributes:
        name: The object class.
        word: Its name as the vocabulary has it, "hot dog".
        first, last: The positions of its words in the tree, from 1.
        there: Whether the caption says that the object is there.
    """

    name: str
    word: str
    first: int
    last: int
    there: bool


class ParsedReader:
    """Finds mentions in dependency trees.

    Args:
        vocabulary: The nouns of the classes.
        pipeline: Parses captions.
        words: The words next to which a noun names no object.
    """

    variant = CLEAN

    def __init__(
        self, vocabulary: Vocabulary, pipeline: Pipeline, words: MentionWords
    ) -> None:
        self.vocabulary = vocabulary.name
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
        """Return the mentions of each caption, as it was written."""
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
            "words": self.vocabulary,
            **{key: signature[key] for key in ("model", "tokeniser")},
        }

    def named(self, tree: Parse) -> list[NamedObject]:
        """Return the nouns of a tree that name objects, in their order."""
        taken: set[int] = set()
        objects = []
        for last in range(len(tree.words), 0, -1):
            if last in taken:
                continue
            span = self._name_at(tree, last)
            if span is None:
                continue
            name, word, first = span
            taken |= set(range(first, last + 1))
            if name and not self._is_modifier(tree, last):
                there = not self._is_absent(tree, last, first, name)
                objects.append(NamedObject(name, word, first, last, there))
        return objects[::-1]

    def _name_at(self, tree: Parse, last: int) -> tuple[str, str, int] | None:
        """Return class, name and first position of the longest name that ends here."""
        for size in range(min(_LONGEST, last), 0, -1):
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

    def _is_modifier(self, tree: Parse, last: int) -> bool:
        """Return whether a noun only modifies another one, as an amount or a kind."""
        head = tree.heads[last - 1]
        of = any("of" in _cases(tree, k) for k in _children(tree, last))
        if of and tree.lemmas[last - 1] in self._words.amounts:
            return True
        if tree.labels[last - 1] not in (*_COMPOUND, "amod") or head <= last:
            return False
        return tree.lemmas[head - 1] not in self._words.parts

    def _is_absent(self, tree: Parse, last: int, first: int, name: str) -> bool:
        """Return whether the caption says that an object is not there, or is shown."""
        words, below = self._words, set(_children(tree, last))
        negated = any(tree.lemmas[k - 1] in words.negation for k in below if k < last)
        return (
            negated
            or bool(_governing_cases(tree, last) & (words.absence | words.likeness))
            or self._is_depicted(tree, first, below, name)
            or self._is_governed(tree, last)
        )

    def _is_depicted(self, tree: Parse, first: int, below: set[int], name: str) -> bool:
        """Return whether a word before a noun marks it as a toy or a figure."""
        words = self._words
        for k in below:
            if k < first and tree.labels[k - 1] in (*_COMPOUND, "amod"):
                said = tree.lemmas[k - 1]
                if said in words.depictions:
                    return True
                if said in words.modifiers or tree.words[k - 1] in words.modifiers:
                    return name in words.living
        return False

    def _is_governed(self, tree: Parse, last: int) -> bool:
        """Return whether the governor of a noun denies or depicts its object."""
        at = last
        for _ in tree.words:
            head, label = tree.heads[at - 1], tree.labels[at - 1]
            if not head:
                return False
            if label == "conj":
                if self._is_excluded_choice(tree, head):
                    return True
                if _cases(tree, at):
                    return False
                at = head  # it shares the governor of the first conjunct
                continue
            if label.startswith("nmod") and "of" in _cases(tree, at):
                if self._is_picture(tree, head):
                    return True
                at = head
                continue
            return self._is_denied(tree, head, label)
        return False

    def _is_excluded_choice(self, tree: Parse, head: int) -> bool:
        """Return whether a "no" covers all conjuncts: "no cars or trucks"."""
        children = {tree.lemmas[k - 1] for k in _children(tree, head)}
        return bool(children & _CHOICE and children & self._words.negation)

    def _is_picture(self, tree: Parse, head: int) -> bool:
        """Return whether a noun is a depiction, or a picture within the picture."""
        noun, label = tree.lemmas[head - 1], tree.labels[head - 1]
        inside = tree.heads[head - 1] != 0 and label not in _SUBJECTS
        words = self._words
        return noun in words.depictions or (noun in words.pictures and inside)

    def _is_denied(self, tree: Parse, head: int, label: str) -> bool:
        """Return whether a verb is negated, or compares something with its object."""
        if label in _SUBJECTS or label == "nmod":
            governor = tree.lemmas[head - 1]
            return governor == "be" and _is_negated(tree, head)
        if label not in _OBJECTS:
            return False
        return tree.lemmas[head - 1] in self._words.likeness or _is_negated(tree, head)


def load_parsed_reader(
    vocabulary: str | Path | None = None,
    *,
    jobs: int = 1,
    cache: str | Path | None = None,
) -> ParsedReader:
    """Return the reader of the variant `clean`.

    Args:
        vocabulary: See `annotations.vocabulary`; "coco-80" by default.
        jobs: Processes that parse.
        cache: A folder that keeps what is parsed.

    Raises:
        InputError: The vocabulary is unknown or damaged.
    """
    words = load_vocabulary(COCO if vocabulary is None else vocabulary)
    pipeline = Pipeline(grammar="spicepy-1", jobs=jobs, cache=cache)
    return ParsedReader(words, pipeline, load_mention_words())


def _forms(tree: Parse, first: int, last: int) -> Iterator[str]:
    """Yield a name with its last word as lemma and as written."""
    before = [*tree.words[first - 1 : last - 1]]
    for final in dict.fromkeys((tree.lemmas[last - 1], tree.words[last - 1])):
        yield " ".join((*before, final))
        if before:
            yield " ".join((*tree.lemmas[first - 1 : last - 1], final))


def _children(tree: Parse, at: int) -> Iterator[int]:
    return (k for k, head in enumerate(tree.heads, 1) if head == at)


def _cases(tree: Parse, at: int) -> set[str]:
    """Return the prepositions of a noun."""
    children = _children(tree, at)
    return {tree.lemmas[k - 1] for k in children if tree.labels[k - 1] == "case"}


def _governing_cases(tree: Parse, at: int) -> set[str]:
    """Return the prepositions of a noun, or of the noun that "or" joins it to."""
    cases = _cases(tree, at)
    head = tree.heads[at - 1]
    if cases or not head or tree.labels[at - 1] != "conj":
        return cases
    joined = {tree.lemmas[k - 1] for k in _children(tree, head)}
    return _cases(tree, head) if joined & _CHOICE else cases


def _is_negated(tree: Parse, verb: int) -> bool:
    return any(tree.labels[k - 1] == "neg" for k in _children(tree, verb))
