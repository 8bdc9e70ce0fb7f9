"""Follow pages as their readers do: every command, in order, in a new folder.

    python -m docs.following [PAGE ...]    all pages with ```sh blocks, if none is named

In: the pages. Out: nothing, or which command of which page fails, and what it says.

The folder holds what the page says: copies of `fixtures/` and `grammars/`, which a
checkout has; the files that the page writes; and files of the reader's own
(`captions.json`), for which `STAND_INS` makes others. A page that changes the project
(```diff blocks) or runs its modules (`python -m tests.refreeze`) is followed in a copy
of the whole project. Commands that match `NOT_RUN` are left out. A command with a
comment that begins with "fails" has to fail.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from docs.blocks import Block, parts_of
from docs.refresh import PLAIN, ROOT, every_page, working_folder
from docs.running import StaleError, console, run_python, run_shell, session

NOT_RUN: Final = {
    r"pip install|git clone|^cd spicepy$|venv\b|spacy download": "needs the network",
    r"--model en_core_web_sm|--sentences brown": "needs data from the network",
    r"^python -m (training|benchmarks)\.": "takes hours, or needs data of others",
    r"^(python -m )?pytest( -m slow)?$|^(ruff|mypy|sphinx-build)\b|\.ci/": (
        "is a step of continuous integration itself"
    ),
    r"^python -m docs\.(refresh|following)$": "is run by a test of its own",
    r"--engine ray": "needs Ray; `pytest -m ray` tests it",
    r"--vqa ": "needs a vision model",
    r"^spicepy model (add|paraphrases)": "needs a file of the original's",
}
"""Commands that are not run: a pattern for each reason."""

_SIX: Final = "cp fixtures/annotations/{} {{}}"
_TABLE: Final = (
    "python -c \"import pandas as p; t = p.read_json('fixtures/scenes.json'); "
    "t.columns = ['image_id', 'candidate', 'references']; "
    "t.to_parquet('{}')\""
)
STAND_INS: Final = {
    r"captions\.json": "cp fixtures/scenes.json {}",
    r"(captions_(train|val|val2014)|flickr8k|flickr30k|coco|refs)\.json": (
        _SIX.format("references.json")
    ),
    r"(a|old|results)\.json": _SIX.format("captions.json"),
    r"(b|new)\.json": "sed s/two/three/ fixtures/annotations/captions.json > {}",
    r"(captions|judgments|ratings)\.jsonl": "cp fixtures/judgments.jsonl {}",
    r"answers\.jsonl": (
        "spicepy questions captions.json --quiet -o questions.jsonl && "
        'sed \'s/"expected"/"answer"/\' questions.jsonl > {}'
    ),
    r"answered\.jsonl": (
        "spicepy questions results.json -r captions_val.json --quiet -o asked.jsonl && "
        'sed \'s/"expected"/"answer"/\' asked.jsonl > {}'
    ),
    r"(captions|prompts)\.txt": "printf 'two dogs run\\na red sign\\n' > {}",
    r"(sd|flux)\.jsonl": (
        "spicepy questions prompts.txt --quiet -o drawn.jsonl && "
        'sed \'s/"expected"/"answer"/\' drawn.jsonl > {}'
    ),
    r"challenge\.csv": (
        "printf 'system,points\\nexpert,4\\ncareful,3\\nvague,3\\nsloppy,2\\n"
        "random,1\\n' > {}"
    ),
    r"data/\*\.parquet": "mkdir data && " + _TABLE.format("data/1.parquet"),
    r"part-\*\.parquet": _TABLE.format("part-1.parquet"),
    r"glove\.6B\.300d\.txt": "printf 'dog .1 .9\\nhorse .8 .2\\n' > {}",
    r"instances_val2014\.json": _SIX.format("instances.json"),
    r"val2014": "mkdir {0} && touch {0}/COCO_val2014_000000000001.jpg",
    r"loocv\.json": (
        "spicepy loocv fixtures/annotations/references.json --metrics bleu --output {}"
    ),
    r"pairs\.json": "spicepy pairs fixtures/pairs.jsonl --metrics bleu --output {}",
}
"""Files of the reader's own that commands read: how to make others in their place."""


