"""Marks: where in a caption, as it was written, its tokens stand.

In: a raw caption and its tokens. Out: the text to show and each token's place.
"""

Span = tuple[int, int]


def align(caption: str, tokenised: str) -> tuple[str, list[Span]]:
    """Find a caption's tokens in it.

    Tokens are lower-case, and punctuation is gone. Where they cannot be found
    one after the other (the tokeniser writes "(" as "-lrb-"), the tokenised
    caption is shown instead.

    Args:
        caption: As written.
        tokenised: Its tokens, joined by single spaces.

    Returns:
        The text to show; (start, end) of each token in it, in code points.
    """
    tokens = tokenised.split(" ") if tokenised else []
    return _in_text(caption, caption.lower(), tokens) or _joined(tokenised, tokens)


def _in_text(
    caption: str, lower: str, tokens: list[str]
) -> tuple[str, list[Span]] | None:
    if len(lower) != len(caption):
        return None
    spans, end = [], 0
    for token in tokens:
        start = lower.find(token, end)
        if start < 0 or any(map(str.isalnum, lower[end:start])):
            return None
        end = start + len(token)
        spans.append((start, end))
    return caption, spans


def _joined(tokenised: str, tokens: list[str]) -> tuple[str, list[Span]]:
    spans, start = [], 0
    for token in tokens:
        spans.append((start, start + len(token)))
        start += len(token) + 1
    return tokenised, spans
