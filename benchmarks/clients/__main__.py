"""Run evaluation code of public repositories, unchanged, with spicepy and without.

    python -m benchmarks.clients DIR [--original] [--record]

DIR holds checkouts as OWNER+NAME. Each is copied, its own evaluation code is called
(`calls.py`) by `python -m spicepy.compat run`, and the scores are compared with those
that the same code gives with what it was written for: pycocoevalcap and its Java
programs, or the copy that the repository holds. SPICE is not compared, because its
original loads a parser from the network. Scores of the original are computed with
`--original`, which needs Java and pycocoevalcap, and otherwise read from the record.
With `--original`, `benchmarks/clients.md` is also written. Exit status 0 if nothing
differs.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks import ROOT
from benchmarks.figures import FOLDER, figure, run, table

CALLS = Path(__file__).with_name("calls.py")
PAGE = ROOT / "benchmarks" / "clients.md"
KEPT = FOLDER / "clients_original.json"
COLUMNS = ("repository", "its code that is called", "scores", "that differ", "SPICE")


class Client(NamedTuple):
    """A repository's evaluation code.

    Attributes:
        repository: Its name on GitHub.
        call: The function of `calls.py`.
        code: The code that is called, for the table.
        jars: The Java programs of its copy of pycocoevalcap: the folders of the
            tokeniser and of METEOR.
        submodule: A folder, and the repository that belongs there.
    """

    repository: str
    call: str
    code: str
    jars: tuple[str, str] | None = None
    submodule: tuple[str, str] | None = None


M2 = "evaluation", "evaluation/meteor"
CLIENTS = (
    Client("jmhessel/clipscore", "clipscore", "generation_eval_utils.get_all_metrics"),
    Client("salesforce/BLIP", "blip", "data.utils.coco_caption_eval"),
    Client(
        "microsoft/Oscar",
        "oscar",
        "caption_evaluate.evaluate_on_coco_caption",
        ("coco_caption/pycocoevalcap/tokenizer", "coco_caption/pycocoevalcap/meteor"),
        ("coco_caption", "LuoweiZhou/coco-caption"),
    ),
    Client("JDAI-CV/image-captioning", "jdai", "coco_evaler.COCOEvaler"),
    Client(
        "ruotianluo/ImageCaptioning.pytorch",
        "self_critical",
        "eval_utils.language_eval",
    ),
    Client(
        "ruotianluo/ImageCaptioning.pytorch",
        "self_critical_rewards",
        "rewards.get_self_critical_reward",
        submodule=("cider", "ruotianluo/cider"),
    ),
    Client(
        "ruotianluo/ImageCaptioning.pytorch",
        "self_critical_frequencies",
        "prepro_ngrams.get_doc_freq",
        submodule=("cider", "ruotianluo/cider"),
    ),
    Client(
        "aimagelab/meshed-memory-transformer",
        "meshed_memory",
        "evaluation.compute_scores, Cider",
        M2,
    ),
    Client(
        "zhangxuying1004/RSTNet",
        "meshed_memory",
        "evaluation.compute_scores, Cider",
        M2,
    ),
    Client(
        "Maluuba/nlg-eval",
        "nlg_eval",
        "compute_metrics",
        ("nlgeval/pycocoevalcap/tokenizer", "nlgeval/pycocoevalcap/meteor"),
    ),
    Client(
        "audio-captioning/caption-evaluation-tools",
        "caption_evaluation_tools",
        "eval_metrics.evaluate_metrics_from_lists",
        ("coco_caption/pycocoevalcap/tokenizer", "coco_caption/pycocoevalcap/meteor"),
    ),
    Client(
        "davidnvq/grit",
        "grit",
        "metrics.compute_scores",
        ("datasets/caption/metrics", "datasets/caption/metrics/meteor"),
    ),
    Client(
        "ch3cook-fdu/Vote2Cap-DETR",
        "vote2cap",
        "engine.score_captions",
        ("utils/capeval/tokenizer", "utils/capeval/meteor"),
    ),
    Client(
        "cuhksz-nlp/R2Gen",
        "r2gen",
        "metrics.compute_scores",
        ("pycocoevalcap/tokenizer", "pycocoevalcap/meteor"),
    ),
    Client(
        "EvolvingLMMs-Lab/lmms-eval", "lmms_eval", "flickr30k.flickr_aggregation_result"
    ),
    Client("antoyang/VidChapters", "vid_chapters", "eval_dvc.ANETcaptions"),
)


def main() -> int:
    """Run the clients; 0 if no score differs."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("clones", type=Path, metavar="DIR", help="the checkouts")
    parser.add_argument(
        "--original", action="store_true", help="compute the originals' scores anew"
    )
    options = parser.parse_args()
    kept = json.loads(KEPT.read_text("utf-8")) if KEPT.exists() else {}
    rows, good = [], True
    with tempfile.TemporaryDirectory() as folder:
        scenes = _scenes(Path(folder))
        for client in CLIENTS:
            if not _clone(options.clones, client.repository).is_dir():
                print(f"{client.repository}: there is no checkout in {options.clones}")
                continue
            if options.original:
                found = _scores(client, options.clones, scenes, original=True)
                kept[f"{client.repository} {client.call}"] = found
            ours = _scores(client, options.clones, scenes)
            theirs = kept.get(f"{client.repository} {client.call}", {})
            row = _row(client, ours, theirs)
            rows.append(row)
            good &= bool(row[2]) and not row[3]
            print("  ".join(map(str, row)), flush=True)
    table("clients", COLUMNS, rows)
    figure("repositories", len({row[0] for row in rows}))
    if options.original:
        KEPT.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")
        PAGE.write_text(_page(rows), encoding="utf-8")
    return int(not good)


