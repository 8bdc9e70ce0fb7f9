"""Error analysis: find the errors of a captioner, image by image.

lexicon ─▶ captions ─▶ alignment ─▶ evidence ─▶ kinds ─▶ analysis ─▶ results
words      readings    object       features    errors   conflicts   sums and
                       classes      of errors                        tables
"""

from spicepy.annotations.vocabulary import Vocabulary, load_vocabulary
from spicepy.diagnosis.analysis import Analysis
from spicepy.diagnosis.captions.scene import Scene
from spicepy.diagnosis.findings import Finding, ImageDiagnosis, Observation
from spicepy.diagnosis.lexicon.lexicon import Lexicon, load_lexicon
from spicepy.diagnosis.results.diagnosing import diagnose, scenes
from spicepy.diagnosis.results.diagnosis import Diagnosis
from spicepy.diagnosis.results.difference import Difference, compare_versions
from spicepy.diagnosis.thresholds import Thresholds

__all__ = [
    "Analysis",
    "Diagnosis",
    "Difference",
    "Finding",
    "ImageDiagnosis",
    "Lexicon",
    "Observation",
    "Scene",
    "Thresholds",
    "Vocabulary",
    "compare_versions",
    "diagnose",
    "load_lexicon",
    "load_vocabulary",
    "scenes",
]
