"""Vocabularies: the object classes of a data set, and the nouns for each.

A vocabulary is a shipped one ("coco-80"), a TOML file with a table `classes`, or an
annotation file in COCO's format, whose categories get WordNet's words.

    [classes]
    whale = ["whale", "orca"]

The words for the categories of an annotation file (`words_of_categories`) are a draft:
`spicepy grammar vocabulary FILE` writes them as a file, which should be read and
corrected before figures are reported.

Source: Rohrbach et al. 2018, section 3.1 (CHAIR).
"""

import hashlib
import json
import re
import tomllib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

from spicepy.common.errors import InputError, brief
from spicepy.common.files import check_name, digest_of, without_digest
from spicepy.common.json_values import items_of
from spicepy.common.resources import folder, from_table, read_table
from spicepy.words.wordnet import Hierarchy, load_hierarchy, load_wordnet

# Words for the categories of any annotation file, as a draft to be corrected.
#
# A class gets these words, and a word belongs to the first class that gets it:
#
# * its own name and listed synonyms as captions write them: "bass_(fish)" is "bass",
#   "Other Shoes" is "shoe", "Cabinet/shelf" is "cabinet" and "shelf";
# * the last word of a name that WordNet lacks ("potted plant"), if no other class ends
#   in it and it is not more general than another class ("vehicle" beside "car");
# * the nouns of WordNet whose most frequent sense is that of the class or a kind of it;
#   a word below two classes belongs to the nearer one;
# * the words of the COCO class of its name ("people" for "person").
#
# A plain word that names two classes ("bat" beside "baseball bat") belongs to neither.
#
# Source: the names in LVIS (Gupta et al. 2019) and Objects365 (Shao et al. 2019).

_IN_BRACKETS: Final = re.compile(r"[_ ]*\([^)]*\)")
_SYNSET: Final = re.compile(r"(.+)\.n\.(\d+)")
_OTHER: Final = "other "


@dataclass(frozen=True, slots=True)
class AnnotatedClass:
    """A category of an annotation file."""

    name: str  # Its name: "bass_(fish)"
    synonyms: tuple[str, ...] = ()  # Further names that LVIS lists
    synset: str = ""  # Its sense in WordNet ("bass.n.08"); empty if unknown


def words_of_categories(
    categories: Iterable[AnnotatedClass], known: Mapping[str, str]
) -> dict[str, str]:
    """Return noun -> class for categories, with known words for their names."""
    table, hierarchy = list(categories), load_hierarchy()
    listed: dict[str, str] = {}
    for category in table:
        for name in (category.name, *category.synonyms):
            for word in plain_names(name):
                listed.setdefault(word, category.name)
    ambiguous = _ambiguous(table)
    listed = {word: name for word, name in listed.items() if word not in ambiguous}
    tops = _synsets(table, listed, hierarchy)
    below = _words_below(tops, hierarchy)
    names = {word: name for word, name in listed.items() if word in known.values()}
    borrowed = {noun: names[name] for noun, name in known.items() if name in names}
    last = _last_words(table, listed, tops, hierarchy)
    words = borrowed | below | last | listed
    return {word: name for word, name in words.items() if word not in ambiguous}


def plain_names(name: str) -> list[str]:
    """Return the names of a category in captions: "Pen/Pencil" -> pen, pencil."""
    text = _IN_BRACKETS.sub("", name).replace("_", " ").strip().lower()
    others = text.startswith(_OTHER)  # then it is a plural
    text = text.removeprefix(_OTHER)
    parts = [part.strip() for part in text.split("/") if part.strip()]
    if len(parts) > 1 and " " not in parts[0] and " " in parts[-1]:
        parts[0] = (
            f"{parts[0]} {parts[-1].rpartition(' ')[2]}"  # "cutting/chopping board"
        )
    return list(dict.fromkeys(word for part in parts for word in _forms(part, others)))


def _forms(name: str, plural: bool) -> Iterator[str]:
    """Yield a name and, if it is a plural, its singular: "sneakers" -> sneaker, too."""
    # Names that WordNet has ("glasses") are taken for singulars.
    yield name
    before, _, last = name.rpartition(" ")
    wordnet = load_wordnet()
    if plural or not wordnet.senses(name.replace(" ", "_")):
        for base in wordnet.base_forms(last, "n"):
            yield f"{before} {base}".strip()


