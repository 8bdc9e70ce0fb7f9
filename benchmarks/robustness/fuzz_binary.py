"""Good files of the binary formats, of streams and of unfinished runs, for the fuzzer.

In: nothing. Out: `Case` values, each a good file with its reader.
"""

import gzip
import io
import json
import pickle
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.robustness.fuzz_case import Case, Read
from spicepy.captions.reading import read_candidates, read_samples
from spicepy.captions.sample import Sample
from spicepy.captions.streams import Source, text_lines
from spicepy.common.errors import InputError
from spicepy.common.resources import required
from spicepy.metrics.ngrams.frequencies import DocumentFrequencies
from spicepy.metrics.ngrams.storage import save_arrays
from spicepy.metrics.soft.table import read_table
from spicepy.pipeline import Pipeline
from spicepy.pipeline.cache import open_cache
from spicepy.pipeline.cache_store import NAME
from spicepy.rewards import CiderD, Spice
from spicepy.scale.evaluating import evaluate_stream
from spicepy.tokenization.samples import TokenisedSample

RECORDS = [
    {"image_id": 1, "candidate": "a dog", "references": ["a dog runs", "dogs run"]},
    {"image_id": 2, "candidate": "ein café", "references": ["b", "c"]},
    {"image_id": 3, "candidate": "", "references": ["two cats \U0001f408"]},
]
WORDS = ("a", "dog", "runs", "café")


def binary_cases() -> Iterator[Case]:
    """Yield a case for every binary format, every stream and every part of a run."""
    yield from _parquets()
    yield from _frequencies()
    yield from _vectors()
    yield from _streams()
    yield from _unfinished()
    yield from _cached()


def _parquets() -> Iterator[Case]:
    for packing in ("snappy", "gzip", "none"):
        data = _parquet(RECORDS, packing)
        yield Case(f"samples-{packing}.parquet", ".parquet", data, read_samples)
    data = _parquet(RECORDS, "zstd", use_dictionary=False, data_page_version="2.0")
    yield Case("samples-zstd.parquet", ".parquet", data, read_samples)
    pairs = [{"image_id": str(n), "caption": f"caption {n}"} for n in range(50)]
    data = _parquet(pairs, "snappy", row_group_size=20)
    yield Case("candidates.parquet", ".parquet", data, read_candidates)


def _parquet(rows: list[Any], packing: str, **options: Any) -> bytes:
    arrow = required("pyarrow", "fuzzing Parquet")
    parquet = required("pyarrow.parquet", "fuzzing Parquet")
    file = io.BytesIO()
    table = arrow.Table.from_pylist(rows)
    parquet.write_table(table, file, compression=packing, **options)
    return file.getvalue()


def _frequencies() -> Iterator[Case]:
    images = [TokenisedSample(n, "", ("a dog runs fast", "a dog")) for n in (1, 2)]
    counted = DocumentFrequencies.of(images, name="toy")
    yield Case("frequencies.npz", ".npz", _saved(save_arrays, counted), _loaded)
    grams = {tuple(gram.split()): n for gram, n in counted.as_mapping().items()}
    content = {"document_frequency": grams, "ref_len": 2.0}
    for protocol in (0, 2, 5):
        data = pickle.dumps(content, protocol)
        yield Case(f"frequencies-{protocol}.p", ".p", data, _loaded)
    reward = CiderD(references={1: ["a dog runs"], "b": ["a cat", "cats"]})
    saved = _saved(lambda path, own: own.save(path), reward)
    yield Case("cider-d.npz", ".npz", saved, _rewarded)


def _saved(save: Any, value: Any, name: str = "x.npz") -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / name
        save(path, value)
        return path.read_bytes()


def _loaded(path: Path) -> object:
    loaded = DocumentFrequencies.load(path)
    grams = loaded.as_mapping()
    if any(not 1 <= count <= loaded.images for count in grams.values()):
        raise AssertionError("frequencies out of range were read")
    return loaded.label, loaded.merge(loaded)


def _rewarded(path: Path) -> object:
    reward = CiderD.load(path)
    scores = reward(["a dog"] * len(reward.references), image_ids=[*reward.references])
    if not np.isfinite(scores).all():
        raise AssertionError("a score is not finite")
    return scores


def _vectors() -> Iterator[Case]:
    numbers = np.arange(16, dtype=np.float32).reshape(4, 4) - 7
    lines = [f"{w} {' '.join(map(str, row))}" for w, row in zip(WORDS, numbers)]
    text = "\n".join(["4 4", *lines]).encode()
    yield Case("vectors", ".txt", text, read_table)
    yield Case("vectors.gz", ".txt.gz", gzip.compress(text, mtime=0), read_table)
    for name, save in (("plain", np.savez), ("packed", np.savez_compressed)):
        file = io.BytesIO()
        save(file, words=np.array(WORDS), vectors=numbers, unknown=1.5, minor=0.5)
        yield Case(f"vectors-{name}.npz", ".npz", file.getvalue(), read_table)


