"""Other packages' names for modules of `spicepy.compat`.

`import pycocoevalcap.bleu.bleu` and the like give modules with spicepy's names, so that
code that cannot be changed runs unchanged.
"""

import ast
import re
import sys
from collections.abc import Iterable, Sequence
from importlib import import_module
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any, Final

from spicepy.common.errors import InputError, unknown

# The packages that spicepy stands in for, made from one table of names.

HOME: Final = "spicepy.compat."

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
_AUDIO_FUNCTIONS: Final = {
    **{module: module for module in (*_AUDIO_CLASSES, "spider_fl") if module != "base"},
    "bleu": "bleu bleu_1 bleu_2 bleu_3 bleu_4",
    "evaluate": "evaluate dcase2023_evaluate dcase2024_evaluate",
}
_FUNCTIONS: Final = " ".join(_AUDIO_FUNCTIONS.values())
_CLASSES: Final = " ".join(_AUDIO_CLASSES.values())

MODULES: Final = {
    "pycocoevalcap": "",
    "pycocoevalcap.bleu": "scorers: Bleu",
    "pycocoevalcap.bleu.bleu": "scorers: Bleu",
    "pycocoevalcap.bleu.bleu_scorer": "scorers: BleuScorer",
    "pycocoevalcap.cider": "scorers: Cider",
    "pycocoevalcap.cider.cider": "scorers: Cider",
    "pycocoevalcap.cider.cider_scorer": "scorers: CiderScorer",
    "pycocoevalcap.meteor": "scorers: Meteor",
    "pycocoevalcap.meteor.meteor": "scorers: Meteor",
    "pycocoevalcap.rouge": "scorers: Rouge",
    "pycocoevalcap.rouge.rouge": "scorers: Rouge my_lcs",
    "pycocoevalcap.spice": "scorers: Spice",
    "pycocoevalcap.spice.spice": "scorers: Spice CATEGORIES",
    "pycocoevalcap.tokenizer": "coco_samples: PTBTokenizer",
    "pycocoevalcap.tokenizer.ptbtokenizer": "coco_samples: PTBTokenizer",
    "pycocoevalcap.eval": (
        "coco_evaluation: COCOEvalCap; coco_samples: PTBTokenizer; "
        "scorers: Bleu Cider Meteor Rouge Spice"
    ),
    "pycocoevalcap.eval_spice": "coco_evaluation: COCOEvalCapSpice SpiceEval",
    "pyciderevalcap": "",
    "pyciderevalcap.cider": "self_critical: Cider",
    "pyciderevalcap.cider.cider": "self_critical: Cider",
    "pyciderevalcap.cider.cider_scorer": "self_critical: CiderScorer",
    "pyciderevalcap.ciderD": "self_critical: CiderD",
    "pyciderevalcap.ciderD.ciderD": "self_critical: CiderD",
    "pyciderevalcap.ciderD.ciderD_scorer": "self_critical: CiderDScorer=CiderScorer",
    "pyciderevalcap.tokenizer": "coco_samples: SidedTokenizer=PTBTokenizer",
    "pyciderevalcap.tokenizer.ptbtokenizer": (
        "coco_samples: SidedTokenizer=PTBTokenizer"
    ),
    "pyciderevalcap.eval": "self_critical: CIDErEvalCap",
    "aac_metrics": f"audio: {_FUNCTIONS} DEFAULT SETS; audio: {_CLASSES}",
    "aac_metrics.functional": f"audio: {_FUNCTIONS}",
    **{
        f"aac_metrics.functional.{module}": f"audio: {names}"
        for module, names in _AUDIO_FUNCTIONS.items()
    },
    "aac_metrics.classes": f"audio: {_CLASSES}",
    **{
        f"aac_metrics.classes.{module}": f"audio: {names}"
        for module, names in _AUDIO_CLASSES.items()
    },
    "aac_metrics.utils": "",
    "aac_metrics.utils.tokenization": "audio: preprocess_mono_sents "
    "preprocess_mult_sents",
    "evaluation": "meshed_memory: Bleu Cider Meteor PTBTokenizer Rouge compute_scores",
    "evaluation.bleu": "meshed_memory: Bleu",
    "evaluation.cider": "meshed_memory: Cider",
    "evaluation.meteor": "meshed_memory: Meteor",
    "evaluation.rouge": "meshed_memory: Rouge",
    "evaluation.spice": "scorers: Spice",
    "evaluation.tokenizer": "coco_samples: ListTokenizer=PTBTokenizer",
}
"""Module -> our module: the names taken from it ("ours=theirs" if they differ); …"""


