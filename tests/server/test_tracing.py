"""Spans with the names that OpenTelemetry gives memory, seen by its real SDK."""

from __future__ import annotations

import pytest
from opentelemetry import trace
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from tests.server.conftest import Running

SEEN = InMemorySpanExporter()
PROVIDER = TracerProvider()
PROVIDER.add_span_processor(SimpleSpanProcessor(SEEN))


@pytest.fixture(autouse=True)
def seen() -> InMemorySpanExporter:
    if trace.get_tracer_provider() is not PROVIDER:
        trace.set_tracer_provider(PROVIDER)
    SEEN.clear()
    return SEEN


def test_verbs_are_spans_without_content(running: Running, seen: InMemorySpanExporter) -> None:
    with running.client() as client:
        client.post("/v1/owners/ana/add", json={"said": "I live in Porto."})
        client.post("/v1/owners/ana/search", json={"query": "where do I live?"})
        client.post("/v1/owners/ana/forget", json={"what": "nothing"})
    spans = {
        span.name: dict(span.attributes or {}) for span in seen.get_finished_spans() if "gen_ai" in str(span.attributes)
    }
    assert set(spans) == {"upsert_memory", "search_memory", "delete_memory"}
    assert spans["search_memory"]["gen_ai.memory.store.id"] == "ana"
    assert spans["search_memory"]["gen_ai.memory.record.count"] == 1
    assert spans["delete_memory"]["error.type"] == "NotFound"
    assert "Porto" not in str(spans)
    assert "where do I live" not in str(spans)


def test_what_was_asked_is_noted_only_on_demand(
    running: Running, seen: InMemorySpanExporter, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT", "true")
    with running.client() as client:
        client.post("/v1/owners/ana/search", json={"query": "where do I live?"})
    asked = [dict(span.attributes or {}).get("gen_ai.memory.query.text") for span in seen.get_finished_spans()]
    assert "where do I live?" in asked
