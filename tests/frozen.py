"""What is frozen to the last bit, and how it is made.

Each function of `RECORDS` makes one record, plain JSON that is kept as
`fixtures/frozen/<name>.json`. Floats are exact: hexadecimal, or as JSON of `repr`;
long lists are written as SHA-256. Only the commands, `import spicepy` and `doors`
are used, so that modules can move while the records stay.
"""

import hashlib
import json
import math
import re
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from doors import METRICS, Meteor, MetricOptions, app, resolve
from typer.testing import CliRunner

import spicepy

FIXTURES = Path(__file__).parent.parent / "fixtures"
FROZEN = FIXTURES / "frozen"
EXAMPLE = FIXTURES / "example"
GRAMMARS = ("spice-1.0", "spicepy-1")

CAPTIONS = (
    "A brown dog is running on the beach.",
    "cat",
    "two men and a woman riding horses",
    "A cake is being cut by a young woman with a long knife",
    "a man who is holding a red umbrella",
    "There are three boats in the water near the small white house",
    "a couple of kids play frisbee in the park",
    "a clock on top of a tall tower",
    "The boy's bike is parked next to a fire hydrant!",
    "A girl is trying to catch a ball and she is laughing",
    "the sky looks very cloudy",
    "a black and white cat sleeps on a couch, a dog beside it",
    "THE U.S. FLAG",
    'a sign that says "don\'t walk" (in a café)',
    "several big old trucks driving down a street lined with trees",
    "a teddy bear sitting at a wooden kitchen table with a cup of tea and a plate of "
    "cookies in front of the open window",
    "what is the man doing?",
    "xqzt blorping 3/4 #7",
    "a bus that is yellow and a lot of people waiting at the bus stop",
    "...!!",
)
"""Twenty captions: plain and long ones, and one of each kind of trouble."""


def scores() -> dict[str, Any]:
    """Every metric on the scenes: signature, corpus scores, digest of images."""
    samples = json.loads((FIXTURES / "scenes.json").read_text(encoding="utf-8"))
    # A table of our own, since the published one is not part of the package.
    table = FROZEN / "paraphrases.gz"
    found = {}
    with TemporaryDirectory() as cache:  # several metrics have the same parses
        options = MetricOptions(paraphrases=table, cache=cache)
        for name, entry in METRICS.items():
            # The scenes have neither annotations nor answers of a vision model.
            if {"instances", "answers"} & set(entry.takes):
                continue
            metrics = resolve([name], options)
            found[name] = _scores(spicepy.evaluate(samples, metrics=metrics))
    plain = spicepy.evaluate(samples, metrics=[Meteor(None)])
    return found | {"meteor without a table": _scores(plain)}


def _scores(evaluation: spicepy.Evaluation) -> dict[str, Any]:
    return {
        "signature": evaluation.signature,
        "scores": {
            key: {
                "corpus": _hex(evaluation.corpus_score(key)),
                "images": _sha(
                    [
                        [image_id, _hex(score)]
                        for image_id, score in evaluation.image_scores(key).items()
                    ]
                ),
            }
            for key in evaluation.keys
        },
    }


def explanations() -> dict[str, Any]:
    """All stages of the captions in both grammars, and their scene graphs."""
    found: dict[str, Any] = {}
    for grammar in GRAMMARS:
        for caption in CAPTIONS:
            shown = _run("explain", caption, "--grammar", grammar, "--json")
            graph = spicepy.parse(caption, grammar=grammar)
            found[f"{grammar}: {caption}"] = {
                **_lines(json.loads(shown)),
                "graph": f"{graph} {_sha(graph.to_json())}",
            }
    return found


def _lines(explained: dict[str, Any]) -> dict[str, Any]:
    """The stages of one caption as lists of short texts."""
    parse = explained["parse"]
    columns = ("words", "tags", "lemmas", "heads", "labels")
    rest = {k: v for k, v in explained.items() if k not in ("parse", "caption")}
    assert set(parse) == set(columns)
    return {
        "tokens": ["/".join(map(str, row)) for row in zip(*map(parse.get, columns))],
        "edges": [" ".join(map(str, edge)) for edge in rest.pop("edges")],
        "proposals": [
            f"({' | '.join(found.pop('members'))}) {' '.join(map(str, found.values()))}"
            for found in rest.pop("proposals")
        ],
        **rest,
    }


