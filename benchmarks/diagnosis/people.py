"""The error analysis beside errors that people found.

On `../shared/errors/`: machine captions with human labels.

* flickr30k-labelled: kinds of errors in a caption, by people who saw the image; and the
  same caption with one kind mended by hand, which must move its own kind only. Captions
  that people called generally unrelated are left out: they stopped listing there.
* hat: words marked as hallucinated.
* nocaps-foil: a caption with one object replaced by another.

Only the development half is here; nothing in `spicepy` may be fitted to single
captions.
"""

import gzip
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks.figures import figure, run
from benchmarks.java_oracle import shared_parser
from spicepy.diagnosis import Analysis, Finding, ImageDiagnosis, Scene
from spicepy.diagnosis.kinds import NAMES, REMARKS
from spicepy.pipeline import Pipeline

LABELS: Mapping[str, tuple[str, ...]] = {
    "wrong count": ("number",),
    "wrong color": ("color of clothing", "color"),
    "wrong gender": ("gender",),
    "wrong age": ("age",),
    "wrong clothing": ("type of clothing",),
    "wrong activity": ("activity",),
    "wrong place": ("scene/event/location",),
    "confused object": ("similar-object", "similar-subject", "wrong-object"),
}
REPAIRS: Mapping[str, str] = {
    "gender": "wrong gender",
    "color-of-clothing": "wrong color",
    "type-of-clothing": "wrong clothing",
    "activity": "wrong activity",
    "scene-event-location": "wrong place",
}
OBJECTS = ("invented object", "confused object", "wrong place", "wrong clothing")
"""Kinds that say: this object of the candidate is not in the picture."""
Row = dict[str, Any]


def rows(folder: Path, name: str) -> list[Row]:
    """Return the records of a file."""
    with gzip.open(folder / f"{name}.jsonl.gz", "rt", encoding="utf-8") as file:
        return [json.loads(line) for line in file]


class Captions:
    """Captions read once, candidates diagnosed against references."""

    def __init__(self, analysis: Analysis, captions: Iterable[str]) -> None:
        self.analysis = analysis
        self.readings = analysis.reader.read(captions)

    def __call__(self, candidate: str, references: Sequence[str]) -> ImageDiagnosis:
        """Return the diagnosis of a candidate."""
        others = tuple(self.readings[r] for r in references)
        return self.analysis.diagnose(Scene(0, self.readings[candidate], others))


def captions(*files: Iterable[Row]) -> Iterator[str]:
    """Yield all captions of the records."""
    for file in files:
        for row in file:
            for key in ("candidate", "caption", "foil"):
                if key in row:
                    yield row[key]
            yield from row["references"]
            yield from row.get("repaired", {}).values()


def errors(found: ImageDiagnosis) -> list[Finding]:
    """Return the mistakes among findings."""
    return [f for f in found.findings if f.kind not in REMARKS]


def labelled(found: Sequence[Row], analysis: Captions, verbose: str) -> None:
    """Flickr30k: errors in clean captions, precision and recall by kind."""
    diagnosed = [analysis(row["candidate"], row["references"]) for row in found]
    clean = [d for row, d in zip(found, diagnosed) if not row["errors"]]
    kinds = Counter(f.kind for d in clean for f in errors(d))
    figure("clean.errors", kinds.total() / len(clean), 1)
    print(f"error-free captions ({len(clean)}): errors each", end=" ")
    print(f"{kinds.total() / len(clean):.2f}", end="; ")
    print({k: round(n / len(clean), 2) for k, n in kinds.items()})
    related = [
        (row, d)
        for row, d in zip(found, diagnosed)
        if "generally unrelated" not in row["errors"]
    ]
    print(f"{'kind':16}labelled reported  hits recall precision (unrelated too)")
    for kind, labels in LABELS.items():
        wanted = [not set(labels).isdisjoint(row["errors"]) for row, _ in related]
        given = [any(f.kind == kind for f in errors(d)) for _, d in related]
        hits = sum(a and b for a, b in zip(wanted, given))
        every = sum(any(f.kind == kind for f in errors(d)) for d in diagnosed)
        figure(f"{kind}.labelled", sum(wanted))
        figure(f"{kind}.recall", hits / max(1, sum(wanted)), 2)
        figure(f"{kind}.precision", hits / max(1, sum(given)), 2)
        print(
            f"{kind:16}{sum(wanted):8}{sum(given):9}{hits:6}"
            f"{hits / max(1, sum(wanted)):7.2f}{hits / max(1, sum(given)):10.2f}"
            f"{hits / max(1, every):10.2f}"
        )
        if verbose == kind:
            for (row, d), want, give in zip(related, wanted, given):
                if want or give:
                    show(row, d, f"{'labelled' * want} {'reported' * give}")


