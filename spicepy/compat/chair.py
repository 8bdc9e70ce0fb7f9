"""The classes of the CHAIR scripts, answered by spicepy.

    from spicepy.compat.chair import CHAIR  # instead of `from chair import CHAIR`

    evaluator = CHAIR("annotations/")  # as OPERA's script and its copies
    output = evaluator.compute_chair("captions.jsonl", "image_id", "caption")
    output["overall_metrics"]["CHAIRs"]
    output["sentences"][0]["mscoco_hallucinated_words"]

    _, imids, _ = load_generated_captions("results.json")  # as Rohrbach's script
    evaluator = CHAIR(imids, "annotations/")
    evaluator.get_annotations()
    output = evaluator.compute_chair("results.json")

The folder holds `instances_{train,val}2014.json` (or 2017) and, for the truth that the
scripts use, `captions_{train,val}2014.json`. No pickle is read or written: reading the
annotations takes some seconds. Programs may still pickle an evaluator themselves.

Two results differ from those of the script, since these are faults: an image that the
annotations do not have is an error, not an image without objects; and the
`hallucination_idxs` of a caption with a toilet seat are those of the hallucinated
words, while the script takes them from the wrong mentions.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import numpy as np

from spicepy.captions.reading import read_records
from spicepy.captions.sample import ImageId
from spicepy.common.errors import InputError, brief
from spicepy.common.files import load_json, read_text
from spicepy.common.writing import write_text
from spicepy.objects.chair import CaptionObjects, Chair, caption_scores
from spicepy.objects.chair_results import ChairResult, measure_chair
from spicepy.objects.instances import (
    read_image_captions,
    read_image_references,
    read_instances,
)
from spicepy.objects.readers import load_reader

_INSTANCES: Final = "instances_{}{}.json"
_CAPTIONS: Final = "captions_{}{}.json"
_SPLITS: Final = ("train", "val")
_NO_SCORES: Final = ("image_id", "caption")


class CHAIR:
    """CHAIR over COCO's annotations.

    Args:
        coco_path: The folder of the annotation files; or, as in Rohrbach's script, the
            ids of images, and then the folder. The ids are not needed.
        annotation_path: The folder, if ids come first.
        variant: "nltk" as in OPERA's script, "pattern" as in Rohrbach's and its ports
            to Python 3, or "clean"; by default that of the script whose arguments
            these are.

    Raises:
        InputError: The folder has no annotation file, or one is damaged.
        ResourceError: NLTK's tagger is not installed (variant "nltk").
    """

    def __init__(
        self,
        coco_path: str | Path | Iterable[ImageId],
        annotation_path: str | Path | None = None,
        *,
        variant: str | None = None,
    ) -> None:
        first = isinstance(coco_path, str | Path)
        if first is (annotation_path is not None):
            raise InputError(
                "CHAIR takes the folder of the annotations, or the ids of images and "
                f"then the folder; given: {brief(str(coco_path)[:80])} and "
                f"{brief(str(annotation_path))}"
            )
        folder = Path(str(coco_path if first else annotation_path))
        self.coco_path = str(folder)
        reader = load_reader(variant or ("nltk" if first else "pattern"))
        files = _found(folder, _INSTANCES)
        if not files:
            raise InputError(
                f"{folder}: no annotations; the folder must hold "
                "instances_val2014.json or another of COCO's files of instances"
            )
        self.metric = Chair(read_instances(files), reader)
        captions = _found(folder, _CAPTIONS)
        self.references = read_image_references(captions, self.metric.instances)

    def get_annotations(self) -> None:
        """Do nothing, since the annotations are read already."""

    @property
    def imid_to_objects(self) -> Mapping[ImageId, frozenset[str]]:
        """Image id -> the classes in the image, read on demand."""
        return _Objects(self.metric, self.references)

    def caption_to_words(
        self, caption: str
    ) -> tuple[list[str], list[str], list[int], list[str]]:
        """Return the objects that a caption names.

        Returns:
            Their words; their classes; the numbers of their tokens, from 0; and all
            tokens in their dictionary forms.
        """
        read = self.metric.reader.read([caption])[caption]
        mentions = read.mentions
        return (
            [mention.word for mention in mentions],
            [mention.name for mention in mentions],
            [mention.place - 1 for mention in mentions],
            list(read.tokens),
        )

    def compute_chair(
        self,
        cap_file: str | Path,
        image_id_key: str = "image_id",
        caption_key: str = "caption",
    ) -> dict[str, Any]:
        """Return the script's output for a file of captions.

        Args:
            cap_file: JSON, JSON lines, or the results of coco-caption (`overall`,
                `imgToEval`), whose other scores are kept.
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
        overall, scores = _other_scores(cap_file)
        return {
            "sentences": [
                _sentence(c, scores.get(c.image_id, {})) for c in result.captions
            ],
            "overall_metrics": {**overall, **_overall(result)},
        }


