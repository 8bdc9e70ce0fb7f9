"""How often the variants of CHAIR disagree, and about which words.

In: `annotations/` of the shared data; for the variant nltk NLTK's tagger. Out: the
share of captions in which each script names other objects than `clean`, and the words
behind it: those that a script takes for an object where `clean` sees none, and those
that it misses.

    python -m benchmarks.accuracy.chair_variants --shared DIR
"""

import json
import lzma
from collections import Counter
from pathlib import Path

from benchmarks.figures import figure, run, table
from benchmarks.java_oracle import shared_parser
from spicepy.annotations.mentions import Mentions
from spicepy.annotations.readers import load_reader
from spicepy.common.errors import ResourceError

SETS = {"large models": "goldens_lvlm", "captioners": "goldens_coco_systems"}
SHOWN = 30


def main() -> int:
    """Print all figures."""
    folder = shared_parser(__doc__).parse_args().shared / "annotations"
    clean = load_reader()
    for variant in ("pattern", "nltk"):
        try:
            script = load_reader(variant)
        except ResourceError as error:
            print(f"{variant}: skipped ({error})")
            continue
        words: Counter[tuple[str, str, str]] = Counter()
        for name, file in SETS.items():
            captions = _captions(folder / f"{file}.jsonl.xz")
            first, second = script.read(captions), clean.read(captions)
            changed = 0
            for caption in captions:
                found = _differing(first[caption], second[caption])
                changed += bool(found)
                words.update(found)
            share = changed / len(captions)
            print(f"{variant}, {name}: {len(captions):,} captions, {share:.3f} differ")
            figure(f"{variant}.{name}.captions", len(captions))
            figure(f"{variant}.{name}.percent", 100 * share, 1)
        rows = [(*key, number) for key, number in words.most_common(SHOWN)]
        table(variant, ("the script", "class", "word", "captions"), rows)
        for row in rows:
            print(*row, sep="\t")
    return 0


def _captions(path: Path) -> list[str]:
    with lzma.open(path, "rt", encoding="utf-8") as file:
        return list(dict.fromkeys(json.loads(line)["caption"] for line in file))


def _differing(script: Mentions, clean: Mentions) -> set[tuple[str, str, str]]:
    """Return (what the script does, class, word) for classes named more often."""
    own, other = Counter(script.names), Counter(clean.names)
    more = {m.name: m.word for m in script.mentions if own[m.name] > other[m.name]}
    less = {m.name: m.word for m in clean.mentions if other[m.name] > own[m.name]}
    return {("names", *item) for item in more.items()} | {
        ("misses", *item) for item in less.items()
    }


if __name__ == "__main__":
    raise SystemExit(run(main, "chair_variants"))
