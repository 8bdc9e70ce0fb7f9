"""What the bundled caption parser was made from, and in which time.

Usage: python benchmarks/model_card.py [--record]

In: `meta.json` beside the model, which its training wrote, and the log of that run.
Out: the figures of its model card (`docs/explanation/caption-parser.md`).
"""

import json
import math

from record import figure, run

from spicepy.parsing.loading import DEFAULT, MODELS

CHAINS = {
    "one network": ("first", "second", "third"),
    "narrow": ("narrow",),
    "other network": ("other first", "other second"),
    "student": ("student",),
}
"""Stages that are a row of the card."""

LOGGED = {
    "one network.minutes": 110,
    "narrow.minutes": 33,
    "other network.minutes": 68,
    "student.minutes": 43,
    "tree model.minutes": 20,
    "minutes of standing still": 17,
    "minutes of other work": 20,
}
"""From the log of the run that made 2.7; `meta.json` has the whole time only."""


def main() -> int:
    """Print every figure."""
    folder = MODELS / DEFAULT
    meta = json.loads((folder / "meta.json").read_text(encoding="utf-8"))
    if meta["version"] != "2.7.0":
        raise SystemExit(f"LOGGED is of 2.7.0, the model is {meta['version']}")
    training = meta["training"]
    files = [path for path in folder.rglob("*") if path.is_file()]
    shown = {
        "captions": training["captions"],
        "million words": round(training["tokens"] / 1e6, 1),
        "guessed": training["captions with guessed trees"],
        "minutes": math.ceil(training["minutes"]),
        "megabytes": round(sum(path.stat().st_size for path in files) / 1e6, 1),
        **LOGGED,
    }
    for name, stages in CHAINS.items():
        settings = (training["stages"][stage]["settings"] for stage in stages)
        shown[f"{name}.steps"] = sum(setting["stop"] for setting in settings)
    for name, value in shown.items():
        print(f"{name:24}{value:>10,}")
        figure(name, value)
    return 0


if __name__ == "__main__":
    raise SystemExit(run(main, __file__))
