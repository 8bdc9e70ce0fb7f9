"""Infer the lemmatiser's suffix table from analysed captions.

    python -m training.words.lemmas --silver ../shared/silver

In: CoNLL-U with words, Penn tags and lemmas. Out: one row a suffix that
changes the decision of the next shorter suffix in the table,
`spicepy/common/words/lemma_suffixes.tsv`. A suffix needs `EVIDENCE` different words;
a word no suffix gets right is entered whole (marked ^). `IRREGULAR` adds
strong verbs and plurals that captions rarely have.
"""

import argparse
from collections import Counter, defaultdict
from collections.abc import Iterable
from pathlib import Path

from spicepy.common.words.lemmas import LONGEST, START, Edits, apply_edits, tag_class
from training import ROOT
from training.parser.convert import Row, read_conllu

EVIDENCE = 3
IRREGULAR = Path(__file__).with_name("irregular.txt")


def common_edit(word: str, lemma: str) -> tuple[int, str]:
    """Return (letters to strip, letters to add) that turn word into lemma."""
    same = 0
    while same < min(len(word), len(lemma)) and word[same] == lemma[same]:
        same += 1
    return len(word) - same, lemma[same:]


def infer(lemmas: dict[str, str]) -> Edits:
    """Return the smallest table of this kind that is right for every word."""
    votes: dict[str, Counter[tuple[int, str]]] = defaultdict(Counter)
    for word, lemma in lemmas.items():
        edit = common_edit(word, lemma)
        for size in range(min(LONGEST, len(word)) + 1):
            votes[word[len(word) - size :]][edit] += 1
    edits: Edits = {"": (0, "")}
    for suffix in sorted(votes.keys() - {""}, key=lambda s: (len(s), s)):
        edit, _ = max(votes[suffix].items(), key=lambda item: (item[1], item[0]))
        shorter = (suffix[n:] for n in range(1, len(suffix) + 1))
        current = next((edits[s] for s in shorter if s in edits), None)
        if edit != current and votes[suffix].total() >= EVIDENCE:
            edits[suffix] = edit
    whole = {
        START + word: common_edit(word, lemma)
        for word, lemma in sorted(lemmas.items())
        if apply_edits(word, edits) != lemma
    }
    return edits | whole


def collect(trees: Iterable[list[Row]]) -> dict[str, dict[str, str]]:
    """Return word -> lemma for each tag class in which some lemma differs."""
    tables: dict[str, dict[str, str]] = defaultdict(dict)
    for kind, forms, lemma in map(str.split, IRREGULAR.read_text().splitlines()):
        tables[kind].update(dict.fromkeys(forms.split(","), lemma))
    for rows in trees:
        for word, tag, lemma, _, _ in rows:
            if not tag.startswith("NNP") and "_" not in lemma:
                tables[tag_class(tag)][word] = lemma
    return {
        kind: table
        for kind, table in tables.items()
        if any(word != lemma for word, lemma in table.items())
    }


def main() -> None:
    """Write the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--silver", type=Path, default=ROOT.parent / "shared/silver")
    parser.add_argument(
        "--output", type=Path, default=ROOT / "spicepy/common/words/lemma_suffixes.tsv"
    )
    args = parser.parse_args()
    tables = collect(read_conllu(sorted(args.silver.glob("*.conllu.gz"))))
    lines = ["# tag class, suffix (^ whole word), letters to strip, letters to add"]
    for kind, table in sorted(tables.items()):
        edits = infer(table)
        lines += [f"{kind}\t{s}\t{n}\t{add}" for s, (n, add) in edits.items()]
        print(f"{kind}: {len(table)} words, {len(edits)} rows")
    args.output.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
