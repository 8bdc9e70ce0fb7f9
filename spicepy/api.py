"""What `import spicepy` offers beside `evaluate`: a verb for each question.

    parse      the scene graph of a caption
    score      SPICE of a caption, or of each of several
    diagnose   the errors of a system's captions
    compare    several systems: intervals and tests
    report     several systems: a page

Where one of them takes an `Evaluation` it also takes captions, and scores them first.
"""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, overload

from spicepy.captions.reading import Column, Samples, chosen_samples
from spicepy.captions.sample import Sample, as_samples, check_caption
from spicepy.common.errors import Caller, InputError, brief
from spicepy.common.progress import notebook_bar
from spicepy.common.settings import RELIABLE, SEED, Correction, Family, check_share
from spicepy.graph.scene import SceneGraph
from spicepy.metrics.base import Metric
from spicepy.metrics.spice import Spice, SpiceScore
from spicepy.pipeline import Pipeline
from spicepy.tokenization.samples import tokenised_samples

# What only `diagnose`, `compare` and `report` need is imported in them: a first score
# must not wait for it.
if TYPE_CHECKING:
    from spicepy.asking.answers import AnswerBook
    from spicepy.diagnosis.annotations import AnnotatedDiagnosis
    from spicepy.diagnosis.results.diagnosis import Diagnosis
    from spicepy.evaluation.comparison import Comparison
    from spicepy.evaluation.evaluation import Evaluation
    from spicepy.reporting.study_figures import Study

Systems = Mapping[str, "Evaluation | Samples"]
"""The evaluation, or the captions, of each system by its name."""


@overload
def parse(captions: str, *, instances: bool = False, **options: Any) -> SceneGraph: ...
@overload
def parse(
    captions: list[str] | tuple[str, ...], *, instances: bool = False, **options: Any
) -> list[SceneGraph]: ...


def parse(
    captions: str | list[str] | tuple[str, ...],
    *,
    instances: bool = False,
    **options: Any,
) -> SceneGraph | list[SceneGraph]:
    """Parse a caption into its scene graph, or each of several captions.

    Args:
        captions: Raw text; a sequence gives a list of graphs in its order.
        instances: Whether two things of one name ("one woman … another woman") are two
            nodes; SPICE, and every score, has one.
        options: grammar, model, synonyms, jobs; see
            `spicepy.pipeline.PipelineOptions`.

    Raises:
        InputError: A caption is not a string, or an option is unknown.
        GrammarError: The grammar is wrong.
        ResourceError: A model or WordNet is missing.

    >>> print(parse("a brown dog is running"))
    (dog) (dog, brown) (dog, run)
    """
    listed = [captions] if isinstance(captions, str) else captions
    if not isinstance(listed, Iterable) or isinstance(listed, bytes):
        raise InputError(f"captions: found {brief(listed)}; give a string, or several")
    texts = [
        check_caption(t, "caption", f"caption {k}") for k, t in enumerate(listed, 1)
    ]
    graphs = Pipeline(caller=parse, **options).parse(texts, instances=instances)
    return graphs[0] if isinstance(captions, str) else graphs


@overload
def score(
    candidate: str, references: str | Sequence[str], **options: Any
) -> SpiceScore: ...
@overload
def score(
    candidate: list[str] | tuple[str, ...],
    references: Sequence[Sequence[str]],
    **options: Any,
) -> list[SpiceScore]: ...


def score(
    candidate: str | list[str] | tuple[str, ...],
    references: str | Sequence[str] | Sequence[Sequence[str]],
    **options: Any,
) -> SpiceScore | list[SpiceScore]:
    """Return SPICE of a candidate caption, or of each of several.

    Every call parses its captions anew: give many at once here or to `evaluate`, or use
    `spicepy.rewards.Spice` in a training loop, which keeps what it has parsed.

    Args:
        candidate: Raw text, or a list of captions.
        references: One or several captions, raw text; of several candidates, a list
            of such captions for each.
        options: As for `parse`.

    Returns:
        F, precision and recall overall and by category, and the matched,
        missing and spurious tuples. A list of candidates gives a list.

    Raises:
        InputError: A caption is not a string, there are no references, there are more
            candidates than lists of references or fewer, or an option is unknown.

    >>> round(score("a man is riding a horse", ["a man on a horse"]).f, 3)
    0.667
    >>> [one.f for one in score(["a dog", "a cat"], [["a dog"], ["a red car"]])]
    [1.0, 0.0]
    """
    sides = {"candidate": candidate, "references": references}
    for name, given in sides.items():
        if not isinstance(given, Iterable) or isinstance(given, bytes):
            raise InputError(f"{name}: found {brief(given)}; captions are expected")
    if isinstance(references, str) and not isinstance(candidate, str):
        raise InputError(
            f"references: found {brief(references)}; a list of candidates needs a list "
            f"of references for each, such as [[{brief(references, 40)}]]"
        )
    metric = Spice(Pipeline(caller=score, **options))
    if isinstance(candidate, str):
        texts: Any = (references,) if isinstance(references, str) else tuple(references)
        samples = as_samples([Sample(0, candidate, texts)])
    else:
        listed = list(chosen_samples(None, candidate, references, None))
        samples = as_samples(listed) if listed else []
    scores: list[SpiceScore] = list(metric.count(tokenised_samples(samples)).details)
    return scores[0] if isinstance(candidate, str) else scores


