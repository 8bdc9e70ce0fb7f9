"""The pipeline: all stages from captions to scene graphs.

In: a grammar, a parser and synonyms, by name. Out: a `Pipeline`, which gives the
proposals of many captions, a caption's scene graph, or a `Trace` with the value
after every stage.
"""

from spicepy.common.processes import preload
from spicepy.common.settings import PipelineOptions
from spicepy.pipeline.pipeline import Pipeline
from spicepy.pipeline.stages import Trace

preload("spicepy.pipeline.preload")

__all__ = [
    "Pipeline",
    "PipelineOptions",
    "Trace",
]
