"""Captions measured against annotations: hallucinated objects, numbers, yes and no.

In: captions and annotated objects (`spicepy.annotations`). Out: results with tables:
`chair` (hallucination), `counting` (numbers of objects) and `pope` (answers to
questions).
"""
