"""Every form of one small table, and the characters that could break it."""

import csv
import io
from dataclasses import replace

import pytest
from rich.console import Console

from spicepy.common.errors import InputError
from spicepy.common.tables import P, Table, fitted, render, to_rich

TABLE = Table(
    title="Scores & ranks",
    columns=("metric", "score_1", "n"),
    rows=(("a|b", 0.12345, 3), ("50%", float("nan"), None)),
    notes=("seed 1",),
)


def test_markdown() -> None:
    assert render(TABLE, "markdown") == (
        "**Scores & ranks**\n\n"
        "| metric | score_1 | n |\n"
        "| --- | ---: | ---: |\n"
        "| a\\|b | 0.123 | 3 |\n"
        "| 50% | – | – |\n\n"
        "- seed 1\n"
    )


def test_best_cells_are_bold() -> None:
    rows = (("a_1", 0.1, 0.3001), ("b", 0.2, 0.3), ("c", float("nan"), 0.1))
    best = frozenset([(1, 1), (0, 2), (1, 2)])
    table = Table("T", ("system", "x", "y"), rows, best=best)

    assert r"a\_1 & 0.100 & \textbf{0.300} \\" in render(table, "latex")
    assert "| b | **0.200** | **0.300** |" in render(table, "markdown")
    assert "b,0.2,0.3\n" in render(table, "csv")


def test_latex_has_signs_of_formulas_names_of_papers_and_a_label() -> None:
    rows = (("bleu-4", -0.25, P(0.0001)), ("-x", 0.5, P(0.02)))
    table = Table("Paired differences", ("Score", "cider-d", "p"), rows)

    text = render(table, "latex")

    assert r"Score & CIDEr-D & p \\" in text
    assert r"BLEU-4 & $-$0.250 & $<$ 0.001 \\" in text
    assert r"-x & 0.500 & 0.020 \\" in text
    assert r"\label{tab:paired-differences}" in text


def test_latex_has_signs_that_an_engine_knows_and_keeps_indents() -> None:
    rows = (("  Object", "τ ≤ .5"), ("a - b", "ρ ≥ −1"))
    text = render(Table("T", ("Score", "α"), rows), "latex")

    assert r"Score & $\alpha$ \\" in text
    assert r"\quad Object & $\tau$ $\leq$ .5 \\" in text
    assert r"a $-$ b & $\rho$ $\geq$ $-$1 \\" in text


def test_wide_latex_spans_the_page_and_fits_it() -> None:
    numbers = [f"long name {i}" for i in range(9)]
    wide = Table("T", ("System", *numbers), (("a", *map(float, range(9))),))
    text = render(wide, "latex")
    assert r"\begin{table*}" in text
    assert r"\end{table*}" in text
    assert r"  \resizebox{\linewidth}{!}{\begin{tabular}{lrrrrrrrrr}" in text
    assert r"System & \shortstack{long \\ name 0} & " in text
    assert "\n  \\end{tabular}}\n" in text

    sentence = "a man who is riding a horse along the beach at sunset"
    long = render(Table("T", ("System", "Caption"), (("a", sentence),)), "latex")
    assert r"\begin{tabular}{lp{20em}}" in long
    assert "table*" not in long


def test_latex_is_escaped_and_has_booktabs_rules() -> None:
    text = render(TABLE, "latex")

    assert r"\caption{Scores \& ranks. Seed 1.}" in text
    assert r"\begin{tabular}{lrr}" in text
    assert r"metric & score\_1 & n \\" in text
    assert r"50\% & -- & -- \\" in text
    assert r"\toprule" in text
    assert "%" not in text.replace(r"\%", "")


def test_latex_has_notes_quotes_and_columns_of_numbers() -> None:
    rows = (('says "sitting" ("a" or "b")', "2 (50)", None), ("2", None, None))
    table = Table(
        "Right?", ("s", "x", "y"), rows, ("n: objects", "A|b"), signature="A|b"
    )

    text = render(table, "latex")
    assert r"\caption{Right? n: objects. {\scriptsize\ttfamily A" in text
    assert "says ``sitting'' (``a'' or ``b'') & 2 (50) & --" in text
    assert r"\begin{tabular}{lrr}" in text


def test_csv_keeps_every_digit() -> None:
    rows = list(csv.reader(io.StringIO(render(TABLE, "csv"))))

    assert rows == [
        ["metric", "score_1", "n"],
        ["a|b", "0.12345", "3"],
        ["50%", "", ""],
    ]