def diagnose(
    samples: "Evaluation | Samples | None" = None,
    *,
    candidates: Column | None = None,
    references: Column | None = None,
    columns: Mapping[str, str | Sequence[str]] | None = None,
    precision: float = RELIABLE,
    vocabulary: str | Path | None = "coco-80",
    instances: str | Path | Sequence[str | Path] | None = None,
    answers: "str | Path | AnswerBook | None" = None,
    facts: bool = False,
    lexicon: str | Path | None = None,
    **options: Any,
) -> "Diagnosis | AnnotatedDiagnosis":
    """Return what a system's captions get wrong and leave out, as `spicepy diagnose`.

    Args:
        samples: An evaluation by any metrics; or captions, as `evaluate` takes them,
            which are scored by SPICE first; or else
        candidates: Captions, or a file, and
        references: The references of each, or a file.
        columns: The names that a table or files have, as for `evaluate`.
        precision: The probability (0-1) of the findings that are listed; 0 lists all.
        vocabulary: Object classes whose hallucinations are counted, a shipped name or
            a file; None for none.
        instances: A file of annotated objects in COCO's form, or several: errors that
            they refute are struck out, those that they confirm are listed.
        answers: A vision model's answers to the questions of `spicepy questions
            --references`, a file or an `AnswerBook`: what the picture refutes is an
            error, what it confirms is struck out.
        facts: Whether to list every fact that the candidates state.
        lexicon: A TOML file of words that are added to those of the analysis.
        options: grammar, model, cache, jobs, …, as for `evaluate`; with an evaluation,
            cache and jobs.

    Raises:
        InputError: A caption, a file, the vocabulary or an option is wrong.
        ResourceError: A model, WordNet or the lexicon is missing.

    >>> sample = Sample(1, "three dogs run", ("two dogs run", "two dogs running"))
    >>> [finding.kind for finding in diagnose([sample], precision=0).findings]
    ['wrong count']
    """
    from spicepy.asking.answers import AnswerBook
    from spicepy.diagnosis.analysis import Analysis
    from spicepy.diagnosis.annotations import beside_annotations
    from spicepy.diagnosis.captions.reader import analysis_pipeline
    from spicepy.diagnosis.lexicon.lexicon import load_lexicon
    from spicepy.diagnosis.results import diagnosing
    from spicepy.diagnosis.results.diagnosing import beside_answers
    from spicepy.evaluation.evaluation import Evaluation
    from spicepy.evaluation.options import metric_options
    from spicepy.objects.instances import read_instances
    from spicepy.objects.vocabulary import load_vocabulary

    settings = metric_options(diagnose, options)
    check_share("precision", precision)
    classes = None if vocabulary is None else load_vocabulary(vocabulary)
    if instances is not None and classes is None:
        raise InputError("diagnose(instances=…) needs a vocabulary of their classes")
    files = [instances] if isinstance(instances, str | Path) else instances
    annotated = None if files is None else read_instances(list(map(str, files)))
    if isinstance(samples, Evaluation):
        _check_scored({"candidates": candidates})
    else:
        given = samples, candidates, references, None
        samples, references = list(chosen_samples(*given, columns=columns)), None
    system = {"": samples}
    evaluated = _evaluated(diagnose, system, ["spice"], references, None, options)[""]
    pipeline = analysis_pipeline(settings.jobs, settings.cache)
    analysis = Analysis(load_lexicon(lexicon), pipeline=pipeline)
    with notebook_bar():
        diagnosis = diagnosing.diagnose(
            diagnosing.scenes(evaluated, analysis=analysis),
            precision=precision if annotated is None and answers is None else 0,
            vocabulary=classes,
            signature=evaluated.signature,
            analysis=analysis,
            facts=facts,
        )
    if answers is not None:
        if not isinstance(answers, AnswerBook):
            answers = AnswerBook.load(answers)
        diagnosis = beside_answers(diagnosis, evaluated.samples, answers)
    if annotated is None or classes is None:
        return diagnosis.believed(precision) if answers is not None else diagnosis
    nouns = analysis.lexicon.nouns
    return beside_annotations(diagnosis, annotated, classes, nouns, precision=precision)


