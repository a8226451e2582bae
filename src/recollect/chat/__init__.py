"""Ask a model: OpenAI and whatever speaks like it, Anthropic, Gemini, or any function."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from types import MappingProxyType
from typing import Any

from recollect.chat.provider import Provider
from recollect.chat.retry import with_retries
from recollect.chat.run_sync import waited
from recollect.chat.types import ChatModel, OnText, Reply, Request, ToolCall, Usage
from recollect.errors import InvalidInput, MissingDependency, ModelError, RecollectError
from recollect.records import Tool
from recollect.text.message_formats import shortened
from recollect.text.redact import redact

__all__ = ["ChatModel", "OnText", "Reply", "Tool", "ToolCall", "Usage", "chat_model"]

PROVIDERS = {"openai": "OpenAI", "anthropic": "Anthropic", "gemini": "Gemini"}
"""The module of each, and its class."""
TIMEOUT = 60.0


def chat_model(
    spec: str | Callable[..., Any] | ChatModel,
    *,
    base_url: str | None = None,
    key: str | None = None,
    timeout: float = TIMEOUT,
    retries: int = 2,
    options: Mapping[str, Any] | None = None,
) -> ChatModel:
    """The model of that name ("openai:MODEL", "anthropic:MODEL", "gemini:MODEL"), or one made of a function.

    `key` is taken from the provider's environment variable when it is not given. `timeout` is in seconds, for each
    attempt; `retries` are made on 408, 429, 5xx and broken connections. `options` go into every request as they are,
    such as {"temperature": 0}. A function takes messages, and as keywords those of `system`, `tools`, `schema` and
    `on_text` that it names; it gives a text or a Reply, and may be asynchronous.
    """
    if isinstance(spec, Model):
        return spec
    if callable(spec):
        return Model(getattr(spec, "name", getattr(spec, "__name__", type(spec).__name__)), Function(spec), retries=0)
    if isinstance(timeout, bool) or not isinstance(timeout, int | float) or not timeout > 0:
        raise InvalidInput(f"timeout must be a number of seconds above 0, not {timeout!r}")
    if isinstance(retries, bool) or not isinstance(retries, int) or retries < 0:
        raise InvalidInput(f"retries must be a whole number of 0 or more, not {retries!r}")
    provider = provider_of(spec, base_url=base_url, key=key, timeout=timeout, options=dict(options or {}))
    return Model(spec, provider, retries=retries, base_url=base_url)


def provider_of(spec: str, **connection: Any) -> Provider:
    """The provider that a name begins with, ready to be asked."""
    provider, name = split_name(spec)
    try:
        module = import_module(f"recollect.chat.{provider}")
    except ImportError as error:
        raise MissingDependency(
            f"{spec!r} needs another package ({error.name}): pip install 'recollect[{provider}]'"
        ) from error
    made: Provider = getattr(module, PROVIDERS[provider])(name, **connection)
    return made


def split_name(spec: object) -> tuple[str, str]:
    """Provider and model of a name."""
    provider, _, name = spec.partition(":") if isinstance(spec, str) else ("", "", "")
    if provider not in PROVIDERS or not name.strip():
        raise InvalidInput(
            f"unknown chat model {shortened(spec)}: write 'openai:MODEL', 'anthropic:MODEL' or 'gemini:MODEL' "
            "(with base_url= for any other server that speaks like one of them), or pass a function"
        )
    return provider, name


class Model:
    """A chat model by its name."""

    def __init__(self, name: str, provider: Provider | Function, *, retries: int, base_url: str | None = None) -> None:
        self.name = name
        self._provider, self._retries, self._base_url = provider, retries, base_url

    def __call__(
        self,
        messages: Sequence[Mapping[str, Any]],
        *,
        system: str | Sequence[str] = "",
        tools: Sequence[Tool] = (),
        schema: Mapping[str, Any] | None = None,
        on_text: OnText | None = None,
    ) -> Reply:
        """The answer to these messages."""
        if isinstance(messages, str):
            messages = [{"role": "user", "content": messages}]
        parts = (system,) if isinstance(system, str) else tuple(system)
        request = Request(tuple(messages), tuple(part for part in parts if part), tuple(tools), schema)
        say = None if on_text is None else lambda piece: waited(on_text(piece))
        return with_retries(
            self.name,
            lambda listener: self._provider.ask(request, listener),
            on_text=say,
            retries=self._retries,
            hide=self._hide,
        )

    def _hide(self, text: str) -> str:
        """The text without the key, which a server may have sent back. A short one guards nothing, and would be found
        in any text."""
        key = self._provider.key
        return redact(text.replace(key, "[key]") if len(key) >= 8 else text)[0]

    def __repr__(self) -> str:
        where = f", base_url={redact(self._base_url)[0]!r}" if self._base_url else ""
        return f"chat_model({self.name!r}{where})"


class Function:
    """A model that is a function of the user's own."""

    key = ""

    def __init__(self, function: Callable[..., Any]) -> None:
        self.function = function
        self.takes = {"system", "tools", "schema", "on_text"}
        try:
            parameters = inspect.signature(function).parameters
        except (TypeError, ValueError):
            parameters = MappingProxyType({})
        if not any(one.kind is one.VAR_KEYWORD for one in parameters.values()):
            self.takes &= set(parameters)

    def ask(self, request: Request, on_text: OnText | None) -> Reply:
        offered = {
            "system": "\n\n".join(request.system),
            "tools": request.tools,
            "schema": request.schema,
            "on_text": on_text,
        }
        given = {name: value for name, value in offered.items() if name in self.takes}
        spoken = [{"role": "system", "content": offered["system"]}] if request.system else []
        messages = list(request.messages) if "system" in given else [*spoken, *request.messages]
        try:
            answer = waited(self.function(messages, **given))
        except RecollectError:
            raise
        except Exception as error:
            raise ModelError(f"the chat model failed: {type(error).__name__}: {error}") from error
        reply = Reply(answer) if isinstance(answer, str) else answer
        if not isinstance(reply, Reply):
            raise ModelError(f"the chat model gave {shortened(answer)}: it must give a text or a Reply")
        if on_text is not None and "on_text" not in given and reply.text:
            on_text(reply.text)
        return reply
