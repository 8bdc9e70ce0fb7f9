"""NOTICE says where all data come from."""

import re
from fnmatch import fnmatch

from paths import ROOT

DATA = (".npz", ".tsv", ".gz", ".txt", ".bin")


def test_every_file_of_data_is_named() -> None:
    text = (ROOT / "NOTICE").read_text(encoding="utf-8")
    named = [
        name.rstrip(".,") for name in re.findall(r"(?:spicepy|grammars)/\S+", text)
    ]
    files = [
        path.relative_to(ROOT).as_posix()
        for folder in ("spicepy", "grammars")
        for path in (ROOT / folder).rglob("*")
        if path.suffix in DATA and "LICENSE" not in path.name
    ]
    missing = [
        file
        for file in files
        if not any(fnmatch(file, name) or fnmatch(file, f"{name}/*") for name in named)
    ]

    assert len(files) > 5
    assert missing == []
    for name in named:  # and nothing is named that is gone
        assert any(ROOT.glob(name)), name
