"""Object vocabularies: the object classes of a data set, and the nouns for each.

In: a vocabulary's name or file (`spicepy.annotations.vocabulary`). Out: a `Vocabulary`.

Source: Rohrbach et al. 2018, section 3.1 (CHAIR).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from spicepy.annotations.vocabulary import COCO, read_vocabulary
from spicepy.diagnosis.lexicon.nouns import Nouns

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
        """Return the class of a noun or else of its last word; None without one."""
        head = noun.rpartition(" ")[2]
        name = self.classes.get(noun) or self.classes.get(head)
        if name is None and nouns.is_person(noun):
            return self.classes.get(_PERSON)
        return name


def load_vocabulary(name: str | Path = COCO) -> Vocabulary:
    """Read a vocabulary.

    Args:
        name: The name of a shipped vocabulary, or the path of a file.

    Raises:
        InputError: There is no such vocabulary, or the file is no vocabulary.
    """
    loaded = read_vocabulary(name)
    return Vocabulary(loaded.name, loaded.classes)
