"""How many tokens a text costs: exact where the encoding is known or the provider is asked, else estimated."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import Any

from recollect.chat import TIMEOUT, parts_of
from recollect.chat.retry import failures, unforeseen
from recollect.errors import InvalidInput, MissingDependency, ModelError
from recollect.text.redact import redact
from recollect.text.tokens import counter


@dataclass(frozen=True, slots=True)
class TokenCount:
    """A number of tokens, and how it came about."""

    tokens: int
    exact: bool
    how: str
    """Such as "o200k, exact", "claude: estimated with o200k", "counted by anthropic"."""


def count_tokens(
    text: str, model: str = "o200k", *, ask: bool = False, base_url: str | None = None, key: str | None = None
) -> TokenCount:
    """The tokens of a text for a model or an encoding, with no network.

    `ask`: have the provider count, for "anthropic:MODEL" and "gemini:MODEL", which sends the text there.
    """
    if not isinstance(text, str):
        raise InvalidInput(f"tokens are counted of a text, not of {text!r:.80}")
    if ask:
        return asked_count(text, model, base_url, key)
    counting = counter(model)
    return TokenCount(counting.count(text), counting.exact, counting.label)


def asked_count(text: str, model: str, base_url: str | None, key: str | None) -> TokenCount:
    """What the provider itself counts."""
    provider, name = parts_of(model)
    if provider not in COUNTERS:
        raise InvalidInput(f"{provider} has no counter to ask: its encodings are counted exactly without (ask=False)")
    try:
        module = import_module(f"recollect.chat.{provider}")
    except ImportError as error:
        raise MissingDependency(
            f"{model!r} needs another package ({error.name}): pip install 'recollect[{provider}]'"
        ) from error
    speaking = module.Speaking(name, base_url=base_url, key=key, timeout=TIMEOUT, options={})
    try:
        tokens = COUNTERS[provider](speaking, text)
    except Exception as error:
        problem = str(error).replace(speaking.key, "[key]") if speaking.key else str(error)
        raise ModelError(f"{model} could not count: {redact(problem)[0]}") from None
    return TokenCount(int(tokens), True, f"counted by {provider}")


def by_anthropic(speaking: Any, text: str) -> int:
    with failures(import_module("anthropic")):
        counted = speaking.client.messages.count_tokens(
            model=speaking.model, messages=[{"role": "user", "content": text}]
        )
    return int(counted.input_tokens)


def by_gemini(speaking: Any, text: str) -> int:
    try:
        return int(speaking.client.models.count_tokens(model=speaking.model, contents=text).total_tokens)
    except Exception as error:
        raise unforeseen(error) from error


COUNTERS = {"anthropic": by_anthropic, "gemini": by_gemini}
