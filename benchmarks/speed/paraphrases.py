"""METEOR's paraphrase table, compiled: its size, its parts, and the time it takes.

In: the table of an installed `pycocoevalcap`. Out: megabytes and seconds; the size of
the same entries by `xz`; properties of the entries that could make the file smaller.
Exit status 0 if it loads fast enough.

    python -m benchmarks.speed.paraphrases [--record]
"""

import gzip
import lzma
import tempfile
import time
import zipfile
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import takewhile
from pathlib import Path

from benchmarks.figures import figure, run
from spicepy.metrics.meteor.metric import Meteor, meteor_words
from spicepy.metrics.meteor.paraphrases import compile_table, load_table, packaged_table
from spicepy.tokenization.samples import TokenisedSample

TARGET = 0.3  # seconds to load
CALLS = 100
SAMPLES = [
    TokenisedSample(at, f"a kitten sits on the {place}", ("a cat is on a rug", "a cat"))
    for at, place in enumerate(("rug", "mat", "carpet", "floor"))
]
"""The samples of one call."""
PARTS = {
    "words": ("words",),
    "branches": ("children", "ends"),
    "rewritings": ("counts", "gaps"),
}
"""Parts of the compiled file -> the beginnings of the names of their arrays."""

Entry = tuple[bytes, bytes]


def main() -> int:
    """Print all figures; return 0 if the table loads fast enough."""
    path = packaged_table()
    if path is None:
        raise SystemExit("no table: pip install pycocoevalcap")
    with tempfile.TemporaryDirectory() as folder:
        made = Path(folder, "x.paraphrases")
        show("seconds to compile", seconds(lambda: compile_table(path, made)), 0)
        show("megabytes", made.stat().st_size / 1e6, 1)
        loading = seconds(lambda: load_table(made))
        meteor = Meteor(made)
        calling = seconds(lambda: [meteor.count(SAMPLES) for _ in range(CALLS)])
        with zipfile.ZipFile(made) as archive:
            for part, beginnings in PARTS.items():
                sizes = [
                    entry.compress_size
                    for entry in archive.infolist()
                    if entry.filename.startswith(beginnings)
                ]
                show(f"megabytes of {part}", sum(sizes) / 1e6, 1)
    show("seconds to load", loading, 2)
    show("milliseconds a call", 1000 * calling / CALLS, 0)
    lines = gzip.decompress(path.read_bytes()).split(b"\n")
    entries = list(zip(lines[1::3], lines[2::3]))
    describe(entries)
    text = b"\n".join(b"\n".join(entry) for entry in entries)
    show("megabytes by xz", len(lzma.compress(text)) / 1e6, 1)
    return 0 if loading <= TARGET else 1


def describe(entries: Sequence[Entry]) -> None:
    """Print how far entries follow from each other, or can never match."""
    known = set(entries)
    mutual = sum((right, left) in known for left, right in entries)
    words = {word for entry in known for side in entry for word in side.split(b" ")}
    possible = {w for w in words if meteor_words(w.decode()) == [w.decode()]}
    matching = sum(possible.issuperset(b" ".join(e).split(b" ")) for e in entries)
    changes = Counter(change(entry) for entry in entries)
    show("entries", len(entries))
    show("phrases", len({side for entry in known for side in entry}))
    show("percent in both directions", 100 * mutual / len(entries), 0)
    show("percent that captions can hold", 100 * matching / len(entries), 1)
    show("changes of words", len(changes))
    show("changes that occur once", sum(n == 1 for n in changes.values()))


def change(entry: Entry) -> tuple[tuple[bytes, ...], tuple[bytes, ...]]:
    """Return the words that an entry replaces, and those it puts in their place."""
    left, right = (side.split(b" ") for side in entry)
    begin = common(left, right)
    left, right = left[begin:], right[begin:]
    end = common(left[::-1], right[::-1])
    return tuple(left[: len(left) - end]), tuple(right[: len(right) - end])


def common(left: Sequence[bytes], right: Sequence[bytes]) -> int:
    """Return the number of equal words at the beginnings."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(left, right)))


def seconds(work: Callable[[], object]) -> float:
    """Return the processor seconds that some work takes."""
    start = time.process_time()
    work()
    return time.process_time() - start


def show(name: str, value: float, digits: int | None = None) -> None:
    """Print and name a figure."""
    figure(name, value, digits)
    print(f"{name:32} {value:,.{digits or 0}f}")


if __name__ == "__main__":
    raise SystemExit(run(main, "paraphrases"))
