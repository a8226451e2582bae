"""OpenTelemetry spans with the names that its GenAI conventions give memory; none without opentelemetry-api."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

try:
    from opentelemetry import trace
except ImportError:  # Optional: pip install 'recollect[otel]'
    trace = None  # type: ignore[assignment]

Result = TypeVar("Result")

OPERATIONS = {
    "add": "upsert_memory",
    "remember": "upsert_memory",
    "notes.write": "upsert_memory",
    "import": "upsert_memory",
    "correct": "update_memory",
    "pin": "update_memory",
    "unpin": "update_memory",
    "undo": "update_memory",
    "forget": "delete_memory",
    "erase": "delete_memory",
    "notes.delete": "delete_memory",
    "search": "search_memory",
    "recall": "search_memory",
    "context": "search_memory",
    "facts": "search_memory",
}
CAPTURE = "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT"


class Span:
    """What a span is told; content only where the operator asked for it."""

    def __init__(self, span: Any = None) -> None:
        self.span = span

    def gave(self, result: Result) -> Result:
        """Note how many records came back, and which."""
        if self.span is not None:
            if isinstance(result, dict) and isinstance(result.get("items"), list):
                self.span.set_attribute("gen_ai.memory.record.count", len(result["items"]))
            elif isinstance(found := getattr(result, "id", None), str):
                self.span.set_attribute("gen_ai.memory.record.id", found)
        return result

    def asked(self, query: str | None) -> None:
        """Note what was asked, if content may be noted."""
        if query and self.span is not None and os.environ.get(CAPTURE, "").lower() in ("true", "1"):
            self.span.set_attribute("gen_ai.memory.query.text", query)


@contextmanager
def traced(verb: str, owner: str) -> Iterator[Span]:
    """A span around one verb, if it is one that the conventions name."""
    operation = OPERATIONS.get(verb)
    if trace is None or operation is None:
        yield Span()
        return
    named = {"gen_ai.operation.name": operation, "gen_ai.memory.store.id": owner, "recollect.verb": verb}
    with trace.get_tracer("recollect").start_as_current_span(
        operation, attributes=named, record_exception=False
    ) as span:
        try:
            yield Span(span)
        except Exception as error:
            span.set_attribute("error.type", type(error).__name__)
            raise
