"""A server on the loopback that speaks the chat protocol, well or badly."""

import base64
import json
import re
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Reply = Callable[["Handler", dict[str, Any], list[str]], None]


class Server(ThreadingHTTPServer):
    """A server that counts what it is asked.

    `behaviour` sends the reply to a request; `answers` decides what to say.
    """

    daemon_threads = True
    request_queue_size = 128

    def __init__(self, answers: Callable[[bytes, str], str], behaviour: Reply) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.answers, self.behaviour = answers, behaviour
        self.asked: Counter[tuple[bytes, str]] = Counter()
        self.requests = 0
        self.keys: list[str] = []
        self.bodies: list[dict[str, Any]] = []
        self.lock = threading.Lock()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/v1"


class Handler(BaseHTTPRequestHandler):
    server: Server
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        questions = asked_in(body)
        with self.server.lock:
            self.server.requests += 1
            self.server.keys.append(self.headers.get("Authorization", ""))
            self.server.bodies.append(body)
        self.server.behaviour(self, body, questions)

    def answer(self, body: dict[str, Any], questions: list[str]) -> list[str]:
        picture = picture_of(body)
        with self.server.lock:
            self.server.asked.update((picture, question) for question in questions)
        return [self.server.answers(picture, question) for question in questions]

    def send(
        self, status: int, data: bytes, headers: dict[str, str] | None = None
    ) -> None:
        self.send_response(status)
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def say(self, content: Any, **further: Any) -> None:
        choice = {"message": {"role": "assistant", "content": content}, **further}
        self.send(200, json.dumps({"choices": [choice]}).encode())

    def log_message(self, *_: Any) -> None:
        pass


def asked_in(body: dict[str, Any]) -> list[str]:
    [text] = [p["text"] for p in body["messages"][0]["content"] if p["type"] == "text"]
    several = re.findall(r"^\d+\. (.+)$", text, re.M)
    return several or [text.removeprefix("Answer with yes or no only. ")]


def picture_of(body: dict[str, Any]) -> bytes:
    [part] = [p for p in body["messages"][0]["content"] if p["type"] == "image_url"]
    return base64.b64decode(part["image_url"]["url"].partition("base64,")[2])


def well(handler: Handler, body: dict[str, Any], questions: list[str]) -> None:
    answers = handler.answer(body, questions)
    lines = (f"{n}. {answer}" for n, answer in enumerate(answers, 1))
    handler.say(answers[0] if len(answers) == 1 else "\n".join(lines))


def slowly(handler: Handler, body: dict[str, Any], questions: list[str]) -> None:
    time.sleep(0.02)
    well(handler, body, questions)


@contextmanager
def serving(
    answers: Callable[[bytes, str], str] = lambda picture, question: "Yes.",
    behaviour: Reply = well,
) -> Iterator[Server]:
    server = Server(answers, behaviour)
    thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
