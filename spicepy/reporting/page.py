"""The page: templates, styles and script put together into one HTML file."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from markupsafe import Markup

from spicepy import __version__
from spicepy.common.errors import InputError
from spicepy.common.pages import policy, source, templates
from spicepy.common.writing import check_path, write_text
from spicepy.diagnosis.diagnosis import Diagnosis, analysis_pipeline, diagnose, scenes
from spicepy.diagnosis.words import ASPECTS
from spicepy.evaluation.comparison import Comparison, compare
from spicepy.evaluation.evaluation import Evaluation
from spicepy.evaluation.significance import SEED
from spicepy.reporting import overview
from spicepy.reporting.images import image_sources, policy_sources
from spicepy.reporting.payload import build_payload, spice_scores, to_json
from spicepy.study.figures import Study, section

FORMATS = (".html", ".htm")
_SCRIPTS = ("dom.js", "graph.js", "layout.js", "detail.js", "list.js", "main.js")


def write_report(
    systems: Mapping[str, Evaluation],
    path: str | Path,
    *,
    images: str | None = None,
    studies: Mapping[str, Study] | None = None,
    samples: int = 1000,
    seed: int = SEED,
) -> None:
    """Write the HTML report of one or several systems.

    Args:
        systems: The evaluation of each system by its name: the same metrics on
            the same images. With SPICE among the metrics the report shows
            tuples, scene graphs and errors; without it, captions and scores.
        path: The file to write, ending in .html.
        images: A folder of images, or a path or URL with `{image_id}`, such as
            "photos/{image_id:012d}.jpg"; see `reporting.images`.
        studies: Results of `spicepy.study` by name, each a section of the page
            (from files: `spicepy.study.read_result`).
        samples: Bootstrap samples and shuffles of the comparison.
        seed: Of the comparison.

    Raises:
        InputError: The path is wrong, the systems do not compare, or `images`
            fits no image.
    """
    path = check_path(Path(path), FORMATS)
    page = render_report(
        systems, path, images=images, studies=studies, samples=samples, seed=seed
    )
    write_text(path, page)


def render_report(
    systems: Mapping[str, Evaluation],
    path: Path,
    *,
    images: str | None = None,
    studies: Mapping[str, Study] | None = None,
    samples: int = 1000,
    seed: int = SEED,
) -> str:
    """The text of `write_report`'s page; `path` is where it will stand."""
    if not systems:
        raise InputError("no systems to report on")
    first = next(iter(systems.values()))
    sources: tuple[str, ...] = ()
    if images is not None:
        sources = image_sources(images, [s.image_id for s in first.samples], path)
    comparison = compare(systems, samples=samples, seed=seed)
    pipeline = analysis_pipeline()
    diagnoses = {
        name: diagnose(scenes(evaluation, pipeline))
        for name, evaluation in systems.items()
        if spice_scores(evaluation)
    }
    titles = overview.titles(comparison)
    payload = build_payload(systems, diagnoses, titles, sources)
    style = source(_TEMPLATES, "style.css")
    scripts = "\n".join(source(_TEMPLATES, name) for name in _SCRIPTS)
    script = f'(() => {{\n"use strict";\n{scripts}\n}})();'
    return _TEMPLATES.get_template("page.html").render(
        **_overview(systems, comparison, diagnoses),
        studies={name: Markup(section(s)) for name, s in (studies or {}).items()},
        # Sections are escaped by their own templates; the files hold no data.
        style=Markup(style),
        script=Markup(script),
        data=Markup(to_json(payload)),
        policy=policy(style, script, policy_sources(images)),
    )


def _overview(
    systems: Mapping[str, Evaluation],
    comparison: Comparison,
    diagnoses: Mapping[str, Diagnosis],
) -> dict[str, Any]:
    """What the templates draw above the list of images."""
    titles = overview.titles(comparison)
    maps = {aspect: overview.heat_maps(diagnoses, aspect) for aspect in ASPECTS}
    counted = {n: overview.classes(d, "count") for n, d in diagnoses.items()}
    return {
        "version": __version__,
        "systems": list(systems),
        "warnings": {n: e.warnings for n, e in systems.items() if e.warnings},
        "comparison": comparison,
        "titles": titles,
        "bars": overview.bars(comparison),
        "histograms": overview.histograms(systems, titles),
        "heat_maps": maps,
        "rankings": overview.rankings(diagnoses),
        "summaries": overview.summaries(diagnoses),
        "classes": counted,
    }


def _score(value: Any, digits: int = 3) -> str:
    """A number for people; undefined ones are a dash."""
    if value is None or value != value:
        return "–"
    return f"{value:.{digits}f}"


def _p_value(value: float) -> str:
    return "< 0.001" if value < 0.001 else f"{value:.3f}"


_TEMPLATES = templates("spicepy.reporting")
_TEMPLATES.filters |= {"score": _score, "p_value": _p_value}
