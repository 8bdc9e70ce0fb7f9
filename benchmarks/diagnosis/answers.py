"""Answers of large models: parts that describe, facts found, false facts.

Reads `errors/faithscore` of the shared data: 108 answers, by part and by fact.

* descriptive F: parts of answers that people called descriptive, against ours.
* facts found: facts that people took from an answer and whose objects, attributes and
  relations ours has, in any of its sentences.
* AUC: how often a false fact is called likelier wrong than a true one.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from benchmarks import figures
from benchmarks.diagnosis.parts import Figure, Measurement
from benchmarks.diagnosis.people import auc
from spicepy.diagnosis import Analysis, Scene
from spicepy.diagnosis.captions.caption import CaptionPart, Reading, parts
from spicepy.diagnosis.findings import Fact, FactMembers
from spicepy.diagnosis.lexicon.lexicon import Lexicon
from spicepy.diagnosis.lexicon.nouns import ABOUT_ONE_THING, Nouns
from spicepy.diagnosis.results.diagnosing import facts_of, statements
from spicepy.words.morphology import lemmatize
from training.errors import labels
from training.errors.labels import Row

_NOTE: Final = re.compile(r" ?\([^)]*\)")
"""A note of the labellers: "There is a person (she)."."""


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


def chances(fact: Reading, own: Sequence[Fact], lexicon: Lexicon) -> list[float | None]:
    """Return for each statement of a labelled fact how likely it is wrong.

    None for one that the answer's facts lack. If it may mean several, those in the same
    words come first, and then the one that is likeliest wrong.
    """
    found: list[float | None] = []
    for _, members in statements(fact):
        same = [f for f in own if is_same(members, f.members, lexicon)]
        exact = [f for f in same if f.members == members] or same
        found.append(max((f.wrong for f in exact), default=None))
    return found


def is_same(one: FactMembers, other: FactMembers, lexicon: Lexicon) -> bool:
    """Return whether a statement of an answer says what a labelled fact says.

    Things are the same if they may be one, and relations if they relate the same. A
    bag that lies on a cart lies, and a cart with a bag has the bag on it. If the object
    is an umbrella, the umbrella is the object.
    """

    def alike(*pairs: tuple[str, str]) -> bool:
        return all(_is_one(a, b, lexicon.nouns) for a, b in pairs)

    match one, other:
        case (a,), (b,):
            return alike((a, b))
        case (a, value), (b, said):
            same = alike((a, b)) and _verb(value) == _verb(said)
            return same or alike((a, said), (value, b))
        case (a, value), (b, how, _):
            return alike((a, b)) and _verb(value) == how.split(" ")[0]
        case (a, how, b), (c, said, d):
            owning = not lexicon.relations.belonging.isdisjoint((how, said))
            return alike((a, c), (b, d)) or (owning and alike((a, d), (b, c)))
    return False


def _is_one(one: str, other: str, nouns: Nouns) -> bool:
    """Return whether two nouns may name one thing, as "she" is the girl."""
    people = nouns.is_person(one) and nouns.is_person(other)
    return people or one == other or nouns.grade(one, other) in ABOUT_ONE_THING


def _verb(attribute: str) -> str:
    """Return the verb of a participle: "pot" for "potted"."""
    return lemmatize(attribute, "VBN")


def _plain(fact: str) -> str:
    """Return a labelled fact without the labellers' notes."""
    return _NOTE.sub("", fact)


def measure(rows: Iterable[Row], analysis: Analysis, figure: Figure) -> None:
    """Print the figures of one part."""
    counts = [[0, 0], [0, 0]]
    found = every = 0
    scores: tuple[list[float], list[float]] = ([], [])
    for row in rows:
        texts = [row["candidate"], *row["references"], *map(_plain, row["facts"])]
        read = analysis.reader.read(texts)
        candidate = read[row["candidate"]]
        for ours, theirs in descriptive(
            row, parts(row["candidate"], analysis.lexicon.speculation)
        ):
            counts[ours][theirs] += 1
        scene = Scene(0, candidate, tuple(read[r] for r in row["references"]))
        own = facts_of(scene, analysis.diagnose(scene).findings, analysis)
        for text, true in row["facts"].items():
            values = chances(read[_plain(text)], own, analysis.lexicon)
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
        figure(name, value, 3)
        print(f"{name:16}{value:.3f}")
    print(f"{every} facts, {len(scores[1])} false; {sum(map(sum, counts))} parts")


def main() -> int:
    """Print all figures; return 0 if every target is met."""
    measurement = Measurement.from_arguments(__doc__)
    answers = labels.errors(measurement.shared, "faithscore")
    for part, figure in measurement.parts():
        measure(labels.of_part(answers, part), measurement.analysis, figure)
    return 0


if __name__ == "__main__":
    raise SystemExit(figures.run(main, "answers"))
