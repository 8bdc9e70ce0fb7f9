"""`PTBTokenizer`: coco-caption's tokeniser for references or for candidates."""

from collections.abc import Mapping, Sequence
from typing import Any

from spicepy.common.errors import InputError, shown
from spicepy.compat.pycocoevalcap.tokenizer import ptbtokenizer


class PTBTokenizer:
    """coco-caption's tokeniser.

    Args:
        _source: "gts" for references, "res" for candidates.

    Raises:
        InputError: Another source.
    """

    def __init__(self, _source: str = "gts") -> None:
        if _source not in ("gts", "res"):
            raise InputError(f"PTBTokenizer({shown(_source)}): only 'gts' and 'res'")
        self.source = _source

    def tokenize(
        self,
        captions_for_image: Mapping[Any, Sequence[Mapping[str, str]]]
        | Sequence[Mapping[str, Any]],
    ) -> dict[Any, list[str]] | list[dict[str, Any]]:
        """Tokenise captions.

        Args:
            captions_for_image: References, {id: [{"caption": …}, …]}; or candidates,
                [{"image_id": id, "caption": …}, …].

        Returns:
            {id: [tokens joined by spaces, …]}; or the candidates, "caption" a list of
            one such text.
        """
        if isinstance(captions_for_image, Mapping):
            return ptbtokenizer.PTBTokenizer.tokenize(captions_for_image)
        by_place = {n: [entry] for n, entry in enumerate(captions_for_image)}
        tokens = ptbtokenizer.PTBTokenizer.tokenize(by_place)
        return [{**entry, "caption": tokens[n]} for n, [entry] in by_place.items()]
