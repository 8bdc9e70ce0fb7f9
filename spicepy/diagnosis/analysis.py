"""The error analysis: what the candidate of an image got right and wrong.

In: a `Scene`. Out: its `ImageDiagnosis`. Each mistake is one finding of one kind.

    Scene ─ align ─▶ AlignedScene ─ kinds ─▶ detections ─ resolve_conflicts ─▶ findings

An `Analysis` holds its lexicon, its thresholds and all that it remembers, so that two
analyses with different lexicons live side by side.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace

from spicepy.diagnosis.alignment import AlignedScene, Aligner
from spicepy.diagnosis.captions.caption import Reading
from spicepy.diagnosis.captions.reader import Reader
from spicepy.diagnosis.captions.scene import Scene
from spicepy.diagnosis.evidence.features import CaptionEvidence
from spicepy.diagnosis.findings import Finding, ImageDiagnosis
from spicepy.diagnosis.kinds import (
    DETECTORS,
    MISSING,
    NAMES,
    WRONG,
    Detection,
    is_omission,
    is_supported,
)
from spicepy.diagnosis.lexicon.aspects import ASPECTS
from spicepy.diagnosis.lexicon.lexicon import Lexicon, load_lexicon
from spicepy.diagnosis.lexicon.vocabulary import Vocabulary
from spicepy.diagnosis.thresholds import Thresholds
from spicepy.pipeline import Pipeline


class Analysis:
    """Reads captions and finds errors with one lexicon.

    One analysis for several systems reads their references once.

    Args:
        lexicon: Words and what they mean; by default those that spicepy ships.
        thresholds: Numbers that decide what an error rests on.
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

    def diagnose(
        self,
        scene: Scene,
        *,
        support: int | None = None,
        vocabulary: Vocabulary | None = None,
    ) -> ImageDiagnosis:
        """Return what the candidate of one image got right and wrong.

        Args:
            scene: The image.
            support: References that must have something for it to be missed (all, if
                there are fewer); by default `Thresholds.missed`.
            vocabulary: Object classes to look for, too.
        """
        aligned = self.aligner.align(scene, self.thresholds)
        detections = list(_detected(aligned))
        kept = self._standing(aligned, detections, support)
        evidence = CaptionEvidence(aligned)
        probability = self.lexicon.weights.probability
        findings = [
            replace(f, probability=probability(f.kind, evidence.features(d, f)))
            for d, f in kept
        ]
        seen = [d.observation for d in detections if d.observation is not None]
        things = scene.candidate.things
        return ImageDiagnosis(
            image_id=scene.image_id,
            counts=scene.counts,
            observations=tuple(sorted(seen, key=lambda o: ASPECTS.index(o.aspect))),
            findings=tuple(findings),
            mentions=sum(self.aligner.is_thing(thing.name) for thing in things),
            shared=tuple(group.support for group in aligned.classes if group.said),
            references=len(scene.references),
            risk=expected_number(f for f in findings if f.kind in WRONG),
            omissions=expected_number(filter(is_omission, findings)),
            objects=self._mentioned(scene, vocabulary) if vocabulary else (),
        )

    def evidence(self, scene: Scene) -> list[tuple[Finding, list[float]]]:
        """Return the findings of an image with their features; see `FEATURES`."""
        aligned = self.aligner.align(scene, self.thresholds)
        kept = self._standing(aligned, list(_detected(aligned)), None)
        evidence = CaptionEvidence(aligned)
        return [(f, evidence.features(d, f)) for d, f in kept]

    def _standing(
        self, scene: AlignedScene, detections: list[Detection], support: int | None
    ) -> list[tuple[Detection, Finding]]:
        needed = self.thresholds.missed if support is None else support
        claimed = (d for d in detections if d.place not in scene.candidate.unclaimed)
        return resolve_conflicts(claimed, min(needed, len(scene.references)))

    def _mentioned(
        self, scene: Scene, vocabulary: Vocabulary
    ) -> tuple[tuple[str, bool], ...]:
        """Return the classes that the candidate names, and whether a reference does."""

        def classes(text: Reading) -> list[str]:
            nouns = self.lexicon.nouns
            found = (vocabulary.class_of(t.name, nouns) for t in text.things)
            return list(dict.fromkeys(c for c in found if c is not None))

        known = {c for text in scene.references for c in classes(text)}
        return tuple((c, c in known) for c in classes(scene.candidate))


def _detected(scene: AlignedScene) -> Iterator[Detection]:
    """Run the detectors; each leaves out the things that earlier ones explained."""
    for detect in DETECTORS:
        detections = list(detect(scene))
        scene.explained.update(*(detection.things for detection in detections))
        yield from detections


def expected_number(findings: Iterable[Finding]) -> float:
    """Return how many of some findings are right, as far as one may expect, from 0."""
    return sum(f.probability or 0.0 for f in findings)


def resolve_conflicts(
    detections: Iterable[Detection], support: int
) -> list[tuple[Detection, Finding]]:
    """Return one finding for each mistake, kind by kind.

    * A finding about a topic that another one rules out is dropped: an attribute that
      left its object is misplaced, and its value is not wrong as well; a man for a
      woman is not more specific than "person"; a class that the candidate has another
      thing for is confused, not missed.
    * Nor is a class missed that too few references have.
    * A finding that no reference confirms a word gives way to any other finding about
      the word, and a fallback to every finding that quotes it.

    Args:
        detections: The detections of all kinds.
        support: References that must have a missed object.
    """
    found = [(d, d.finding) for d in detections if d.finding is not None]
    ruled_out = {d.rules_out for d, _ in found}
    standing = [
        (d, f)
        for d, f in found
        if (d.topic is None or d.topic not in ruled_out) and is_supported(f, support)
    ]
    # What contradicts a word comes before what only does not confirm it.
    standing.sort(key=lambda pair: pair[1].expected is None and not pair[0].settled)
    once: dict[tuple[str, ...], tuple[Detection, Finding]] = {}
    for detection, finding in standing:
        about = finding.word or finding.kind
        once.setdefault((finding.members[0], about), (detection, finding))
    numbers = _words(f for _, f in once.values() if f.kind not in MISSING)
    kept = [
        (d, f) for d, f in once.values() if not d.fallback or numbers[f.members[0]] == 1
    ]
    return sorted(kept, key=lambda pair: NAMES.index(pair[1].kind))


def _words(findings: Iterable[Finding]) -> Counter[str]:
    """Return each word that findings are about, with their number."""
    texts = ({*" ".join((f.words, *f.members)).split(" ")} for f in findings)
    return Counter(word for words in texts for word in words)
