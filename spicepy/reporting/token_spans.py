"""Marks: where in a caption, as it was written, its tokens stand.

In: a raw caption and its tokens. Out: each token's place, where it has one.
"""

Span = tuple[int, int]

_BRACKETS = {
    **{"-lrb-": "(", "-rrb-": ")", "-lcb-": "{", "-rcb-": "}"},
    **{"-lsb-": "[", "-rsb-": "]"},
}


def find_tokens(caption: str, tokenised: str) -> list[Span]:
    """Find a caption's tokens in it, one after the other.

    Tokens are lower-case, punctuation is gone, and some are respelled (an
    ellipsis): those have the empty place (0, 0), and the next one is looked for
    at the start of a later word.

    Args:
        caption: As written.
        tokenised: Its tokens, joined by single spaces.

    Returns:
        (start, end) of each token in the caption, in code points.
    """
    lower = caption.lower()
    if not caption.isascii():
        lower = "".join(c.lower() if len(c.lower()) == 1 else c for c in caption)
    spans: list[Span] = []
    end, lost = 0, False
    for token in tokenised.split(" ") if tokenised else ():
        token = _BRACKETS.get(token, token)
        start = lower.find(token, end)
        while lost and start > 0 and lower[start - 1].isalnum():
            start = lower.find(token, start + 1)
        if start < 0 or not (lost or _blank(lower[end:start])):
            spans.append((0, 0))
            lost = True
        else:
            end = start + len(token)
            spans.append((start, end))
            lost = False
    return spans


def _blank(text: str) -> bool:
    return not any(map(str.isalnum, text))
