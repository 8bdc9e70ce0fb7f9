"""Stand-ins for other packages, for code that is written against them.

Code that imports `pycocoevalcap` needs one of these lines:

    from spicepy.compat.pycocoevalcap.spice.spice import Spice  # one import changed
    spicepy.compat.install()  # or nothing: `import pycocoevalcap` gives spicepy's
"""

from spicepy.compat.installing import install, start, uninstall

__all__ = ["install", "uninstall"]

start()
