"""Rows: a diagnosis as plain rows for spreadsheets, one table per kind of row."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from io import BytesIO
from math import isfinite

from spicepy.captions.sample import ImageId
from spicepy.common.resources import required
from spicepy.common.tables import Cell, Cells, Table, signed
from spicepy.common.writing import RowResult
from spicepy.diagnosis.findings import (
    VERDICTS,
    Fact,
    Finding,
    ImageDiagnosis,
    Observation,
    Pattern,
)
from spicepy.diagnosis.kinds import NAMES
from spicepy.diagnosis.lexicon.aspects import ASPECTS
from spicepy.diagnosis.results.changes import question_of
from spicepy.diagnosis.results.sums import (
    classes,
    confusions,
    most_frequent,
    summarise,
)
from spicepy.metrics.spice import CategoryScore

_SHARES = (f"{v}_{x}" for v in VERDICTS for x in ("share", "low", "high"))
_SUMMARY = ("observations", *VERDICTS, *_SHARES, "accuracy", "mean_absolute_error")
_SCORES = ("f", "precision", "recall", "tp", "fp", "fn")


def errors(
    findings: Iterable[Finding],
    by_image: Iterable[ImageDiagnosis] = (),
    found: Iterable[Pattern] = (),
) -> Table:
    """Return a table with a row for each finding, and the first pattern it shows."""
    columns = (
        *("image_id", "error", "tuple", "expected", "said", "references", "words"),
        *("probability", "pattern", "caption", "reference_captions", "question"),
    )
    captions = {image.image_id: image.captions for image in by_image}
    shown_by = _patterns_by_image(found)
    rows = [
        (
            *(f.image_id, f.kind, f.text, f.expected, f.said, f.references, f.words),
            *(f.probability, _pattern_of(f, shown_by.get(f.image_id, ()))),
            *(next(iter(own), None), " | ".join(own[1:]), question_of(f.kind)),
        )
        for f in findings
        for own in [captions.get(f.image_id, ())]
    ]
    note = (
        "references: how many it rests on; words: the candidate's; probability: how "
        "likely the finding is right, by its own evidence; pattern: the habit that it "
        "is an example of; question: says wrong, leaves out, or remarks, which are no "
        "errors"
    )
    return Table("Errors", columns, rows, (note,))


def _patterns_by_image(found: Iterable[Pattern]) -> dict[ImageId, list[Pattern]]:
    """Return the patterns that each image shows, the strongest first."""
    shown: dict[ImageId, list[Pattern]] = {}
    for pattern in found:
        for image_id in pattern.image_ids:
            shown.setdefault(image_id, []).append(pattern)
    return shown


def _pattern_of(finding: Finding, found: Iterable[Pattern]) -> str | None:
    """Return the first pattern about what the finding says or expects."""
    values = (finding.said, finding.expected, *finding.members)
    words = {str(value) for value in values if value is not None}
    for pattern in found:
        own = {pattern.said, pattern.expected} - {""}
        if own <= words if own else pattern.kind == finding.kind:
            return pattern.text
    return None


def patterns(found: Iterable[Pattern]) -> Table:
    """Return a table with a row for each pattern."""
    columns = (
        *("pattern", "said", "expected", "given", "images", "expected_images"),
        *("excess", "p", "image_ids", "agree", "judged"),
    )
    rows = [
        (
            *(p.kind, p.said, p.expected, p.given, p.images, p.expected_images),
            *(p.excess, p.p, " ".join(map(str, p.image_ids))),
            *((p.agreement.images, p.agreement.judged) if p.agreement else (None,) * 2),
        )
        for p in found
    ]
    note = (
        "expected_images: on how many images a person does it; p: exact, adjusted for "
        "all rows that were tried (false discovery rate); agree: on how many of the "
        "images that they can judge annotated objects say that it is an error"
    )
    return Table("Patterns", columns, rows, (note,))


def values(observations: Iterable[Observation]) -> Table:
    """Return a table with a row for each value that references give an object."""
    columns = ("image_id", "aspect", "object", "expected", "said", "verdict", "weight")
    rows = [
        (o.image_id, o.aspect, o.object, o.expected, o.said, o.verdict, o.weight)
        for o in observations
    ]
    note = (
        "weight: of the comparisons with all references but one, the share that has "
        "this verdict on a number"
    )
    return Table("Values", columns, rows, (note,))


def images(by_image: Sequence[ImageDiagnosis]) -> Table:
    """Return a table with a row for each image."""
    # Its columns are SPICE's scores by category, the number of findings of each kind,
    # the expected numbers of wrong statements and of things left out, and the number of
    # hidden findings.
    names = list(dict.fromkeys(n for image in by_image for n in image.counts))
    columns = (
        "image_id",
        *(f"{name} {score}" for name in names for score in _SCORES),
        *NAMES,
        *("risk", "omissions", "hidden"),
    )
    return Table("Images", columns, tuple(_image(image, names) for image in by_image))


def categories(scores: Mapping[str, CategoryScore]) -> Table:
    """Return a table with a row for each category."""
    columns = (*_SCORES, "images")
    rows = [
        (name, *(getattr(row, column) for column in columns))
        for name, row in scores.items()
    ]
    return Table("Categories", ("category", *columns), rows)


def objects(observations: Sequence[Observation]) -> Table:
    """Return a table with a row for each aspect and object class or "(all)"."""
    rows: list[Cells] = []
    for aspect in ASPECTS:
        own = [o for o in observations if o.aspect == aspect]
        every = {"(all)": summarise(own), **classes(own)}
        for name, summary in every.items():
            rows.append((aspect, name, *(summary[column] for column in _SUMMARY)))
    note = "numbers of counts are sums of weights, as in Values"
    return Table("Objects", ("aspect", "object", *_SUMMARY), rows, (note,))


def confusion(observations: Sequence[Observation]) -> Table:
    """Return a table with a row for each pair of values that occurs."""
    rows: list[Cells] = []
    for aspect in ASPECTS:
        cells = confusions(o for o in observations if o.aspect == aspect)
        rows += [(aspect, e, s, n) for (e, s), n in cells.items()]
    columns = ("aspect", "expected", "said", "number")
    return Table("Confusions", columns, rows)


def ranking(findings: Sequence[Finding]) -> Table:
    """Return a table with a row for each kind and tuple, the most frequent first."""
    rows = [
        (kind, name, number)
        for kind in NAMES
        for name, number in most_frequent(findings, kind)
    ]
    return Table("Ranking", ("error", "tuple", "images"), rows)


def facts(images: Sequence[ImageDiagnosis], said: Sequence[Sequence[Fact]]) -> Table:
    """Return a table with a row for each fact."""
    rows = [
        (
            image.image_id,
            f.sentence,
            f.text,
            f.wrong,
            f.kind,
            next(iter(image.captions), ""),
        )
        for image, own in zip(images, said, strict=True)
        for f in own
    ]
    columns = ("image_id", "sentence", "fact", "wrong", "kind", "caption")
    return Table("Facts", columns, rows)


def _image(image: ImageDiagnosis, names: Iterable[str]) -> tuple[Cell, ...]:
    kinds = Counter(f.kind for f in image.findings)
    return (
        image.image_id,
        *_scores(image, names),
        *(kinds[kind] for kind in NAMES),
        *(image.risk, image.omissions, len(image.hidden) + len(image.unmeasured)),
    )


def _scores(image: ImageDiagnosis, names: Iterable[str]) -> Iterator[Cell]:
    for name in names:
        counted = image.counts[name].to_dict() if name in image.counts else {}
        yield from (counted.get(score) for score in _SCORES)


def workbook(result: RowResult) -> dict[str, bytes]:
    """Return the rows as an Excel workbook with a sheet for each table.

    Raises:
        ResourceError: XlsxWriter cannot be imported.
    """
    library = required("xlsxwriter", "an .xlsx file")
    file = BytesIO()
    # A caption that begins with "=" is not a formula, and an address is not a link.
    plain = {"strings_to_formulas": False, "strings_to_urls": False}
    with library.Workbook(file, {**plain, "in_memory": True}) as book:
        bold = book.add_format({"bold": True})
        for name, table in result.rows().items():
            sheet = book.add_worksheet(name or "rows")
            columns, rows = signed(replace(table, signature=result.signature))
            sheet.write_row(0, 0, columns, bold)
            for number, cells in enumerate(rows, 1):
                sheet.write_row(number, 0, [_plain(cell) for cell in cells])
            sheet.freeze_panes(1, 0)
            sheet.autofilter(0, 0, max(1, len(table.rows)), len(columns) - 1)
    return {"": file.getvalue()}


def _plain(cell: Cell) -> Cell:
    """Return a cell as a spreadsheet can hold it: undefined numbers are empty."""
    return None if isinstance(cell, float) and not isfinite(cell) else cell
