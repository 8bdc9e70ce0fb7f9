"""The error analysis beside errors that people found.

* flickr30k-labelled: kinds of errors in a caption, by people who saw the image; and the
  same caption with one kind mended by hand, which must move its own kind only. Captions
  that people called generally unrelated are left out: they stopped listing there.
* hat: words marked as hallucinated.
* nocaps-foil: a caption with one object replaced by another.
* composite: captions rated from 1 to 5 for correctness and for thoroughness.
* systems: captioners and people on the same COCO images.

Figures "listed" are of the findings that are listed by default of one caption, by their
own evidence; `benchmarks.diagnosis.listing` is about whole systems.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Final

import numpy as np

from benchmarks import figures
from benchmarks.diagnosis.parts import Figure, Measurement
from spicepy.diagnosis import Diagnosis, Finding, ImageDiagnosis
from spicepy.diagnosis.kinds import NAMES, REMARKS, WRONG
from spicepy.study.coefficients import coefficient
from training.errors import labels
from training.errors.labels import LABELS, UNRELATED, Row

REPAIRS: Final[Mapping[str, str]] = {
    "gender": "wrong gender",
    "color-of-clothing": "wrong color",
    "type-of-clothing": "wrong clothing",
    "activity": "wrong activity",
    "scene-event-location": "wrong place",
}
IMAGES: Final = 400
"""The number of images on which captioners are compared."""
_GOOD: Final = 5  # A perfect caption's rating; bad ones have 3 at most.
_BAD: Final = 3
_UNLIKELY: Final = 0.1

Diagnose = Callable[[str, Sequence[str]], ImageDiagnosis]


def listed(found: ImageDiagnosis) -> list[Finding]:
    """Return the errors that are listed by default."""
    [shown] = Diagnosis((found,)).believed().by_image
    return errors(shown)


def errors(found: ImageDiagnosis) -> list[Finding]:
    """Return the mistakes among findings."""
    return [f for f in found.findings if f.kind not in REMARKS]


def commissions(found: Sequence[Finding]) -> list[Finding]:
    """Return the findings that a caption says something wrong."""
    return [f for f in found if f.kind in WRONG]


def labelled(found: Sequence[Row], diagnose: Diagnose, figure: Figure) -> None:
    """Flickr30k: errors in clean captions, precision and recall by kind."""
    every = [diagnose(row["candidate"], row["references"]) for row in found]
    clean = [listed(d) for row, d in zip(found, every) if not row["errors"]]
    kinds = Counter(f.kind for own in clean for f in own)
    wrong = sum(kinds[kind] for kind in WRONG)
    figure("clean.errors", kinds.total() / len(clean), 2)
    figure("clean.commissions", wrong / len(clean), 2)
    print(f"error-free captions ({len(clean)}): {dict(kinds)}")
    related = [(r, d) for r, d in zip(found, every) if UNRELATED not in r["errors"]]
    print(f"{'kind':16}labelled  listed: hits recall precision  all: recall precision")
    for kind, names in LABELS.items():
        wanted = [not set(names).isdisjoint(row["errors"]) for row, _ in related]
        shown = [any(f.kind == kind for f in listed(d)) for _, d in related]
        given = [any(f.kind == kind for f in errors(d)) for _, d in related]
        figure(f"{kind}.labelled", sum(wanted))
        (hits, recall, precision), full = (
            agreement(wanted, shown),
            agreement(wanted, given),
        )
        for name, share in (("recall", recall), ("precision", precision)):
            figure(f"{kind}.listed.{name}", share, 2)
        figure(f"{kind}.recall", full[1], 2)
        figure(f"{kind}.precision", full[2], 2)
        print(
            f"{kind:16}{sum(wanted):8}{hits:14}{recall:7.2f}{precision:10.2f}"
            f"{full[1]:13.2f}{full[2]:10.2f}"
        )


def agreement(
    wanted: Sequence[bool], given: Sequence[bool]
) -> tuple[int, float, float]:
    """Return hits, recall and precision."""
    hits = sum(a and b for a, b in zip(wanted, given))
    return hits, hits / max(1, sum(wanted)), hits / max(1, sum(given))


def repairs(found: Sequence[Row], diagnose: Diagnose, figure: Figure) -> None:
    """Print how a repair of one kind moves the findings of every kind, a caption."""
    for name, own in REPAIRS.items():
        pairs = [(r, r["repaired"][name]) for r in found if name in r["repaired"]]
        moved: Counter[str] = Counter()
        for row, repaired in pairs:
            for sign, text in ((1, row["candidate"]), (-1, repaired)):
                for finding in listed(diagnose(text, row["references"])):
                    moved[finding.kind] += sign
        shown = {k: n for k in NAMES if (n := moved[k]) or k == own}
        others = max((abs(n) for k, n in moved.items() if k != own), default=0)
        figure(f"repair.{name}.own", moved[own])
        figure(f"repair.{name}.others", others)
        print(f"repair {name:22} {len(pairs):4} captions; fewer findings: {shown}")


def hat(found: Sequence[Row], diagnose: Diagnose, figure: Figure) -> None:
    """HAT: marked words among those reported; ranking of captions."""
    hits = reported = 0
    scores: tuple[list[float], list[float]] = ([], [])
    for row in found:
        diagnosis = diagnose(row["candidate"], row["references"])
        wrong = {w.lower().strip(".,") for w, bad in row["words"] if bad}
        given = commissions(listed(diagnosis))
        hits += sum(not wrong.isdisjoint(f.words.lower().split()) for f in given)
        reported += len(given)
        scores[bool(row["hallucination"])].append(diagnosis.risk)
    figure("hat.auc", auc(*scores), 3)
    figure("hat.precision", hits / max(1, reported), 2)
    print(f"HAT: {hits} of {reported} findings marked; AUC {auc(*scores):.3f}")


def auc(low: Sequence[float], high: Sequence[float]) -> float:
    """Return how often a value of the second is above one of the first."""
    won = sum((h > x) + (h == x) / 2 for h in high for x in low)
    return won / (len(low) * len(high))


def foil(found: Sequence[Row], diagnose: Diagnose, figure: Figure) -> None:
    """nocaps-FOIL: the replaced word among the invented ones.

    All findings, those with a probability of `_UNLIKELY` or more, and those listed.
    """
    counts: Counter[str] = Counter()
    for row in found:
        for name, word in (("foil", row["wrong"]), ("caption", row["right"])):
            diagnosis = diagnose(row[name], row["references"])
            every = errors(diagnosis)
            some = [f for f in every if (f.probability or 0) >= _UNLIKELY]
            titles = (("", every), ("some.", some), ("listed.", listed(diagnosis)))
            for title, given in titles:
                words = {
                    w
                    for f in given
                    if f.kind in labels.OBJECTS
                    for w in (*f.words.split(), *f.members[0].split())
                }
                counts[title + name] += not words.isdisjoint((word, *word.split()))
    shares = {name: 100 * n / len(found) for name, n in counts.items()}
    for name in ("foil", "caption"):
        for title in ("", "some.", "listed."):
            figure(f"foil.{title}{name}", shares[f"{title}{name}"], 1)
    print(f"FOIL ({len(found)}): %", {k: round(v, 1) for k, v in shares.items()})


def composite(found: Sequence[Row], diagnose: Diagnose, figure: Figure) -> None:
    """Composite: the ratings of people beside `risk` and what is missed."""
    rated = [(row, diagnose(row["candidate"], row["references"])) for row in found]
    for title in ("all", "machine"):
        own = [(r, d) for r, d in rated if title == "all" or r["system"] != "human"]
        tau = -_tau([d.risk for _, d in own], [r["human"] for r, _ in own])
        pairs = [(d.omissions, r["thoroughness"]) for r, d in own]
        known = [(o, t) for o, t in pairs if t is not None]
        missed = -_tau(*map(list, zip(*known, strict=True)))
        figure(f"composite.{title}.tau", tau, 3)
        figure(f"composite.{title}.omissions.tau", missed, 3)
        bad = [d for r, d in own if r["human"] <= _BAD]
        good = [d for r, d in own if r["human"] == _GOOD]
        shares = [
            np.mean([bool(commissions(listed(d))) for d in g]) for g in (bad, good)
        ]
        for name, share in zip(("bad", "perfect"), shares):
            figure(f"composite.{title}.{name}", 100 * float(share), 1)
        print(
            f"Composite, {title} ({len(own)}): tau {tau:.3f}, omissions {missed:.3f}; "
            f"with an error: bad {shares[0]:.3f}, perfect {shares[1]:.3f}"
        )


def _tau(ours: Sequence[float], people: Sequence[float]) -> float:
    return float(coefficient("kendall-b", np.array(ours), np.array(people)).value)


def systems(
    found: Sequence[tuple[str, Row]], diagnose: Diagnose, figure: Figure
) -> None:
    """Captioners on the same images: mean risk a caption."""
    for name in labels.SYSTEMS:
        own = [diagnose(r["candidate"], r["references"]) for n, r in found if n == name]
        risk = float(np.mean([d.risk for d in own]))
        figure(f"systems.{name}.risk", risk, 3)
        print(f"{name:12} ({len(own)}) mean risk {risk:.3f}")


def main() -> int:
    """Print all figures; return 0 if every target is met."""
    measurement = Measurement.from_arguments(__doc__)
    shared = measurement.shared
    for part, figure in measurement.parts():
        read = partial(labels.errors, shared)
        files = [
            labels.of_part(read(n), part)
            for n in ("flickr30k-labelled", "hat", "nocaps-foil")
        ]
        files.append(labels.of_part(labels.judged(shared, "composite_half"), part))
        others = [
            (name, row)
            for name, row in labels.systems(shared, IMAGES)
            if labels.part_of(row["image_id"]) == part
        ]
        diagnose = labels.reader(
            measurement.analysis,
            [row for file in files for row in file] + [r for _, r in others],
        )
        labelled(files[0], diagnose, figure)
        repairs(files[0], diagnose, figure)
        hat(files[1], diagnose, figure)
        foil(files[2], diagnose, figure)
        composite(files[3], diagnose, figure)
        systems(others, diagnose, figure)
    return 0


if __name__ == "__main__":
    raise SystemExit(figures.run(main, "errors"))
