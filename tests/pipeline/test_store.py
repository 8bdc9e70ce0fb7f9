"""The file of the cache: whatever happens to it, no row comes back wrong."""

import os
import random
import sqlite3
import subprocess
import sys
import threading
import time
import warnings
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from paths import ROOT

from spicepy.common.errors import InputError, SpicepyWarning
from spicepy.pipeline.cache_file import CacheFailure, classify_failure
from spicepy.pipeline.cache_store import NAME, Store

ROWS = {f"caption {n}": f"result {n} " + "x" * 100 for n in range(500)}

WRITER = """
import sys, warnings
from pathlib import Path
from spicepy.pipeline.cache_store import Store
warnings.simplefilter("error")
store, name = Store(Path(sys.argv[1])), sys.argv[2]
for n in range(40):
    own = {f"{name} {n} {k}": f"of {name} {n} {k}" for k in range(20)}
    store.put(1, "{}", own)
    both = {f"both {n} {k}": f"of both {n} {k}" for k in range(20)}
    store.put(1, "{}", both)
    assert store.get(1, [*own, *both]) == own | both
"""

READER = """
import os, sys, urllib.parse, warnings  # pathlib imports urllib late
from pathlib import Path
from spicepy.pipeline.cache_store import Store
if os.getuid() == 0:  # who may write anywhere
    os.setuid(65534)
with warnings.catch_warnings(record=True) as said:
    warnings.simplefilter("always")
    store = Store(Path(sys.argv[1]))
    print(store.get(1, ["a", "b"]))
    store.put(1, "{}", {"b": "made"})
    store.put(1, "{}", {"c": "made"})
    print(store.get(1, ["a", "b"]))
store._close()  # Python 3.13 warns of open connections
print([str(one.message).split(" cannot ")[1] for one in said])
"""

FULL = """
import resource, sys, warnings
from pathlib import Path
from spicepy.pipeline.cache_store import Store
store = Store(Path(sys.argv[1]))
store.put(1, "{}", {"a": "kept"})
resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, 200_000))
with warnings.catch_warnings(record=True) as said:
    warnings.simplefilter("always")
    for n in range(100):
        store.put(1, "{}", {f"{n} {k}": "x" * 100 for k in range(100)})
assert store.get(1, ["a"]) == {"a": "kept"}
print([str(one.message).split("parses.sqlite ")[1] for one in said])
"""


ENDLESS = """
CREATE VIEW entries AS WITH RECURSIVE r(id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM r)
SELECT id, id AS key, 1 AS namespace, x'' AS text, x'' AS result, 0 AS checked,
'' AS about FROM r
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A cache of 500 rows, nobody using it."""
    write(tmp_path / "cache")
    return tmp_path / "cache"


def write(folder: Path) -> None:
    store = Store(folder)
    store.put(1, '{"kind": "tuples"}', ROWS)
    store._close()


def python(script: str, *arguments: object) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, "-c", script, *map(str, arguments)],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


def test_rows_come_back(folder: Path) -> None:
    store = Store(folder)

    assert store.get(1, [*ROWS, "another"]) == ROWS
    assert store.get(2, ROWS) == {}
    assert store.namespaces() == {1: ({"kind": "tuples"}, 500)}


def test_half_a_surrogate_pair(folder: Path) -> None:
    store = Store(folder)
    store.put(1, "{}", {"a \ud83d dog": "(\ud83d)"})

    assert store.get(1, ["a \ud83d dog"]) == {"a \ud83d dog": "(\ud83d)"}


def test_the_oldest_rows_go_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SPICEPY_CACHE_GIB", str(200_000 / 2**30))
    store = Store(tmp_path)
    for n in range(50):
        store.put(1, "{}", {f"{n} {k}": "x" * 100 for k in range(50)})

    assert 100_000 < store.size() <= 200_000
    kept = [n for n in range(50) if store.get(1, [f"{n} 0"])]
    assert kept == list(range(50 - len(kept), 50))
    assert kept


@pytest.mark.parametrize("limit", ["much", "0", "-1", "inf"])
def test_a_wrong_limit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, limit: str
) -> None:
    monkeypatch.setenv("SPICEPY_CACHE_GIB", limit)

    with pytest.raises(InputError, match="SPICEPY_CACHE_GIB is"):
        Store(tmp_path)


def test_a_file_where_the_folder_should_be(tmp_path: Path) -> None:
    (tmp_path / "file").touch()

    with pytest.raises(InputError, match="cannot be made"):
        Store(tmp_path / "file")


