"""The estimated share of right findings beside the true one.

* captioners: the estimate and what is listed of captioners and of people on the same
  COCO images. Read by hand (`fixtures/verdicts`), .84 of what was listed of captioners
  were right (sample 11), and .15 to .23 of what was listed of people (13, 15 and 17).
* nocaps-foil: captions that people wrote, a share of them with one object replaced by
  another. A finding about the replaced word is right; of the others as many as usual of
  people's captions (`PEOPLE_RIGHT`).

* pascal50s: captions that people wrote for the picture, and for another picture,
  against five references. Nothing was chosen by it.
"""

from collections.abc import Iterable, Sequence
from pathlib import Path

from benchmarks import figures
from benchmarks.diagnosis.parts import Figure, Measurement, named
from spicepy.common.settings import RELIABLE
from spicepy.diagnosis import Analysis, Diagnosis, Scene, diagnose
from spicepy.diagnosis.kinds import WRONG
from spicepy.diagnosis.results.listing import PEOPLE_RIGHT
from training.errors import labels
from training.errors.labels import Row

IMAGES = 1000
"""The number of images on which captioners are compared."""
EVERY = (20, 10, 5, 2)
"""One caption of so many has a replaced word."""


def diagnosed(analysis: Analysis, rows: Sequence[Row]) -> Diagnosis:
    """Return all findings about the candidates of some rows."""
    texts = (text for r in rows for text in (r["candidate"], *r["references"]))
    readings = analysis.reader.read(texts)
    scenes = [
        Scene(n, readings[r["candidate"]], tuple(readings[t] for t in r["references"]))
        for n, r in enumerate(rows)
    ]
    return diagnose(scenes, analysis=analysis)


def show(name: str, every: Diagnosis, figure: Figure) -> None:
    """Print and name the estimate and what is listed of one captioner."""
    shown = every.believed()
    number = sum(f.kind in WRONG for f in shown.findings)
    probable = sum(
        f.kind in WRONG and (f.probability or 0) >= RELIABLE for f in every.findings
    )
    share = shown.listing.share
    figure(f"{name}.listed", 100 * number / every.images, 1)
    figure(f"{name}.probable", 100 * probable / every.images, 1)
    if share is not None:
        figure(f"{name}.share", share, 2)
    people = every.people.in_100_captions(RELIABLE)
    print(
        f"{name:12} ({every.images}) in 100 captions: probable "
        f"{100 * probable / every.images:.1f}, references {people:.1f}, listed "
        f"{100 * number / every.images:.1f}; "
        f"estimated share {'-' if share is None else f'{share:.2f}'}, "
        f"detail {every.people.detail:.2f}"
    )


def mixed(analysis: Analysis, rows: Sequence[Row], every: int, figure: Figure) -> None:
    """Print the estimate and the truth for captions of which some are replaced."""
    made = [
        {**row, "candidate": row["caption" if n % every else "foil"]}
        for n, row in enumerate(rows)
    ]
    found = diagnosed(analysis, made)
    likely = [
        (rows[f.image_id], f.image_id % every == 0, f)
        for f in found.findings
        if f.kind in WRONG and (f.probability or 0) >= RELIABLE
    ]
    hits = sum(
        replaced
        and not {*f.words.split(), *f.members[0].split()}.isdisjoint(
            (row["wrong"], *row["wrong"].split())
        )
        for row, replaced, f in likely
    )
    true = (hits + PEOPLE_RIGHT * (len(likely) - hits)) / max(1, len(likely))
    listing = found.people.listing(found.by_image, RELIABLE)
    listed = sum(f.kind in WRONG for f in found.believed().findings)
    name = f"mixed.{100 // every}"
    figure(f"{name}.share", listing.share or 0.0, 2)
    figure(f"{name}.true", true, 2)
    print(
        f"{100 / every:.0f} % replaced: {len(likely)} probable findings, true share "
        f"{true:.2f}; listed {listed}, estimated share {listing.share or 0:.2f}"
    )


def pascal(shared: Path) -> dict[str, list[Row]]:
    """Return captions of people for the picture, and for another one."""
    rows: dict[str, list[Row]] = {"right people": [], "other pictures": []}
    names = {"HC": "right people", "HI": "other pictures"}
    for n, row in enumerate(labels.judged(shared, "pascal50s_half")):
        if name := names.get(row["category"]):
            both = row["candidate_a"], row["candidate_b"]
            others = [text for text in row["references"] if text not in both]
            # Of a pair of the kind HI people prefer the caption of the picture.
            at = row["preferred"] == "a" if row["category"] == "HI" else 0
            made = {"candidate": both[at], "references": others[:5], "image_id": n}
            rows[name].append(made)
    return rows


def captioners(found: Iterable[tuple[str, Row]]) -> dict[str, list[Row]]:
    """Return captioner -> its rows."""
    rows: dict[str, list[Row]] = {name: [] for name in labels.SYSTEMS}
    for name, row in found:
        rows[name].append(row)
    return rows


def main() -> int:
    """Print all figures; return 0 if every target is met."""
    measurement = Measurement.from_arguments(__doc__)
    shared, analysis = measurement.shared, measurement.analysis
    captions = captioners(labels.systems(shared, IMAGES))
    foils = labels.errors(shared, "nocaps-foil")
    for part, figure in measurement.parts():
        for name, rows in captions.items():
            show(name, diagnosed(analysis, labels.of_part(rows, part)), figure)
        for every in EVERY:
            mixed(analysis, labels.of_part(foils, part), every, figure)
    for name, rows in pascal(shared).items():
        show(name, diagnosed(analysis, rows), named("pascal."))
    return 0


if __name__ == "__main__":
    raise SystemExit(figures.run(main, "listing"))
