"""Exact SPICE with the original's grammar, compared with the recorded original.

    python -m benchmarks.parity.exact [--images N] [--captions N] [--plain N] [--record]

1. Trees of sampled captions (`silver-kbest`), of nearly equal trees (`ties.tsv`) and of
   odd inputs (`odd.tsv`) against the original's.
2. Trees and scores of some of the captions by the compiled chart and by the plain one.
3. Proposals of sentences with coordinated prepositional phrases, in their order.
4. Scores of the images of `oracle/spice` in every category, from the captions alone.

The grammar is read from `oracle/parser/englishPCFG.ser.gz`, which is not part of the
project. Exit code 0 if everything is identical.
"""

import lzma
import math
import os
import random
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
from scipy.stats import pearsonr

from benchmarks.figures import figure, run
from benchmarks.java_oracle import read_captions, read_scores, shared_parser
from benchmarks.parity.brackets import write_brackets
from benchmarks.parity.exact_captions import captions
from benchmarks.parity.spice import differences
from spicepy.common.resources import VARIABLE
from spicepy.metrics.spice import Spice
from spicepy.parsing.exact import plain_chart
from spicepy.parsing.exact.adding import add
from spicepy.parsing.exact.parser import ExactParser, Search, spelling
from spicepy.parsing.exact.pcfg import EXACT, load_grammar
from spicepy.pipeline import Pipeline
from spicepy.tokenization.samples import TokenisedSample

FILES = ("captions-01.txt.xz", "captions-factual.txt.xz")
"""The files of `silver-kbest` that trees are sampled from."""
LONGEST = 45
"""The maximum number of words of an odd input."""


def main() -> int:
    """Run the comparisons; 0 if everything is identical."""
    parser = shared_parser(__doc__)
    parser.add_argument("--images", type=int, help="only the first N images")
    parser.add_argument(
        "--captions", type=int, default=20_000, help="captions to sample for trees"
    )
    parser.add_argument(
        "--plain", type=int, default=500, help="captions to parse with both charts"
    )
    options = parser.parse_args()
    shared: Path = options.shared
    with tempfile.TemporaryDirectory() as folder:
        os.environ[VARIABLE] = folder
        add(shared / "oracle/parser/englishPCFG.ser.gz")
        exact = ExactParser(load_grammar(EXACT))
        print("1. Trees of phrases")
        sampled = [row for name in FILES for row in captions(shared, name)]
        sampled = random.Random(0).sample(sampled, min(options.captions, len(sampled)))
        parsers = shared / "oracle/parser"
        good = _trees(exact, "captions", sampled)
        good &= _trees(exact, "ties", list(_table(parsers / "ties.tsv.xz", 0, 1)))
        odd = [
            row
            for row in _table(parsers / "odd.tsv.xz", 0, 2)
            if len(row[0]) <= LONGEST
        ]
        good &= _trees(exact, "odd inputs", odd)
        print("2. The compiled chart and the plain one")
        good &= _charts(exact, [words for words, _ in sampled[: options.plain]])
        print("3. Proposals of coordinated phrases")
        good &= _proposals(parsers / "pp-coordination.jsonl.gz")
        print("4. Scores from the captions")
        good &= _scores(shared, options.images)
    return 0 if good else 1


def _table(path: Path, text: int, tree: int) -> Iterator[tuple[list[str], str]]:
    with lzma.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            columns = line.rstrip("\n").split("\t")
            if len(columns) > tree:
                yield columns[text].split(" "), columns[tree]


def _trees(
    exact: ExactParser, title: str, rows: Sequence[tuple[list[str], str]]
) -> bool:
    found = exact.search.trees([words for words, _ in rows])
    wrong = [
        " ".join(words)
        for tree, (words, theirs) in zip(found, rows, strict=True)
        if tree is None or write_brackets(tree.root) != theirs
    ]
    print(f"   {title:10s} {len(rows) - len(wrong):,} of {len(rows):,} identical")
    for text in wrong[:10]:
        print(f"      {text}")
    figure(f"trees.{title}.same", len(rows) - len(wrong))
    figure(f"trees.{title}.all", len(rows))
    return not wrong


def _charts(exact: ExactParser, sentences: Sequence[list[str]]) -> bool:
    """Compare trees and scores of the two charts."""
    plain = Search(exact.search.lexicon.grammar, spelling(), plain_chart)
    both = zip(exact.search.trees(sentences), plain.trees(sentences), strict=True)
    wrong = sum(tree != other for tree, other in both)
    print(f"   {exact.search.chart.__name__}: {wrong:,} of {len(sentences):,} differ")
    figure("charts.captions", len(sentences))
    figure("charts.differences", wrong)
    return not wrong


def _proposals(path: Path) -> bool:
    recorded = read_captions(path)
    found = Pipeline(model=EXACT).propose(recorded)
    wrong = [
        caption
        for caption, row in recorded.items()
        if [each.members for each in found[caption]]
        != [each.members for each in row.proposals]
    ]
    same, total = len(recorded) - len(wrong), len(recorded)
    print(f"   {same:,} of {total:,} identical")
    for text in wrong[:10]:
        print(f"      {text}")
    figure("coordination.same", same)
    figure("coordination.all", total)
    return not wrong


def _scores(shared: Path, images: int | None) -> bool:
    rows = read_scores(shared / "oracle/spice/coco5k_scores.json.gz")[:images]
    spice = Spice(model=EXACT)
    samples = [
        TokenisedSample(r["image_id"], r["test"], tuple(r["refs"])) for r in rows
    ]
    statistics = spice.count(samples)
    wrong = [
        row["image_id"]
        for row, score in zip(rows, statistics.details, strict=True)
        if differences(score, row)
    ]
    print(f"   {len(rows) - len(wrong):,} of {len(rows):,} images identical")
    if wrong:
        print(f"      different: {wrong}")
    figure("images.same", len(rows) - len(wrong))
    figure("images.all", len(rows))
    ours = spice.image_scores(statistics.rows)
    corpus = spice.corpus_scores(statistics.rows.sum(axis=0), len(rows))
    for column, name in enumerate(spice.names):
        f = [row["scores"][name]["f"] for row in rows]
        theirs = np.array([math.nan if value is None else value for value in f])
        both = ~np.isnan(theirs) & ~np.isnan(ours[:, column])
        r = float(pearsonr(theirs[both], ours[both, column]).statistic)
        difference = float(corpus[column] - np.nanmean(theirs))
        figure(f"{name.lower()}.difference", difference, 7)
        figure(f"{name.lower()}.pearson", r, 6)
        print(f"   {name:12s} difference {difference:+.7f}, Pearson {r:.6f}")
    return not wrong


if __name__ == "__main__":
    raise SystemExit(run(main, "exact_parity"))
