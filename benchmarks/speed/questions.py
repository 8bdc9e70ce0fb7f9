"""Speed of questions, and a run of them against a server that is killed.

Usage: python -m benchmarks.speed.questions [--shared DIR] [--captions N]
       [--questions N]

Two parts. 5,000 captions of a captioner on COCO become questions: seconds of process
CPU time on one core, start-up left out; target 10 s. And 10,000 questions are put to a
server on the loopback by `spicepy verify`, which is killed (SIGKILL) three times and
begun again: no question is asked twice whose answer had arrived, and at most what was
being asked at that moment is asked again (`--parallel` questions a kill).

Exit code 0 if all targets are met.
"""

import gzip
import json
import re
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Final

from benchmarks.figures import figure, run
from benchmarks.java_oracle import shared_parser
from spicepy.asking.questioning import Questioner

SECONDS: Final = 10.0
KILLS, PARALLEL = 3, 8
ARRIVAL: Final = 0.25
"""Seconds after which a reply that was sent has arrived, on any machine."""
PNG: Final = b"\x89PNG\r\n\x1a\n"
THINGS: Final = ("dog", "cat", "horse", "car", "boat", "kite", "ball", "cake", "bird")
COLORS: Final = ("red", "blue", "green", "black", "white", "brown", "yellow")


def main() -> int:
    """Time the questions, then kill a run; 0 if every target is met."""
    parser = shared_parser(__doc__)
    parser.add_argument("--captions", type=int, default=5_000)
    parser.add_argument("--questions", type=int, default=10_000)
    options = parser.parse_args()
    path = options.shared / "oracle/ngram/coco5k_raw.json.gz"
    rows = json.loads(gzip.decompress(path.read_bytes()))[: options.captions]
    good = timed([row["test"] for row in rows])
    return 0 if killed(options.questions) and good else 1


def timed(captions: list[str]) -> bool:
    """Print the seconds that captions take; return whether the target is met."""
    questioner = Questioner()
    list(questioner.ask(captions[:1]))
    start = time.process_time()
    number = sum(map(len, questioner.ask(captions)))
    seconds = time.process_time() - start
    print(f"{len(captions):,} captions, {number:,} questions: {seconds:.2f} s of CPU")
    figure("seconds", seconds, 2)
    figure("per caption", number / len(captions), 2)
    return seconds <= SECONDS * len(captions) / 5_000


class Server(ThreadingHTTPServer):
    """A vision model that says yes, and notes when it has answered what."""

    daemon_threads = True
    request_queue_size = 128

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.lock = threading.Lock()
        self.asked: Counter[str] = Counter()
        self.replied: dict[str, float] = {}
        self.repeated: list[str] = []
        self.killed = 0.0


class Handler(BaseHTTPRequestHandler):
    """Answers one request, which has one question."""

    server: Server
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        """Say yes after a while."""
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        picture = re.search(r"base64,([^\"]+)", body)
        text = re.search(r"yes or no only\. ([^\"]+)", body)
        key = f"{picture and picture[1]} {text and text[1]}"
        with self.server.lock:
            self.server.asked[key] += 1
            known = self.server.replied.get(key)
            if known is not None and known < self.server.killed - ARRIVAL:
                self.server.repeated.append(key)
        time.sleep(0.02)
        reply = json.dumps({"choices": [{"message": {"content": "Yes."}}]}).encode()
        try:
            self.send_response(200)
            self.send_header("Content-Length", str(len(reply)))
            self.end_headers()
            self.wfile.write(reply)
        except OSError:  # whoever asked was killed
            return
        with self.server.lock:
            self.server.replied[key] = time.monotonic()

    def log_message(self, *_: object) -> None:
        """Say nothing."""


def killed(number: int) -> bool:
    """Ask a number of questions, killed three times; return whether all holds."""
    server = Server()
    threading.Thread(target=server.serve_forever, daemon=True).start()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        command = prepared(folder, number, server.server_address[1])
        for _ in range(KILLS):
            begun = sum(server.asked.values())
            process = subprocess.Popen(command)
            while sum(server.asked.values()) < begun + number // 5:
                if process.poll() is not None:
                    raise SystemExit("it ended before it was killed")
                time.sleep(0.01)
            process.kill()
            process.wait()
            server.killed = time.monotonic()
        finished = subprocess.run(command, check=False).returncode == 0
    server.shutdown()
    again = sum(server.asked.values()) - len(server.asked)
    print(
        f"{len(server.asked):,} questions, killed {KILLS} times: {again} asked again "
        f"that were being asked, {len(server.repeated)} whose answer had arrived"
    )
    figure("asked again in flight", again)
    figure("asked again though answered", len(server.repeated))
    return finished and not server.repeated and again <= KILLS * PARALLEL


def prepared(folder: Path, number: int, port: int) -> list[str]:
    """Write captions and pictures with enough questions; return the command."""
    texts = [
        f"a {a} {x} next to a {b} {y} on a table, under a tree"
        for x in THINGS
        for y in THINGS
        for a in COLORS
        for b in COLORS
        if x != y and a != b
    ]
    rows, left = [], number
    questioner = Questioner()
    for image_id, (text, asked) in enumerate(zip(texts, questioner.ask(texts)), 1):
        rows.append({"image_id": image_id, "caption": text})
        (folder / f"{image_id}.png").write_bytes(PNG + str(image_id).encode())
        left -= len(asked)
        if left <= 0:
            break
    captions = folder / "captions.json"
    captions.write_text(json.dumps(rows), encoding="utf-8")
    return [
        *(sys.executable, "-m", "spicepy", "verify", str(captions), "--quiet"),
        *("--images", str(folder), "--vqa", f"http://127.0.0.1:{port}/v1"),
        *("--vqa-model", "toy", "--kept-answers", str(folder / "kept.sqlite")),
        *("-o", str(folder / "result.json"), "--parallel", str(PARALLEL)),
    ]


if __name__ == "__main__":
    raise SystemExit(run(main, "questions_speed"))
