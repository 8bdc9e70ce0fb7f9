"""What decides between trees that the networks find equally good."""
