"""Annotated images, and the objects that captions name.

In: annotation files in COCO's format, and captions. Out: the objects of an image with
their numbers (`instances`), the mentions of objects in a caption (`mentions` and the
readers beside it), hallucinated objects (`chair`), numbers (`counting`) and answers to
questions (`pope`), with tables of results.
"""
