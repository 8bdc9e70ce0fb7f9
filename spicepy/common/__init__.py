"""Tools for all rooms: errors, files, progress, processes, tables of results."""


# The version of the package, which is part of every signature.

__version__ = "1.0.0rc1"
