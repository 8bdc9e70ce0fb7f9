"""The error analysis: find what the candidate of an image says right and wrong.

In: a `Scene`. Out: its `ImageDiagnosis`. Each mistake is one finding of one kind.

    Scene ─ align ─▶ AlignedScene ─ kinds ─▶ detections ─ resolve_conflicts ─▶ findings

An `Analysis` holds its lexicon, its thresholds and its caches, so that two analyses
with different lexicons can be used in one process.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from math import exp, log
from typing import Final

from spicepy.common.threads import LRUCache
from spicepy.diagnosis.alignment import AlignedScene, Aligner
from spicepy.diagnosis.captions.caption import Reading, Scene
from spicepy.diagnosis.captions.items import Item, Items, items_of
from spicepy.diagnosis.captions.reader import CACHED, Reader
from spicepy.diagnosis.counting import observe_numbers
from spicepy.diagnosis.events import said_by_references
from spicepy.diagnosis.findings import Finding, ImageDiagnosis, Thresholds
from spicepy.diagnosis.kinds import (
    DETECTORS,
    MISSING,
    NAMES,
    WRONG,
    Detection,
    is_omission,
    is_supported,
)
from spicepy.diagnosis.kinds.detections import CaptionEvidence
from spicepy.diagnosis.lexicon.aspects import ASPECTS
from spicepy.diagnosis.lexicon.lexicon import Lexicon, load_lexicon
from spicepy.metrics.base import reference_count, signature_string
from spicepy.objects.vocabulary import Vocabulary
from spicepy.pipeline import Pipeline

AGREED: Final = ("invented object", "confused object")
"""Kinds of findings for which it counts whether other systems say the same."""
AGREEMENT: Final = 2.0
"""By how much the log-odds of such a finding fall if all of many systems say the same;
measured beside outlines (`training/LOG.md`)."""
USUAL: Final = 0.1
"""The usual share of other systems that say the same, at which nothing changes."""

_DIGITS: Final = 6
_MIN_CHANCE: Final = 10**-_DIGITS


class Analysis:
    """Reads captions and finds errors with one lexicon.

    One analysis for several systems reads their references once.

    Args:
        lexicon: The words of the error analysis; by default the shipped lexicon.
        thresholds: How much evidence an error needs.
        pipeline: Parses captions; by default `analysis_pipeline()`, made when it is
            first needed.

    Raises:
        ResourceError: The shipped lexicon is missing.
    """

    def __init__(
        self,
        lexicon: Lexicon | None = None,
        thresholds: Thresholds | None = None,
        pipeline: Pipeline | None = None,
    ) -> None:
        self.lexicon = lexicon or load_lexicon()
        self.thresholds = thresholds or Thresholds()
        self.reader = Reader(self.lexicon, pipeline)
        self.aligner = Aligner(self.lexicon)
        self._items: LRUCache[Reading, Items] = LRUCache(CACHED)
        self._said: LRUCache[tuple[Reading, ...], dict[Item, list[int]]] = LRUCache(1)

    def signature(self, scenes: Iterable[Scene], others: int = 0) -> str:
        """Return everything that can change what is found, in a line."""
        # `scenes` give the number of references; `others` is the number of other
        # systems that are evidence.
        beside = {"others": str(others)} if others else {}
        parts = self.reader.pipeline.signature()
        return signature_string(
            {
                "metric": "diagnosis",
                "analysis-grammar": parts["grammar"],
                "analysis-model": parts["model"],
                "lexicon": self.lexicon.name,
                "weights": self.lexicon.weights.name,
                **beside,
            },
            reference_count(list(scenes)),
        )

    def said(self, scenes: Sequence[Scene]) -> dict[Item, list[int]]:
        """Return what the references of images say; see `said_by_references`."""
        references = tuple(text for scene in scenes for text in scene.references)
        made = partial(said_by_references, [self.items(scene) for scene in scenes])
        return self._said.made(references, made)

    def items(self, scene: Scene) -> list[Items]:
        """Return what the candidate of an image says, and then each reference."""
        return [
            self._items.made(text, partial(items_of, text, self.lexicon))
            for text in (scene.candidate, *scene.references)
        ]

    def diagnose(
        self,
        scene: Scene,
        *,
        support: int | None = None,
        vocabulary: Vocabulary | None = None,
    ) -> ImageDiagnosis:
        """Return what the candidate of one image says right and wrong.

        Args:
            scene: The image.
            support: How many references must have an object before the candidate
                misses it (all, if there are fewer); by default `Thresholds.missed`.
            vocabulary: Object classes whose mentions are listed as well (CHAIR).
        """
        aligned = self.aligner.align(scene, self.thresholds)
        detections = list(_detected(aligned))
        kept = self._unresolved_detections(aligned, detections, support)
        evidence = CaptionEvidence(aligned)
        probability = self.lexicon.weights.probability
        judged = (
            f.judged(probability(f.kind, evidence.features(d, f))) for d, f in kept
        )
        findings = [self._beside_others(f, scene.others) for f in judged]
        seen = [d.observation for d in detections if d.observation is not None]
        seen += observe_numbers(scene.image_id, self.items(scene), self.lexicon)
        things = scene.candidate.things
        return ImageDiagnosis(
            image_id=scene.image_id,
            counts=scene.counts,
            observations=tuple(sorted(seen, key=lambda o: ASPECTS.index(o.aspect))),
            findings=tuple(findings),
            mentions=sum(self.aligner.is_thing(thing.name) for thing in things),
            shared=tuple((g.support, bool(g.said)) for g in aligned.classes),
            references=len(scene.references),
            risk=expected_number(f for f in findings if f.kind in WRONG),
            omissions=expected_number(filter(is_omission, findings)),
            objects=self._mentioned(scene, vocabulary) if vocabulary else (),
            captions=(scene.candidate.caption, *(r.caption for r in scene.references)),
        )

    def _beside_others(self, finding: Finding, others: Sequence[Reading]) -> Finding:
        """Return a finding as probable as it is beside other systems' captions."""
        # What nobody but one system sees is invented more often than what others see
        # too.
        p, noun = finding.probability, finding.members[0]
        if not others or p is None or finding.kind not in AGREED:
            return finding
        nouns = self.lexicon.nouns
        naming = sum(
            any(nouns.grade(thing.name, noun) == "same" for thing in text.things)
            for text in others
        )
        # One is added, so that few systems tell less.
        share = naming / (len(others) + 1)
        odds = max(p, _MIN_CHANCE) / max(1 - p, _MIN_CHANCE)
        shifted = log(odds) - AGREEMENT * (share - USUAL)
        return finding.judged(round(1 / (1 + exp(-shifted)), _DIGITS))

    def evidence(self, scene: Scene) -> list[tuple[Finding, list[float]]]:
        """Return each finding of an image with its features; see `FEATURES`."""
        aligned = self.aligner.align(scene, self.thresholds)
        kept = self._unresolved_detections(aligned, list(_detected(aligned)), None)
        evidence = CaptionEvidence(aligned)
        return [(f, evidence.features(d, f)) for d, f in kept]

    def _unresolved_detections(
        self, scene: AlignedScene, detections: list[Detection], support: int | None
    ) -> list[tuple[Detection, Finding]]:
        """Return the detections that remain, without those of what is not claimed."""
        needed = self.thresholds.missed if support is None else support
        claimed = (d for d in detections if d.place not in scene.candidate.unclaimed)
        return resolve_conflicts(claimed, min(needed, len(scene.references)))

    def _mentioned(
        self, scene: Scene, vocabulary: Vocabulary
    ) -> tuple[tuple[str, bool], ...]:
        """Return the classes that the candidate names, and whether a reference does."""

        def classes(text: Reading) -> list[str]:
            is_person = self.lexicon.nouns.is_person
            named = (vocabulary.class_of(t.name, is_person) for t in text.things)
            return list(dict.fromkeys(c for c in named if c is not None))

        known = {c for text in scene.references for c in classes(text)}
        return tuple((c, c in known) for c in classes(scene.candidate))


