"""Training: where every model, table and word list that spicepy ships comes from.

A recipe is run from the project's folder by its module, such as
`python -m training.parser.train`. `README.md` is the guide, `LOG.md` says what was
tried.

    parser     the network and the packaging of the caption parsers
    grammar    the grammar inside them, learnt from scored trees
    errors     what makes a finding of the error analysis probable
    words      lemmas, synonyms, word classes, word vectors, shares of omission
"""

import os
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[1]
"""The project's folder."""
SHARED: Final = Path(os.environ.get("SPICEPY_SHARED", ROOT.parent / "shared"))
"""The folder of training material and recorded outputs."""
