"""The cache: results of the parser and the rules, kept in a file.

In: a folder, what the results depend on, captions. Out: what is known of them.
"""

from spicepy.pipeline.cache.namespace import FOLDER_VARIABLE, Namespace, open_cache

__all__ = [
    "FOLDER_VARIABLE",
    "Namespace",
    "open_cache",
]
