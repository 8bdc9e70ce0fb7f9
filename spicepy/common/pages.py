"""Parts that all written pages and pictures have in common.

Templates that escape what they are given; colours; and the Content-Security-Policy,
under which nothing but a page's own script runs and nothing is fetched.
"""

import base64
import hashlib

from jinja2 import Environment, PackageLoader, StrictUndefined

COLORS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#777777")
"""Okabe & Ito's colours, distinct for colour-blind readers."""


def templates(package: str) -> Environment:
    """Return the templates of a package; an unknown name is an error."""
    return Environment(
        loader=PackageLoader(package),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def source(of: Environment, name: str) -> str:
    """Return a file among the templates as it is written: a style or a script."""
    if of.loader is None:
        raise LookupError(name)
    return of.loader.get_source(of, name)[0].strip("\n")


def policy(style: str, script: str = "", images: str = "'none'") -> str:
    """Return the content of the page's `<meta http-equiv="Content-Security-Policy">`.

    Args:
        style: The text of its one `<style>`.
        script: The text of its one `<script>`, if it has one.
        images: The sources from which images may come.
    """
    scripts = _digest(script) if script else "'none'"
    return (
        f"default-src 'none'; script-src {scripts}; style-src {_digest(style)}; "
        f"img-src {images}; base-uri 'none'; form-action 'none'"
    )


def _digest(text: str) -> str:
    digest = hashlib.sha256(text.encode("utf-8")).digest()
    return f"'sha256-{base64.b64encode(digest).decode('ascii')}'"