def main() -> int:
    """Follow the pages; return 0 if all commands do what they should."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("pages", nargs="*", type=Path, help="all, if none is named")
    failed = 0
    for page in [p.resolve() for p in parser.parse_args().pages] or pages_to_follow():
        try:
            follow(page)
        except StaleError as error:
            print(f"{page.relative_to(ROOT)}: {error}", file=sys.stderr)
            failed += 1
    return int(failed > 0)


def pages_to_follow() -> list[Path]:
    """Return the pages that have commands whose output is not quoted."""
    return [page for page in every_page() if any(map(is_shell, blocks_of(page)))]


def blocks_of(page: Path) -> list[Block]:
    """Return the fenced blocks of a page."""
    lines = page.read_text(encoding="utf-8").split("\n")
    return [part for part in parts_of(lines) if isinstance(part, Block)]


def is_shell(block: Block) -> bool:
    """Return whether a block holds commands without their output."""
    return block.language in ("sh", "bash")


def follow(page: Path) -> None:
    """Run all blocks of a page.

    Raises:
        StaleError: A command fails, or one that should fail does not.
    """
    before = dict(os.environ)
    blocks = blocks_of(page)
    try:
        with working_folder():
            folder = str(Path.cwd())
            programs = str(Path(sys.executable).parent)
            path = os.pathsep.join([programs, os.environ["PATH"]])
            os.environ |= PLAIN | {"PATH": path, "HOME": folder}
            if any(map(needs_project, blocks)):
                copy_project()
                os.environ["PYTHONPATH"] = folder
            stand_in(blocks)
            names: dict[str, Any] = {"__name__": "__main__"}
            for block in blocks:
                run(block, names)
    finally:
        os.environ.clear()
        os.environ |= before


def needs_project(block: Block) -> bool:
    """Return whether a block changes the project or runs its modules."""
    own = (command.startswith("python -m ") for command in commands(block))
    return block.language == "diff" or any(own)


def copy_project() -> None:
    """Put the files of the checkout into the current folder, as a repository."""
    listed = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(listed, cwd=ROOT, check=True, stdout=-1, text=True).stdout
    for name in names.strip("\0").split("\0"):
        if (ROOT / name).is_file():
            Path(name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, name)
    run_shell("git init --quiet && git add --all", "")


def stand_in(blocks: list[Block]) -> None:
    """Make the files of the reader's own that commands of the blocks read."""
    text = "\n".join(command for block in blocks for command in commands(block))
    for pattern, command in STAND_INS.items():
        for name in {m[0] for m in re.finditer(rf"(?<![\w/.-]){pattern}(?!\S)", text)}:
            run_shell(command.format(name), "")


def run(block: Block, names: dict[str, Any]) -> None:
    """Run a block, as far as it can be run."""
    if block.note and block.note[0] == "file":
        Path(block.note[1]).write_text(block.text, encoding="utf-8")
    elif block.language == "diff":
        run_shell("git apply --unidiff-zero -", block.text)
    elif block.note:
        return
    elif is_shell(block):
        for command in commands(block):
            run_command(command)
    elif block.language == "console":
        console(block.lines)
    elif block.language == "pycon":
        session(block.text, names)
    elif block.language == "python":
        output, failed = run_python(block.text, "exec", names)
        if failed:
            raise StaleError(f"this block fails:\n{block.text}{output}")


def commands(block: Block) -> Iterator[str]:
    """Yield the commands of a block that can be run, with their comments."""
    if not is_shell(block) or block.note:
        return
    for line in re.sub(r"\\\n\s*", "", block.text).split("\n"):
        code, _, comment = line.partition(" #")
        runnable = [part for part in code.split(" && ") if not reason(part.strip())]
        if code.strip() and runnable:
            yield " && ".join(runnable).strip() + (comment and f"  #{comment}")


def reason(command: str) -> str | None:
    """Return why a command is not run, None if it is."""
    return next((why for p, why in NOT_RUN.items() if re.search(p, command)), None)


def run_command(command: str) -> None:
    """Run a command in bash; `cd` and `export` hold for the commands after it.

    Raises:
        StaleError: It fails, or does not though its comment says so.
    """
    words = command.partition(" #")[0].split()
    if words[0] == "cd":
        os.chdir(words[1])
        return
    if words[0] == "export":
        name, _, value = words[1].partition("=")
        os.environ[name] = str(Path(value).expanduser())
        return
    try:
        run_shell(command, "")
    except StaleError:
        if not re.search(r"# fails\b", command):
            raise
    else:
        if re.search(r"# fails\b", command):
            raise StaleError(f"`{command}` does not fail")


if __name__ == "__main__":
    sys.exit(main())
