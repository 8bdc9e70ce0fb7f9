"""Read a million damaged files; each reader must succeed or give a clear error.

    python -m benchmarks.robustness.fuzz_readers [--files N] [--first N] [--seed N]
    [--jobs N] [--only N]

Good files of every format are damaged in all ways of `mutations.py` and read. A
reader passes if it returns, or raises a `SpicepyError` that names the file and has
at most 1,000 characters a line; any other exception, more than ten seconds of the
processor or more than 3 GiB of memory fail. File N of a seed is always the same:
`--only N` reads it again and shows the traceback. Exits with 1 if a file failed.
"""

import argparse
import gzip
import json
import multiprocessing
import random
import resource
import signal
import sys
import tempfile
import time
import traceback
import warnings
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from benchmarks import ROOT
from benchmarks.robustness.fuzz_binary import binary_cases
from benchmarks.robustness.fuzz_case import Case, Read
from benchmarks.robustness.mutations import mutated
from spicepy import reporting, study
from spicepy.captions import reading
from spicepy.common.errors import SpicepyError
from spicepy.graph.concepts import ConceptLexicon
from spicepy.graph.exchange import read_graphs
from spicepy.graph.scene import SceneGraph
from spicepy.metrics.meteor.paraphrases import read_paraphrases
from spicepy.metrics.ngrams.frequencies import DocumentFrequencies
from spicepy.rules.examples import check
from spicepy.rules.loading import load_grammar
from spicepy.rules.tuples import read_categories
from spicepy.study.datasets import read_dataset, read_sentences
from spicepy.words.wordnet import load_synonyms

LONGEST = 1000  # maximum characters of a line of a message
SECONDS = 10
MEMORY = 3 << 30
_CHUNK = 500
_TASKS = (
    100  # chunks that a process reads before it is replaced, since its memory grows
)


@cache
def cases() -> tuple[Case, ...]:
    """Return every reader with every format it takes."""
    return (
        *_captions(),
        *_studies(),
        *_tables(),
        *_grammars(),
        *binary_cases(),
    )


def _captions() -> Iterator[Case]:
    spice = [
        {"image_id": 1, "test": "a dog", "refs": ["a dog runs", "dogs run"]},
        {"image_id": "zwei", "candidate": "ein café", "references": ["b", "c", ""]},
        {"image_id": 3, "test": "", "refs": ["two cats \U0001f408"]},
    ]
    yield from _forms("samples", spice, reading.read_samples)
    notes = [{"image_id": n % 2, "caption": f"caption {n}"} for n in range(4)]
    yield from _forms("references", notes, reading.read_references)
    coco = json.dumps({"annotations": notes, "images": [{"id": 1}]}).encode()
    yield Case("references-coco", ".json", coco, reading.read_references)
    yield from _forms("candidates", notes[:2], reading.read_candidates)
    yield from _forms("dataset", notes, read_dataset)
    rows = b"image_id,candidate,reference_1,reference_2\n1,a dog,b,c\n2,d,e,\n"
    for suffix, data in ((".csv", rows), (".tsv", rows.replace(b",", b"\t"))):
        yield Case(f"samples{suffix}", suffix, data, reading.read_samples)
        yield Case(f"dataset{suffix}", suffix, data, read_dataset)
    pair = b"image_id,caption\n1,a dog\n2,d\n"
    yield Case("candidates.csv", ".csv", pair, reading.read_candidates)
    yield Case("references.csv.gz", ".csv.gz", _packed(pair), reading.read_references)
    yield Case("sentences", ".txt", b"a dog runs\n\ncats sit\n", lambda p: _text(p))
    graphs = [
        {"image_id": 1, "test": [["dog"], ["dog", "two"]], "refs": [["dog"]]},
        {
            "image_id": 2,
            "candidate": ["a"],
            "references": [[["a"]], [["b", "on", "c"]]],
        },
    ]
    yield from _forms("graphs", graphs, read_graphs)
    plain = [["dog"], ["dog", "brown"], ["dog", "on", "grass"], "cat"]
    lexicon = ConceptLexicon(load_synonyms("none"))
    whole = SceneGraph.from_tuples(plain, lexicon).to_json()
    for name, text in (("tuples", json.dumps(plain)), ("graph", whole)):
        yield Case(name, ".json", text.encode(), lambda p: _graph(p, lexicon), False)