@pytest.mark.parametrize("content", [b"", b"no database at all" * 1000])
def test_a_file_that_is_no_database_is_made_again(
    tmp_path: Path, content: bytes
) -> None:
    (tmp_path / NAME).write_bytes(content)
    store = Store(tmp_path)

    with pytest.warns(SpicepyWarning, match="it will be rebuilt") as said:
        assert store.get(1, ROWS) == {}
    store.put(1, "{}", ROWS)

    assert store.get(1, ROWS) == ROWS
    assert len(said) == 1
    assert {path.name.removeprefix(NAME) for path in tmp_path.iterdir()} <= {
        *("", "-wal", "-shm")
    }


@pytest.mark.parametrize(
    "change",
    [
        "PRAGMA user_version = 1",
        "CREATE TRIGGER t AFTER INSERT ON entries BEGIN DELETE FROM entries; END",
        "CREATE VIEW v AS SELECT 1",
        f"DROP TABLE entries; {ENDLESS}",
        f"DROP TABLE namespaces; {ENDLESS.replace('entries', 'namespaces')}",
        "PRAGMA user_version = 0",
        "DROP TABLE entries",
        "ALTER TABLE entries DROP COLUMN checked",
    ],
)
def test_another_version_is_made_again(folder: Path, change: str) -> None:
    with closing(sqlite3.connect(folder / NAME)) as connection:
        connection.executescript(change)
        connection.commit()
    store = Store(folder)

    with pytest.warns(SpicepyWarning, match="it will be rebuilt"):
        assert store.get(1, ROWS) == {}
    store.put(1, "{}", ROWS)
    assert store.get(1, ROWS) == ROWS


def test_a_database_of_another_program_stays(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / NAME)) as other:
        other.execute("CREATE TABLE mine (x)")
        other.commit()
    content = (tmp_path / NAME).read_bytes()
    store = Store(tmp_path)

    with pytest.warns(SpicepyWarning, match="it belongs to another program"):
        store.put(1, "{}", ROWS)
    assert store.get(1, ROWS) == {}
    assert (tmp_path / NAME).read_bytes() == content


@pytest.mark.filterwarnings("ignore::spicepy.common.errors.SpicepyWarning")
@pytest.mark.parametrize("seed", range(60))
def test_damaged_files_give_no_wrong_row(folder: Path, seed: int) -> None:
    chance = random.Random(seed)
    data = bytearray((folder / NAME).read_bytes())
    if chance.random() < 0.2:
        del data[chance.randrange(len(data)) :]
    for _ in range(chance.choice([1, 10, 1000])):
        if data:
            data[chance.randrange(len(data))] = chance.randrange(256)
    (folder / NAME).write_bytes(data)
    store = Store(folder)

    assert store.get(1, ROWS).items() <= ROWS.items()
    store.put(1, "{}", ROWS)
    assert store.get(1, ROWS).items() <= ROWS.items()
    store.put(1, "{}", ROWS)  # now in a new file, if the first was not usable
    assert store.get(1, ROWS).items() <= ROWS.items()


def test_a_changed_row_is_not_there(folder: Path) -> None:
    with closing(sqlite3.connect(folder / NAME)) as connection:
        connection.execute("UPDATE entries SET result = 'other' WHERE id = 1")
        connection.execute("UPDATE entries SET result = x'00' WHERE id = 2")
        connection.execute("UPDATE entries SET key = 7 WHERE id = 3")
        connection.commit()
    store = Store(folder)

    assert len(store.get(1, ROWS)) == len(ROWS) - 3
    store.put(1, "{}", ROWS)
    assert store.get(1, ROWS) == ROWS


def test_two_processes_write_at_once(tmp_path: Path) -> None:
    writers = [python(WRITER, tmp_path, name) for name in ("one", "two")]

    for writer in writers:
        said, _ = writer.communicate(timeout=60)
        assert writer.returncode == 0, said
    assert Store(tmp_path).namespaces() == {1: ({}, 3 * 40 * 20)}


