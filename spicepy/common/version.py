"""The version of the package, which is part of every signature."""

__version__ = "1.0.0rc1"
