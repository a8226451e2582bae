"""Chat models that fail: what is tried again, how often, and what the caller is told."""

from __future__ import annotations

import logging
import sys
from datetime import datetime, timedelta, timezone
from email.utils import format_datetime

import pytest

from recollect import chat_model
from recollect.chat import Reply
from recollect.chat.retry import Failure, asked_wait, with_retries
from recollect.errors import InvalidInput, MissingDependency, ModelError
from tests.providers import FORMATS, Call, Fail, Say, Server, Stall

HELLO = [{"role": "user", "content": "Hello"}]
AT_ONCE = {"Retry-After": "0"}

each_provider = pytest.mark.parametrize("provider", sorted(FORMATS))
whole_and_streamed = pytest.mark.parametrize("streamed", [False, True], ids=["whole", "streamed"])


@each_provider
@pytest.mark.parametrize("status", [429, 500, 503, 529])
def test_what_may_pass_is_tried_again(provider: str, status: int) -> None:
    with Server(Fail(status, headers=AT_ONCE), Fail(status, headers=AT_ONCE), Say("Hi.")) as server:
        assert chat_model(f"{provider}:m", base_url=server.url(provider), key="k", retries=2)(HELLO).text == "Hi."
    assert len(server.seen) == 3


@each_provider
@whole_and_streamed
def test_attempts_are_bounded_and_ours_alone(provider: str, streamed: bool) -> None:
    with Server(Fail(429, "slow down", headers=AT_ONCE)) as server:
        model = chat_model(f"{provider}:m", base_url=server.url(provider), key="k", retries=1)
        with pytest.raises(ModelError, match=rf"{provider}:m failed \(429\) after 2 attempts: slow down"):
            model(HELLO, on_text=print if streamed else None)
    assert len(server.seen) == 2


@each_provider
def test_what_will_not_pass_is_not_tried_again(provider: str) -> None:
    with Server(Fail(401, "no such key")) as server, pytest.raises(ModelError, match="no such key"):
        chat_model(f"{provider}:m", base_url=server.url(provider), key="k")(HELLO)
    assert len(server.seen) == 1


@each_provider
def test_a_long_pause_is_told_at_once(provider: str) -> None:
    busy = Fail(429, "quota", headers={"Retry-After": "3600"})
    with Server(busy) as server, pytest.raises(ModelError, match="it asks to wait 3600 seconds"):
        chat_model(f"{provider}:m", base_url=server.url(provider), key="k")(HELLO)
    assert len(server.seen) == 1


def test_gemini_says_in_the_body_how_long_to_wait() -> None:
    body = '{"error": {"code": 429, "message": "quota", "details": [{"retryDelay": "0.01s"}]}}'
    with Server(Fail(429, body=body), Say("Hi.")) as server:
        assert chat_model("gemini:m", base_url=server.url("gemini"), key="k")(HELLO).text == "Hi."
    assert len(server.seen) == 2


@each_provider
@whole_and_streamed
def test_a_server_that_does_not_answer_is_given_up(provider: str, streamed: bool) -> None:
    with Server(Stall()) as server:
        model = chat_model(f"{provider}:m", base_url=server.url(provider), key="k", timeout=0.2, retries=0)
        with pytest.raises(ModelError, match="no answer in time"):
            model(HELLO, on_text=print if streamed else None)


@each_provider
def test_a_server_that_is_not_there_is_told(provider: str) -> None:
    with Server(Say("Hi.")) as server:
        url = server.url(provider)
    with pytest.raises(ModelError, match=f"{provider}:m failed"):
        chat_model(f"{provider}:m", base_url=url, key="k", retries=0)(HELLO)


@each_provider
def test_an_answer_that_breaks_off_is_an_error_and_not_repeated(provider: str) -> None:
    heard: list[str] = []
    cut = Say("A long answer that breaks off.", cut=True)
    with Server(cut) as server, pytest.raises(ModelError, match="broke off"):
        chat_model(f"{provider}:m", base_url=server.url(provider), key="k")(HELLO, on_text=heard.append)
    assert heard
    assert len(server.seen) == 1


@each_provider
@pytest.mark.parametrize("body", ["<html>Bad gateway</html>", "", "[]", '"no"', '{"surprise": 1}'])
def test_what_is_no_answer_is_an_error(provider: str, body: str) -> None:
    with Server(Fail(200, body=body)) as server, pytest.raises(ModelError, match=f"{provider}:m failed"):
        chat_model(f"{provider}:m", base_url=server.url(provider), key="k", retries=0)(HELLO)


def test_a_malformed_call_of_geminis_is_asked_for_again() -> None:
    with Server(Call(("look", '{"q": ')), Say("Hi.")) as server:
        assert chat_model("gemini:m", base_url=server.url("gemini"), key="k")(HELLO).text == "Hi."


