"""A Sphinx extension: docstrings name classes as users do, without their modules.

`InputError` in any docstring leads to `spicepy.InputError` in the API reference. A
class of spicepy that the reference does not list is shown without a link; a name
that does not exist is still a warning.
"""

from importlib import import_module
from typing import Any

from docutils import nodes
from sphinx.addnodes import pending_xref
from sphinx.application import Sphinx


def resolve(
    app: Sphinx, env: Any, node: pending_xref, content: nodes.TextElement
) -> nodes.Node | None:
    """Return a link to the one documented object of this name, or plain text."""
    if node.get("refdomain") != "py":
        return None
    target = node["reftarget"]
    last = target.rpartition(".")[2]
    domain = env.get_domain("py")
    found = [name for name in domain.objects if name.rpartition(".")[2] == last]
    if len(found) == 1:
        made: nodes.Node | None = domain.resolve_xref(
            env, node["refdoc"], app.builder, "obj", found[0], node, content
        )
        return made
    return content if exists(target) else None


def exists(name: str) -> bool:
    """Return whether a dotted name of spicepy can be imported."""
    module, _, attribute = name.rpartition(".")
    if not module.startswith("spicepy."):
        return False
    try:
        return hasattr(import_module(module), attribute)
    except ImportError:
        return False


def setup(app: Sphinx) -> dict[str, Any]:
    """Set up the extension for Sphinx."""
    app.connect("missing-reference", resolve)
    return {"parallel_read_safe": True}
