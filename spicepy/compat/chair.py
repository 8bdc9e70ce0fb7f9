"""The class of the common CHAIR script (OPERA's and its copies), answered by spicepy.

In: the folder of COCO's annotations and a file of captions. Out: the script's own JSON.

    from spicepy.compat.chair import CHAIR  # instead of `from chair import CHAIR`

    evaluator = CHAIR("annotations/")
    output = evaluator.compute_chair("captions.jsonl", "image_id", "caption")
    output["overall_metrics"]["CHAIRs"]
    output["sentences"][0]["mscoco_hallucinated_words"]

The folder holds `instances_{train,val}2014.json` (or 2017) and, for the truth that the
scripts use, `captions_{train,val}2014.json`. No pickle is read or written: reading the
annotations takes some seconds. Two things differ, both faults of the script: an image
that the annotations do not know is an error, not an image without objects; and the
`hallucination_idxs` of a caption with a toilet seat, which the script takes from the
wrong mentions, are those of the hallucinated words.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import numpy as np

from spicepy.annotations.captions import read_image_captions, read_image_references
from spicepy.annotations.chair import CaptionObjects, caption_scores
from spicepy.annotations.instances import read_instances
from spicepy.annotations.readers import load_reader
from spicepy.common.errors import InputError
from spicepy.common.writing import write_text
from spicepy.grounding.chair import ChairResult, measure_chair
from spicepy.metrics.chair import Chair

_INSTANCES: Final = "instances_{}{}.json"
_CAPTIONS: Final = "captions_{}{}.json"
_SPLITS: Final = ("train", "val")


class CHAIR:
    """CHAIR over COCO's annotations.

    Args:
        coco_path: The folder of the annotation files.
        variant: "nltk" as in OPERA's script, "pattern" as in Rohrbach's and its ports
            to Python 3, or "clean".

    Raises:
        InputError: The folder has no annotation file, or one is damaged.
        ResourceError: NLTK's tagger is not installed (variant "nltk").
    """

    def __init__(self, coco_path: str | Path, variant: str = "nltk") -> None:
        self.coco_path = str(coco_path)
        reader = load_reader(variant)
        files = _found(Path(coco_path), _INSTANCES)
        if not files:
            raise InputError(
                f"{coco_path}: no annotations; the folder must hold "
                "instances_val2014.json or another of COCO's files of instances"
            )
        self.metric = Chair(read_instances(files), reader=reader)
        captions = _found(Path(coco_path), _CAPTIONS)
        self.references = read_image_references(captions, self.metric.instances)

    def compute_chair(
        self,
        cap_file: str | Path,
        image_id_key: str = "image_id",
        caption_key: str = "caption",
    ) -> dict[str, Any]:
        """Return the script's output for a file of captions.

        Args:
            cap_file: JSON or JSON lines.
            image_id_key: The key of the image ids.
            caption_key: The key of the captions.

        Raises:
            InputError: The file is wrong, or the annotations do not know an image.
        """
        captions = read_image_captions(
            cap_file,
            self.metric.instances,
            id_key=image_id_key,
            caption_key=caption_key,
        )
        result = measure_chair(captions, self.metric, self.references)
        return {
            "sentences": [_sentence(own) for own in result.captions],
            "overall_metrics": _overall(result),
        }


def save_hallucinated_words(cap_file: str | Path, cap_dict: Mapping[str, Any]) -> None:
    """Write an output as JSON to the file `cap_file`."""
    write_text(cap_file, json.dumps(cap_dict, ensure_ascii=False))


def print_metrics(
    hallucination_cap_dict: Mapping[str, Any], quiet: bool = False
) -> None:
    """Print the figures of an output in percent, with one decimal."""
    if not quiet:
        for name, score in hallucination_cap_dict["overall_metrics"].items():
            print(f"{name:<10}: {100 * score:.1f}")


def _found(folder: Path, name: str) -> list[Path]:
    """Return the files of the first year that the folder has any of."""
    for year in ("2014", "2017"):
        files = [folder / name.format(split, year) for split in _SPLITS]
        if found := [file for file in files if file.is_file()]:
            return found
    return []


def _overall(result: ChairResult) -> dict[str, float]:
    """Return the figures as the script names them; its length is a hundredth."""
    scores = {key: score or 0.0 for key, score in result.corpus().items()}
    return {
        "CHAIRs": scores["chair-s"],
        "CHAIRi": scores["chair-i"],
        "Recall": scores["chair-recall"],
        "Len": 0.01 * scores["chair-length"],
    }


def _sentence(own: CaptionObjects) -> dict[str, Any]:
    scores = caption_scores(np.array([own.row]))[0]
    return {
        "image_id": own.image_id,
        "caption": own.caption,
        "mscoco_hallucinated_words": [[m.word, m.name] for m in own.hallucinated],
        "mscoco_gt_words": sorted(own.truth),
        "mscoco_generated_words": [m.name for m in own.mentions],
        "hallucination_idxs": [m.place - 1 for m in own.hallucinated],
        "words": list(own.tokens),
        "metrics": {
            "CHAIRs": int(scores[0]),
            "CHAIRi": float(scores[1]),
            "Recall": float(scores[2]),
        },
    }
