"""Penn Treebank tokens as NLTK's `word_tokenize` makes them of lower-cased captions.

In: a caption as it was written. Out: its tokens in lower case. The scripts that compute
CHAIR read captions in this way, and their figures depend on it; the tokeniser of
coco-caption, which the other metrics use, is `spicepy.tokenization.ptb`.

A text is first split into sentences, since a full stop is a token of its own only at a
sentence's end. NLTK's splitter (Punkt) decides by the case of the next word; of
lower-cased text little is left of that: a sentence ends at ".", "!" or "?" before a
blank, a quote or a bracket, unless the stop belongs to an abbreviation or a number.
Each sentence is then rewritten by the rules below, in their order, until blanks stand
between all tokens.

The rules are those of NLTK 3.5 to 3.8.1. From 3.9 on NLTK also splits a closing quote
that stands before a line break.

Source: Kiss & Strunk 2006, section 4; the tokenisation of the Penn Treebank (MacIntyre
1995); observed outputs of NLTK 3.8.1.
"""

import re
from collections.abc import Iterator
from typing import Final

_ABBREVIATIONS: Final = frozenset(
    """
    a.a a.c a.d a.g a.h a.m a.m.e a.s a.t adm ala ariz aug ave b.f b.v bros c c.i.t
    c.o.m.b c.v calif chg cie co col colo conn corp cos ct d d.c d.h d.w dec dr e e.f
    e.h e.l e.m f f.g f.j feb fla fri ft g g.d g.f g.k ga gen h h.c h.f h.m i.m.s ill
    inc j.b j.c j.j j.k j.p j.r jan jr k kan ky l l.a l.f l.p lt ltd m m.b.a m.d.c m.j
    maj messrs mg mich minn mr mrs ms n n.c n.d n.h n.j n.m n.v n.y nev nov oct ok
    okla ore p p.a.m p.m pa ph.d prof r r.a r.h r.i r.j r.k r.t rep reps s s.a s.a.y
    s.c s.g s.p.a s.s sen sep sept sr st sw t t.j tenn tues u.k u.n u.s u.s.a u.s.s.r
    v va vs vt w w.c w.r w.va w.w wash wed wis yr
    """.split()  # noqa: SIM905
)
"""Words whose full stop ends no sentence."""

_END: Final = re.compile(
    r"([^\s()\";}\]*:@'{\[!?]*)[.?!](?=\s+(\S)|([)\";}\]*:@'({\[!?]))"
)
"""A word, its stop, and the character that follows."""
_CLOSERS: Final = re.compile(r"\s*[\"')\]}]+(?=\s|--|$)")
"""Quotes and brackets that belong to the sentence before them."""
_NUMBER: Final = re.compile(r"-?[.,]?\d[\d,.-]*")

_SIMPLE: Final = re.compile(r"[a-z0-9 -]+(?:, [a-z0-9 -]+)*[.?!]?")
_SPECIAL: Final = re.compile(r"--|\b(?:cannot|gimme|gonna|gotta|lemme|wanna)\b")
"""Most sentences are simple, and need no rules unless they hold one of these."""

_OPENING: Final = (
    (r"([«“‘„]|`+)", r" \1 "),
    (r'^"', r"``"),
    (r"(``)", r" \1 "),
    (r"([ (\[{<])(\"|'{2})", r"\1 `` "),
    (r"(')(?!re|ve|ll|m|t|s|d|n)(\w)\b", r"\1 \2"),
)
_PUNCTUATION: Final = (
    (r"([^.])(\.)([\])}>\"'»”’ ]*)\s*$", r"\1 \2 \3 "),
    (r"([:,])([^\d])", r" \1 \2"),
    (r"([:,])$", r" \1 "),
    (r"(\.{2,})", r" \1 "),
    (r"([;@#$%&])", r" \1 "),
    (r"([^.])(\.)([\])}>\"']*)\s*$", r"\1 \2\3 "),
    (r"([?!])", r" \1 "),
    (r"([^'])' ", r"\1 ' "),
    (r"(\*)", r" \1 "),
    (r"([\[\](){}<>])", r" \1 "),
    (r"--", r" -- "),
)
_CLOSING: Final = (
    (r"([»”’])", r" \1 "),
    (r"''", r" '' "),
    (r'"', r" '' "),
    (r"([^' ])('[smd]|') ", r"\1 \2 "),
    (r"([^' ])('ll|'re|'ve|n't) ", r"\1 \2 "),
)
_CONTRACTIONS: Final = (
    (r"\b(can)(not)\b", r" \1 \2 "),
    (r"\b(d)('ye)\b", r" \1 \2 "),
    (r"\b(gim)(me)\b", r" \1 \2 "),
    (r"\b(gon)(na)\b", r" \1 \2 "),
    (r"\b(got)(ta)\b", r" \1 \2 "),
    (r"\b(lem)(me)\b", r" \1 \2 "),
    (r"\b(more)('n)\b", r" \1 \2 "),
    (r"\b(wan)(na)(?=\s)", r" \1 \2 "),
    (r" ('t)(is)\b", r" \1 \2 "),
    (r" ('t)(was)\b", r" \1 \2 "),
)


def _compiled(
    rules: tuple[tuple[str, str], ...],
) -> tuple[tuple[re.Pattern[str], str], ...]:
    return tuple((re.compile(pattern), made) for pattern, made in rules)


_BEFORE: Final = _compiled(_OPENING + _PUNCTUATION)
_AFTER: Final = _compiled(_CLOSING + _CONTRACTIONS)


def treebank_tokens(caption: str) -> list[str]:
    """Return the tokens of a caption in lower case."""
    return [
        token for sentence in _sentences(caption.lower()) for token in _tokens(sentence)
    ]


def _tokens(sentence: str) -> list[str]:
    if _SIMPLE.fullmatch(sentence) and not _SPECIAL.search(sentence):
        tokens = sentence.replace(",", " ,").split()
        last = tokens[-1] if tokens else ""
        if len(last) > 1 and last[-1] in ".?!":
            tokens[-1:] = [last[:-1], last[-1]]
        return tokens
    for rule, made in _BEFORE:
        sentence = rule.sub(made, sentence)
    sentence = f" {sentence} "
    for rule, made in _AFTER:
        sentence = rule.sub(made, sentence)
    return sentence.split()


def _sentences(text: str) -> Iterator[str]:
    start = 0
    for found in _END.finditer(text):
        end = found.end()
        if end <= start or (text[end - 1] == "." and _goes_on(found)):
            continue
        closers = _CLOSERS.match(text, end)
        end = closers.end() if closers else end
        yield text[start:end].strip()
        start = end
    yield text[start:].strip()


def _goes_on(found: re.Match[str]) -> bool:
    """Return whether a full stop ends no sentence.

    It belongs to an ellipsis or an abbreviation, or to a number or a single letter
    before a word ("at 12:15. the").
    """
    word, following = found[1], found[2] or found[3]
    if word.endswith(".") or word.rpartition("-")[2] in _ABBREVIATIONS:
        return True
    if _NUMBER.fullmatch(word) or (len(word) == 1 and word.isalpha()):
        return following.islower() or following in ";:,.!?"
    return False
