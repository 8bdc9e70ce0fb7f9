"""`CiderScorer`: CIDEr of images that are added one after the other."""

from spicepy.compat.pyciderevalcap.ciderD import ciderD_scorer


class CiderScorer(ciderD_scorer.CiderScorer):
    """CIDEr, as self-critical training computes it, image by image."""

    damped = False
