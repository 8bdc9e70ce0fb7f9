"""CPU seconds and memory of reading annotations of full size, and of CHAIR's variants.

In: captions of `fixtures/`, and a made-up file as large as COCO's
instances_val2014.json. Out: seconds and peak memory of reading the file, and the
seconds of 5,000 captions by each variant. Exit status 0 if reading takes at most 10
seconds and 1 GB, and 5,000 captions at most 3 seconds.

    python -m benchmarks.speed.annotations
"""

import json
import random
import resource
import subprocess
import sys
import tempfile
import time
import tomllib
from pathlib import Path

from benchmarks import ROOT
from benchmarks.figures import figure, run
from spicepy.common.errors import ResourceError
from spicepy.objects.readers import VARIANTS, load_reader

IMAGES, OBJECTS, MEGABYTES = 40_504, 291_875, 160
SECONDS, MEMORY, CAPTIONS_SECONDS = 10.0, 1000.0, 3.0
READ = """
import sys, time
from spicepy.objects.instances import read_instances
start = time.process_time()
found = read_instances(sys.argv[1:])
print(time.process_time() - start, len(found.images))
"""


def main() -> int:
    """Print all figures; return 0 if every target is met."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "instances.json"
        write(path)
        megabytes = path.stat().st_size / 1e6
        done = subprocess.run(
            [sys.executable, "-c", READ, path],
            check=True,
            capture_output=True,
            text=True,
        )
    seconds = float(done.stdout.split()[0])
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    print(f"{megabytes:.0f} MB of annotations: {seconds:.1f} s of CPU, {peak:.0f} MB")
    figure("read.megabytes", megabytes, 0)
    figure("read.seconds", seconds, 1)
    figure("read.memory-megabytes", peak, 0)
    good = seconds <= SECONDS and peak <= MEMORY
    return int(not (good & measure_captions()))


def write(path: Path) -> None:
    """Write made-up annotations of full size."""
    drawn = random.Random(1)
    vocabulary = tomllib.loads((ROOT / "grammars" / "chair.toml").read_text("utf-8"))
    categories = [{"id": k, "name": n} for k, n in enumerate(vocabulary["classes"], 1)]
    images = (
        {
            "id": k,
            "file_name": f"COCO_val2014_{k:012d}.jpg",
            "width": 640,
            "height": 480,
        }
        for k in range(IMAGES)
    )
    points = (MEGABYTES * 1_000_000 - 53_000_000) // OBJECTS // 8
    objects = (
        {
            "segmentation": [[round(drawn.random() * 640, 2) for _ in range(points)]],
            "area": drawn.random() * 10_000,
            "iscrowd": int(drawn.random() < 0.01),
            "image_id": drawn.randrange(IMAGES),
            "bbox": [round(drawn.random() * 640, 2) for _ in range(4)],
            "category_id": drawn.randint(1, len(categories)),
            "id": k,
        }
        for k in range(OBJECTS)
    )
    with open(path, "w", encoding="utf-8") as file:
        for opening, values in (
            ('{"images": [', images),
            ('], "annotations": [', objects),
            ('], "categories": [', iter(categories)),
        ):
            file.write(opening + json.dumps(next(values)))
            file.writelines(f", {json.dumps(value)}" for value in values)
        file.write("]}")


def measure_captions() -> bool:
    """Measure 5,000 captions by each variant."""
    scenes = json.loads((ROOT / "fixtures" / "scenes.json").read_text("utf-8"))
    own = [text for scene in scenes for text in (scene["test"], *scene["refs"])]
    captions = [f"{own[k % len(own)]} {k // len(own) or ''}" for k in range(5_000)]
    good = True
    for variant in VARIANTS:
        try:
            reader = load_reader(variant)
        except ResourceError as error:
            print(f"{variant}: skipped ({error})")
            continue
        reader.read(captions[:1])  # models are loaded
        start = time.process_time()  # one thread: the machine may be busy
        reader.read(captions)
        seconds = time.process_time() - start
        print(f"{variant}: 5,000 captions in {seconds:.2f} s of CPU")
        figure(f"{variant}.seconds", seconds, 2)
        good &= seconds <= CAPTIONS_SECONDS
    return good


if __name__ == "__main__":
    raise SystemExit(run(main, "annotations_speed"))
