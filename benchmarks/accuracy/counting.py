"""Numbers in captions of systems and people, compared with COCO's annotations.

In: `annotations/` of the shared data. Out: for people (the references of val2014) and
each set of captions: exact claims on classes of tier A, how many are right, coverage,
and the yardstick of a regular expression beside them (`count_systems.tsv`; it takes in
other classes, too); people by the number said and by class; vague words. Exit status 0
if people's share of exact claims is within .02 of .74.

    python -m benchmarks.accuracy.counting --shared DIR
"""

import csv
import json
import lzma
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from benchmarks.figures import figure, run, table
from benchmarks.java_oracle import shared_parser
from spicepy.captions.sample import ImageId
from spicepy.objects.counting import Counting
from spicepy.objects.counting_results import CountingResult, measure_counting
from spicepy.objects.instances import ImageCaption, ImageObjects, Instances

GOLDENS = ("goldens_lvlm", "goldens_coco_systems")
CROWDS = ("crowd", "crowd_likely", "crowd_unknown")
PEOPLE, NEAR = 0.74, 0.02
COLUMNS = (
    *("captions of", "captions", "claims", "exact", "off by one", "MAE", "over"),
    *("under", "coverage", "exact if not two", "exact by regular expression"),
)


def main() -> int:
    """Print all figures; return 0 if people count as well as they should."""
    folder = shared_parser(__doc__).parse_args().shared / "annotations"
    metric = Counting(annotated(folder))
    yardstick = {
        row["set"]: row["exact"] for row in _rows(folder / "count_systems.tsv")
    }
    people = measure_counting(list(_references(folder)), metric)
    rows = [_row("people (val2014)", people, yardstick["human references val2014"])]
    _people(people)
    for name, captions in sorted(_sets(folder).items()):
        found = measure_counting(captions, metric)
        rows.append(_row(name, found, yardstick.get(name, "")))
    table("systems", COLUMNS, rows)
    exact = people.corpus()["count-exact"] or 0.0
    return int(abs(exact - PEOPLE) > NEAR)


def annotated(folder: Path) -> Instances:
    """Return the annotations of the shared data; doubtful crowds are crowds."""
    images: dict[ImageId, ImageObjects] = {}
    categories: dict[str, None] = {}
    for record in _lines(folder / "instances.jsonl.xz"):
        crowd = frozenset(name for key in CROWDS for name in record.get(key, ()))
        counts = {**dict.fromkeys(crowd, 0), **record["counts"]}
        images[record["image_id"]] = ImageObjects(counts, crowd)
        categories |= dict.fromkeys(counts)
    return Instances(("instances.jsonl.xz",), tuple(categories), images, {})


def _people(people: CountingResult) -> None:
    for key, score in people.corpus().items():
        figure(f"people.{key.removeprefix('count-')}", score or 0.0, 3)
    for name, group in people.groups().items():
        figure(f"people.groups.{name}", group["exact"] or 0.0, 3)
    figure("people.claims", people.groups()["tier A"]["claims"])
    figure("people.macro-exact", people.macro_exact() or 0.0, 3)
    figure("people.vague-though-countable", people.vague_though_countable() or 0.0, 3)
    for name, groups in (
        *(("said", people.by_said()), ("true", people.by_true())),
        ("class", people.by_class()),
    ):
        _groups(f"people-by-{name}", groups)
    vague = [
        (word, own["claims"], f"{own['share']:.3f}")
        for word, own in people.vague().items()
        if own["claims"] >= 20
    ]
    table("people-vague", ("word", "claims", "in its range"), vague)


def _groups(name: str, groups: Mapping[str, Mapping[str, Any]]) -> None:
    columns = ("claims", "exact", "off-by-one", "mae", "over", "under")
    rows = [
        (key, own["claims"], *(_shown(own[column]) for column in columns[1:]))
        for key, own in groups.items()
        if own["claims"]
    ]
    table(name, ("", *columns), rows)


def _row(name: str, found: CountingResult, yardstick: str) -> tuple[object, ...]:
    corpus, groups = found.corpus(), found.groups()
    keys = ("exact", "off-by-one", "mae", "over", "under", "coverage")
    row = (
        name,
        len(found.captions),
        groups["tier A"]["claims"],
        *(_shown(corpus[f"count-{key}"]) for key in keys),
        _shown(groups["tier A, not 'two'"]["exact"]),
        yardstick,
    )
    print(*row, sep="\t", flush=True)
    return row


def _shown(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"


def _references(folder: Path) -> Iterator[ImageCaption]:
    for record in _lines(folder / "refs_val2014.jsonl.xz"):
        for caption in record["refs"]:
            yield record["image_id"], caption


def _sets(folder: Path) -> dict[str, list[ImageCaption]]:
    found: dict[str, list[ImageCaption]] = defaultdict(list)
    for name in GOLDENS:
        for r in _lines(folder / f"{name}.jsonl.xz"):
            found[r["set"]].append((r["image_id"], r["caption"]))
    return found


def _rows(path: Path) -> list[dict[str, str]]:
    with open(path, encoding="utf-8") as file:
        return list(csv.DictReader(file, delimiter="\t"))


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    with lzma.open(path, "rt", encoding="utf-8") as file:
        yield from map(json.loads, file)


if __name__ == "__main__":
    raise SystemExit(run(main, "counting"))
