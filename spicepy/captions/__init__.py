"""Samples: an image's candidate caption and its references, checked and read.

files, Python values ─ check ─▶ Sample (raw captions, keyed by image id)
"""
