"""The material of the bundled caption parser.

Usage: python -m benchmarks.accuracy.model_card [--record]

In: the model and the `meta.json` beside it, which its training wrote. Out: the figures
of its model card (`docs/explanation/caption-parser.md`).
"""

import json

from benchmarks.figures import figure, run
from spicepy.parsing.bundled.words import DEFAULT as THRESHOLDS
from spicepy.parsing.parser import DEFAULT, MODELS


def main() -> int:
    """Print every figure."""
    folder = MODELS / DEFAULT
    meta = json.loads((folder / "meta.json").read_text(encoding="utf-8"))
    training = meta["training"]
    files = [path for path in folder.rglob("*") if path.is_file()]
    grammar = folder / "caption_parser" / "grammar" / "names.json"
    names = json.loads(grammar.read_text(encoding="utf-8"))
    shown = {
        "captions": training["captions"],
        "million words": round(training["tokens"] / 1e6, 1),
        "scored": training["captions with scored trees"],
        "megabytes": round(sum(path.stat().st_size for path in files) / 1e6, 1),
        "attachments": len(names["attachments"]),
    }
    shown["steps"] = training["settings"]["vars.steps"]
    for name in ("margin", "open_tag", "open_head", "beam", "phrase_beam", "word_beam"):
        shown[name] = getattr(THRESHOLDS, name)
    for name, value in shown.items():
        print(f"{name:24}{value:>10,}")
        figure(name, value)
    return 0


if __name__ == "__main__":
    raise SystemExit(run(main, "model_card"))
