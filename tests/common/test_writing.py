"""Files are written whole or not at all."""

import errno
import gzip
import os
import resource
import stat
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from spicepy.common.errors import InputError
from spicepy.common.writing import check_path, write_text, written


def fail(path: Path, error: BaseException) -> None:
    with written(path) as file:
        file.write(b"half of the n")
        raise error


@pytest.mark.parametrize("old", [None, b"old"])
@pytest.mark.parametrize(
    ("error", "seen"),
    [
        (OSError(errno.ENOSPC, "No space left on device"), InputError),
        (KeyboardInterrupt(), KeyboardInterrupt),
        (ValueError("a bug"), ValueError),
    ],
)
def test_a_failure_leaves_no_trace(
    tmp_path: Path, old: bytes | None, error: BaseException, seen: type[BaseException]
) -> None:
    path = tmp_path / "x.json"
    if old is not None:
        path.write_bytes(old)

    with pytest.raises(seen):
        fail(path, error)

    assert list(tmp_path.iterdir()) == ([path] if old else [])
    assert not old or path.read_bytes() == old


def test_a_full_disk_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(InputError) as raised:
        fail(tmp_path / "x.json", OSError(errno.ENOSPC, "No space left on device"))

    assert str(raised.value) == (
        f"{tmp_path / 'x.json'}: cannot be written (No space left on device)"
    )


def test_a_real_limit_on_the_size_of_files(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    path.write_text("old")
    code = (
        "import sys; from spicepy.common.writing import write_text\n"
        "try: write_text(sys.argv[1], 'x' * 100_000)\n"
        "except ValueError as error: sys.exit(str(error))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, path],
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (5000, 5000)),
    )

    assert "cannot be written (File too large)" in done.stderr
    assert (path.read_text(), len(list(tmp_path.iterdir()))) == ("old", 1)


def test_readers_see_the_old_file_until_the_end(tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_text("old")
    with written(path) as file:
        file.write(b"new")
        file.flush()
        assert path.read_text() == "old"

    assert path.read_text() == "new"


def test_permissions_are_those_of_open(tmp_path: Path) -> None:
    (tmp_path / "plain").open("w").close()
    (tmp_path / "old").touch(mode=0o640)
    for name in ("new", "old"):
        write_text(tmp_path / name, "x")
    plain, new, old = (
        stat.S_IMODE((tmp_path / n).stat().st_mode) for n in ("plain", "new", "old")
    )

    assert new == plain
    assert old == 0o640


def test_links_are_followed(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    for name, old in (("there", True), ("missing", False)):
        target = tmp_path / "folder" / name
        if old:
            target.write_text("old")
        link = tmp_path / name
        link.symlink_to(target)
        write_text(link, "new")
        assert link.is_symlink()
        assert target.read_text() == "new"


def test_pipes_and_devices_are_written_directly(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    found: list[str] = []
    reader = threading.Thread(target=lambda: found.append(pipe.read_text()))
    reader.start()
    write_text(pipe, "through")
    reader.join(10)
    write_text("/dev/null", "away")

    assert found == ["through"]
    assert pipe.is_fifo()
    with pytest.raises(InputError, match="No space left"):
        write_text("/dev/full", "x")


@pytest.mark.parametrize("name", ["-", "/dev/stdout"])
def test_standard_output(name: str, tmp_path: Path) -> None:
    code = f"from spicepy.common.writing import write_text; write_text({name!r}, 'one')"
    with (tmp_path / "out").open("wb") as file:
        subprocess.run([sys.executable, "-c", code], stdout=file, check=True)

    assert (tmp_path / "out").read_text() == "one"


def test_packed_files_are_equal_for_equal_texts(tmp_path: Path) -> None:
    write_text(tmp_path / "a.gz", "text")
    write_text(tmp_path / "b.gz", iter(["te", "xt"]))

    assert gzip.decompress((tmp_path / "a.gz").read_bytes()) == b"text"
    assert gzip.decompress((tmp_path / "b.gz").read_bytes()) == b"text"


def test_a_text_without_utf8_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="UTF-8 cannot hold"):
        write_text(tmp_path / "x", "a\ud800")

    assert not list(tmp_path.iterdir())


def test_wrong_places_are_refused(tmp_path: Path) -> None:
    old = tmp_path / "x.json"
    old.write_text("[]")
    (tmp_path / "y.json").symlink_to(old)
    (tmp_path / "dir.json").mkdir()
    known = (".json", ".csv")

    assert check_path(tmp_path / "x.JSON", known, [None, "-", "no"]) is not None
    with pytest.raises(InputError, match=r"file type; use \.json or \.csv$"):
        check_path(tmp_path / "x.txt", known)
    with pytest.raises(InputError, match=r"dir\.json is a folder"):
        check_path(tmp_path / "dir.json", known)
    with pytest.raises(InputError, match="does not exist"):
        check_path(tmp_path / "no" / "x.json", known)
    with pytest.raises(InputError, match="read as input"):
        check_path(tmp_path / "y.json", known, ["z", old])
