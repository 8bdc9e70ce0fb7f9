"""Importing this module makes a process ready to parse.

In: nothing. Out: the default parser and grammar, loaded. The server of processes
imports it, so that workers that are forked from it have both from the beginning
(`common.processes`). Ctrl-C meanwhile is for the parent.
"""

import signal
from importlib import import_module

_before = signal.signal(signal.SIGINT, signal.SIG_IGN)
try:
    import_module("spicepy.pipeline").Pipeline(cache="").make(["a dog runs"])
except RuntimeError:
    pass  # `ResourceError`: the parent will say what is missing
finally:
    signal.signal(signal.SIGINT, _before)
