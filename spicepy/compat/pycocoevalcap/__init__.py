"""coco-caption's modules by their names, with the scores of spicepy.

In: captions as `{image id: [caption, …]}`, one caption a candidate. Out: what the
class of the same name in the package `pycocoevalcap` returns. Scores come in the
order of the keys of `gts`; its SPICE pairs them with other images when the ids are
not sorted, this one does not.
"""