@each_provider
def test_what_a_listener_raises_is_the_listeners(provider: str) -> None:
    def trip(piece: str) -> None:
        raise KeyError(piece)

    with Server(Say("Hello there.")) as server, pytest.raises(KeyError):
        chat_model(f"{provider}:m", base_url=server.url(provider), key="k")(HELLO, on_text=trip)
    assert len(server.seen) == 1


# Keys


@each_provider
def test_a_key_is_sent_and_never_shown(provider: str, caplog: pytest.LogCaptureFixture) -> None:
    key = "a-key-that-must-stay-hidden"
    caplog.set_level(logging.DEBUG)
    with Server(Fail(401, f"wrong key {key}")) as server:
        model = chat_model(f"{provider}:m", base_url=server.url(provider), key=key)
        with pytest.raises(ModelError) as caught:
            model(HELLO)
    chain = f"{caught.value!r} {caught.value.__cause__!r} {model!r} {model} {vars(model)}"
    assert key in str(server.seen[0].headers)
    assert key not in chain
    assert key not in caplog.text


@pytest.mark.parametrize(
    ("provider", "variable"),
    [("openai", "OPENAI_API_KEY"), ("anthropic", "ANTHROPIC_API_KEY"), ("gemini", "GEMINI_API_KEY")],
)
def test_a_key_comes_from_the_environment(provider: str, variable: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(variable, "key-from-outside")
    with Server(Say("Hi.")) as server:
        chat_model(f"{provider}:m", base_url=server.url(provider))(HELLO)
    assert "key-from-outside" in str(server.seen[0].headers)


@each_provider
def test_a_missing_key_is_told(provider: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GEMINI_API_KEY", "GOOGLE_API_KEY"):
        monkeypatch.delenv(variable, raising=False)
    for variable in ("OPENAI_BASE_URL", "ANTHROPIC_BASE_URL", "GOOGLE_GEMINI_BASE_URL"):
        monkeypatch.delenv(variable, raising=False)
    with pytest.raises(InvalidInput, match="no key for"):
        chat_model(f"{provider}:m")


def test_a_key_in_an_address_is_not_shown() -> None:
    model = chat_model("openai:m", base_url="http://ana:hunter22@127.0.0.1:9/v1", key="k")
    assert "hunter22" not in repr(model)


# What can be asked for


@pytest.mark.parametrize("spec", ["gpt-5", "openai:", "openai: ", "mistral:large", "", 7, None])
def test_an_unknown_model_is_refused(spec: object) -> None:
    with pytest.raises(InvalidInput, match="write 'openai:MODEL', 'anthropic:MODEL' or 'gemini:MODEL'"):
        chat_model(spec)  # type: ignore[arg-type]


@pytest.mark.parametrize("wrong", [{"timeout": 0}, {"timeout": True}, {"retries": -1}, {"retries": 1.5}])
def test_wrong_limits_are_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(InvalidInput, match=next(iter(wrong))):
        chat_model("openai:m", key="k", **wrong)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("provider", "package"), [("openai", "openai"), ("anthropic", "anthropic"), ("gemini", "google")]
)
def test_a_missing_package_is_named(provider: str, package: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    monkeypatch.delitem(sys.modules, f"recollect.chat.{provider}", raising=False)
    with pytest.raises(MissingDependency, match=rf"pip install 'recollect\[{provider}\]'"):
        chat_model(f"{provider}:m", key="k")


# How long to wait


def test_pauses_grow_until_the_last_attempt() -> None:
    pauses: list[float] = []

    def fail(_: object) -> Reply:
        raise Failure("busy", status=503)

    with pytest.raises(ModelError, match="after 4 attempts"):
        with_retries("m", fail, retries=3, sleep=pauses.append)
    assert all(0.8 * usual <= pause <= 1.2 * usual for pause, usual in zip(pauses, (0.5, 1, 2), strict=True))


def test_the_providers_wish_comes_first() -> None:
    pauses: list[float] = []
    outcomes = iter([Failure("busy", status=429, wait=7.5), None])

    def once(_: object) -> Reply:
        if failure := next(outcomes):
            raise failure
        return Reply("Hi.")

    assert with_retries("m", once, retries=1, sleep=pauses.append).text == "Hi."
    assert pauses == [7.5]


@pytest.mark.parametrize(
    ("headers", "wait"),
    [
        ({"Retry-After": "2"}, 2.0),
        ({"retry-after-ms": "1500", "Retry-After": "9"}, 1.5),
        ({"Retry-After": "-3"}, 0.0),
        ({"Retry-After": "soon"}, None),
        ({}, None),
    ],
)
def test_headers_are_read(headers: dict[str, str], wait: float | None) -> None:
    assert asked_wait(headers) == wait


def test_a_date_to_wait_for_is_read() -> None:
    soon = datetime.now(timezone.utc) + timedelta(seconds=30)
    wait = asked_wait({"Retry-After": format_datetime(soon)})
    assert wait is not None
    assert 0 < wait <= 30
