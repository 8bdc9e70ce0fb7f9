"""The figures of README.md, whose source is plain Markdown without comments.

In: the text of the README. Out: the same text with the recorded figures of today. Each
phrase below stands in the README once, with figures where it has `{record.key:form}`.
"""

import re
from collections.abc import Callable

from docs.running import StaleError

PHRASES = (
    "of coco-caption, {tokenizer_parity.lines} lines | {tokenizer_parity.different} ",
    "coco-caption, 5,000 COCO images | bit-identical ({ngram_parity.different} images",
    "{meteor_parity.meteor.scores} synthetic items and 5,000 images "
    "| {meteor_parity.images.different} differ",
    "from its own trees, {spice_parity.images.all} COCO images, all categories "
    "| {spice_parity.images.same} images",
    "SPICE 1.0, {exact_parity.images.all:,} COCO images, all categories "
    "| {exact_parity.images.same:,} images",
    "corpus {spice_parity.all.ours:.5f} vs {spice_parity.all.original:.5f}; "
    "Pearson by image {spice_parity.all.pearson:.4f} |",
    "The bundled parser (version {spice_parity.parser})",
)
_FIGURE = re.compile(r"\{([\w.-]+)(?::([^}]+))?\}")


def with_figures(text: str, figure: Callable[[str, str | None], str]) -> str:
    """Return the README with the figures that its phrases name.

    Args:
        text: The README.
        figure: From a figure's name and form to its text.

    Raises:
        StaleError: A phrase does not stand in the text exactly once.
    """
    for phrase in PHRASES:
        plain = _FIGURE.sub("\0", phrase).split("\0")
        pattern = re.compile(r"[\w.,-]+".join(map(re.escape, plain)))
        if len(pattern.findall(text)) != 1:
            raise StaleError(f"README.md must have once: {phrase}")
        shown = _FIGURE.sub(lambda m: figure(m[1], m[2]), phrase)
        text = pattern.sub(lambda _, shown=shown: shown, text)
    return text