def _streams() -> Iterator[Case]:
    rows = b"image_id,candidate,reference_1,reference_2\n1,a dog,b,c\n2,d,e,\n"
    forms = {
        ".csv": rows,
        ".tsv": rows.replace(b",", b"\t"),
        ".jsonl": "\n".join(map(json.dumps, RECORDS)).encode(),
        ".json": json.dumps(RECORDS).encode(),
        ".parquet": _parquet(RECORDS, "snappy"),
    }
    for suffix, data in forms.items():
        yield Case(f"stream{suffix}", suffix, data, _streamed)
        if suffix != ".parquet":
            packed = gzip.compress(data, mtime=0)
            yield Case(f"stream{suffix}.gz", f"{suffix}.gz", packed, _streamed)
    yield Case("lines", ".txt", b"a dog\n\ncats\r\n", _lines)


def _streamed(path: Path) -> object:
    source = Source([path])
    return [list(source.samples()), list(source.records())]


def _lines(path: Path) -> object:
    return list(text_lines(str(path)))


def _unfinished() -> Iterator[Case]:
    """Yield a case for each file in the folder of a run that was stopped."""
    for name, data in _stopped().items():
        yield Case(f"run/{name}", "", data, _going_on(name), named=False)


def _cached() -> Iterator[Case]:
    """Yield the file of a cache and prepared graphs; damage must change no graph."""
    yield Case("cache", ".sqlite", _cache(), _from_cache, named=False)
    reward = Spice({1: ["a dog runs"], "b": ["a cat", "cats"]})
    saved = _saved(lambda path, own: own.save(path), reward, "x.json")
    yield Case("prepared.json", ".json", saved, _prepared)


CAPTIONS = ("a dog runs", "two cats sleep on a red bed", "")


@cache
def _cache() -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        _parsed(Path(folder))
        return (Path(folder) / NAME).read_bytes()


def _parsed(folder: Path | None) -> list[str]:
    store = None if folder is None else str(folder)
    return [str(graph) for graph in Pipeline(cache=store).parse(CAPTIONS)]


@cache
def _graphs() -> list[str]:
    return _parsed(None)


def _from_cache(path: Path) -> None:
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / NAME).write_bytes(path.read_bytes())
        if _parsed(Path(folder)) != _graphs():
            raise AssertionError("another graph")
        store = open_cache(folder)
        if store is not None:
            store.namespaces()


def _prepared(path: Path) -> object:
    reward = Spice.load(path)
    return reward(["a dog"] * len(reward.references), image_ids=[*reward.references])


SAMPLES = [Sample(n, text, (text, "a dog")) for n, text in enumerate(WORDS * 3)]


def _run(output: Path) -> tuple[bytes, bytes]:
    placed = [(f"entry {s.image_id}", s) for s in SAMPLES]
    evaluate_stream(lambda: iter(placed), output, ("rouge",), captions=15)
    return output.read_bytes(), output.with_suffix(".corpus.json").read_bytes()


@cache
def _expected() -> tuple[bytes, bytes]:
    with tempfile.TemporaryDirectory() as folder:
        return _run(Path(folder) / "o.jsonl")


@cache
def _stopped() -> dict[str, bytes]:
    """Return the files of a run's folder before the output is written, by path."""
    from unittest.mock import patch

    from spicepy.scale.folder import Folder

    with tempfile.TemporaryDirectory() as folder:
        stop = patch.object(Folder, "finish", side_effect=InputError("stopped"))
        with stop, suppress(InputError):
            _run(Path(folder) / "o.jsonl")
        part = Path(folder) / "o.jsonl.part"
        files = sorted(path for path in part.rglob("*") if path.is_file())
        return {str(path.relative_to(part)): path.read_bytes() for path in files}


def _going_on(name: str) -> Read:
    """Go on with the run after one of its files was damaged; nothing else may come."""

    def read(path: Path) -> object:
        output = path.parent / "o.jsonl"
        part = path.parent / "o.jsonl.part"
        try:
            for own, data in _stopped().items():
                place = part / own
                place.parent.mkdir(parents=True, exist_ok=True)
                place.write_bytes(path.read_bytes() if own == name else data)
            part.chmod(0o700)
            if _run(output) != _expected():
                raise AssertionError("another output")
        except InputError as error:
            if str(part) not in str(error):
                raise AssertionError(f"the folder is not named: {error}") from None
        finally:
            shutil.rmtree(part, ignore_errors=True)
            for left in (output, output.with_suffix(".corpus.json")):
                left.unlink(missing_ok=True)
        return None

    return read
