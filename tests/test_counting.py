"""Token counts: exact for OpenAI's encodings with no network, the provider's own on request, else an estimate."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from recollect.chat.counting import count_tokens
from recollect.errors import InvalidInput, ModelError

TEXT = "I prefer window seats."


class Counting(ThreadingHTTPServer):
    """Counts letters, as a provider would count tokens; or fails."""

    status = 200

    def __init__(self) -> None:
        self.seen: list[tuple[str, dict[str, object]]] = []
        super().__init__(("127.0.0.1", 0), Handler)


class Handler(BaseHTTPRequestHandler):
    server: Counting

    def log_message(self, *_: object) -> None:
        """Nothing to a terminal."""

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        self.server.seen.append((self.path, body))
        parts = body.get("messages") or body["contents"]
        text = parts[0].get("content") or parts[0]["parts"][0]["text"]
        answer = {"input_tokens": len(text), "totalTokens": len(text)}
        if self.server.status != 200:
            answer = {"error": {"message": "bad key secret-key-of-mine", "type": "x", "code": 401}}  # type: ignore[dict-item]
        sent = json.dumps(answer).encode()
        self.send_response(self.server.status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(sent)))
        self.end_headers()
        self.wfile.write(sent)


@pytest.fixture
def server() -> Iterator[Counting]:
    with Counting() as made:
        threading.Thread(target=made.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
        yield made
        made.shutdown()


@pytest.mark.parametrize("provider", ["anthropic", "gemini"])
def test_the_provider_counts_on_request(server: Counting, provider: str) -> None:
    url = f"http://127.0.0.1:{server.server_port}"
    counted = count_tokens(TEXT, f"{provider}:any", ask=True, base_url=url, key="k")
    assert (counted.tokens, counted.exact, counted.how) == (len(TEXT), True, f"counted by {provider}")
    assert ("count_tokens" in server.seen[0][0]) or ("countTokens" in server.seen[0][0])


@pytest.mark.parametrize("provider", ["anthropic", "gemini"])
def test_a_provider_that_fails_is_named_without_the_key(server: Counting, provider: str) -> None:
    server.status, url = 401, f"http://127.0.0.1:{server.server_port}"
    with pytest.raises(ModelError, match="could not count") as caught:
        count_tokens(TEXT, f"{provider}:any", ask=True, base_url=url, key="secret-key-of-mine")
    assert "secret-key-of-mine" not in str(caught.value)


@pytest.mark.parametrize("model", ["o200k", "openai:gpt-5", "gpt-4o-mini", "cl100k", "gpt-3.5-turbo"])
def test_openai_is_counted_exactly_offline(model: str) -> None:
    counted = count_tokens(TEXT, model)
    assert (counted.tokens, counted.exact) == (5, True)
    assert counted.how.endswith("exact")


@pytest.mark.parametrize("model", ["anthropic:claude-sonnet", "gemini:flash", "openai:llama3.2:3b", "whatever"])
def test_others_are_estimated_and_called_so(model: str) -> None:
    counted = count_tokens(TEXT, model)
    assert not counted.exact
    assert "estimated with o200k" in counted.how
    assert 5 <= counted.tokens <= 8


def test_what_cannot_be_counted_is_refused() -> None:
    with pytest.raises(InvalidInput, match="no counter"):
        count_tokens(TEXT, "openai:gpt-5", ask=True, key="k")
    with pytest.raises(InvalidInput, match="unknown chat model"):
        count_tokens(TEXT, "claude", ask=True)
    with pytest.raises(InvalidInput, match="a text"):
        count_tokens(b"x")  # type: ignore[arg-type]
