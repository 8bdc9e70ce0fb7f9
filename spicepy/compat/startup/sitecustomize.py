"""Imported by Python at its start where `python -m spicepy.compat run` put it first.

It installs spicepy's modules in processes that the program spawns, then gives way to
the environment's own module of this name, if there is one.
"""

import importlib.util
import os
import sys
from importlib.machinery import PathFinder

from spicepy.compat.installing import VARIABLE, install

_HERE = os.path.dirname(__file__)
install(os.environ.get(VARIABLE, "").split(), replace=True)
_own = PathFinder.find_spec("sitecustomize", [p for p in sys.path if p != _HERE])
if _own is not None and _own.loader is not None:
    _own.loader.exec_module(importlib.util.module_from_spec(_own))
