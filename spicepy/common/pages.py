"""Parts that all written pages and pictures have in common.

These are templates that escape their values, colours, and the Content-Security-Policy,
under which only the page's own script runs and nothing is fetched.
"""

import base64
import hashlib
from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any

from spicepy.common.errors import counted
from spicepy.common.resources import required

COLORS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#777777")
"""Okabe & Ito's colours, distinct for colour-blind readers."""


class Templates:
    """The templates of a package, which escape; loaded when one is first used."""

    # The template "head.html" is the beginning of every page's head. All know
    # `counted`, the `values` and the `filters`.

    def __init__(
        self,
        package: str,
        values: Mapping[str, object],
        filters: Mapping[str, Callable[..., str]] | None = None,
        folder: str = "templates",
    ) -> None:
        self._folder = folder
        self._package, self._values, self._filters = package, values, filters or {}

    def render(self, name: str, **values: object) -> str:
        """Return a template filled with values; one that it lacks is an error."""
        text: str = self._environment.get_template(name).render(**values)
        return text

    def source(self, name: str) -> str:
        """Return a file among the templates unchanged: a style or a script."""
        text: str = self._environment.loader.get_source(self._environment, name)[0]
        return text.strip("\n")

    @cached_property
    def _environment(self) -> Any:
        jinja2 = template_library()
        own = jinja2.PackageLoader(self._package, self._folder)
        common = jinja2.PackageLoader("spicepy.common")
        made = jinja2.Environment(
            loader=jinja2.ChoiceLoader([own, common]),
            autoescape=True,
            undefined=jinja2.StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        made.globals |= {"counted": counted, **self._values}
        made.filters |= self._filters
        return made


def template_library() -> Any:
    """Return the module jinja2; call this before slow work that ends in a page."""
    return required("jinja2", "an HTML page or a picture")


def safe(text: str) -> str:
    """Return text that templates do not escape: escaped already, or written by us."""
    markup: str = required("markupsafe", "an HTML page or a picture").Markup(text)
    return markup


def policy(style: str, script: str = "", images: str = "'none'") -> str:
    """Return the Content-Security-Policy of a page by its one style and one script."""
    scripts = _digest(script) if script else "'none'"
    return (
        f"default-src 'none'; script-src {scripts}; style-src {_digest(style)}; "
        f"img-src {images}; base-uri 'none'; form-action 'none'"
    )


def _digest(text: str) -> str:
    digest = hashlib.sha256(text.encode("utf-8")).digest()
    return f"'sha256-{base64.b64encode(digest).decode('ascii')}'"
