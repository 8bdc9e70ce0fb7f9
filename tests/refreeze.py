"""Freeze anew what `test_frozen.py` compares, after a change that is meant.

    python tests/refreeze.py [NAME …]      all records, or those named

Look at the difference before it is committed, and name each number that moved in
the CHANGELOG.
"""

import sys

import frozen

if __name__ == "__main__":
    names = sys.argv[1:] or list(frozen.RECORDS)
    if unknown := sorted(set(names) - set(frozen.RECORDS)):
        raise SystemExit(
            f"no record {unknown[0]!r}; there are: {', '.join(frozen.RECORDS)}"
        )
    for name in names:
        before = frozen.read(name) if (frozen.FROZEN / f"{name}.json").exists() else {}
        frozen.write(name)
        moved = frozen.changes(before, frozen.read(name))
        print(f"{name}: {len(moved)} changed", *moved, sep="\n  ")
