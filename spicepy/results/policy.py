"""The Content-Security-Policy of every page that is written.

In: a page's own style and script. Out: the policy under which nothing else runs
and nothing is fetched.
"""

import base64
import hashlib


def policy(style: str, script: str = "", images: str = "'none'") -> str:
    """The content of the page's `<meta http-equiv="Content-Security-Policy">`.

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
