"""The result of counting: how well captions count objects."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import inf
from typing import Any, Final

import numpy as np

from spicepy.captions.sample import ImageId
from spicepy.common.errors import counted
from spicepy.common.tables import Table
from spicepy.metrics.base import number
from spicepy.objects.chair_results import MeasuredCaptions, entry_table, signature
from spicepy.objects.counting import (
    KEYS,
    PERSON,
    WIDTH,
    CaptionCounts,
    Counting,
    ScoredClaim,
    corpus_scores,
    row_of,
)
from spicepy.objects.instances import ImageCaption
from spicepy.objects.vocabulary import COCO

TITLES: Final = {
    "count-exact": "exact",
    "count-off-by-one": "off by at most one",
    "count-mae": "mean absolute error",
    "count-rmse": "RMSE",
    "count-over": "said too many",
    "count-under": "said too few",
    "count-coverage": "coverage",
    "count-f1": "F1 of exact and coverage",
    "count-two": "baseline: always two",
}
"""The titles of the scores in tables."""
_SUMMARY: Final = ("exact", "off-by-one", "mae", "over", "under")
_SHOWN: Final = ("claims", *_SUMMARY, "always_two")
"""The values of a group of claims that tables show."""
_MIN_CLAIMS: Final = 20
"""The number of claims that a class needs to be part of the mean over classes."""
_JUDGED: Final = ("consistent", "refuted")
_BOUNDS: Final = ("modified", "subset", "bounded")
_TRUE: Final = {
    **{"1": (1, 1), "2": (2, 2), "3": (3, 3), "4": (4, 4)},
    **{"5-6": (5, 6), "7-11": (7, 11), "12-": (12, inf)},
}


@dataclass(frozen=True, repr=False)
class CountingResult(MeasuredCaptions[CaptionCounts, Counting]):
    """Counting over a file of captions; scores are those of tier A."""

    # The references of the same images, measured in the same way, if any.
    people: tuple[CaptionCounts, ...] = ()
    titles = TITLES
    width = WIDTH

    @property
    def protocol(self) -> dict[str, object]:
        """The protocol of the measurement, line by line."""
        claims = self.metric.claims
        known = claims.reader.vocabulary == COCO
        return {
            "captions": f"{len(self.captions):,}",
            **(
                {"people on COCO val2014": _people(claims.words.people)}
                if known
                else {}
            ),
        }

    @property
    def sentence(self) -> str:
        """The share of its numbers that boxes confirm, with that of human captions."""
        own = _summary(self._claims("A"))
        if not own["claims"]:
            return "It gives no number that annotated objects can check."
        beside = {"people": self._people()["exact"], "always two": own["always_two"]}
        others = ", ".join(
            f"{who} {100 * share:.0f} %" for who, share in beside.items() if share
        )
        return (
            f"Of its {counted(own['claims'], 'number')}, annotated objects confirm "
            f"{100 * own['exact']:.0f} %{f' ({others})' if others else ''}."
        )

    def verdicts(self) -> dict[str, int]:
        """Return how many claims there are of each kind and verdict."""
        # The article in "a dog" is left out: it gives no number to check.
        verdicts = Counter(
            f"{c.claim.claim_type} {c.verdict}"
            for caption in self.captions
            for c in caption.claims
            if c.claim.claim_type != "singular"
        )
        return dict(sorted(verdicts.items()))

    def groups(self) -> dict[str, dict[str, Any]]:
        """Return scores of tier A, of people and of all else in it, and of tier B."""
        a, b = self._claims("A"), self._claims("B")
        return {
            "tier A": _summary(a),
            "tier A, people": _summary([c for c in a if c.claim.name == PERSON]),
            "tier A, others": _summary([c for c in a if c.claim.name != PERSON]),
            "tier A, not 'two'": _summary([c for c in a if c.claim.low != 2]),
            "tier B": _summary(b),
            **({"people's references": self._people()} if self.people else {}),
        }

    def by_true(self) -> dict[str, dict[str, Any]]:
        """Return scores of tier A by the true number."""
        claims = self._claims("A")
        return {
            name: _summary([c for c in claims if low <= c.true <= high])
            for name, (low, high) in _TRUE.items()
        }

    def by_said(self) -> dict[str, dict[str, Any]]:
        """Return scores of tier A by the number said."""
        return _grouped(self._claims("A"), lambda c: str(c.claim.low), int)

    def by_class(self) -> dict[str, dict[str, Any]]:
        """Return scores of both tiers by class, the most counted first."""
        claims = [*self._claims("A"), *self._claims("B")]
        groups = _grouped(claims, lambda c: c.claim.name, str)
        return dict(sorted(groups.items(), key=lambda item: -item[1]["claims"]))

    def macro_exact(self) -> float | None:
        """Return the mean over fully annotated classes with enough claims."""
        tier = self.metric.claims.words.tier
        shares = [
            values["exact"]
            for name, values in self.by_class().items()
            if values["claims"] >= _MIN_CLAIMS and tier(name) == "A"
        ]
        return float(np.mean(shares)) if shares else None

    def vague(self) -> dict[str, Any]:
        """Return for each vague word how often the true number was in its range."""
        words = Counter[str]()
        right = Counter[str]()
        for claim in (c for caption in self.captions for c in caption.claims):
            if claim.claim.claim_type == "vague" and claim.verdict in _JUDGED:
                words[claim.claim.word] += 1
                right[claim.claim.word] += claim.verdict == "consistent"
        return {
            word: {"claims": n, "consistent": right[word], "share": right[word] / n}
            for word, n in words.most_common()
        }

    def vague_though_countable(self) -> float | None:
        """Return the share of plural mentions of 2 to 4 objects that are vague."""
        few = [
            c
            for caption in self.captions
            for c in caption.claims
            if c.tier == "A"
            and not c.crowd
            and 2 <= c.true <= 4
            and c.claim.claim_type in ("exact", "vague")
        ]
        vague = sum(
            c.claim.claim_type == "vague" and c.claim.word != "plural" for c in few
        )
        return vague / len(few) if few else None

    def to_dict(self) -> dict[str, Any]:
        """Return JSON-ready values: the sums, then every caption that says a number."""
        return {
            "signature": self.signature,
            "corpus": self.corpus(),
            "intervals": self.intervals(),
            "claims": self.verdicts(),
            "groups": self.groups(),
            "by_true": self.by_true(),
            "by_said": self.by_said(),
            "by_class": self.by_class(),
            "macro_exact": self.macro_exact(),
            "vague": self.vague(),
            "vague_though_countable": self.vague_though_countable(),
            "captions": [c.to_dict() for c in self.captions if c.claims],
        }

    def tables(self) -> tuple[Table, ...]:
        """Return the scores, groups, numbers, classes and vague words."""
        tables = (
            self._score_table(),
            entry_table("Groups of claims", "Claims", self.groups(), _SHOWN),
            entry_table("By true number (tier A)", "True", self.by_true(), _SHOWN),
            entry_table("By number said (tier A)", "Said", self.by_said(), _SHOWN),
            entry_table("By class", "Class", self.by_class(), _SHOWN, 20),
            self._vague_table(),
        )
        return tuple(replace(table, signature=self.signature) for table in tables)

    def _score_table(self) -> Table:
        claims = counted(len(self._claims("A")), "exact claim")
        notes = [
            f"{counted(len(self.captions), 'caption')} with {claims} on classes of "
            f"tier A; 95 % intervals from {self.bootstrap.samples:,} resamples of "
            f"captions, seed {self.seed}",
            "coverage: claims for each class and image with 2 to 11 objects; a number "
            "given to a single object is a claim, so that it can exceed 1",
            self.signature,
        ]
        if bounds := self._bounds():
            notes.insert(1, bounds)
        notes += [f"{k}: {v}" for k, v in self.protocol.items() if k != "captions"]
        columns = ("Numbers of objects", "value", "from", "to")
        title = "Counting against annotations"
        return Table(title, columns, self.score_rows(), tuple(notes))

    def _bounds(self) -> str:
        """Return how many claims of a lower or upper bound hold, if there are any."""
        verdicts = Counter(
            c.verdict
            for caption in self.captions
            for c in caption.claims
            if c.claim.claim_type in _BOUNDS
        )
        held, refuted = verdicts["consistent"], verdicts["refuted"]
        if not held + refuted:
            return ""
        return (
            f"{counted(held + refuted, 'claim')} of a bound (two red cars, at least "
            f"two people): {held} hold, annotated objects refute {refuted}"
        )

    def _vague_table(self) -> Table:
        rows = tuple(
            (word, row["claims"], row["share"]) for word, row in self.vague().items()
        )
        return Table("Vague words", ("Word", "claims", "in its range"), rows)

    def _claims(self, tier: str) -> list[ScoredClaim]:
        return [c for caption in self.captions for c in caption.scored((tier,))]

    def _people(self) -> dict[str, Any]:
        return _summary([c for caption in self.people for c in caption.scored(("A",))])


def measure_counting(
    captions: Sequence[ImageCaption],
    metric: Counting,
    references: Mapping[ImageId, Sequence[str]] | None = None,
) -> CountingResult:
    """Measure the numbers of objects that captions, and any references, say."""
    images = dict.fromkeys(image_id for image_id, _ in captions)
    people = [(i, c) for i in images for c in (references or {}).get(i, ())]
    measured, others = metric.measure(captions), metric.measure(people)
    signed = signature(captions, metric, references or {})
    return CountingResult(tuple(measured), metric, signed, people=tuple(others))


def _people(people: Mapping[str, float]) -> str:
    """Return a sentence on the scores of people."""
    return ", ".join(f"{key.replace('_', ' ')} {v:.2f}" for key, v in people.items())


def _summary(claims: Sequence[ScoredClaim]) -> dict[str, Any]:
    """Return the scores of some claims, without coverage."""
    scores = dict(zip(KEYS, corpus_scores(np.array(row_of(claims, 0)))))
    named = {name: number(scores[f"count-{name}"]) for name in _SUMMARY}
    return {"claims": len(claims), **named, "always_two": number(scores["count-two"])}


def _grouped(
    claims: Iterable[ScoredClaim],
    key: Callable[[ScoredClaim], str],
    order: Callable[[str], Any],
) -> dict[str, dict[str, Any]]:
    groups: dict[str, list[ScoredClaim]] = {}
    for claim in claims:
        groups.setdefault(key(claim), []).append(claim)
    return {name: _summary(groups[name]) for name in sorted(groups, key=order)}
