"""An evaluation as a table: pandas' for work, HTML for notebooks."""

from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING

from spicepy.common.errors import ResourceError
from spicepy.evaluation.measured import Measured
from spicepy.samples.sample import Sample

if TYPE_CHECKING:
    import pandas as pd


def frame_of(samples: Sequence[Sample], results: Sequence[Measured]) -> "pd.DataFrame":
    """Return a row for each image: candidate and scores; see `Evaluation.to_frame`."""
    try:
        import pandas as pd
    except ImportError as error:
        raise ResourceError(
            f"to_frame() needs pandas, which cannot be imported ({error}): "
            "pip install pandas"
        ) from error
    columns: dict[str, object] = {"candidate": [s.candidate for s in samples]}
    for measured in results:
        columns |= dict(zip(measured.metric.keys, measured.images.T))
    ids = pd.Index([s.image_id for s in samples], name="image_id")
    return pd.DataFrame(columns, index=ids)


def html_of(results: Sequence[Measured], signature: str) -> str:
    """Return the corpus scores as an HTML table."""
    names = ("Metric", "Score", "Precision", "Recall", "Images")
    head = "".join(f"<th>{name}</th>" for name in names)
    rows = []
    for measured in results:
        for line in measured.lines():
            cells = [escape(line.title.strip())]
            values = (line.score, line.precision, line.recall)
            cells += ["" if value is None else f"{value:.4f}" for value in values]
            cells.append(str(line.images))
            rows.append("<tr>" + "".join(f"<td>{c}</td>" for c in cells) + "</tr>")
    return (
        f"<table><thead><tr>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table>"
        f"<small>{escape(signature)}</small>"
    )
