"""What README and docs quote is what the programs say today."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
from paths import ROOT

import spicepy

DOCS = ROOT / "docs"
SITE = [p for p in sorted(DOCS.rglob("*.md")) if "_build" not in p.parts]
PAGES = [ROOT / "README.md", *SITE]


@pytest.mark.slow
def test_quoted_output_and_figures_are_fresh() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "docs.refresh", "--check"],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )

    assert done.returncode == 0, done.stdout + done.stderr


def test_every_page_is_in_the_table_of_contents() -> None:
    index = (DOCS / "index.md").read_text(encoding="utf-8")
    listed = set(re.findall(r"^[a-z-]+(?:/[a-z-]+)?$", index, flags=re.MULTILINE))
    pages = {page.relative_to(DOCS).with_suffix("").as_posix() for page in SITE}

    assert pages - {"index"} == listed


def test_every_public_name_is_in_the_api_reference() -> None:
    text = (DOCS / "reference/api.md").read_text(encoding="utf-8")
    missing = [n for n in spicepy.__all__ if f"spicepy.{n}" not in text]

    assert not missing


def test_no_page_quotes_a_traceback() -> None:
    # `docs.refresh` writes what code prints today, an error of a moved name included.
    words = "Traceback (most recent call last)"

    assert [p.name for p in PAGES if words in p.read_text(encoding="utf-8")] == []


def test_pages_link_to_files_that_exist() -> None:
    broken = []
    for page in PAGES:
        for target in re.findall(
            r"\]\((?!https?:|#|mailto:)([^)#\s]+)", page.read_text()
        ):
            if not (page.parent / target).exists():
                broken.append(f"{page.name}: {target}")

    assert not broken


def test_no_line_of_text_begins_with_a_figure() -> None:
    # Markdown takes a comment at the beginning of a line for a block of HTML.
    wrong = [
        f"{page.name}: {line[:60]}"
        for page in PAGES
        for line in page.read_text(encoding="utf-8").split("\n")
        if re.match(r"\s*([-*>] |\d+\. )?<!-- figure", line)
    ]

    assert not wrong


def test_commands_that_are_not_run_have_the_options_they_name() -> None:
    reference = (DOCS / "reference/cli.md").read_text(encoding="utf-8")
    known = {
        section.split("\n", 1)[0]: set(re.findall(r"`[^`|]*`", section))
        for section in reference.split("\n## ")
    }
    wrong = []
    for page in PAGES:
        for command in unrun_commands(page.read_text(encoding="utf-8")):
            words = command.split()
            group = words[1] in ("grammar", "model", "cache")
            name = " ".join(words[: 3 if group else 2])
            options = " ".join(known.get(name, ()))
            for word in words:
                if re.match(r"--?[a-z]", word) and not re.search(
                    rf"(^|[ `]){re.escape(word)}\b", options
                ):
                    wrong.append(f"{page.name}: {name} {word}")

    assert not wrong


def run_blocks(page: Path) -> str:
    """Return the code of a page that its readers run, without what it prints."""
    text = page.read_text(encoding="utf-8")
    kinds = r"console|pycon|python|sh|\{code-cell\}[^\n]*"
    blocks = re.findall(rf"^```(?:{kinds})\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    return "\n".join(blocks)


def test_pages_say_where_the_files_that_they_read_are() -> None:
    words = "`git clone https://github.com/spicepy/spicepy && cd spicepy`"
    reading = [page for page in SITE if "fixtures/" in run_blocks(page)]

    assert [p.name for p in reading if words not in p.read_text("utf-8")] == []


EXTRAS = {
    "study": r"^\$? ?spicepy (correlate|loocv|pairs|stability)\b",
    "parquet": r"\.parquet\b",
    "ray": r"--engine ray",
}
"""What a page's code uses -> the extra that the page must name."""


@pytest.mark.parametrize("extra", EXTRAS)
def test_pages_name_the_extras_that_their_code_needs(extra: str) -> None:
    lacking = [
        page.name
        for page in PAGES
        if page.name not in ("cli.md", "files.md")  # references, not ways to do it
        if re.search(EXTRAS[extra], run_blocks(page), re.MULTILINE)
        if not re.search(
            rf"\[[a-z,]*\b{extra}\b[a-z,]*\]", page.read_text(encoding="utf-8")
        )
    ]

    assert lacking == []


def unrun_commands(text: str) -> list[str]:
    blocks = re.findall(r"^```sh\n(.*?)^```", text, flags=re.MULTILINE | re.DOTALL)
    joined = "\n".join(blocks).replace("\\\n", " ")
    lines = (line.split("#")[0].split("|")[0] for line in joined.split("\n"))
    return [line for line in lines if line.startswith("spicepy ")]


def test_every_environment_variable_is_documented() -> None:
    modules = (ROOT / "spicepy").rglob("*.py")
    used = {v for m in modules for v in re.findall(r"\bSPICEPY_[A-Z_]+", m.read_text())}
    table = (DOCS / "reference/cli.md").read_text(encoding="utf-8")

    assert set(re.findall(r"^\| `(SPICEPY_\w+)` \|", table, re.MULTILINE)) == used
