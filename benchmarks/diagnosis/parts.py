"""The parts of captions that people judged, on which the error analysis is measured.

In: the arguments of a benchmark. Out: the data, an analysis, and the parts to measure.
Figures of the part that was kept out (`--part kept-out`) are named "kept-out. …".
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from benchmarks import figures
from benchmarks.java_oracle import shared_parser
from spicepy.diagnosis import Analysis
from spicepy.diagnosis.captions.reader import analysis_pipeline
from training.errors import labels

Figure = Callable[..., None]
"""Names a figure; see `benchmarks.figures.figure`."""


@dataclass(frozen=True)
class Measurement:
    """What a benchmark of the error analysis was asked for.

    Attributes:
        shared: The folder of the data.
        analysis: Finds the errors.
        names: The names of the parts.
    """

    shared: Path
    analysis: Analysis
    names: tuple[labels.Part, ...]

    @classmethod
    def from_arguments(cls, doc: str | None) -> "Measurement":
        """Return what the arguments ask for; `doc` is the benchmark's."""
        parser = shared_parser(doc)
        parser.add_argument("--part", choices=labels.PARTS, action="append")
        parser.add_argument("--cache", help="a folder of parses")
        options = parser.parse_args()
        analysis = Analysis(pipeline=analysis_pipeline(cache=options.cache))
        return cls(options.shared, analysis, tuple(options.part or labels.PARTS[:1]))

    def parts(self) -> Iterator[tuple[labels.Part, Figure]]:
        """Print the name of each part, and yield it with what names its figures."""
        for name in self.names:
            print(f"--- {name}")
            yield name, named("" if name == labels.PARTS[0] else f"{name}.")


def named(prefix: str) -> Figure:
    """Return the function that names a figure, with a prefix."""

    def figure(name: str, value: figures.Value, digits: int | None = None) -> None:
        figures.figure(prefix + name, value, digits)

    return figure
