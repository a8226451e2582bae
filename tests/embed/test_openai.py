"""Embeddings from an endpoint: the real SDK against a server on this machine."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

import numpy as np
import pytest

from recollect import Memory
from recollect.embed import TokenEmbedder, open_embedder
from recollect.embed.openai import TEXTS, OpenAIEmbedder
from recollect.errors import InvalidInput, ModelError


class Endpoint(ThreadingHTTPServer):
    """Answers as OpenAI does, with letter counts as vectors; `failures` are answered first."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Answer)
        self.asked: list[dict[str, Any]] = []
        self.keys: list[str] = []
        self.failures: list[tuple[int, Any]] = []

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/v1"


class Answer(BaseHTTPRequestHandler):
    server: Endpoint

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["content-length"])))
        self.server.asked.append({"path": self.path, **asked})
        self.server.keys.append(self.headers["authorization"])
        status, body = self.server.failures.pop(0) if self.server.failures else (200, self._embeddings(asked))
        raw = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(raw)))
        self.send_header("retry-after-ms", "1")
        self.end_headers()
        self.wfile.write(raw)

    def _embeddings(self, asked: dict[str, Any]) -> dict[str, Any]:
        dim = asked.get("dimensions", 26)
        rows = [[text.count(chr(97 + letter)) + 0.0 for letter in range(dim)] for text in asked["input"]]
        data = [{"object": "embedding", "index": at, "embedding": row} for at, row in enumerate(rows)]
        return {"object": "list", "model": asked["model"], "data": data[::-1], "usage": {}}

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def endpoint() -> Iterator[Endpoint]:
    server = Endpoint()
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture
def letters(endpoint: Endpoint) -> OpenAIEmbedder:
    return OpenAIEmbedder("letters", base_url=endpoint.url, api_key="k-1")


def test_vectors_come_in_the_order_of_the_texts_and_have_length_one(letters: OpenAIEmbedder) -> None:
    vectors = letters.embed(["aab", "b", "zz"])
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-6)
    np.testing.assert_allclose(vectors[0, :2], np.array([2, 1]) / 5**0.5, atol=1e-6)
    assert vectors[2, 25] == 1
    assert letters.dim == 26


def test_asking_what_an_embedder_can_do_sends_nothing(letters: OpenAIEmbedder, endpoint: Endpoint) -> None:
    assert not isinstance(letters, TokenEmbedder)
    assert endpoint.asked == []


def test_the_key_and_the_model_are_sent(letters: OpenAIEmbedder, endpoint: Endpoint) -> None:
    letters.embed(["hello"])
    assert endpoint.keys == ["Bearer k-1"]
    assert endpoint.asked[0]["path"] == "/v1/embeddings"
    assert endpoint.asked[0]["model"] == "letters"


def test_many_texts_go_in_few_requests_and_each_only_once(letters: OpenAIEmbedder, endpoint: Endpoint) -> None:
    texts = [f"text {number}" for number in range(TEXTS + 10)]
    letters.embed(texts + texts)
    letters.embed(texts)
    assert [len(asked["input"]) for asked in endpoint.asked] == [TEXTS, 10]


def test_very_long_texts_are_cut_and_spread_over_requests(letters: OpenAIEmbedder, endpoint: Endpoint) -> None:
    letters.embed([f"{number} " + "a" * 1_000_000 for number in range(12)])
    assert max(len(text) for asked in endpoint.asked for text in asked["input"]) < 30_000
    assert len(endpoint.asked) == 2


def test_empty_texts_are_not_sent_and_have_the_zero_vector(letters: OpenAIEmbedder, endpoint: Endpoint) -> None:
    vectors = letters.embed(["", "abc", "  "])
    assert endpoint.asked[0]["input"] == ["abc"]
    assert vectors.any(axis=1).tolist() == [False, True, False]
    assert letters.embed([]).shape[0] == 0