def show(row: Row, found: ImageDiagnosis, title: str) -> None:
    """One caption with what people and the analysis say."""
    print(f"\n{title}: {row['candidate']}  {row.get('errors', '')}")
    print(*(f"      {reference}" for reference in row["references"]), sep="\n")
    for f in errors(found):
        print(f"    * {f.kind}: {f.members} {f.said} for {f.expected} ({f.references})")


def repairs(found: Sequence[Row], analysis: Captions) -> None:
    """How a repair of one kind moves the findings of every kind, a caption."""
    for name, own in REPAIRS.items():
        pairs = [(r, r["repaired"][name]) for r in found if name in r["repaired"]]
        moved: Counter[str] = Counter()
        for row, repaired in pairs:
            for sign, text in ((1, row["candidate"]), (-1, repaired)):
                for finding in errors(analysis(text, row["references"])):
                    moved[finding.kind] += sign
        shown = {k: n for k in NAMES if (n := moved[k]) or k == own}
        others = max((abs(n) for k, n in moved.items() if k != own), default=0)
        figure(f"repair.{name}.own", moved[own])
        figure(f"repair.{name}.others", others)
        print(f"repair {name:22} {len(pairs):4} captions; fewer findings: {shown}")


def hat(found: Sequence[Row], analysis: Captions, verbose: str) -> None:
    """HAT: marked words among those reported; ranking of captions."""
    hits = reported = marked = 0
    scores: tuple[list[float], list[float]] = ([], [])
    for row in found:
        diagnosis = analysis(row["candidate"], row["references"])
        wrong = {w.lower().strip(".,") for w, bad in row["words"] if bad}
        given = [f for f in errors(diagnosis) if f.kind in OBJECTS]
        hit = [f for f in given if not wrong.isdisjoint(f.words.lower().split())]
        hits, reported = hits + len(hit), reported + len(given)
        marked += len(wrong)
        scores[bool(row["hallucination"])].append(diagnosis.risk)
        if verbose == "hat" and given:
            show(row, diagnosis, f"{sorted(wrong)}")
    figure("hat.auc", auc(*scores), 3)
    figure("hat.precision", hits / max(1, reported), 2)
    print(
        f"HAT: {reported} invented words, {hits} of them marked: precision "
        f"{hits / max(1, reported):.2f}; {marked} marked words; "
        f"AUC of captions {auc(*scores):.3f}"
    )


def auc(low: Sequence[float], high: Sequence[float]) -> float:
    """How often a value of the second is above one of the first; ties are half."""
    won = sum((h > x) + (h == x) / 2 for h in high for x in low)
    return won / (len(low) * len(high))


def foil(found: Sequence[Row], analysis: Captions, verbose: str) -> None:
    """nocaps-FOIL: the replaced word among the invented ones."""
    counts: Counter[str] = Counter()
    for row in found:
        for name, word in (("foil", row["wrong"]), ("caption", row["right"])):
            diagnosis = analysis(row[name], row["references"])
            given = [f for f in errors(diagnosis) if f.kind in OBJECTS]
            words = {
                w for f in given for w in (*f.words.split(), *f.members[0].split())
            }
            hit = not words.isdisjoint((word, *word.split()))
            counts[name] += hit
            counts[f"{name} any"] += bool(given)
            if verbose == f"foil {name}" and hit == (name == "caption"):
                show({**row, "candidate": row[name]}, diagnosis, f"{word}")
    shares = {name: round(n / len(found), 3) for name, n in counts.items()}
    figure("foil.foil", 100 * shares["foil"], 0)
    figure("foil.caption", 100 * shares["caption"], 0)
    print(f"FOIL ({len(found)}): the word is reported as not there: {shares}")


def main() -> int:
    """Print all figures; return 0 if every target is met."""
    parser = shared_parser(__doc__)
    parser.add_argument("--model", help="a parser for the grammar spicepy-1")
    parser.add_argument("--verbose", default="", help="a kind, hat, foil foil …")
    options = parser.parse_args()
    model = options.model
    pipeline = Pipeline(grammar="spicepy-1", model=model) if model else None
    names = ("flickr30k-labelled", "hat", "nocaps-foil")
    files = [rows(options.shared / "errors", name) for name in names]
    analysis = Captions(Analysis(pipeline=pipeline), captions(*files))
    labelled(files[0], analysis, options.verbose)
    repairs(files[0], analysis)
    hat(files[1], analysis, options.verbose)
    foil(files[2], analysis, options.verbose)
    return 0


if __name__ == "__main__":
    raise SystemExit(run(main, "errors"))
