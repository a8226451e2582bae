"""What a store takes back, erases and counts."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace

import numpy as np

from recollect.errors import InvalidInput, StoreError
from recollect.records import Change, Doubt, Fact, Message, Source
from recollect.store import Query, Store
from recollect.testing.samples import T0, change, check, day, fact, found, ids, keep, message, refused, vector
from recollect.text.words import terms


@check()
def an_exception_takes_everything_back(store: Store) -> None:
    def break_off() -> None:
        with store.transaction("ana"):
            store.save("ana", [message("m2", "volcano")])
            with store.transaction("ana"):
                store.save("ana", [fact("f1", "volcano", learned=day(9))])
            assert found(store, "volcano") == ["f1", "m2"]
            assert store.newest("ana").learned == day(9)
            raise ZeroDivisionError

    store.save("ana", [message("m1")])
    with suppress(ZeroDivisionError):
        break_off()
    assert (found(store, "volcano"), store.read("ana", Fact), store.newest("ana").learned) == ([], [], T0)
    store.save("ana", [message("m2", "island")])
    assert found(store, "island") == ["m2"]
    assert store.check() == []


@check()
def a_swallowed_exception_still_takes_everything_back(store: Store) -> None:
    def swallow() -> None:
        with store.transaction("ana"):
            store.save("ana", [fact("f1")])
            with suppress(ZeroDivisionError), store.transaction("ana"):
                store.save("ana", [fact("f2")])
                raise ZeroDivisionError

    with refused(StoreError, match="nothing of it was kept"):
        swallow()
    assert (store.read("ana", Fact), store.owners()) == ([], [])


@check()
def a_refused_record_leaves_the_transaction_whole(store: Store) -> None:
    with store.transaction("ana"):
        store.save("ana", [fact("f1")])
        with refused(InvalidInput):
            store.save_vectors("ana", "toy", {"f1": vector(np.nan)})
    assert ids(store, Fact) == ["f1"]


@check()
def time_never_runs_behind_what_was_learned(store: Store) -> None:
    assert store.newest("ana").learned is None
    keep(store, message("m1", at=day(99), learned=day(1)), fact("f1", retired=day(3), until=day(50)))
    assert store.newest("ana").learned == day(3)
    store.save("ana", [change("c1", at=day(4)), change("c2", at=day(2))])
    assert store.newest("ana").learned == day(4)


@check()
def erased_records_are_gone_from_every_answer(store: Store) -> None:
    store.save("ana", [message("m1", "volcano trip"), message("m2", "other")])
    quoting = fact("f2", "Went up.", sources=(Source("m1", "volcano"), Source("m2", "other")), replaces="f1")
    store.save("ana", [fact("f1", "Saw a volcano."), quoting])
    store.save_vectors("ana", "toy", {"f1": vector(1, 0), "f2": vector(1, 1)})
    logged = {"text": "Went up.", "sources": [{"message": "m1", "quote": "volcano"}]}
    store.save("ana", [change("c1"), change("c2", "f2", after=logged)])
    found(store, "volcano")
    counts = store.erase("ana", ["m1", "f1", "?"])
    assert (counts.messages, counts.facts, counts.changes, counts.vectors) == (1, 1, 1, 1)
    assert (found(store, "volcano"), ids(store, Message)) == ([], ["m2"])
    left = store.read("ana", Fact)[0]
    assert (left.id, left.sources, left.replaces) == ("f2", (Source("m2", "other"),), None)
    assert "volcano" not in str(store.read("ana", Change))
    assert [one.id for one in store.match_vector("ana", "toy", vector(1, 0), limit=5)] == ["f2"]
    assert store.check() == []


@check()
def what_an_erased_message_said_against_a_fact_is_gone(store: Store) -> None:
    doubted = fact("f1", doubted_by=Doubt("m1", "volcano", day(2)))
    store.save("ana", [message("m1", "volcano trip"), message("m2", "other")])
    store.save("ana", [doubted, fact("f2", doubted_by=Doubt("m2", "other", day(2)))])
    assert store.read("ana", Fact, Query(ids=["f1"])) == [doubted]
    store.save("ana", [change("c1", "f1", after={"doubted_by": {"message": "m1", "quote": "volcano"}})])
    store.save("ana", [replace(doubted, doubted_by=None)])
    store.erase("ana", ["m1"])
    assert "volcano" not in str(store.read("ana", Change))
    store.erase("ana", ["m2"])
    assert [one.doubted_by for one in store.read("ana", Fact)] == [None, None]


@check()
def an_owner_of_whom_nothing_is_left_is_gone(store: Store) -> None:
    store.save("ana", [message("m1")])
    found(store, "window")
    store.erase("ana", ["m1"])
    assert (store.owners(), store.newest("ana").learned, found(store, "window")) == ([], None, [])
    store.save("ana", [message("m2", "a window")])
    assert found(store, "window") == ["m2"]


@check(*[0, -1, 10**9, 10**30])
def any_limit_is_understood(store: Store, limit: int) -> None:
    store.save("ana", [message("m1")])
    expected = 1 if limit > 0 else 0
    assert len(store.match_words("ana", terms("window"), limit=limit)) == expected
    assert len(ids(store, Message, last=limit)) == len(ids(store, Message, waiting=True, first=limit)) == expected
    assert len(store.without_vectors("ana", "toy", limit=limit)) == expected
