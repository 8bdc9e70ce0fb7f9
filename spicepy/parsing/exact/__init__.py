"""The parser with the original's own grammar, which the user adds as a file.

    file ─ adding ─▶ Pcfg ─ pcfg ─▶ ExactParser
    words ─ weights ─▶ tags ─ plain_chart or compiled_chart ─▶ chart ─ parser ─▶ tree

A tree of phrases becomes dependencies in `parsing.conversion`.
"""
