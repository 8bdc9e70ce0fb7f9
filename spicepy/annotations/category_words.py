"""Words for the categories of any annotation file, as a draft to be corrected.

In: the categories of a file in COCO's format, with their synonyms and WordNet synsets
if the file has any (LVIS). Out: noun -> class.

A class gets these words, and a word belongs to the first class that gets it:

* its own name and listed synonyms as captions write them: "bass_(fish)" is "bass",
  "Other Shoes" is "shoe", "Cabinet/shelf" is "cabinet" and "shelf";
* the last word of a name that WordNet lacks ("potted plant"), if no other class ends in
  it and it is not more general than another class ("vehicle" beside "car");
* the nouns of WordNet whose most frequent sense is that of the class or a kind of it; a
  word below two classes belongs to the nearer one;
* the words of the COCO class of its name ("people" for "person").

A plain word that names two classes ("bat" beside "baseball bat") belongs to neither.

Source: the names in LVIS (Gupta et al. 2019) and Objects365 (Shao et al. 2019).
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from spicepy.common.words.hierarchy import Hierarchy, load_hierarchy
from spicepy.common.words.wordnet import load_wordnet

_IN_BRACKETS: Final = re.compile(r"[_ ]*\([^)]*\)")
_SYNSET: Final = re.compile(r"(.+)\.n\.(\d+)")
_OTHER: Final = "other "


@dataclass(frozen=True, slots=True)
class AnnotatedClass:
    """A category of an annotation file.

    Attributes:
        name: Its name: "bass_(fish)".
        synonyms: Further names that LVIS lists.
        synset: Its sense in WordNet ("bass.n.08"); empty if unknown.
    """

    name: str
    synonyms: tuple[str, ...] = ()
    synset: str = ""


def words_of_categories(
    categories: Iterable[AnnotatedClass], known: Mapping[str, str]
) -> dict[str, str]:
    """Return noun -> class for some categories.

    Args:
        categories: The categories.
        known: Noun -> class of a vocabulary whose words are taken for classes of the
            same name.
    """
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
    """Yield a name and, if it is a plural, its singular: "sneakers" -> sneaker, too.

    Names that WordNet has ("glasses") are taken for singulars.
    """
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
    categories: Sequence[AnnotatedClass],
    names: Mapping[str, str],
    hierarchy: Hierarchy,
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
