"""Client and AsyncClient against a real server: the verbs and the records of Memory."""

from __future__ import annotations

import asyncio
import inspect
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timezone
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from recollect import AsyncClient, Client, Memory, Message, Session
from recollect.client.conversations import ClientSession
from recollect.client.notes import ClientNotes
from recollect.errors import InvalidInput, NotAllowed, NotFound, StoreError
from recollect.notes import Notes
from recollect.text.values import Value
from tests.server.conftest import Running

INSIDE = {"tick", "moment", "embed_records", "store", "clock", "instant", "together", "make_vectors", "vectors_waiting"}
"""Of Memory, what is for the library's own files."""

AT_THE_STORE = {"copy_to", "reembed", "settle_disputes", "follow", "refresh", "unfollow"}
"""What is done where the store, its files and its models are."""


def verbs(kind: type) -> set[str]:
    return {name for name in vars(kind) if not name.startswith("_")} - INSIDE - AT_THE_STORE


TWINS = [
    (local, remote, verb)
    for local, remote in ((Memory, Client), (Session, ClientSession), (Notes, ClientNotes))
    for verb in sorted(verbs(local) - {"of", "session", "notes"})
]


@pytest.mark.parametrize(("local", "remote", "verb"), TWINS, ids=lambda value: getattr(value, "__name__", value))
def test_a_verb_has_the_signature_of_its_twin(local: type, remote: type, verb: str) -> None:
    expected = str(inspect.signature(getattr(local, verb))).replace("transfer.", "")
    assert str(inspect.signature(getattr(remote, verb))) == expected


def test_every_verb_is_there() -> None:
    assert verbs(Memory) == verbs(Client)
    assert verbs(Session) == verbs(ClientSession)
    assert verbs(Notes) == verbs(ClientNotes)


@pytest.fixture
def client(running: Running) -> Iterator[Client]:
    with Client(running.url, key=running.tokens["root"], owner="ana") as made:
        yield made


@pytest.fixture
def local(running: Running) -> Memory:
    return running.memory.of("ana")


def test_what_is_added_is_what_the_library_has(client: Client, local: Memory) -> None:
    added = client.add("I moved to Porto in May. I like tea.", session="monday", at="2024-06-01")
    assert list(added.facts) == local.facts()[::-1] == client.facts()[::-1]
    assert client.search("where do I live?") == local.search("where do I live?")
    assert client.recall("home") == "Porto"
    assert client.sessions() == local.sessions()


def test_messages_of_any_shape_arrive(client: Client, local: Memory) -> None:
    moment = datetime(2024, 3, 1, tzinfo=timezone.utc)
    record = Message("m_1", "someone", "friday", "user", "I have a dog.", moment)
    client.add([record, {"role": "assistant", "content": "Nice!"}, "I like cats."])
    kept = local.store.read("ana", Message)
    assert [(message.session, message.role) for message in kept] == [
        ("friday", "user"),
        ("default", "assistant"),
        ("default", "user"),
    ]
    assert kept[0].at == moment


def test_changes_are_made_and_taken_back(client: Client, local: Memory) -> None:
    seat = client.remember("seat preference", "window", category="travel", pinned=True)
    assert local.facts() == [seat]
    assert client.unpin(seat).pinned is False
    assert client.pin("seat preference").pinned is True
    assert client.correct("seat preference", "aisle").value == "aisle"
    assert [fact.value for fact in client.history("seat preference")] == ["window", "aisle"]
    gone = client.forget("seat preference", why="no longer flies")
    assert client.recall("seat preference") is None
    client.undo(gone[0])
    assert client.recall("seat preference") == "aisle"
    assert client.changes() == local.changes()
    assert client.changes(limit=2) == local.changes(limit=2)


def test_explanations_come_with_words_and_reasons(client: Client, local: Memory) -> None:
    client.add("I live in Porto.")
    client.add("The meeting went on for hours and nobody knew why.")
    fact, message = client.search("where do I live?")[0], client.search("meeting hours", kinds=["message"])[0]
    assert client.why(fact) == local.why(fact)
    assert client.why(message) == local.why(message)
    assert client.why_not("my dog", "home").headline == local.why_not("my dog", "home").headline
    assert client.graph() == local.graph()


