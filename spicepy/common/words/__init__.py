"""Words by themselves, for parser, graph and metrics: WordNet synsets, lemmas, stems."""
