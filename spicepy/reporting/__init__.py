"""The HTML report: what captioners get wrong, as one page to explore.

    evaluations ─ compare ──▶ overview (scores) ─┐
                └ diagnose ─▶ glance (bars) ─────┤
                └ graphs, matching, partners ────┼─▶ payload (what the script shows)
    studies ─────────────────▶ a section each ───┴─▶ one file

`changes` is the page of `spicepy diff`, `plotting` draws figures for papers.

In: one `Evaluation` a system, over the same images; results of `spicepy.study`, if
wanted. Out: a self-contained file that opens from disk: styles, script and data are
inside, nothing is fetched (but the images, where they are asked for).

Captions are untrusted text. Templates escape them; the data stands in a JSON
block without `<`, `>` and `&`; the script makes text nodes only; and the page's
Content-Security-Policy admits this one script by its digest.
"""

from spicepy.reporting.images import image_sources
from spicepy.reporting.page import render_report, write_report

__all__ = ["image_sources", "render_report", "write_report"]
