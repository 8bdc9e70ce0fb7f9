"""One table, five forms: terminal, Markdown, LaTeX (booktabs), CSV, plain rows.

Every printed result of spicepy is made here, so that all results look alike and can be
pasted into a paper.
"""

import csv
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from html import escape
from math import isnan

from rich.console import Group
from rich.table import Table as RichTable
from rich.text import Text

from spicepy.common.errors import InputError, brief, printable, shortened

Cell = str | int | float | None
Cells = Sequence[Cell]  # A row of a table


class P(float):
    """A p-value, shown with three decimals, and as `< 0.001` below that."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Table:
    """A titled table; `notes` are lines below it (protocol, seed, legend)."""

    # Fractions show with `digits` decimals, except in CSV, which keeps them all. The
    # cells in `best` (row and column, from 0) are bold, except in CSV. `signature` is
    # that of the scores, for the caption in LaTeX and a column in CSV.
    title: str
    columns: tuple[str, ...]
    rows: Sequence[Cells]
    notes: tuple[str, ...] = ()
    digits: int = 3
    best: frozenset[tuple[int, int]] = frozenset()
    signature: str = ""


def render(table: Table, format: str) -> str:
    """Return the table as "markdown", "latex" or "csv" text."""
    if format not in _FORMATS:
        raise InputError(
            f"unknown table format {brief(format)}; known: {', '.join(_FORMATS)}"
        )
    return _FORMATS[format](table)


def to_rich(table: Table, mark: str = "") -> Group:
    """Return the table and its notes; a `mark`, if any, shows where bold cannot."""
    # Cells are shown as they are, never as markup; notes may be wider than the table.
    if not table.rows:
        return Group(*map(_text, (table.title, *table.notes)))
    shown = RichTable(title=_text(table.title))
    for i, name in enumerate(table.columns):
        shown.add_column(_text(name), justify="right" if numeric(table, i) else "left")
    for number, row in enumerate(table.rows):
        shown.add_row(
            *(
                _text(cell_text(cell, table.digits) + mark * is_best, "bold" * is_best)
                for cell, is_best in _marked(table, number, row)
            )
        )
    notes = (n.replace("Bold:", f"{mark}:") if mark else n for n in table.notes)
    return Group(shown, *(_text(note, "table.caption") for note in notes))


def fitted(table: Table, width: int) -> list[Table]:
    """Return the table, or parts with fewer columns that fit a width."""
    # Numbers must not be cut. Each part begins with the columns of text before the
    # first numbers.
    kinds = [numeric(table, i) for i in range(len(table.columns))]
    named = kinds.index(True) if True in kinds else len(kinds)
    widths = [_least(table, i, whole=whole) + 3 for i, whole in enumerate(kinds)]
    parts = [list(range(named))]
    for i in range(named, len(kinds)):
        full = sum(widths[k] for k in parts[-1]) + widths[i] + 1 > width
        if full and len(parts[-1]) > named:
            parts.append(list(range(named)))
        parts[-1].append(i)
    if len(parts) == 1:
        return [table]
    return [
        replace(
            table,
            title=table.title if part is parts[0] else "",
            columns=tuple(table.columns[i] for i in part),
            rows=[[row[i] for i in part] for row in table.rows],
            notes=table.notes if part is parts[-1] else (),
            best=frozenset((r, part.index(i)) for r, i in table.best if i in part),
        )
        for part in parts
    ]


def _least(table: Table, column: int, *, whole: bool) -> int:
    """Return the width that a column needs; long texts may break between words."""
    cells = [cell_text(row[column], table.digits) for row in table.rows]
    short = (c for c in cells if whole or len(c) <= _SHORT)
    words = (word for c in (*cells, table.columns[column]) for word in c.split())
    return max(map(len, (*short, *words)), default=0)


_SHORT = 24
_TABLES, _ROWS, _CELL = 4, 15, 120
"""The most that a notebook shows: tables, rows of each, and characters of a cell."""


def html_of(tables: Sequence[Table]) -> str:
    """Return the first rows of the first tables for a notebook: some kilobytes."""
    parts = []
    for table in tables[:_TABLES]:
        head = "".join(f"<th>{escape(shortened(c, _CELL))}</th>" for c in table.columns)
        rows = [
            "".join(
                f"<td>{escape(shortened(cell_text(cell, table.digits), _CELL))}</td>"
                for cell in row
            )
            for row in table.rows[:_ROWS]
        ]
        body = "".join(f"<tr>{row}</tr>" for row in rows)
        further = len(table.rows) - _ROWS
        notes = [*table.notes[:3], *([f"… and {further:,} more rows"] * (further > 0))]
        parts.append(
            f"<table><caption>{escape(table.title)}</caption><thead><tr>{head}</tr>"
            f"</thead><tbody>{body}</tbody></table>"
            + "".join(f"<div><small>{escape(note)}</small></div>" for note in notes)
        )
    if len(tables) > _TABLES:
        parts.append(f"<div>… and {len(tables) - _TABLES} more tables: .tables()</div>")
    return "".join(parts)


def _text(text: str, style: str = "") -> Text:
    return Text(printable(text), style)


def cell_text(cell: Cell, digits: int) -> str:
    """Return a cell as shown: on a line, fractions rounded, a dash where undefined."""
    if _undefined(cell):
        return "–"
    if isinstance(cell, str):
        return cell.replace("\n", " ")
    if isinstance(cell, P):
        return f"{cell:.3f}" if cell >= 0.001 else "< 0.001"
    return f"{cell:.{digits}f}" if isinstance(cell, float) else str(cell)


def signed(table: Table) -> tuple[Sequence[str], Iterable[Cells]]:
    """Return the columns and rows, the last with the table's signature, if any."""
    # A table of data that is kept without its file name still says how it was made.
    if not table.signature:
        return table.columns, table.rows
    rows = ((*row, table.signature) for row in table.rows)
    return (*table.columns, "signature"), rows


