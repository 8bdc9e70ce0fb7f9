"""The errors of the parser, and the share that it could still learn.

Usage: python -m benchmarks.accuracy.parser_errors [--shared DIR] [--captions N]

1. LAS of N training and N development captions (8,000): their distance is what
   the parser learnt by heart.
2. Wrong arcs and tags of development captions, by whether the tags are right and
   by how often the word occurs in training.
3. Stand-ins: how many words and tokens are read as another, and how many pairs of
   training captions that differ in one such word have the same tree.
"""

from collections import Counter, defaultdict
from collections.abc import Sequence
from itertools import combinations

from benchmarks.figures import figure, run
from benchmarks.java_oracle import shared_parser
from spicepy.parsing.bundled.analyser import Analyser
from spicepy.parsing.parser import DEFAULT, MODELS, parse
from spicepy.parsing.trees import Parse
from training.parser.accuracy import accuracy
from training.parser.convert import Row
from training.parser.train import load

RARE = 20
PAIRS = 6
"""The maximum number of captions in a group that differs in one place only."""


def main() -> int:
    """Print the three parts."""
    parser = shared_parser(__doc__)
    parser.add_argument("--captions", type=int, default=8000)
    options = parser.parse_args()
    rows, dev = load(False, options.shared)
    print(f"1. LAS of {options.captions:,} captions of each kind")
    training = [*map(tree_of, rows[: options.captions])]
    for name, trees in (
        ("training", training),
        ("development", dev[: options.captions]),
    ):
        print(f"   {name:12} {accuracy(trees, found_for(trees))['LAS']:.2f} %")
    errors(dev, Counter(row[0] for caption in rows for row in caption))
    stand_ins(rows, dev)
    return 0


def tree_of(rows: list[Row]) -> Parse:
    """Turn rows of CoNLL-U into a tree."""
    words, tags, lemmas, heads, labels = map(tuple, zip(*rows))
    return Parse(words, tags, lemmas, heads, labels)


def found_for(trees: Sequence[Parse]) -> list[Parse]:
    """Parse the captions of trees."""
    return parse([" ".join(tree.words) for tree in trees])


def errors(dev: Sequence[Parse], seen: Counter[str]) -> None:
    """Count wrong arcs and tags."""
    arcs: Counter[tuple[bool, bool]] = Counter()
    tags: Counter[tuple[bool, bool]] = Counter()
    for gold, found in zip(dev, found_for(dev)):
        same = gold.tags == found.tags
        for n, word in enumerate(gold.words):
            arc = (gold.heads[n], gold.labels[n]) == (found.heads[n], found.labels[n])
            arcs[same, arc] += 1
            tags[seen[word] <= RARE, gold.tags[n] == found.tags[n]] += 1
    wrong = arcs[False, False] + arcs[True, False]
    whole = arcs[True, False] + arcs[True, True]
    wrong_tags = tags[True, False] + tags[False, False]
    rare = tags[True, False] + tags[True, True]
    print(f"2. Errors in {len(dev):,} development captions")
    for name, title, share in (
        ("tag", "wrong arcs in captions with a wrong tag", arcs[False, False] / wrong),
        ("right", "right arcs where all tags are right", arcs[True, True] / whole),
        ("rare", f"words seen {RARE} times or less", rare / tags.total()),
        ("rare-wrong", "wrong tags on them", tags[True, False] / wrong_tags),
    ):
        figure(name, 100 * share, 1)
        print(f"   {title:40} {share:.1%}")


def stand_ins(rows: list[list[Row]], dev: Sequence[Parse]) -> None:
    """Count stand-ins and compare captions that differ in one of them."""
    network = Analyser.from_disk(MODELS / DEFAULT / "caption_parser").network
    read_as = {
        word: other
        for other, words in network.names["stand-ins"].items()
        for word in [other, *words]
    }
    tokens = [word in read_as for tree in dev for word in tree.words]
    alike = defaultdict(list)
    for caption in {tuple(row[0] for row in c): c for c in rows}.values():
        words = tuple(row[0] for row in caption)
        tree = [(row[1], *row[3:]) for row in caption]
        for n, word in enumerate(words):
            if word in read_as:
                alike[words[:n], read_as[word], words[n + 1 :]].append(tree)
    same = [
        a == b for trees in alike.values() for a, b in combinations(trees[:PAIRS], 2)
    ]
    figure("stand-ins", len(read_as))
    figure("stand-ins.text", 100 * sum(tokens) / len(tokens), 0)
    figure("stand-ins.same", 100 * sum(same) / len(same), 1)
    print(
        f"3. Stand-ins: {len(read_as):,} words, {sum(tokens) / len(tokens):.1%} of the"
    )
    print("   tokens of development captions; captions that differ in one of them")
    print(f"   have the same tree: {sum(same) / len(same):.2%} of {len(same):,} pairs")


if __name__ == "__main__":
    raise SystemExit(run(main, "parser_errors"))
