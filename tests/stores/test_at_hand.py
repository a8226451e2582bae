"""Names that a store keeps in memory: never older than what was written, by whomever."""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path

import pytest

from recollect.records import Fact
from recollect.stores.sqlite import SQLiteStore

from .children import in_child
from .samples import T0, fact


def sister(record_id: str, name: str, **fields: object) -> Fact:
    return fact(record_id, f"sister is {name}", attribute="sister", value=name, **fields)


def names(store: SQLiteStore, moment: datetime = T0) -> list[str]:
    return [one.value for one in store.facts("ana", named=True, holding=moment)]


def test_a_name_that_another_process_wrote_is_seen_at_once(path: Path) -> None:
    store = SQLiteStore(path)
    store.save_facts("ana", [sister("f1", "Anna")])
    assert names(store) == ["Anna"]
    in_child(lambda: SQLiteStore(path).save_facts("ana", [sister("f2", "Berta")]))
    assert names(store) == ["Anna", "Berta"]
    in_child(lambda: SQLiteStore(path).erase("ana", ["f1"]))
    assert names(store) == ["Berta"]


def test_a_name_that_was_taken_back_is_not_seen_again(path: Path) -> None:
    store = SQLiteStore(path)
    store.save_facts("ana", [sister("f1", "Anna")])

    def break_off() -> None:
        with store.transaction("ana"):
            store.save_facts("ana", [sister("f2", "Berta")])
            assert names(store) == ["Anna", "Berta"]
            raise KeyError("broken off")

    with pytest.raises(KeyError):
        break_off()
    store.save_facts("ana", [sister("f3", "Clara")])  # has the number of the version that was given up
    assert names(store) == ["Anna", "Clara"]


def test_a_fact_that_no_longer_names_anything_is_seen_as_such(path: Path) -> None:
    store = SQLiteStore(path)
    store.save_facts("ana", [sister("f1", "Anna")])
    assert names(store) == ["Anna"]
    store.save_facts("ana", [fact("f1", "likes Anna", attribute="likes", value="Anna")])
    assert names(store) == []


def test_names_begin_and_end_as_time_passes(path: Path) -> None:
    store, day = SQLiteStore(path), timedelta(days=1)
    store.save_facts("ana", [sister("f1", "Anna", until=T0 + day), sister("f2", "Berta", since=T0 + 2 * day)])
    assert [names(store, T0 + n * day) for n in (0, 1, 2, 0)] == [["Anna"], [], ["Berta"], ["Anna"]]


def test_an_owner_who_was_erased_and_comes_back_has_no_old_names(path: Path) -> None:
    store = SQLiteStore(path)
    store.save_facts("ana", [sister("f1", "Anna")])
    assert names(store) == ["Anna"]
    store.erase("ana", ["f1"])
    store.save_facts("ana", [fact("f2")])
    assert names(store) == []


def test_what_is_given_out_can_be_changed_without_harm(path: Path) -> None:
    store = SQLiteStore(path)
    store.save_facts("ana", [sister("f1", "Anna")])
    store.facts("ana", named=True, holding=T0).clear()
    store.facts("ana", named=True, holding=T0).clear()
    assert names(store) == ["Anna"]
