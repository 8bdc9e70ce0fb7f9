"""Limits on how much scores may fall or rise: a gate for builds."""

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import isnan
from pathlib import Path
from typing import Any, Final
from xml.sax.saxutils import escape, quoteattr

from spicepy.common.errors import InputError, brief, counted, find_name, unknown
from spicepy.common.files import read_text
from spicepy.common.json_values import plain
from spicepy.common.tables import Cells, P, Table
from spicepy.common.writing import Displayed
from spicepy.evaluation.comparison import Comparison
from spicepy.evaluation.options import METRICS, metric_with
from spicepy.metrics.base import Metric
from spicepy.metrics.spice import SPICE_PAPER_CATEGORIES

_SLACK: Final = 1e-12  # The difference that comes from adding numbers in another order
_KEYS: Final = {title.lower(): key for key, title in SPICE_PAPER_CATEGORIES.items()}
"""The keys of the scores that `spicepy compare` shows under a title."""
_TABLES: Final = {"max-drop": "drop", "max-rise": "rise"}


@dataclass(frozen=True, slots=True)
class Limit:
    """The most that a score may fall ("drop") or rise."""

    key: str  # The score, such as "spice" or "bleu-4"
    kind: str  # "drop" or "rise"
    most: float  # The amount allowed, 0 or more


@dataclass(frozen=True, slots=True)
class Outcome:
    """A limit and what was measured."""

    # `change` is new - old; `p_value` is that of the paired test, corrected as in
    # `Comparison`, None if there was none. A change `beyond` its limit may have
    # `passed` because it is not significant.
    limit: Limit
    old: float
    new: float
    change: float
    p_value: float | None
    beyond: bool
    passed: bool

    @property
    def state(self) -> str:
        """The outcome in a word or two."""
        if not self.beyond:
            return "pass"
        return "not significant" if self.passed else "FAIL"

    def sentence(self) -> str:
        """Return what happened, in a sentence."""
        limit = self.limit
        done = "fell" if self.change < 0 else "rose"
        excuse = ", but the change is not significant" if self.passed else ""
        return (
            f"{limit.key} {done} by {abs(self.change):.4f} ({self.old:.4f} to "
            f"{self.new:.4f}); the most it may {limit.kind} is {limit.most:g}{excuse}"
        )