class _Objects(Mapping[ImageId, frozenset[str]]):
    """The classes in each image; references are read when an image is asked for."""

    def __init__(
        self, metric: Chair, references: Mapping[ImageId, tuple[str, ...]]
    ) -> None:
        self._images = metric.instances.images
        self._truth, self._reader = metric.truth(references), metric.reader

    def __getitem__(self, image_id: ImageId) -> frozenset[str]:
        if image_id not in self._images:
            raise KeyError(image_id)
        read = self._reader.read(self._truth.captions([image_id]))
        return self._truth.of(image_id, read)

    def __iter__(self) -> Iterator[ImageId]:
        return iter(self._images)

    def __len__(self) -> int:
        return len(self._images)


def load_generated_captions(
    cap_file: str | Path,
) -> tuple[list[Mapping[str, Any]], set[ImageId], dict[str, Any]]:
    """Return captions' records, image ids and other scores from a file of results."""
    records = [record for _, record in read_records(cap_file)]
    overall, _ = _other_scores(cap_file)
    return records, {record["image_id"] for record in records}, overall


def _other_scores(
    cap_file: str | Path,
) -> tuple[dict[str, Any], dict[ImageId, dict[str, Any]]]:
    """Return the scores of coco-caption in a file, of all images and of each."""
    if not str(cap_file).endswith(".json"):
        return {}, {}
    data = load_json(read_text(cap_file), str(cap_file))
    if not isinstance(data, dict) or not isinstance(data.get("imgToEval"), dict):
        return {}, {}
    scores = {
        scored["image_id"]: {k: v for k, v in scored.items() if k not in _NO_SCORES}
        for scored in data["imgToEval"].values()
    }
    overall = data.get("overall")
    return (dict(overall) if isinstance(overall, dict) else {}), scores


def save_hallucinated_words(cap_file: str | Path, cap_dict: Mapping[str, Any]) -> None:
    """Write an output as JSON to the file `cap_file`."""
    write_text(cap_file, json.dumps(cap_dict, ensure_ascii=False))


def print_metrics(
    hallucination_cap_dict: Mapping[str, Any], quiet: bool = False
) -> None:
    """Print the figures of an output in percent, with one decimal."""
    if not quiet:
        for name, score in hallucination_cap_dict["overall_metrics"].items():
            if isinstance(score, int | float):
                print(f"{name:<10}: {100 * score:.1f}")


def _found(folder: Path, name: str) -> list[Path]:
    """Return the files of the first year that the folder has any of."""
    for year in ("2014", "2017"):
        files = [folder / name.format(split, year) for split in _SPLITS]
        if found := [file for file in files if file.is_file()]:
            return found
    return []


def _overall(result: ChairResult) -> dict[str, float]:
    """Return the figures by the script's names; its mean length is a hundredth."""
    scores = {key: score or 0.0 for key, score in result.corpus().items()}
    return {
        "CHAIRs": scores["chair-s"],
        "CHAIRi": scores["chair-i"],
        "Recall": scores["chair-recall"],
        "Len": 0.01 * scores["chair-length"],
    }


def _sentence(caption: CaptionObjects, others: Mapping[str, Any]) -> dict[str, Any]:
    scores = caption_scores(np.array([caption.row]))[0]
    return {
        "image_id": caption.image_id,
        "caption": caption.caption,
        "mscoco_hallucinated_words": [[m.word, m.name] for m in caption.hallucinated],
        "mscoco_gt_words": sorted(caption.truth),
        "mscoco_generated_words": [m.name for m in caption.mentions],
        "hallucination_idxs": [m.place - 1 for m in caption.hallucinated],
        "words": list(caption.tokens),
        "metrics": {
            **others,
            "CHAIRs": int(scores[0]),
            "CHAIRi": float(scores[1]),
            "Recall": float(scores[2]),
        },
    }