def test_context_holds_what_is_needed(client: Client, local: Memory) -> None:
    client.add("I prefer window seats.")
    ours, theirs = local.context("book me a flight"), client.context("book me a flight")
    assert (theirs.hits, theirs.stable_hash) == (ours.hits, ours.stable_hash)
    assert "window seats" in theirs.text


def test_a_conversation_is_continued(client: Client, local: Memory) -> None:
    chat, ours = client.session("a/b c%2F"), local.session("a/b c%2F")
    chat.add([{"role": "user", "content": "I live in Porto."}, {"role": "assistant", "content": "Lovely."}])
    assert chat.info() == ours.info()
    assert chat.messages(limit=2) == ours.messages(limit=2)
    assert (chat.brief(), chat.summary()) == (ours.brief(), ours.summary())
    assert chat.summary(summarise=lambda prompt: "Porto it is.") == "Porto it is."
    assert chat.context("home").messages == ours.context("home").messages


def test_notes_keep_their_versions(client: Client, local: Memory, tmp_path: Path) -> None:
    first = client.notes.write("/memories/project x/persona.md", "Terse.", pinned=True)
    assert client.notes.write(first.path, "Very terse.", expected_version=1).version == 2
    with pytest.raises(InvalidInput, match="version"):
        client.notes.write(first.path, "Late.", expected_version=1)
    assert client.notes.versions(first.path) == local.notes.versions(first.path)
    moved = client.notes.rename(first.path, "/memories/p.md")
    assert client.notes.unpin(moved.path).pinned is False
    assert client.notes.pin(moved.path).pinned is True
    assert client.notes.read(moved.path) == local.notes.read(moved.path)
    assert [file.read_text() for file in client.notes.export_folder(tmp_path / "out")] == ["Very terse."]
    client.notes.delete(moved.path)
    assert [note.text for note in client.notes.import_folder(tmp_path / "out", to="/memories/back")] == ["Very terse."]
    assert client.notes.import_file(tmp_path / "out" / "p.md").path == "/memories/p.md"
    assert client.notes.list() == local.notes.list()


def test_values_of_any_plain_kind_are_remembered(client: Client, local: Memory) -> None:
    values: dict[str, Value] = {"age": 31, "vegan": True, "build steps": ["lint", 2], "language": ["Greek", "Dutch"]}
    for key, value in values.items():
        client.remember(key, value)
    assert [local.recall(key) for key in values][:3] == ["31", "yes", '["lint", 2]']
    assert {fact.value for fact in local.facts(attribute="language")} == {"Greek", "Dutch"}


def test_a_memory_is_moved(client: Client, tmp_path: Path) -> None:
    client.add("I live in Porto. I like tea.")
    count = client.export_to(tmp_path / "ana.jsonl")
    bob = client.of("bob")
    assert bob.import_from(tmp_path / "ana.jsonl") == count
    assert [fact.text for fact in bob.facts()] == [fact.text for fact in client.facts()]
    assert client.export_to(tmp_path / "ana.json", form="json") == 2
    assert Memory(client.backup(tmp_path / "copy.db"), owner="bob").recall("home") == "Porto"
    assert client.owners() == ["ana", "bob"]


def test_tools_are_called(client: Client) -> None:
    assert client.call_tool("remember", {"key": "seat preference", "value": "window"}).endswith("= window.")
    call = {"type": "function", "function": {"name": "recall", "arguments": '{"key": "seat preference"}'}}
    assert client.call_tool(call) == "window"
    assert client.call_tool({}).startswith("Error: not a tool call")
    assert client.tools("openai")[0]["type"] == "function"


def test_upkeep_is_done(client: Client, local: Memory) -> None:
    client.add("I live in Porto.")
    assert client.catch_up() == 0
    assert (client.stats(), client.health()) == (local.stats(), local.health())
    done = client.erase(everything=True)
    assert (done.facts, done.messages, done.verified) == (1, 1, True)
    assert local.owners() == []


