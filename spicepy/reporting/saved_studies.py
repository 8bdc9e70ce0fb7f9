"""Read the results of studies from their JSON files.

In: a `.json` file of `spicepy loocv`, `correlate`, `pairs` or `stability`. Out: the
result, as the function of that name returned it (a `Loocv` without its raw scores,
`Accuracies` without their rankings).

Files are not trusted: all values that tables and pictures need are checked here.
"""

from collections.abc import Callable, Mapping, Sequence
from math import prod
from pathlib import Path
from typing import Any

from spicepy.captions.sample import keys_of
from spicepy.common.errors import InputError, brief, counted
from spicepy.common.files import load_json, name_of, read_text
from spicepy.common.json_values import from_plain
from spicepy.reporting.study_figures import Study
from spicepy.study.accuracy import Accuracies
from spicepy.study.coefficients import COEFFICIENTS
from spicepy.study.correlation import Correlations, Stability
from spicepy.study.credits import ALL
from spicepy.study.leave_one_out import Loocv, Loocvs, check_sets
from spicepy.study.systems import SYSTEM_COEFFICIENTS

_HEADING = ("schema_version", "spicepy", "study")
_WRITTEN = (
    "--output FILE.json of spicepy loocv, correlate, pairs or stability writes one"
)


def read_result(path: str | Path) -> Study:
    """Read the result of a study.

    Args:
        path: A `.json` file that a study was written to.

    Raises:
        InputError: The file is missing, is not a result, or a part of it is wrong; the
            message names the file and the part.
    """
    text, name = read_text(path), name_of(path)
    try:
        values = load_json(text, name)
    except InputError as error:
        raise InputError(f"{error}; {_WRITTEN}") from None
    study = values.get("study") if isinstance(values, dict) else None
    if not isinstance(study, str) or study not in _KINDS:
        raise InputError(f"{name}: {_found(values)}, not a study's result; {_WRITTEN}")
    kind, check = _KINDS[study]
    try:
        result = from_plain(
            kind, {n: v for n, v in values.items() if n not in _HEADING}
        )
        check(result)
    except InputError as error:
        raise InputError(f"{name}: {error}") from None
    return result  # type: ignore[no-any-return]


def _found(values: Any) -> str:
    if not isinstance(values, dict):
        return f"a JSON {type(values).__name__}"
    return f"an object ({keys_of(values)})"


def _check_loocv(result: Loocv) -> None:
    for i, matrix in enumerate(result.rank_correlations):
        place = f"rank_correlations[{i}]"
        if matrix.coefficient not in COEFFICIENTS:
            raise InputError(
                f"{place}.coefficient: unknown {brief(matrix.coefficient)}; known: "
                f"{', '.join(COEFFICIENTS)}"
            )
        size = len(matrix.keys)
        for name in ("values", "p_values", "points"):
            rows = getattr(matrix, name)
            if [len(row) for row in rows] != [size] * size:
                raise InputError(
                    f"{place}.{name}: {counted(size, 'row')} of {size} needed"
                )


def _check_loocvs(result: Loocvs) -> None:
    check_sets(result)
    for each in result.results:
        _check_loocv(each)


def _check_correlations(result: Correlations) -> None:
    for part, names in (("captions", COEFFICIENTS), ("systems", SYSTEM_COEFFICIENTS)):
        for i, row in enumerate(getattr(result, part)):
            if [c.name for c in row.coefficients] != list(names):
                known = ", ".join(names)
                raise InputError(f"{part}[{i}].coefficients: {known} are needed")
    for i, caption in enumerate(result.captions):
        place, columns = f"captions[{i}].scatter", ("scores", "ratings", "captions")
        _check_lengths(place, caption.scatter, columns)
        if any(n < 1 for n in caption.scatter.captions):
            raise InputError(f"{place}.captions: numbers from 1 are needed")
    for i, system in enumerate(result.systems):
        _check_lengths(f"systems[{i}]", system, ("names", "scores", "ratings"))
    if type(result.protocol.get("level", 0.95)) not in (int, float):
        raise InputError("protocol.level: a number is needed")


def _check_accuracies(result: Accuracies) -> None:
    cells = [(a.key, a.category, a.references) for a in result.accuracies]
    if not any(category == ALL for _, category, _ in cells):
        raise InputError(f"accuracies: the category {ALL!r} is missing")
    size = prod(len(set(names)) for names in zip(*cells))
    if not len(cells) == len(set(cells)) == size:
        raise InputError(
            "accuracies: every metric needs each category and number of references once"
        )
    for i, row in enumerate(result.wins):
        _check_lengths(f"wins[{i}]", row, ("systems", "pairs", "people", "metric"))
    if len({(w.category, w.systems) for w in result.wins}) > len(
        {w.category for w in result.wins}
    ):
        raise InputError("wins: the systems of a category must be the same for all")


def _check_stability(result: Stability) -> None:
    cells = [(a.key, a.images) for a in result.agreements]
    whole = len(result.keys) * len(result.sizes)
    if not cells or not len(cells) == len(set(cells)) == whole:
        raise InputError("agreements: every metric needs each number of images once")


def _check_lengths(place: str, result: Any, names: Sequence[str]) -> None:
    """Check that the columns of a result have the same length."""
    lengths = [len(getattr(result, name)) for name in names]
    if len(set(lengths)) > 1:
        raise InputError(f"{place}: {', '.join(names)} must be equally long")


_KINDS: Mapping[str, tuple[type, Callable[[Any], None]]] = {
    "loocv": (Loocv, _check_loocv),
    "loocvs": (Loocvs, _check_loocvs),
    "correlate": (Correlations, _check_correlations),
    "pairs": (Accuracies, _check_accuracies),
    "stability": (Stability, _check_stability),
}
