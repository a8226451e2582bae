"""What a store finds by words and by vectors, and what it does not."""

from __future__ import annotations

from typing import Any

import numpy as np

from recollect.errors import InvalidInput
from recollect.records import Message
from recollect.store import Query, Store, neighbours
from recollect.testing.samples import check, day, fact, found, keep, message, note, refused, vector
from recollect.text.words import terms


@check()
def words_find_the_closest_record_first(store: Store) -> None:
    store.save("ana", [message("m1", "The seat by the window, a window seat."), message("m2", "An aisle seat.")])
    store.save("ana", [message("m3", "Nothing of that.")])
    assert found(store, "window seat") == ["m1", "m2"]
    assert found(store, "volcano") == []
    assert store.match_words("ana", [], limit=3) == []
    assert [one.id for one in store.match_words("ana", terms("seat"), limit=1)] == ["m2"]


@check()
def equal_scores_put_the_newest_first(store: Store) -> None:
    store.save("ana", [fact(f"f{number}") for number in range(9)])
    store.save_vectors("ana", "toy", {f"f{number}": vector(3, 4, number) for number in range(9)})
    store.save_vectors("ana", "toy", {f"f{number}": vector(3, 4, 0) for number in range(9)})
    assert found(store, "window")[:3] == ["f8", "f7", "f6"]
    near = store.match_vector("ana", "toy", vector(1, 1, 0), limit=3)
    assert [one.id for one in near] == ["f8", "f7", "f6"]


@check(*["e\u0301te\u0301", "日本語", "👩‍👩‍👧", "c++", "o'neill", "İstanbul", "straße", "a@b.org"])
def any_script_is_found(store: Store, text: str) -> None:
    store.save("ana", [message("m1", f"before {text} after"), message("m2", "something else")])
    assert found(store, text)[:1] == ["m1"]


@check(*['"', "'", "*", "NEAR(a b)", "terms:x", "a AND", "1_seat", "", " ", "\0", "%", "x" * 9999])
def no_query_is_a_syntax_error(store: Store, word: str) -> None:
    store.save("ana", [message("m1")])
    assert store.match_words("ana", [word], limit=5) == []


@check()
def a_rare_word_counts_about_one(store: Store) -> None:
    store.save("ana", [message(f"m{number}", f"word{number} tea") for number in range(50)])
    rare, common = (store.match_words("ana", terms(word), limit=1)[0].score for word in ("word7", "tea"))
    assert abs(rare - 1) <= 0.2
    assert common < 0.1


@check()
def a_session_counts_with_all_that_was_said_in_it(store: Store) -> None:
    trip = [message("m1", "We fly to Lima.", session="trip"), message("m2", "The hotel is booked.", session="trip")]
    store.save("ana", [*trip, message("m3", "Lima beans for dinner.", session="food")])
    store.save("ana", [message("m4", "The gym opens at six.", session="sport")])
    store.save("bob", [message("m5", "A hotel in Lima.", session="work", owner="bob")])
    asked = terms("hotel in Lima")
    found = store.match_words("ana", asked, limit=5, sessions=True)
    assert [one.id for one in found] == ["trip", "food"]
    assert found[0].score > found[1].score > 0
    assert store.match_words("ana", asked, limit=1, sessions=True) == found[:1]
    store.save("dora", [fact("f1", owner="dora")])
    for owner, words in (("ana", terms("volcano")), ("ana", []), ("carl", asked), ("dora", asked)):
        assert store.match_words(owner, words, limit=5, sessions=True) == []
    store.save("ana", [message("m6", "A hotel in Lima, a quiet hotel.", session="sport")])
    assert [one.id for one in store.match_words("ana", asked, limit=1, sessions=True)] == ["sport"]
    store.erase("ana", ["m6"])
    again = {one.id: one.score for one in store.match_words("ana", asked, limit=5, sessions=True)}
    assert list(again) == ["trip", "food"]
    assert all(abs(again[one.id] - one.score) <= 1e-6 for one in found)


@check()
def scores_do_not_depend_on_other_owners(store: Store) -> None:
    store.save("ana", [message("m1", "a window seat"), message("m2", "one more seat, please")])
    alone = store.match_words("ana", terms("window seat"), limit=5)
    for number in range(30):
        store.save("bob", [message(f"m{number}", "window window seat", owner="bob")])
    store.save_vectors("bob", "toy", {"m1": vector(1, 0)})
    assert store.match_words("ana", terms("window seat"), limit=5) == alone
    assert store.match_vector("ana", "toy", vector(1, 0), limit=5) == []


@check()
def vectors_are_ranked_by_cosine(store: Store) -> None:
    store.save("ana", [fact("near"), fact("far"), fact("blank"), fact("none"), fact("gone", until=day(1))])
    rows = {"near": vector(9, 1), "far": vector(-1, 5), "blank": vector(0, 0), "gone": vector(2, 0)}
    store.save_vectors("ana", "toy", rows)
    near = store.match_vector("ana", "toy", vector(0.1, 0), limit=9)
    assert [one.id for one in near] == ["gone", "near", "far"]
    assert abs(near[1].score - 0.9938) <= 0.005
    assert [one.id for one in store.match_vector("ana", "toy", vector(1, 0), limit=1, holding=day(2))] == ["near"]
    assert store.match_vector("ana", "toy", vector(0, 0), limit=9) == []
    assert store.match_vector("ana", "x", vector(1), limit=9) == []


