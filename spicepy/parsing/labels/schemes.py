"""Label schemes as data: `LabelMap` values of `grammars/labels/<scheme>.toml`.

In: the name of a scheme. Out: its `LabelMap`.
"""

import tomllib
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from spicepy.common.data_files import labels
from spicepy.common.errors import ResourceError


@dataclass(frozen=True, slots=True)
class LabelMap:
    """A label scheme as data; the file says what each part means."""

    signs: frozenset[str]
    root_participle: bool
    coordinated_participle: bool
    labels: dict[str, str]
    premodifiers: frozenset[str]
    premodifier_tags: tuple[tuple[str, str], ...]
    premodifier: str
    adverbial_nouns: frozenset[str]
    adverbial: dict[str, str]
    be: frozenset[str]
    time: frozenset[str]
    joined: frozenset[tuple[str, ...]]


@lru_cache(maxsize=4)
def load_labels(scheme: str) -> LabelMap:
    """Read `grammars/labels/<scheme>.toml`.

    Raises:
        ResourceError: There is no such file.
    """
    path = labels() / f"{scheme}.toml"
    if not path.is_file():
        raise ResourceError(f"no label scheme {scheme!r}: {path} is missing")
    with path.open("rb") as file:
        return _label_map(tomllib.load(file))


def _label_map(data: dict[str, Any]) -> LabelMap:
    before, adverbial, words = (
        data[key] for key in ("premodifiers", "adverbial-nouns", "words")
    )
    return LabelMap(
        signs=frozenset(data["signs"]),
        root_participle=data["options"]["root-participle"],
        coordinated_participle=data["options"]["coordinated-participle"],
        labels=data["labels"],
        premodifiers=frozenset(before["labels"]),
        premodifier_tags=tuple((tag, label) for tag, label in before["tags"]),
        premodifier=before["otherwise"],
        adverbial_nouns=frozenset(adverbial["labels"]),
        adverbial={key: adverbial[key] for key in ("time", "verb", "otherwise")},
        be=frozenset(words["be"]),
        time=frozenset(words["time"]),
        joined=frozenset(tuple(entry.split()) for entry in words["joined"]),
    )
