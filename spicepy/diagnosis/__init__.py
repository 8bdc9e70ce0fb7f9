"""Diagnosis: what a captioner gets wrong, image by image."""

from spicepy.diagnosis.diagnosis import Diagnosis, diagnose, scenes
from spicepy.diagnosis.difference import Difference, compare_versions
from spicepy.diagnosis.values import Finding, ImageDiagnosis, Observation, Scene
from spicepy.diagnosis.vocabulary import Vocabulary, load_vocabulary

__all__ = [
    "Diagnosis",
    "Difference",
    "Finding",
    "ImageDiagnosis",
    "Observation",
    "Scene",
    "Vocabulary",
    "compare_versions",
    "diagnose",
    "load_vocabulary",
    "scenes",
]