@check()
def a_new_vector_takes_the_place_of_the_old(store: Store) -> None:
    store.save("ana", [fact("f1"), fact("f2")])
    store.save_vectors("ana", "toy", {"f1": vector(1, 0), "f2": vector(0, 1)})
    assert store.match_vector("ana", "toy", vector(1, 0), limit=1)[0].id == "f1"
    store.save_vectors("ana", "toy", {"f1": vector(0, -1), "f2": vector(1, 0)})
    assert [one.id for one in store.match_vector("ana", "toy", vector(1, 0), limit=9)] == ["f2", "f1"]
    assert store.counts("ana").vectors == 2


@check(*[[np.nan, 1], [np.inf, 0], [1e39, 0], [1, 2, 3], [], [[1, 2]], ["a", "b"], None])
def an_unusable_vector_is_refused(store: Store, bad: Any) -> None:
    store.save("ana", [fact("f1")])
    store.save_vectors("ana", "toy", {"f1": vector(1, 0)})
    for attempt in (
        lambda: store.save_vectors("ana", "toy", {"f1": bad}),
        lambda: store.match_vector("ana", "toy", bad, limit=1),
    ):
        with refused(InvalidInput):
            attempt()
    assert abs(store.match_vector("ana", "toy", vector(1, 0), limit=1)[0].score - 1) <= 0.001


@check()
def a_vector_without_its_record_is_not_kept(store: Store) -> None:
    store.save("ana", [fact("f1")])
    store.save_vectors("ana", "toy", {"erased": vector(1, 0), "f1": vector(1, 0)})
    assert store.counts("ana").vectors == 1
    assert store.check() == []


@check()
def records_without_vectors_are_named(store: Store) -> None:
    keep(store, message("m1", "hello", name="Bo"), [fact("f1"), fact("f2")], note("n1", "text", path="/p"))
    store.save_vectors("ana", "toy", {"f1": vector(1, 0)})
    missing = [("m1", "Bo: hello"), ("f2", "Likes window seats."), ("n1", "/p\ntext")]
    assert store.without_vectors("ana", "toy", limit=9) == missing
    assert len(store.without_vectors("ana", "other", limit=9)) == 4
    assert store.without_vectors("ana", "toy", limit=1) == missing[:1]


@check()
def a_fact_with_new_words_needs_a_new_vector(store: Store) -> None:
    store.save("ana", [fact("f1")])
    store.save_vectors("ana", "toy", {"f1": vector(1, 0)})
    store.match_vector("ana", "toy", vector(1, 0), limit=1)
    store.save("ana", [fact("f1", "Quite other words.")])
    assert store.match_vector("ana", "toy", vector(1, 0), limit=1) == []
    assert store.without_vectors("ana", "toy", limit=1) == [("f1", "Quite other words.")]


@check()
def a_long_text_is_found_by_its_beginning(store: Store) -> None:
    store.save("ana", [message("m1", "volcano " + "lorem ipsum " * 900_000)])
    assert found(store, "volcano") == ["m1"]
    assert len(store.read("ana", Message)[0].content) > 10_000_000


@check()
def tokens_stay_beside_their_vector(store: Store) -> None:
    store.save("ana", [message("m1"), message("m2")])
    store.save_vectors("ana", "toy", {"m1": vector(1, 0), "m2": vector(0, 0)}, {"m1": b"wo\0rds", "m2": b""})
    assert store.tokens("ana", "toy", ["m1", "m2", "m3"]) == {"m1": b"wo\0rds"}
    assert store.tokens("ana", "other", ["m1"]) == store.tokens("bob", "toy", ["m1"]) == {}
    store.save_vectors("ana", "toy", {"m1": vector(1, 0), "m2": vector(0, 0)}, {"m1": b"newer", "m2": b"more"})
    assert store.tokens("ana", "toy", ["m1", "m2"]) == {"m1": b"newer", "m2": b"more"}
    store.save_vectors("ana", "toy", {"m2": vector(1, 0)})
    store.erase("ana", ["m1"])
    assert store.tokens("ana", "toy", ["m1", "m2"]) == {}
    assert store.check() == []


@check()
def tokens_go_where_their_vector_goes(store: Store) -> None:
    store.save("ana", [fact("f1"), fact("f2")])
    for model in ("toy", "other"):
        store.save_vectors("ana", model, {"f1": vector(1, 0), "f2": vector(1, 0)}, {"f1": b"one", "f2": b"two"})
    store.save("ana", [fact("f1", "Quite other words.")])
    assert store.tokens("ana", "toy", ["f1", "f2"]) == {"f2": b"two"}
    assert store.erase("ana", [], model="toy").vectors == 1
    assert store.tokens("ana", "toy", ["f1", "f2"]) == {}
    assert store.tokens("ana", "other", ["f1", "f2"]) == {"f2": b"two"}
    assert store.check() == []


@check()
def a_message_knows_what_was_said_beside_it(store: Store) -> None:
    store.save("ana", [message("m1"), message("m2"), message("m3", session="other"), message("m4")])
    ids = ["m1", "m2", "m3", "m4", "m5"]
    beside = neighbours(store.read("ana", Message, Query(beside=ids)), ids)
    assert beside == {"m1": (None, "m2"), "m2": ("m1", "m4"), "m3": (None, None), "m4": ("m2", None)}
    assert store.read("bob", Message, Query(beside=["m1"])) == []


@check()
def a_word_is_as_rare_as_few_records_have_it(store: Store) -> None:
    texts = ["the red kite", "the blue kite", "the green boat", "the boat house"]
    store.save("ana", [message(f"m{place}", text) for place, text in enumerate(texts)])
    rare = store.rarity("ana", ["the", "kite", "house", "never"])
    assert rare["the"] < rare["kite"] < rare["house"]
    assert abs(rare["house"] - 1) <= 1e-6
    assert rare["never"] == 1
    assert store.rarity("nobody", ["kite"]) == {"kite": 1}
