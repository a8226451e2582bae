"""Figures of load as docs/service.md."""

from __future__ import annotations

import os
import platform

PEAK = 16
"""Connections at which the most searches are answered."""
BULK = 100
"""Messages of one add."""
LOAD = os.getloadavg()[0] if hasattr(os, "getloadavg") else 0.0
"""At the start."""

TEXT = """# The service under load

What `make service` measured: one server process and its clients on one machine, over loopback, with {facts:,} facts in
the store. Rounds of what is compared alternate. Only the ratios mean anything elsewhere: {cores} cores were shared with
other work (load average {load:.1f} at the start), which is why the CPU time of the serving process for each request
stands beside them.

| search | rate | ratio |
|---|---|---|
{searches}

Adds, each a request of its own on {clients} connections, or {bulk} messages in a request on two. A ratio is to a commit
for each add, in the same run.

| adds | rate of answers | until all vectors are made | CPU of the server, vectors too |
|---|---|---|---|
{adds}

- **Search** over REST and by the library do the same work: the search and its JSON.
- **Shared commits**: a commit waits for the disk, which took {flush:.1f} ms here. Adds that come while one commit runs
  share the next. That saves the wait and the commit's own work, not the work to take a request, to read a message for
  facts and to embed it. A message with a fact costs about 1.1 ms of CPU for rules, reconciling and rows, the request
  0.3 to 0.4 ms, a commit of its own 1 to 2 ms: on a quick disk sharing that commit cannot make it 3 times as fast.
- **Vectors that follow**: an answer means that words and facts are durable and found. Where a group's vectors would
  hold up other writers for more than 50 ms, they are made just after, up to 256 records behind; `health` counts them,
  and a search makes those of its owner first, so that it misses nothing. So `minilm`, whose vectors cost several times
  the rest of an add, answers quickly in a burst, and no more quickly than it embeds when a burst does not end: that is
  the middle column. With `quick` vectors never follow.
- **Overload**: twenty times the clients that the server can bear. Who is refused gets 503 or 429 with `Retry-After`,
  before a route is looked for or a body is read, and waits as long as it says.

Python {python}.
"""


def page(
    search: dict[str, float],
    adds: dict[str, dict[str, float]],
    flood: dict[str, float],
    *,
    flush: float,
    facts: int,
    clients: int,
) -> str:
    """The page of docs that shows it."""
    told = {"flush": flush, "facts": facts, "clients": clients, "bulk": BULK, "load": LOAD}
    tables = {"searches": "\n".join(search_rows(search, flood)), "adds": "\n".join(add_rows(adds))}
    return TEXT.format(**told, **tables, cores=os.cpu_count(), python=platform.python_version())


def search_rows(search: dict[str, float], flood: dict[str, float]) -> list[str]:
    """Search against the library, and under too much load."""
    rest = f"{search['ratio']:.0%} of the library, {search['cpu_ratio']:.0%} by CPU time"
    goodput = f"{flood['ratio']:.0%} of peak, {flood['cpu_ratio']:.0%} by CPU time"
    rows = [
        ("the library in one process", search["library"], ""),
        ("REST", search["rest"], rest),
        (f"at peak, {PEAK} clients", flood["peak"], ""),
        (f"at {PEAK * 20} clients", flood["goodput"], goodput),
        ("refused meanwhile", flood["refused"], f"within {flood['refusal_ms']:.0f} ms (median)"),
    ]
    return [f"| {what} | {rate:,.0f}/s | {ratio} |" for what, rate, ratio in rows]


def add_rows(adds: dict[str, dict[str, float]]) -> list[str]:
    """Each way to add, against a commit for each."""
    ways = {"single": "a commit each", "group": "shared commits", "bulk": f"{BULK} in a request and a commit"}
    return [add_row(f"{told}: {named}", found, way) for told, found in adds.items() for way, named in ways.items()]


def add_row(what: str, found: dict[str, float], way: str) -> str:
    """Rates and CPU time of one way, with what they are of a commit for each."""
    rate, settled, cpu = (found[f"{kind}_{way}"] for kind in ("rate", "settled", "cpu"))
    if way == "single":
        return f"| {what} | {rate:,.0f}/s | {settled:,.0f}/s | {cpu:.2f} ms |"
    gains = rate / found["rate_single"], settled / found["settled_single"], found["cpu_single"] / cpu
    shown = [f"{value} ({gain:.1f} ×)" for value, gain in zip(named(rate, settled, cpu), gains, strict=True)]
    return f"| {what} | {' | '.join(shown)} |"


def named(rate: float, settled: float, cpu: float) -> tuple[str, str, str]:
    return f"{rate:,.0f}/s", f"{settled:,.0f}/s", f"{cpu:.2f} ms"
