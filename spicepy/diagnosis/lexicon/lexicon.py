"""The lexicon of the error analysis: everything that it knows of words.

In: `grammars/diagnosis.toml` (or another file with the same tables),
`grammars/amounts.toml`, `grammars/left_out.toml` and `grammars/finding_weights.tsv`.
Out: a `Lexicon` of small values, one for each subject; an `Analysis` passes its lexicon
to the functions that need it.
"""

import tomllib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from functools import cache, cached_property
from importlib import resources
from math import exp, log1p
from operator import mul
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np

from spicepy.common.errors import InputError, ResourceError, brief, nearest, reason_of
from spicepy.common.files import digest_of, read_arrays
from spicepy.common.resources import folder, from_table
from spicepy.diagnosis.lexicon.aspects import (
    AspectValues,
    Omission,
    Opposites,
    Places,
    read_aspects,
    read_omission,
    read_opposites,
)
from spicepy.diagnosis.lexicon.nouns import Nouns, read_nouns
from spicepy.diagnosis.lexicon.word_lists import (
    Activities,
    Names,
    People,
    Relations,
    Speculation,
    Unsaid,
    Wording,
    cached_method,
    read_people,
)
from spicepy.metrics.base import Array
from spicepy.metrics.soft.table import bundled_table
from spicepy.objects.amounts import AmountWords, load_amount_words
from spicepy.objects.vocabulary import Vocabulary, load_vocabulary
from spicepy.words.wordnet import load_synonyms

# Expected words: how likely a word is in a caption, given other captions.
#
# If others write of a dog on a couch, "puppy" becomes far likelier than in a caption of
# any picture, and "cat" does not, though the word vectors of both are similar to that
# of "dog".
#
# The weights were learnt from captions that people wrote
# (`training/errors/expected_words.py`).

FILE: Final = "expected-words-1.npz"
_WEIGHTS: Final = ("evidence", "use")  # Arrays of 8 bits,
_SCALES: Final = ("evidence_scale", "use_scale")  # to be multiplied by these numbers.


class LogOdds(NamedTuple):
    """The log-odds of a word in a caption."""

    known: float  # Given the other captions of the picture
    usual: float  # In a caption of any picture


@dataclass(frozen=True, eq=False)
class _Table:
    """The weights of the model."""

    rows: Mapping[str, int]  # Word -> row of the arrays
    evidence: Array  # Vectors of words in other captions, (words, dimensions)
    # Vectors of words whose log-odds are wanted, (words, dimensions); their product
    # with the weighted sum of `evidence` is added to the usual log-odds.
    use: Array
    usual: Array  # Log-odds of the words in a caption of any picture, (words,)


class ExpectedWords:
    """Log-odds of words in captions, given others; the table is read when needed."""

    def evidence_of(self, texts: Iterable[Iterable[str]]) -> Array:
        """Return the weighted sum of the `evidence` of captions' content words."""
        table = self._table
        words = (word for text in texts for word in frozenset(text))
        counts = Counter(table.rows[word] for word in words if word in table.rows)
        rows = sorted(counts)  # A fixed order makes sums equal in every process.
        weights = np.sqrt([counts[row] for row in rows])
        evidence: Array = weights @ table.evidence[rows] / max(1, counts.total()) ** 0.5
        return evidence

    def log_odds(self, word: str, evidence: Array) -> LogOdds:
        """Return the log-odds of a lemma, given the `evidence_of` other captions."""
        # A word that is not in the table counts as the rarest one in it.
        row = self._table.rows.get(word)
        if row is None:
            return LogOdds(self._rarest, self._rarest)
        usual = float(self._table.usual[row])
        return LogOdds(usual + float(evidence @ self._table.use[row]), usual)

    @cached_property
    def _rarest(self) -> float:
        """The usual log-odds of the rarest word."""
        return float(self._table.usual.min())

    @cached_property
    def _table(self) -> _Table:
        source = resources.files(__package__) / FILE
        try:
            with resources.as_file(source) as path:
                return _read_weights(path)
        except (OSError, InputError) as error:
            raise ResourceError(
                f"the table {source} is unusable: {reason_of(error)}"
            ) from error


def _read_weights(path: Path) -> _Table:
    arrays = read_arrays(path, ("words", *_WEIGHTS, *_SCALES, "usual"))
    evidence, use = (
        arrays[name].astype(np.float64) * arrays[scale]
        for name, scale in zip(_WEIGHTS, _SCALES)
    )
    rows = {str(word): row for row, word in enumerate(arrays["words"])}
    return _Table(rows, evidence, use, arrays["usual"].astype(np.float64))


# The similarity of words in captions, by the word vectors of spice-soft.
#
# The vectors of words that exclude each other ("sit", "stand") are far apart in this
# table, so that only synonyms have a high cosine.

_LENGTH: Final = 200.0  # About the length of the vector of a frequent noun.


