"""A trained spaCy pipeline in, the folder that spicepy bundles out.

Weights are rounded as `spicepy._exact_sums` needs them, the strings of the
training captions are dropped (labels and tags stay), and the language becomes
"xx": the tokens come from spicepy, so English tokeniser rules would only cost
loading time. Figures and provenance go into `meta.json`.
"""

import json
import shutil
from pathlib import Path
from typing import Any

import spacy

from spicepy._exact_sums import WEIGHT_BITS, round_to

DESCRIPTION = (
    "Penn tags and basic Universal Dependencies v1 trees of image captions, "
    "as the parser of SPICE 1.0 gives them."
)


def package(trained: Path, target: Path, record: dict[str, Any]) -> None:
    """Write `target`, which is named like "caption_parser-1.0"."""
    nlp = spacy.load(trained)
    for _, component in nlp.pipeline:
        for node in component.model.walk():
            if node.has_param("W"):
                node.set_param("W", round_to(node.get_param("W"), WEIGHT_BITS))
    shutil.rmtree(target, ignore_errors=True)
    nlp.to_disk(target, exclude=["tokenizer"])
    labels = sorted({*nlp.get_pipe("tagger").labels, *nlp.get_pipe("parser").labels})
    strings = [*labels, "", "ROOT", "dep"]
    write_json(target / "vocab" / "strings.json", sorted(set(strings)))
    name, version = target.name.rsplit("-", 1)
    meta = json.loads((target / "meta.json").read_text(encoding="utf-8"))
    for key in ("author", "email", "url", "performance", "vectors"):
        meta.pop(key, None)
    meta |= {
        "lang": "xx",
        "name": name,
        "version": f"{version}.0",
        "description": DESCRIPTION,
        "license": "CC BY 4.0",
    }
    write_json(target / "meta.json", meta | record)
    config = (target / "config.cfg").read_text(encoding="utf-8")
    (target / "config.cfg").write_text(
        config.replace('lang = "en"', 'lang = "xx"'), encoding="utf-8"
    )


def write_json(path: Path, value: Any) -> None:
    """Write JSON that diffs well."""
    path.write_text(json.dumps(value, indent=1) + "\n", encoding="utf-8")