def _detected(scene: AlignedScene) -> Iterator[Detection]:
    """Yield the detections of all kinds in the order of `DETECTORS`."""
    # The things that earlier detections explain are not missed.
    for detect in DETECTORS:
        detections = list(detect(scene))
        for detection in detections:
            scene.explained.update(detection.things)
        yield from detections


def expected_number(findings: Iterable[Finding]) -> float:
    """Return the expected number of findings that are right, from 0."""
    return sum(f.probability or 0.0 for f in findings)


def resolve_conflicts(
    detections: Iterable[Detection], support: int
) -> list[tuple[Detection, Finding]]:
    """Return one finding for each mistake, kind by kind.

    * A finding is dropped if another one rules out its topic. An attribute that the
      references give to another object is misplaced and not a wrong value as well; a
      man for a woman is not more specific than "person"; a class for which the
      candidate has another thing is confused and not missed.
    * A missed object is dropped if fewer than `support` references have it.
    * Of several findings about a word, one that the references contradict is kept
      before one that no reference confirms; a fallback is kept only if no other finding
      has its word.

    Args:
        detections: The detections of all kinds.
        support: How many references must have a missed object.
    """
    all_pairs = [(d, d.finding) for d in detections if d.finding is not None]
    ruled_out = {d.rules_out for d, _ in all_pairs}
    standing = [
        (d, f)
        for d, f in all_pairs
        if (d.topic is None or d.topic not in ruled_out) and is_supported(f, support)
    ]
    # Findings that the references contradict come before those that none confirms.
    standing.sort(key=lambda pair: pair[1].expected is None and not pair[0].conclusive)
    first: dict[tuple[str, ...], tuple[Detection, Finding]] = {}
    for detection, finding in standing:
        about = finding.word or finding.kind
        first.setdefault((finding.members[0], about), (detection, finding))
    said = (f for _, f in first.values() if f.kind not in MISSING)
    words = [" ".join((f.words, *f.members)).split(" ") for f in said]
    kept = [
        (d, f)
        for d, f in first.values()
        if not d.fallback or sum(f.members[0] in own for own in words) == 1
    ]
    return sorted(kept, key=lambda pair: NAMES.index(pair[1].kind))
