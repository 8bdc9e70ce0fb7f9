"""Object vocabularies: the classes of objects that a data set knows, and their nouns.

In: a shipped vocabulary's name ("coco-80") or a TOML file of yours with a table
`classes`: class = [nouns]. Out: a `Vocabulary`, and which of its classes a caption
names that the references do not.

Source: Rohrbach et al. 2018, section 3.1 (CHAIR).
"""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from spicepy.common.errors import InputError, shown
from spicepy.common.shipped import folder
from spicepy.diagnosis.nouns import is_person
from spicepy.diagnosis.reading import Reading, Thing
from spicepy.diagnosis.values import Scene

COCO: Final = "coco-80"
_PERSON: Final = "person"


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """Noun -> object class."""

    name: str
    classes: Mapping[str, str]

    def class_of(self, thing: Thing) -> str | None:
        """The class of a thing, by its name, else by its last word; or None."""
        found = self.classes.get(thing.name) or self.classes.get(thing.head)
        if found is None and is_person(thing.name):
            return self.classes.get(_PERSON)
        return found


def load_vocabulary(name: str | Path = COCO) -> Vocabulary:
    """A vocabulary, by its name or from a file.

    Raises:
        InputError: There is no such vocabulary, or the file has no such table.
    """
    shipped = folder() / "vocabularies"
    path = shipped / f"{name}.toml"
    if not path.is_file():
        path = Path(name)
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError:
        known = ", ".join(sorted(p.stem for p in shipped.glob("*.toml")))
        raise InputError(
            f"there is no vocabulary {shown(str(name))}; give a file or one of {known}"
        ) from None
    except ValueError as error:
        raise InputError(f"{path}: is no TOML: {str(error)[:200]}") from None
    return Vocabulary(path.stem, {**_nouns(path, data, "classes"), **_more(path, data)})


def mentioned(scene: Scene, vocabulary: Vocabulary) -> tuple[tuple[str, bool], ...]:
    """The classes that the candidate names, and whether a reference does, too."""
    known = {c for text in scene.references for c in _classes(text, vocabulary)}
    return tuple((c, c in known) for c in _classes(scene.candidate, vocabulary))


def _classes(text: Reading, vocabulary: Vocabulary) -> list[str]:
    found = (vocabulary.class_of(thing) for thing in text.things)
    return list(dict.fromkeys(c for c in found if c is not None))


def _more(path: Path, data: Mapping[str, Any]) -> dict[str, str]:
    return _nouns(path, data, "more") if "more" in data else {}


def _nouns(path: Path, data: Mapping[str, Any], table: str) -> dict[str, str]:
    classes = data.get(table)
    if not isinstance(classes, dict):
        raise InputError(f"{path}: has no table [{table}]; class = [nouns] is needed")
    found: dict[str, str] = {}
    for name, nouns in classes.items():
        if not isinstance(nouns, list) or not all(isinstance(n, str) for n in nouns):
            raise InputError(
                f"{path}: the class {shown(name)} is {shown(str(nouns))}; "
                "a list of nouns is needed"
            )
        found.update(dict.fromkeys(nouns, name))
    return found
