"""The variants of CHAIR by name, and the reader of each.

In: a variant's name. Out: a `MentionReader`. A reader is loaded when it is asked for.
"""

from pathlib import Path
from typing import Final

from spicepy.annotations.mentions import CLEAN, MentionReader
from spicepy.common.errors import InputError, shown

VARIANTS: Final = (CLEAN, "pattern", "nltk")
"""`pattern`: Rohrbach's script and its ports. `nltk`: OPERA's script and its copies."""


def load_reader(
    variant: str = CLEAN,
    vocabulary: str | Path | None = None,
    *,
    jobs: int = 1,
    cache: str | Path | None = None,
) -> MentionReader:
    """Return the reader of a variant.

    Args:
        variant: A name of `VARIANTS`.
        vocabulary: The vocabulary of `clean`: a shipped one's name, a TOML file or an
            annotation file; "coco-80" by default.
        jobs: Processes that parse, for `clean`.
        cache: A folder that keeps what is parsed, for `clean`.

    Raises:
        InputError: The variant or the vocabulary is unknown, or a vocabulary is given
            to a script, which has its own.
        ResourceError: NLTK's tagger, which the variant needs, is missing.
    """
    if variant not in VARIANTS:
        raise InputError(
            f"the variant is {shown(variant)}; it must be one of {', '.join(VARIANTS)}"
        )
    if variant == CLEAN:
        from spicepy.annotations.parsed_mentions import load_parsed_reader

        return load_parsed_reader(vocabulary, jobs=jobs, cache=cache)
    if vocabulary is not None:
        raise InputError(
            f"--vocabulary {vocabulary}: the variant {variant} has the words of its "
            "script, for the 80 classes of COCO; other words are for the variant clean"
        )
    from spicepy.annotations.script_words import load_script_reader

    return load_script_reader(variant)
