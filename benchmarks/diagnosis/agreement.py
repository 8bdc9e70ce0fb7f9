"""Agreement between systems as evidence, beside what is outlined in the pictures.

Usage: python -m benchmarks.diagnosis.agreement [--images N] [--shared DIR]

Captioners of the same COCO images, each alone and beside the others. Of the things of
COCO's 80 classes that no reference has, the most probable inventions first: how many
are not outlined, how that ranks (area under the curve), and what is stated on average.
"""

import json
import lzma
from collections import defaultdict
from typing import Any, Final

import numpy as np

from benchmarks.diagnosis.people import auc
from benchmarks.figures import figure, run
from benchmarks.java_oracle import shared_parser
from spicepy.captions.sample import Sample
from spicepy.diagnosis import Analysis, scenes
from spicepy.diagnosis.analysis import AGREED
from spicepy.diagnosis.captions.caption import Scene
from spicepy.diagnosis.results.diagnosing import beside_others
from spicepy.evaluation.evaluation import unscored
from spicepy.objects.vocabulary import load_vocabulary
from training.errors import labels

GROUPS: Final = {
    "fitted": (
        *("test/SMURF_C2", "test/SMURF_C3", "test/SMURF_C4"),
        *("test/MAGIC_magic_result", "test/show-edit-tell_rl_caps"),
    ),
    "held out": (
        *("val/smallcap", "val/AttinAtt_run2", "val/AttinAtt_run3"),
        "val/AttinAtt_run5",
    ),
}
"""Systems of the same images; the weight of agreement was fitted to the first."""
FIRST: Final = 50


def main() -> int:
    """Print the figures of each group of systems."""
    parser = shared_parser(__doc__)
    parser.add_argument("--images", type=int, default=1500)
    options = parser.parse_args()
    folder = options.shared / "annotations"
    with lzma.open(folder / "instances.jsonl.xz", "rt", encoding="utf-8") as lines:
        outlined = {row["image_id"]: row for row in map(json.loads, lines)}
    captions: dict[str, dict[int, str]] = defaultdict(dict)
    path = folder / "goldens_coco_systems.jsonl.xz"
    with lzma.open(path, "rt", encoding="utf-8") as lines:
        for row in map(json.loads, lines):
            captions[row["set"]][row["image_id"]] = row["caption"]
    references = labels.coco_references(options.shared)
    analysis = Analysis()
    for group, names in GROUPS.items():
        sets = {name: captions[f"karpathy_{name}"] for name in names}
        common = set.intersection(*map(set, sets.values()), set(outlined))
        known = [i for i in sorted(common) if labels.part_of(i) == "development"]
        alone: dict[str, list[Scene]] = {}
        for name, own in sets.items():
            samples = [
                Sample(i, own[i], tuple(references[i][:5]))
                for i in known[: options.images]
            ]
            alone[name] = list(scenes(unscored(samples), analysis=analysis))
        for way, made in (("alone", alone), ("beside others", beside_others(alone))):
            _measure(f"{group}, {way}", made, analysis, outlined)
    return 0


def _measure(
    title: str,
    systems: dict[str, list[Scene]],
    analysis: Analysis,
    outlined: dict[int, Any],
) -> None:
    """Print how many of the most probable inventions are not outlined."""
    class_of, is_person = load_vocabulary().class_of, analysis.lexicon.nouns.is_person
    every: list[tuple[float, bool]] = []
    first: list[bool] = []
    for own in systems.values():
        found: list[tuple[float, bool]] = []
        for scene in own:
            there = outlined[scene.image_id]
            for finding in analysis.diagnose(scene).findings:
                name = class_of(finding.members[0], is_person)
                if finding.kind in AGREED and name and finding.probability is not None:
                    absent = name not in there["counts"] and name not in there["crowd"]
                    found.append((finding.probability, absent))
        every += found
        first += [absent for _, absent in sorted(found, reverse=True)[:FIRST]]
    likely = [(p, absent) for p, absent in every if p >= 0.5]
    ranks = auc(*([p for p, absent in every if absent is a] for a in (False, True)))
    stated, true = np.mean(likely, axis=0)
    figure(f"{title}.first", float(np.mean(first)), 2)
    figure(f"{title}.auc", ranks, 3)
    print(
        f"{title}: {len(every)} findings, AUC {ranks:.3f}; first {FIRST} of each "
        f"system {np.mean(first):.2f} not outlined; of {len(likely)} of .5 or more "
        f"stated {stated:.2f}, not outlined {true:.2f}"
    )


if __name__ == "__main__":
    raise SystemExit(run(main, "agreement"))
