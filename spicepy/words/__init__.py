"""Words by themselves: their WordNet synsets, lemmas and stems."""
