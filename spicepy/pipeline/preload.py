"""Import side effect: load the default parser and grammar for forked workers.

The server of processes imports it (`common.processes.preload`).
"""

from contextlib import suppress

from spicepy.pipeline.pipeline import Pipeline

with suppress(RuntimeError):  # `ResourceError`: the parent says what is missing
    Pipeline(cache="").make(["a dog runs"])
