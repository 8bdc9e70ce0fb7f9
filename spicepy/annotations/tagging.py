"""Part-of-speech tags as NLTK's averaged perceptron gives them.

In: the tokens of a caption. Out: their Penn tags. The tagger's data are NLTK's, which
the user downloads; they are not shipped.

Source: Collins 2002, Discriminative Training Methods for Hidden Markov Models.
"""

import hashlib
from collections.abc import Sequence
from typing import Any, Final

from spicepy.common.errors import ResourceError, reason_of
from spicepy.common.lazy_imports import required

_FOLDER: Final = "taggers/averaged_perceptron_tagger_eng/"
_HOW: Final = (
    "run `python -m nltk.downloader averaged_perceptron_tagger_eng` (or set NLTK_DATA "
    "to the folder of NLTK's data), or use --variant pattern or clean"
)


class Tagger:
    """NLTK's tagger.

    Attributes:
        origin: A digest of its data, for a result's signature.

    Raises:
        ResourceError: There are no data (the message says how to get them), or they are
            damaged.
    """

    def __init__(self) -> None:
        data = required("nltk.data", "NLTK's tagger")
        perceptron = required("nltk.tag.perceptron", "NLTK's tagger")
        try:
            folder = data.find(_FOLDER)
            self._tagger = perceptron.PerceptronTagger()
            self.origin = _digest(folder, self._tagger.param_files("eng"))
        except LookupError:
            raise ResourceError(f"NLTK's tagger is not installed: {_HOW}") from None
        except (OSError, ValueError, TypeError) as error:
            raise ResourceError(
                f"{folder}: NLTK's tagger cannot be read ({reason_of(error)}); {_HOW}"
            ) from None

    def tag(self, tokens: Sequence[str]) -> list[str]:
        """Return the tag of each token; all tokens are one text."""
        return [tag for _, tag in self._tagger.tag(tokens)]


def _digest(folder: Any, names: Sequence[str]) -> str:
    digest = hashlib.sha256()
    for name in names:
        with folder.join(name).open() as file:
            content = file.read()
        digest.update(content if isinstance(content, bytes) else content.encode())
    return digest.hexdigest()[:8]
