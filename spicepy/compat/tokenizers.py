"""The classes `PTBTokenizer` of coco-caption and of the packages beside it.

In: raw captions in the shape that each package has. Out: tokens joined by single
spaces, in the same shape.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from spicepy.captions.sample import check_caption
from spicepy.common.errors import InputError, brief
from spicepy.tokenization.ptb import tokenize


class PTBTokenizer:
    """The tokeniser of coco-caption: Penn Treebank, lower case, no punctuation.

    `tokenize` can be called on the class, too.

    Args:
        verbose: Unread, since nothing is printed; copies of the package take it.
    """

    def __init__(self, verbose: bool = False) -> None:
        """Make a tokeniser."""

    @staticmethod
    def tokenize(captions_for_image: Any) -> dict[Any, list[str]]:
        """Tokenise all captions as one document, in the order given.

        Args:
            captions_for_image: {id: [{"caption": "…"}, …]}, as COCO's annotations
                are; strings may stand for the mappings. Without ids, a list of
                strings (one caption per image) or of such lists, numbered from 0.

        Returns:
            {id: ["tokens joined by spaces", …]}, in the same order.

        Raises:
            InputError: Another shape; names the id.

        Example:
            >>> PTBTokenizer().tokenize({7: [{"caption": "A dog's ball."}]})
            {7: ["a dog 's ball"]}
        """
        by_image = {
            key: [_text(item, key) for item in _items(entries, key)]
            for key, entries in _with_ids(captions_for_image).items()
        }
        tokens = iter(tokenize([text for texts in by_image.values() for text in texts]))
        return {key: [next(tokens) for _ in texts] for key, texts in by_image.items()}


def _with_ids(captions: Any) -> Mapping[Any, Any]:
    if isinstance(captions, Mapping):
        return captions
    if isinstance(captions, list | tuple):
        return {
            at: [entry] if isinstance(entry, str) else entry
            for at, entry in enumerate(captions)
        }
    raise InputError(
        f"PTBTokenizer: found {brief(captions)}; it takes a mapping of image ids to "
        "lists of captions, or a list"
    )


def _items(value: Any, key: object) -> Sequence[Any]:
    if not isinstance(value, list | tuple):
        raise InputError(
            f"image {brief(key)}: the captions are {brief(value)}; they must be a list"
        )
    return value


def _text(item: Any, key: object) -> str:
    if isinstance(item, Mapping):
        if "caption" not in item:
            raise InputError(f"image {brief(key)}: no key 'caption' in {brief(item)}")
        item = item["caption"]
    return check_caption(item, "caption", f"image {brief(key)}")


class SidedTokenizer:
    """The tokeniser of `pyciderevalcap`, for references or for candidates.

    Args:
        _source: "gts" for references, "res" for candidates.

    Raises:
        InputError: Another source.
    """

    def __init__(self, _source: str = "gts") -> None:
        if _source not in ("gts", "res"):
            raise InputError(f"PTBTokenizer({brief(_source)}): only 'gts' and 'res'")
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
            return PTBTokenizer.tokenize(captions_for_image)
        by_place = {n: [entry] for n, entry in enumerate(captions_for_image)}
        tokens = PTBTokenizer.tokenize(by_place)
        return [{**entry, "caption": tokens[n]} for n, [entry] in by_place.items()]


class ListTokenizer:
    """The tokeniser of the package `evaluation`, for dictionaries and for lists."""

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
        return PTBTokenizer.tokenize(corpus)
