"""The diagnosis of a captioner: its errors over all images of an evaluation.

In: the observations and findings of each image (see `diagnosing`). Out: a `Diagnosis`:
the verdict on every number, colour, size … that the references give an object, and the
errors; as sums, tables, rows and plain values.

The number (colour, size) of an object is compared only if the candidate has such an
object; an object without a mention is a missed object and not a wrong number. If
references disagree ("two dogs", "three dogs"), each of their values is right.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, field, replace
from functools import cached_property
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from spicepy.common.errors import find_name
from spicepy.common.json_values import plain
from spicepy.common.resources import required
from spicepy.common.settings import RELIABLE
from spicepy.common.tables import Table, html_of
from spicepy.common.writing import Displayed, write
from spicepy.diagnosis.counting import CountingSkill
from spicepy.diagnosis.findings import (
    Fact,
    Finding,
    ImageDiagnosis,
    Kind,
    Observation,
    Pattern,
)
from spicepy.diagnosis.kinds import NAMES, QUESTIONS, WRONG
from spicepy.diagnosis.lexicon.aspects import ASPECTS, Aspect, Value
from spicepy.diagnosis.results import rows
from spicepy.diagnosis.results.answers import AnswerEvidence
from spicepy.diagnosis.results.listing import Listing, ReferenceComparison
from spicepy.diagnosis.results.sums import (
    Hallucinations,
    ValueSummary,
    categories,
    classes,
    confusions,
    hallucinations,
    most_frequent,
    summarise,
    unnamed_classes,
)
from spicepy.diagnosis.results.tables import (
    FIRST,
    FIRST_PATTERNS,
    doubted_facts,
    expectation_table,
    hallucinated,
    kind_table,
    pattern_table,
    probable_table,
    ranking_table,
    value_tables,
)
from spicepy.metrics.significance import Expectation, expectation
from spicepy.metrics.spice import CategoryScore

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, repr=False)
class Diagnosis(Displayed):
    """Observations and findings by image, and their sums.

    Attributes:
        by_image: The error analyses of the images.
        signature: The signature of the evaluation.
        vocabulary: The name of the object classes whose hallucinations are counted.
        listing: The probability below which findings are hidden.
        facts: For each image, the facts that its candidate states; empty if they were
            not asked for.
        people: The comparison of the references with each other, by which `believed`
            estimates how many findings are right.
        patterns: What the captioner does more often than people, the greatest excess
            first.
        counting: How well the captioner counts, beside people.
        ranked: All findings that have a probability, listed or not, the most probable
            first.
        answers: What a vision model's answers say, if there are any.
    """

    by_image: tuple[ImageDiagnosis, ...]
    signature: str = ""
    vocabulary: str = ""
    listing: Listing = field(default_factory=Listing)
    facts: tuple[tuple[Fact, ...], ...] = ()
    people: ReferenceComparison = field(default_factory=ReferenceComparison)
    patterns: tuple[Pattern, ...] = ()
    counting: CountingSkill = field(default_factory=CountingSkill)
    ranked: tuple[Finding, ...] = ()
    answers: AnswerEvidence | None = None

    @property
    def images(self) -> int:
        """The number of images."""
        return len(self.by_image)

    @cached_property
    def observations(self) -> tuple[Observation, ...]:
        """The observations of all images."""
        return tuple(o for image in self.by_image for o in image.observations)

    @cached_property
    def findings(self) -> tuple[Finding, ...]:
        """The findings of all images, errors and remarks."""
        return tuple(f for image in self.by_image for f in image.findings)

    @property
    def risk(self) -> Expectation:
        """The expected number of wrong statements a caption, hidden ones included."""
        return expectation([image.risk for image in self.by_image])

    @property
    def omissions(self) -> Expectation:
        """The expected number of things that a caption leaves out, hidden included."""
        return expectation([image.omissions for image in self.by_image])

    def hidden(self) -> dict[Kind, int]:
        """Return kind -> the number of findings hidden for a low probability.

        Only kinds with hidden findings are keys.
        """
        return _numbers(kind for image in self.by_image for kind in image.hidden)

    def unmeasured(self) -> dict[Kind, int]:
        """Return kind -> the number of findings hidden for want of a probability.

        Nobody has checked findings of such a kind; they are in no expected number.
        """
        return _numbers(kind for image in self.by_image for kind in image.unmeasured)

    def of(self, aspect: Aspect) -> list[Observation]:
        """Return the observations of one aspect; an unknown name is an `InputError`."""
        known = find_name("aspect", aspect, ASPECTS)
        return [o for o in self.observations if o.aspect == known]

    def categories(self) -> dict[str, CategoryScore]:
        """Return SPICE's precision, recall and F by category, as means over images."""
        return categories([image.counts for image in self.by_image])

    def confusion(self, aspect: Aspect) -> dict[tuple[Value, Value], int]:
        """Return (references' value, candidate's value) -> number of objects."""
        return confusions(self.of(aspect))

    def summary(self, aspect: Aspect) -> ValueSummary:
        """Return the number and share of each verdict on the values of an aspect.

        "right_share" comes with "right_low" and "right_high" (its 95 % interval), and
        likewise for wrong, unsaid and absent; counts also have a mean absolute error.
        """
        return summarise(self.of(aspect))

    def hallucinations(self) -> Hallucinations:
        """Return the rates of hallucinated objects, and the objects by frequency."""
        return hallucinations(self.by_image)

    def unnamed_classes(self) -> Hallucinations:
        """Return the rates of the vocabulary's classes that no reference names."""
        return unnamed_classes(self.by_image)

    def by_object(self, aspect: Aspect) -> dict[str, ValueSummary]:
        """Return `summary` for each object class, the most frequent first."""
        return classes(self.of(aspect))

    def most_frequent(
        self, kind: Kind, limit: int | None = 20
    ) -> list[tuple[str, int]]:
        """Return the most frequent tuples of a kind, each with its number.

        The name of no kind is an `InputError`.
        """
        return most_frequent(self.findings, find_name("kind", kind, NAMES))[:limit]

    def believed(self, precision: float = RELIABLE) -> "Diagnosis":
        """Return the diagnosis with those findings only that are probable enough.

        Args:
            precision: The probability (0-1) below which findings are hidden.
        """
        return self.listed_by(self.people.listing(self.by_image, precision))

    def listed_by(
        self, listing: Listing, certain: Set[Finding] = frozenset()
    ) -> "Diagnosis":
        """Return the diagnosis with the findings of a listing, and those certain."""
        kept = tuple(listing.of_image(image, certain) for image in self.by_image)
        return replace(self, by_image=kept, listing=listing)

    def to_dict(self) -> dict[str, Any]:
        """Return JSON-ready values: the sums, and every image."""
        result: dict[str, Any] = {"signature": self.signature, "images": self.images}
        result["counting"] = {
            "sentence": self.counting.sentence,
            "system": plain(self.counting.own),
            "people": plain(self.counting.people),
        }
        result["risk"], result["omissions"] = plain(self.risk), plain(self.omissions)
        result["patterns"] = [{**plain(p), "excess": p.excess} for p in self.patterns]
        result["categories"] = plain(self.categories())
        result["hallucinations"] = plain(self.hallucinations())
        if self.vocabulary:
            rates = plain(self.unnamed_classes())
            result["unnamed_classes"] = {"vocabulary": self.vocabulary, **rates}
        for aspect in ASPECTS:
            result[aspect] = {
                **self.summary(aspect),
                "confusion": [
                    {"expected": e, "said": s, "number": n}
                    for (e, s), n in self.confusion(aspect).items()
                ],
                "by_object": self.by_object(aspect),
            }
        if self.answers is not None:
            result["answers"] = plain(self.answers)
        result["precision"] = self.listing.precision
        result["people"] = self._people()
        for question, kinds in QUESTIONS.items():
            result[question.replace(" ", "_")] = self._ranking(kinds)
        result["by_image"] = [_image(image) for image in self.by_image]
        for image, own in zip(result["by_image"], self.facts):
            image["facts"] = plain(own)
        return result

    def _people(self) -> dict[str, Any]:
        """Return the figures of the references' comparison, and what follows."""
        people = self.people
        return {
            "captions": people.captions,
            "risk": plain(people.risk),
            "detail": people.detail,
            "share_right": self.listing.share,
        }

    def _ranking(self, kinds: Sequence[Kind]) -> dict[str, Any]:
        """Return the findings of one question, the most frequent kinds first."""
        listed = Counter(f.kind for f in self.findings if f.kind in kinds)
        hidden, unmeasured = self.hidden(), self.unmeasured()
        return {
            kind: {
                "listed": listed[kind],
                "hidden": hidden.get(kind, 0),
                "unmeasured": unmeasured.get(kind, 0),
                "tuples": [
                    {"tuple": name, "number": n}
                    for name, n in self.most_frequent(kind, None)
                ],
            }
            for kind in sorted(kinds, key=lambda kind: -listed[kind])
        }

    @property
    def verdict(self) -> tuple[str, ...]:
        """The verdict on how well it counts, and how many errors captions have."""
        probable = Listing(RELIABLE)
        wrong = [f for f in self.ranked if f.kind in WRONG and probable.has(f)]
        number = 100 * len(wrong) / max(1, len(self.by_image))
        left_out = 100 * (self.omissions.mean or 0)
        people, beside = self.people, ""
        if people.captions:
            beside = f" (100 references {people.in_100_captions(RELIABLE):.0f})"
        return (
            self.counting.sentence,
            f"100 captions make about {number:.0f} statements that are wrong with a "
            f"probability of {RELIABLE:.0%} or more{beside} and are expected to leave "
            f"out {left_out:.0f} things that others name.".replace("%", " %"),
        )

    def _repr_html_(self) -> str:
        """Return what the command prints by default, for notebooks."""
        sentences = "".join(f"<p>{escape(text)}</p>" for text in self.verdict)
        return sentences + html_of(list(self.first_screen()))

    def first_screen(self) -> tuple[Table, ...]:
        """Return the tables that matter most, which fit one screen.

        Whether it can count, the strongest patterns, and the most probable findings
        that it says something wrong.
        """
        wrong = [f for f in self.ranked if f.kind in WRONG]
        return (
            self.counting.table(),
            pattern_table(self.patterns, FIRST_PATTERNS),
            probable_table(wrong, self.listing, self.precision_of_first()),
            *self._answers(),
        )

    def precision_of_first(self) -> dict[int, float]:
        """Return the estimated share of right ones among the most probable errors.

        Among the first 10, 20, 50 and 100, as far as there are so many; fewer are too
        few to compare with the findings about references.
        """
        numbers = {image.image_id: image.references for image in self.by_image}
        known = [
            (f.probability or 0.0, numbers[f.image_id])
            for f in self.ranked
            if f.kind in WRONG
        ]
        return {
            n: self.people.share_of_first(n, known, numbers.values())
            for n in FIRST
            if n <= len(known)
        }

    def _answers(self) -> tuple[Table, ...]:
        return () if self.answers is None else (self.answers.table(),)

    def tables(self) -> tuple[Table, ...]:
        """Return all tables, the expected errors of a caption first.

        Then come how well it counts, the patterns, the errors by question (says wrong,
        leaves out, remarks), SPICE's categories, verdicts, object classes, confusions,
        objects that no reference has, facts, and classes of the vocabulary.
        """
        expected = {"says wrong": self.risk, "leaves out": self.omissions}
        if self.people.captions:
            expected["human references, for comparison"] = self.people.risk
        tables = [expectation_table(expected), self.counting.table(), *self._answers()]
        tables.append(pattern_table(self.patterns))
        tables += self._findings_by_question()
        tables += value_tables(self.categories(), self.observations)
        invented = "Objects that no reference has or is like"
        tables.append(hallucinated(self.hallucinations(), invented))
        if self.facts:
            tables.append(doubted_facts(self.by_image, self.facts))
        if self.vocabulary:
            title = f"Classes of {self.vocabulary} that no reference names"
            tables.append(hallucinated(self.unnamed_classes(), title))
        return tuple(tables)

    def _findings_by_question(self) -> Iterator[Table]:
        """Yield the tables of kinds and of frequent tuples, question by question."""
        hidden, unmeasured = self.hidden(), self.unmeasured()
        for question, kinds in QUESTIONS.items():
            own = [f for f in self.findings if f.kind in kinds]
            yield kind_table(
                *(question, kinds, own, hidden, unmeasured, self.listing.precision),
                self.people.note(self.listing) if kinds == WRONG else "",
            )
            if own:
                yield ranking_table(question, own)

    def errors(self) -> Table:
        """Return a table with a row for each finding."""
        return rows.errors(self.findings, self.by_image, self.patterns)

    def to_frame(self) -> "pd.DataFrame":
        """Return all findings as a DataFrame, the most probable first.

        Findings that are not listed are there, too; the columns are those of
        `errors()`, and `attrs["signature"]` is `signature`.

        Raises:
            ResourceError: pandas cannot be imported.
        """
        pandas = required("pandas", "to_frame()")
        others = [f for f in self.findings if f.probability is None]
        every = (*self.ranked, *others)
        table = rows.errors(every, self.by_image, self.patterns)
        frame = pandas.DataFrame(list(table.rows), columns=list(table.columns))
        frame.attrs["signature"] = self.signature
        return frame

    def write(self, path: str | Path) -> list[Path]:
        """Write the diagnosis as `spicepy.common.writing.Displayed.write` does.

        An .xlsx file (extra `excel`) has a sheet for each table of `rows()`.
        """
        return write(self, Path(path), {".xlsx": rows.workbook})

    def rows(self) -> dict[str, Table]:
        """Return tables of plain rows by name.

        A row of "errors" is a finding, of "patterns" a habit, of "values" the number
        (colour, size …) of an object, of "images" an image, of "categories" a category
        of SPICE, of "objects" an object class, of "confusion" a pair of values, of
        "ranking" a tuple, and of "facts" a statement of a candidate.
        """
        return {
            "errors": self.errors(),
            "patterns": rows.patterns(self.patterns),
            "values": rows.values(self.observations),
            "images": rows.images(self.by_image),
            "categories": rows.categories(self.categories()),
            "objects": rows.objects(self.observations),
            "confusion": rows.confusion(self.observations),
            "ranking": rows.ranking(self.findings),
            **({"facts": rows.facts(self.by_image, self.facts)} if self.facts else {}),
        }


def _numbers(kinds: Iterable[Kind]) -> dict[Kind, int]:
    """Return kind -> how often it occurs, in the order of tables."""
    numbers = Counter(kinds)
    return {kind: numbers[kind] for kind in NAMES if numbers[kind]}


def _image(image: ImageDiagnosis) -> dict[str, Any]:
    """Return an image as plain values, without what is None."""

    def listed(rows: Sequence[Observation | Finding]) -> list[dict[str, Any]]:
        return [
            {k: v for k, v in plain(x).items() if v is not None and k != "image_id"}
            for x in rows
        ]

    return {
        "image_id": image.image_id,
        "categories": {name: c.to_dict() for name, c in image.counts.items()},
        "observations": listed(image.observations),
        "errors": listed(image.findings),
        "hidden": dict(Counter(image.hidden)),
        "unmeasured": dict(Counter(image.unmeasured)),
        "risk": image.risk,
        "omissions": image.omissions,
    }