def test_shorter_vectors_can_be_asked_for(endpoint: Endpoint) -> None:
    short = OpenAIEmbedder("letters", base_url=endpoint.url, api_key="k", dimensions=3)
    assert short.embed(["abc"]).shape == (1, 3)
    assert short.dim == 3


def test_a_busy_endpoint_is_asked_again(letters: OpenAIEmbedder, endpoint: Endpoint) -> None:
    endpoint.failures = [(429, {"error": {"message": "slow down"}}), (503, {"error": {"message": "starting"}})]
    assert letters.embed(["abc"]).any()
    assert len(endpoint.asked) == 3


@pytest.mark.parametrize(
    ("status", "body"),
    [
        (401, {"error": {"message": "wrong key"}}),
        (404, {"error": {"message": "no such model"}}),
        (200, {"object": "list", "data": []}),
        (200, {"object": "list", "data": [{"index": 0, "embedding": [1.0]}, {"index": 1, "embedding": [1.0]}]}),
        (200, {"object": "list", "data": [{"index": 0, "embedding": ["a", "b"]}]}),
        (200, {"hello": "there"}),
    ],
)
def test_a_failure_says_which_model_and_where(
    letters: OpenAIEmbedder, endpoint: Endpoint, status: int, body: object
) -> None:
    endpoint.failures = [(status, body)]
    with pytest.raises(ModelError, match=r"'letters' at http://127") as caught:
        letters.embed(["abc"])
    assert "k-1" not in str(caught.value)
    assert letters.embed(["abc"]).any()


def test_the_fingerprint_tells_model_length_and_place_apart(endpoint: Endpoint) -> None:
    made = [
        OpenAIEmbedder("a", base_url=endpoint.url),
        OpenAIEmbedder("b", base_url=endpoint.url),
        OpenAIEmbedder("a", base_url=endpoint.url, dimensions=8),
        OpenAIEmbedder("a", base_url="http://elsewhere/v1"),
    ]
    assert len({each.name for each in made}) == 4
    assert made[0].name == OpenAIEmbedder("a", base_url=endpoint.url + "/", api_key="x").name


def test_a_name_and_the_environment_are_enough(endpoint: Endpoint, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", endpoint.url)
    monkeypatch.setenv("OPENAI_API_KEY", "k-2")
    embedder = open_embedder("openai:letters")
    assert embedder is not None
    assert embedder.embed(["abc"]).any()
    assert endpoint.keys == ["Bearer k-2"]


def test_openai_itself_needs_a_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with pytest.raises(InvalidInput, match="OPENAI_API_KEY"):
        OpenAIEmbedder("text-embedding-3-small")


@pytest.mark.parametrize(
    "settings", [{"model": ""}, {"model": "a", "dimensions": 0}, {"model": "a", "dimensions": True}]
)
def test_settings_that_make_no_sense_are_refused(settings: dict[str, Any]) -> None:
    with pytest.raises(InvalidInput):
        OpenAIEmbedder(base_url="http://127.0.0.1:1/v1", **settings)


def test_a_memory_whose_endpoint_is_down_keeps_what_is_said_and_says_so(endpoint: Endpoint) -> None:
    endpoint.failures = [(401, {"error": {"message": "wrong key"}})] * 10
    with Memory(":memory:", embedder=OpenAIEmbedder("letters", base_url=endpoint.url)) as memory:
        memory.add("I live in Porto.")
        assert memory.recall("home") == "Porto"
        assert any("letters" in problem for problem in memory.health().problems)
        endpoint.failures = []
        memory.catch_up()
        assert memory.health().problems == ()


def test_without_the_sdk_the_message_says_what_to_install() -> None:
    code = (
        "import sys; sys.modules['openai'] = None\n"
        "from recollect.embed.openai import OpenAIEmbedder\n"
        "try: OpenAIEmbedder('m', base_url='http://127.0.0.1:1/v1').embed(['hello'])\n"
        "except ImportError as error: print(type(error).__name__, error)"
    )
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert "MissingDependency" in said
    assert "recollect[openai]" in said
