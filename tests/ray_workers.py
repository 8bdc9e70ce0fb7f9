"""Metrics that Ray's workers are killed with: in a module that they can import."""

import os
import signal
import time
from contextlib import suppress
from pathlib import Path


class Killer:
    """Stands for a metric; the first worker that counts with it is killed."""

    def __init__(self, metric, flag: Path) -> None:
        self.metric, self.flag = metric, flag

    def __getattr__(self, name: str):
        if name.startswith("__") or name == "metric":
            raise AttributeError(name)
        return getattr(self.metric, name)

    def with_document_frequencies(self, frequencies) -> "Killer":
        return self

    def count(self, samples):
        try:
            self.flag.touch(exist_ok=False)
        except FileExistsError:
            return self.metric.count(samples)
        os.kill(os.getpid(), signal.SIGKILL)


class Waiting(Killer):
    """Says on which machine it counts, and waits, so that this can be killed."""

    def count(self, samples):
        import ray

        node = ray.get_runtime_context().get_node_id()
        with suppress(FileExistsError):
            self.flag.with_name(f"node-{node}").touch(exist_ok=False)
            time.sleep(5)
        return self.metric.count(samples)
