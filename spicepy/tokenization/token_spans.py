"""Token spans: the positions of tokens in the caption as it was written.

In: a raw caption and its tokens. Out: the span of each token, if it has one.
"""

Span = tuple[int, int]

_BRACKETS = {
    **{"-lrb-": "(", "-rrb-": ")", "-lcb-": "{", "-rcb-": "}"},
    **{"-lsb-": "[", "-rsb-": "]"},
}


def find_tokens(caption: str, tokenised: str) -> list[Span]:
    """Find the tokens of a caption in it, one after the other.

    Tokens are in lower case and without punctuation. Tokens that are respelled, such as
    an ellipsis, have the empty span (0, 0); the next token is then searched at the
    beginnings of later words.

    Args:
        caption: The caption as it was written.
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
