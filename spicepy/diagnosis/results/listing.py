"""Listing: how probable a finding must be to be listed, and how many are right.

In: the findings about a captioner, and about people's captions of the same images. Out:
a `Listing`, which says whether a finding is listed and which share of them is right.

The probability of a finding rests on the evidence for that finding alone. People also
name things that nobody else names, and such a statement looks like an invented one. So
of the findings about captions that are as good as people's most are wrong, however
probable each of them is. How many are wrong can be estimated with the references: each
of them is compared with the others as if it were a candidate.

    share right (p)  =  1 - (1 - PEOPLE_RIGHT) · people's (p) / candidates' (p)

where (p) is the number of findings of a probability of p or more. The number of
people's findings is scaled to captions that have as many improbable findings as the
candidates have, so that a captioner that says little is not taken for one that says
much. With few references the estimate is drawn towards the mean of the candidates'
probabilities, if that is lower. The share is said beside the findings and hides none
of them.

Sources: Storey 2002, A direct approach to false discovery rates (the number of false
findings is scaled by improbable ones); Barber & Candès 2015, Controlling the false
discovery rate via knockoffs, section 1.2 (one is added to the false findings).
"""

from bisect import bisect_left
from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import islice
from math import ceil, inf
from typing import Final

from spicepy.common.settings import check_share
from spicepy.diagnosis.analysis import Analysis
from spicepy.diagnosis.captions.caption import Scene
from spicepy.diagnosis.findings import Finding, ImageDiagnosis
from spicepy.diagnosis.kinds import WRONG
from spicepy.metrics.significance import Expectation, expectation

PEOPLE_RIGHT: Final = 0.2
"""Precision of findings on human captions: 33 of the 172 that were
listed by default and read by hand (`fixtures/verdicts`, samples 13, 15 and 17)."""
COMPARED: Final = 1000
"""The number of references that are compared with the others of their image."""
_WITH_CANDIDATES: Final = 200
"""The number of these references with which candidates are compared in detail."""
_REFERENCES: Final = 3
"""Minimum number of references of an image that is used: with two others, people's
captions get as many findings as with more."""
_IMPROBABLE: Final = 0.2  # Findings of a lower probability are hardly ever right
_FEW: Final = 100
"""The number of references with which the estimate counts half, and the mean of the
probabilities the other half, if it is lower."""
_COMPARABLE: Final = 2.0
"""Candidates with more than this multiple of human improbable findings are too long to
be compared with the references."""


@dataclass(frozen=True, slots=True)
class Listing:
    """Minimum probability of the findings that are listed."""

    # The probability (0-1) that was asked for; 0 lists every finding, also those of
    # kinds without a probability.
    precision: float = 0.0
    # The estimated share of right ones, 0-1, among the listed findings that something
    # is said wrong; None if it is unknown.
    share: float | None = None

    def has(self, finding: Finding) -> bool:
        """Return whether a finding is listed."""
        limit = self.precision
        return not limit or (finding.probability or 0.0) >= limit

    def of_image(
        self, image: ImageDiagnosis, certain: Set[Finding] = frozenset()
    ) -> ImageDiagnosis:
        """Return an image with those findings only that are listed, or certain."""
        if not self.precision:
            return image
        kept, hidden, unmeasured = [], list(image.hidden), list(image.unmeasured)
        for finding in image.findings:
            if finding in certain or self.has(finding):
                kept.append(finding)
            elif finding.probability is None:
                unmeasured.append(finding.kind)
            else:
                hidden.append(finding.kind)
        return replace(
            image,
            findings=tuple(kept),
            hidden=tuple(hidden),
            unmeasured=tuple(unmeasured),
        )


