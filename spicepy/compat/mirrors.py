"""The packages that spicepy stands in for, made from one table of names.

In: an import of `spicepy.compat.pycocoevalcap.bleu.bleu` and the like. Out: a module
without a file of its own, which has the names that the original's module has.
"""

import sys
from collections.abc import Sequence
from importlib import import_module
from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any, Final

HOME: Final = "spicepy.compat."

_AUDIO_FUNCTIONS: Final = {
    "bleu": "bleu bleu_1 bleu_2 bleu_3 bleu_4",
    "cider_d": "cider_d",
    "evaluate": "evaluate dcase2023_evaluate dcase2024_evaluate",
    "meteor": "meteor",
    "rouge_l": "rouge_l",
    "spice": "spice",
    "spider": "spider",
    "spider_fl": "spider_fl",
    "spider_max": "spider_max",
    "vocab": "vocab",
}
_AUDIO_CLASSES: Final = {
    "base": "AACMetric",
    "bleu": "BLEU BLEU1 BLEU2 BLEU3 BLEU4",
    "cider_d": "CIDErD",
    "evaluate": "Evaluate DCASE2023Evaluate DCASE2024Evaluate",
    "meteor": "METEOR",
    "rouge_l": "ROUGEL",
    "spice": "SPICE",
    "spider": "SPIDEr",
    "spider_max": "SPIDErMax",
    "vocab": "Vocab",
}
_FUNCTIONS: Final = " ".join(_AUDIO_FUNCTIONS.values())
_CLASSES: Final = " ".join(_AUDIO_CLASSES.values())

MODULES: Final = {
    "pycocoevalcap": "",
    "pycocoevalcap.bleu": "ngram_scorers: Bleu",
    "pycocoevalcap.bleu.bleu": "ngram_scorers: Bleu",
    "pycocoevalcap.bleu.bleu_scorer": "appending_scorers: BleuScorer",
    "pycocoevalcap.cider": "ngram_scorers: Cider",
    "pycocoevalcap.cider.cider": "ngram_scorers: Cider",
    "pycocoevalcap.cider.cider_scorer": "appending_scorers: CiderScorer",
    "pycocoevalcap.meteor": "resource_scorers: Meteor",
    "pycocoevalcap.meteor.meteor": "resource_scorers: Meteor",
    "pycocoevalcap.rouge": "ngram_scorers: Rouge",
    "pycocoevalcap.rouge.rouge": "ngram_scorers: Rouge my_lcs",
    "pycocoevalcap.spice": "resource_scorers: Spice",
    "pycocoevalcap.spice.spice": "resource_scorers: Spice CATEGORIES",
    "pycocoevalcap.tokenizer": "tokenizers: PTBTokenizer",
    "pycocoevalcap.tokenizer.ptbtokenizer": "tokenizers: PTBTokenizer",
    "pycocoevalcap.eval": "coco_evaluation: COCOEvalCap",
    "pycocoevalcap.eval_spice": "coco_evaluation: COCOEvalCapSpice SpiceEval",
    "pyciderevalcap": "",
    "pyciderevalcap.cider": "self_critical: Cider",
    "pyciderevalcap.cider.cider": "self_critical: Cider",
    "pyciderevalcap.cider.cider_scorer": "self_critical: CiderScorer",
    "pyciderevalcap.ciderD": "self_critical: CiderD",
    "pyciderevalcap.ciderD.ciderD": "self_critical: CiderD",
    "pyciderevalcap.ciderD.ciderD_scorer": "self_critical: CiderDScorer=CiderScorer",
    "pyciderevalcap.tokenizer": "tokenizers: SidedTokenizer=PTBTokenizer",
    "pyciderevalcap.tokenizer.ptbtokenizer": "tokenizers: SidedTokenizer=PTBTokenizer",
    "pyciderevalcap.eval": "self_critical: CIDErEvalCap",
    "aac_metrics": f"audio_functions: {_FUNCTIONS} DEFAULT SETS; "
    f"audio_classes: {_CLASSES}",
    "aac_metrics.functional": f"audio_functions: {_FUNCTIONS}",
    **{
        f"aac_metrics.functional.{module}": f"audio_functions: {names}"
        for module, names in _AUDIO_FUNCTIONS.items()
    },
    "aac_metrics.classes": f"audio_classes: {_CLASSES}",
    **{
        f"aac_metrics.classes.{module}": f"audio_classes: {names}"
        for module, names in _AUDIO_CLASSES.items()
    },
    "aac_metrics.utils": "",
    "aac_metrics.utils.tokenization": "audio_functions: preprocess_mono_sents "
    "preprocess_mult_sents",
    "evaluation": "meshed_memory: Bleu Cider Meteor PTBTokenizer Rouge compute_scores",
    "evaluation.bleu": "meshed_memory: Bleu",
    "evaluation.cider": "meshed_memory: Cider",
    "evaluation.meteor": "meshed_memory: Meteor",
    "evaluation.rouge": "meshed_memory: Rouge",
    "evaluation.spice": "resource_scorers: Spice",
    "evaluation.tokenizer": "tokenizers: ListTokenizer=PTBTokenizer",
}
"""Module -> our module: the names taken from it ("ours=theirs" if they differ); …"""


class _Finder:
    """Finds and loads the modules of the table below `spicepy.compat`."""

    def find_spec(
        self,
        fullname: str,
        path: Sequence[str] | None = None,
        target: ModuleType | None = None,
    ) -> ModuleSpec | None:
        name = fullname.removeprefix(HOME)
        if name == fullname or name not in MODULES:
            return None
        ours = MODULES[name].partition(":")[0]
        home = find_spec(HOME + ours if ours else __name__)
        loader: Any = self
        spec = ModuleSpec(fullname, loader, origin=home.origin if home else None)
        spec.has_location = True
        if any(other.startswith(f"{name}.") for other in MODULES):
            # A folder that is not there: nothing but the table is found below it.
            spec.submodule_search_locations = [str(Path(__file__).with_name(name))]
        return spec

    def create_module(self, spec: ModuleSpec) -> None:
        """Return None, so that a plain module is made."""

    def exec_module(self, module: ModuleType) -> None:
        name = module.__name__.removeprefix(HOME)
        module.__doc__ = f"The names of `{name}`."
        for part in filter(None, MODULES[name].split("; ")):
            ours, _, names = part.partition(": ")
            home = import_module(HOME + ours)
            for pair in names.split():
                own, _, theirs = pair.partition("=")
                vars(module)[theirs or own] = getattr(home, own)


def start() -> None:
    """Let the modules of the table be imported, in this process."""
    if not any(isinstance(finder, _Finder) for finder in sys.meta_path):
        loader: Any = _Finder()
        sys.meta_path.append(loader)
