"""Importing this module loads the default parser.

In: nothing. Out: nothing. A server of processes imports it, so that the workers that
are forked from it have the parser from the beginning (see `common.processes`).
"""

from contextlib import suppress

import spicepy.pipeline.pipeline  # noqa: F401  (what the workers run)
from spicepy.common.errors import ResourceError
from spicepy.parsing.loading import DEFAULT, load

with suppress(ResourceError):  # the parent says so
    load(DEFAULT)
