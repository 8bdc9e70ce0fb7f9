r"""Infer the lemmatiser's table of suffixes from the original's lemmas of words.

    python -m training.words.lemmas --ask WORDS
    java -cp stanford-corenlp-3.6.0.jar edu.stanford.nlp.process.Morphology WORDS \
        > LEMMAS
    python -m training.words.lemmas --words WORDS --lemmas LEMMAS

The first command writes words of captions and of WordNet, each as `word_TAG` with the
tags that change words. Out: one row a suffix that changes the decision of the next
shorter suffix in the table, `spicepy/words/lemma_suffixes.tsv`. A suffix needs
`EVIDENCE` different words; a word no suffix gets right is entered whole (marked ^).
Analysed captions (`silver/`) give further words. A fifth of the words, kept out of the
table, says how often it is right of words that it has not seen.
"""

import argparse
import gzip
import lzma
import random
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final

from spicepy.words.morphology import MAX_SUFFIX, START, Edits, apply_edits, tag_class
from training import ROOT
from training.parser.convert import Row, read_conllu

EVIDENCE = 3
TAGS: Final = ("NNS", "VBZ", "PRP", "PRP$", "POS", "MD", "RB", "DT")
"""The tags that the original is asked about; all tags of verbs share a table."""
WORD: Final = re.compile(r"[a-z][a-z'-]{0,23}")
TABLE: Final = ROOT / "spicepy/words/lemma_suffixes.tsv"


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
        for size in range(min(MAX_SUFFIX, len(word)) + 1):
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


def asked_words(shared: Path) -> list[str]:
    """Return the distinct words of captions and of WordNet, in order."""
    found = set(_words_of_wordnet())
    with gzip.open(shared / "oracle/ngram/coco_train_coco.txt.gz", "rt") as lines:
        found.update(word for line in lines for word in line.split())
    for path in sorted((shared / "silver-kbest").glob("captions-*.txt.xz")):
        with lzma.open(path, "rt") as lines:
            own = (line[2:].split() for line in lines if line.startswith("# "))
            found.update(word for words in own for word in words)
    return sorted(filter(WORD.fullmatch, found))


def _words_of_wordnet() -> Iterator[str]:
    for name in ("lemmas", "exceptions"):
        path = ROOT / f"spicepy/words/wordnet-3.0.{name}.tsv"
        yield from re.split(r"[\W_]+", path.read_text(encoding="utf-8"))


def collect(
    trees: Iterable[list[Row]], asked: Iterable[tuple[str, str, str]]
) -> dict[str, dict[str, str]]:
    """Return word -> lemma for each tag class in which some lemma differs.

    Args:
        trees: Analysed sentences.
        asked: Words, tags and lemmas that the original was asked for.
    """
    tables: dict[str, dict[str, str]] = defaultdict(dict)
    for rows in trees:
        for word, tag, lemma, _, _ in rows:
            if not tag.startswith("NNP") and "_" not in lemma:
                tables[tag_class(tag)][word] = lemma
    for word, tag, lemma in asked:
        tables[tag_class(tag)][word] = lemma
    return {
        kind: table
        for kind, table in tables.items()
        if any(word != lemma for word, lemma in table.items())
    }


def edits_of(kind: str, table: dict[str, str]) -> Edits:
    """Return the table of a tag class."""
    if kind in ("NNS", "V"):
        return infer(table)
    # The few words of other classes have no endings.
    changed = sorted(word for word, lemma in table.items() if word != lemma)
    return {START + word: common_edit(word, table[word]) for word in changed}


def kept_out(kind: str, table: dict[str, str]) -> str:
    """Return how often the table that four fifths of the words give is wrong."""
    words = sorted(table)
    random.Random(0).shuffle(words)
    out = words[: len(words) // 5]
    edits = edits_of(kind, {word: table[word] for word in words[len(out) :]})
    wrong = sum(apply_edits(word, edits) != table[word] for word in out)
    return f"{wrong} of {len(out)} words kept out are wrong"


def answered(words: Path, lemmas: Path) -> Iterator[tuple[str, str, str]]:
    """Yield words, tags and lemmas."""
    asked = words.read_text(encoding="utf-8").split()
    for entry, lemma in zip(asked, lemmas.read_text("utf-8").split(), strict=True):
        word, _, tag = entry.rpartition("_")
        yield word, tag, lemma


def main(arguments: Sequence[str] | None = None) -> None:
    """Write the words to ask about, or the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--shared", type=Path, default=ROOT.parent / "shared")
    parser.add_argument("--ask", type=Path, metavar="FILE", help="write words here")
    parser.add_argument("--words", type=Path, help="the words that were asked about")
    parser.add_argument("--lemmas", type=Path, help="the original's answers")
    parser.add_argument("--output", type=Path, default=TABLE)
    args = parser.parse_args(arguments)
    if args.ask:
        words = asked_words(args.shared)
        lines = [f"{word}_{tag}" for tag in TAGS for word in words]
        args.ask.write_text("\n".join(lines) + "\n", encoding="utf-8")
        return
    trees = read_conllu(sorted((args.shared / "silver").glob("*.conllu.gz")))
    asked = answered(args.words, args.lemmas) if args.words else ()
    lines = ["# tag class, suffix (^ whole word), letters to strip, letters to add"]
    for kind, table in sorted(collect(trees, asked).items()):
        edits = edits_of(kind, table)
        lines += [f"{kind}\t{s}\t{n}\t{add}" for s, (n, add) in edits.items()]
        print(f"{kind}: {len(table)} words, {len(edits)} rows; {kept_out(kind, table)}")
    args.output.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
