"""The names the frozen tests need beside `import spicepy`, in one place.

All else they reach through the commands. If a module moves, change it here.
"""

from spicepy.cli import app as app
from spicepy.metrics import METRICS as METRICS
from spicepy.metrics import MetricOptions as MetricOptions
from spicepy.metrics import resolve as resolve
from spicepy.metrics.meteor import Meteor as Meteor
