"""The page: templates, styles and script in one HTML file."""

import os
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from string import Formatter
from typing import Any, Final
from urllib.parse import quote, urlsplit

from spicepy.asking.answers import AnswerBook
from spicepy.captions.sample import ImageId
from spicepy.common import __version__
from spicepy.common.errors import InputError, brief
from spicepy.common.pages import Templates, policy, safe
from spicepy.common.settings import RELIABLE, SEED
from spicepy.common.threads import no_collector
from spicepy.common.writing import check_output, check_path, write, write_text
from spicepy.diagnosis.analysis import Analysis
from spicepy.diagnosis.annotations import AnnotatedDiagnosis, counting_of
from spicepy.diagnosis.findings import SUPPORT, strongest
from spicepy.diagnosis.results.diagnosis import Diagnosis
from spicepy.diagnosis.results.listing import Listing
from spicepy.diagnosis.results.tables import FIRST
from spicepy.evaluation.comparison import Comparison, compare
from spicepy.evaluation.evaluation import Evaluation
from spicepy.metrics.significance import expectation
from spicepy.objects.counting_results import CountingResult
from spicepy.objects.vocabulary import COCO
from spicepy.pipeline import Pipeline
from spicepy.reporting import scores
from spicepy.reporting.annotated import annotated_keys, judged, sections
from spicepy.reporting.payload import build_payload, spice_scores, to_json
from spicepy.reporting.readings import Analysed, analyse, with_usual_omissions
from spicepy.reporting.scores import soft_metric
from spicepy.reporting.study_figures import Study, section
from spicepy.reporting.summary import PARTS, bars_of

# Addresses of the images that a report shows.

_KINDS = (".jpg", ".jpeg", ".png", ".webp", ".gif", ".avif")
_WIDEST = 1000  # The most characters of an address; a wider pattern is a mistake.
_SCHEMES = ("http", "https", "file")


def image_sources(
    images: str, image_ids: Sequence[ImageId], report: Path
) -> tuple[str, ...]:
    """Return the address of each image, "" where a folder has no file for it.

    Args:
        images: A folder, whose files are found by name (42.jpg) or by the number
            at its end (COCO_val2014_000000000042.jpg); or a pattern such as
            "photos/{image_id:012d}.jpg", taken from the report's folder, or
            "https://example.org/{image_id}.jpg"; widths are at most 1000.
        image_ids: The images, in order.
        report: The path of the report, from which the files of a folder are linked.

    Raises:
        InputError: Neither a folder nor a pattern, or the pattern does not fit.
    """
    if Path(images).is_dir():
        return _from_folder(Path(images), image_ids, report)
    _check(images)
    return tuple(_filled(images, image_id) for image_id in image_ids)


def policy_sources(images: str | None) -> str:
    """Return the `img-src` of the Content-Security-Policy."""
    if images is None:
        return "'none'"
    scheme = urlsplit(images).scheme
    return f"{scheme}:" if scheme in ("http", "https") else "'self' file:"


def _from_folder(
    folder: Path, image_ids: Sequence[ImageId], report: Path
) -> tuple[str, ...]:
    paths = sorted(p for p in folder.iterdir() if p.suffix.lower() in _KINDS)
    files: dict[str, str] = {}
    for path in paths:
        if digits := path.stem[len(path.stem.rstrip("0123456789")) :]:
            files.setdefault(str(int(digits)), path.name)
    files |= {path.stem: path.name for path in paths}
    start = os.path.relpath(folder.resolve(), report.resolve().parent)
    names = [files.get(str(image_id), "") for image_id in image_ids]
    if not any(names):
        raise InputError(
            f"{folder}: no file is named after an image id "
            f"(such as {brief(image_ids[0])})"
        )
    return tuple(
        quote(os.fsencode(Path(start, name).as_posix())) if name else ""
        for name in names
    )


def _check(pattern: str) -> None:
    try:
        fields = [name for _, name, _, _ in Formatter().parse(pattern) if name]
    except ValueError as error:
        raise InputError(f"--images {brief(pattern)}: {error}") from None
    if not fields or set(fields) != {"image_id"}:
        raise InputError(
            f"--images {brief(pattern)}: neither a folder nor a pattern with "
            "{image_id}, such as photos/{image_id:012d}.jpg"
        )
    specs = " ".join(spec or "" for _, _, spec, _ in Formatter().parse(pattern))
    if "{" in specs or any(int(n[:9]) > _WIDEST for n in re.findall(r"\d+", specs)):
        raise InputError(
            f"--images {brief(pattern)}: a width in {{image_id:…}} is a number of "
            f"at most {_WIDEST}"
        )
    scheme = urlsplit(pattern).scheme
    if len(scheme) > 1 and scheme not in _SCHEMES:
        raise InputError(
            f"--images {brief(pattern)}: use a path, {', '.join(_SCHEMES)}"
        )


