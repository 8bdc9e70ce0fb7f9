"""Metrics that Ray's workers are killed with: in a module that they can import."""

import os
import signal
import time
from contextlib import suppress
from pathlib import Path

from spicepy.metrics.ngrams.bleu import Bleu


class Killer(Bleu):
    """BLEU; the first worker that counts with it is killed."""

    def __init__(self, flag: Path) -> None:
        super().__init__()
        self.flag = flag

    def count(self, samples):
        try:
            self.flag.touch(exist_ok=False)
        except FileExistsError:
            return super().count(samples)
        os.kill(os.getpid(), signal.SIGKILL)


class Waiting(Killer):
    """Says on which machine it counts, and waits, so that this can be killed."""

    def count(self, samples):
        import ray

        node = ray.get_runtime_context().get_node_id()
        with suppress(FileExistsError):
            self.flag.with_name(f"node-{node}").touch(exist_ok=False)
            time.sleep(5)
        return Bleu.count(self, samples)
