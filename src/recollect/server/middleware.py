"""What stands before every route: Host, Origin, key, size and kind of content. Nothing of a body is read before."""

from __future__ import annotations

import asyncio
import re
import time
from collections import OrderedDict
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from urllib.parse import unquote, urlsplit

from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from recollect import RecollectError
from recollect.errors import InvalidInput
from recollect.server import Limits
from recollect.server.instrumentation import Metrics
from recollect.server.keys import Key, Keys
from recollect.server.problems import Refused, answer_to, busy
from recollect.server.worker_pool import WorkerPool

LOOPBACK = ("127.0.0.1", "localhost", "[::1]")
CONTENT = ("application/json", "application/x-ndjson")
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
HEADERS = [
    (b"content-security-policy", POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"x-frame-options", b"DENY"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"cache-control", b"no-store"),
]
FRESH = 0.2
"""Seconds after which a revoked key is refused at the latest."""
MOST_KNOWN = 1000
HEALTH = ("/health", "/ready")
METRICS = "/metrics"
"""Waits for no worker, and is wanted most when all of them are busy."""
IMPORT = re.compile("/v1/owners/[^/]+/import")
Address = IPv4Address | IPv6Address


class AccessMiddleware:
    """Lets through who has a key, from where a key may be used. The key is left in the scope for what comes after."""

    def __init__(
        self,
        app: ASGIApp,
        keys: Keys,
        limits: Limits,
        pool: WorkerPool,
        metrics: Metrics,
        *,
        hosts: Sequence[str],
        open_paths: Sequence[str],
        proxies: Proxies,
    ) -> None:
        self.app, self.keys, self.limits, self.pool, self.metrics = app, keys, limits, pool, metrics
        self.hosts = frozenset(host.lower() for host in (*LOOPBACK, *hosts))
        self.open_paths, self.proxies = open_paths, proxies
        self.wrong = WrongKeys(limits.failed_keys)
        self.known: dict[str, tuple[Key, float]] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self.app(scope, receive, send)
            return
        try:
            self.check(scope, unique_headers(scope))
        except RecollectError as error:
            refusal = answer_to(error)
            self.metrics.refused(refusal.status_code)
            await refusal(scope, receive, with_headers(send))
            return
        longest = self.limits.moving_seconds if IMPORT.fullmatch(scope["path"]) else self.limits.seconds
        body = BoundedBody(receive, largest(scope, self.limits), self.limits.seconds, longest)
        await self.app(scope, body, with_headers(send))

    def check(self, scope: Scope, headers: dict[bytes, bytes]) -> None:
        """Refuse what may not come in; leave the key and whole path segments in the scope."""
        check_host(headers, self.hosts)
        check_origin(headers)
        scope["scheme"] = self.proxies.scheme_of(scope)
        scope["path"] = segments(scope)
        if not self.is_open(scope["path"]):
            key = scope["recollect.key"] = self.key_of(scope, headers)
            if scope["path"] != METRICS:
                self.pool.refuse_full(key.id)  # before a route is looked for and a body read: this must cost little
            check_content(scope, headers, self.limits)

    def is_open(self, path: str) -> bool:
        """Health, and the files of the page, which hold nothing of anyone."""
        below = any(path.startswith(one) for one in self.open_paths if one.endswith("/") and one != "/")
        return path in HEALTH or path in self.open_paths or below

    def key_of(self, scope: Scope, headers: dict[bytes, bytes]) -> Key:
        """The key that a request carries. A right one always passes, however many wrong ones came from its address."""
        scheme, _, token = headers.get(b"authorization", b"").decode("latin-1").partition(" ")
        key = self.found(token.strip()) if scheme.lower() == "bearer" else None
        if key is not None:
            return key
        if token:
            self.wrong.count(self.proxies.client_of(scope), self.limits.retry_after)
        detail = "send a key that stands as `Authorization: Bearer rk_…`; `recollect keys make` makes one"
        raise Refused(401, "KeyNeeded", detail, {"WWW-Authenticate": 'Bearer realm="recollect"'})

    def found(self, token: str) -> Key | None:
        """The key of a token. One that was found counts for a moment: to look at the file for each request would let
        the threads that work go first each time."""
        kept = self.known.get(token)
        if kept is not None and time.monotonic() < kept[1]:
            return kept[0]
        key = self.keys.find(token)
        self.known.pop(token, None)
        if key is not None:
            if len(self.known) >= MOST_KNOWN:
                self.known.clear()
            self.known[token] = (key, time.monotonic() + FRESH)
        return key