def numeric(table: Table, column: int) -> bool:
    """Return whether a column holds numbers only and is aligned to the right."""
    cells = [row[column] for row in table.rows]
    texts = (cell for cell in cells if isinstance(cell, str))
    return bool(cells) and all(map(_WITH_SHARE.fullmatch, texts))


_WITH_SHARE = re.compile(r"[\d,.]+ \([\d,.]+\)")  # A number and its share: "12 (40)"


def _markdown(table: Table) -> str:
    def line(cells: Sequence[str]) -> str:
        escaped = (_escape_markdown(c).replace("|", "\\|") for c in cells)
        return f"| {' | '.join(escaped)} |"

    def text(cell: Cell, best: bool) -> str:
        shown = cell_text(cell, table.digits)
        return f"**{shown}**" if best else shown

    rule = ["---:" if numeric(table, i) else "---" for i in range(len(table.columns))]
    title = _escape_markdown(table.title)
    lines = [f"**{title}**", "", line(table.columns), line(rule)]
    lines += [
        line([text(*marked) for marked in _marked(table, number, row)])
        for number, row in enumerate(table.rows)
    ]
    if table.notes:
        lines += ["", *(f"- {_escape_markdown(note)}" for note in table.notes)]
    return "\n".join(lines) + "\n"


def _latex(table: Table) -> str:
    def line(cells: Iterable[str]) -> str:
        return "  " + " & ".join(cells) + r" \\"

    def text(cell: Cell, best: bool) -> str:
        shown = cell_text(cell, table.digits)
        shown = _escape_latex(paper_name(shown) if isinstance(cell, str) else shown)
        if shown.startswith("  "):
            shown = rf"\quad {shown.strip()}"  # LaTeX drops blanks at the left.
        shown = shown.replace(" - ", " $-$ ")
        if isinstance(cell, int | float):
            # A hyphen is not a minus, and < is another sign outside of formulas.
            shown = shown.replace(r"\textless{}", "$<$")
            shown = f"$-${shown[1:]}" if shown.startswith("-") and cell < 0 else shown
        return rf"\textbf{{{shown}}}" if best else shown

    columns = range(len(table.columns))
    lengths = [
        max(
            len(cell_text(row[i], table.digits)) for row in (table.columns, *table.rows)
        )
        for i in columns
    ]
    # What would run off the page spans the columns of the paper and is made smaller.
    wide = sum(min(length, _LONG) + 2 for length in lengths) > _PAGE
    star, fit = "*" * wide, r"\resizebox{\linewidth}{!}{" * wide
    long = rf"p{{{_LONG / 2:g}em}}"
    spec = "".join(
        "r" if numeric(table, i) else long if lengths[i] > _LONG else "l"
        for i in columns
    )
    heads = [_escape_latex(paper_name(column)) for column in table.columns]
    if wide:
        parts = (head.replace(" ", r" \\ ", 1) for head in heads)
        heads = [rf"\shortstack{{{p}}}" if r"\\" in p else p for p in parts]
    words = re.findall(r"[a-z0-9]+", table.title.lower())
    lines = [
        rf"\begin{{table{star}}}",
        r"  \centering",
        rf"  \caption{{{_caption(table)}}}",
        rf"  {fit}\begin{{tabular}}{{{spec}}}",
        r"  \toprule",
        line(heads),
        r"  \midrule",
        *(
            line(text(*marked) for marked in _marked(table, number, row))
            for number, row in enumerate(table.rows)
        ),
        r"  \bottomrule",
        r"  \end{tabular}" + "}" * wide,
        rf"  \label{{tab:{'-'.join(words) or 'table'}}}",
        rf"\end{{table{star}}}",
    ]
    return "\n".join(lines) + "\n"


_LONG, _PAGE = 40, 68
"""Characters of a cell that is broken into lines, and of a line of a page."""


