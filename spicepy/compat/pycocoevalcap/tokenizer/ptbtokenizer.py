"""`PTBTokenizer`: the tokens of raw captions, joined by single spaces."""

from collections.abc import Mapping, Sequence
from typing import Any

from spicepy.captions.sample import check_caption
from spicepy.common.errors import InputError, shown
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
                strings (one caption an image) or of such lists, numbered from 0.

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
        f"PTBTokenizer: found {shown(captions)}; it takes a mapping of image ids to "
        "lists of captions, or a list"
    )


def _items(value: Any, key: object) -> Sequence[Any]:
    if not isinstance(value, list | tuple):
        raise InputError(
            f"image {shown(key)}: the captions are {shown(value)}; they must be a list"
        )
    return value


def _text(item: Any, key: object) -> str:
    if isinstance(item, Mapping):
        if "caption" not in item:
            raise InputError(f"image {shown(key)}: no key 'caption' in {shown(item)}")
        item = item["caption"]
    return check_caption(item, "caption", f"image {shown(key)}")
