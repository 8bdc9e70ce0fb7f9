"""Importing this module makes a process ready to parse.

In: nothing. Out: the default parser and grammar, loaded. The server of processes
imports it, so that workers that are forked from it have both from the beginning
(`common.processes`).
"""

from contextlib import suppress
from importlib import import_module

with suppress(RuntimeError):  # `ResourceError`: the parent will say what is missing
    import_module("spicepy.pipeline").Pipeline(cache="").make(["a dog runs"])
