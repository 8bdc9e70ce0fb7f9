"""Libraries that only some functions need.

In: the name of a module and of the feature that needs it. Out: the module, or an error
of one sentence.
"""

from importlib import import_module
from typing import Any, Final

from spicepy.common.errors import ResourceError

_INSTALL: Final = {
    "scipy": "'spicepy-captions[study]'",
    "pyarrow": "'spicepy-captions[parquet]'",
    "ray": "'spicepy-captions[ray]'",
}
"""The packages to install for a library of another name."""


def required(module: str, purpose: str) -> Any:
    """Import a library's module.

    Args:
        module: Its name, e.g. "scipy.stats".
        purpose: The feature that needs it, as the beginning of a sentence.

    Raises:
        ResourceError: It cannot be imported.
    """
    library = module.partition(".")[0]
    try:
        return import_module(module)
    except ImportError as error:
        raise ResourceError(
            f"{purpose} needs {library}, which cannot be imported ({error}): "
            f"pip install {_INSTALL.get(library, library)}"
        ) from error


class LazyModule:
    """A library's module, imported when something of it is first used.

    Args:
        module, purpose: As for `required`, whose `ResourceError` comes then.
    """

    def __init__(self, module: str, purpose: str) -> None:
        self._asked = module, purpose

    def __getattr__(self, name: str) -> Any:
        return getattr(required(*self._asked), name)
