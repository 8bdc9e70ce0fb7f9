"""Files cut into parts: every record once, and blocks that see beyond their ends."""

import gzip
import json
import os
from pathlib import Path

import pytest

from spicepy.captions.sample import Sample
from spicepy.common.errors import InputError
from spicepy.scale import blocks
from spicepy.scale import ray_cluster as file_splits
from spicepy.scale.ray_cluster import SplitReader, cut
from spicepy.tokenization.samples import tokenised_samples

SAMPLES = [
    Sample(
        n,
        ["the letter K.", "A dog", "", "in the U.S.", "café 😀"][n % 5],
        tuple(["by Inc.", "", "The sea."][n % 3 :]),
    )
    for n in range(200)
]


def lines_file(path: Path) -> str:
    rows = (
        {"image_id": s.image_id, "candidate": s.candidate, "references": s.references}
        for s in SAMPLES
    )
    text = "\n\n".join(json.dumps(row, ensure_ascii=False) for row in rows)
    path.write_text("\ufeff" + text, encoding="utf-8")
    return str(path)


def parquet_file(path: Path) -> str:
    pyarrow = pytest.importorskip("pyarrow")
    from pyarrow import parquet

    columns = {
        "image_id": [s.image_id for s in SAMPLES],
        "candidate": [s.candidate for s in SAMPLES],
        "references": [list(s.references) for s in SAMPLES],
    }
    parquet.write_table(pyarrow.table(columns), path, row_group_size=77)
    return str(path)


@pytest.mark.parametrize("write", [lines_file, parquet_file])
@pytest.mark.parametrize("size", [1, 100, 5_000])
def test_every_record_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, write, size: int
) -> None:
    monkeypatch.setattr(file_splits, "BYTES", size)
    monkeypatch.setattr(file_splits, "ROWS", max(size // 50, 1))
    kind = "parquet" if write is parquet_file else "jsonl"
    reader = SplitReader(blocks.located_samples, cut([write(tmp_path / f"a.{kind}")]))

    found = [reader.block(number) for number in range(len(reader.parts))]

    assert [s for block in found for s in block.items] == SAMPLES
    cut_up = [t for b in found for t in tokenised_samples(b.items, b.after)]
    assert cut_up == tokenised_samples(SAMPLES)


@pytest.mark.parametrize("name", ["a.csv", "a.json", "a.jsonl"])
def test_files_that_are_read_from_their_start(tmp_path: Path, name: str) -> None:
    data = gzip.compress(b"{}") if name == "a.jsonl" else b"image_id\n"
    (tmp_path / name).write_bytes(data)

    with pytest.raises(InputError, match="give Parquet, or JSON lines"):
        cut([str(tmp_path / name)])


def test_parts_become_smaller_towards_the_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However few workers there are, and whatever they have done, all end together."""
    monkeypatch.setattr(file_splits, "BYTES", 800)

    sizes = [part.stop - part.start for part in cut([lines_file(tmp_path / "a.jsonl")])]

    assert sizes[0] >= 800
    assert max(sizes[-8:]) < 250
    assert len(sizes) > 20


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes with names")
def test_pipes_are_refused(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "p.jsonl")

    with pytest.raises(InputError, match=r"p\.jsonl: is a pipe"):
        cut([str(tmp_path / "p.jsonl")])
