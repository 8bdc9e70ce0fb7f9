"""The configuration of Sphinx: `sphinx-build -W -n docs docs/_build/html`."""

import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from docs.gallery import make_gallery
from spicepy.common import __version__

project = "spicepy"
author = copyright = "the spicepy authors"
release = version = __version__
html_title = f"spicepy {release}"

extensions = [
    "myst_nb",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "sphinx_copybutton",
    "sphinx_design",
    "docs.short_names",
]
exclude_patterns = ["_build", "_gallery", "**.ipynb_checkpoints"]
html_theme = "furo"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_extra_path = ["_gallery", "../spicepy/common/results.schema.json"]
html_theme_options = {
    "source_repository": "https://github.com/spicepy/spicepy/",
    "source_branch": "main",
    "source_directory": "docs/",
}
copybutton_prompt_text = r">>> |\.\.\. |\$ "
copybutton_prompt_is_regexp = True
copybutton_only_copy_prompt_lines = True
smartquotes = False  # would change `--option` in prose
default_role = "code"  # single backticks in docstrings

myst_heading_anchors = 3
myst_enable_extensions = ["colon_fence"]
suppress_warnings: list[str] = []

# Notebooks are kept as text and run at every build; an error fails it.
nb_execution_mode = "force"
nb_execution_raise_on_error = True
nb_execution_timeout = 60
nb_execution_show_tb = True
nb_render_markdown_format = "myst"

autodoc_member_order = "bysource"
autodoc_typehints = "signature"
python_use_unqualified_type_names = True
napoleon_numpy_docstring = False
napoleon_use_rtype = False

# Types of other projects and of the standard library: their own documentation would
# have to be fetched from the network to be linked.
nitpick_ignore_regex = [
    (r"py:.*", r"(collections|pathlib|typing|types|enum|dataclasses|abc)(\..*)?"),
    (r"py:.*", r"(numpy|np|networkx|nx|pandas|pd|scipy|matplotlib)(\..*)?"),
    # Sphinx splits a union in a type alias in the middle: "str | tuple[str, ...]".
    (r"py:class", r"tuple\[str"),
    # Types as a signature names them, which has them in a quoted union.
    (r"py:class", r"Samples|Study|Path|AnnotatedDiagnosis"),
]


def setup(app: Any) -> None:
    """Write the reports of the gallery before Sphinx looks for their folder."""
    app.connect("config-inited", lambda *_: make_gallery(), priority=100)
