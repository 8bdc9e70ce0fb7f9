"""The bundled parser: dependency trees of captions, with numpy alone.

    a dog runs              words in lower case, without punctuation

    words.py                a vector for each word, of the word itself, its first and
       |                    last letters and its shape; it depends on nothing else
    network.py              two layers read the caption, forwards and backwards
       |
    scores.py               of each tag of a word, of each other word as its head, of
       |                    each label of the arc between them
    sure? -- no ----------> chart.py  the tree of phrases, among those still open, that
       |                              the original's grammar finds best; heads and
      yes                             labels follow from it (`analyser.py`)
       |
    scores.py               the best head of each word where these make a tree, else
       |                    the best tree (Eisner 1996)
    DT NN VBZ               tags, heads and labels
    2  3  0
    det nsubj root

**Who decides, and when.** `analyser.py` has a network and, usually, a grammar. The
network reads every caption. It is *sure* of a caption if the best tag and the best head
of each word score clearly better than the next best (`ParserThresholds`). Where it is
not, the grammar decides among the tags and phrases that it leaves open. A network
without a grammar is a parser as well.

**How it is run.** `scores.py` puts captions of one length together, so that arrays have
no gaps, and makes batches of them that fit the processor's cache. `analyser.py` keeps
numpy to one thread meanwhile, and reads and writes the numbers of a part.

**Why a caption has the same tree everywhere.** Sums of rounded numbers depend on their
order, and the order depends on the batch and the machine. In `words.py`, which is
also the one place for matrix products and rounding, all factors are so short that no
sum is ever rounded; the table there shows how. The grammar adds up whole numbers.

The numbers come from `training/` and are in `parsing/models/`. In: words, as
`parsing.trees` prepares them. Out: `parsing.trees.Annotations` for each sentence.
"""
