"""What every store promises."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from datetime import datetime, timezone

import numpy as np
import pytest

from recollect.errors import InvalidInput, StoreError
from recollect.records import Source
from recollect.stores import Store
from recollect.words import terms

from .samples import T0, change, day, fact, message, note


def found(store: Store, text: str, **more: object) -> list[str]:
    return [match.id for match in store.match_words("ana", terms(text), limit=10, **more)]


def vector(*numbers: float) -> np.ndarray:
    return np.array(numbers, dtype=np.float32)


def test_records_come_back_as_they_were_kept(store: Store) -> None:
    said = message("m1", "naïve\0 日本 👩‍👩‍👧", name="Ana", raw={"role": "user", "content": [{"a": 1.5}]}, learned=None)
    known = fact("f1", since=day(-3), until=day(9), sources=(Source("m1", 'a "quote"'),), why="w", confidence=0.25)
    known = replace(known, pinned=True, confirmations=2, replaces="x", replaced_by="y", disputes="z", retired=day(1))
    written, logged = (
        note("n1", pinned=True, retired=day(2)),
        change("c1", before={"a": [1]}, after={"b": None}, undoes="g0"),
    )
    store.save_messages("ana", [said])
    store.save_facts("ana", [known])
    store.save_notes("ana", [written])
    store.save_changes("ana", [logged])
    assert (store.messages("ana"), store.facts("ana"), store.notes("ana")) == ([said], [known], [written])
    assert store.changes("ana") == [logged]


@pytest.mark.parametrize("year", [1, 1969, 1970, 2026, 9999])
def test_any_year_comes_back(store: Store, year: int) -> None:
    moment = datetime(year, 12, 31, 23, 59, 59, 999999, tzinfo=timezone.utc)
    store.save_facts("ana", [fact("f1", said=moment, learned=moment, since=moment, until=moment)])
    kept = store.facts("ana")[0]
    assert (kept.said, kept.learned, kept.since, kept.until) == (moment,) * 4
    assert store.last_learned("ana") == moment


def test_a_time_without_zone_is_refused(store: Store) -> None:
    with pytest.raises(InvalidInput, match="time zone"):
        store.save_messages("ana", [message("m1", at=datetime(2026, 1, 1))])


def test_messages_keep_their_order(store: Store) -> None:
    store.save_messages("ana", [message("b", at=day(5)), message("a", at=day(1))])
    store.save_messages("ana", [message("c", session="friday", at=day(3))])
    assert [one.id for one in store.messages("ana")] == ["b", "a", "c"]
    assert [one.id for one in store.messages("ana", last=2)] == ["a", "c"]
    assert [one.id for one in store.messages("ana", session="monday", last=1)] == ["a"]
    assert [one.id for one in store.messages("ana", ids=["c", "b", "?"])] == ["b", "c"]
    assert [one.id for one in store.messages("ana", between=(day(1), day(5)))] == ["a", "c"]


def test_a_taken_id_is_refused(store: Store) -> None:
    store.save_messages("ana", [message("m1")])
    for taken in ([message("m0"), message("m1", "other")], [message("m2"), message("m2")]):
        with pytest.raises(InvalidInput, match="id"):
            store.save_messages("ana", taken)
    assert [one.id for one in store.messages("ana")] == ["m1"]
    store.save_messages("bob", [message("m1", owner="bob")])


def test_a_record_of_someone_else_is_refused(store: Store) -> None:
    with pytest.raises(InvalidInput, match="bob"):
        store.save_messages("ana", [message("m1", owner="bob")])


def test_half_a_character_is_refused(store: Store) -> None:
    with pytest.raises(InvalidInput, match="surrogate"):
        store.save_messages("ana", [message("m1", "half \ud83d")])
    assert store.messages("ana") == []


def test_sessions_come_newest_first(store: Store) -> None:
    store.save_messages("ana", [message("1", session="old", at=day(1)), message("2", session="new", at=day(2))])
    store.save_messages("ana", [message("3", session="old", at=day(0))])
    old, new = store.sessions("ana")[::-1]
    assert (new.session, old.session, old.messages, old.first, old.last) == ("new", "old", 2, day(0), day(1))


def test_messages_wait_until_they_are_settled(store: Store) -> None:
    store.save_messages("ana", [message("m1"), message("m2"), message("m3")])
    store.settle("ana", ["m2", "?"])
    assert [one.id for one in store.unsettled("ana", limit=5)] == ["m1", "m3"]
    assert [one.id for one in store.unsettled("ana", limit=1)] == ["m1"]
    store.erase("ana", ["m1"])
    assert [one.id for one in store.unsettled("ana", limit=5)] == ["m3"]


def test_facts_are_narrowed_by_every_condition(store: Store) -> None:
    store.save_facts("ana", [fact("f1", subject="Anna", attribute="home", since=day(1), until=day(5))])
    store.save_facts("ana", [fact("f2", subject="user", attribute="home", said=day(2)), fact("f3", retired=day(1))])

    def ids(**conditions: object) -> list[str]:
        return [one.id for one in store.facts("ana", **conditions)]

    assert ids(subjects=["ANNA"]) == ["f1"]
    assert ids(attributes=["home"]) == ["f1", "f2"]
    assert ids(attributes=["home"], subjects=["user"]) == ["f2"]
    assert ids(subjects=[]) == ids(ids=[]) == []
    assert ids(holding=day(1)) == ["f1", "f2"]
    assert ids(holding=day(5)) == ids(holding=day(0.5)) == ["f2"]
    assert ids(between=(day(1), day(2))) == ["f1"]
    assert ids(between=(day(2), day(3)), ids=["f1", "f2"]) == ["f2"]
    assert ids(last=2) == ["f2", "f3"]


def test_a_saved_fact_replaces_the_one_with_its_id(store: Store) -> None:
    store.save_facts("ana", [fact("f1", "Lives in Lisbon."), fact("f2")])
    store.save_facts("ana", [fact("f1", "Lives in Porto.", until=day(3))])
    assert [one.id for one in store.facts("ana")] == ["f1", "f2"]
    assert found(store, "porto") == ["f1"]
    assert found(store, "lisbon") == []
    assert found(store, "porto", holding=day(3)) == []


def test_an_id_keeps_its_kind(store: Store) -> None:
    store.save_messages("ana", [message("x")])
    with pytest.raises(InvalidInput, match="message"):
        store.save_facts("ana", [fact("x")])


def test_facts_are_found_by_the_messages_they_quote(store: Store) -> None:
    both = fact("f1", sources=(Source("m1", "a"), Source("m2", "b"), Source("m1", "c")))
    store.save_facts("ana", [both, fact("f2", sources=(Source("m2", "b"),))])
    quoted = store.facts_from("ana", ["m1", "m2", "m3"])
    assert {key: [one.id for one in value] for key, value in quoted.items()} == {"m1": ["f1"], "m2": ["f1", "f2"]}
    store.save_facts("ana", [replace(both, sources=())])
    assert list(store.facts_from("ana", ["m1", "m2"])) == ["m2"]


def test_changes_are_a_log(store: Store) -> None:
    store.save_changes("ana", [change("c1"), change("c2", "f2", at=day(1), group="g2"), change("c3", at=day(2))])
    store.save_changes("ana", [change("c1", why="erased")])

    def ids(**conditions: object) -> list[str]:
        return [one.id for one in store.changes("ana", **conditions)]

    assert ids() == ["c1", "c2", "c3"]
    assert store.changes("ana")[0].why == "erased"
    assert (ids(last=2), ids(ids=["c2"]), ids(record_id="f1")) == (["c2", "c3"], ["c2"], ["c1", "c3"])
    assert (ids(group="g2"), ids(after=T0), ids(after=day(2))) == (["c2"], ["c2", "c3"], [])


def test_notes_come_in_versions(store: Store) -> None:
    store.save_notes("ana", [note("n1", "old words", retired=day(1)), note("n2", "new words", version=2)])
    store.save_notes("ana", [note("n3", path="/other")])
    assert [one.id for one in store.notes("ana", path="/memories/persona.md")] == ["n1", "n2"]
    assert found(store, "words") == ["n2", "n1"]
    assert found(store, "words", holding=T0) == ["n2"]


def test_counts_are_of_one_owner(store: Store) -> None:
    store.save_messages("ana", [message("m1"), message("m2", session="friday")])
    store.save_facts("ana", [fact("f1")])
    store.save_vectors("ana", "toy", {"f1": vector(1, 0)})
    store.save_facts("bob", [fact("f1", owner="bob")])
    counts = store.counts("ana")
    assert (counts.messages, counts.facts, counts.vectors, counts.sessions) == (2, 1, 1, 2)
    assert store.owners() == ["ana", "bob"]
    assert store.counts("nobody").messages == 0


def test_words_find_the_closest_record_first(store: Store) -> None:
    store.save_messages(
        "ana", [message("m1", "The seat by the window, a window seat."), message("m2", "An aisle seat.")]
    )
    store.save_messages("ana", [message("m3", "Nothing of that.")])
    assert found(store, "window seat") == ["m1", "m2"]
    assert found(store, "volcano") == []
    assert store.match_words("ana", [], limit=3) == []
    assert [one.id for one in store.match_words("ana", terms("seat"), limit=1)] == ["m2"]


def test_equal_scores_put_the_newest_first(store: Store) -> None:
    store.save_facts("ana", [fact(f"f{number}") for number in range(9)])
    store.save_vectors("ana", "toy", {f"f{number}": vector(3, 4, number) for number in range(9)})
    store.save_vectors("ana", "toy", {f"f{number}": vector(3, 4, 0) for number in range(9)})
    assert found(store, "window")[:3] == ["f8", "f7", "f6"]
    near = store.match_vector("ana", "toy", vector(1, 1, 0), limit=3)
    assert [one.id for one in near] == ["f8", "f7", "f6"]


@pytest.mark.parametrize(
    "text", ["e\u0301te\u0301", "日本語", "👩‍👩‍👧", "c++", "o'neill", "İstanbul", "straße", "a@b.org"]
)
def test_any_script_is_found(store: Store, text: str) -> None:
    store.save_messages("ana", [message("m1", f"before {text} after"), message("m2", "something else")])
    assert found(store, text)[:1] == ["m1"]


@pytest.mark.parametrize(
    "word", ['"', "'", "*", "NEAR(a b)", "terms:x", "a AND", "1_seat", "", " ", "\0", "%", "x" * 9999]
)
def test_no_query_is_a_syntax_error(store: Store, word: str) -> None:
    store.save_messages("ana", [message("m1")])
    assert store.match_words("ana", [word], limit=5) == []


def test_a_rare_word_counts_about_one(store: Store) -> None:
    store.save_messages("ana", [message(f"m{number}", f"word{number} tea") for number in range(50)])
    rare, common = (store.match_words("ana", terms(word), limit=1)[0].score for word in ("word7", "tea"))
    assert rare == pytest.approx(1, abs=0.2)
    assert common < 0.1


def test_scores_do_not_depend_on_other_owners(store: Store) -> None:
    store.save_messages("ana", [message("m1", "a window seat"), message("m2", "one more seat, please")])
    alone = store.match_words("ana", terms("window seat"), limit=5)
    for number in range(30):
        store.save_messages("bob", [message(f"m{number}", "window window seat", owner="bob")])
    store.save_vectors("bob", "toy", {"m1": vector(1, 0)})
    assert store.match_words("ana", terms("window seat"), limit=5) == alone
    assert store.match_vector("ana", "toy", vector(1, 0), limit=5) == []


def test_other_owner_sees_nothing(store: Store) -> None:
    store.save_messages("ana", [message("m1")])
    store.save_facts("ana", [fact("f1", sources=(Source("m1", "q"),))])
    store.save_changes("ana", [change("c1")])
    for owner in ("bob", "Ana", "ana ", "an", "", "1"):
        assert (store.messages(owner, ids=["m1"]), store.facts(owner, ids=["f1"]), store.changes(owner)) == ([], [], [])
        assert (store.facts_from(owner, ["m1"]), store.sessions(owner), store.last_learned(owner)) == ({}, [], None)
        assert store.match_words(owner, terms("window"), limit=5) == []
        store.erase(owner, ["m1", "f1"])
    assert len(store.messages("ana")) == len(store.facts("ana")) == 1
    assert store.owners() == ["ana"]


def test_vectors_are_ranked_by_cosine(store: Store) -> None:
    store.save_facts("ana", [fact("near"), fact("far"), fact("blank"), fact("none"), fact("gone", until=day(1))])
    rows = {"near": vector(9, 1), "far": vector(-1, 5), "blank": vector(0, 0), "gone": vector(2, 0)}
    store.save_vectors("ana", "toy", rows)
    near = store.match_vector("ana", "toy", vector(0.1, 0), limit=9)
    assert [one.id for one in near] == ["gone", "near", "far"]
    assert near[1].score == pytest.approx(0.9938, abs=0.005)
    assert [one.id for one in store.match_vector("ana", "toy", vector(1, 0), limit=1, holding=day(2))] == ["near"]
    assert (
        store.match_vector("ana", "toy", vector(0, 0), limit=9)
        == store.match_vector("ana", "x", vector(1), limit=9)
        == []
    )


def test_a_new_vector_takes_the_place_of_the_old(store: Store) -> None:
    store.save_facts("ana", [fact("f1"), fact("f2")])
    store.save_vectors("ana", "toy", {"f1": vector(1, 0), "f2": vector(0, 1)})
    assert store.match_vector("ana", "toy", vector(1, 0), limit=1)[0].id == "f1"
    store.save_vectors("ana", "toy", {"f1": vector(0, -1), "f2": vector(1, 0)})
    assert [one.id for one in store.match_vector("ana", "toy", vector(1, 0), limit=9)] == ["f2", "f1"]
    assert store.counts("ana").vectors == 2


@pytest.mark.parametrize("bad", [[np.nan, 1], [np.inf, 0], [1e39, 0], [1, 2, 3], [], [[1, 2]], ["a", "b"], None])
def test_an_unusable_vector_is_refused(store: Store, bad: object) -> None:
    store.save_facts("ana", [fact("f1")])
    store.save_vectors("ana", "toy", {"f1": vector(1, 0)})
    for attempt in (
        lambda: store.save_vectors("ana", "toy", {"f1": bad}),
        lambda: store.match_vector("ana", "toy", bad, limit=1),
    ):
        with pytest.raises(InvalidInput):
            attempt()
    assert store.match_vector("ana", "toy", vector(1, 0), limit=1)[0].score == pytest.approx(1)


def test_a_vector_without_its_record_is_not_kept(store: Store) -> None:
    store.save_facts("ana", [fact("f1")])
    store.save_vectors("ana", "toy", {"erased": vector(1, 0), "f1": vector(1, 0)})
    assert store.counts("ana").vectors == 1
    assert store.check() == []


def test_records_without_vectors_are_named(store: Store) -> None:
    store.save_messages("ana", [message("m1", "hello", name="Bo")])
    store.save_facts("ana", [fact("f1"), fact("f2")])
    store.save_notes("ana", [note("n1", "text", path="/p")])
    store.save_vectors("ana", "toy", {"f1": vector(1, 0)})
    missing = [("m1", "Bo: hello"), ("f2", "Likes window seats."), ("n1", "/p\ntext")]
    assert store.without_vectors("ana", "toy", limit=9) == missing
    assert len(store.without_vectors("ana", "other", limit=9)) == 4
    assert store.without_vectors("ana", "toy", limit=1) == missing[:1]


def test_a_fact_with_new_words_needs_a_new_vector(store: Store) -> None:
    store.save_facts("ana", [fact("f1")])
    store.save_vectors("ana", "toy", {"f1": vector(1, 0)})
    store.match_vector("ana", "toy", vector(1, 0), limit=1)
    store.save_facts("ana", [fact("f1", "Quite other words.")])
    assert store.match_vector("ana", "toy", vector(1, 0), limit=1) == []
    assert store.without_vectors("ana", "toy", limit=1) == [("f1", "Quite other words.")]


def test_an_exception_takes_everything_back(store: Store) -> None:
    def break_off() -> None:
        with store.transaction("ana"):
            store.save_messages("ana", [message("m2", "volcano")])
            with store.transaction("ana"):
                store.save_facts("ana", [fact("f1", "volcano", learned=day(9))])
            assert found(store, "volcano") == ["f1", "m2"]
            assert store.last_learned("ana") == day(9)
            raise ZeroDivisionError

    store.save_messages("ana", [message("m1")])
    with pytest.raises(ZeroDivisionError):
        break_off()
    assert (found(store, "volcano"), store.facts("ana"), store.last_learned("ana")) == ([], [], T0)
    store.save_messages("ana", [message("m2", "island")])
    assert found(store, "island") == ["m2"]
    assert store.check() == []


def test_a_swallowed_exception_still_takes_everything_back(store: Store) -> None:
    def swallow() -> None:
        with store.transaction("ana"):
            store.save_facts("ana", [fact("f1")])
            with suppress(ZeroDivisionError), store.transaction("ana"):
                store.save_facts("ana", [fact("f2")])
                raise ZeroDivisionError

    with pytest.raises(StoreError, match="nothing of it was kept"):
        swallow()
    assert store.facts("ana") == store.owners() == []


def test_a_refused_record_leaves_the_transaction_whole(store: Store) -> None:
    with store.transaction("ana"):
        store.save_facts("ana", [fact("f1")])
        with pytest.raises(InvalidInput):
            store.save_vectors("ana", "toy", {"f1": vector(np.nan)})
    assert [one.id for one in store.facts("ana")] == ["f1"]


def test_time_never_runs_behind_what_was_learned(store: Store) -> None:
    assert store.last_learned("ana") is None
    store.save_messages("ana", [message("m1", at=day(99), learned=day(1))])
    store.save_facts("ana", [fact("f1", retired=day(3), until=day(50))])
    assert store.last_learned("ana") == day(3)
    store.save_changes("ana", [change("c1", at=day(4)), change("c2", at=day(2))])
    assert store.last_learned("ana") == day(4)


def test_erased_records_are_gone_from_every_answer(store: Store) -> None:
    store.save_messages("ana", [message("m1", "volcano trip"), message("m2", "other")])
    quoting = fact("f2", "Went up.", sources=(Source("m1", "volcano"), Source("m2", "other")), replaces="f1")
    store.save_facts("ana", [fact("f1", "Saw a volcano."), quoting])
    store.save_vectors("ana", "toy", {"f1": vector(1, 0), "f2": vector(1, 1)})
    logged = {"text": "Went up.", "sources": [{"message": "m1", "quote": "volcano"}]}
    store.save_changes("ana", [change("c1"), change("c2", "f2", after=logged)])
    found(store, "volcano")
    counts = store.erase("ana", ["m1", "f1", "?"])
    assert (counts.messages, counts.facts, counts.changes, counts.vectors) == (1, 1, 1, 1)
    assert (found(store, "volcano"), [one.id for one in store.messages("ana")]) == ([], ["m2"])
    left = store.facts("ana")[0]
    assert (left.id, left.sources, left.replaces) == ("f2", (Source("m2", "other"),), None)
    assert "volcano" not in str(store.changes("ana"))
    assert [one.id for one in store.match_vector("ana", "toy", vector(1, 0), limit=5)] == ["f2"]
    assert store.check() == []


def test_an_owner_of_whom_nothing_is_left_is_gone(store: Store) -> None:
    store.save_messages("ana", [message("m1")])
    found(store, "window")
    store.erase("ana", ["m1"])
    assert (store.owners(), store.last_learned("ana"), found(store, "window")) == ([], None, [])
    store.save_messages("ana", [message("m2", "a window")])
    assert found(store, "window") == ["m2"]


def test_a_long_text_is_found_by_its_beginning(store: Store) -> None:
    store.save_messages("ana", [message("m1", "volcano " + "lorem ipsum " * 900_000)])
    assert found(store, "volcano") == ["m1"]
    assert len(store.messages("ana")[0].content) > 10_000_000


@pytest.mark.parametrize("limit", [0, -1, 10**9, 10**30])
def test_any_limit_is_understood(store: Store, limit: int) -> None:
    store.save_messages("ana", [message("m1")])
    expected = 1 if limit > 0 else 0
    assert len(store.match_words("ana", terms("window"), limit=limit)) == expected
    assert len(store.messages("ana", last=limit)) == len(store.unsettled("ana", limit=limit)) == expected
    assert len(store.without_vectors("ana", "toy", limit=limit)) == expected


def test_tokens_stay_beside_their_vector(store: Store) -> None:
    store.save_messages("ana", [message("m1"), message("m2")])
    vectors = {"m1": np.ones(4, np.float32), "m2": np.ones(4, np.float32)}
    store.save_vectors("ana", "model", vectors, {"m1": b"words", "m2": b""})
    assert store.tokens("ana", "model", ["m1", "m2", "m3"]) == {"m1": b"words"}
    assert store.tokens("ana", "other", ["m1"]) == store.tokens("bob", "model", ["m1"]) == {}
    store.save_vectors("ana", "model", {"m1": np.ones(4, np.float32)}, {"m1": b"newer"})
    assert store.tokens("ana", "model", ["m1"]) == {"m1": b"newer"}
    store.erase("ana", ["m1"])
    assert store.tokens("ana", "model", ["m1"]) == {}
    assert store.check() == []


def test_a_message_knows_what_was_said_beside_it(store: Store) -> None:
    store.save_messages("ana", [message("m1"), message("m2"), replace(message("m3"), session="other"), message("m4")])
    found = store.beside("ana", ["m1", "m2", "m3", "m4", "m5"])
    assert found == {"m1": (None, "m2"), "m2": ("m1", "m4"), "m3": (None, None), "m4": ("m2", None)}
    assert store.beside("bob", ["m1"]) == {}


def test_a_word_is_as_rare_as_few_records_have_it(store: Store) -> None:
    texts = ["the red kite", "the blue kite", "the green boat", "the boat house"]
    store.save_messages("ana", [replace(message(f"m{place}"), content=text) for place, text in enumerate(texts)])
    rare = store.rarity("ana", ["the", "kite", "house", "never"])
    assert rare["the"] < rare["kite"] < rare["house"] == 1
    assert rare["never"] == 1
    assert store.rarity("nobody", ["kite"]) == {"kite": 1}
