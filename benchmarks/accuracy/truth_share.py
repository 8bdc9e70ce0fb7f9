"""The shares of parser and rules in the distance to graphs drawn by people.

Usage: python -m benchmarks.accuracy.truth_share [--captions N] [--shared DIR]

FACTUAL's development captions, all and long ones: F and the share of whole graphs with
the best tree of the bundled parser's network, and with the tree whose graph is nearest
to the drawn one among those that the network thinks possible (`training.parser.checked`
says what is). The difference is the parser's share, the rest that of rules and
annotation. Captions are read as one sentence, with their commas.
"""

from benchmarks.accuracy.truth import DATA, SINGLE
from benchmarks.figures import figure, run
from benchmarks.java_oracle import shared_parser
from spicepy.parsing.bundled.analyser import read_part
from spicepy.parsing.bundled.network import Network
from spicepy.parsing.parser import MODELS
from spicepy.parsing.trees import drop_unread_marks, positions_read
from spicepy.pipeline import Pipeline
from training.parser.checked import readings
from training.parser.people_graphs import read_graphs


def main() -> int:
    """Print both figures of each part."""
    parser = shared_parser(__doc__)
    parser.add_argument("--captions", type=int, help="the first N only")
    options = parser.parse_args()
    pipeline = Pipeline(grammar="spicepy-1")
    network = Network(
        *read_part(MODELS / pipeline.model / "caption_parser" / "network")
    )
    for name in SINGLE:
        path = options.shared / "scene-graphs" / f"{DATA[name]}.jsonl.gz"
        drawn = read_graphs(path)[: options.captions]
        tokens = [pipeline.text(x.caption).split() for x in drawn]
        words = [drop_unread_marks(x, positions_read(x, commas=True)) for x in tokens]
        pairs = list(zip(words, drawn, strict=True))
        found = readings(network, pipeline, pairs, seed=0)
        figures = {
            "parsed": sum(x.before for x in found) / len(found),
            "best": sum(x.f for x in found) / len(found),
            "best-whole": sum(x.whole for x in found) / len(found),
        }
        cells = "  ".join(f"{key} {value:.3f}" for key, value in figures.items())
        print(f"{name}: {cells}")
        for key, value in figures.items():
            figure(f"{name}.{key}", value, 3)
    return 0


if __name__ == "__main__":
    raise SystemExit(run(main, "truth_share"))
