"""Load on the service, as ratios within one run on loopback: search against the library, group commit, overload.

    python benchmarks/service.py [--seconds 5] [--write]

The server runs in a process of its own, the clients in this one. Rounds alternate, so that other load on the machine
meets all of them alike; beside the throughput stands the CPU time of the serving process for each request, which other
load does not change.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from service_page import BULK, PEAK, page

from recollect import Memory
from recollect.serialize import to_plain
from recollect.server import Limits
from recollect.server.app import create_app
from recollect.server.http_server import listen, run
from recollect.server.keys import RIGHTS, Keys

PAGE = Path(__file__).parent.parent / "docs" / "service.md"
PLACES = "Lisbon Porto Rome Oslo Bergen Graz Kyoto Quito Lima Turin Ghent Malmo Leeds Basel Cork Split".split()
THINGS = "kettle bicycle camera violin tent notebook drone easel loom kayak lathe anvil sextant astrolabe".split()
WORDS = "copper velvet autumn harbor marble signal ember willow granite meadow canyon lantern saffron cobalt".split()
FACTS = 2_000
CLIENTS = 4
"""Connections that keep one server busy."""
WRITERS = 32
"""Connections on each of which one add follows the other."""


@dataclass
class Tally:
    """What one round of load brought."""

    done: int = 0
    refused: int = 0
    other: int = 0
    seconds: float = 0.0
    cpu: float = 0.0
    settled: float = 0.0
    """Adds a second from the first until the vectors of the last are made."""
    cpu_settled: float = 0.0
    """Milliseconds of the server's CPU time for each of them."""
    waits: list[float] = field(default_factory=list)
    refusals: list[float] = field(default_factory=list)

    def count(self, status: int, took: float) -> None:
        """One more answer."""
        if status == 200:
            self.done += 1
            self.waits.append(took)
        elif status in (429, 503):
            self.refused += 1
            self.refusals.append(took)
        else:
            self.other += 1

    @property
    def rate(self) -> float:
        """Answers a second."""
        return self.done / self.seconds

    @property
    def cpu_each(self) -> float:
        """Milliseconds of the server's CPU time for each request that was done."""
        return 1000 * self.cpu / max(1, self.done)


# The server


def serve(folder: Path, group: int, embedder: str) -> None:
    """What runs in the server's process."""
    limits = Limits(group=group, per_key=10_000)
    memory, keys = Memory(folder / "memory.db", embedder=embedder), Keys(folder / "keys")
    token = keys.make("load", ["*"], RIGHTS)[1]
    with listen("127.0.0.1", 0) as listening:
        print(json.dumps({"port": listening.getsockname()[1], "token": token}), flush=True)
        run(create_app(memory, keys, limits=limits), listening, limits=limits)


@dataclass
class Server:
    """A server in a process of its own."""

    process: subprocess.Popen[str]
    port: int
    token: str

    def cpu(self) -> float:
        """CPU seconds that it has used."""
        parts = Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(parts[11]) + int(parts[12])) / os.sysconf("SC_CLK_TCK")

    def request(self, path: str, body: object) -> bytes:
        """One request, ready to be sent."""
        content = json.dumps(body).encode()
        head = (
            f"POST /v1/owners/ana/{path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {self.token}\r\n"
            f"Content-Type: application/json\r\nContent-Length: {len(content)}\r\n\r\n"
        )
        return head.encode() + content

    def vectors_waiting(self) -> int:
        """How many vectors are still to be made of what was added."""
        asked = urllib.request.Request(f"http://127.0.0.1:{self.port}/metrics")
        asked.add_header("Authorization", f"Bearer {self.token}")
        with urllib.request.urlopen(asked) as told:
            lines = told.read().decode().splitlines()
        return int(next(line.split()[1] for line in lines if line.startswith("recollect_vectors_waiting ")))


@contextmanager
def serving(folder: Path, group: int = 64, embedder: str = "minilm") -> Iterator[Server]:
    command = [sys.executable, __file__, "--serve", str(folder), "--group", str(group), "--embedder", embedder]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        said = json.loads(process.stdout.readline())
        server = Server(process, said["port"], said["token"])
        load(server, lambda: server.request("search", {"query": "home"}), connections=1, seconds=0.5)
        yield server
    finally:
        process.terminate()
        process.wait()


# The clients