def test_reading_spans_others(client: Client) -> None:
    client.of("team-blue").remember("standup", "at nine")
    assert client.recall("standup") is None
    assert client.of("ana", also=["team-blue"]).recall("standup") == "at nine"
    assert client.of("ana", also=["team-blue"]).search("when is standup?")[0].record.owner == "team-blue"


def test_all_pages_of_a_list_are_read(client: Client, local: Memory) -> None:
    with local.store.transaction("ana"):
        for number in range(450):
            local.remember(f"number {number}", str(number))
    assert client.facts() == local.facts()
    assert client.changes() == local.changes()


def test_errors_are_those_of_the_library(client: Client, running: Running) -> None:
    with pytest.raises(NotFound):
        client.why("nothing")
    with pytest.raises(InvalidInput):
        client.search("home", at="no time at all")
    with pytest.raises(NotAllowed), Client(running.url, key=running.tokens["reader"], owner="ana") as reader:
        reader.remember("seat", "window")
    with pytest.raises(NotAllowed), Client(running.url, key="rk_wrong", owner="ana") as stranger:
        stranger.facts()
    with pytest.raises(InvalidInput, match="RECOLLECT_KEY"):
        Client(running.url)
    with socket.socket() as taken:  # a port that is ours, and on which nobody listens
        taken.bind(("127.0.0.1", 0))
        nobody = Client(f"http://127.0.0.1:{taken.getsockname()[1]}", key="rk_x")
        with pytest.raises(StoreError, match="cannot reach"), nobody:
            nobody.facts()


def test_the_same_verbs_are_awaited(running: Running) -> None:
    async def talk() -> tuple[str | None, list[str], str]:
        async with AsyncClient(running.url, key=running.tokens["ana"], owner="ana") as client:
            await asyncio.gather(*(client.add(f"I like dish {number}.") for number in range(20)))
            await client.remember("home", "Porto")
            await client.notes.write("/memories/a.md", "A note.")
            found = await client.facts(attribute="likes")
            return (
                await client.recall("home"),
                [fact.value for fact in found],
                (await client.session("default").brief()),
            )

    home, likes, brief = asyncio.run(talk())
    assert home == "Porto"
    assert sorted(likes) == sorted(f"dish {number}" for number in range(20))
    assert "20 messages" in brief


# Whoever else may answer at an address


@contextmanager
def answering(*answers: tuple[int, dict[str, str], bytes]) -> Iterator[Client]:
    """A client of a server that gives these answers, one after the other, and cuts the connection after each."""
    left = list(answers)

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            status, headers, body = left.pop(0)
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: Any) -> None:
            """Nobody reads it."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        with Client(f"http://127.0.0.1:{server.server_port}", key="rk_x", owner="ana") as made:
            yield made
        server.shutdown()


def test_an_address_that_is_no_service_is_named() -> None:
    with answering((200, {}, b"<h1>Welcome</h1>")) as client, pytest.raises(StoreError, match="Welcome"):
        client.recall("home")


def test_a_proxy_may_say_when_to_come_again_by_a_date(monkeypatch: pytest.MonkeyPatch) -> None:
    waited: list[float] = []
    monkeypatch.setattr(time, "sleep", waited.append)
    busy = {"Retry-After": "Wed, 21 Oct 2026 07:28:00 GMT"}
    with answering((503, busy, b""), (503, {"Retry-After": "2"}, b""), (200, {}, b'{"value": "Porto"}')) as client:
        assert client.recall("home") == "Porto"
    assert waited == [5.0, 2.0]


def test_a_download_that_breaks_off_leaves_nothing_behind(tmp_path: Path) -> None:
    half = (200, {"Content-Length": "1000"}, b"half of it")
    with answering(half) as client, pytest.raises(StoreError, match="broke off"):
        client.export_to(tmp_path / "all.jsonl")
    assert list(tmp_path.iterdir()) == []
