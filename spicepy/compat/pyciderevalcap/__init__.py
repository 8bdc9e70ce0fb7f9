"""The package `pyciderevalcap` of self-critical training, with spicepy's numbers."""
