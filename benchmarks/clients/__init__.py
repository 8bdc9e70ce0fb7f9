"""Evaluation code of public captioning repositories, run unchanged with spicepy."""
