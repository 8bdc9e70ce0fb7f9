"""Benchmarks: where every figure of README and docs comes from.

A benchmark is run from the project's folder by its module, such as
`python -m benchmarks.parity.spice --shared DIR`. Each prints its figures and ends with
exit code 0 if its targets are met; with `--record` it keeps them in `records/`
(see `figures`).

    parity       the same as the original programs, to the last bit
    speed        seconds, memory, sizes
    accuracy     the caption parser, scene graphs, agreement with people
    diagnosis    are the errors that are reported right?
    robustness   damaged files, kills, full disks
"""

import os
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[1]
"""The project's folder."""
FIXTURES: Final = ROOT / "fixtures"
SHARED: Final = Path(os.environ.get("SPICEPY_SHARED", ROOT.parent / "shared"))
"""The folder of recorded outputs of the original programs."""
