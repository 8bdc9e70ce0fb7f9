"""Answers of large models: parts that describe, facts found, false facts.

Reads `errors/faithscore` of the shared data: 108 answers, by part and by fact.

* descriptive F: parts of answers that people called descriptive, against ours.
* facts found: facts that people took from an answer and whose objects, attributes and
  relations ours has, in any of its sentences.
* AUC: how often a false fact is called likelier wrong than a true one.
"""

from collections.abc import Iterable, Iterator, Sequence

from benchmarks import figures
from benchmarks.diagnosis.people import auc
from benchmarks.java_oracle import shared_parser
from spicepy.diagnosis import Analysis, Scene
from spicepy.diagnosis.captions.caption import Reading
from spicepy.diagnosis.captions.reader import analysis_pipeline
from spicepy.diagnosis.captions.statements import CaptionPart, parts
from spicepy.diagnosis.lexicon.nouns import ABOUT_ONE_THING, Nouns
from spicepy.diagnosis.results.facts import Fact, facts_of
from training.errors import labels
from training.errors.labels import Row


def descriptive(row: Row, found: Sequence[CaptionPart]) -> Iterator[tuple[bool, bool]]:
    """Yield for each labelled part our label and that of people."""
    at = 0
    for text, label in row["descriptive"].items():
        start = row["candidate"].find(text.strip(), at)
        if start >= 0:
            at = start + len(text.strip())
            middle = (start + at) // 2
            own = [p.descriptive for p in found if p.start <= middle < p.end]
            yield from ((value, bool(label)) for value in own[:1])


def chances(fact: Reading, own: Sequence[Fact], nouns: Nouns) -> list[float | None]:
    """Return for each statement of a labelled fact how likely it is wrong.

    None for one that the answer's facts lack.
    """
    wanted = [(thing.name,) for thing in fact.things]
    wanted += [(t.name, value) for t in fact.things for value in t.attributes]
    wanted += [
        (fact.things[a].name, how, fact.things[b].name) for a, how, b in fact.relations
    ]
    found: list[float | None] = []
    for members in wanted:
        same = [f.wrong for f in own if is_same(members, f.members, nouns)]
        found.append(max(same) if same else None)
    return found


def is_same(one: Sequence[str], other: Sequence[str], nouns: Nouns) -> bool:
    """Return whether two statements are about the same: things, and value if any."""
    if len(one) != len(other):
        return False
    ends = [(one[k], other[k]) for k in range(0, len(one), 2)]
    for a, b in ends:
        people = nouns.is_person(a) and nouns.is_person(b)  # "She" is the girl.
        if not (a == b or people or nouns.grade(a, b) in ABOUT_ONE_THING):
            return False
    return len(one) != 2 or one[1] == other[1]


def measure(rows: Iterable[Row], analysis: Analysis, prefix: str) -> None:
    """Print the figures of one part."""
    counts = [[0, 0], [0, 0]]
    found = every = 0
    scores: tuple[list[float], list[float]] = ([], [])
    for row in rows:
        texts = [row["candidate"], *row["references"], *row["facts"]]
        read = analysis.reader.read(texts)
        candidate = read[row["candidate"]]
        for ours, theirs in descriptive(
            row, parts(row["candidate"], analysis.lexicon.speculation)
        ):
            counts[ours][theirs] += 1
        scene = Scene(0, candidate, tuple(read[r] for r in row["references"]))
        own = facts_of(candidate, analysis.diagnose(scene).findings)
        for text, true in row["facts"].items():
            values = chances(read[text], own, analysis.lexicon.nouns)
            known = [value for value in values if value is not None]
            every += bool(values)  # "There are objects" says nothing.
            found += bool(values) and len(known) == len(values)
            scores[not true].append(max(known, default=0.0))
    right, wrong = counts[1][1], counts[1][0] + counts[0][1]
    for name, value in (
        ("descriptive.F", 2 * right / (2 * right + wrong)),
        ("facts.found", found / every),
        ("facts.auc", auc(*scores)),
    ):
        figures.figure(f"{prefix}{name}", value, 3)
        print(f"{name:16}{value:.3f}")
    print(f"{every} facts, {len(scores[1])} false; {sum(map(sum, counts))} parts")


def main() -> int:
    """Print all figures; return 0 if every target is met."""
    parser = shared_parser(__doc__)
    parser.add_argument("--part", choices=labels.PARTS, action="append")
    options = parser.parse_args()
    analysis = Analysis(pipeline=analysis_pipeline())
    for part in options.part or ["development"]:
        print(f"--- {part}")
        rows = labels.of_part(labels.errors(options.shared, "faithscore"), part)
        measure(rows, analysis, "" if part == "development" else f"{part}.")
    return 0


if __name__ == "__main__":
    raise SystemExit(figures.run(main, "answers"))
