"""The cache: results of the parser and the rules, kept in a file.

In: a folder, the values that results depend on, captions. Out: the kept results.
"""

from spicepy.pipeline.cache.namespace import FOLDER_VARIABLE, Namespace, open_cache

__all__ = [
    "FOLDER_VARIABLE",
    "Namespace",
    "open_cache",
]