def _caption(table: Table) -> str:
    """Return the title, the notes, and the signature in small print."""
    title = _escape_latex(table.title)
    stop = "" if title.endswith(("?", ".")) else "."
    signatures = table.signature.split("; ")
    own = (n.rstrip(".") for n in table.notes if n not in signatures)
    # Sentences begin with capitals; names of scores and symbols stay.
    begun = (_WORD.sub(lambda word: word[0].capitalize(), note) for note in own)
    notes = map(_escape_latex, begun)
    parts = [*(f"{note}." for note in notes)]
    if table.signature:
        parts.append(rf"{{\scriptsize\ttfamily {_escape_latex(table.signature)}}}")
    caption = " ".join((title + stop * bool(parts), *parts))
    return caption.replace(r"\textbar{}", r"\textbar\allowbreak{}")


_WORD = re.compile(r"^(?:a|two-sided|[a-z]{2,})(?=[ ,;:])")
_PAPERS = {
    name.lower(): name
    for name in ("BLEU", "ROUGE-L", "METEOR", "CIDEr-D", "CIDEr", "SPIDEr", "SPICE")
} | {
    "meteor-no-paraphrase": "METEOR without paraphrases",
    "chair-i": "CHAIRi",
    "chair-s": "CHAIRs",
}
"""Names of scores as papers write them."""
_OF_OBJECTS = re.compile(
    r"(chair|count)-(f1|mae|rmse|recall|precision|length|coverage|exact|off-by-one|over|under)"
)
_SHORT_FORMS = ("f1", "mae", "rmse")
_UPPER = re.compile(r"bleu-[1-4]|rouge-(?:[1-4]|s4|su4|w-1\.2)")


def paper_name(key: str) -> str:
    """Return the name of a score as papers write it, other text as it is.

    >>> paper_name("bleu-4"), paper_name("chair-recall"), paper_name("count-mae")
    ('BLEU-4', 'CHAIR recall', 'Count MAE')
    """
    if _UPPER.fullmatch(key):
        return key.upper()
    if found := _OF_OBJECTS.fullmatch(key):
        metric, part = found.groups()
        part = part.upper() if part in _SHORT_FORMS else part.replace("-", " ")
        return f"{'CHAIR' if metric == 'chair' else 'Count'} {part}"
    return _PAPERS.get(key, key)


def _marked(table: Table, number: int, row: Sequence[Cell]) -> list[tuple[Cell, bool]]:
    """Return a row's cells, each with whether it is among the best."""
    return [(cell, (number, k) in table.best) for k, cell in enumerate(row)]


def csv_text(header: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Return CSV text; an undefined number becomes an empty cell."""
    # Text that a spreadsheet would run as a formula (it begins with `=`, `+`, `-` or
    # `@`, of any width, a tab or the end of a line) gets an apostrophe before it;
    # numbers stay.
    lines: list[str] = []
    writer = csv.writer(_Lines(lines))
    writer.writerow(map(_safe, header))
    writer.writerows(map(_safe, row) for row in rows)
    return "".join(lines)


@dataclass(frozen=True, slots=True)
class _Lines:
    """A file of lines that end at line feeds."""

    # Where csv ended them so itself, it would not quote a carriage return in a cell, at
    # which readers end a line.
    lines: list[str]

    def write(self, line: str) -> None:
        """Add a line, which ends as csv ends lines."""
        self.lines.append(line.removesuffix("\r\n") + "\n")


def _safe(cell: object) -> object:
    if isinstance(cell, str) and cell.startswith(_FORMULA):
        return f"'{cell}"
    return "" if _undefined(cell) else cell


_FORMULA = (*"=+-@", *"\uff1d\uff0b\uff0d\uff20", "\t", "\r", "\n")
"""Signs of a formula; some spreadsheets also take those of full width."""


_FORMATS: Mapping[str, Callable[[Table], str]] = {
    "markdown": _markdown,
    "latex": _latex,
    "csv": lambda table: csv_text(*signed(table)),
}


def _undefined(cell: object) -> bool:
    return cell is None or (isinstance(cell, float) and isnan(cell))


def _escape_markdown(text: str) -> str:
    """Return text that Markdown shows as it is: without HTML, links and images."""
    text = printable(text).replace("\n", " ").replace("](", "]\\(")
    return _HTML.sub(lambda sign: "&lt;" if sign[0] == "<" else "&amp;", text)


_HTML = re.compile(r"<(?=[A-Za-z/!?])|&(?=#?\w+;)")
"""The first characters of tags and entities."""


def _escape_latex(text: str) -> str:
    special = {c: f"\\{c}" for c in "&%$#_{}"} | {
        "\\": r"\textbackslash{}",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        **{"–": "--", "−": "$-$", "≤": r"$\leq$", "≥": r"$\geq$"},
        **{"α": r"$\alpha$", "ρ": r"$\rho$", "τ": r"$\tau$"},
        "<": r"\textless{}",
        ">": r"\textgreater{}",
        "|": r"\textbar{}",
        "\n": " ",
    }
    text = re.sub(r'(?<![^\s([])"(?=\S)', "``", printable(text)).replace('"', "''")
    return "".join(special.get(character, character) for character in text)
