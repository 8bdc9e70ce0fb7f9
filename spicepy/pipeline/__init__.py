"""The pipeline: all stages from captions to scene graphs."""

from spicepy.common.processes import preload
from spicepy.common.settings import PipelineOptions
from spicepy.pipeline.pipeline import Pipeline
from spicepy.pipeline.stages import Trace

preload("spicepy.pipeline.preload")

__all__ = ["Pipeline", "PipelineOptions", "Trace"]
