"""What a store keeps comes back as it was, in its order, to its owner."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timezone
from functools import partial

from recollect.errors import InvalidInput
from recollect.records import Change, Fact, Message, Note, SessionInfo, Source
from recollect.store import KeptAnswer, LogEntry, Query, Store, facts_from
from recollect.testing.samples import T0, change, check, day, fact, found, ids, keep, message, note, refused, vector
from recollect.text.words import terms


@check()
def records_come_back_as_they_were_kept(store: Store) -> None:
    said = message("m1", "naïve\0 日本 👩‍👩‍👧", name="Ana", raw={"role": "user", "content": [{"a": 1.5}]}, learned=None)
    known = fact("f1", since=day(-3), until=day(9), sources=(Source("m1", 'a "quote"'),), why="w", confidence=0.25)
    known = replace(known, pinned=True, confirmations=2, replaces="x", replaced_by="y", disputes="z", retired=day(1))
    written = note("n1", pinned=True, retired=day(2))
    logged = change("c1", before={"a": [1]}, after={"b": None}, undoes="g0")
    for record in (said, known, written, logged):
        store.save("ana", [record])
    for record in (said, known, written, logged):
        assert store.read("ana", type(record)) == [record]


@check(*[1, 1969, 1970, 2026, 9999])
def any_year_comes_back(store: Store, year: int) -> None:
    moment = datetime(year, 12, 31, 23, 59, 59, 999999, tzinfo=timezone.utc)
    store.save("ana", [fact("f1", said=moment, learned=moment, since=moment, until=moment)])
    kept = store.read("ana", Fact)[0]
    assert (kept.said, kept.learned, kept.since, kept.until) == (moment,) * 4
    assert store.newest("ana").learned == moment


@check()
def a_time_without_zone_is_refused(store: Store) -> None:
    with refused(InvalidInput, match="time zone"):
        store.save("ana", [message("m1", at=datetime(2026, 1, 1))])


@check()
def messages_keep_their_order(store: Store) -> None:
    keep(store, [message("b", at=day(5)), message("a", at=day(1))], message("c", session="friday", at=day(3)))
    assert ids(store, Message) == ["b", "a", "c"]
    assert ids(store, Message, last=2) == ["a", "c"]
    assert ids(store, Message, session="monday", last=1) == ["a"]
    assert ids(store, Message, ids=["c", "b", "?"]) == ["b", "c"]
    assert ids(store, Message, between=(day(1), day(5))) == ["a", "c"]
    assert ids(store, Message, before=(day(3), "c"), last=1) == ["a"]
    assert ids(store, Message, session="monday", before=(day(1), "a")) == ["b"]
    assert ids(store, Message, before=(day(2), "gone")) == ["b", "a"]


@check()
def a_taken_id_is_refused(store: Store) -> None:
    store.save("ana", [message("m1")])
    for taken in ([message("m0"), message("m1", "other")], [message("m2"), message("m2")]):
        with refused(InvalidInput, match="id"):
            store.save("ana", taken)
    assert ids(store, Message) == ["m1"]
    store.save("bob", [message("m1", owner="bob")])


@check()
def a_record_of_someone_else_is_refused(store: Store) -> None:
    with refused(InvalidInput, match="bob"):
        store.save("ana", [message("m1", owner="bob")])


@check()
def half_a_character_is_refused(store: Store) -> None:
    with refused(InvalidInput, match="surrogate"):
        store.save("ana", [message("m1", "half \ud83d")])
    assert store.read("ana", Message) == []


@check()
def sessions_come_newest_first(store: Store) -> None:
    store.save("ana", [message("1", session="old", at=day(1)), message("2", session="new", at=day(2))])
    store.save("ana", [message("3", session="old", at=day(0))])
    old, new = store.read("ana", SessionInfo)[::-1]
    assert (new.session, old.session, old.messages, old.first, old.last) == ("new", "old", 2, day(0), day(1))


@check()
def messages_wait_until_they_are_settled(store: Store) -> None:
    store.save("ana", [message("m1"), message("m2"), message("m3")])
    store.settle("ana", ["m2", "?"])
    assert ids(store, Message, waiting=True, first=5) == ["m1", "m3"]
    assert ids(store, Message, waiting=True, first=1) == ["m1"]
    store.erase("ana", ["m1"])
    assert ids(store, Message, waiting=True, first=5) == ["m3"]


@check()
def messages_that_fail_too_often_are_left_unread(store: Store) -> None:
    store.save("ana", [message("m1"), message("m2")])
    with store.transaction("ana"):
        store.save("ana", [message("m3")])
        store.settle("ana", [], failed=["m3", "?"])
    store.settle("ana", [], failed=["m1", "m3"])
    store.settle("ana", [], failed=["m1", "m3"])
    assert ids(store, Message, waiting=True, first=5) == ["m1", "m2"]
    store.settle("ana", [], failed=["m1"])
    assert ids(store, Message, waiting=True, first=5) == ["m2"]
    assert ids(store, Message, waiting=False, first=5) == ["m1", "m3"]
    store.settle("ana", ["m1"])
    store.erase("ana", ["m3"])
    assert store.read("ana", Message, Query(waiting=False, first=5)) == []


@check()
def facts_are_narrowed_by_every_condition(store: Store) -> None:
    store.save("ana", [fact("f1", subject="Anna", attribute="home", since=day(1), until=day(5))])
    store.save("ana", [fact("f2", subject="user", attribute="home", said=day(2)), fact("f3", retired=day(1))])
    assert ids(store, Fact, subjects=["ANNA"]) == ["f1"]
    assert ids(store, Fact, attributes=["home"]) == ["f1", "f2"]
    assert ids(store, Fact, attributes=["home"], subjects=["user"]) == ["f2"]
    assert ids(store, Fact, subjects=[]) == ids(store, Fact, ids=[]) == []
    assert ids(store, Fact, holding=day(1)) == ["f1", "f2"]
    assert ids(store, Fact, holding=day(5)) == ids(store, Fact, holding=day(0.5)) == ["f2"]
    assert ids(store, Fact, between=(day(1), day(2))) == ["f1"]
    assert ids(store, Fact, between=(day(2), day(3)), ids=["f1", "f2"]) == ["f2"]
    assert ids(store, Fact, last=2) == ["f2", "f3"]


@check()
def a_saved_fact_replaces_the_one_with_its_id(store: Store) -> None:
    keep(store, [fact("f1", "Lives in Lisbon."), fact("f2")], fact("f1", "Lives in Porto.", until=day(3)))
    assert ids(store, Fact) == ["f1", "f2"]
    assert found(store, "porto") == ["f1"]
    assert found(store, "lisbon") == []
    assert found(store, "porto", holding=day(3)) == []


@check()
def an_id_keeps_its_kind(store: Store) -> None:
    store.save("ana", [message("x")])
    with refused(InvalidInput, match="message"):
        store.save("ana", [fact("x")])


@check()
def facts_are_found_by_the_messages_they_quote(store: Store) -> None:
    both = fact("f1", sources=(Source("m1", "a"), Source("m2", "b"), Source("m1", "c")))
    store.save("ana", [both, fact("f2", sources=(Source("m2", "b"),))])
    quoted = facts_from(store, "ana", ["m1", "m2", "m3"])
    assert {key: [one.id for one in value] for key, value in quoted.items()} == {"m1": ["f1"], "m2": ["f1", "f2"]}
    store.save("ana", [replace(both, sources=())])
    assert list(facts_from(store, "ana", ["m1", "m2"])) == ["m2"]


@check()
def facts_are_found_by_all_of_their_words(store: Store) -> None:
    store.save("ana", [message("m1", "A window seat.")])
    store.save("ana", [fact("f1", "Prefers window seats."), fact("f2", "Has a seat."), fact("f3", 'A "c++" job.')])
    store.save("bob", [fact("f9", "Prefers window seats.", owner="bob")])
    told = {"seat": ["f1", "f2"], "window seat": ["f1"], "seat volcano": [], "": [], "c++": ["f3"]}
    for text, expected in told.items():
        assert ids(store, Fact, words=terms(text), last=9) == expected
    assert ids(store, Fact, words=terms("seat"), last=1) == ["f2"]
    assert ids(store, Fact, words=terms("seat"), last=0) == ids(store, Fact, words=['"', "*"], last=9) == []
    with store.transaction("ana"):
        store.save("ana", [fact("f2", "Has a desk."), fact("f4", "Books a seat.")])
        assert ids(store, Fact, words=terms("seat"), last=9) == ["f1", "f4"]
        assert ids(store, Fact, words=terms("desk"), last=9) == ["f2"]
    store.erase("ana", ["f4"])
    assert ids(store, Fact, words=terms("seat"), last=9) == ["f1"]
    assert store.read("nobody", Fact, Query(words=terms("seat"), last=9)) == []


@check()
def facts_are_found_by_their_neighbours_in_time(store: Store) -> None:
    told = {"f1": day(9), "f2": day(3), "f3": None, "f4": day(6), "gone": day(5)}
    facts = [fact(one, subject="Ana", attribute="home", said=day(1), since=since) for one, since in told.items()]
    store.save("ana", [*facts[:-1], replace(facts[-1], retired=day(8))])
    store.save("ana", [fact("f8", subject="Ana", attribute="job"), fact("f9", subject="Bo", attribute="home")])

    def around(number: int, last: int = 9, owner: str = "ana") -> list[str]:
        query = Query(subjects=["ANA"], attributes=["home"], around=day(number), last=last)
        return [one.id for one in store.read(owner, Fact, query)]

    assert (around(4), around(4, 1)) == (["f1", "f2", "f3", "f4"], ["f2", "f4"])
    assert (around(3, 1), around(20, 1), around(1, 1)) == (["f2", "f4"], ["f1"], ["f2", "f3"])
    assert around(4, 0) == around(4, owner="bob") == []


@check()
def changes_are_a_log(store: Store) -> None:
    store.save("ana", [change("c1"), change("c2", "f2", at=day(1), group="g2"), change("c3", at=day(2))])
    store.save("ana", [change("c1", why="erased")])
    assert ids(store, Change) == ["c1", "c2", "c3"]
    assert store.read("ana", Change)[0].why == "erased"
    assert ids(store, Change, last=2) == ["c2", "c3"]
    assert ids(store, Change, ids=["c2"]) == ids(store, Change, group="g2") == ["c2"]
    assert ids(store, Change, records=["f2", "?"]) == ["c2"]
    assert ids(store, Change, records=["f1"]) == ["c1", "c3"]
    assert ids(store, Change, after=T0) == ["c2", "c3"]
    assert ids(store, Change, after=day(2)) == ids(store, Change, records=[]) == []
    assert ids(store, Change, records=["f1", "f2"], after=day(1)) == ["c3"]
    assert ids(store, Change, before=(day(2), "c3")) == ids(store, Change, before=(day(2), "erased")) == ["c1", "c2"]
    assert ids(store, Change, before=(day(1), "c2"), last=1) == ["c1"]
    assert ids(store, Change, before=(day(9), "erased")) == ["c1", "c2", "c3"]


@check()
def notes_come_in_versions(store: Store) -> None:
    store.save("ana", [note("n1", "old words", retired=day(1)), note("n2", "new words", version=2)])
    store.save("ana", [note("n3", path="/other")])
    assert ids(store, Note, path="/memories/persona.md") == ["n1", "n2"]
    assert found(store, "words") == ["n2", "n1"]
    assert found(store, "words", holding=T0) == ["n2"]


@check()
def notes_are_found_by_folder_and_by_pin(store: Store) -> None:
    paths = ["/memories/a", "/memories/a/b", "/memories/a/b/c", "/memories/ab", "/memories/a0"]
    notes = [note(f"n{place}", "words", path=path, pinned=place in (1, 3)) for place, path in enumerate(paths, 1)]
    store.save("ana", [*notes[:2], replace(notes[2], retired=day(1)), *notes[3:]])
    assert ids(store, Note, under="/memories/a") == ["n2", "n3"]
    assert ids(store, Note, under="/memories/a", current=True) == ["n2"]
    assert ids(store, Note, pinned=True) == ["n1", "n3"]
    assert ids(store, Note, pinned=True, current=True) == ["n1"]


@check()
def disputed_and_unconfirmed_facts_are_found_apart(store: Store) -> None:
    told = {"f1": "user", "f2": "tool", "f3": "tool", "f4": "import", "f5": "document", "f6": "operator"}
    facts = {name: fact(name, owner="ana", origin=origin) for name, origin in told.items()}
    facts["f3"] = replace(facts["f3"], disputes="f1")
    facts["f4"] = replace(facts["f4"], confirmations=1)
    facts["f5"] = replace(facts["f5"], until=day(1))
    keep(store, list(facts.values()), [fact("f1", owner="bob", origin="tool"), fact("f2", owner="bob", disputes="f1")])
    assert ids(store, Fact, disputed=True) == ["f3"]
    assert ids(store, Fact, unconfirmed=True) == ["f2", "f5"]
    assert ids(store, Fact, unconfirmed=True, holding=day(2)) == ["f2"]
    assert store.read("ana", Fact, Query(ids=["f1"], disputed=True)) == []
    assert (store.counts("ana", holding=day(2)).holding, store.counts("ana", holding=day(0)).holding) == (5, 6)
    assert store.counts("nobody", holding=day(0)).holding == 0


@check()
def the_newest_facts_come_in_pages(store: Store) -> None:
    store.save("ana", [fact(f"f{number}") for number in range(5)])
    pages = [ids(store, Fact, last=2, skip=skip) for skip in (0, 2, 4, 6)]
    assert pages == [["f3", "f4"], ["f1", "f2"], ["f0"], []]
    assert ids(store, Fact, subjects=["user"], last=1, skip=1) == ["f3"]


@check()
def the_latest_facts_come_in_pages(store: Store) -> None:
    said = {"f1": day(3), "f2": day(1), "f3": day(2), "f4": day(2), "f5": day(2), "f6": day(9)}
    facts = [fact(name, said=moment, learned=day(10)) for name, moment in said.items()]
    facts[3] = replace(facts[3], learned=day(11), subject="Anna", category="people")
    keep(store, [*facts[:5], replace(facts[5], until=day(4))], fact("f7", owner="bob"))
    pages, before = [], None
    while page := store.read("ana", Fact, Query(latest=True, last=2, before=before)):
        pages.append([one.id for one in page])
        before = (page[-1].said, page[-1].learned, page[-1].id)
    assert pages == [["f6", "f1"], ["f4", "f5"], ["f3", "f2"]]
    latest = partial(ids, store, Fact, latest=True, last=9)
    assert latest(holding=day(5)) == latest(before=(day(9), day(10), "f6")) == ["f1", "f4", "f5", "f3", "f2"]
    assert latest(subjects=["anna"]) == latest(category="people") == ["f4"]
    assert latest(learned_by=day(10), attributes=["seat"]) == [one for one in latest() if one != "f4"]
    assert ids(store, Fact, latest=True, last=0) == []
    assert store.read("nobody", Fact, Query(latest=True, last=9)) == []


@check()
def names_are_found_by_value_and_by_relation(store: Store) -> None:
    told = [("f1", "sister", "Anna"), ("f2", "sister", "Berta Lind"), ("f3", "likes", "Anna"), ("f4", "sister", "Anna")]
    facts = [fact(name, attribute=key, value=value, said=day(int(name[1]))) for name, key, value in told]
    store.save("ana", [*facts[:3], replace(facts[3], until=day(5))])
    store.save("bob", [fact("f1", owner="bob", attribute="sister", value="Anna")])

    called = partial(ids, store, Fact, named=True, holding=day(6), last=9)
    assert called(values=("anna",)) == ["f1"]
    assert called(values=("ANNA", "berta lind", "?")) == ["f1", "f2"]
    assert called(values=("Berta",)) == []
    sisters = partial(ids, store, Fact, latest=True, named=True, subjects=["user"], attributes=["sister"])
    assert sisters(last=2) == ["f4", "f2"]
    assert sisters(holding=day(6), before=(day(2), T0, "f2")) == ["f1"]
    assert ids(store, Fact, latest=True, last=9, named=True, attributes=["likes"]) == []


@check()
def counts_are_of_one_owner(store: Store) -> None:
    keep(store, [message("m1"), message("m2", session="friday")], fact("f1"))
    store.save_vectors("ana", "toy", {"f1": vector(1, 0)})
    store.save("bob", [fact("f1", owner="bob")])
    counts = store.counts("ana")
    assert (counts.messages, counts.facts, counts.vectors, counts.sessions) == (2, 1, 1, 2)
    assert store.owners() == ["ana", "bob"]
    assert store.counts("nobody").messages == 0


@check()
def other_owner_sees_nothing(store: Store) -> None:
    keep(store, message("m1"), fact("f1", sources=(Source("m1", "q"),)), change("c1"))
    for owner in ("bob", "Ana", "ana ", "an", "", "1"):
        for kind, record_ids in ((Message, ["m1"]), (Fact, ["f1"]), (Change, None), (SessionInfo, None)):
            assert store.read(owner, kind, Query(ids=record_ids)) == []
        assert (facts_from(store, owner, ["m1"]), store.newest(owner).learned) == ({}, None)
        assert store.match_words(owner, terms("window"), limit=5) == []
        store.erase(owner, ["m1", "f1"])
    assert len(store.read("ana", Message)) == len(store.read("ana", Fact)) == 1
    assert store.owners() == ["ana"]


@check()
def the_log_goes_on_after_any_of_its_changes(store: Store) -> None:
    keep(store, [change(f"c{one}", at=day(one // 3)) for one in range(6)], change("b1", owner="bob"))

    def entries(position: int | datetime, first: int = 9, owner: str = "ana") -> list[tuple[int, str]]:
        log = store.read(owner, LogEntry, Query(position=position, first=first))
        return [(place, entry.id) for place, entry in log]

    whole = entries(0)
    places = [place for place, _ in whole]
    assert [name for _, name in whole] == [f"c{one}" for one in range(6)]
    assert places == sorted(set(places))
    assert (entries(places[3]), entries(places[0], 2), entries(day(1), 1)) == (whole[4:], whole[1:3], whole[3:4])
    assert entries(2**62) == entries(0, owner="eva") == []
    assert (store.newest("ana").position, store.newest("eva").position) == (places[-1], 0)


@check()
def the_end_of_the_log_is_known_inside_a_transaction(store: Store) -> None:
    with store.transaction("ana"):
        before = store.newest("ana").position
        store.save("ana", [change("c1"), change("c2")])
        told = store.read("ana", LogEntry, Query(position=before, first=9))
        assert [one.id for _, one in told] == ["c1", "c2"]
        assert store.newest("ana").position == told[-1][0]
    store.check(quick=True)


def answers(store: Store, owner: str, key: str) -> list[KeptAnswer]:
    return store.read(owner, KeptAnswer, Query(ids=[key]))


@check()
def an_answer_is_kept_for_its_owner_until_something_is_erased(store: Store) -> None:
    first, other = KeptAnswer("k1", "p1", '{"a": "naïve\0"}', "c2 c1", T0), KeptAnswer("k2", "p2", "{}", "", day(2))
    with store.transaction("ana"):
        store.save("ana", [first])
        assert answers(store, "ana", "k1") == [first]
    assert (answers(store, "bob", "k1"), answers(store, "ana", "k2"), store.owners()) == ([], [], [])
    store.save("ana", [other])
    assert (answers(store, "ana", "k1"), answers(store, "ana", "k2")) == ([], [other])
    store.save("ana", [fact("f1")])
    store.save("bob", [replace(first, at=day(2))])
    store.erase("ana", ["f1"])
    assert (answers(store, "ana", "k2"), answers(store, "bob", "k1")) == ([], [replace(first, at=day(2))])


@check()
def an_answer_is_kept_with_what_else_is_written_or_not_at_all(store: Store) -> None:
    with refused(InvalidInput, match="no"), store.transaction("ana"):
        store.save("ana", [KeptAnswer("k1", "p", "{}", "", T0)])
        raise InvalidInput("no")
    assert answers(store, "ana", "k1") == []
