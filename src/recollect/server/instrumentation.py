"""What operators may watch: counters for Prometheus, and OpenTelemetry spans where opentelemetry-api is installed."""

from __future__ import annotations

import os
import time
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, TypeVar

from recollect.server.problems import status_of

try:
    from opentelemetry import trace
except ImportError:  # Optional: pip install 'recollect[otel]'
    trace = None  # type: ignore[assignment]

Result = TypeVar("Result")

BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)


class Metrics:
    """How often each verb was asked for, how it ended and how long it took. Used by the loop's thread alone."""

    def __init__(self) -> None:
        self.requests: Counter[tuple[str, int]] = Counter()
        self.refusals: Counter[int] = Counter()
        self.buckets: Counter[tuple[str, int]] = Counter()
        self.seconds: Counter[str] = Counter()

    def refused(self, status: int) -> None:
        """Count a request that was turned away before any verb was looked for."""
        self.refusals[status] += 1

    @contextmanager
    def timed(self, verb: str) -> Iterator[None]:
        """Count one request and the time it takes."""
        began, status = time.perf_counter(), 200
        try:
            yield
        except Exception as error:
            status = status_of(error)
            raise
        finally:
            took = time.perf_counter() - began
            self.requests[verb, status] += 1
            self.buckets[verb, bisect_left(BUCKETS, took)] += 1
            self.seconds[verb] += took  # type: ignore[assignment]

    def page(self, counters: Mapping[str, int], gauges: Mapping[str, int]) -> str:
        """All counters as Prometheus reads them."""
        lines = [
            "# HELP recollect_requests_total Requests by verb and status.",
            "# TYPE recollect_requests_total counter",
            *(
                f'recollect_requests_total{{verb="{verb}",status="{status}"}} {count}'
                for (verb, status), count in sorted(self.requests.items())
            ),
            "# HELP recollect_refused_total Requests turned away at the gate, by status.",
            "# TYPE recollect_refused_total counter",
            *(f'recollect_refused_total{{status="{one}"}} {many}' for one, many in sorted(self.refusals.items())),
            "# HELP recollect_request_seconds Time of a request.",
            "# TYPE recollect_request_seconds histogram",
            *(line for verb in sorted(self.seconds) for line in self.histogram(verb)),
        ]
        for kind, values in (("counter", counters), ("gauge", gauges)):
            for name, value in values.items():
                lines += [f"# TYPE recollect_{name} {kind}", f"recollect_{name} {value}"]
        return "\n".join(lines) + "\n"

    def histogram(self, verb: str) -> Iterator[str]:
        total = 0
        for place, edge in enumerate((*BUCKETS, "+Inf")):
            total += self.buckets[verb, place]
            yield f'recollect_request_seconds_bucket{{verb="{verb}",le="{edge}"}} {total}'
        yield f'recollect_request_seconds_sum{{verb="{verb}"}} {self.seconds[verb]:.6f}'
        yield f'recollect_request_seconds_count{{verb="{verb}"}} {total}'


OPERATIONS = {
    **dict.fromkeys(("add", "remember", "notes.write", "import"), "upsert_memory"),
    **dict.fromkeys(("correct", "pin", "unpin", "undo"), "update_memory"),
    **dict.fromkeys(("forget", "erase", "notes.delete"), "delete_memory"),
    **dict.fromkeys(("search", "recall", "context", "facts"), "search_memory"),
}
"""What the conventions for GenAI memory call these verbs."""
CAPTURE = "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT"


class Span:
    """What a span is told; content only where the operator asked for it."""

    def __init__(self, span: Any = None) -> None:
        self.span = span

    def gave(self, result: Result) -> Result:
        """Note how many records came back, and which."""
        if self.span is not None:
            if isinstance(items := getattr(result, "items", None), list):
                self.span.set_attribute("gen_ai.memory.record.count", len(items))
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
