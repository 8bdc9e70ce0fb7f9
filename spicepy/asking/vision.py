"""Vision models: yes / no questions about a picture, put to a server or a pipeline.

In: a picture and questions. Out: an answer to each, as `Answer.read` takes it; or None,
where the model gave none.

`ChatModel` speaks the chat protocol that vLLM, Ollama, llama.cpp, LM Studio and the
commercial services share. `transformers_model` wraps a visual-question-answering
pipeline. Any function `answer(picture, questions) -> list` will do as well.
"""

import base64
import http.client
import io
import json
import math
import os
import random
import re
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final
from urllib.parse import urlsplit

from spicepy.asking.answers import said
from spicepy.asking.pictures import Picture
from spicepy.common.errors import InputError, ResourceError, brief, counted
from spicepy.common.resources import required

Answering = Callable[[Picture, Sequence[str]], Sequence[Any]]
"""Answers questions about a picture: one answer for each, in their order."""

KEY_VARIABLE: Final = "SPICEPY_VQA_KEY"
"""The environment variable with the key of a service."""
RETRIES, FIRST_RETRIES = 6, 2
"""How often a request is repeated; how often before the service has ever answered."""
MAX_REPLY: Final = 1_000_000
"""The most bytes of a reply that are read."""
MAX_WAIT: Final = 60.0
"""The most seconds before a request is repeated, whatever the server asks for."""

_AGAIN: Final = (408, 409, 425, 429, 500, 502, 503, 504, 529)
_REFUSED: Final = (401, 402, 403, 404, 405, 407)
_SINGLE: Final = "Answer with yes or no only. {question}"
_SEVERAL: Final = (
    "Answer each question about the image with yes or no only. Write one line for each "
    "question: its number, then the answer.\n{questions}"
)
_NUMBERED: Final = re.compile(
    r"^[\s*#-]*(?:Q(?:uestion)?\s*)?(\d+)\s*[.):-]+\s*(.+)$", re.M
)


class NoAnswerError(ResourceError):
    """A picture's questions were refused; others may still be answered."""

    __module__ = "spicepy"


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """Refuses redirects, which would send pictures and the key to another server."""

    def redirect_request(self, *_: Any, **__: Any) -> None:
        return None


