"""Metrics of n-grams: BLEU, ROUGE, CIDEr."""