def _forms(name: str, records: list[Any], read: Read) -> Iterator[Case]:
    """Yield the same records as JSON, packed JSON and JSON lines."""
    text = json.dumps(records, indent=1).encode()
    yield Case(f"{name}.json", ".json", text, read)
    yield Case(f"{name}.json.gz", ".json.gz", _packed(text), read)
    lines = "\n".join(map(json.dumps, records)).encode()
    yield Case(f"{name}.jsonl", ".jsonl", lines, read)


def _packed(data: bytes) -> bytes:
    return gzip.compress(data, mtime=0)


def _text(path: Path) -> object:
    return read_sentences(str(path))


def _graph(path: Path, lexicon: ConceptLexicon) -> object:
    graph = SceneGraph.from_json(reading.read_text(path), lexicon)
    return graph.to_json().encode(), graph.to_dot().encode(), graph.to_node_link()


def _studies() -> Iterator[Case]:
    fixtures = ROOT / "fixtures"
    for name, read in (
        ("judgments", study.read_judgments),
        ("pairs", study.read_pairs),
    ):
        records = _records(fixtures / f"{name}.jsonl")
        yield from _forms(name, records, read)
    yield from _forms(
        "triplets", _records(fixtures / "triplets.jsonl"), study.read_pairs
    )
    rated = b"image_id,candidate,reference,human,system\n1,a,b,3;4,x\n2,c,d,,y\n"
    yield Case("judgments.csv", ".csv", rated, study.read_judgments)
    votes = b"image_id,candidate_a,candidate_b,reference,votes_a,votes_b\n1,a,b,c,3,2\n"
    yield Case("pairs.csv", ".csv", votes, study.read_pairs)
    judged = study.read_judgments(fixtures / "judgments.jsonl")
    pairs, _ = study.read_pairs(fixtures / "pairs.jsonl")
    captions = read_dataset(fixtures / "loocv.json")
    results = (
        study.loocv(captions, metrics=["rouge"], images=2),
        study.correlate(judged, metrics=["rouge"], samples=10),
        study.pairs(pairs, metrics=["rouge"], references=[1], repeats=1),
    )
    for result in results:
        text = json.dumps(result.to_dict()).encode()
        yield Case(result.to_dict()["study"], ".json", text, _result)


def _records(path: Path) -> list[Any]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()[:3]]


def _result(path: Path) -> object:
    return reporting.read_result(path).tables()


def _tables() -> Iterator[Case]:
    grams = {"a": 2, "a dog": 1, "dog": 2, "a dog runs": 1, "a dog runs fast": 1}
    counted = {
        "format": "spicepy document frequencies 1",
        "name": "toy",
        "images": 2,
        "frequencies": grams,
        "stemmed-frequencies": grams,
    }
    text = json.dumps(counted).encode()
    yield Case("frequencies.json", ".json", text, _frequencies)
    yield Case("frequencies.json.gz", ".json.gz", _packed(text), _frequencies)
    phrases = b"0.5\na dog\na hound\n0.25\nruns\nis running\n"
    words = [["a", "dog", "runs"], ["a", "hound", "is", "running"]]
    yield Case(
        "paraphrases.gz", ".gz", _packed(phrases), lambda p: read_paraphrases(p, words)
    )


def _frequencies(path: Path) -> object:
    loaded = DocumentFrequencies.load(path)
    return loaded.label, loaded.merge(loaded)


def _grammars() -> Iterator[Case]:
    shipped = ROOT / "grammars"
    further = (shipped / "categories" / "extended.toml").read_bytes()[:2500]
    further = further[: further.rindex(b"[[category]]")]
    yield Case("categories", ".toml", further, read_categories)
    grammar = b"""name = "toy"
version = "1"
description = "A toy."
labels = "universal-v1"
files = []

[tags]
NOUN = ["NN", "NNS"]

[links]
OBJ = { any = [{ label = "dobj" }, { label = "nmod:*", except = ["nmod:of"] }] }

[lists.colors]
source = "ours"
words = ["red", "blue"]

[[category]]
name = "Color"
length = 2
words = "@colors"

[[rule]]
id = "object"
why = "Every noun is an object."
match = ["noun:NOUN", "? noun -amod-> adj"]
where = { noun = "!lemma:@colors" }
without = ["noun -compound-> _:NOUN"]
emit = ["(noun)", "(noun, adj) if adj"]
example = ["a red dog => (dog) (dog, red)"]
reject = ["it rains"]
"""
    yield Case("grammar", ".toml", grammar, _checked)
    parse = {
        "caption": "a red dog",
        "words": ["a", "red", "dog"],
        "tags": ["DT", "JJ", "NN"],
        "lemmas": ["a", "red", "dog"],
        "edges": [["root", 0, 3], ["det", 3, 1], ["amod", 3, 2]],
        "copies": [],
    }
    rain = dict(parse, caption="it rains", tags=["PRP", "VBZ", "RB"])
    lines = "\n".join(map(json.dumps, (parse, rain))).encode()
    yield Case("parses", ".jsonl", lines, lambda p: _with_parses(p, grammar))


