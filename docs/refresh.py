"""Rewrite the quotations in README and docs: output of commands and Python, figures.

    python -m docs.refresh [PAGE ...]      rewrite the pages (all, if none is named)
    python -m docs.refresh --check         change nothing; exit 1 and show a diff
    python -m docs.refresh --picture       take the picture of the report again

In: README.md, CONTRIBUTING.md, the README of `grammars/spicepy-1` and the Markdown
files of `docs/`. Out: the same files, brought up to date. Each page runs from top to
bottom in a folder of its own that holds copies of `fixtures/` and `grammars/`:

* ```console blocks: each line that begins with `$ ` is a command, and what it
  prints (pipes such as `| head -5` work) follows it.
* ```pycon blocks: what the lines after `>>> ` and `... ` print or return follows
  them, as in a Python session that goes on through the page.
* ```python blocks run in the same session; they must not fail.
* ```diff blocks must fit the project's files of today.
* ```sh and other blocks are left alone (`docs.following` runs them), and so is every
  block after a comment `<!-- not run: why -->`.
* A block after a comment `<!-- file: NAME -->` is written to that file first.
* `<!-- figure: parser.las -->95.47<!-- / -->` is the value `las` of
  `benchmarks/records/parser.json`; `:.1f` and the like after the name format it.
* `<!-- table: domains.all -->` … `<!-- / -->` encloses a whole table from there.
* README.md has no such comments: `docs/readme_figures.py` knows its figures.
* `<!-- made: cli -->` … `<!-- / -->` encloses text made by a function of `MADE`.

The picture of the report, `fixtures/report.png`, is taken anew when the shares that it
shows have changed; that needs Chromium, to check them does not.
"""

import argparse
import contextlib
import difflib
import json
import os
import re
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from docs.blocks import Block, parts_of
from docs.command_reference import command_reference
from docs.picture import PICTURE, refresh_picture
from docs.readme_figures import with_figures
from docs.running import StaleError, console, run_python, run_shell, session

PLAIN = {
    "COLUMNS": "88",
    "NO_COLOR": "1",
    "TERM": "dumb",
    "LC_ALL": "C.UTF-8",
    "SPICEPY_DATA": os.devnull,
}
"""The environment of commands: output of one width, without colours or added models."""

ROOT = Path(__file__).parents[1]
FIGURES = ROOT / "benchmarks" / "records"


def metric_list() -> str:
    """Return all metrics of the registry, as a table."""
    from spicepy.evaluation.options import METRICS

    rows = (f"| `{name}` | {entry.help} |\n" for name, entry in METRICS.items())
    return "| name | what |\n| --- | --- |\n" + "".join(rows)


def kind_list() -> str:
    """Return the kinds of findings of the error analysis, as a table."""
    from spicepy.diagnosis.kinds import KINDS, QUESTIONS

    helps = {kind.name: kind.help for kind in KINDS}
    rows = [
        line
        for question, names in QUESTIONS.items()
        for line in (
            f"| **{question}** | |\n",
            *(f"| {name} | {helps[name]} |\n" for name in names),
        )
    ]
    return "| kind | what it says |\n| --- | --- |\n" + "".join(rows)


def record_list() -> str:
    """Return when and on what processor each record was made."""
    lines = ["| record | measured | processor |\n", "| --- | --- | --- |\n"]
    for path in sorted(FIGURES.glob("*.json")):
        record = json.loads(path.read_text(encoding="utf-8"))
        if "date" in record:
            processor = record.get("processor", "not recorded")
            lines.append(f"| `{path.stem}` | {record['date']} | {processor} |\n")
    return "".join(lines)


MADE: dict[str, Callable[[], str]] = {
    "cli": command_reference,
    "kinds": kind_list,
    "metrics": metric_list,
    "records": record_list,
}

END = "<!-- / -->"
FIGURE = re.compile(r"(<!-- figure: ([\w.-]+)(?::(\S+))? -->)(.*?)" + END)
MADE_TEXT = re.compile(r"(<!-- (table|made): ([\w.-]+) -->\n)(.*?)" + END, re.DOTALL)