class WordSimilarity:
    """Cosines of the bundled word vectors, which are read at first use."""

    @cached_method
    def cosine(self, first: str, second: str) -> float:
        """Return the cosine, -1 to 1; 0 if a word is unknown, 1 if both are equal.

        Raises:
            ResourceError: The bundled table is missing.
        """
        if first == second:
            return 1.0
        rows = bundled_table().rows
        if first not in rows or second not in rows:
            return 0.0
        return float(self._directions[rows[first]] @ self._directions[rows[second]])

    def to_words(self, words: Set[str]) -> Callable[[str], float]:
        """Return a function: word -> its highest cosine to some words, 0-1."""
        # It keeps its results.
        rows, directions = bundled_table().rows, self._directions

        @cache
        def others() -> Array:
            near = sorted(map(rows.__getitem__, words & rows.keys()))
            return directions[np.array(near, np.intp)]

        @cache
        def cosine(word: str) -> float:
            if word in words:
                return 1.0
            row = rows.get(word)
            if row is None or not len(others()):
                return 0.0
            return max(0.0, float((others() @ directions[row]).max()))

        return cosine

    @cached_method
    def rarity(self, word: str) -> float:
        """Return how rare a word is in captions, 0-1: the logarithm of its rank."""
        rows = bundled_table().rows
        return log1p(rows.get(word, len(rows))) / log1p(len(rows))

    @cached_method
    def weight(self, word: str) -> float:
        """Return the weight of a word: the length of its vector, 0 if unknown."""
        row = bundled_table().rows.get(word)
        vectors = bundled_table().vectors
        return 0.0 if row is None else float(np.linalg.norm(vectors[row])) / _LENGTH

    @cached_method
    def of_text(self, words: tuple[str, ...]) -> Array:
        """Return the sum of the vectors of words, scaled to length 1 at most."""
        table = bundled_table()
        known = [table.rows[word] for word in words if word in table.rows]
        vector: Array = table.vectors[known].sum(axis=0)
        return vector / max(1.0, float(np.linalg.norm(vector)))

    @cached_property
    def _directions(self) -> Array:
        """The vectors scaled to length 1."""
        vectors = bundled_table().vectors
        lengths = np.sqrt((vectors**2).sum(axis=1, keepdims=True))
        directions: Array = vectors / np.maximum(lengths, 1.0)
        return directions


# Weights: the probability that a finding is right, given its features.

_DIGITS: Final = 6  # The last bits of a cosine depend on the machine.


@dataclass(frozen=True)
class Weights:
    """Weights of the features of findings."""

    features: tuple[str, ...]  # The names of the features
    values: Mapping[str, tuple[float, ...]]  # Kind of finding -> weight of each feature
    name: str = ""  # The name and digest in signatures

    def probability(self, kind: str, features: Sequence[float]) -> float | None:
        """Return the probability of a finding, 0-1; None for a kind without weights."""
        weights = self.values.get(kind)
        if weights is None:
            return None
        score = sum(map(mul, weights, features))
        return round(1 / (1 + exp(-score)), _DIGITS)


def read_weights(path: Path) -> Weights:
    """Read a table of weights.

    Raises:
        ResourceError: The file is missing or damaged.
    """
    try:
        text = path.read_text(encoding="utf-8")
        header, *rows = [
            line.split("\t") for line in text.splitlines() if not line.startswith("#")
        ]
        values = {row[0]: tuple(map(float, row[1:])) for row in rows}
    except (OSError, ValueError) as error:
        raise ResourceError(f"{path}: cannot be read: {error!r}") from None
    if any(len(row) != len(header) - 1 for row in values.values()):
        raise ResourceError(f"{path}: has rows of different lengths")
    return Weights(tuple(header[1:]), values, f"{path.stem}@{digest_of([path])}")


WORDS: Final = "diagnosis.toml"
SHARES: Final = "left_out.toml"
WEIGHTS: Final = "finding_weights.tsv"


@dataclass(frozen=True)
class Lexicon:
    """The words of the error analysis; see the class of each attribute."""

    path: Path
    aspects: AspectValues
    quantities: AmountWords
    people: People
    names: Names
    nouns: Nouns
    places: Places
    activities: Activities
    relations: Relations
    opposites: Opposites
    wording: Wording
    speculation: Speculation
    about_pictures: frozenset[str]
    unsaid: Unsaid
    omission: Omission
    weights: Weights
    similarity: WordSimilarity = field(default_factory=WordSimilarity)
    expected_words: ExpectedWords = field(default_factory=ExpectedWords)
    common: Vocabulary = field(default_factory=load_vocabulary)

    @cached_property
    def name(self) -> str:
        """The name in signatures, with a digest of all that is read, and WordNet's."""
        shipped = (SHARES, "amounts.toml", "mentions.toml", "vocabularies/coco-80.toml")
        read = bundled_table().name, load_synonyms().signature
        with resources.as_file(resources.files(__package__) / FILE) as table:
            words = dict.fromkeys((folder() / WORDS, self.path))
            files = [*words, *(folder() / name for name in shipped), table]
            return f"{self.path.stem}@{digest_of(files, *read)}"

    @cached_property
    def function_words(self) -> frozenset[str]:
        """The articles, conjunctions, and prepositions that say nothing alone."""
        words = self.wording
        return (
            frozenset((*words.determiners, *words.joining, *words.never_after))
            | words.unfinished
            | self.places.locatives
        )

    @cached_property
    def position_words(self) -> tuple[frozenset[str], tuple[str, ...]]:
        """The words for the position of a thing; those with blanks, longest first."""
        known = self.places.locatives | self.opposites.sides["position"].keys()
        longer = sorted((w for w in known if " " in w), key=lambda w: (-len(w), w))
        return known.difference(longer), tuple(longer)

    def is_common(self, noun: str) -> bool:
        """Return whether a noun names a thing of one of COCO's 80 classes."""
        return self.common.class_of(noun, self.nouns.is_person) is not None