def _ambiguous(categories: Sequence[AnnotatedClass]) -> set[str]:
    """Return names that, without their brackets, are the last word of another class."""
    ends = {
        word.rpartition(" ")[2]
        for category in categories
        for word in plain_names(category.name)
        if " " in word
    }
    bracketed = (c for c in categories if _IN_BRACKETS.search(c.name))
    return {word for c in bracketed for word in plain_names(c.name) if word in ends}


def _synsets(
    categories: Sequence[AnnotatedClass], names: Mapping[str, str], hierarchy: Hierarchy
) -> dict[int, str]:
    """Return synset -> class, from the given synsets or the most frequent senses."""
    tops: dict[int, str] = {}
    for word, name in names.items():
        if senses := hierarchy.synsets(word):
            tops.setdefault(senses[0], name)
    given = {c.name: _given(c.synset, hierarchy) for c in categories if c.synset}
    sure = {synset: name for name, synset in given.items() if synset is not None}
    return {s: name for s, name in tops.items() if name not in sure.values()} | sure


def _given(synset: str, hierarchy: Hierarchy) -> int | None:
    """Return the synset of a name such as "bass.n.08"."""
    if found := _SYNSET.fullmatch(synset):
        senses = hierarchy.synsets(found[1].replace("_", " ").lower())
        if 0 < int(found[2]) <= len(senses):
            return senses[int(found[2]) - 1]
    return None


def _words_below(tops: Mapping[int, str], hierarchy: Hierarchy) -> dict[str, str]:
    """Return the nouns of WordNet that name a class or a kind of it."""
    words: dict[str, str] = {}
    for noun in load_wordnet().nouns():
        above = hierarchy.above(hierarchy.synsets(noun)[0])
        near = min((s for s in above if s in tops), key=above.__getitem__, default=None)
        if near is not None:
            words[noun] = tops[near]
    return words


def _last_words(
    categories: Sequence[AnnotatedClass],
    listed: Mapping[str, str],
    tops: Mapping[int, str],
    hierarchy: Hierarchy,
) -> dict[str, str]:
    """Return the last words of names that WordNet lacks, where they are unambiguous."""
    names = {c.name: plain_names(c.name)[-1] for c in categories if plain_names(c.name)}
    ends = Counter(name.rpartition(" ")[2] for name in names.values())
    general = {above for synset in tops for above in hierarchy.above(synset)}
    return {
        last: category
        for category, name in names.items()
        if " " in name
        and not hierarchy.synsets(name)
        and ends[last := name.rpartition(" ")[2]] == 1
        and last not in listed
        and not general & set(hierarchy.synsets(last)[:1])
    }


COCO: Final = "coco-80"
LISTS: Final = ("mentions", "amounts", "counting")
"""The shipped lists of words that are read with a vocabulary."""


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The object classes of a data set and their nouns.

    Attributes:
        name: The name of the vocabulary; for a user's own, with a digest of its words.
        classes: Noun, in its dictionary form -> object class.
    """

    name: str
    classes: Mapping[str, str]

    @property
    def signature(self) -> str:
        """The name in signatures; for a shipped one with a digest of all its words.

        These are also the words by which captions deny, suppose or count objects.
        """
        if without_digest(self.name)[1]:
            return self.name
        shipped = (folder() / f"{name}.toml" for name in LISTS)
        return f"{self.name}@{digest_of(shipped, _text(self.classes))}"

    def class_of(self, noun: str, is_person: Callable[[str], bool]) -> str | None:
        """Return the class of a noun or else of its last word; None without one.

        Args:
            noun: The noun, as a name ("tennis racket").
            is_person: A function that returns whether a noun means a person.
        """
        head = noun.rpartition(" ")[2]
        name = self.classes.get(noun) or self.classes.get(head)
        if name is None and is_person(noun):
            return self.classes.get("person")
        return name


def load_vocabulary(name: str | Path = COCO) -> Vocabulary:
    """Read a vocabulary.

    Args:
        name: The name of a shipped vocabulary, or the path of a file; also with the
            digest that a signature has.

    Raises:
        InputError: There is no such vocabulary, the file is not a vocabulary, or the
            digest is another one.
    """
    own, digest = without_digest(name)
    if digest and not Path(name).exists():
        words = load_vocabulary(own)
        check_name("vocabulary", Path(name).name, words.signature)
        return words
    shipped = folder() / "vocabularies"
    path = shipped / f"{name}.toml"
    if not path.is_file():
        path = Path(name)
    if str(path).lower().endswith((".json", ".json.gz")):
        coco = load_vocabulary(COCO).classes
        return _own(path, words_of_categories(_categories(path), coco))
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError:
        known = ", ".join(sorted(p.stem for p in shipped.glob("*.toml")))
        raise InputError(
            f"there is no vocabulary {brief(str(name))}; give a file or one of {known}"
        ) from None
    except ValueError as error:
        raise InputError(f"{path}: not TOML: {str(error)[:200]}") from None
    more = _nouns(path, data, "more") if "more" in data else {}
    classes = {**_nouns(path, data, "classes"), **more}
    if path.parent == shipped:
        return Vocabulary(path.stem, classes)
    return _own(path, classes)


def _text(classes: Mapping[str, str]) -> str:
    return json.dumps(sorted(classes.items()), ensure_ascii=False)


def _own(path: Path, classes: dict[str, str]) -> Vocabulary:
    """Return the vocabulary in a user's file; its name has a digest of the words."""
    digest = hashlib.sha256(_text(classes).encode()).hexdigest()[:8]
    return Vocabulary(f"{path.name}@{digest}", classes)


