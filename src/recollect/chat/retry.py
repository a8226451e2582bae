"""Asking again after a failure that may pass: a few times, with growing pauses, and as late as the provider asks."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from datetime import datetime, timezone
from email.utils import parsedate_to_datetime
from typing import Any

from recollect.chat.types import OnText, Reply
from recollect.errors import ModelError

LONGEST_PAUSE = 60.0
"""A provider that asks for a longer pause is out of reach for now: the caller should know at once."""


class Failure(Exception):
    """A call that failed: whether asking again may help, and how long to wait before."""

    def __init__(self, problem: str, *, status: int | None = None, again: bool = False, wait: float | None = None):
        super().__init__(problem)
        self.again = again or status in (408, 409, 425, 429) or (status is not None and status >= 500)
        self.status, self.wait = status, wait


class Interrupted(BaseException):
    """What the caller's own code raised while the answer came in; no client may take it for a failure."""

    def __init__(self, error: Exception) -> None:
        self.error = error


class Listener:
    """Passes text on, and knows whether any was."""

    def __init__(self, on_text: OnText) -> None:
        self.on_text, self.spoken = on_text, False

    def __call__(self, piece: str) -> None:
        self.spoken = True
        try:
            self.on_text(piece)
        except Exception as error:
            raise Interrupted(error) from error


def with_retries(
    name: str,
    ask: Callable[[OnText | None], Reply],
    *,
    on_text: OnText | None = None,
    retries: int = 2,
    hide: Callable[[str], str] = str,
    sleep: Callable[[float], None] = time.sleep,
) -> Reply:
    """The reply, asked for at most `retries` times more. Text that was passed on cannot be taken back, so an answer
    that breaks off in the middle is not asked for again. `hide` takes keys out of what is told."""
    listener = None if on_text is None else Listener(on_text)
    for attempt in range(retries + 1):
        try:
            return ask(listener)
        except Interrupted as stopped:
            raise stopped.error from None
        except Failure as failure:
            pause = failure.wait if failure.wait is not None else 0.5 * 2**attempt * random.uniform(0.8, 1.2)
            spoken = listener is not None and listener.spoken
            if spoken or not failure.again or attempt == retries or pause > LONGEST_PAUSE:
                problem, cause = problem_of(name, failure, attempt + 1), failure.__cause__
                told = cause is not None and hide(str(cause)) == str(cause)
                raise ModelError(hide(problem)) from (cause if told else None)
        sleep(pause)
    raise AssertionError("the last attempt returns or raises")


def problem_of(name: str, failure: Failure, attempts: int) -> str:
    """What happened, how often it was tried, and when to try again."""
    status = f" ({failure.status})" if failure.status else ""
    tried = f" after {attempts} attempts" if attempts > 1 else ""
    later = f"; it asks to wait {failure.wait:.0f} seconds" if failure.wait else ""
    return f"{name} failed{status}{tried}: {failure}{later}"


@contextmanager
def failures(client: Any) -> Iterator[None]:
    """Turns what OpenAI's or Anthropic's package raises into a Failure; both name their errors alike."""
    try:
        yield
    except client.APIStatusError as error:
        problem = message_in(error.body) or error.message
        raise Failure(problem, status=error.status_code, wait=asked_wait(error.response.headers)) from error
    except client.APITimeoutError as error:
        raise Failure("no answer in time", again=True) from error
    except client.APIConnectionError as error:
        raise Failure(f"no connection: {error.__cause__ or error}", again=True) from error
    except Failure:
        raise
    except Exception as error:
        raise unforeseen(error) from error


def unforeseen(error: Exception) -> Failure:
    """A failure of any other kind; a broken connection is one of those that may pass."""
    broken = type(error).__module__.startswith(("httpx", "httpcore"))
    late = broken and "Timeout" in type(error).__name__
    return Failure("no answer in time" if late else f"{type(error).__name__}: {error}", again=broken)


def message_in(body: object) -> str:
    """What an error's body tells people."""
    inner = body.get("error", body) if isinstance(body, Mapping) else None
    return str(inner.get("message") or "") if isinstance(inner, Mapping) else str(inner or "")


def asked_wait(headers: Mapping[str, str]) -> float | None:
    """The seconds a provider's headers ask to wait; None when they do not say."""
    lowered = {key.lower(): value.strip() for key, value in headers.items()}
    try:
        if "retry-after-ms" in lowered:
            return max(0.0, float(lowered["retry-after-ms"]) / 1000)
        return max(0.0, float(lowered["retry-after"])) if "retry-after" in lowered else None
    except ValueError:
        with suppress(TypeError, ValueError):
            moment = parsedate_to_datetime(lowered.get("retry-after", ""))
            moment = moment if moment.tzinfo else moment.replace(tzinfo=timezone.utc)
            return max(0.0, (moment - datetime.now(timezone.utc)).total_seconds())
        return None
