"""Annotated pictures, and the objects that captions name.

In: annotation files in COCO's format, and captions. Out: the objects of an image with
their numbers (`instances`), the mentions of objects in a caption (`mentions` and the
readers beside it), and the scores computed from both (`chair`, `counting`).
"""
