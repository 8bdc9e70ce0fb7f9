"""The digests of the cache see every file on which trees and tuples depend."""

import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

import spicepy
from spicepy.common import resources as data_files
from spicepy.common.errors import GrammarError, ResourceError
from spicepy.pipeline import Pipeline
from spicepy.pipeline import cache as digests
from spicepy.pipeline.cache import ROOMS, code_digest, hashed_folders
from spicepy.rules import files, loading

GRAMMARS = data_files.folder()
FILES = sorted(
    path.relative_to(GRAMMARS).as_posix()
    for path in GRAMMARS.rglob("*")
    if path.is_file()
)
NO_GRAPH_DEPENDS_ON = (
    # Read when errors are analysed:
    *("README.md", "diagnosis.toml", "left_out.toml", "finding_weights.tsv"),
    # When objects and numbers are looked for:
    *("chair.toml", "mentions.toml", "counting.toml", "amounts.toml"),
    "questions.toml",  # when captions are put as questions
    "content.toml",  # when nouns and verbs are counted
    *("categories/", "vocabularies/"),  # when graphs are matched
    *("spicepy-1/README.md", "spicepy-1/parses.jsonl", "spice-1.0/parses.jsonl"),
)
PACKAGE = Path(spicepy.__file__).parent

READING = """
import json, sys
opened = set()
def note(event, arguments):
    if event == "open":
        opened.add(str(arguments[0]))
sys.addaudithook(note)
from spicepy.parsing.labels import load_labels
from spicepy.pipeline import Pipeline
for grammar in ("spice-1.0", "spicepy-1"):
    Pipeline(grammar=grammar, cache="").parse(["two dogs run on the beach."])
load_labels("clear")
print(json.dumps(sorted(opened)))
"""


@pytest.fixture
def copied(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A copy of the folder `grammars` that is used instead of it."""
    copy = tmp_path / "grammars"
    shutil.copytree(GRAMMARS, copy)
    for module in (data_files, files, digests):
        monkeypatch.setattr(module, "folder", lambda: copy)
    code_digest.cache_clear()
    yield copy
    code_digest.cache_clear()


def bases() -> list[object]:
    """What the results of both bundled grammars depend on."""
    code_digest.cache_clear()
    found: list[object] = [code_digest()]
    for name in files.known_names():
        try:
            found.append(Pipeline(grammar=name, cache="").grammar.digest)
        except GrammarError as error:  # its results are not asked for
            found.append(str(error))
    return found


@pytest.fixture(scope="module")
def shared_copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy whose files are edited one after the other, and restored."""
    return shutil.copytree(GRAMMARS, tmp_path_factory.mktemp("copy") / "grammars")


@cache
def unedited() -> list[object]:
    return bases()


@pytest.mark.parametrize("name", FILES)
def test_an_edited_file_gives_another_digest(
    shared_copy: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    # At the same path, a grammar whose files have not changed is not read again.
    for module in (data_files, files, digests):
        monkeypatch.setattr(module, "folder", lambda: shared_copy)
    before, file = unedited(), shared_copy / name
    # What is read in the meantime is forgotten, and the grammar without a change kept.
    monkeypatch.setattr(loading, "_KEEP", {**loading._KEEP})
    whole = file.read_bytes()
    file.write_text("# nothing is left\n")
    try:
        after = bases()
    finally:
        file.write_bytes(whole)
        code_digest.cache_clear()

    assert (after == before) == name.startswith(NO_GRAPH_DEPENDS_ON)


@pytest.mark.parametrize("name", [name for name in FILES if name.startswith("labels/")])
def test_one_letter_of_a_label_scheme_counts(copied: Path, name: str) -> None:
    before = code_digest()
    (copied / name).write_text((copied / name).read_text().replace("a", "b", 1))
    code_digest.cache_clear()

    assert code_digest() != before


def test_what_is_read_to_make_tuples_is_in_a_digest() -> None:
    done = subprocess.run(
        [sys.executable, "-c", READING], capture_output=True, text=True, check=True
    )
    own = [
        path
        for path in map(Path, json.loads(done.stdout))
        if path.is_relative_to(PACKAGE) or path.is_relative_to(GRAMMARS)
        if path.suffix not in (".py", ".pyc") and path.is_file()
    ]
    hashed = hashed_folders()
    hashed += [GRAMMARS / name for name in files.known_names()]  # by their own digest
    tokens = PACKAGE / "tokenization"  # the text that is looked up says what it did
    seen = [path for path in own if tokens not in path.parents]

    assert len(seen) > 10
    assert not [path for path in seen if not set(hashed) & set(path.parents)]


def test_a_missing_folder_is_one_sentence(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(digests, "ROOMS", ("no-such-room",))
    code_digest.cache_clear()
    with pytest.raises(ResourceError, match="no-such-room: there is no such folder"):
        code_digest()
    code_digest.cache_clear()


def test_every_room_that_makes_tuples_is_hashed() -> None:
    """What the rooms import is in one of them."""
    for room in ("parsing", "rules", "words"):
        for path in (PACKAGE / room).rglob("*.py"):
            for line in path.read_text(encoding="utf-8").split("\n"):
                if line.lstrip().startswith("from spicepy."):
                    assert line.split(".")[1].split()[0] in ROOMS, f"{path}: {line}"