def report() -> dict[str, Any]:
    """The data inside a report of two systems, a digest of each part."""
    with TemporaryDirectory() as folder:
        page = Path(folder) / "report.html"
        _run(
            *("report", str(EXAMPLE / "system-a.json"), str(EXAMPLE / "system-b.json")),
            *("--references", str(EXAMPLE / "references.json"), "--output", str(page)),
            *("--metrics", "spice,bleu,rouge,cider-d", "--samples", "50"),
        )
        text = page.read_text(encoding="utf-8")
    payload, scenes = map(
        json.loads,
        re.findall(r'<script type="application/json" id="\w+">(.*)</script>', text),
    )
    payload["scenes"] = scenes
    return {key: _short(value) for key, value in payload.items()}


def digests() -> dict[str, Any]:
    """Digests of grammars, and signatures that quote other files."""
    signatures = {}
    with TemporaryDirectory() as folder:
        counts = str(Path(folder) / "example.json.gz")
        _run("frequencies", str(EXAMPLE / "references.json"), "--output", counts)
        for options in (
            ("--metrics", "spice", "--categories", "extended"),
            ("--metrics", "spice", "--synonyms", "none", "--grammar", "spicepy-1"),
            ("--metrics", "cider-d", "--frequencies", counts),
        ):
            shown = " ".join(options).replace(counts, "COUNTS")
            signatures[shown] = _evaluate("system-a.json", *options)["signature"]
    return {
        "grammars": {name: spicepy.load_grammar(name).digest for name in GRAMMARS},
        "signatures": signatures,
    }


def evaluate() -> dict[str, Any]:
    """What `evaluate --output` writes for the example, tuples and all."""
    found = {}
    for system in ("system-a.json", "system-b.json"):
        options = ("--metrics", "spice,bleu,rouge,cider-d,cider", "--tuples")
        written = _evaluate(system, *options)
        found[system] = written | {"images": _sha(written["images"])}
    return found


def _evaluate(system: str, *options: str) -> dict[str, Any]:
    with TemporaryDirectory() as folder:
        output = Path(folder) / "scores.json"
        _run(
            *("evaluate", "--candidates", str(EXAMPLE / system)),
            *("--references", str(EXAMPLE / "references.json")),
            *("--output", str(output), *options),
        )
        written: dict[str, Any] = json.loads(output.read_text(encoding="utf-8"))
    return written


def _run(*arguments: str) -> str:
    done = CliRunner().invoke(app, list(arguments), catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.stdout


def _hex(score: float) -> str | None:
    return None if math.isnan(score) else score.hex()


def _compact(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _sha(value: object) -> str:
    return hashlib.sha256(_compact(value).encode()).hexdigest()


def _short(value: object) -> object:
    return value if len(_compact(value)) <= 200 else _sha(value)


RECORDS: dict[str, Callable[[], dict[str, Any]]] = {
    "scores": scores,
    "explanations": explanations,
    "report": report,
    "digests": digests,
    "evaluate": evaluate,
}


def read(name: str) -> Any:
    """The record as it was frozen."""
    return json.loads((FROZEN / f"{name}.json").read_text(encoding="utf-8"))


def write(name: str) -> None:
    """Freeze a record anew."""
    text = json.dumps(RECORDS[name](), ensure_ascii=False, indent=1)
    (FROZEN / f"{name}.json").write_text(text + "\n", encoding="utf-8")


def changes(old: object, new: object, path: str = "") -> list[str]:
    """Where two records differ, a line each."""
    if isinstance(old, dict) and isinstance(new, dict):
        lines = [f"{path}/{key}: gone" for key in old if key not in new]
        lines += [f"{path}/{key}: new" for key in new if key not in old]
        if not lines and list(old) != list(new):
            lines.append(f"{path}: keys in another order")
        both = [key for key in old if key in new]
        nested = (changes(old[key], new[key], f"{path}/{key}") for key in both)
        return [*lines, *(line for part in nested for line in part)]
    return [] if old == new else [f"{path}:{_difference(old, new)}"]


def _difference(old: object, new: object) -> str:
    """What one value lost and has gained, a line each; nothing of digests."""
    parts, others = _parts(old), _parts(new)
    gone = [f"\n    - {part}" for part in parts if part not in others]
    came = [f"\n    + {part}" for part in others if part not in parts]
    lines = (line for line in gone + came if not re.search(r" [0-9a-f]{64}$", line))
    return "".join(lines) or " differs"


def _parts(value: object) -> list[object]:
    """The members of a list, or the tuples of a graph and the digest behind it."""
    if isinstance(value, str):
        return re.findall(r"\([^()]*\)|[^() ]+", value) if "(" in value else [value]
    return value if isinstance(value, list) else [value]
