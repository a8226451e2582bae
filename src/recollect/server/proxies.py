"""Who asks, where proxies stand between: what they say counts only where the operator has named them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network

from starlette.types import Scope

from recollect.errors import InvalidInput

Address = IPv4Address | IPv6Address
FORWARDED = (b"forwarded", b"x-forwarded-for")


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
        peer = str((scope.get("client") or ("",))[0])
        if not self.networks or not self.trust(parsed(peer)):
            return peer
        nearest = peer
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
        peer = str((scope.get("client") or ("",))[0])
        told = [value for name, value in scope["headers"] if name == b"x-forwarded-proto"]
        said = told[-1].decode("latin-1").rpartition(",")[2].strip().lower() if told else ""
        believed = said in ("http", "https") and bool(self.networks) and self.trust(parsed(peer))
        return said if believed else str(scope.get("scheme", "http"))


def trusted(proxies: Sequence[str]) -> Proxies:
    """The proxies of these addresses ("10.0.0.7") and networks ("10.0.0.0/8")."""
    try:
        return Proxies(tuple(ip_network(one.strip(), strict=False) for one in proxies))
    except ValueError as error:
        raise InvalidInput(f"a trusted proxy is an address or a network such as 10.0.0.0/8: {error}") from error


def on_the_way(headers: Iterable[tuple[bytes, bytes]]) -> list[str]:
    """The addresses that proxies have noted, the client's first. None where both headers are there: one of them may
    be the client's own."""
    noted = {name: [value.decode("latin-1") for key, value in headers if key == name] for name in FORWARDED}
    standard, usual = noted.values()
    if standard and usual:
        return []
    return [for_of(one) for line in standard for one in line.split(",")] + [
        one for line in usual for one in line.split(",")
    ]


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
