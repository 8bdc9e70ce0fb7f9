"""Captions files as commands take them, with a hint where one is not enough."""

from typing import TYPE_CHECKING

from spicepy.common.errors import InputError

if TYPE_CHECKING:
    from spicepy.samples.sample import Sample


def read_complete(file: str, hint: str, id_column: str | None = None) -> "list[Sample]":
    """Samples of a file that must hold candidates and references.

    Raises:
        InputError: See `read_samples`; `hint` follows if the file holds
            candidates alone.
    """
    from spicepy.samples.reading import read_samples

    try:
        return read_samples(file, id_column=id_column)
    except InputError as error:
        if not _candidates_only(file, id_column):
            raise
        raise InputError(
            f"{file} holds candidates without references; {hint}"
        ) from error


def _candidates_only(file: str, id_column: str | None) -> bool:
    from spicepy.samples.reading import read_candidates

    if file == "-":  # it is read only once
        return False
    try:
        return bool(read_candidates(file, id_column=id_column))
    except InputError:
        return False
