"""CIDEr with document frequencies of a training set."""