def _filled(pattern: str, image_id: ImageId) -> str:
    value = quote(image_id, safe="") if isinstance(image_id, str) else image_id
    try:
        return pattern.format(image_id=value)
    except (ValueError, OverflowError) as error:
        raise InputError(
            f"--images {brief(pattern)} does not fit image {brief(image_id)}: {error}"
        ) from None


# Numbers as text of the pages.


def score(value: Any, digits: int = 3) -> str:
    """Return a fraction; an undefined one is a dash."""
    if value is None or value != value:
        return "–"
    return f"{value:.{digits}f}".replace("-", "−")


def change(value: Any, digits: int = 3) -> str:
    """Return a difference with its sign."""
    return f"+{score(value, digits)}" if value and value > 0 else score(value, digits)


def interval(ends: Any, digits: int = 3) -> str:
    """Return the ends of an interval; an undefined one is a dash."""
    low, high = score(ends.low, digits), score(ends.high, digits)
    return f"{low}–{high}" if low != "–" else "–"


def percent(share: float) -> str:
    """Return a share of 0-1 in whole percent; 0 and 100 stand for exact shares only."""
    return f"{min(max(round(100 * share), int(share > 0)), 100 - int(share < 1))} %"


def p_value(value: float) -> str:
    """Return a p-value, 0-1; an undefined one is a dash."""
    if value != value:
        return "–"
    return "< 0.001" if value < 0.001 else f"{value:.3f}"


FILTERS: Final[Mapping[str, Callable[..., str]]] = {
    "score": score,
    "change": change,
    "interval": interval,
    "percent": percent,
    "p_value": p_value,
}
"""The same as filters of templates."""

FORMATS = (".html", ".htm")
COLORS = 12  # Colours of systems in the style; each system also has a number
_SCRIPTS = (
    *("dom.js", "graph.js", "layout.js", "partners.js", "detail.js", "list.js"),
    *("confusions.js", "errors.js", "verdicts.js", "main.js"),
)


@no_collector()
def write_report(
    systems: Mapping[str, Evaluation],
    path: str | Path,
    *,
    images: str | None = None,
    studies: Mapping[str, Study] | None = None,
    samples: int | None = None,
    seed: int = SEED,
    table: str | Path | None = None,
    pipeline: Pipeline | None = None,
    vocabulary: str = COCO,
    answers: AnswerBook | None = None,
) -> list[Path]:
    """Write the HTML report of one or several systems; return the files written.

    `spicepy.report` has the same options, and scores captions first. The systems have
    been evaluated by the same metrics on the same images. With SPICE among the metrics
    the report shows tuples, scene graphs and errors; with spice-soft, partners of
    concepts and errors; with chair or counting, what annotations say of each system and
    of its errors; without any, captions and scores. `pipeline` parses the captions for
    the error analysis (see `diagnosis.scenes`), `vocabulary` has the classes of the
    annotations, and `answers` of a vision model confirm and refute errors.

    Raises:
        InputError: A path is wrong, the systems do not compare, `images` fits no
            image, or there is no table, since no metric reads scene graphs.
    """
    path = check_path(Path(path), FORMATS)
    if table is not None:
        check_output(Path(table))
        if not all(map(_is_judged, systems.values())):
            raise InputError("a table of errors needs spice or spice-soft as a metric")
    analysed = _analysed(systems, pipeline, answers)
    options: dict[str, Any] = {"images": images, "studies": studies}
    options |= {"samples": samples, "seed": seed, "vocabulary": vocabulary}
    write_text(path, render_report(systems, path, analysed=analysed, **options))
    if table is None:
        return [path]
    beside = _beside(systems, analysed.diagnoses, vocabulary)
    return [path, *write(bars_of(_likely(analysed.diagnoses, beside)), Path(table))]