def test_threads_share_a_store(folder: Path) -> None:
    store, wrong = Store(folder), []

    def work(name: str) -> None:
        for n in range(20):
            own = {f"{name} {n} {k}": name for k in range(10)}
            store.put(1, "{}", own)
            if store.get(1, [*own, *ROWS]) != own | ROWS:
                wrong.append(name)

    threads = [threading.Thread(target=work, args=(name,)) for name in "abcd"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # of forks beside threads
def test_a_fork_has_a_connection_of_its_own(folder: Path) -> None:
    store = Store(folder)
    assert store.get(1, ROWS) == ROWS

    child = os.fork()
    if not child:
        store.put(1, "{}", {"child": "made"})
        os._exit(store.get(1, ROWS) != ROWS)
    assert os.waitpid(child, 0)[1] == 0
    assert store.get(1, ["child"]) == {"child": "made"}


@pytest.mark.skipif(sys.platform == "win32", reason="needs permissions of POSIX")
@pytest.mark.parametrize("there", [True, False])
def test_a_folder_that_can_only_be_read(there: bool) -> None:
    with TemporaryDirectory() as name:  # another user cannot enter tmp_path
        folder = Path(name)
        if there:
            store = Store(folder)
            store.put(1, "{}", {"a": "kept"})
            store._close()
        folder.chmod(0o555)
        try:
            said, _ = python(READER, folder).communicate(timeout=60)
        finally:
            folder.chmod(0o755)
    known = {"a": "kept"} if there else {}
    *found, warnings = said.splitlines()
    assert found == [str(known)] * 2, said
    assert warnings.count("', '") == 0  # one
    assert ("be written; it is only read" if there else "be used (") in warnings


@pytest.mark.skipif(sys.platform == "win32", reason="needs limits of POSIX")
def test_a_full_disk(tmp_path: Path) -> None:
    writer = python(FULL, tmp_path)
    said, _ = writer.communicate(timeout=60)

    assert writer.returncode == 0, said
    assert said.startswith("['takes no more results ("), said
    assert said.count("', '") == 0  # one warning


def test_a_writer_that_takes_too_long(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("spicepy.pipeline.cache_file.WAIT", 0.1)
    store = Store(folder)
    with closing(sqlite3.connect(folder / NAME, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.warns(SpicepyWarning, match="is being written by another process"):
            store.put(1, "{}", {"a": "lost"})
        begun = time.monotonic()
        monkeypatch.setattr("spicepy.pipeline.cache_file.WAIT", 30)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            for text in "bcd":  # nothing waits a second time
                store.put(1, "{}", {text: "lost"})
                assert store.get(1, ROWS) == ROWS
        assert time.monotonic() - begun < 5
        other.execute("ROLLBACK")

    assert store.get(1, "abcd") == {}
    assert Store(folder).get(1, ROWS) == ROWS


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_run_leaves_no_files_of_sqlite(tmp_path: Path, jobs: int) -> None:
    captions = tmp_path / "captions.txt"
    captions.write_text("".join(f"a dog and {n} cats\n" for n in range(30)))
    for output in ("x.jsonl", "x.txt"):
        done = python(
            "import sys; from spicepy.__main__ import main; sys.argv[0] = 'x'; main()",
            *("parse", "-f", captions, "-j", jobs, "-q", "--cache", tmp_path / "cache"),
            *("-o", tmp_path / output),
        )
        said, _ = done.communicate(timeout=120)

        assert done.returncode == 0, said
        assert [path.name for path in (tmp_path / "cache").iterdir()] == [NAME]


@pytest.mark.skipif(sys.platform == "win32", reason="needs permissions of POSIX")
def test_a_file_that_can_only_be_read() -> None:
    with TemporaryDirectory() as name:
        folder = Path(name)
        store = Store(folder)
        store.put(1, "{}", {"a": "kept"})
        store._close()
        (folder / NAME).chmod(0o444)
        if os.getuid() == 0:  # as whom the script will not read
            os.chown(folder, 65534, -1)
        said, _ = python(READER, folder).communicate(timeout=60)
        if os.getuid() == 0:
            os.chown(folder, 0, -1)
    *found, warnings = said.splitlines()
    assert found == [str({"a": "kept"})] * 2, said
    assert warnings == "['be written; it is only read']"


def test_a_link_that_leads_nowhere_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "cache").mkdir(mode=0o700)
    (tmp_path / "cache" / NAME).symlink_to(tmp_path / "target")
    store = Store(tmp_path / "cache")

    with pytest.warns(SpicepyWarning, match="a link to a file that does not exist"):
        store.put(1, "{}", ROWS)

    assert store.get(1, ROWS) == {}
    assert not (tmp_path / "target").exists()


@pytest.mark.skipif(os.name == "nt", reason="permissions of POSIX")
def test_the_folder_is_private(tmp_path: Path) -> None:
    Store(tmp_path / "new" / "cache")
    assert (tmp_path / "new" / "cache").stat().st_mode & 0o777 == 0o700

    (tmp_path / "shared").mkdir()
    (tmp_path / "shared").chmod(0o775)
    with pytest.warns(SpicepyWarning, match="others can write, and so can change"):
        Store(tmp_path / "shared")


def test_clear(folder: Path) -> None:
    store = Store(folder)

    assert store.clear() == 500
    assert store.get(1, ROWS) == {}
    assert store.namespaces() == {}


def test_faults() -> None:
    assert classify_failure(sqlite3.ProgrammingError("misused")) is CacheFailure.OTHER
    assert classify_failure(ValueError("no UTF-8")) is CacheFailure.DAMAGED
