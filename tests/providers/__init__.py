"""A server on loopback that speaks the formats of OpenAI, Anthropic and Gemini, with a scripted model behind them.

    with Server(Say("Hello."), Call(("recall", {"key": "name"}))) as server:
        chat_model("openai:any", base_url=server.url("openai"), key="k")
        server.seen[0].system

A script is a list of steps, the last of which is repeated, or a function that gives the step for what was seen.
Requests that the real provider would refuse are refused here too, with status 400.
"""

from __future__ import annotations

import json
import random
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from tests.providers import anthropic, gemini, openai
from tests.providers.script import Call, Fail, Refused, Say, Seen, Stall, Step, Wire

__all__ = ["FORMATS", "Call", "Fail", "Say", "Seen", "Server", "Stall", "Step", "environment"]

FORMATS: Mapping[str, Any] = {"openai": openai, "anthropic": anthropic, "gemini": gemini}
"""Each reads a request, refuses a wrong one, and writes a step, whole or as a stream."""


@dataclass
class Server:
    """One server with one script."""

    seen: list[Seen] = field(default_factory=list)
    """Every request that came in, also those that were refused."""

    def __init__(self, *script: Step | Callable[[Seen], Step]) -> None:
        self.seen, self.script = [], list(script)
        self.random, self.lock = random.Random(5), threading.Lock()
        self.http = ThreadingHTTPServer(("127.0.0.1", 0), handler_of(self))
        self.http.daemon_threads = True
        self.leaving = threading.Event()

    def __enter__(self) -> Server:
        threading.Thread(target=self.http.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self.leaving.set()
        self.http.shutdown()
        self.http.server_close()

    def url(self, provider: str) -> str:
        """What a client of this provider takes for a base URL."""
        return f"http://127.0.0.1:{self.http.server_port}" + ("/v1" if provider == "openai" else "")

    def step(self, seen: Seen) -> Step:
        """What the script says to this request."""
        with self.lock:
            place = len(self.seen)
            self.seen.append(seen)
        step = self.script[min(place, len(self.script) - 1)]
        return step(seen) if callable(step) else step

    def new_id(self, start: str) -> str:
        """An id as the providers make them: long, of letters of both cases and digits."""
        letters = "ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789"
        return start + "".join(self.random.choice(letters) for _ in range(24))


def environment(server: Server) -> dict[str, str]:
    """The variables that lead every client to this server."""
    return {
        "OPENAI_BASE_URL": server.url("openai"),
        "OPENAI_API_KEY": "test-key",
        "ANTHROPIC_BASE_URL": server.url("anthropic"),
        "ANTHROPIC_API_KEY": "test-key",
        "GOOGLE_GEMINI_BASE_URL": server.url("gemini"),
        "GEMINI_API_KEY": "test-key",
        "NO_PROXY": "127.0.0.1",
    }


def provider_of(path: str) -> str:
    if path.startswith("/v1/chat/completions"):
        return "openai"
    return "anthropic" if path.startswith("/v1/messages") else "gemini"


def handler_of(server: Server) -> type[BaseHTTPRequestHandler]:
    """A handler that answers from this server's script."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *_: object) -> None:
            pass

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            provider = provider_of(self.path)
            streamed = bool(body.get("stream")) or "streamGenerateContent" in self.path
            step: Step
            try:
                seen = FORMATS[provider].read(body)
            except (Refused, LookupError, TypeError) as problem:
                seen, step = Seen(provider, body), Fail(400, f"{type(problem).__name__}: {problem}")
                server.step(seen)
            else:
                step = server.step(seen)
            seen.path, seen.headers = self.path, dict(self.headers)
            self.answer(provider, step, streamed)

        def answer(self, provider: str, step: Step, streamed: bool) -> None:
            if isinstance(step, Stall):
                server.leaving.wait(step.seconds)
                self.close_connection = True
                return
            wire = Wire(server.new_id)
            if isinstance(step, Fail):
                self.send(step.status, FORMATS[provider].error(step), step.headers)
            elif not streamed:
                self.send(200, json.dumps(FORMATS[provider].whole(step, wire)), {})
            else:
                self.stream(FORMATS[provider].pieces(step, wire), cut=getattr(step, "cut", False))

        def send(self, status: int, text: str, headers: Mapping[str, str]) -> None:
            data = text.encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(data)))
            for name, value in headers.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(data)

        def stream(self, pieces: list[str], *, cut: bool) -> None:
            """Send the events, each by itself; with `cut` the connection breaks before the last half."""
            self.send_response(200)
            self.send_header("Content-Type", "text/event-stream")
            self.send_header("Connection", "close")
            self.end_headers()
            self.close_connection = True
            for piece in pieces[: len(pieces) // 2] if cut else pieces:
                self.wfile.write(piece.encode())
                self.wfile.flush()
                time.sleep(0.001)

    return Handler
