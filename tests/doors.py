"""The names the frozen tests need beside `import spicepy`, in one place.

All else they reach through the commands. If a module moves, change it here.
"""

from spicepy.cli import command_line
from spicepy.metrics.making import MetricOptions as MetricOptions
from spicepy.metrics.meteor.metric import Meteor as Meteor
from spicepy.metrics.registry import METRICS as METRICS
from spicepy.metrics.registry import resolve as resolve

app = command_line()
