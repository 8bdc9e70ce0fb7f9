"""Diagnosing a captioner: the scenes of an evaluation, and the errors in them.

In: an evaluation. Out: its scenes, with captions read by the grammar `spicepy-1`; and a
`Diagnosis`.

    evaluation ─ scenes ─▶ Scene ─ diagnose ─▶ Diagnosis
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from spicepy.captions.sample import ImageId
from spicepy.common.errors import InputError, brief
from spicepy.common.threads import no_collector
from spicepy.diagnosis.analysis import Analysis
from spicepy.diagnosis.captions.caption import Reading, Scene
from spicepy.diagnosis.captions.reader import Reader
from spicepy.diagnosis.counting import measure
from spicepy.diagnosis.findings import Finding, ImageDiagnosis
from spicepy.diagnosis.patterns import find_patterns
from spicepy.diagnosis.results.diagnosis import Diagnosis
from spicepy.diagnosis.results.facts import facts_of
from spicepy.diagnosis.results.listing import ReferenceComparison, compare_references
from spicepy.evaluation.evaluation import Evaluation
from spicepy.metrics.spice import SpiceScore
from spicepy.objects.vocabulary import Vocabulary
from spicepy.pipeline import Pipeline


def diagnose(
    scenes: Iterable[Scene],
    *,
    support: int | None = None,
    precision: float = 0.0,
    vocabulary: Vocabulary | None = None,
    signature: str = "",
    analysis: Analysis | None = None,
    facts: bool = False,
    known: ReferenceComparison | None = None,
) -> Diagnosis:
    """Return the errors of the candidates.

    Args:
        scenes: The images.
        support: How many references must have an object before the candidate misses it;
            by default `Thresholds.missed`.
        precision: Minimum probability (0-1) of the findings that are listed, see
            `Diagnosis.believed`. `hidden` counts the others; `risk` and `omissions`
            include all. 0 lists all findings, also of kinds that nobody has checked.
        vocabulary: Object classes whose hallucinations are counted as well.
        signature: The signature of the evaluation, kept with that of the analysis.
        analysis: Finds the errors; by default one with the shipped lexicon.
        facts: Whether to list every fact that the candidates state.
        known: The comparison of the references (`Diagnosis.people`) of another system
            on the same images, so that it is not made again.

    Raises:
        InputError: `scenes` is an evaluation; see the function of this name.
        ResourceError: The shipped lexicon (`grammars/diagnosis.toml`) is missing.
    """
    if isinstance(scenes, Evaluation):
        raise InputError("diagnose takes scenes: diagnose(scenes(evaluation))")
    analyser, scenes = analysis or Analysis(), list(scenes)
    images, stated = [], []
    with no_collector():
        for scene in scenes:
            image = analyser.diagnose(scene, support=support, vocabulary=vocabulary)
            images.append(image)
            if facts:
                stated.append(tuple(facts_of(scene, image.findings, analyser)))
        people = compare_references(scenes, analyser, known)
    diagnosis = Diagnosis(
        tuple(images),
        "; ".join(filter(None, (signature, analyser.signature(scenes)))),
        vocabulary.name if vocabulary else "",
        facts=tuple(stated),
        people=people,
        ranked=ranked(images),
        **habits(scenes, analyser),
    )
    return diagnosis.believed(precision) if precision else diagnosis


def ranked(images: Iterable[ImageDiagnosis]) -> tuple[Finding, ...]:
    """Return all findings that have a probability, the most probable first."""
    every = (f for image in images for f in image.findings)
    known = [f for f in every if f.probability is not None]
    return tuple(sorted(known, key=lambda f: -(f.probability or 0.0)))


@no_collector()
def habits(scenes: Sequence[Scene], analysis: Analysis) -> dict[str, Any]:
    """Return the attributes `patterns` and `counting` of a diagnosis."""
    items = [analysis.items(scene) for scene in scenes]
    ids = [scene.image_id for scene in scenes]
    return {
        "patterns": find_patterns(
            scenes, items, analysis.lexicon, analysis.said(scenes)
        ),
        "counting": measure(zip(ids, items), analysis.lexicon),
    }


def scenes(
    evaluation: Evaluation,
    pipeline: Pipeline | None = None,
    *,
    analysis: Analysis | None = None,
) -> Iterator[Scene]:
    """Yield the scenes of an evaluation's images, with SPICE's counts if it was scored.

    Ready-made graphs (`evaluate_graphs`) are not parsed again.

    Args:
        evaluation: An evaluation with any metrics.
        pipeline: Parses the captions; by default `analysis_pipeline()`.
        analysis: Reads the captions with its own pipeline and lexicon; `pipeline` is
            ignored then. One analysis for several systems reads their references once.
    """
    reader = (analysis or Analysis(pipeline=pipeline)).reader
    measured = evaluation.with_details(SpiceScore)
    samples = evaluation.samples
    details = measured.statistics.details if measured else [None] * len(samples)
    if any(sample.raw is None for sample in evaluation.tokenised):
        yield from (
            _ready_made(s.image_id, d, reader) for s, d in zip(samples, details)
        )
        return
    captions = [caption for s in samples for caption in (s.candidate, *s.references)]
    for sample in samples:
        for caption in (sample.candidate, *sample.references):
            reader.pipeline.check(caption, f"image {brief(sample.image_id)}")
    readings = reader.read(captions)
    for sample, score in zip(samples, details, strict=True):
        yield Scene(
            sample.image_id,
            readings[sample.candidate],
            tuple(readings[caption] for caption in sample.references),
            score.counts if score else {},
        )


def beside_others(systems: Mapping[str, Sequence[Scene]]) -> dict[str, list[Scene]]:
    """Return the scenes of several systems, each with the others' captions.

    What only one system sees is more probably invented. A caption that repeats another
    one says nothing new.

    Args:
        systems: The scenes of each system; all of the same images.
    """
    said: dict[ImageId, dict[object, Reading]] = {}
    for name, own in systems.items():
        for scene in own:
            text = scene.candidate.caption or name  # Ready-made graphs have no caption.
            said.setdefault(scene.image_id, {})[text] = scene.candidate
    return {
        name: [
            replace(
                scene,
                others=tuple(
                    reading
                    for text, reading in said[scene.image_id].items()
                    if text != (scene.candidate.caption or name)
                ),
            )
            for scene in own
        ]
        for name, own in systems.items()
    }


def _ready_made(image_id: ImageId, score: SpiceScore, reader: Reader) -> Scene:
    """Return the scene of ready-made graphs."""
    [candidate] = map(reader.read_tuples, score.candidate.captions)
    references = tuple(map(reader.read_tuples, score.reference.captions))
    return Scene(image_id, candidate, references, score.counts)
