"""Error analysis: find the errors of a captioner, image by image.

lexicon ─▶ captions ─▶ alignment ─▶ evidence ─▶ kinds ─▶ analysis ─▶ results
words      readings    object       features    errors   conflicts   sums and
                       classes      of errors                        tables
"""

from spicepy.diagnosis.analysis import Analysis
from spicepy.diagnosis.captions.caption import Scene
from spicepy.diagnosis.findings import Finding, ImageDiagnosis, Observation, Thresholds
from spicepy.diagnosis.lexicon.lexicon import Lexicon, load_lexicon
from spicepy.diagnosis.results.diagnosing import diagnose, scenes
from spicepy.diagnosis.results.diagnosis import Diagnosis
from spicepy.diagnosis.results.difference import Difference, compare_versions
from spicepy.objects.vocabulary import Vocabulary, load_vocabulary

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
