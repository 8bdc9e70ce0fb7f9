"""Study results as files; the extension names the form.

In: a result and a path. Out: the file. `.json` holds everything, `.csv` one
table a file (`x.csv`, then `x-2.csv` …), `.md` and `.tex` all tables, `.html` a
page with pictures, `.svg` one picture a file (`x.svg`, `x-2.svg` …).
"""

import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from spicepy import __version__
from spicepy.errors import InputError
from spicepy.study.figures import Study, figures, page
from spicepy.tables import render


def check_output(path: Path) -> Path:
    """The path, if a result can be written there.

    Raises:
        InputError: The extension names no form or the folder does not exist.
    """
    if path.suffix.lower() not in _FORMS:
        raise InputError(f"{path}: unknown extension; known: {', '.join(_FORMS)}")
    if not path.parent.is_dir():
        raise InputError(f"{path}: the folder {path.parent} does not exist")
    return path


def write(result: Study, path: Path) -> list[Path]:
    """Write a result in the form that the extension names.

    Returns:
        The files written.

    Raises:
        InputError: See `check_output`; or the result has no picture (`.svg`).
    """
    texts = list(_FORMS[check_output(path).suffix.lower()](result))
    if not texts:
        raise InputError(
            f"{path}: no picture here; loocv draws its rank correlations, pairs the "
            "accuracies of several numbers of references"
        )
    names = [
        path,
        *(path.with_stem(f"{path.stem}-{i + 2}") for i in range(len(texts) - 1)),
    ]
    for name, text in zip(names, texts, strict=True):
        name.write_text(text, encoding="utf-8")
    return names


def _json(result: Study) -> Iterator[str]:
    values = {"spicepy": __version__, **result.to_dict()}
    yield json.dumps(values, ensure_ascii=False, indent=1, allow_nan=False) + "\n"


def _csv(result: Study) -> Iterator[str]:
    for table in result.tables():
        yield render(table, "csv")


def _joined(format: str) -> Callable[[Study], Iterator[str]]:
    def tables(result: Study) -> Iterator[str]:
        yield "\n".join(render(table, format) for table in result.tables())

    return tables


def _html(result: Study) -> Iterator[str]:
    yield page(result)


_FORMS: Mapping[str, Callable[[Study], Iterator[str]]] = {
    ".json": _json,
    ".csv": _csv,
    ".md": _joined("markdown"),
    ".tex": _joined("latex"),
    ".html": _html,
    ".svg": figures,
}