@dataclass(frozen=True, slots=True, repr=False)
class Check(Displayed):
    """The outcome of every limit."""

    outcomes: tuple[Outcome, ...]  # One for each limit, in their order
    # Whether a change beyond its limit counts only if it is significant.
    significant: bool
    images: int  # The number of images
    signature: str  # That of the scores
    # Why no change can be significant, if that is so and counts, or be beyond a limit.
    warnings: tuple[str, ...] = ()

    @property
    def passed(self) -> bool:
        """Whether every score is within its limit."""
        return all(outcome.passed for outcome in self.outcomes)

    def tables(self) -> tuple[Table, ...]:
        """Return a row for each limit."""
        rows: list[Cells] = [
            (
                o.state,
                *(o.limit.key, o.old, o.new, o.change),
                *(f"{o.limit.kind} ≤ {o.limit.most:g}",),
                None if o.p_value is None else P(o.p_value),
            )
            for o in self.outcomes
        ]
        columns = ("", "Score", "Old", "New", "Change", "Limit", "p")
        notes = [counted(self.images, "image"), self.signature]
        if self.significant:
            notes.append("a change beyond its limit fails only if it is significant")
        notes += self.warnings
        title = "Limits: passed" if self.passed else "Limits: FAILED"
        return (Table(title, columns, rows, tuple(notes), digits=4),)

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values."""
        return {"passed": self.passed, **plain(self)}

    def junit_file(self) -> list[str]:
        """Return the one file of JUnit XML: a test case a limit."""
        states = [outcome.state for outcome in self.outcomes]
        lines = [
            '<?xml version="1.0" encoding="UTF-8"?>',
            f'<testsuite name="spicepy check" tests="{len(self.outcomes)}" '
            f'failures="{states.count("FAIL")}" errors="0" '
            f'skipped="{states.count("not significant")}">',
        ]
        for outcome in self.outcomes:
            name = quoteattr(f"{outcome.limit.key} max {outcome.limit.kind}")
            case = f'  <testcase classname="spicepy.check" name={name}'
            if not outcome.beyond:
                lines.append(f"{case}/>")
                continue
            text, tag = outcome.sentence(), "skipped" if outcome.passed else "failure"
            reason = f"<{tag} message={quoteattr(text)}>{escape(text)}</{tag}>"
            lines += [f"{case}>", f"    {reason}", "  </testcase>"]
        return ["\n".join([*lines, "</testsuite>", ""])]

    def annotations(self) -> Iterator[str]:
        """Yield a line for each change beyond its limit, as GitHub Actions reads it."""
        for outcome in self.outcomes:
            if outcome.beyond:
                kind = "warning" if outcome.passed else "error"
                yield f"::{kind} title=spicepy check::{outcome.sentence()}\n"


def unchecked(reason: str, extension: str) -> str:
    """Return what JUnit XML or Markdown says if nothing could be checked, else ""."""
    if extension == ".md":
        return f"**Limits: not checked**\n\n{escape(reason)}\n"
    if extension != ".xml":
        return ""
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        '<testsuite name="spicepy check" tests="1" failures="0" errors="1">\n'
        '  <testcase classname="spicepy.check" name="input">\n'
        f"    <error message={quoteattr(reason)}>{escape(reason)}</error>\n"
        "  </testcase>\n</testsuite>\n"
    )


def parse_limits(text: str, kind: str) -> list[Limit]:
    """Return limits of one kind: "spice=.005,bleu-4=.01"."""
    limits = []
    for part in text.split(","):
        key, _, amount = part.partition("=")
        try:
            most = float(amount)
        except ValueError:
            raise InputError(
                f"--max-{kind}: {brief(part)} is not a limit; give spice=.005, say"
            ) from None
        limits.append(_limit(key.strip(), kind, most))
    return limits


def read_limits(path: str | Path) -> tuple[list[Limit], bool]:
    """Read limits, and whether a change must be significant to fail, from TOML."""
    # There are tables `max-drop` and `max-rise`, and `significant` above them.
    try:
        data = tomllib.loads(read_text(path))
    except tomllib.TOMLDecodeError as error:
        point = "; write 0.01 for .01" * ("Invalid value" in str(error))
        raise InputError(f"{path}: not TOML ({error}{point})") from None
    limits: list[Limit] = []
    for name, value in data.items():
        if name == "significant" and isinstance(value, bool):
            continue
        if name == "significant":
            raise InputError(f"{path}: significant is {brief(value)}; true or false")
        if name not in _TABLES or not isinstance(value, Mapping):
            raise InputError(
                f"{path}: {name!r} is unknown; there are the tables [max-drop] and "
                "[max-rise] with score = amount, and significant = true"
            )
        for key, amount in value.items():
            if not isinstance(amount, int | float) or isinstance(amount, bool):
                above = "; it goes above the tables" if key == "significant" else ""
                raise InputError(
                    f"{path}: {key} is {brief(amount)}; a number is needed{above}"
                )
            limits.append(_limit(key, _TABLES[name], float(amount)))
    return limits, bool(data.get("significant"))


def _limit(key: str, kind: str, amount: float) -> Limit:
    if not key or not amount >= 0:
        raise InputError(
            f"the limit {key}={amount:g}: a score and a number of 0 or more are needed"
        )
    title = key.lower().removeprefix("spice-")  # "Count" and "spice-count"
    return Limit(_KEYS.get(title, key), kind, amount)


def metrics_for(limits: Sequence[Limit], own: Sequence[Metric] = ()) -> list[str]:
    """Return the names of the metrics that have the scores of limits, besides own."""
    if not limits:
        raise InputError("no limits: give --max-drop, --max-rise or --limits FILE")
    known = {key for metric in own for key in metric.keys}
    return list(dict.fromkeys(_metric_of(x.key) for x in limits if x.key not in known))


def _metric_of(key: str) -> str:
    if (name := metric_with(key)) is not None:
        return name
    from spicepy.objects import chair, counting

    usual = (f"bleu-{n}" for n in range(1, 5))
    found = (*chair.KEYS, *counting.KEYS)
    others = (n for n, each in METRICS.items() if each.standard and n != "bleu")
    raise unknown("score", key, (*SPICE_PAPER_CATEGORIES, *usual, *others, *found))


def on_scales(limits: Sequence[Limit], metrics: Sequence[Metric]) -> list[Limit]:
    """Return limits by the keys of scores; refuse one that no change can exceed."""
    spans = {key: metric.span for metric in metrics for key in metric.keys}
    falling = {key for metric in metrics for key in metric.lower_is_better}
    if any(x.key == "meteor" for x in limits) and "meteor" not in spans:
        raise InputError(
            "a limit of meteor needs METEOR's table of paraphrases (`spicepy model "
            "paraphrases`); without it the score is called meteor-no-paraphrase"
        )
    found = [replace(x, key=find_name("score", x.key, spans)) for x in limits]
    for limit in found:
        if limit.kind == "drop" and limit.key in falling:
            raise InputError(
                f"a drop of {limit.key} is no loss, since lower is better; give "
                f"--max-rise {limit.key}={limit.most:g}"
            )
        if [(x.key, x.kind) for x in found].count((limit.key, limit.kind)) > 1:
            raise InputError(f"two limits for a {limit.kind} of {limit.key}; give one")
        if limit.most >= (span := spans[limit.key]):
            raise InputError(
                f"the limit {limit.key}={limit.most:g} can never fail: the scale is "
                f"from 0 to {span:g}; one point as papers print it is 0.01"
            )
    return found


def check(
    comparison: Comparison, limits: Sequence[Limit], *, significant: bool = False
) -> Check:
    """Check the second system of a comparison, the new version, against the first."""
    # If `significant`, a change beyond its limit fails only if its corrected p-value is
    # below 1 - level.
    tests = {test.key: test for test in comparison.tests}
    outcomes = []
    warnings = list(comparison.warnings if significant else ())
    for limit in limits:
        if limit.key not in comparison.intervals:
            raise unknown("score", limit.key, comparison.intervals)
        old, new = (interval.score for interval in comparison.intervals[limit.key])
        change = new - old
        if isnan(change):
            raise InputError(
                f"{limit.key} is undefined for one of the two versions, so it "
                "cannot have a limit; take it out of the limits"
            )
        if limit.kind == "drop" and 0 < old <= limit.most:
            most = f"cannot fall by more than the limit of {limit.most:g}"
            warnings.append(f"{limit.key} was {old:.4f}, so it {most}")
        test = tests.get(limit.key)
        p_value = test.corrected_randomization if test else None
        moved = -change if limit.kind == "drop" else change
        beyond = moved > limit.most + _SLACK
        doubtful = significant and not (
            p_value is not None and p_value <= 1 - comparison.level
        )
        passed = not beyond or doubtful
        outcomes.append(Outcome(limit, old, new, change, p_value, beyond, passed))
    return Check(
        tuple(outcomes),
        significant,
        comparison.images,
        comparison.signature,
        tuple(warnings),
    )