@no_collector()
def render_report(
    systems: Mapping[str, Evaluation],
    path: Path,
    *,
    images: str | None = None,
    studies: Mapping[str, Study] | None = None,
    samples: int | None = None,
    seed: int = SEED,
    analysed: Analysed | None = None,
    vocabulary: str = COCO,
) -> str:
    """Return the text of the page that `write_report` writes to `path`.

    `analysed` is the result of `readings.analyse`, if there is one already.
    """
    if not systems:
        raise InputError("no systems to report on")
    first = next(iter(systems.values()))
    sources: tuple[str, ...] = ()
    if images is not None:
        sources = image_sources(images, [s.image_id for s in first.samples], path)
    if analysed is None:
        analysed = _analysed(systems)
    diagnoses = analysed.diagnoses
    comparison = compare(systems, samples=samples, seed=seed)
    titles = scores.titles(comparison)
    beside = _beside(systems, diagnoses, vocabulary)
    evidence = {name: annotated.evidence for name, annotated in beside.items()}
    listed = _listed(diagnoses, beside)
    counted = counting_of(systems)
    everything = {**diagnoses, **{name: b.everything for name, b in beside.items()}}
    known = replace(analysed, diagnoses=everything)
    payload = build_payload(systems, known, listed, titles, sources, evidence)
    inner = payload.pop("scenes")
    style = _TEMPLATES.source("style.css")
    scripts = "\n".join(_TEMPLATES.source(name) for name in _SCRIPTS)
    script = f'(() => {{\n"use strict";\n{scripts}\n}})();'
    return _TEMPLATES.render(
        "page.html",
        **_overview(systems, comparison, _likely(diagnoses, beside), counted),
        annotated=sections(systems, comparison, beside, counted),
        studies={name: safe(section(s)) for name, s in (studies or {}).items()},
        # Sections are escaped by their own templates; the files hold no data.
        style=safe(style),
        script=safe(script),
        data=safe(to_json(payload)),
        scenes=safe(to_json(inner)),
        policy=policy(style, script, policy_sources(images)),
    )


def _analysed(
    systems: Mapping[str, Evaluation],
    pipeline: Pipeline | None = None,
    answers: AnswerBook | None = None,
) -> Analysed:
    """Return the analysis of each system that is scored by its scene graphs."""
    judged = {name: e for name, e in systems.items() if _is_judged(e)}
    return analyse(judged, pipeline, answers)


def _beside(
    systems: Mapping[str, Evaluation],
    diagnoses: Mapping[str, Diagnosis],
    vocabulary: str,
) -> dict[str, AnnotatedDiagnosis]:
    """Return diagnoses beside annotations, where there are any."""
    return judged(systems, diagnoses, Analysis().lexicon.nouns, vocabulary)


def _listed(
    diagnoses: Mapping[str, Diagnosis], beside: Mapping[str, AnnotatedDiagnosis]
) -> dict[str, Diagnosis]:
    """Return the listed findings that annotations can decide."""
    listed = {name: annotated.diagnosis for name, annotated in beside.items()}
    every = {name: d.believed() for name, d in diagnoses.items()} | listed
    return {name: with_usual_omissions(d) for name, d in every.items()}


def _likely(
    diagnoses: Mapping[str, Diagnosis], beside: Mapping[str, AnnotatedDiagnosis]
) -> dict[str, Diagnosis]:
    """Return the findings that are likelier right than wrong, one by one."""
    # Systems are compared by these, since what is listed of a system also depends on
    # how its other captions are.
    alike = Listing(RELIABLE)
    every = {name: d.listed_by(alike) for name, d in diagnoses.items()}
    for name, annotated in beside.items():
        every[name] = replace(annotated, listing=alike).diagnosis
    return {name: with_usual_omissions(d) for name, d in every.items()}


def _is_judged(evaluation: Evaluation) -> bool:
    """Return whether a metric reads scene graphs, so that errors cost little time."""
    return bool(spice_scores(evaluation)) or soft_metric(evaluation) is not None


def _overview(
    systems: Mapping[str, Evaluation],
    comparison: Comparison,
    diagnoses: Mapping[str, Diagnosis],
    counted: Mapping[str, CountingResult],
) -> dict[str, Any]:
    """Return the values of the templates above the list of images."""
    general = scores.without(comparison, annotated_keys(systems))
    titles = scores.titles(general)
    return {
        "version": __version__,
        "judged": diagnoses,
        "systems": list(systems),
        "heading": _heading(list(systems)),
        "warnings": {n: e.warnings for n, e in systems.items() if e.warnings},
        "comparison": general,
        "titles": titles,
        "best": general.clearly_best(),
        "bars": scores.bars(general) if titles else {},
        "histograms": scores.histograms(systems, titles),
        "glance": bars_of(diagnoses),
        "firsts": FIRST,
        "boxes": {n: counted[n].sentence if n in counted else "" for n in systems},
        "people": next((d.people.risk for d in diagnoses.values()), expectation(())),
        "words": PARTS,
        "support": SUPPORT,
        "strongest": strongest,
    }


def _heading(systems: list[str]) -> str:
    """Return a heading with the names of the systems, if they are short enough."""
    named = " · ".join(systems)
    return named if len(named) <= 80 else f"{len(systems)} systems compared"


_TEMPLATES = Templates("spicepy.reporting", {"colors": COLORS}, FILTERS)
