"""The HTML report: the scores and errors of captioners as one page to explore.

    evaluations ─ compare ──▶ overview (scores) ─┐
                └ diagnose ─▶ summarising (bars) ┤
                └ graphs, matching, partners ────┼─▶ payload (data of the script)
    studies ─────────────────▶ a section each ───┴─▶ one file

`changes` is the page of `spicepy diff`, `plotting` draws figures for papers.

In: an `Evaluation` for each system, over the same images, and optional results of
`spicepy.study`. Out: a self-contained file that opens from disk. Styles, script and
data are inside, and nothing is fetched except images, if they are asked for.

Captions are untrusted text. Templates escape them; the data is in a JSON block without
`<`, `>` and `&`; the script makes text nodes only; and the page's
Content-Security-Policy admits this one script by its digest.
"""

from spicepy.reporting.page import image_sources, render_report, write_report
from spicepy.reporting.study_figures import read_result

__all__ = ["image_sources", "read_result", "render_report", "write_report"]
