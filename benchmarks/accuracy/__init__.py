"""Accuracy: the caption parser, scene graphs, and agreement with people."""
