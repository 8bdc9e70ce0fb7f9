"""Vocabularies: the object classes of a data set, and the nouns for each.

In: a shipped vocabulary's name ("coco-80"), a TOML file with a table `classes`
(class = [nouns]), or an annotation file in COCO's format, whose categories get
WordNet's words. Out: an `Vocabulary`.

    [classes]
    whale = ["whale", "orca"]

The words for the categories of an annotation file (`category_words`) are a draft:
`spicepy grammar vocabulary FILE` writes them as a file, which should be read and
corrected before figures are reported.

Source: Rohrbach et al. 2018, section 3.1 (CHAIR).
"""

import hashlib
import json
import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from spicepy.annotations.category_words import AnnotatedClass, words_of_categories
from spicepy.common.data_files import folder
from spicepy.common.errors import InputError, shown
from spicepy.common.files import without_digest
from spicepy.common.streamed import items_of

COCO: Final = "coco-80"


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The object classes of a data set and their nouns.

    Attributes:
        name: The name of the vocabulary; for a user's own, with a digest of its words.
        classes: Noun, in its dictionary form -> object class.
    """

    name: str
    classes: Mapping[str, str]

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
        InputError: There is no such vocabulary, the file is no vocabulary, or the
            digest is another one.
    """
    own, digest = without_digest(name)
    if digest and not Path(name).exists():
        words = load_vocabulary(own)
        if not words.name.endswith(f"@{digest}"):
            raise InputError(f"the vocabulary {own} is {words.name} now, not {name}")
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
            f"there is no vocabulary {shown(str(name))}; give a file or one of {known}"
        ) from None
    except ValueError as error:
        raise InputError(f"{path}: is no TOML: {str(error)[:200]}") from None
    more = _nouns(path, data, "more") if "more" in data else {}
    classes = {**_nouns(path, data, "classes"), **more}
    if path.parent == shipped:
        return Vocabulary(path.stem, classes)
    return _own(path, classes)


def _own(path: Path, classes: dict[str, str]) -> Vocabulary:
    """Return the vocabulary in a user's file; its name has a digest of the words."""
    text = json.dumps(sorted(classes.items()), ensure_ascii=False)
    digest = hashlib.sha256(text.encode()).hexdigest()[:8]
    return Vocabulary(f"{path.name}@{digest}", classes)


def to_toml(words: Vocabulary) -> str:
    """Return a vocabulary as a TOML file, a class a line."""
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
                f"{path}: the class {shown(name)} is {shown(str(nouns))}; "
                "a list of nouns is needed"
            )
        classes_of.update(dict.fromkeys(nouns, name))
    return classes_of


def _categories(path: Path) -> Iterator[AnnotatedClass]:
    """Yield the categories of an annotation file."""
    number = 0
    for _, item in items_of(path, ("categories",), "segmentation"):
        name = item.get("name") if isinstance(item, dict) else None
        if not isinstance(name, str) or not name.strip():
            raise InputError(f"{path}: a category has no name: {shown(item)}")
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
