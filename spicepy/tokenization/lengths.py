"""The greatest length of captions that are parsed.

In: text, the tokens of a sentence a line, and whose it is. Out: nothing, or one clear
sentence. Below the limits, time and memory of parsing grow with the number of words; a
megabyte without a full stop would take minutes and gigabytes, and is no caption.
"""

import os
from typing import Final

from spicepy.common.errors import InputError, shown

WORDS: Final = 2_000
"""The most words of a sentence, unless `WORDS_VARIABLE` says otherwise."""
EXACT_WORDS: Final = 200
"""The same for the exact parser: its time grows with the cube of the words, its memory
with their square, to a minute and 1.4 GB."""
SENTENCES: Final = 500
"""The most sentences of a caption, unless `SENTENCES_VARIABLE` says otherwise."""
WORDS_VARIABLE: Final = "SPICEPY_SENTENCE_WORDS"
SENTENCES_VARIABLE: Final = "SPICEPY_CAPTION_SENTENCES"

SHORT: Final = 400
"""The number of characters up to which no limit is looked up, for speed: it is below
all sensible limits."""


def check_length(text: str, where: str = "", words: int = WORDS) -> None:
    """Refuse a caption that is too long to be parsed.

    Args:
        text: The tokens of each sentence joined by blanks, a sentence a line.
        where: The image of the caption, such as "image 7"; by default its first words.
        words: The most words of a sentence, unless the environment says otherwise.

    Raises:
        InputError: A sentence has more than `words` words, or the caption more than
            500 sentences; the environment variables SPICEPY_SENTENCE_WORDS and
            SPICEPY_CAPTION_SENTENCES set other limits. Or one of them is no whole
            number above 0.
    """
    if len(text) <= SHORT:
        return
    lines = text.split("\n")
    most = _limit(SENTENCES_VARIABLE, SENTENCES)
    if len(lines) > most:
        raise _too_long(text, where, len(lines), "sentences", most, SENTENCES_VARIABLE)
    longest = max(line.count(" ") + 1 for line in lines)
    most = _limit(WORDS_VARIABLE, words)
    if longest > most:
        raise _too_long(
            text, where, longest, "words in a sentence", most, WORDS_VARIABLE
        )


def _too_long(
    text: str, where: str, words: int, what: str, most: int, variable: str
) -> InputError:
    place = where or f"the caption {shown(text, 60)}"
    return InputError(
        f"{place}: {words:,} {what}, and at most {most:,} are parsed; cut the caption, "
        f"or set the environment variable {variable} to allow more"
    )


def _limit(variable: str, default: int) -> int:
    text = os.environ.get(variable, "")
    if not text:
        return default
    if not text.isdecimal() or not int(text[:18]):
        raise InputError(
            f"the environment variable {variable} is {shown(text)}; it must be a whole "
            "number above 0"
        )
    return int(text[:18])