class _MirrorFinder(MetaPathFinder, Loader):
    """Finds and loads the modules of the table below `spicepy.compat`."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: Any = None
    ) -> ModuleSpec | None:
        name = fullname.removeprefix(HOME)
        if name == fullname or name not in MODULES:
            return None
        ours = MODULES[name].partition(":")[0]
        home = find_spec(HOME + ours if ours else __name__)
        spec = ModuleSpec(fullname, self, origin=home.origin if home else None)
        spec.has_location = True
        if any(other.startswith(f"{name}.") for other in MODULES):
            # A folder that is not there: nothing but the table is found below it.
            spec.submodule_search_locations = [str(Path(__file__).with_name(name))]
        return spec

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
    if not any(isinstance(finder, _MirrorFinder) for finder in sys.meta_path):
        sys.meta_path.append(_MirrorFinder())


PACKAGES: Final = ("pycocoevalcap", "pyciderevalcap", "evaluation", "aac_metrics")
"""The packages that spicepy can stand in for."""
VARIABLE: Final = "SPICEPY_COMPAT"
"""The environment variable by which `run` tells its processes what to install."""
SHAPE: Final = "*"  # The name to install for packages that are copies by their shape
UNLESS_OWN: Final = "evaluation?"
"""The name to install for `evaluation`, unless the program has another of that name."""
_SCORERS: Final = ("bleu", "cider", "meteor", "rouge", "spice", "tokenizer")
_TAKEN: Final = frozenset(
    ["self", "coco", "cocoRes", "cocoTypes", "df", "tokenization_fn", "verbose"]
)
"""The arguments of a COCOEvalCap in whose place ours can be made."""
_COPIED: Final = ("bleu/bleu.py", "cider/cider.py")
"""The files by which a copy of coco-caption is known."""


class _StandIn(MetaPathFinder, Loader):
    """Loads modules as copies of ours."""

    name: str

    def own(self, fullname: str) -> str | None:
        """Return the name of our module that stands in for another one, if any does."""
        raise NotImplementedError

    def exec_module(self, module: ModuleType) -> None:
        original = import_module(self.own(module.__name__) or "")
        names = vars(original).items()
        vars(module).update((k, v) for k, v in names if not k.startswith("__"))
        module.__doc__ = original.__doc__


class _Finder(_StandIn):
    """Finds and loads `NAME.X` as a copy of the names of our `PACKAGE.X`."""

    # The name is what programs import; "*" stands for packages that hold a copy.

    def __init__(self, name: str, package: str) -> None:
        self.name, self.package = name, package
        pattern = re.escape(name.removesuffix("?")).replace(r"\*", ".+")
        self._pattern = re.compile(rf"(?!spicepy\.){pattern}((?:\..+)?)")

    def own(self, fullname: str) -> str | None:
        match = self._pattern.fullmatch(fullname)
        if not match or MODULES.get(self.package + match[1]) is None:
            return None
        if self.name == UNLESS_OWN and _is_of_the_user(fullname.partition(".")[0]):
            return None
        return HOME + self.package + match[1]

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: Any = None
    ) -> ModuleSpec | None:
        own = self.own(fullname)
        real = _real_path(fullname, path)
        if own is None or (own.endswith(".eval") and real and not _is_ours(real)):
            return None
        return _stand_in(fullname, own, self, real)


class _Shapes(_StandIn):
    """Finds the scorers of packages that have the shape of coco-caption."""

    # What is beside the scorers in such a package is the program's own and stays.

    name = SHAPE

    def __init__(self) -> None:
        self._found: dict[str, str] = {}

    def own(self, fullname: str) -> str | None:
        return self._found.get(fullname)

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: Any = None
    ) -> ModuleSpec | None:
        parent, _, part = fullname.rpartition(".")
        if parent in self._found:
            own = f"{self._found[parent]}.{part}"
        elif path and part in _SCORERS and not parent.startswith("spicepy."):
            own = f"{HOME}{_package_of(path, part)}.{part}"
        else:
            return None
        real = _real_path(fullname, path)
        if own.removeprefix(HOME) not in MODULES or real is None:
            return None
        self._found[fullname] = own
        return _stand_in(fullname, own, self, real)


def _stand_in(
    fullname: str, own: str, finder: _StandIn, real: Path | None
) -> ModuleSpec | None:
    """Return the spec of `fullname`, a module with the names of our module `own`."""
    # `real` is the file of the program's own module, in whose folder modules are found
    # that we have not.
    found = find_spec(own)
    if found is None:
        return None
    spec = ModuleSpec(fullname, finder, origin=found.origin)
    spec.has_location = True
    if found.submodule_search_locations is not None:
        folders = list(found.submodule_search_locations)
        spec.submodule_search_locations = [str(real.parent)] if real else folders
    return spec


def _real_path(fullname: str, path: Sequence[str] | None) -> Path | None:
    """Return the file of a module as it is found without us, None if there is none."""
    try:
        spec = PathFinder.find_spec(fullname, path)
    except (ImportError, ValueError):
        return None
    return Path(spec.origin) if spec and spec.origin else None


def _package_of(path: Sequence[str], part: str) -> str:
    """Return the package that folders hold a copy of, "" if they hold none."""
    for folder in map(Path, path):
        tokenizer = folder / "tokenizer.py"
        if all((folder / file).is_file() for file in _COPIED):
            return "evaluation" if tokenizer.is_file() else "pycocoevalcap"
        if part == "tokenizer" and tokenizer.is_file():
            text = tokenizer.read_text(encoding="utf-8", errors="replace")
            if "class PTBTokenizer" in text:
                return "evaluation"
    return ""


def _is_of_the_user(name: str) -> bool:
    """Return whether the path has such a package that is not ours to replace."""
    # It is decided at each import, since programs add folders to the path.
    spec = PathFinder.find_spec(name)
    if spec is None:
        return False
    folders = spec.submodule_search_locations or ()
    return not any(Path(folder, "cider").is_dir() for folder in folders)


def _is_ours(file: Path) -> bool:
    """Return whether the COCOEvalCap of a file takes no more than ours takes."""
    try:
        tree = ast.parse(file.read_text(encoding="utf-8", errors="replace"))
    except (OSError, SyntaxError):
        return True
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef) and node.name == "COCOEvalCap":
            for each in node.body:
                if isinstance(each, ast.FunctionDef) and each.name == "__init__":
                    return {argument.arg for argument in each.args.args} <= _TAKEN
    return True


def install(
    names: Iterable[str] = ("pycocoevalcap",), *, replace: bool = False
) -> None:
    """Let imports of other packages give spicepy's modules, in this process.

    Calling it again changes nothing. Spawned processes must call it as well;
    `python -m spicepy.compat run PROGRAM` sees to that.

    Args:
        names: The packages: pycocoevalcap, pyciderevalcap (self-critical training),
            evaluation (meshed-memory transformers and their descendants) or
            aac_metrics (audio captioning). Also copies that other packages hold:
            "nlgeval.pycocoevalcap", or "*.pycocoevalcap" for all;
            "datasets.caption.metrics=evaluation" where the name is another one;
            "*" for the scorers of every package of coco-caption's shape.
        replace: Whether to stand in for packages that are installed or imported
            already. Objects made from them before are not changed. Copies inside other
            packages are replaced in any case.

    Raises:
        InputError: A name is unknown, or the real package is there and `replace` is
            false; then nothing is installed.

    >>> install(replace=True)
    >>> from pycocoevalcap.bleu.bleu import Bleu
    >>> Bleu.__module__
    'spicepy.compat.scorers'
    >>> uninstall()
    """
    names = (names,) if isinstance(names, str) else tuple(names)
    wanted = [_finder(name) for name in names]
    present = {finder.name for finder in _present()}
    missing = [finder for finder in wanted if finder.name not in present]
    for finder in missing:
        if not replace and (place := _real(finder.name)):
            raise InputError(
                f"the package {finder.name} is installed ({place}); "
                "spicepy.compat.install(replace=True) replaces it"
            )
    for finder in missing:
        _forget(finder)
        sys.meta_path.insert(0, finder)


def _finder(name: str) -> _StandIn:
    if name == SHAPE:
        return _Shapes()
    name, _, package = name.partition("=")
    package = package or name.rpartition(".")[2].removesuffix("?")
    if package not in PACKAGES:
        raise unknown("package", package, PACKAGES)
    return _Finder(name, package)


FOR_PROGRAMS: Final = (
    *(SHAPE, UNLESS_OWN, "*.pyciderevalcap", "*.pycocoevalcap"),
    *("pyciderevalcap", "pycocoevalcap"),
)
"""The names to install for a whole program; what comes last is asked first."""


def uninstall() -> None:
    """Undo `install`: imports find the real packages, if any."""
    for finder in _present():
        _forget(finder)
        sys.meta_path.remove(finder)


def _present() -> list[Any]:
    return [finder for finder in sys.meta_path if isinstance(finder, _StandIn)]


def _real(name: str) -> str | None:
    """Return the path of a real package, None if it is neither imported nor installed.

    Copies inside other packages do not count.
    """
    if not name.isidentifier():
        return None
    if name in sys.modules:
        return str(next(iter(getattr(sys.modules[name], "__path__", [])), "imported"))
    spec = PathFinder.find_spec(name)
    if spec is None:
        return None
    return str(next(iter(spec.submodule_search_locations or ()), spec.origin))


def _forget(finder: _StandIn) -> None:
    """Have the next import look for a package anew."""
    for name in [name for name in sys.modules if finder.own(name)]:
        del sys.modules[name]
