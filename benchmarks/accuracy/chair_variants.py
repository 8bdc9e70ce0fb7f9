"""The frequency of each fault of the CHAIR scripts in captions.

In: `annotations/` of the shared data; for the variant nltk NLTK's tagger. Out: the
share of captions of which a script names other objects than `clean`, by what went
wrong (`FAULTS`), each with the words that it happens to most. A caption may have
several faults.

    python -m benchmarks.accuracy.chair_variants --shared DIR
"""

import json
import lzma
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Final

from benchmarks.figures import figure, run, table
from benchmarks.java_oracle import shared_parser
from spicepy.common.errors import ResourceError
from spicepy.objects.mentions import (
    MentionReader,
    Mentions,
    ParsedReader,
    load_mention_words,
    load_parsed_reader,
)
from spicepy.objects.readers import load_reader, load_word_table
from spicepy.objects.vocabulary import load_vocabulary

SETS: Final = {"large models": "goldens_lvlm", "captioners": "goldens_coco_systems"}
FAULTS: Final = {
    "form": "misses a word of its table (*bus*, *men*)",
    "absent": "names what is denied, depicted or only likened (*no dog*)",
    "part": "names a part of another name, or no noun (*ski lift*, *orange cat*)",
    "unknown": "has no such word (*pedestrian*, *stuffed animal*)",
    "other": "has a word of another meaning (*desk*, *computer*)",
}
"""Faults of the scripts, with examples; the last two are of the word lists."""
WORDS: Final = 5
Difference = tuple[str, str]
"""A fault and the word that it concerns."""


def main() -> int:
    """Print all figures."""
    folder = shared_parser(__doc__).parse_args().shared / "annotations"
    captions = {
        name: _captions(folder / f"{file}.jsonl.xz") for name, file in SETS.items()
    }
    clean = load_parsed_reader()
    read = {name: clean.read(own) for name, own in captions.items()}
    absent = {name: _absent(clean, own) for name, own in captions.items()}
    for variant in ("pattern", "nltk"):
        try:
            script = load_reader(variant)
        except ResourceError as error:
            print(f"{variant}: skipped ({error})")
            continue
        compared = {
            name: _compare(variant, name, script, read[name], absent[name])
            for name in SETS
        }
        _faults(variant, {name: len(own) for name, own in captions.items()}, compared)
    return 0


def _compare(
    variant: str,
    name: str,
    script: MentionReader,
    clean: Mapping[str, Mentions],
    absent: Mapping[str, frozenset[str]],
) -> list[set[Difference]]:
    """Return the differences of every caption, and record how many have any."""
    own = script.read(list(clean))
    found = [set(_differences(own[c], clean[c], absent[c])) for c in clean]
    percent = 100 * sum(map(bool, found)) / len(found)
    print(f"{variant}, {name}: {len(found):,} captions, {percent:.1f} % differ")
    figure(f"{variant}.{name}.captions", len(found))
    figure(f"{variant}.{name}.percent", percent, 1)
    return found


def _faults(
    variant: str,
    captions: Mapping[str, int],
    compared: Mapping[str, Sequence[set[Difference]]],
) -> None:
    """Record how many captions each fault changes, and its words."""
    rows = []
    for fault, what in FAULTS.items():
        words = Counter(
            w for own in compared.values() for d in own for f, w in d if f == fault
        )
        shares = [
            100
            * sum(any(f == fault for f, _ in d) for d in compared[name])
            / captions[name]
            for name in SETS
        ]
        often = ", ".join(word for word, _ in words.most_common(WORDS))
        rows.append((what, *(f"{share:.1f} %" for share in shares), often))
        for name, share in zip(SETS, shares):
            figure(f"{variant}.{name}.{fault}", share, 1)
        print(*rows[-1], sep="\t")
    table(variant, ("the script", *SETS, "most often"), rows)


def _captions(path: Path) -> list[str]:
    with lzma.open(path, "rt", encoding="utf-8") as file:
        return list(dict.fromkeys(json.loads(line)["caption"] for line in file))


def _absent(clean: ParsedReader, captions: Sequence[str]) -> dict[str, frozenset[str]]:
    """Return the classes that each caption says are not there, or only shown."""
    return {
        caption: frozenset(
            named.name
            for tree in trees
            for named in clean.named(tree)
            if not named.there
        )
        for caption, trees in clean.trees(captions).items()
    }


def _differences(
    script: Mentions, clean: Mentions, absent: frozenset[str]
) -> Iterator[Difference]:
    """Yield what went wrong, for classes that one names more often than the other."""
    own, other = Counter(script.names), Counter(clean.names)
    script_words, clean_words = _words(script), _words(clean)
    for name in own.keys() | other.keys():
        if own[name] > other[name]:
            word = _first_apart(script_words[name], clean_words[name])
            yield _named(name, word, absent), word
        elif own[name] < other[name]:
            word = _first_apart(clean_words[name], script_words[name])
            known = word in load_word_table().classes
            yield ("form" if known else "unknown"), word


def _named(name: str, word: str, absent: frozenset[str]) -> str:
    """Return why a script names a class that `clean` does not."""
    if name in absent:
        return "absent"
    same = _clean_classes().get(word) == name
    return "part" if same and word not in load_mention_words().compounds else "other"


@cache
def _clean_classes() -> Mapping[str, str]:
    return load_vocabulary().classes


def _words(found: Mentions) -> dict[str, list[str]]:
    words: dict[str, list[str]] = defaultdict(list)
    for mention in found.mentions:
        words[mention.name].append(mention.word)
    return words


def _first_apart(words: Sequence[str], others: Sequence[str]) -> str:
    """Return the first word that the others have less often, else the last word."""
    left = Counter(others)
    for word in words:
        if not left[word]:
            return word
        left[word] -= 1
    return words[-1]


if __name__ == "__main__":
    raise SystemExit(run(main, "chair_variants"))
