"""Hypothesis strategies: proposals over a small vocabulary with synonyms."""

from hypothesis import strategies as st

from spicepy.rules.tuples import SemanticTuple

NOUNS = st.sampled_from(
    [
        "bike",
        "bicycle",
        "motorcycle",
        "dog",
        "cat",
        "guy",
        "man",
        "sofa",
        "couch",
        "zzz",
    ]
)
ATTRIBUTES = st.sampled_from(
    ["gray", "grey", "red", "big", "large", "two", "2", "run", "small"]
)
RELATIONS = st.sampled_from(["on", "be on", "ride", "ride on", "have", "near", "be"])
OBJECT = st.tuples(NOUNS)
ATTRIBUTE = st.tuples(NOUNS, ATTRIBUTES)
RELATION = st.tuples(NOUNS, RELATIONS, NOUNS)
TUPLES = st.one_of(OBJECT, ATTRIBUTE, RELATION)

PROPOSALS = st.lists(TUPLES.map(SemanticTuple), max_size=12)
CAPTIONS = st.lists(PROPOSALS, min_size=1, max_size=4)