def to_toml(words: Vocabulary) -> str:
    """Return a vocabulary as a TOML file, one class per line."""
    nouns: dict[str, list[str]] = {}
    for noun, name in words.classes.items():
        nouns.setdefault(name, []).append(noun)
    lines = (
        f"{_quoted(name)} = [{', '.join(map(_quoted, listed))}]"
        for name, listed in nouns.items()
    )
    return "\n".join(("[classes]", *lines, ""))


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _nouns(path: Path, data: Mapping[str, Any], table: str) -> dict[str, str]:
    classes = data.get(table)
    if not isinstance(classes, dict):
        raise InputError(f"{path}: has no table [{table}]; class = [nouns] is needed")
    classes_of: dict[str, str] = {}
    for name, nouns in classes.items():
        if not isinstance(nouns, list) or not all(isinstance(n, str) for n in nouns):
            raise InputError(
                f"{path}: the class {brief(name)} is {brief(str(nouns))}; "
                "a list of nouns is needed"
            )
        for noun in nouns:
            if classes_of.setdefault(noun, name) != name:
                raise InputError(
                    f"{path}: the noun {brief(noun)} is given to two classes, "
                    f"{brief(classes_of[noun])} and {brief(name)}; a noun has one"
                )
    return classes_of


def _categories(path: Path) -> Iterator[AnnotatedClass]:
    """Yield the categories of an annotation file."""
    number = 0
    for _, item in items_of(path, ("categories",), "segmentation"):
        name = item.get("name") if isinstance(item, dict) else None
        if not isinstance(name, str) or not name.strip():
            raise InputError(f"{path}: a category has no name: {brief(item)}")
        synonyms, synset = item.get("synonyms"), item.get("synset")
        listed = synonyms if isinstance(synonyms, list) else ()
        yield AnnotatedClass(
            name,
            tuple(synonym for synonym in listed if isinstance(synonym, str)),
            synset if isinstance(synset, str) else "",
        )
        number += 1
    if not number:
        raise InputError(f"{path}: has no categories ('categories': [...])")


# Classes as they bear to be counted.

_NEVER: Final = "never"


@dataclass(frozen=True, slots=True)
class CountWords:
    """Classes as they bear to be counted; see `grammars/counting.toml`."""

    # Classes stand by their names in lower case.
    whole: Mapping[str, frozenset[str]]
    tiers: Mapping[str, frozenset[str]]
    seldom_outlined: frozenset[str]
    people: Mapping[str, float]

    def tier(self, name: str) -> str:
        """Return the tier of a class: "A", "B", or "" (never counted)."""
        plain = name.lower()
        listed = next((tier for tier, them in self.tiers.items() if plain in them), "A")
        return "" if listed == _NEVER else listed

    def is_whole(self, word: str, name: str) -> bool:
        """Return whether a word stands for a whole class, not for one of its kinds."""
        return word in (self.whole.get(name.lower()) or (name, *plain_names(name)))


@cache
def load_count_words() -> CountWords:
    """Read the tiers of classes and the words for whole classes."""
    return read_table(
        "counting.toml",
        lambda data: from_table(
            CountWords, {**data, "seldom_outlined": data["seldom_outlined"]["classes"]}
        ),
    )
