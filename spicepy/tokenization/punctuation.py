"""The rules of the PTB tokeniser for punctuation, brackets, quotes and faces.

In: the classes of characters. Out: `MARKS`, the part of `rules.RULES` from 43 to 64.
"""

from spicepy.tokenization.actions import brackets, left_quotes, nothing, right_quotes
from spicepy.tokenization.classes import INNER_STOP, any_case
from spicepy.tokenization.patterns import EYES
from spicepy.tokenization.rule_type import rule

_STOPS = ".¡¿\u037e\u0589\u061f\u06d4\u0700-\u0702\u07fa\u3002"

MARKS = [
    rule(43, '"&', f'"|{any_case("&quot;")}', left_quotes, before="[A-Za-z0-9$]"),
    rule(44, '"&', f'"|{any_case("&quot;")}', right_quotes),
    rule(45, "\\x7f", "\\x7f", nothing),
    rule(46, "<&", f"<|{any_case('&lt;')}", lambda _: "<"),
    rule(47, ">&", f">|{any_case('&gt;')}", lambda _: ">"),
    rule(
        48,
        "<>:;=",
        r"[<>]?[:;=][\-o*']?[()DPdpO\\{@|\[\]]",
        brackets,
        before="[^A-Za-z0-9]",
    ),
    rule(49, f"\\-{EYES[1:]}\\^", f"[\\-{EYES[1:]}\\^]_[\\-{EYES[1:]}\\^]"),
    rule(49, "(", f"\\([\\-{EYES[1:]}\\^][_.]?[\\-{EYES[1:]}\\^]\\)", brackets),
    rule(49, "(", f"\\([{EYES[1:]}\\^]-[{EYES[1:]}\\^`]\\)", brackets),
    rule(49, "\\^xX=~<>", r"[\^xX=~<>]\.\[\^[xX]=~<>\]"),
    rule(50, "{", "\\{", brackets),
    rule(51, "}", "\\}", brackets),
    rule(52, "\\[", "\\[", brackets),
    rule(53, "\\]", "\\]", brackets),
    rule(54, "(", "\\(", brackets),
    rule(55, ")", "\\)", brackets),
    rule(56, "\\-", "-++", lambda body: "--" if 3 <= len(body) <= 4 else body),
    rule(57, ".", "\\.{3,5}", lambda _: "..."),
    rule(57, ".", "\\.(?:[ \\u00a0]\\.){2,4}", lambda _: "..."),
    rule(57, "\u2026\x85", "[\u2026\x85]", lambda _: "..."),
    rule(58, "@#_", "@++|#++|_++"),
    rule(59, "*\\\\", "\\*++|(?:\\\\\\*){1,3}"),
    rule(60, ",;:\u3001", INNER_STOP),
    rule(61, "?!", "[?!]++"),
    rule(62, _STOPS, f"[{_STOPS}]"),
    rule(63, "=", "="),
    rule(64, "/", "/"),
]
