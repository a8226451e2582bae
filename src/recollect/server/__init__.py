"""Recollect as a service: REST under /v1, MCP under /mcp, the inspector at /. Needs recollect[server].

Every size, count, queue and wait of a service has a bound: `Limits`."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limits:
    """The bounds of one service."""

    body_bytes: int = 4 * 2**20
    """A request's body, save for an import."""
    import_bytes: int = 2**30
    """The body of an import, which is streamed to a file."""
    workers: int = 2
    """Threads that do the work. Python runs one at a time, but waiting for disk and arithmetic overlap."""
    queue: int = 64
    """Requests that wait for a worker. One more is refused with 503 at once."""
    per_key: int = 48
    """Requests of one key that wait or are worked on. One more is refused with 429 at once."""
    writes: int = 256
    """Adds that wait for the next commit. One more is refused with 503 at once."""
    group: int = 64
    """Adds that share a commit."""
    seconds: float = 30.0
    """How long a request may take until it is answered with 503."""
    moving_seconds: float = 600.0
    """How long an export, an import or a backup may take."""
    connections: int = 1024
    """Open connections, as far as the process has file handles. For one more the longest idle is closed."""
    head_seconds: float = 10.0
    """How long the head of a request may take to come."""
    idle_seconds: int = 30
    """How long a connection may stay open between two requests, or while an answer is not taken."""
    streams: int = 64
    """Listeners to changes."""
    news: int = 1_000
    """Changes that are read at once for a listener, who is told of all."""
    poll: float = 0.5
    """Seconds between two looks for changes that other processes have made."""
    failed_keys: int = 20
    """Wrong keys from one address within a minute, until more wrong ones are refused with 429."""
    retry_after: int = 1
    """Seconds that a refused client is asked to wait."""
    drain: int = 10
    """Seconds for requests to end when the service is stopped."""
