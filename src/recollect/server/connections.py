"""Open connections: a request's head must come in time, its answer be taken in time, and there are never more than the
process has room for."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from uvicorn.protocols.http.auto import AutoHTTPProtocol

from recollect.server.limits import Limits

try:
    import resource
except ImportError:  # Windows, where sockets are no file handles
    resource = None  # type: ignore[assignment]

OTHER_FILES = 128
"""File handles that are left for the store, for answers from files and for connections that are just being accepted."""
FEWEST = 16

if TYPE_CHECKING:
    Base = asyncio.Protocol
else:
    Base = AutoHTTPProtocol


class Open:
    """The connections of one server on which no request is under way, the one that is so for longest first."""

    def __init__(self, limits: Limits) -> None:
        self.head_seconds, self.idle_seconds = limits.head_seconds, limits.idle_seconds
        self.most = room_for(limits.connections)
        self.idle: dict[Timed, None] = {}

    def make_room(self, newest: Timed, many: int) -> None:
        """Close the oldest that are idle while there are too many; the newest itself where all others are at work."""
        too_many = max(0, many - self.most)
        for one in list(self.idle)[:too_many] or [newest][:too_many]:
            self.idle.pop(one, None)
            one.transport.abort()


class Timed(Base):
    """The HTTP protocol of uvicorn, which has a time-out between requests, with one for the head of a request too."""

    bounds: Open
    transport: asyncio.Transport
    cycle: Any
    """The newest request, as uvicorn sees it; None before the first."""
    connections: set[Any]
    head_timer: asyncio.TimerHandle | None = None
    write_timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        self.expect_head()
        self.bounds.make_room(self, len(self.connections))
        self.bounds.idle[self] = None

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self.look()
        if self in self.bounds.idle and self.head_timer is None:
            self.expect_head()

    def on_response_complete(self) -> None:
        super().on_response_complete()  # type: ignore[misc]
        self.look()

    def pause_writing(self) -> None:
        """Close this connection unless what was answered is taken in time: who reads nothing holds it for ever."""
        super().pause_writing()
        self.write_timer = asyncio.get_running_loop().call_later(self.bounds.idle_seconds, self.transport.abort)

    def resume_writing(self) -> None:
        super().resume_writing()
        if self.write_timer is not None:
            self.write_timer.cancel()

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self.bounds.idle.pop(self, None)
        self.stop_timer()
        if self.write_timer is not None:
            self.write_timer.cancel()

    def look(self) -> None:
        """Note whether a request is under way."""
        if self.cycle is not None and not self.cycle.response_complete:
            self.bounds.idle.pop(self, None)
            self.stop_timer()
        elif not self.transport.is_closing():
            self.bounds.idle.setdefault(self)

    def expect_head(self) -> None:
        """Close this connection unless the head of a request is complete in time, however often a piece of it comes."""
        self.head_timer = asyncio.get_running_loop().call_later(self.bounds.head_seconds, self.transport.abort)

    def stop_timer(self) -> None:
        if self.head_timer is not None:
            self.head_timer.cancel()
            self.head_timer = None


def timed_protocol(limits: Limits) -> type[asyncio.Protocol]:
    """The protocol for one server."""
    return type("TimedProtocol", (Timed,), {"bounds": Open(limits)})


def room_for(wanted: int) -> int:
    """How many connections there may be: no more than there are file handles for."""
    if resource is None:
        return wanted
    handles, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return wanted if handles == resource.RLIM_INFINITY else min(wanted, max(FEWEST, handles - OTHER_FILES))
