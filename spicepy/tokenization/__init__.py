"""Captions as Penn Treebank tokens, as coco-caption prepares them.

`ptb` is the door; the rest is Stanford's PTBTokenizer 3.4.1 as data and a scanner.
"""

from spicepy.tokenization.ptb import SIGNATURE, tokenize

__all__ = ["SIGNATURE", "tokenize"]
