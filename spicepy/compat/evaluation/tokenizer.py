"""`PTBTokenizer`, for dictionaries and for lists of captions."""

from collections.abc import Mapping
from typing import Any

from spicepy.compat.pycocoevalcap.tokenizer import ptbtokenizer


class PTBTokenizer:
    """coco-caption's tokeniser, for dictionaries and for lists of captions."""

    @classmethod
    def tokenize(cls, corpus: Any) -> dict[Any, list[str]]:
        """Tokenise captions.

        Args:
            corpus: {id: [caption, …]}, or a list of captions or of lists of them,
                whose ids are their places.

        Returns:
            {id: [tokens joined by spaces, …]}.
        """
        if isinstance(corpus, Mapping):
            corpus = {
                key: [captions] if isinstance(captions, str) else captions
                for key, captions in corpus.items()
            }
        return ptbtokenizer.PTBTokenizer.tokenize(corpus)
