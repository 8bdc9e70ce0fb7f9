"""Read damaged files of a parser's model; each must be refused or read.

Usage: python -m benchmarks.robustness.fuzz_models [--files N] [--seed N] [--record]

`fixtures/toy_pcfg.ser.gz` is a small grammar in the original's format. Bytes of its
unpacked stream are changed, removed, doubled or cut off, and it is read. That must give
a grammar or an `InputError` of one line, in at most a second and some 100 MB.
"""

import argparse
import gzip
import random
import resource
import time
from collections import Counter

from benchmarks import ROOT
from benchmarks.figures import figure, run
from spicepy.parsing.exact.adding import extract
from spicepy.parsing.exact.java_objects import StreamError
from spicepy.parsing.exact.pcfg import DamagedError

SLOW = 1.0
"""The maximum seconds of a reading."""


def main() -> int:
    """Read damaged streams; 0 if all ended well."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--files", type=int, default=100_000, help="streams to damage")
    parser.add_argument("--seed", type=int, default=0, help="random seed")
    options = parser.parse_args()
    whole = gzip.decompress((ROOT / "fixtures" / "toy_pcfg.ser.gz").read_bytes())
    drawn = random.Random(options.seed)
    ends: Counter[str] = Counter()
    slowest = 0.0
    for _ in range(options.files):
        begin = time.process_time()
        ends[_end(damaged(whole, drawn))] += 1
        slowest = max(slowest, time.process_time() - begin)
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"{options.files:,} streams: {dict(ends)}")
    print(f"slowest {slowest:.2f} s, at most {memory:.0f} MB")
    failed = sum(count for end, count in ends.items() if end not in ("read", "refused"))
    figure("files", options.files)
    figure("failed", failed)
    figure("slowest", slowest, 2)
    figure("megabytes", memory, 0)
    return 1 if failed or slowest > SLOW else 0


def damaged(whole: bytes, drawn: random.Random) -> bytes:
    """Return a stream with one to five damaged places."""
    data = bytearray(whole)
    for _ in range(drawn.randint(1, 5)):
        if not data:
            break
        place = drawn.randrange(len(data))
        kind = drawn.random()
        if kind < 0.7:
            data[place] = drawn.choice(
                (0, 0x70, 0x71, 0x73, 0x7F, 0xFF, drawn.randrange(256))
            )
        elif kind < 0.8:
            del data[place : place + drawn.randint(1, 50)]
        elif kind < 0.9:
            data[place:place] = data[place : place + drawn.randint(1, 50)]
        else:
            del data[place:]
    return bytes(data)


def _end(data: bytes) -> str:
    try:
        extract(data)
    except (StreamError, DamagedError) as error:
        return "refused" if "\n" not in str(error) else "several lines"
    except Exception as error:
        print(f"{type(error).__name__}: {error}")
        return type(error).__name__
    return "read"


if __name__ == "__main__":
    raise SystemExit(run(main, "fuzz_models"))
