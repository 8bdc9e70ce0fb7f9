"""The metrics and their registry."""