def _scenes(folder: Path) -> Path:
    """Write the samples that all programs can read: one line per caption."""
    scenes = json.loads((ROOT / "fixtures/scenes.json").read_text("utf-8"))
    plain = [
        scene
        for scene in scenes
        if len(scene["refs"]) == 4
        and all(
            text.strip() and "\n" not in text
            for text in (scene["test"], *scene["refs"])
        )
    ]
    path = folder / "scenes.json"
    path.write_text(json.dumps(plain), encoding="utf-8")
    return path


def _clone(clones: Path, repository: str) -> Path:
    return clones / repository.replace("/", "+")


def _scores(
    client: Client, clones: Path, scenes: Path, original: bool = False
) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder, "copy")
        shutil.copytree(_clone(clones, client.repository), copy)
        if client.submodule:
            place, repository = client.submodule
            shutil.copytree(
                _clone(clones, repository), copy / place, dirs_exist_ok=True
            )
        if original and client.jars:
            _add_jars(copy, client.jars)
        output = Path(folder, "scores.json")
        start = [] if original else ["-m", "spicepy.compat", "run"]
        calls = shutil.copy(CALLS, copy / "calls_of_spicepy.py")
        command = [sys.executable, *start, calls, client.call]
        done = subprocess.run(
            [*command, str(scenes), str(output)],
            cwd=copy,
            env={**os.environ, **({"CLIENTS_ORIGINAL": "1"} if original else {})},
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode or not output.exists():
            print(f"{client.repository}: {done.stderr.strip()[-600:]}")
            return {}
        found: dict[str, Any] = json.loads(output.read_text("utf-8"))
        return found


def _add_jars(copy: Path, places: tuple[str, str]) -> None:
    """Put pycocoevalcap's Java programs where a copy of it looks for them."""
    spec = find_spec("pycocoevalcap")
    assert spec is not None
    package = Path(next(iter(spec.submodule_search_locations or ())))
    for part, place in zip(("tokenizer", "meteor"), places):
        for path in (package / part).rglob("*"):
            target = copy / place / path.relative_to(package / part)
            whole = target.exists() and target.stat().st_size == path.stat().st_size
            if path.suffix in (".jar", ".gz") and not whole:  # or Git LFS's pointer
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(path, target)


def _row(
    client: Client, ours: dict[str, Any], theirs: dict[str, Any]
) -> tuple[Any, ...]:
    names = sorted(
        name for name in ours.keys() & theirs.keys() if "SPI" not in name.upper()
    )
    pairs = [
        (own, other)
        for name in names
        for own, other in zip(_several(ours[name]), _several(theirs[name]), strict=True)
    ]
    differ = sum(own != other for own, other in pairs)
    spice = next((v for k, v in ours.items() if k.upper() == "SPICE"), None)
    shown = "" if spice is None else f"{spice:.3f}"
    return client.repository, client.code, len(pairs), differ, shown


def _several(value: Any) -> list[float]:
    return value if isinstance(value, list) else [value]


INTRODUCTION = """\
# Code of others, unchanged, with spicepy

Evaluation code of public repositories was run twice on captions of our own
(`fixtures/scenes.json`): as it is, with pycocoevalcap and Java or with the copy of it
that the repository holds, and by `python -m spicepy.compat run`. Scores are corpus
scores, or one a caption for rewards; they are compared to the last bit. SPICE is
spicepy's alone: the original loads a parser from the network. Written by
`python -m benchmarks.clients DIR --original --record`.

"""


def _page(rows: list[tuple[Any, ...]]) -> str:
    lines = [COLUMNS, ["---"] * len(COLUMNS), *rows]
    return INTRODUCTION + "".join(f"| {' | '.join(map(str, n))} |\n" for n in lines)


if __name__ == "__main__":
    raise SystemExit(run(main, "clients"))
