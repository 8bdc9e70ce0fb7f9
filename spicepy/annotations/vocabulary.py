"""Vocabularies: the classes of objects that a data set knows, and their nouns.

In: a shipped vocabulary's name ("coco-80"), a TOML file with a table `classes`
(class = [nouns]), or an annotation file in COCO's format, whose categories get
WordNet's words. Out: an `ObjectWords`.

    [classes]
    whale = ["whale", "orca"]

From an annotation file, a class has its name, the synonyms that the file lists (LVIS),
and the words of WordNet whose most frequent sense is the class's or a kind of it; a
word below two classes belongs to the nearer one. This is a start: read what it makes
before you report a figure.

Source: Rohrbach et al. 2018, section 3.1 (CHAIR); Gupta et al. 2019 (LVIS).
"""

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from spicepy.common.data_files import folder
from spicepy.common.errors import InputError, shown
from spicepy.common.streamed import items_of
from spicepy.common.words.hierarchy import load_hierarchy
from spicepy.common.words.wordnet import load_wordnet

COCO: Final = "coco-80"
_IN_BRACKETS: Final = re.compile(r"[_ ]*\([^)]*\)")


@dataclass(frozen=True, slots=True)
class ObjectWords:
    """The object classes of a data set and their nouns.

    Attributes:
        name: The name of the vocabulary.
        classes: Noun, in its dictionary form -> object class.
    """

    name: str
    classes: Mapping[str, str]


def read_vocabulary(name: str | Path = COCO) -> ObjectWords:
    """Read a vocabulary, by its name or from a file.

    Raises:
        InputError: There is no such vocabulary, or the file has no such table.
    """
    shipped = folder() / "vocabularies"
    path = shipped / f"{name}.toml"
    if not path.is_file():
        path = Path(name)
    if str(path).lower().endswith((".json", ".json.gz")):
        return ObjectWords(path.name, words_of_categories(_categories(path)))
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError:
        known = ", ".join(sorted(p.stem for p in shipped.glob("*.toml")))
        raise InputError(
            f"there is no vocabulary {shown(str(name))}; give a file or one of {known}"
        ) from None
    except ValueError as error:
        raise InputError(f"{path}: is no TOML: {str(error)[:200]}") from None
    more = _nouns(path, data, "more") if "more" in data else {}
    return ObjectWords(path.stem, {**_nouns(path, data, "classes"), **more})


def _nouns(path: Path, data: Mapping[str, Any], table: str) -> dict[str, str]:
    classes = data.get(table)
    if not isinstance(classes, dict):
        raise InputError(f"{path}: has no table [{table}]; class = [nouns] is needed")
    classes_of: dict[str, str] = {}
    for name, nouns in classes.items():
        if not isinstance(nouns, list) or not all(isinstance(n, str) for n in nouns):
            raise InputError(
                f"{path}: the class {shown(name)} is {shown(str(nouns))}; "
                "a list of nouns is needed"
            )
        classes_of.update(dict.fromkeys(nouns, name))
    return classes_of


def _categories(path: Path) -> Iterator[tuple[str, list[str]]]:
    """Yield the name and the listed synonyms of each category of an annotation file."""
    found = 0
    for _, item in items_of(path, ("categories",), "segmentation"):
        name = item.get("name") if isinstance(item, dict) else None
        if not isinstance(name, str) or not name:
            raise InputError(f"{path}: a category has no name: {shown(item)}")
        synonyms = item.get("synonyms")
        yield name, [s for s in synonyms or () if isinstance(s, str)]
        found += 1
    if not found:
        raise InputError(f"{path}: has no categories ('categories': [...])")


def words_of_categories(
    categories: Iterable[tuple[str, list[str]]],
) -> dict[str, str]:
    """Return noun -> class for classes with WordNet's words.

    Args:
        categories: The name of each class and the synonyms that are known of it.
    """
    hierarchy = load_hierarchy()
    own: dict[str, str] = {}
    for name, synonyms in categories:
        for word in (name, *synonyms):
            own.setdefault(_plain(word), name)
    tops = {senses[0]: c for w, c in own.items() if (senses := hierarchy.synsets(w))}
    found: dict[str, str] = {}
    for noun in load_wordnet().nouns():
        above = hierarchy.above(hierarchy.synsets(noun)[0])
        near = min((s for s in tops if s in above), key=above.__getitem__, default=None)
        if near is not None:
            found[noun] = tops[near]
    return found | own


def _plain(name: str) -> str:
    """Return a category's name as captions have it: "bass_(fish)" is "bass"."""
    return _IN_BRACKETS.sub("", name).replace("_", " ").strip().lower()
