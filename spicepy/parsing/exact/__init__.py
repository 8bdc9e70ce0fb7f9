"""The parser with the original's own grammar, which the user adds as a file.

    file ─ adding, reading ─▶ Pcfg ─ installed ─▶ ExactParser
    words ─ lexicon ─▶ tags ─ searching ─▶ chart ─ extracting ─▶ tree

A tree of phrases becomes dependencies in `parsing.conversion`.
"""