def _checked(path: Path) -> object:
    load_grammar(path)
    return check(path)


def _with_parses(path: Path, grammar: bytes) -> object:
    folder = path.parent / "grammar"
    folder.mkdir(exist_ok=True)
    (folder / "grammar.toml").write_bytes(grammar)
    path.replace(folder / "parses.jsonl")
    return check(folder)


def faulty(number: int, seed: int, folder: Path) -> str:
    """Damage and read file `number`; return the fault found, or ""."""
    rng = random.Random(f"{seed}/{number}")
    known = cases()
    case, other = rng.choice(known), rng.choice(known)
    suffix = case.suffix if rng.random() < 0.97 else rng.choice(known).suffix
    path = folder / f"x{suffix}"
    path.write_bytes(mutated(case.data, other.data, rng))
    name = "parses.jsonl" if case.name == "parses" else path.name
    try:
        case.read(path)
    except SpicepyError as error:
        lines = str(error).splitlines()
        message = f"{case.name}: {str(error)[:300]!r}"
        if max(map(len, lines), default=0) > LONGEST:
            return f"a line of {max(map(len, lines))} characters: {message}"
        if case.named and name not in str(error):
            return f"the file is not named: {message}"
        try:
            str(error).encode()
        except UnicodeEncodeError:
            return f"cannot be printed: {message}"
        return ""
    except Exception as error:
        place = traceback.extract_tb(error.__traceback__)[-1]
        return f"{case.name}: {error!r:.200} at {place.name}:{place.lineno}"
    return ""


def _limits() -> None:
    """Limit the memory of a worker; `_timed` limits the seconds per file."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    for one in (signal.SIGPROF, signal.SIGALRM):
        signal.signal(one, _too_slow)
    warnings.simplefilter("ignore")


def _watch(seconds: float) -> None:
    """Allow so many seconds of the processor, and ten times as many of the clock."""
    signal.setitimer(signal.ITIMER_PROF, seconds)
    signal.setitimer(signal.ITIMER_REAL, 10 * seconds)


def _too_slow(*_: object) -> None:
    raise TimeoutError(f"more than {SECONDS} s")


def run(first: int, count: int, seed: int) -> list[tuple[int, str]]:
    """Read some files one after another; the numbers that failed, and why."""
    failed = []
    cases()  # made before the first file is timed
    with tempfile.TemporaryDirectory() as folder:
        for number in range(first, first + count):
            _watch(SECONDS)
            if fault := faulty(number, seed, Path(folder)):
                failed.append((number, fault))
            _watch(0)
    return failed


def _run(job: tuple[int, int, int]) -> tuple[int, list[tuple[int, str]]]:
    return job[1], run(*job)


def main() -> int:
    """Read the files and print what failed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--files", type=int, default=10_000, help="how many")
    parser.add_argument("--first", type=int, default=0, help="number of the first file")
    parser.add_argument("--seed", type=int, default=1, help="random seed")
    parser.add_argument("--jobs", type=int, default=1, help="processes")
    parser.add_argument("--only", type=int, help="read this file again")
    options = parser.parse_args()
    if options.only is not None:
        _limits()
        found = run(options.only, 1, options.seed)
        print(found or "passed")
        return bool(found)
    end = options.first + options.files
    starts = range(options.first, end, _CHUNK)
    jobs = [(start, min(_CHUNK, end - start), options.seed) for start in starts]
    read, failures, begin = 0, Counter[str](), time.monotonic()
    with multiprocessing.Pool(options.jobs, _limits, maxtasksperchild=_TASKS) as pool:
        for count, failed in pool.imap_unordered(_run, jobs):
            read += count
            for number, fault in failed:
                failures[fault.split(":")[0]] += 1
                print(f"file {number}: {fault}", flush=True)
            if read % 50_000 < _CHUNK:
                print(f"{read:,} files read", flush=True)
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    print(
        f"seed {options.seed}: {read:,} files, {len(cases())} readers and formats, "
        f"{time.monotonic() - begin:.0f} s, at most {peak:.0f} MB a process; "
        f"{failures.total()} failed {dict(failures) or ''}"
    )
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
