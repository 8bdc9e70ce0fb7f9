"""Import side effect: load the default parser and grammar for forked workers.

In: nothing. Out: the default parser and grammar, loaded. The server of processes
imports it (`common.processes.preload`), so that workers that are forked from it have
both from the beginning.
"""

from contextlib import suppress

from spicepy.pipeline.pipeline import Pipeline

with suppress(RuntimeError):  # `ResourceError`: the parent says what is missing
    Pipeline(cache="").make(["a dog runs"])