@dataclass
class ChatModel:
    """A vision model behind the chat protocol.

    Attributes:
        url: The address of the service: "http://localhost:8000/v1".
        model: The name of the model there.
        together: The number of questions that are asked in one go.
        timeout: Seconds that a reply may take.
        pause: Seconds before the first repetition of a failed request; each further one
            waits twice as long.

    Raises:
        InputError: The address is not one of http or https, or a number is too small.
    """

    url: str
    model: str
    together: int = 1
    timeout: float = 120.0
    pause: float = 1.0
    _logprobs: bool = field(default=True, init=False, repr=False)
    _answered: bool = field(default=False, init=False, repr=False)
    _stopped: threading.Event = field(
        default_factory=threading.Event, init=False, repr=False
    )

    def __post_init__(self) -> None:
        """Check the address and the numbers."""
        parts = urlsplit(self.url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise InputError(
                f"--vqa {brief(self.url)}: give the address of a service, such as "
                "http://localhost:8000/v1"
            )
        if parts.username or parts.password:
            raise InputError(
                f"--vqa: a key does not belong into the address; put it into the "
                f"environment variable {KEY_VARIABLE}"
            )
        if self.together < 1 or not self.timeout > 0:
            raise InputError(
                "questions per request must be at least 1, and the timeout above 0"
            )
        bare = self.url.rstrip("/")
        whole = bare.endswith("/chat/completions")
        self._address = bare if whole else f"{bare}/chat/completions"
        self._key = os.environ.get(KEY_VARIABLE, "").strip()
        self._opener = urllib.request.build_opener(_NoRedirects)

    def __call__(self, picture: Picture, questions: Sequence[str]) -> list[Any]:
        """Answer questions about a picture.

        Returns:
            For each question a probability, where the service gives those of words, or
            else its text; None where it gave neither.

        Raises:
            NoAnswerError: The service refused the picture or these questions.
            ResourceError: The service cannot be reached, or refused the request.
        """
        answers: list[Any] = []
        for at in range(0, len(questions), self.together):
            answers += self._answers(picture, questions[at : at + self.together])
        return answers

    def stop(self) -> None:
        """Let requests that wait to be repeated fail at once."""
        self._stopped.set()

    def _answers(self, picture: Picture, questions: Sequence[str]) -> list[Any]:
        """Answer questions in one go; those that the reply leaves out singly."""
        if len(questions) > 1:
            listed = (f"{n}. {question}" for n, question in enumerate(questions, 1))
            text = _SEVERAL.format(questions="\n".join(listed))
            reply = self._ask(picture, text, 12 * len(questions), logprobs=False)
            found = numbered(_text(reply))
            if len(found) * 2 > len(questions):
                return [
                    found[n] if n in found else self._single(picture, question)
                    for n, question in enumerate(questions, 1)
                ]
        return [self._single(picture, question) for question in questions]

    def _single(self, picture: Picture, question: str) -> Any:
        text = _SINGLE.format(question=question)
        reply = self._ask(picture, text, 16, logprobs=self._logprobs)
        probability = yes_probability(reply)
        return _text(reply) if probability is None else probability

    def _ask(self, picture: Picture, text: str, most: int, *, logprobs: bool) -> Any:
        """Return the reply to one message about a picture."""
        data = base64.b64encode(picture.data).decode("ascii")
        image = {"url": f"data:{picture.kind};base64,{data}"}
        content = [
            {"type": "image_url", "image_url": image},
            {"type": "text", "text": text},
        ]
        body: dict[str, Any] = {
            "model": self.model,
            "temperature": 0,
            "max_tokens": most,
            "messages": [{"role": "user", "content": content}],
        }
        if logprobs:
            body |= {"logprobs": True, "top_logprobs": 5}
        try:
            return self._send(body, picture)
        except NoAnswerError as error:
            if not (logprobs and self._logprobs and "logprob" in str(error).lower()):
                raise
        self._logprobs = False  # This service has none.
        return self._ask(picture, text, most, logprobs=False)

    def _send(self, body: Mapping[str, Any], picture: Picture) -> Any:
        """Return the reply to a request, which is repeated while it may help."""
        data = json.dumps(body).encode()
        trouble = ""
        for attempt in range(RETRIES + 1):
            try:
                reply = _parsed(self._post(data))
                self._answered = True
                return reply
            except urllib.error.HTTPError as error:
                self._answered = True
                with error:
                    trouble = self._trouble(error, picture)
                    wait = _wished(error.headers.get("Retry-After"))
            except (OSError, http.client.HTTPException, ValueError) as error:
                trouble, wait = _sentence(error), 0.0
            most = RETRIES if self._answered else min(RETRIES, FIRST_RETRIES)
            pause = max(wait, _waiting(self.pause, attempt))
            if attempt >= most or self._stopped.wait(pause):
                break
        raise ResourceError(
            f"{self._address}: no answer after {counted(attempt + 1, 'request')}; the "
            f"last: {self._safe(trouble)}"
        )

    def _post(self, data: bytes) -> bytes:
        headers = {"Content-Type": "application/json", "Accept": "application/json"}
        if self._key:
            headers["Authorization"] = f"Bearer {self._key}"
        request = urllib.request.Request(self._address, data, headers)
        end = time.monotonic() + self.timeout
        with self._opener.open(request, timeout=self.timeout) as reply:
            return _read(reply, end)

    def _trouble(self, error: urllib.error.HTTPError, picture: Picture) -> str:
        """Return a sentence on a failure that may pass; raise on another one."""
        try:
            detail = error.read(2_000).decode("utf-8", "replace")
        except (OSError, http.client.HTTPException):
            detail = ""
        message = self._safe(f"status {error.code} {_message(detail)}".strip())
        if error.code in _AGAIN:
            return message
        if error.code in _REFUSED:
            hint = f"; is {KEY_VARIABLE} right?" if error.code in (401, 403) else ""
            raise ResourceError(f"{self._address}: refused: {message}{hint}")
        if 300 <= error.code < 400:
            to = self._safe(str(error.headers.get("Location", "elsewhere")))
            raise ResourceError(
                f"{self._address}: leads to {brief(to)}; give that address if it is "
                "right"
            )
        raise NoAnswerError(f"{picture.path}: {self._address} refused it: {message}")

    def _safe(self, text: str) -> str:
        """Return text of the server without the key, which it may repeat."""
        text = "".join(c if c.isprintable() else " " for c in text)
        return text.replace(self._key, "…") if self._key else text


def _read(reply: Any, end: float) -> bytes:
    """Return the bytes of a reply, which may not come one by one for ever."""
    parts, size = [], 0
    while part := reply.read1(65_536):
        parts.append(part)
        size += len(part)
        if size > MAX_REPLY:
            raise ValueError(f"a reply of more than {MAX_REPLY:,} bytes")
        if time.monotonic() > end:
            raise TimeoutError("the reply takes too long")
    missing = getattr(reply, "length", None)
    if missing:
        raise ValueError(f"the reply is cut off: {missing:,} bytes are missing")
    return b"".join(parts)


def _parsed(data: bytes) -> Any:
    """Return the first choice of a reply.

    Raises:
        ValueError: It is not a reply of this protocol.
    """
    try:
        reply = json.loads(data)
        choice = reply["choices"][0]
        if not isinstance(choice["message"], dict):
            raise TypeError
        return choice
    except (ValueError, RecursionError):
        fault = "is not JSON"
    except (TypeError, KeyError, IndexError):
        fault = "does not follow the chat protocol"
    raise ValueError(f"the reply {fault}: {brief(data[:100].decode(errors='replace'))}")


def _text(choice: Any) -> str | None:
    """Return the text of a reply; content may come in parts."""
    content = choice["message"].get("content")
    if isinstance(content, list):
        texts = (part.get("text") for part in content if isinstance(part, dict))
        content = "".join(text for text in texts if isinstance(text, str))
    return content[:2_000] if isinstance(content, str) else None


def numbered(text: str | None) -> dict[int, str]:
    """Return the answers of a numbered list by number; the first one counts.

    >>> numbered("1. Yes\\n2) no, it is red")
    {1: 'Yes', 2: 'no, it is red'}
    """
    found: dict[int, str] = {}
    for number, answer in _NUMBERED.findall(text or ""):
        found.setdefault(int(number[:9]), answer.strip())
    return found


def yes_probability(choice: Any) -> float | None:
    """Return the probability of "yes" against "no" as the first word of a reply.

    None if the reply has no such probabilities, or they are not numbers.
    """
    try:
        first = choice["logprobs"]["content"][0]
        tokens = first.get("top_logprobs") or [first]
        found = [(str(t["token"]).strip(), float(t["logprob"])) for t in tokens]
    except (TypeError, KeyError, IndexError, ValueError, AttributeError):
        return None
    return _share_of_yes((text, math.exp(x)) for text, x in found if x <= 0)


def _share_of_yes(weighted: Iterable[tuple[str, float]]) -> float | None:
    """Return the weight of answers that say yes among those that say yes or no."""
    shares = {True: 0.0, False: 0.0, None: 0.0}
    for text, weight in weighted:
        shares[said(text)] += weight
    total = shares[True] + shares[False]
    return shares[True] / total if total > 0 else None


def _message(detail: str) -> str:
    """Return what a server says of an error."""
    try:
        error = json.loads(detail)["error"]
        text = error["message"] if isinstance(error, dict) else error
    except (ValueError, TypeError, KeyError, RecursionError):
        text = detail
    return str(text).strip()[:300]


def _wished(header: str | None) -> float:
    """Return the seconds that a server asks us to wait, within reason."""
    try:
        seconds = float(header or 0)
    except ValueError:
        return 0.0  # A date.
    return min(max(seconds, 0.0), MAX_WAIT) if math.isfinite(seconds) else 0.0


def _waiting(pause: float, attempt: int) -> float:
    # Requests that failed together are not repeated together.
    seconds: float = min(pause * 2**attempt, MAX_WAIT)
    return seconds * random.uniform(0.75, 1.25)


def _sentence(error: BaseException) -> str:
    if isinstance(error, urllib.error.URLError):
        return f"cannot be reached ({error.reason})"
    return str(error) or type(error).__name__


def transformers_model(pipeline: Any) -> Answering:
    """Return a function that answers with a pipeline of transformers.

    Args:
        pipeline: `transformers.pipeline("visual-question-answering", …)`, or a pipeline
            "image-text-to-text", which is asked to answer with yes or no only.

    Raises:
        ResourceError: Pillow is not installed.
    """
    opened = required("PIL.Image", "pictures for a transformers pipeline")
    chats = getattr(pipeline, "task", "") == "image-text-to-text"
    ask = _chat_pipeline if chats else _classified
    return lambda picture, questions: [
        ask(pipeline, _opened(opened, picture), question) for question in questions
    ]


def _opened(images: Any, picture: Picture) -> Any:
    try:
        return images.open(io.BytesIO(picture.data)).convert("RGB")
    except (OSError, ValueError) as error:
        raise NoAnswerError(f"{picture.path}: no picture ({error})") from None


def _classified(pipeline: Any, image: Any, question: str) -> Any:
    """Return the probability of yes, from the scores of answers, or the best answer."""
    rows = [row for row in pipeline(image, question) if isinstance(row, dict)]
    best = rows[0].get("answer") if rows else None
    scored = (
        (str(r.get("answer", "")), float(r["score"])) for r in rows if "score" in r
    )
    share = _share_of_yes(scored)
    return best if share is None or said(str(best)) is None else share


def _chat_pipeline(pipeline: Any, image: Any, question: str) -> Any:
    text = _SINGLE.format(question=question)
    content = [{"type": "image", "image": image}, {"type": "text", "text": text}]
    messages = [{"role": "user", "content": content}]
    found = pipeline(text=messages, max_new_tokens=16, return_full_text=False)
    reply = found[0].get("generated_text") or None
    return reply[-1].get("content") if isinstance(reply, list) else reply
