"""`docs/refresh.py` corrects what a page quotes, or says what it cannot make."""

import json
from pathlib import Path

import pytest

from docs import picture, refresh


@pytest.fixture
def _figures(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    record = {
        "parser": "caption_parser-9",
        "values": {"las": 95.467, "words": 12345},
        "tables": {"all": {"columns": ["text", "F"], "rows": [["news", "0.5"]]}},
    }
    (tmp_path / "toy.json").write_text(json.dumps(record))
    monkeypatch.setattr(refresh, "FIGURES", tmp_path)


@pytest.mark.usefixtures("_figures")
@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("toy.las", "95.467"),
        ("toy.las:.2f", "95.47"),
        ("toy.words", "12,345"),
        ("toy.parser", "caption_parser-9"),
    ],
)
def test_stale_figure_is_replaced(name: str, shown: str) -> None:
    page = f"LAS <!-- figure: {name} -->1<!-- / -->."

    assert refresh.refreshed(page) == f"LAS <!-- figure: {name} -->{shown}<!-- / -->."


@pytest.mark.usefixtures("_figures")
def test_table_is_written_whole() -> None:
    page = "<!-- table: toy.all -->\n<!-- / -->\n"

    assert "| news | 0.5 |\n<!-- / -->" in refresh.refreshed(page)


@pytest.mark.usefixtures("_figures")
def test_unknown_figure_names_those_there_are() -> None:
    with pytest.raises(refresh.StaleError, match="there are parser, values"):
        refresh.refreshed("<!-- figure: toy.uas -->1<!-- / -->")


def test_session_goes_on_through_the_page() -> None:
    page = "```pycon\n>>> a = 2\n```\n\n```pycon\n>>> a + 1\n17\n```\n"

    assert refresh.refreshed(page) == page.replace("17", "3")


def test_exception_is_quoted_as_python_shows_it() -> None:
    page = refresh.refreshed("```pycon\n>>> 1 / 0\n```\n")

    assert "  ...\nZeroDivisionError: division by zero\n```" in page


def test_python_block_must_run() -> None:
    with pytest.raises(refresh.StaleError, match="NameError"):
        refresh.refreshed("```python\nnowhere\n```\n")


def test_block_that_is_not_run_is_left_alone() -> None:
    page = "<!-- not run: needs a GPU -->\n```python\nnowhere\n```\n"

    assert refresh.refreshed(page) == page


def test_commands_see_the_files_of_the_page() -> None:
    page = "<!-- file: a.txt -->\n```text\none\n```\n\n```console\n$ cat a.txt\n```\n"

    assert refresh.refreshed(page).endswith("$ cat a.txt\none\n```\n")


def test_diff_must_fit() -> None:
    page = (
        "```diff\n--- a/LICENSE\n+++ b/LICENSE\n@@ -1 +1 @@\n-no such line\n+x\n```\n"
    )

    with pytest.raises(refresh.StaleError, match="git"):
        refresh.refreshed(page)


def test_a_picture_keeps_the_digest_of_its_shares() -> None:
    plain = picture.PICTURE.read_bytes()[:33] + b"\0\0\0\0IEND\xaeB`\x82"

    assert picture._kept(plain) is None
    assert picture._kept(picture._with_text(plain, b"abc")) == b"abc"
