"""Words of captions whose graphs are mostly not the drawn ones: places for rules.

Usage: python -m benchmarks.accuracy.truth_words [--data train|factual] [--least N]
       [--share X] [--show WORDS] [--fifth] [--shared DIR]

For each word and each pair of neighbours that `--least` captions have or more: how many
of these captions have a graph that is not the drawn one, and the mean loss of F, worst
first. `--show "inside of"` prints such captions with what is missing and what is too
much. A fifth of the captions is left out, so that a rule can be tried on captions that
nobody has read: `--fifth` takes that fifth only. The development captions are not among
the training captions.
"""

import zlib
from collections import Counter, defaultdict
from collections.abc import Iterator
from itertools import pairwise

from benchmarks.accuracy.truth import DATA, propose_all, show_errors
from benchmarks.java_oracle import shared_parser
from spicepy.graph.concepts import ConceptLexicon
from spicepy.words.wordnet import load_synonyms
from training.parser.people_graphs import Drawn, compare, is_whole, read_graphs

LONGEST = 12
"""The number of words of the longest caption that is counted: longer ones have several
faults."""


def main() -> None:
    """Print words, or captions with certain words."""
    parser = shared_parser(__doc__)
    parser.add_argument("--data", choices=("train", "factual"), default="train")
    parser.add_argument("--least", type=int, default=6, help="captions with the words")
    parser.add_argument(
        "--share", type=float, default=0.7, help="of them that are wrong"
    )
    parser.add_argument("--show", help="print captions with these words")
    parser.add_argument("--fifth", action="store_true", help="the fifth left out")
    options = parser.parse_args()
    folder = options.shared / "scene-graphs"
    dev = {x.caption for x in read_graphs(folder / "factual-dev.jsonl.gz")}
    drawn = [
        x
        for x in read_graphs(folder / f"{DATA[options.data]}.jsonl.gz")
        if is_left_out(x) == options.fifth
        and (options.data != "train" or x.caption not in dev)
    ]
    if options.show:
        drawn = [x for x in drawn if options.show in set(keys(x))]
    made, _ = propose_all(drawn, None, "spicepy-1", equal=False)
    lexicon = ConceptLexicon(load_synonyms("bundled"), distinct=True)
    if options.show:
        show_errors(drawn, made, lexicon, len(drawn))
        return
    captions: Counter[str] = Counter()
    wrong: Counter[str] = Counter()
    lost: defaultdict[str, float] = defaultdict(float)
    for own, x in zip(made, drawn, strict=True):
        counts = compare(own, x, lexicon)["All"]
        for key in set(keys(x)):
            captions[key] += 1
            wrong[key] += not is_whole(counts)
            lost[key] += 1 - (counts.f or 0.0)
    for key, loss in sorted(lost.items(), key=lambda x: -x[1]):
        if (
            captions[key] >= options.least
            and wrong[key] > options.share * captions[key]
        ):
            print(
                f"{key:30}{wrong[key]:5} of{captions[key]:5}{loss / captions[key]:8.2f}"
            )


def is_left_out(caption: Drawn) -> bool:
    """Return whether a caption is of the fifth that nobody reads."""
    return zlib.crc32(caption.caption.encode()) % 5 == 0


def keys(caption: Drawn) -> Iterator[str]:
    """Yield the words of a caption and its pairs of neighbours."""
    words = [word for word in caption.caption.lower().split() if word.isalnum()]
    if len(words) <= LONGEST:
        yield from words
        yield from map(" ".join, pairwise(words))


if __name__ == "__main__":
    main()
