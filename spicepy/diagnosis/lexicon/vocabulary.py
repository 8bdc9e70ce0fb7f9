"""Object vocabularies: the classes of objects that a data set knows, and their nouns.

In: a shipped vocabulary's name ("coco-80") or a TOML file of yours with a table
`classes`: class = [nouns]. Out: a `Vocabulary`.

Source: Rohrbach et al. 2018, section 3.1 (CHAIR).
"""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from spicepy.common.data_files import folder
from spicepy.common.errors import InputError, shown
from spicepy.diagnosis.lexicon.nouns import Nouns

COCO: Final = "coco-80"
_PERSON: Final = "person"


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The object classes of a data set.

    Attributes:
        name: The name of the vocabulary.
        classes: Noun -> object class.
    """

    name: str
    classes: Mapping[str, str]

    def class_of(self, noun: str, nouns: Nouns) -> str | None:
        """Return the class of a noun, by its name, else by its last word; or None."""
        head = noun.rpartition(" ")[2]
        name = self.classes.get(noun) or self.classes.get(head)
        if name is None and nouns.is_person(noun):
            return self.classes.get(_PERSON)
        return name


def load_vocabulary(name: str | Path = COCO) -> Vocabulary:
    """Read a vocabulary, by its name or from a file.

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


def _more(path: Path, data: Mapping[str, Any]) -> dict[str, str]:
    return _nouns(path, data, "more") if "more" in data else {}


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
