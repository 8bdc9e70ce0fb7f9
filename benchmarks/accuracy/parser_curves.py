"""The parser's accuracy by its size, data and training time.

Usage: python -m benchmarks.accuracy.parser_curves [--shared DIR] [--work DIR]
       [--steps N] [--models DIR ...]

Trains each network of `CONFIGURATIONS` from nothing for N steps (800: one to
three minutes each on two cores; needs `pip install -e ".[training]"`) and measures
it, and any folders given (packaged models), on the development captions: tags,
UAS, LAS, F of proposals, Pearson of SPICE by image, captions per CPU second.
"""

import time
from pathlib import Path

import numpy as np
from scipy.stats import pearsonr

from benchmarks.java_oracle import Recorded, read_captions, read_scores, shared_parser
from spicepy.common.words.lemmas import lemmatize
from spicepy.graph.reading import GraphSample
from spicepy.metrics.spice.metric import Spice
from spicepy.parsing import parser as parsing
from spicepy.parsing.bundled.analyser import Analyser
from spicepy.parsing.bundled.files import read_part
from spicepy.parsing.bundled.network import Network
from spicepy.pipeline import Pipeline
from training.parser.accuracy import accuracy

CONFIGURATIONS = {
    "width 128, depth 2": [],
    "width 64": ["--vars.width", "64"],
    "width 192": ["--vars.width", "192"],
    "depth 1": ["--vars.depth", "1"],
    "20,000 captions": ["--corpora.train.limit", "20000"],
    "without stand-ins": ["--vars.stand_ins", "false"],
    "depth 3": ["--vars.depth", "3"],
    "60,000 captions": ["--corpora.train.limit", "60000"],
    "dropout 0.03": ["--vars.dropout", "0.03"],
}
HEADER = "tags   UAS    LAS    tuples Pearson captions/s"


def main() -> int:
    """Train and measure."""
    parser = shared_parser(__doc__)
    parser.add_argument("--work", type=Path, default=Path("build/curves"))
    parser.add_argument("--steps", type=int, default=800)
    parser.add_argument("--images", type=int, default=2000)
    parser.add_argument("--models", type=Path, nargs="*", help="measure only these")
    options = parser.parse_args()
    folder: Path = options.shared / "oracle/spice"
    scores = read_scores(folder / "coco5k_scores.json.gz")[: options.images]
    recorded = read_captions(folder / "coco5k_captions.jsonl.gz")
    print(f"{'':24} {HEADER}")
    if options.models is None:
        for name in CONFIGURATIONS:
            model = train(name, options.shared, options.work, options.steps)
            print(f"{name:24} {measured(model, recorded, scores)}", flush=True)
    for model in options.models or ():
        print(f"{model.name:24} {measured(model, recorded, scores)}", flush=True)
    return 0


def train(name: str, shared: Path, work: Path, steps: int) -> Path:
    """Train one configuration from nothing; return its packaged model."""
    from training.parser.package import package
    from training.parser.train import load, network_folder, prepare, run_stage

    if not (work / "train.spacy").is_file():
        work.mkdir(parents=True, exist_ok=True)
        prepare(*load(False, shared), [], work)
    count = ["--vars.steps", str(steps)]
    place = name.replace(" ", "_").replace(",", "")
    run_stage(work, place, [*CONFIGURATIONS[name], *count], quiet=True)
    trained = Network(*read_part(network_folder(work, place)))
    package(Analyser(trained), work / f"{place}-0", {})
    return work / f"{place}-0"


def measured(
    model: Path, recorded: dict[str, Recorded], scores: list[dict[str, object]]
) -> str:
    """Return the row of one model."""
    used = {text: 0 for row in scores for text in [row["test"], *row["refs"]]}
    captions = [text for text in used if text in recorded]
    lemmatize.cache_clear()
    start = time.process_time()
    found = dict(zip(captions, parsing.parse(captions, model=str(model))))
    speed = len(captions) / (time.process_time() - start)
    pairs = [
        (recorded[text].trees[0], found[text])
        for text in captions
        if len(recorded[text].trees) == 1
        and recorded[text].trees[0].words == found[text].words
    ]
    figures = accuracy(*zip(*pairs))
    pipeline = Pipeline()
    made = {t: pipeline.stages.extract([p]) for t, p in found.items()}
    true = {t: {x.members for x in recorded[t].proposals} for t in captions}
    ours = {t: {x.members for x in made[t]} for t in captions}
    same = sum(len(true[t] & ours[t]) for t in captions)
    f = 2 * same / sum(len(true[t]) + len(ours[t]) for t in captions)
    spice = Spice()
    counted = spice.count_graphs(
        list(
            map(
                GraphSample,
                [row["image_id"] for row in scores],
                [made[row["test"]] for row in scores],
                [[made[text] for text in row["refs"]] for row in scores],
            )
        )
    )
    values = spice.image_scores(counted.rows)[:, 0]
    original = np.array([row["scores"]["All"]["f"] for row in scores], dtype=float)
    r = float(pearsonr(original, values).statistic)
    shown = " ".join(f"{figures[name]:6.2f}" for name in ("tags", "UAS", "LAS"))
    return f"{shown} {100 * f:6.2f} {r:7.4f} {speed:10,.0f}"


if __name__ == "__main__":
    raise SystemExit(main())