class WrongKeys:
    """How many wrong keys came from each address within the last minute; a bounded table."""

    def __init__(self, most: int, addresses: int = 1024) -> None:
        self.most, self.addresses = most, addresses
        self.seen: OrderedDict[str, list[float]] = OrderedDict()

    def count(self, address: str, after: int) -> None:
        """Count one more, or refuse where there were too many."""
        now, earlier = time.monotonic(), self.seen.pop(address, [])[-self.most :]
        refused = len([moment for moment in earlier if moment > now - 60]) >= self.most
        self.seen[address] = earlier if refused else [*earlier, now]
        while len(self.seen) > self.addresses:
            self.seen.popitem(last=False)
        if refused:
            raise busy("too many wrong keys from this address: wait a minute", after=max(after, 60), status=429)


class BoundedBody:
    """A request's body, up to a size; one that is not there in time, however slowly it comes, is not waited for."""

    def __init__(self, receive: Receive, limit: int, seconds: float, longest: float) -> None:
        self.receive, self.left, self.seconds = receive, limit, seconds
        self.limit, self.complete, self.until = limit, False, time.monotonic() + longest

    async def __call__(self) -> Message:
        message = await (self.receive() if self.complete else self.next_part())
        self.complete = not message.get("more_body", False)
        self.left -= len(message.get("body", b""))
        if self.left < 0:
            # As an HTTPException, which FastAPI does not take for a body that is not JSON.
            raise HTTPException(413, str(too_large(self.limit)))
        return message

    async def next_part(self) -> Message:
        try:
            return await asyncio.wait_for(self.receive(), min(self.seconds, self.until - time.monotonic()))
        except (TimeoutError, asyncio.TimeoutError) as error:
            raise HTTPException(408, "the rest of the body did not come in time: send it again") from error


def with_headers(send: Send) -> Send:
    """`send`, which gives every answer the headers that keep a browser careful."""

    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            present = {name for name, _ in message.get("headers", ())}
            added = [(name, value) for name, value in HEADERS if name not in present]
            message = {**message, "headers": [*message.get("headers", ()), *added]}
        await send(message)

    return sending


def unique_headers(scope: Scope) -> dict[bytes, bytes]:
    """The headers by name. Those that decide about access must not come twice."""
    headers: dict[bytes, bytes] = {}
    for name, value in scope["headers"]:
        if name in headers and name in (b"host", b"origin", b"authorization", b"content-length", b"content-type"):
            raise Refused(400, "BadRequest", f"the header {name.decode('latin-1')} came twice")
        headers[name] = value
    return headers


def check_host(headers: dict[bytes, bytes], hosts: frozenset[str]) -> None:
    """A page elsewhere that lets its own name point here (DNS rebinding) still says its own name."""
    host = headers.get(b"host", b"").decode("latin-1")
    name, _, port = host.rpartition(":")
    if (name if port.isdigit() and name else host).lower() not in hosts:
        detail = f"this service does not answer for the host {host[:100]!r}: `serve --host-name`"
        raise Refused(421, "WrongHost", detail)


def check_origin(headers: dict[bytes, bytes]) -> None:
    """A browser says where a page that asks comes from: only our own may."""
    if b"origin" not in headers:
        return
    with suppress(ValueError):  # of what is no URL
        origin = urlsplit(headers[b"origin"].decode("latin-1").lower())
        if origin.scheme in ("http", "https") and origin.netloc == headers[b"host"].decode("latin-1").lower():
            return
    raise Refused(403, "WrongOrigin", "requests from pages of other sites are refused")


def check_content(scope: Scope, headers: dict[bytes, bytes], limits: Limits) -> None:
    """A body must be JSON, which no form of a foreign page can send, and not too large."""
    size = headers.get(b"content-length", b"0")
    limit = largest(scope, limits)
    if not size.isdigit() or int(size) > limit:
        raise too_large(limit)
    has_body = size != b"0" or b"transfer-encoding" in headers
    kind = headers.get(b"content-type", b"").split(b";")[0].strip().lower().decode("latin-1")
    if has_body and kind not in CONTENT:
        raise Refused(415, "WrongContent", f"send {CONTENT[0]}, not {kind[:60] or 'nothing'!r}")


