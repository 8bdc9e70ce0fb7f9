"""The lexicon of the error analysis: everything that it knows of words.

In: `grammars/diagnosis.toml` (or another file with the same tables),
`grammars/amounts.toml`, `grammars/left_out.toml` and `grammars/finding_weights.tsv`.
Out: a `Lexicon` of small values, one for each subject; an `Analysis` passes its lexicon
to the functions that need it.

Sections that belong to it:

* Weights: the probability that a finding is right, given its features.
"""

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from math import exp
from operator import mul
from pathlib import Path
from typing import Any, Final, TypeVar, get_origin

from spicepy.common.errors import ResourceError
from spicepy.common.resources import folder
from spicepy.diagnosis.lexicon.aspects import (
    AspectValues,
    Opposites,
    read_aspects,
    read_opposites,
)
from spicepy.diagnosis.lexicon.expected_words import ExpectedWords, WordSimilarity
from spicepy.diagnosis.lexicon.nouns import Nouns, People, read_nouns, read_people
from spicepy.diagnosis.lexicon.places import Omission, Places, read_omission
from spicepy.diagnosis.lexicon.word_lists import (
    Activities,
    Names,
    Relations,
    Speculation,
    Unsaid,
    Wording,
)
from spicepy.objects.amounts import AmountWords, load_amount_words
from spicepy.objects.vocabulary import Vocabulary, load_vocabulary

# Weights: the probability that a finding is right, given its features.
#
# In: `grammars/finding_weights.tsv`, with a row for each kind and a column for each
# feature, written by `training/errors/fitting.py`. Out: `Weights`, a logistic model for
# each kind.

_DIGITS: Final = 6  # The last bits of a cosine depend on the machine.


@dataclass(frozen=True)
class Weights:
    """Weights of the features of findings.

    Attributes:
        features: The names of the features.
        values: Kind of finding -> weight of each feature.
    """

    features: tuple[str, ...]
    values: Mapping[str, tuple[float, ...]]

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
    return Weights(tuple(header[1:]), values)


T = TypeVar("T")

WORDS: Final = "diagnosis.toml"
SHARES: Final = "left_out.toml"
WEIGHTS: Final = "finding_weights.tsv"


@dataclass(frozen=True)
class Lexicon:
    """The words of the error analysis; see the class of each attribute."""

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
    unsaid: Unsaid
    omission: Omission
    weights: Weights
    similarity: WordSimilarity = field(default_factory=WordSimilarity)
    expected_words: ExpectedWords = field(default_factory=ExpectedWords)
    common: Vocabulary = field(default_factory=load_vocabulary)

    def is_common(self, noun: str) -> bool:
        """Return whether a noun names a thing of one of COCO's 80 classes."""
        return self.common.class_of(noun, self.nouns.is_person) is not None


def load_lexicon(path: str | Path | None = None) -> Lexicon:
    """Read a lexicon.

    Args:
        path: A TOML file with the tables of `grammars/diagnosis.toml`, which is read
            by default.

    Raises:
        ResourceError: The file is missing, damaged or lacks a table.
    """
    words = folder() / WORDS if path is None else Path(path)
    data, shares = _read(words), _read(folder() / SHARES)
    try:
        return _made(data, shares)
    except KeyError as error:
        raise ResourceError(f"{words}: has no table or entry {error}") from None
    except (TypeError, AttributeError) as error:
        raise ResourceError(f"{words}: cannot be read: {error!r}") from None


def _read(path: Path) -> Mapping[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ResourceError(f"{path}: cannot be read: {error!r}") from None


def _made(data: Mapping[str, Any], shares: Mapping[str, Any]) -> Lexicon:
    people = read_people(data)
    nouns = read_nouns(data, people)
    words = {n: table["words"] for n, table in data.items() if "words" in table}
    garments, implied = data["garments"], data["implied"]
    groups = enumerate(data["activities"]["postures"])
    postures = {verb: number for number, verbs in groups for verb in verbs}
    alike = tuple(map(frozenset, data["activities"]["alike"]))
    determiners = data["wording"]["determiners"]
    return Lexicon(
        aspects=read_aspects(data),
        quantities=load_amount_words(),
        people=people,
        names=_from_table(Names, {**words, **data["no_things"], **data["names"]}),
        nouns=nouns,
        places=_from_table(Places, {**words, **data["places"]}, nouns=nouns),
        activities=_from_table(
            Activities, data["activities"], postures=postures, alike=alike
        ),
        relations=_from_table(Relations, {**data["symmetric"], **words}),
        opposites=read_opposites(data),
        wording=_from_table(Wording, data["wording"]),
        speculation=_from_table(
            Speculation, data["speculation"], determiners=determiners
        ),
        unsaid=_from_table(
            Unsaid,
            {**words, **garments, **implied},
            implied={noun: frozenset(by) for noun, by in implied["by"].items()},
            any_garment=garments["any"],
        ),
        omission=read_omission(data, shares, nouns),
        weights=read_weights(folder() / WEIGHTS),
    )


def _from_table(kind: type[T], table: Mapping[str, Any], **others: Any) -> T:
    """Return an instance of a dataclass whose attributes are entries of a table.

    Args:
        kind: The dataclass; lists of the table become sets or tuples by its types.
        table: A table of a lexicon file; entries without an attribute are ignored.
        others: Attributes that the table does not have.

    Raises:
        KeyError: The table lacks an entry.
    """
    values: dict[str, Any] = {}
    for each in fields(kind):  # type: ignore[arg-type]
        value = others[each.name] if each.name in others else table[each.name]
        origin = get_origin(each.type)
        values[each.name] = origin(value) if origin in (frozenset, tuple) else value
    return kind(**values)