@dataclass(frozen=True, slots=True)
class ReferenceComparison:
    """The findings about references, each compared with the others of its image."""

    captions: int = 0  # The number of references that were compared, at most `COMPARED`
    # The expected number of wrong statements of a reference.
    risk: Expectation = field(default_factory=partial(expectation, ()))
    # The probabilities of all findings that a reference says something wrong, in
    # ascending order.
    probabilities: tuple[float, ...] = ()
    improbable: int = 0  # The number of improbable findings about some of them
    # How many improbable findings a candidate has for each one of a reference, from 0;
    # both are compared with the same references.
    detail: float = 1.0
    # The diagnoses of these references.
    images: tuple[ImageDiagnosis, ...] = field(default=(), repr=False)

    def in_100_captions(self, precision: float) -> float:
        """Return the number of findings per 100 captions at or above a probability."""
        return 100 * _from(self.probabilities, precision) / max(1, self.captions)

    def note(self, listing: Listing) -> str:
        """Return how many listed findings are right, "" if it is unknown."""
        if listing.share is None:
            return ""
        number = f"{self.in_100_captions(listing.precision):.1f}"
        return (
            f"an estimated {100 * listing.share:.0f} % of those listed are right "
            f"(references, compared with the others of their image, get {number} "
            f"findings of {listing.precision:.2f} or more per 100 captions)"
        )

    def share_of_first(
        self, number: int, findings: Sequence[tuple[float, int]], images: Iterable[int]
    ) -> float:
        """Return the estimated share of right ones among the most probable findings."""
        # `findings`, the most probable first, are the probability that a candidate says
        # something wrong and how many references its image has; `images` have the
        # number of references of each candidate.
        first = findings[:number]
        if not first:
            return 0.0
        return self._right(first, images, first[-1][0]) / len(first)

    def listing(self, images: Sequence[ImageDiagnosis], precision: float) -> Listing:
        """Return which findings about candidates are listed, by all their findings."""
        # `precision` is how likely a finding must be right, 0-1, or an `InputError`.
        check_share("precision", precision)
        listed = [
            (p, image.references)
            for image in images
            for p in _probabilities([image])
            if p >= precision
        ]
        if not (self.captions and precision and listed) or self.detail > _COMPARABLE:
            return Listing(precision)
        numbers = [image.references for image in images]
        return Listing(precision, self._right(listed, numbers, precision) / len(listed))

    def _right(
        self, findings: Sequence[tuple[float, int]], images: Iterable[int], least: float
    ) -> float:
        """Return the estimated number of right ones; see `share_of_first`."""
        # The lowest of their probabilities is `least`. Findings about images with too
        # few references to compare, or about candidates that are too long for it, are
        # right as often as their probabilities say.
        enough = _REFERENCES if self.captions and self.detail <= _COMPARABLE else inf
        alone = [p for p, references in findings if references < enough]
        wrong = self._wrong(sum(n >= enough for n in images), least)
        right = sum(alone) + max(0.0, len(findings) - len(alone) - wrong)
        excess = max(0.0, right - sum(p for p, _ in findings))
        return right - excess * _FEW / (_FEW + self.captions)

    def _wrong(self, images: int, precision: float) -> float:
        """Return the estimated number of wrong findings at or above a probability."""
        scale = (1 - PEOPLE_RIGHT) * self.detail * images / max(1, self.captions)
        return scale * (1 + _from(self.probabilities, precision))


def of_both(
    one: ReferenceComparison, other: ReferenceComparison
) -> ReferenceComparison:
    """Return the comparison for two systems on the same images taken together."""
    return replace(one, detail=(one.detail + other.detail) / 2)


def compare_references(
    scenes: Sequence[Scene],
    analysis: Analysis,
    known: ReferenceComparison | None = None,
) -> ReferenceComparison:
    """Return what the analysis says of the references of some images."""
    # `known` is the result for another system on the same images.
    pairs = _pairs(scenes)
    some = slice(None, None, max(1, len(pairs) // _WITH_CANDIDATES))
    if known is None:
        images = [analysis.diagnose(reference) for _, reference in pairs]
        known = ReferenceComparison(
            len(images),
            expectation([image.risk for image in images]),
            tuple(_probabilities(images)),
            _improbable(images[some]),
            images=tuple(images),
        )
    if not known.improbable:
        return known
    candidates = [analysis.diagnose(candidate) for candidate, _ in pairs[some]]
    return replace(known, detail=_improbable(candidates) / known.improbable)


def _pairs(scenes: Sequence[Scene]) -> list[tuple[Scene, Scene]]:
    """Return pairs of a candidate and a reference, with the other references."""
    # There are at most `COMPARED`, spread over images and references; equally many of
    # each image, so that those with most references do not speak for all.
    by_image = {scene.image_id: scene for scene in scenes}
    usable = [s for s in by_image.values() if len(s.references) >= _REFERENCES]
    usable = usable[:: ceil(len(usable) / COMPARED) or 1]
    of_each = min((len(scene.references) for scene in usable), default=0)
    every = (
        _without(scene, (n + step) % len(scene.references))
        for step in range(of_each)
        for n, scene in enumerate(usable)
    )
    return list(islice(every, COMPARED))


def _without(scene: Scene, at: int) -> tuple[Scene, Scene]:
    """Return the candidate and a reference, each with the other references."""
    others = (*scene.references[:at], *scene.references[at + 1 :])
    texts = scene.candidate, scene.references[at]
    candidate, reference = (Scene(scene.image_id, text, others) for text in texts)
    return candidate, reference


def _probabilities(images: Iterable[ImageDiagnosis]) -> list[float]:
    """Return the probabilities of what candidates say wrong, in ascending order."""
    findings = (f for image in images for f in image.findings if f.kind in WRONG)
    return sorted(f.probability for f in findings if f.probability is not None)


def _improbable(images: Iterable[ImageDiagnosis]) -> int:
    """Return the number of improbable findings that candidates say something wrong."""
    return bisect_left(_probabilities(images), _IMPROBABLE)


def _from(probabilities: Sequence[float], least: float) -> int:
    """Return how many of the ascending probabilities are `least` or more."""
    return len(probabilities) - bisect_left(probabilities, least)
