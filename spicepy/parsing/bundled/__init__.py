"""The bundled parser: words of a caption in, a dependency tree out, by numpy alone.

    a dog runs              words in lower case, without punctuation

    words.py                a vector for each word, of the word itself, its first and
       |                    last letters and its shape; it depends on nothing else
    lstm.py                 two layers read the caption, forwards and backwards
       |
    scores.py               of each tag of a word, of each other word as its head, of
       |                    each label of the arc between them
    sure? -- no ----------> the next network reads the caption, too, and the scores of
       |                    all so far are averaged; where none is left:
      yes                   reranker/  the tree, among those still open, whose small
       |                               configurations fit best
    projective.py           the best head of each word where these make a tree, else
       |                    the best tree (Eisner 1996)
    DT NN VBZ               tags, heads and labels
    2  3  0
    det nsubj root

**Who reads what, and when.** `ensemble.py` has one or more networks of the same kind.
The first, a small one, reads every caption. It is *sure* of a caption if the best tag
and the best head of each word score clearly better than the next best
(`thresholds.py`). Captions of which it is not sure are read by the second network, too;
those of which the two are, together, not sure by the third, and so on. What all of them
leave open is decided by the reranker, if there is one. So nearly everything costs one
small network, and only the hard captions cost all of them. One network and no reranker
are a parser as well.

**How they are run.** `groups.py` puts captions of one length together, so that arrays
have no gaps, and makes packs of them that fit the processor's cache. `threads.py` keeps
numpy to one thread meanwhile. `files.py` reads and writes the numbers of a part.

**Why a caption has the same tree everywhere.** Sums of rounded numbers depend on their
order, and the order depends on the batch and the machine. In `arithmetic.py`, which is
also the one place for matrix products and rounding, all factors are so short that no
sum is ever rounded; the table there shows how. The reranker adds up whole numbers.

The numbers come from `training/` and lie in `parsing/models/`. In: words, as
`parsing.punctuation` prepares them. Out: `parsing.trees.Analysis` for each sentence.
"""
