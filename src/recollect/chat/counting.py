"""How many tokens a text costs: exact where the encoding is known or the provider is asked, else estimated."""

from __future__ import annotations

from dataclasses import dataclass

from recollect.chat import TIMEOUT, provider_of, split_name
from recollect.errors import InvalidInput, ModelError
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
    if not ask:
        counting = counter(model)
        return TokenCount(counting.count(text), counting.exact, counting.label)
    provider, _ = split_name(model)
    if provider == "openai":
        raise InvalidInput(f"{provider} has no counter to ask: its encodings are counted exactly without (ask=False)")
    asked = provider_of(model, base_url=base_url, key=key, timeout=TIMEOUT, options={})
    try:
        return TokenCount(asked.count(text), True, f"counted by {provider}")
    except Exception as error:
        problem = str(error).replace(asked.key, "[key]") if asked.key else str(error)
        raise ModelError(f"{model} could not count: {redact(problem)[0]}") from None
