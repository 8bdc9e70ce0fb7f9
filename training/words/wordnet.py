"""Derive spicepy's synonym table from WordNet 3.0.

Usage: python -m training.words.wordnet DICT_DIR OUT_DIR

DICT_DIR holds WordNet 3.0's `dict` files as in NLTK's `wordnet` corpus
(`index.noun`, `noun.exc` …; either kind of line end). OUT_DIR, usually
`spicepy/common/words`, gets `wordnet-3.0.lemmas.tsv` and
`wordnet-3.0.exceptions.tsv`; with `--hypernyms`, instead of these,
`wordnet-3.0.hypernyms.tsv` from `data.noun`. The same input always gives the same
bytes.

For the first two take the offsets of the original release: some distributions
(Debian's `wordnet-base`, for one) have rebuilt files in which offsets have moved. The
hierarchy has no offsets, so that any file of WordNet 3.0 will do.
"""

import argparse
from collections.abc import Iterable
from pathlib import Path

from spicepy.words.wordnet import PARTS, exception_table, lemma_table


def main() -> None:
    """Read the index and exception files, write the two tables."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("dict_dir", type=Path)
    parser.add_argument("out_dir", type=Path)
    parser.add_argument("--hypernyms", action="store_true", help="the noun hierarchy")
    options = parser.parse_args()

    def lines(name: str) -> list[str]:
        return (options.dict_dir / name).read_text(encoding="utf-8").splitlines()

    if options.hypernyms:
        tables = {"hypernyms": hypernym_table(lines("data.noun"))}
    else:
        tables = {
            "lemmas": lemma_table((part, lines(f"index.{part}")) for part in PARTS),
            "exceptions": exception_table((p, lines(f"{p}.exc")) for p in PARTS),
        }
    for name, table in tables.items():
        path = options.out_dir / f"wordnet-3.0.{name}.tsv"
        path.write_bytes(table)
        entries, size = len(table.splitlines()), path.stat().st_size
        print(f"{path}: {entries:,} entries, {size:,} bytes")


def hypernym_table(lines: Iterable[str]) -> bytes:
    """Make the table of the noun hierarchy from the lines of `data.noun`."""
    # A line a noun synset, in the order of their offsets: how many lines further down
    # each of its hypernyms (kinds and instances) stands, so -3 is three lines up. No
    # offset is written: distributions that moved them give the same table.
    hypernyms: dict[int, list[int]] = {}
    for line in lines:
        if line.startswith(" ") or not line.strip():
            continue
        fields = line.split(" | ")[0].split()
        at = 4 + 2 * int(fields[3], 16)
        pointers = fields[at + 1 : at + 1 + 4 * int(fields[at])]
        hypernyms[int(fields[0])] = [
            int(pointers[k + 1])
            for k in range(0, len(pointers), 4)
            if pointers[k] in ("@", "@i") and pointers[k + 2] == "n"
        ]
    ranks = {offset: rank for rank, offset in enumerate(sorted(hypernyms))}
    rows = (
        " ".join(str(ranks[above] - rank) for above in hypernyms[offset])
        for offset, rank in ranks.items()
    )
    return "".join(f"{row}\n" for row in rows).encode()


if __name__ == "__main__":
    main()
