"""An evaluation as a table: pandas' for work, HTML for notebooks."""

from html import escape
from typing import TYPE_CHECKING

from spicepy.common.errors import ResourceError

if TYPE_CHECKING:
    import pandas as pd

    from spicepy.evaluation.evaluation import Evaluation


def frame_of(result: "Evaluation") -> "pd.DataFrame":
    """One row an image: candidate and scores; see `Evaluation.to_frame`."""
    try:
        import pandas as pd
    except ImportError as error:
        raise ResourceError(
            f"to_frame() needs pandas, which cannot be imported ({error}): "
            "pip install pandas"
        ) from error
    columns: dict[str, object] = {"candidate": [s.candidate for s in result.samples]}
    for measured in result.measured:
        columns |= dict(zip(measured.metric.keys, measured.images.T))
    ids = pd.Index([s.image_id for s in result.samples], name="image_id")
    return pd.DataFrame(columns, index=ids)


def html_of(result: "Evaluation") -> str:
    """The corpus scores as an HTML table."""
    names = ("Metric", "Score", "Precision", "Recall", "Images")
    head = "".join(f"<th>{name}</th>" for name in names)
    rows = []
    for measured in result.measured:
        for line in measured.lines():
            cells = [escape(line.title.strip())]
            values = (line.score, line.precision, line.recall)
            cells += ["" if value is None else f"{value:.4f}" for value in values]
            cells.append(str(line.images))
            rows.append("<tr>" + "".join(f"<td>{c}</td>" for c in cells) + "</tr>")
    signature = escape(result.signature)
    return (
        f"<table><thead><tr>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table>"
        f"<small>{signature}</small>"
    )
