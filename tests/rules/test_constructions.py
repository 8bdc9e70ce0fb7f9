"""Captions of all constructions and their graphs, each read by a person.

`fixtures/constructions.txt` has a caption on one line and its graph, as `spicepy
parse --grammar spicepy-1` prints it, on the next. After a change that is meant, the
graphs that differ are read and put there.
"""

from copy import deepcopy
from functools import cache
from pathlib import Path

import pytest
from paths import ROOT

from spicepy.pipeline import Pipeline
from spicepy.rules import files
from spicepy.rules.loading import load_grammar

LINES = (ROOT / "fixtures/constructions.txt").read_text(encoding="utf-8").splitlines()


def test_every_caption_has_the_graph_that_was_read() -> None:
    captions, graphs = LINES[::2], [line.strip() for line in LINES[1::2]]
    found = map(str, Pipeline(grammar="spicepy-1").parse(captions))

    assert dict(zip(captions, found, strict=True)) == dict(
        zip(captions, graphs, strict=True)
    )


@pytest.mark.parametrize("kind", ["normalisations", "rewrites", "rules", "annotations"])
def test_any_card_can_be_switched_off(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Drop some cards at a time: every card is in one of the parts."""
    # The grammar is extended a dozen times, by other headers alone.
    parsed = cache(files.tomllib.loads)
    monkeypatch.setattr(files.tomllib, "loads", lambda text: deepcopy(parsed(text)))
    whole = load_grammar("spicepy-1")
    ids = [getattr(card, "card", card).id for card in getattr(whole, kind)]
    captions = LINES[:100:2]
    size = max(30, len(ids) // 10)
    for start in range(0, len(ids), size):
        some = ids[start : start + size]
        path = tmp_path / f"{some[0]}.toml"
        path.write_text(
            'name = "mine"\nversion = "1"\nextends = "spicepy-1"\n'
            f"drop = {some}\n".replace("'", '"'),
            encoding="utf-8",
        )
        pipeline = Pipeline(grammar=path)
        left = [
            getattr(card, "card", card).id for card in getattr(pipeline.grammar, kind)
        ]

        assert left == [name for name in ids if name not in some]
        assert len(pipeline.parse(captions)) == len(captions)
