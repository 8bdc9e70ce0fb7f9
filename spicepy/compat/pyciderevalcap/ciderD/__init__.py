"""CIDEr-D with document frequencies of a training set."""
