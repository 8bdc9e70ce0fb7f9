"""Reports to click through, made from captions that were written for this project.

In: `fixtures/`. Out: HTML files in `docs/_gallery/gallery`, copied to the site as they
are; `docs/gallery.md` links to them.
"""

from pathlib import Path
from typing import Final

from docs.running import run_spicepy

ROOT: Final = Path(__file__).parents[1]
FOLDER: Final = Path(__file__).parent / "_gallery"
"""The folder that the site copies to its top."""

_EXAMPLE = ROOT / "fixtures" / "example"
_ANSWERS = ROOT / "fixtures" / "annotations" / "answers"
REPORTS: Final = {
    "two-systems": (
        f"{_EXAMPLE}/system-a.json {_EXAMPLE}/system-b.json "
        f"--references {_EXAMPLE}/references.json"
    ),
    "large-models": (
        f"{_ANSWERS}/talkative.json {_ANSWERS}/careful.json "
        f"--references {_ANSWERS}/references.json --instances {_ANSWERS}/instances.json"
    ),
    "many-scenes": f"{ROOT}/fixtures/scenes.json",
}
"""Page -> what `spicepy report` is given."""


def make_gallery() -> None:
    """Write all reports."""
    place = FOLDER / "gallery"
    place.mkdir(parents=True, exist_ok=True)
    for name, given in REPORTS.items():
        run_spicepy(f"spicepy report {given} --quiet --output {place / name}.html")