def compare(
    systems: Systems,
    metrics: Sequence[str | Metric] = ("spice",),
    *,
    references: str | Path | None = None,
    columns: Mapping[str, str | Sequence[str]] | None = None,
    samples: int | None = None,
    seed: int = SEED,
    level: float = 0.95,
    correction: Correction = "holm",
    family: Family = "score",
    **options: Any,
) -> "Comparison":
    """Compare systems: every score with its interval, every difference with its tests.

    Args:
        systems: The evaluation of each system by its name, in order, by the same
            metrics on the same images; or the captions of each, as `evaluate` takes
            them, which are scored first.
        metrics: Metrics for captions; see `evaluate`.
        references: A file with the references of systems that are files of candidates.
        columns: The names that tables or files have, as for `evaluate`.
        samples: Resamples (and shuffles) of the images; by default as many as the
            number of tests in a family needs, 1,000 or more.
        seed: Random seed of every test; equal seeds give equal numbers.
        level: Confidence level, 0-1; a corrected p-value of 1 - level is significant.
        correction: The correction for many comparisons: "holm",
            "benjamini-hochberg", "none".
        family: Tests that are corrected together: those of one "score" (all pairs of
            systems) or "all" of the comparison.
        options: Options of the metrics, as for `evaluate`.

    Raises:
        InputError: The systems' metrics or images differ, or captions, a file or an
            option is wrong.
    """
    from spicepy.evaluation import comparison

    with notebook_bar():
        return comparison.compare(
            _evaluated(compare, systems, metrics, references, columns, options),
            samples=samples,
            seed=seed,
            level=level,
            correction=correction,
            family=family,
        )


def report(
    systems: Systems,
    path: str | Path,
    metrics: Sequence[str | Metric] = ("spice",),
    *,
    references: str | Path | None = None,
    columns: Mapping[str, str | Sequence[str]] | None = None,
    images: str | None = None,
    studies: "Mapping[str, Study] | None" = None,
    samples: int | None = None,
    seed: int = SEED,
    table: str | Path | None = None,
    **options: Any,
) -> list[Path]:
    """Write the HTML report of one or several systems.

    Args:
        systems: Their evaluations or captions, as for `compare`.
        path: The file to write, ending in .html.
        metrics: Metrics for captions; see `evaluate`.
        references: A file with the references of systems that are files of candidates.
        columns: The names that tables or files have, as for `evaluate`.
        images: A folder of images, or a path or URL with `{image_id}`, such as
            "photos/{image_id:012d}.jpg".
        studies: Results of `spicepy.study` by name, each a section of the page.
        samples: Bootstrap samples and shuffles; see `compare`.
        seed: Random seed of the comparison.
        table: A file for the opening view as tables: .tex, .md, .csv or .json.
        options: Options of the metrics, as for `evaluate`. "chair" and "counting" with
            instances show what annotated objects say.

    Returns:
        The files written.

    Raises:
        InputError: A path is wrong, the systems do not compare, or captions, a file or
            an option is wrong.
    """
    from spicepy.common.writing import check_path
    from spicepy.diagnosis.captions.reader import analysis_pipeline
    from spicepy.evaluation.options import metric_options
    from spicepy.objects.vocabulary import COCO
    from spicepy.reporting.page import FORMATS, write_report

    check_path(Path(path), FORMATS)  # before the slow work
    settings = metric_options(report, options)
    with notebook_bar():
        return write_report(
            _evaluated(report, systems, metrics, references, columns, options),
            path,
            images=images,
            studies=studies,
            samples=samples,
            seed=seed,
            table=table,
            pipeline=analysis_pipeline(settings.jobs, settings.cache),
            vocabulary=str(settings.vocabulary or COCO),
        )


def _evaluated(
    caller: Caller,
    systems: Systems,
    metrics: Sequence[str | Metric],
    references: Any,
    columns: Mapping[str, str | Sequence[str]] | None,
    options: Mapping[str, Any],
) -> "dict[str, Evaluation]":
    """Return each system's evaluation; captions are scored by the same metrics."""
    from spicepy.evaluation.evaluation import Evaluation, evaluate, metrics_of
    from spicepy.evaluation.options import metric_options

    if not isinstance(systems, Mapping) or not systems:
        raise InputError(
            f"systems: found {brief(systems)}; a mapping of names to evaluations, or "
            'to files of captions, is expected, such as {"mine": "a.json"}'
        )
    settings = metric_options(caller, options)
    evaluated = {n: one for n, one in systems.items() if isinstance(one, Evaluation)}
    if len(evaluated) == len(systems):
        _check_scored({**options, "references": references, "columns": columns})
        return evaluated
    # Made once: the references are parsed for the first system alone.
    chosen = list(metrics_of(metrics, settings))
    side: Any = "samples" if references is None else "candidates"
    sides: Any = {"references": references, "columns": columns}
    return {
        name: given
        if isinstance(given, Evaluation)
        else evaluate(metrics=chosen, **sides | {side: given})
        for name, given in systems.items()
    }


def _check_scored(options: Mapping[str, Any]) -> None:
    """Refuse options of scoring for what has been scored already."""
    for name, value in options.items():
        if name not in ("jobs", "cache") and value is not None:
            raise InputError(
                f"{name} is for captions, but an evaluation has been scored already; "
                "give it to spicepy.evaluate"
            )
