"""A trained network and a grammar in, the folder that spicepy bundles out.

The component "caption_parser" of spicepy gets their numbers; figures and provenance
go into `meta.json`.
"""

import json
import shutil
from pathlib import Path
from typing import Any

import spacy

import spicepy.parsing.spacy_models  # noqa: F401  (registers the component)
from spicepy.parsing.bundled.analyser import Analyser

DESCRIPTION = (
    "Penn tags and basic Universal Dependencies v1 trees of image captions, "
    "as the parser of SPICE 1.0 gives them."
)


def package(parser: Analyser, target: Path, record: dict[str, Any]) -> None:
    """Write `target`, which is named like "caption_parser-3.5"."""
    nlp = spacy.blank("xx")
    nlp.add_pipe("caption_parser").analyser = parser
    shutil.rmtree(target, ignore_errors=True)
    nlp.to_disk(target, exclude=["vocab"])
    name, version = target.name.rsplit("-", 1)
    meta = json.loads((target / "meta.json").read_text(encoding="utf-8"))
    for key in ("author", "email", "url", "performance", "vectors"):
        meta.pop(key, None)
    meta |= {
        "name": name,
        "version": f"{version}.0",
        "description": DESCRIPTION,
        "license": "CC BY 4.0",
    }
    write_json(target / "meta.json", meta | record)


def write_json(path: Path, value: Any) -> None:
    """Write JSON that diffs well."""
    path.write_text(json.dumps(value, indent=1) + "\n", encoding="utf-8")
