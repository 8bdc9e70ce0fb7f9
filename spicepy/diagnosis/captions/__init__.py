"""Captions as things with values."""
