"""Diagnosis: whether the errors that the analysis reports are errors."""
