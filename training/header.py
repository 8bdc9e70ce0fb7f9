"""The features of the reranker's model in, the same in C out (`tree_model.h`).

The Python functions are called with symbols instead of numbers; what they return is
the text of an expression. So the bits of a state and the features are written once.
"""

from collections.abc import Callable
from dataclasses import dataclass
from inspect import signature
from typing import Any

from spicepy.parsing.bundled.reranker import features, layout
from spicepy.parsing.bundled.reranker.opening import MOST_STATES
from spicepy.parsing.bundled.reranker.states import MANY_GROUPS, States

FEATURES: dict[str, Callable[..., features.Features]] = {
    "word": features.of_word,
    "arc": features.of_dependent,
    "sibling": features.of_siblings,
    "third": features.of_third,
}


@dataclass(frozen=True)
class Symbol:
    """An expression in C."""

    text: str

    def __rshift__(self, other: object) -> "Symbol":
        return self._with(">>", other)

    def __lshift__(self, other: object) -> "Symbol":
        return self._with("<<", other)

    def __and__(self, other: object) -> "Symbol":
        return self._with("&", other)

    def __add__(self, other: object) -> "Symbol":
        return self._with("+", other)

    def __mul__(self, other: object) -> "Symbol":
        return self._with("*", other)

    def _with(self, operator: str, other: object) -> "Symbol":
        return Symbol(f"({self} {operator} {other})")

    def __str__(self) -> str:
        return self.text


def header(states: States, longest: int) -> str:
    """Return the text of `tree_model.h` for captions of `longest` words at most."""
    numbers = {
        "N": longest + 1,
        "K": MOST_STATES,
        "NQ": MANY_GROUPS,
        "START": states.start,
        "STOP": states.stop,
        "LAST_FACTOR": f"{features.LAST_FACTOR}ull",
        "FACTORS": ", ".join(f"{factor}ull" for factor in features.FACTORS),
        **{f"KIND_{kind.name}": kind.value for kind in layout.Kind},
    }
    fields = {"TAG": layout.TAG, "LABEL": layout.LABEL, "KIND": layout.KIND}
    state = Symbol("(s)")
    return "\n".join(
        [f"#define {name} {value}" for name, value in numbers.items()]
        + [f"#define {name}(s) {field.of(state)}" for name, field in fields.items()]
        + [_function(name, of) for name, of in FEATURES.items()]
    )


def _function(name: str, features_of: Callable[..., Any]) -> str:
    """Return the function in C that finds the rows of the weights of features."""
    arguments = list(signature(features_of).parameters)
    taken = ", ".join(f"int {argument}" for argument in arguments)
    rows = [", ".join(map(str, row)) for row in features_of(*map(Symbol, arguments))]
    feature = f"(uint64_t[{len(features.FACTORS)}])"
    return "\n".join(
        [
            f"enum {{ {name.upper()} = {len(rows)} }};",
            f"static inline void {name}_features({taken}, uint32_t *o) {{",
            *(f"  o[{n}] = row({feature}{{{row}}});" for n, row in enumerate(rows)),
            "}",
        ]
    )