class Round:
    """One round of load: it is counted from when all are connected and have warmed up until its end."""

    def __init__(self, server: Server, make: Callable[[], bytes], connections: int, seconds: float) -> None:
        self.server, self.make, self.connections, self.seconds = server, make, connections, seconds
        self.tally = Tally()
        self.began = self.until = 0.0

    async def run(self) -> None:
        """Connect all, warm up, ask until the end."""
        ends = [await asyncio.open_connection("127.0.0.1", self.server.port) for _ in range(self.connections)]
        warm = min(1.0, self.seconds / 4)
        self.began = time.perf_counter() + warm
        self.until = self.began + self.seconds
        asking = [asyncio.ensure_future(self.ask(reader, writer)) for reader, writer in ends]
        await asyncio.sleep(warm)
        cpu = self.server.cpu()
        await asyncio.sleep(self.until - time.perf_counter())
        self.tally.seconds, self.tally.cpu = time.perf_counter() - self.began, self.server.cpu() - cpu
        await asyncio.gather(*asking)

    async def ask(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Ask, wait for the answer, ask again; who is refused waits as long as told."""
        while (began := time.perf_counter()) < self.until:
            writer.write(self.make())
            status, retry = await answer(reader)
            now = time.perf_counter()
            if self.began <= now < self.until:
                self.tally.count(status, now - began)
            if retry:
                await asyncio.sleep(max(0.0, min(retry * random.uniform(0.5, 1.5), self.until - now)))
        writer.close()


async def answer(reader: asyncio.StreamReader) -> tuple[int, float]:
    """The status of an answer, and how long to wait; its body is read to the end."""
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").lower()
    size = int(head.split("content-length: ")[1].split("\r\n")[0])
    retry = float(head.split("retry-after: ")[1].split("\r\n")[0]) if "retry-after: " in head else 0.0
    await reader.readexactly(size)
    return int(head.split(" ")[1]), retry


def load(server: Server, make: Callable[[], bytes], *, connections: int, seconds: float) -> Tally:
    """So many connections for so long."""
    made = Round(server, make, connections, seconds)
    asyncio.run(made.run())
    return made.tally


# What is asked and told


def sentence(random_: random.Random) -> str:
    """Something that is one fact."""
    what = f"{random_.choice(WORDS)} {random_.choice(THINGS)} {random_.randrange(10**6)}"
    return f"My {what} is {random_.choice(PLACES)} {random_.randrange(10**6)}."


def talk(random_: random.Random) -> str:
    """Something that states no fact, as most of what is said."""
    return f"Could you look at item {random_.randrange(10**6)} again, please?"


def question(random_: random.Random) -> str:
    return f"where is my {random_.choice(WORDS)} {random_.choice(THINGS)} kept?"


def fill(folder: Path) -> None:
    """A store with some thousands of facts."""
    random_ = random.Random(7)
    with Memory(folder / "memory.db", owner="ana") as memory:
        for start in range(0, FACTS, 250):
            memory.add([sentence(random_) for _ in range(250)], session=f"s{start}")


# The three measurements

EMBEDDERS = ("quick", "minilm")
TALK, FACT = "messages without facts", "messages with a fact each"


def asking(server: Server, seed: int) -> Callable[[], bytes]:
    """Makes searches."""
    random_ = random.Random(seed)
    return lambda: server.request("search", {"query": question(random_)})


def telling(server: Server, told: Callable[[random.Random], str], many: int = 1) -> Callable[[], bytes]:
    """Makes adds of one message, or of many."""
    random_ = random.Random(3)
    if many == 1:
        return lambda: server.request("add", {"said": told(random_)})
    return lambda: server.request("add", {"said": [told(random_) for _ in range(many)]})


def add_load(server: Server, make: Callable[[], bytes], *, connections: int, seconds: float, many: int = 1) -> Tally:
    """A load of adds, `many` in each, and the wait for all their vectors, which takes nothing of another round."""
    began, cpu, sent = time.perf_counter(), server.cpu(), [0]

    def counted() -> bytes:
        sent[0] += many
        return make()

    tally = load(server, counted, connections=connections, seconds=seconds)
    tally.done *= many
    while server.vectors_waiting():
        time.sleep(0.05)
    tally.settled = sent[0] / (time.perf_counter() - began)
    tally.cpu_settled = 1000 * (server.cpu() - cpu) / sent[0]
    return tally


def search_ratio(folder: Path, seconds: float, rounds: int) -> dict[str, float]:
    """Search over REST against the library in this process, doing the same work: search and JSON."""
    memory, random_ = Memory(folder / "memory.db", owner="ana"), random.Random(1)
    direct: list[Tally] = []
    served: list[Tally] = []
    with serving(folder) as server:
        for _ in range(rounds):
            direct.append(called(lambda: json.dumps(to_plain(memory.search(question(random_)))), seconds))
            served.append(load(server, asking(server, 1), connections=CLIENTS, seconds=seconds))
    memory.close()
    library, rest = middle(direct, "rate"), middle(served, "rate")
    cpu = middle(direct, "cpu_each") / middle(served, "cpu_each")
    return {"library": library, "rest": rest, "ratio": rest / library, "cpu_ratio": cpu, "p99": p99(served)}


def called(work: Callable[[], object], seconds: float) -> Tally:
    """The same in this process, without a service."""
    tally, began, cpu = Tally(), time.perf_counter(), time.process_time()
    while time.perf_counter() - began < seconds:
        work()
        tally.done += 1
    tally.seconds, tally.cpu = time.perf_counter() - began, time.process_time() - cpu
    return tally


def add_ratios(folder: Path, seconds: float, rounds: int) -> dict[str, dict[str, float]]:
    """Adds with one commit each, with shared commits, and many in one request, for talk and for facts."""
    return {
        f"{name}, {embedder}": add_ratio(folder / name / embedder, told, seconds, rounds, embedder)
        for embedder in EMBEDDERS
        for name, told in ((TALK, talk), (FACT, sentence))
    }


def add_ratio(
    folder: Path, told: Callable[[random.Random], str], seconds: float, rounds: int, embedder: str
) -> dict[str, float]:
    """Three servers, each on a store of its own, in turn."""
    found: dict[str, list[Tally]] = {"single": [], "group": [], "bulk": []}
    for name in found:
        (folder / name).mkdir(parents=True)
    with (
        serving(folder / "single", 1, embedder) as single,
        serving(folder / "group", embedder=embedder) as group,
        serving(folder / "bulk", embedder=embedder) as bulk,
    ):
        for _ in range(rounds):
            found["single"].append(add_load(single, telling(single, told), connections=WRITERS, seconds=seconds))
            found["group"].append(add_load(group, telling(group, told), connections=WRITERS, seconds=seconds))
            many = telling(bulk, told, BULK)
            found["bulk"].append(add_load(bulk, many, connections=2, seconds=seconds, many=BULK))
    kinds = {"rate": "rate", "settled": "settled", "cpu": "cpu_settled"}
    return {
        f"{kind}_{name}": middle(tallies, which) for kind, which in kinds.items() for name, tallies in found.items()
    }


def overload(folder: Path, seconds: float, rounds: int) -> dict[str, float]:
    """Search at the load that the server can just bear, and at twenty times as many clients."""
    peaks: list[Tally] = []
    floods: list[Tally] = []
    with serving(folder) as server:
        for _ in range(rounds):
            peaks.append(load(server, asking(server, 5), connections=PEAK, seconds=seconds))
            floods.append(load(server, asking(server, 6), connections=PEAK * 20, seconds=seconds))
    refusals = sorted(wait for flood in floods for wait in flood.refusals)
    return {
        "peak": middle(peaks, "rate"),
        "goodput": middle(floods, "rate"),
        "ratio": middle(floods, "rate") / middle(peaks, "rate"),
        "cpu_ratio": middle(peaks, "cpu_each") / middle(floods, "cpu_each"),
        "refused": statistics.median(flood.refused / flood.seconds for flood in floods),
        "refusal_ms": 1000 * statistics.median(refusals) if refusals else 0.0,
        "p99": p99(floods),
        "other": sum(flood.other for flood in floods),
    }


def middle(tallies: list[Tally], name: str) -> float:
    return statistics.median(getattr(tally, name) for tally in tallies)


def p99(tallies: list[Tally]) -> float:
    """Milliseconds within which 99 of 100 answers came."""
    waits = sorted(wait for tally in tallies for wait in tally.waits)
    return 1000 * waits[int(len(waits) * 0.99)] if waits else 0.0


def flush_cost(folder: Path) -> float:
    """Milliseconds that the disk takes to keep 4 KiB for good."""
    took = []
    with (folder / "flush").open("wb") as file:
        for _ in range(50):
            file.write(b"x" * 4096)
            file.flush()
            began = time.perf_counter()
            os.fsync(file.fileno())
            took.append(time.perf_counter() - began)
    return 1000 * statistics.median(took)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=4.0)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--write", action="store_true", help="write docs/service.md")
    parser.add_argument("--serve", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--group", type=int, default=64, help=argparse.SUPPRESS)
    parser.add_argument("--embedder", default="minilm", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.serve:
        serve(given.serve, given.group, given.embedder)
        return
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        fill(folder)
        search = search_ratio(folder, given.seconds, given.rounds)
        flood = overload(folder, given.seconds, given.rounds)
        adds = add_ratios(folder, given.seconds, given.rounds)
        text = page(search, adds, flood, flush=flush_cost(Path(scratch)), facts=FACTS, clients=WRITERS)
    print(text)
    print(json.dumps({"search": search, "add": adds, "overload": flood}, indent=1))
    if given.write:
        PAGE.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
