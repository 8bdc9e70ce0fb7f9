"""Annotated images, and the objects that captions name.

Annotation files are in COCO's format (`instances`). The mentions of objects in a
caption (`mentions`, `readers`) are compared with them: hallucinated objects (`chair`)
and numbers (`counting`); `pope` reads answers to questions.
"""
