"""Every command of every page runs; `docs.following` says which one does not."""

import os
import re
from pathlib import Path

import pytest
from paths import ROOT

from docs import following
from docs.following import NOT_RUN, STAND_INS, blocks_of, follow, pages_to_follow
from docs.running import StaleError


def page_of(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "page.md"
    path.write_text(text.replace("'''", "```"))
    return path


@pytest.mark.slow
@pytest.mark.skipif(not (ROOT / ".git").exists(), reason="not a git checkout")
@pytest.mark.parametrize("page", pages_to_follow(), ids=lambda page: page.stem)
def test_pages_can_be_followed(page: Path) -> None:
    follow(page)


def test_what_is_said_of_commands_is_about_some() -> None:
    shell = [b for page in pages_to_follow() for b in blocks_of(page)]
    text = "\n".join(b.text for b in shell if following.is_shell(b))
    parts = [p.split(" #")[0].strip() for p in re.split(r" && |\n", text)]

    for pattern in NOT_RUN:
        assert any(re.search(pattern, part) for part in parts), pattern
    for pattern in STAND_INS:
        assert re.search(rf"(?<![\w/.-]){pattern}(?!\S)", text), pattern


def test_blocks_share_a_folder_and_an_environment(tmp_path: Path) -> None:
    page = page_of(
        tmp_path,
        "<!-- file: a.txt -->\n'''text\none\n'''\n\n"
        "'''sh\nexport SPICEPY_X=~/b  # why\n"
        "mkdir deep && cp a.txt deep/\ncd deep\n'''\n\n"
        "1. then\n\n   '''sh\n"
        '   grep -q one a.txt && \\\n     test "$SPICEPY_X" = "$HOME/b"\n'
        "   false  # fails: why not\n   pip install nothing\n   '''\n",
    )

    follow(page)

    assert "SPICEPY_X" not in os.environ


def test_files_of_the_reader_are_there(tmp_path: Path) -> None:
    follow(page_of(tmp_path, "'''sh\nls captions.json data/*.parquet\n'''\n"))


@pytest.mark.parametrize("command", ["false", "ls other.json", "true  # fails: no"])
def test_a_command_that_does_otherwise_is_named(tmp_path: Path, command: str) -> None:
    with pytest.raises(StaleError, match=command):
        follow(page_of(tmp_path, f"'''sh\n{command}\n'''\n"))
