"""Study results as files; the extension names the form.

In: a result and a path. Out: the file, as by `spicepy.results.files`, and two forms
with pictures: `.html` a page, `.svg` one picture a file (`x.svg`, `x-2.svg` …).
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from spicepy.common.errors import InputError
from spicepy.results import files as output
from spicepy.study.figures import Study, figures, page


def check_output(path: Path, inputs: Sequence[object] = ()) -> Path:
    """The path, if a result can be written there over none of the inputs.

    Raises:
        InputError: See `spicepy.results.files.check_output`.
    """
    return output.check_output(path, _PICTURES, inputs)


def write(result: Study, path: Path) -> list[Path]:
    """Write a result in the form that the extension names.

    Returns:
        The files written.

    Raises:
        InputError: See `check_output`; or the result has no picture (`.svg`).
    """
    written = output.write(result, path, _PICTURES)
    if not written:
        raise InputError(
            f"{path}: no picture here; loocv draws its rank correlations, pairs the "
            "accuracies of several numbers of references"
        )
    return written


def _html(result: Study) -> Iterator[str]:
    yield page(result)


_PICTURES: Mapping[str, Callable[[Study], Iterator[str]]] = {
    ".html": _html,
    ".svg": figures,
}
