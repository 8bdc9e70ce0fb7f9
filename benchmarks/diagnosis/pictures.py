"""The error analysis with a judge that knows what is outlined in the pictures.

Usage: python -m benchmarks.diagnosis.pictures [--images N] [--shared DIR]

The captions are those of captioners on COCO (`annotations/goldens_coco_systems`), the
references COCO's, and the judge is an oracle: it answers whether a thing of one of the
80 classes is there by what is outlined or in a reference, how many there are by what is
outlined, and no other question. The other judge answers one of five questions wrong. An
error is a class that a caption names and that is neither outlined nor in a reference
(CHAIR's truth), a finding one about a noun of a class with a probability of .5 or more.
"""

import json
import lzma
import random
import zlib
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from benchmarks.figures import figure, run, table
from benchmarks.java_oracle import shared_parser
from spicepy.asking.answers import Answer, AnswerBook
from spicepy.asking.questioning import Question, Questioner
from spicepy.asking.scenes import FOIL, ask_scenes
from spicepy.captions.sample import Sample
from spicepy.diagnosis import Analysis
from spicepy.diagnosis.results.diagnosing import beside_answers, diagnose, scenes
from spicepy.diagnosis.results.diagnosis import Diagnosis
from spicepy.evaluation.evaluation import evaluate
from spicepy.objects.presence import is_living
from spicepy.objects.vocabulary import Vocabulary, load_vocabulary

KINDS = ("invented object", "confused object", "wrong place")
ERRORS = 0.2
LATER = ("MAGIC_", "SMURF_C2", "SMURF_C3", "SMURF_C4", "smallcap", "show-edit-tell")


def main() -> int:
    """Print precision and recall of each way and system."""
    parser = shared_parser(__doc__)
    parser.add_argument("--images", type=int, default=1000)
    parser.add_argument("--systems", nargs="*")
    options = parser.parse_args()
    folder = options.shared / "annotations"
    truth = {r["image_id"]: r for r in read(folder / "gt_objects.jsonl.xz")}
    counts = {r["image_id"]: r["counts"] for r in read(folder / "instances.jsonl.xz")}
    references = {
        r["image_id"]: r["refs"][:5] for r in read(folder / "refs_val2014.jsonl.xz")
    }
    by_system: dict[str, dict[int, str]] = defaultdict(dict)
    errors: dict[str, dict[int, set[str]]] = defaultdict(dict)
    for row in read(folder / "goldens_coco_systems.jsonl.xz"):
        by_system[row["set"]][row["image_id"]] = row["caption"]
        errors[row["set"]][row["image_id"]] = {name for _, name in row["b"]["hall"]}
    vocabulary = load_vocabulary("coco-80")
    analysis = Analysis()
    rows: list[tuple[Any, ...]] = []
    sums: dict[str, tuple[int, ...]] = {}
    for name in options.systems or sorted(by_system):
        captions = by_system[name]
        known = [i for i in sorted(captions) if i in references and i in counts]
        chosen = random.Random(1).sample(known, min(options.images, len(known)))
        samples = [Sample(i, captions[i], tuple(references[i])) for i in chosen]
        found = diagnose(
            scenes(evaluate(samples, ["bleu"]), analysis=analysis), analysis=analysis
        )
        said = {i: set(truth[i]["inst"]) | set(truth[i]["cap_b"]) for i in chosen}
        asked = ask_scenes(samples, Questioner())
        ways: dict[str, Diagnosis] = {"no answers": found}
        for label, rate in (("oracle", 0.0), (f"{ERRORS:.0%} wrong", ERRORS)):
            book = AnswerBook(label)
            for scene in asked:
                own = counts[scene.image_id]
                for question in dict.fromkeys(q.question for q in scene.all):
                    first = next(q for q in scene.all if q.question == question)
                    yes = knows(first, own, said[scene.image_id], vocabulary)
                    if yes is not None:
                        wrong = draw(scene.image_id, question) < rate
                        book.add(scene.image_id, question, Answer(yes != wrong))
            ways[label] = beside_answers(found, samples, book)
        for way, diagnosis in ways.items():
            numbers = measure(diagnosis, said, errors[name], vocabulary)
            rows.append(line_of(name, way, numbers))
            print(*rows[-1], sep="\t", flush=True)
            if any(later in name for later in LATER):
                sums[way] = tuple(map(sum, zip(sums.get(way, (0,) * 4), numbers)))
    for way, numbers in sums.items():
        rows.append(line_of("of 2020 and later", way, numbers))
        print(*rows[-1], sep="\t")
        figure(f"later.{way}.precision", rows[-1][3], 3)
        figure(f"later.{way}.found", rows[-1][5], 3)
    columns = ("system", "answers", "findings", "precision", "errors", "found")
    table("ways", columns, rows)
    return 0


def line_of(name: str, way: str, numbers: Sequence[int]) -> tuple[Any, ...]:
    """Return a row of the table."""
    right, listed, found, total = numbers
    precision = round(right / listed, 3) if listed else None
    return (
        name,
        way,
        listed,
        precision,
        total,
        round(found / total, 3) if total else None,
    )


def read(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the records of a packed file."""
    with lzma.open(path, "rt", encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def draw(image_id: int, question: str) -> float:
    """Return a number from 0 to 1 that only the question decides."""
    return zlib.crc32(f"{image_id} {question}".encode()) / 2**32


def class_of(noun: str, vocabulary: Vocabulary) -> str | None:
    """Return the class of a noun."""
    return vocabulary.class_of(noun, is_living)


def knows(
    question: Question, counts: dict[str, int], said: set[str], vocabulary: Vocabulary
) -> bool | None:
    """Return the oracle's answer; None to what it cannot know."""
    name = class_of(question.tuple[0], vocabulary)
    if name is None:
        return None
    if question.detail == "count" and question.tuple[1].isdigit():
        return counts.get(name, 0) == int(question.tuple[1])
    if question.category == "entity" and question.detail in ("whole", "part", FOIL):
        return name in said
    return None


def measure(
    diagnosis: Diagnosis,
    said: dict[int, set[str]],
    invented: dict[int, set[str]],
    vocabulary: Vocabulary,
) -> tuple[int, int, int, int]:
    """Return right findings, findings, errors that are found, and errors."""
    right = listed = found = total = 0
    for image in diagnosis.by_image:
        errors, there = invented[int(image.image_id)], said[int(image.image_id)]
        names = {
            class_of(finding.members[0], vocabulary)
            for finding in image.findings
            if finding.kind in KINDS and (finding.probability or 0) >= 0.5
        } - {None}
        listed += len(names)
        right += len(names - there)
        total += len(errors)
        found += len(errors & names)
    return right, listed, found, total


if __name__ == "__main__":
    raise SystemExit(run(main, "pictures"))
