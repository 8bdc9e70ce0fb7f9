"""Results of CHAIR and counting from evaluations that have them among their metrics.

In: evaluations by system. Out: a `ChairResult` and a `CountingResult` for each.
"""

from collections.abc import Mapping

from spicepy.annotations.chair import CaptionObjects
from spicepy.annotations.counting import CaptionCounts
from spicepy.evaluation.evaluation import Evaluation
from spicepy.grounding.chair import ChairResult
from spicepy.grounding.counting import CountingResult
from spicepy.metrics.chair import Chair
from spicepy.metrics.counting import Counting


def chair_of(systems: Mapping[str, Evaluation]) -> dict[str, ChairResult]:
    """Return CHAIR of systems that are measured by it."""
    results = {}
    for name, evaluation in systems.items():
        measured = evaluation.with_details(CaptionObjects)
        if measured is not None and isinstance(measured.metric, Chair):
            results[name] = ChairResult(measured.statistics.details, measured.metric)
    return results


def counting_of(systems: Mapping[str, Evaluation]) -> dict[str, CountingResult]:
    """Return the counting of systems that are measured by it, with that of people.

    People's numbers are those of the references.
    """
    results = {}
    people: tuple[CaptionCounts, ...] | None = None
    for name, evaluation in systems.items():
        measured = evaluation.with_details(CaptionCounts)
        if measured is None or not isinstance(measured.metric, Counting):
            continue
        if people is None:  # the same for all systems
            instances = measured.metric.instances
            pairs = [
                (instances.image(s.image_id, ""), reference)
                for s in evaluation.samples
                for reference in s.references
            ]
            people = tuple(measured.metric.measure(pairs))
        details = measured.statistics.details
        results[name] = CountingResult(details, measured.metric, people=people)
    return results