def test_terminal_shows_cells_as_they_are() -> None:
    console = Console(width=80, file=io.StringIO(), record=True)
    console.print(to_rich(Table("t", ("caption",), (("[red]x[/red]",),))))

    assert "[red]x[/red]" in console.export_text()


def test_notes_may_be_wider_than_their_table() -> None:
    console = Console(width=80, file=io.StringIO(), record=True)
    note = "a sentence that is wider than the one column of the table above it"
    console.print(to_rich(Table("t", ("n",), ((1,),), (note,))))

    assert console.export_text().endswith(f"\n{note}\n")


def test_plain_text_has_a_mark_for_bold() -> None:
    console = Console(width=80, file=io.StringIO(), record=True)
    table = Table("t", ("s", "n"), (("a", 1), ("b", 2)), ("Bold: best",))
    console.print(to_rich(replace(table, best=frozenset([(1, 1)])), "*"))

    shown = console.export_text()
    assert "│ b │ 2* │" in shown
    assert shown.endswith("\n*: best\n")


def test_unknown_format_names_the_known() -> None:
    with pytest.raises(InputError, match="markdown, latex, csv"):
        render(TABLE, "word")


ESCAPES = "a\x1b[2J\x9b1mb\r\u202ec"
SHOWN = "a\\u001b[2J\\u009b1mb\\u000d\\u202ec"


def test_control_characters_are_shown_to_people() -> None:
    table = Table(ESCAPES, ("system", ESCAPES), ((ESCAPES, 0.5),), (ESCAPES,))
    console = Console(width=200, file=io.StringIO(), record=True)
    console.print(to_rich(table))
    markdown, latex = render(table, "markdown"), render(table, "latex")

    terminal = console.export_text()

    assert terminal.count(SHOWN) == 4
    for text in (terminal, markdown, latex):
        assert not {"\x1b", "\x9b", "\r", "\u202e"} & set(text)
    assert markdown.count(SHOWN) == 4
    assert latex.count("u001b[2J") == 4
    assert ESCAPES in next(csv.reader(io.StringIO(render(table, "csv"), newline="")))


def test_markdown_has_no_markup_of_names() -> None:
    name = "<img src=x onerror=alert(1)> &lt; ![x](http://a) a < b & </td>"
    table = Table(name, (name,), ((name,),), (name,))
    shown = "&lt;img src=x onerror=alert(1)> &amp;lt; ![x]\\(http://a) a < b & &lt;/td>"

    assert render(table, "markdown").count(shown) == 4


def test_formulas_of_full_width_are_text() -> None:
    rows = tuple((sign + "1",) for sign in "＝＋－＠")

    assert render(Table("t", ("x",), rows), "csv") == "x\n'＝1\n'＋1\n'－1\n'＠1\n"


def test_a_narrow_terminal_cuts_no_number() -> None:
    names = [f"metric-{n}" for n in range(8)]
    rows = [("a", *(n / 7 for n in range(8))), ("b", *(n / 9 for n in range(8)))]
    table = Table(
        "Scores", ("System", *names), rows, ("a note",), 4, frozenset({(1, 8)})
    )

    parts = fitted(table, 60)

    assert fitted(table, 200) == [table]
    assert [name for part in parts for name in part.columns[1:]] == names
    assert {part.columns[0] for part in parts} == {"System"}
    console = Console(width=60, file=io.StringIO())
    for part in parts:
        console.print(to_rich(part))
    shown = console.file.getvalue()
    assert "…" not in shown
    assert all(f"{value:.4f}" in shown for row in rows for value in row[1:])
    assert [part.best for part in parts][-1] == {(1, len(parts[-1].columns) - 1)}
    assert [part.notes for part in parts][-1] == ("a note",)


def test_a_cell_is_one_line_for_people_and_as_it_is_in_data() -> None:
    table = Table("Captions", ("caption",), [("**a dog**\nruns",)])

    assert "| **a dog** runs |" in render(table, "markdown")
    assert "**a dog**\nruns" in render(table, "csv")


def test_notes_of_captions_are_sentences_and_empty_tables_have_no_heads() -> None:
    notes = ("percentile bootstrap over images", "p: sign test", "bleu-4: a score")
    latex = render(Table("Title", ("Score",), (("spice",),), notes), "latex")
    assert "Title. Percentile bootstrap over images. p: sign test. bleu-4: a" in latex

    console = Console(file=io.StringIO(), width=80)
    console.print(to_rich(Table("Title", ("Pattern",), (), ("nothing found",))))
    shown = console.file.getvalue()
    assert "nothing found" in shown
    assert "Pattern" not in shown
