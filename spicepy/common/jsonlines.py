"""A JSON value as one line under every rule for line ends.

In: a value ready for JSON. Out: its text without a line break. JSON allows U+0085,
U+2028 and U+2029 in strings, but JavaScript, Java and Python's `str.splitlines` end
lines at some of them; therefore they are escaped.
"""

import json
import re
from typing import Any, Final

_BREAKS: Final = re.compile("[\x85\u2028\u2029]")


def json_line(value: Any) -> str:
    """Return the JSON text of a value, letters as they are, on one line."""
    text = json.dumps(value, ensure_ascii=False)
    return _BREAKS.sub(_escaped, text) if _BREAKS.search(text) else text


def _escaped(match: re.Match[str]) -> str:
    return f"\\u{ord(match[0]):04x}"