def load_lexicon(path: str | Path | None = None) -> Lexicon:
    """Read a lexicon.

    Args:
        path: A TOML file of words that are added to those of `grammars/diagnosis.toml`,
            in tables of the same names.

    Raises:
        ResourceError: The file is missing or damaged, has a table of another name, or
            words of another form.
    """
    words = folder() / WORDS if path is None else Path(path)
    shipped, shares = _read(folder() / WORDS), _read(folder() / SHARES)
    data = shipped if path is None else _added(shipped, _read(words), str(words))
    added = frozenset(set(_values(data)) - set(_values(shipped)))
    return _made(words, data, shares, added)


def _values(data: Mapping[str, Any]) -> Iterator[str]:
    """Yield the words for colours, patterns, sizes and materials."""
    yield from (*data["colors"]["shades"], *data["colors"]["patterns"])
    for table in ("colors", "sizes", "materials"):
        yield from data[table]["values"]


_FORMS: Final[Mapping[type, str]] = {
    dict: 'a table, such as { puce = "brown" }',
    list: 'a list, such as ["gingham"]',
    str: 'text in lower case, such as "brown"',
}


def _added(words: Any, more: Any, where: str, place: str = "") -> Any:
    """Return words with further ones of the same form; names of tables are known."""
    word = isinstance(more, str) and not place.endswith(".source")
    odd = word and not (more and more == more.strip().lower())
    if type(more) is not type(words) or odd:
        wanted = _FORMS[type(words)] if "." in place else f"the table [{place}]"
        raise ResourceError(f"{where}: {place} is {brief(more)}; it must be {wanted}")
    if isinstance(words, list):
        for each in more:  # The members of a list have one form.
            _added(next(iter(words), ""), each, where, f"a word in {place}")
        return [*words, *(each for each in more if each not in words)]
    if isinstance(words, str):
        return more
    for name in more.keys() - words.keys():
        if "." not in place:  # Deeper down names are words, and may be new.
            what = f"the table [{place}] has no entry" if place else "there is no table"
            raise ResourceError(f"{where}: {what} {name!r}{nearest(name, words)}")
        _added("", name, where, f"a name in {place}")
    new = type(next(iter(words.values())))
    known = {
        name: _added(words.get(name, new()), each, where, f"{place}.{name}".lstrip("."))
        for name, each in more.items()
    }
    return {**words, **known}


def _read(path: Path) -> Mapping[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ResourceError(f"{path}: cannot be read: {reason_of(error)}") from None


def _made(
    path: Path,
    data: Mapping[str, Any],
    shares: Mapping[str, Any],
    added: frozenset[str],
) -> Lexicon:
    people = read_people(data)
    nouns = read_nouns(data, people)
    words = {n: table["words"] for n, table in data.items() if "words" in table}
    garments, implied = data["garments"], data["implied"]
    verbs = data["activities"]
    return Lexicon(
        path=path,
        aspects=read_aspects(data),
        quantities=load_amount_words(),
        people=people,
        names=from_table(
            Names, {**words, **data["no_things"], **data["names"]}, added=added
        ),
        nouns=nouns,
        places=from_table(Places, {**words, **data["places"]}, nouns=nouns),
        activities=from_table(
            *(Activities, verbs),
            postures=_numbered(verbs["postures"]),
            vehicles=_numbered(verbs["vehicles"]),
            sports=_numbered(verbs["sports"]),
        ),
        relations=from_table(Relations, {**data["symmetric"], **words}),
        opposites=read_opposites(data),
        wording=from_table(Wording, data["wording"]),
        about_pictures=frozenset(data["about_pictures"]["words"]),
        speculation=from_table(Speculation, {**data["wording"], **data["speculation"]}),
        unsaid=from_table(
            Unsaid,
            {
                **words,
                **garments,
                **implied,
                "implied": implied["by"],
                "any_garment": garments["any"],
            },
        ),
        omission=read_omission(data, shares, nouns),
        weights=read_weights(folder() / WEIGHTS),
    )


def _numbered(groups: Iterable[Iterable[str]]) -> dict[str, int]:
    """Return word -> the number of its group."""
    return {word: number for number, words in enumerate(groups) for word in words}
