"""What a memory promises on any store: two clocks, one value at a time, erased means erased, the same elsewhere."""

from __future__ import annotations

import random
import tempfile
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from itertools import count
from pathlib import Path

from recollect import Clock, Memory
from recollect.errors import StoreError
from recollect.records import Change, Fact, Message
from recollect.store import Store
from recollect.testing.samples import T0, check, day, refused


class Hands:
    """A clock that moves a millisecond at each look, and further when told."""

    def __init__(self) -> None:
        self.begin, self._looks = T0, count(1)

    def __call__(self) -> datetime:
        return self.begin + timedelta(milliseconds=next(self._looks))


def memory_on(store: Store, hands: Hands | None = None) -> Memory:
    return Memory(store, owner="ana", clock=Clock(now=hands or Hands(), randomness=random.Random(7)))


@check()
def both_clocks_can_be_asked(store: Store) -> None:
    hands = Hands()
    memory = memory_on(store, hands)
    memory.remember("home", "Lisbon")
    hands.begin = day(10)
    memory.remember("home", "Porto")
    hands.begin = day(20)
    memory.correct("home", "Braga")
    assert memory.recall("home") == "Braga"
    assert memory.recall("home", at=day(5)) == "Lisbon"
    assert memory.recall("home", known_at=day(15)) == "Porto"
    assert memory.recall("home", at=day(5), known_at=day(25)) == "Lisbon"


@check()
def of_many_writers_to_one_attribute_one_value_stays(store: Store) -> None:
    memory = memory_on(store)

    def write(writer: int) -> None:
        for turn in range(3):
            memory.remember("home", f"City{writer}{turn}")

    with ThreadPoolExecutor(8) as threads:
        list(threads.map(write, range(8)))  # raises what one of them raised
    assert len(memory.facts(attribute="home")) == 1
    assert len(memory.history("home")) == 24
    assert store.check() == []


@check()
def what_was_said_is_found_and_can_be_erased(store: Store) -> None:
    memory = memory_on(store)
    memory.add("I moved to Porto in May. My sister Anna lives in Berlin.", session="monday")
    assert memory.search("where do I live?")[0].text
    assert memory.recall("home", subject="sister Anna") or memory.facts(subject="Anna") or memory.search("Anna")
    memory.erase(subject="Anna")
    assert not [hit for hit in memory.search("Anna Berlin") if "Anna" in hit.text]
    assert store.check() == []


@check()
def a_message_sent_again_has_one_effect(store: Store) -> None:
    memory = memory_on(store)
    said = {"role": "user", "content": "I live in Lisbon.", "id": "m-1"}
    first, second = memory.add([said]), memory.add([said])
    assert (len(first.messages), len(second.messages)) == (1, 1)
    assert len(store.read("ana", Message)) == len(memory.history("home")) == 1
    assert memory.history("home")[0].confirmations == 0


@check()
def an_export_is_the_same_in_another_store(store: Store) -> None:
    memory = memory_on(store)
    memory.add("I live in Lisbon. I like window seats.", session="monday")
    memory.notes.write("/memories/a.md", "one")
    memory.forget("home")
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder, "out.jsonl")
        memory.export_to(out)
        other = Memory(":memory:", owner="ana")
        other.import_from(out)
        back = Path(folder, "back.jsonl")
        other.export_to(back)
        memory.erase(everything=True)
        memory.import_from(back)
        assert store.read("ana", Message) == other.store.read("ana", Message)
        assert store.read("ana", Fact) == other.store.read("ana", Fact)
        assert store.read("ana", Change) == other.store.read("ana", Change)


@check()
def generations_of_vectors_are_kept_apart(store: Store) -> None:
    memory = memory_on(store)
    memory.add("I live in Lisbon.")
    generations = store.counts("ana").models
    (name,) = generations
    ids = [one.id for one in store.read("ana", Message)]
    assert store.vectors("ana", name, [*ids, "?"]).keys() == set(ids)
    kept = store.vectors("ana", name, ids)[ids[0]]
    store.save_vectors("ana", "other", {ids[0]: kept[:8]})
    assert store.counts("ana").models == {**generations, "other": 1}
    assert store.vectors("bob", name, ids) == {}
    assert store.erase("ana", [], model=name).vectors == generations[name]
    assert store.counts("ana").models == {"other": 1}
    assert not store.match_vector("ana", name, kept, limit=3)


@check()
def a_closed_store_is_an_error(store: Store) -> None:
    store.close()
    with refused(StoreError, "closed"):
        store.read("ana", Message)