def main() -> int:
    """Rewrite or check the pages; 0 if nothing is stale."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("pages", nargs="*", type=Path, help="all, if none is named")
    parser.add_argument("--check", action="store_true", help="change nothing")
    parser.add_argument("--picture", action="store_true", help="take it in any case")
    options = parser.parse_args()
    os.environ |= PLAIN  # before the command line is imported
    stale = 0
    if options.picture or not options.pages:
        stale += picture(check=options.check, again=options.picture)
    for page in [p.resolve() for p in options.pages] or every_page():
        before = page.read_text(encoding="utf-8")
        try:
            after = refreshed(before)
            if page == ROOT / "README.md":
                after = with_figures(after, figure)
        except StaleError as error:
            print(f"{page.relative_to(ROOT)}: {error}", file=sys.stderr)
            stale += 1
            continue
        if before == after:
            continue
        if options.check:
            stale += 1
            sys.stdout.writelines(difference(page, before, after))
        else:
            page.write_text(after, encoding="utf-8")
            print(f"rewrote {page.relative_to(ROOT)}")
    return 1 if stale else 0


def picture(*, check: bool, again: bool) -> int:
    """Take the picture of the report anew if it is stale; 1 if it stays stale."""
    name = PICTURE.relative_to(ROOT)
    try:
        stale = refresh_picture(check=check, again=again)
    except StaleError as error:
        print(f"{name}: {error}", file=sys.stderr)
        return 1
    if stale:
        print(f"{name}: {'shows stale shares' if check else 'taken anew'}")
    return int(stale and check)


def every_page() -> list[Path]:
    """Return the paths of README, CONTRIBUTING, a grammar's README and the site."""
    pages = (ROOT / "docs").rglob("*.md")
    site = (p for p in pages if "_build" not in p.parts)
    grammar = ROOT / "grammars" / "spicepy-1" / "README.md"
    return [ROOT / "README.md", ROOT / "CONTRIBUTING.md", grammar, *sorted(site)]


def difference(page: Path, before: str, after: str) -> Iterator[str]:
    """Yield the changes as a unified diff."""
    name = str(page.relative_to(ROOT))
    lines = before.splitlines(keepends=True), after.splitlines(keepends=True)
    return difflib.unified_diff(*lines, name, f"{name}, refreshed")


def refreshed(text: str) -> str:
    """Return the page with everything it quotes made anew.

    Raises:
        StaleError: A command or an example fails, or a figure does not exist.
    """
    with working_folder():
        text = "\n".join(with_blocks(text.split("\n")))
    text = FIGURE.sub(lambda m: m[1] + figure(m[2], m[3]) + END, text)
    return MADE_TEXT.sub(lambda m: m[1] + made(m[2], m[3]) + END, text)


@contextlib.contextmanager
def working_folder() -> Iterator[None]:
    """Go to a new folder with the bundled examples, and come back."""
    before = Path.cwd()
    with tempfile.TemporaryDirectory() as folder:
        for name in ("fixtures", "grammars"):
            shutil.copytree(ROOT / name, Path(folder, name))
        os.chdir(folder)
        try:
            yield
        finally:
            os.chdir(before)


def with_blocks(lines: list[str]) -> Iterator[str]:
    """Yield the page's lines, those of its blocks renewed."""
    names: dict[str, Any] = {"__name__": "__main__"}
    for part in parts_of(lines):
        if isinstance(part, str):
            yield part
        else:
            yield from (x and part.indent + x for x in renewed(part, names))


def renewed(block: Block, names: dict[str, Any]) -> list[str]:
    """Return the lines of a block, its output made anew."""
    text = block.text
    if block.note and block.note[0] == "file":
        Path(block.note[1]).write_text(text, encoding="utf-8")
    if block.note:
        return block.lines
    if block.language == "console":
        return console(block.lines)
    if block.language == "pycon":
        return session(text, names)
    if block.language == "diff" and shutil.which("git"):
        check = f"git -C '{ROOT}' apply --check --unidiff-zero"
        try:
            run_shell(f"{check} -", text)
        except StaleError:
            run_shell(f"{check} --reverse -", text)  # somebody tries the example
    if block.language == "python":
        output, failed = run_python(text, "exec", names)
        if failed:
            raise StaleError(f"this block fails:\n{text}{output}")
    return block.lines


def recorded(name: str) -> tuple[dict[str, Any], str]:
    """Return the file of figures that a dotted name begins with, and the rest of it."""
    file, _, key = name.partition(".")
    path = FIGURES / f"{file}.json"
    if not path.exists():
        raise StaleError(f"{name}: there is no {path.relative_to(ROOT)}")
    return json.loads(path.read_text(encoding="utf-8")), key


def figure(name: str, form: str | None) -> str:
    """Return a recorded figure as the page shows it."""
    data, key = recorded(name)
    found = {**data, **data["values"]}
    if key not in found:
        raise StaleError(f"{name}: no such figure; there are {', '.join(found)}")
    value = found[key]
    return format(value, form or ("," if isinstance(value, int) else ""))


def made(kind: str, name: str) -> str:
    """Return a recorded table as Markdown, or text that a function makes."""
    if kind == "made":
        return MADE[name]()
    data, key = recorded(name)
    if key not in data.get("tables", {}):
        raise StaleError(f"{name}: no such table")
    columns, rows = data["tables"][key]["columns"], data["tables"][key]["rows"]
    align = ["---", *("---:" for _ in columns[1:])]
    lines = [columns, align, *rows]
    return "".join("| " + " | ".join(map(str, line)) + " |\n" for line in lines)


if __name__ == "__main__":
    sys.exit(main())
