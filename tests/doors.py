"""The names the frozen tests need beside `import spicepy`, in one place.

All else they reach through the commands. If a module moves, change it here.
"""

from spicepy.cli import command_line
from spicepy.common.settings import MetricOptions as MetricOptions
from spicepy.evaluation.options import METRICS as METRICS
from spicepy.evaluation.options import resolve as resolve
from spicepy.metrics.meteor.metric import Meteor as Meteor

app = command_line()
