"""spicepy: caption evaluation in native Python."""

__version__ = "0.1.0"