def largest(scope: Scope, limits: Limits) -> int:
    """How large a body may be: an import of a memory goes into a file, all else is held in memory."""
    return limits.import_bytes if IMPORT.fullmatch(scope["path"]) else limits.body_bytes


def too_large(limit: int) -> Refused:
    return Refused(413, "TooLarge", f"the body has more than {limit:,} bytes: send less at a time")


def segments(scope: Scope) -> str:
    """The path with each segment decoded by itself, so that an escaped slash does not become one; `whole` undoes it."""
    raw = scope.get("raw_path") or scope["path"].encode()
    parts = raw.split(b"?")[0].decode("latin-1").split("/")
    return "/".join(unquote(part, errors="replace").replace("%", "%25").replace("/", "%2F") for part in parts)


def whole(segment: str) -> str:
    """What a segment of the path says."""
    return segment.replace("%2F", "/").replace("%25", "%")


# Who asks, where proxies stand between: what they say counts only where the operator has named them.


@dataclass(frozen=True)
class Proxies:
    """The addresses and networks of the proxies that are believed."""

    networks: tuple[IPv4Network | IPv6Network, ...] = ()

    def trust(self, address: Address | None) -> bool:
        """Whether a proxy of ours has this address."""
        return address is not None and any(
            address in network for network in self.networks if network.version == address.version
        )

    def client_of(self, scope: Scope) -> str:
        """The address that a request comes from: the right-most of those on its way that is none of our proxies."""
        nearest = peer_of(scope)
        if self.trust(parsed(nearest)):
            for told in reversed(on_the_way(scope["headers"])):
                address = parsed(told)
                if address is None:  # hidden or broken: nothing left of it can be believed
                    break
                nearest = str(address)
                if not self.trust(address):
                    break
        return nearest

    def scheme_of(self, scope: Scope) -> str:
        """http or https, as the client sees it."""
        told = values_of(scope["headers"], b"x-forwarded-proto")
        said = told[-1].strip().lower() if told else ""
        believed = said in ("http", "https") and self.trust(parsed(peer_of(scope)))
        return said if believed else str(scope.get("scheme", "http"))


def trusted(proxies: Sequence[str]) -> Proxies:
    """The proxies of these addresses ("10.0.0.7") and networks ("10.0.0.0/8")."""
    try:
        return Proxies(tuple(ip_network(one.strip(), strict=False) for one in proxies))
    except ValueError as error:
        raise InvalidInput(f"a trusted proxy is an address or a network such as 10.0.0.0/8: {error}") from error


def peer_of(scope: Scope) -> str:
    """Who has opened the connection."""
    return str((scope.get("client") or ("",))[0])


def values_of(headers: Iterable[tuple[bytes, bytes]], name: bytes) -> list[str]:
    """The values of a header, each of its lines split at commas."""
    return [value for key, line in headers if key == name for value in line.decode("latin-1").split(",")]


def on_the_way(headers: Sequence[tuple[bytes, bytes]]) -> list[str]:
    """The addresses that proxies have noted, the client's first. None where both headers are there: one of them may
    be the client's own."""
    standard, usual = values_of(headers, b"forwarded"), values_of(headers, b"x-forwarded-for")
    return [] if standard and usual else [*map(for_of, standard), *usual]


def for_of(element: str) -> str:
    """`for=` of one element of a Forwarded header: `for="[2001:db8::1]:4711";proto=https` -> `[2001:db8::1]:4711`."""
    pairs = [pair.partition("=") for pair in element.split(";")]
    return next((value.strip().strip('"') for name, _, value in pairs if name.strip().lower() == "for"), "")


def parsed(told: str) -> Address | None:
    """An address, with or without a port; None for what is none."""
    told = told.strip()
    if told.startswith("["):
        told = told[1:].partition("]")[0]
    elif told.count(":") == 1:
        told = told.partition(":")[0]
    try:
        address = ip_address(told)
    except ValueError:
        return None
    return (address.ipv4_mapped or address) if isinstance(address, IPv6Address) else address
