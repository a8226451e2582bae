"""Everything out and in again."""

from __future__ import annotations

import json
import os
import resource
import signal
import stat
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from recollect import Fact, Memory
from recollect.errors import Interrupted, InvalidInput, NotFound
from recollect.records import Change, Message
from recollect.store.sqlite import SQLiteStore

from .conftest import MONDAY, Hands
from .store.children import Writer, in_child


@pytest.fixture
def full(memory: Memory, hands: Hands) -> Memory:
    memory.add("I live in Lisbon. I'm allergic to nuts and shellfish.", session="monday")
    hands.pass_days(2)
    memory.add("I moved to Porto. My sister Anna lives in Berlin.")
    memory.remember("seat preference", "window", pinned=True)
    memory.notes.write("/memories/persona.md", "Be brief.", pinned=True)
    return memory


def test_an_export_brings_everything_back_with_both_clocks(full: Memory, tmp_path: Path) -> None:
    full.export_to(tmp_path / "all.jsonl")
    with Memory(tmp_path / "other.db", owner="copy", clock=full.clock) as other:
        other.import_from(tmp_path / "all.jsonl")
        assert other.recall("home") == "Porto"
        assert other.recall("home", known_at=MONDAY.replace(hour=23)) == "Lisbon"
        assert [fact.id for fact in other.history("home")] == [fact.id for fact in full.history("home")]
        assert other.notes.read("/memories/persona.md").pinned
        assert len(other.changes()) == len(full.changes())
        assert other.search("Which seat do I prefer?")[0].text == full.search("Which seat do I prefer?")[0].text
        assert other.health().ok


def test_any_text_survives_an_export(memory: Memory, tmp_path: Path) -> None:
    text = "one\u2028two\u2029three\x85four\nfive 🪟 \u202esix"
    memory.add(text)
    memory.export_to(tmp_path / "all.jsonl")
    with Memory(":memory:", owner="copy") as other:
        other.import_from(tmp_path / "all.jsonl")
        assert other.session("default").messages()[0]["content"] == text


def test_importing_twice_changes_nothing(full: Memory, tmp_path: Path) -> None:
    full.export_to(tmp_path / "all.jsonl")
    with Memory(tmp_path / "other.db", owner="copy") as other:
        assert other.import_from(tmp_path / "all.jsonl") > 0
        assert other.import_from(tmp_path / "all.jsonl") == 0


def test_a_broken_import_changes_nothing(full: Memory, tmp_path: Path) -> None:
    full.export_to(tmp_path / "all.jsonl")
    lines = (tmp_path / "all.jsonl").read_text().splitlines()
    for broken in (
        [*lines[:-1], lines[-1][:40]],
        [*lines, '{"kind": "spell", "record": {}}'],
        lines[1:],
        [*lines, "[]"],
    ):
        (tmp_path / "broken.jsonl").write_text("\n".join(broken))
        with Memory(tmp_path / "other.db", owner="copy") as other:
            with pytest.raises(InvalidInput):
                other.import_from(tmp_path / "broken.jsonl", form="jsonl")
            assert other.owners() == []


def changed(path: Path, place: int, line: str) -> Path:
    """The export with another line at this place, beside it."""
    lines = path.read_text().splitlines()
    lines[place] = line
    (path.parent / "changed.jsonl").write_text("\n".join(lines))
    return path.parent / "changed.jsonl"


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ('{"kind": "message", "record": {"id"', "line 3 is not JSON"),
        ("7", "line 3 is not an object"),
        ('{"kind": "spell", "record": {}}', "line 3 needs a kind"),
        ('{"kind": ["message"], "record": {}}', "line 3 needs a kind"),
        ('{"kind": "fact"}', "line 3 needs a kind"),
        ('{"kind": "fact", "record": {"spell": 1}}', "line 3: a fact has no field 'spell'"),
        ('{"kind": "note", "record": {"id": "n"}}', "line 3: not a note"),
        ('{"kind": "note", "record": {}}, {"kind": "note", "record": {}}', "line 3 is not JSON"),
        ('{"kind": "message", "record": {"id": ' + "9" * 5000 + "}}", "line 3"),
        ("[" * 100_000, "line 3 is not JSON"),
    ],
)
def test_a_bad_line_is_named_by_its_number(full: Memory, tmp_path: Path, line: str, said: str) -> None:
    full.export_to(tmp_path / "all.jsonl")
    with Memory(":memory:", owner="copy") as other:
        with pytest.raises(InvalidInput, match=said):
            other.import_from(changed(tmp_path / "all.jsonl", 2, line))
        assert other.owners() == []


def test_a_moment_that_is_none_is_named_by_its_line(full: Memory, tmp_path: Path) -> None:
    full.export_to(tmp_path / "all.jsonl")
    line = json.loads((tmp_path / "all.jsonl").read_text().splitlines()[2])
    for wrong in (None, "yesterday", 7, ["2026-01-01"], "0001-01-01T00:00:00+05:00"):
        line["record"]["at"] = wrong
        with Memory(":memory:", owner="copy") as other, pytest.raises(InvalidInput, match="line 3: not a message"):
            other.import_from(changed(tmp_path / "all.jsonl", 2, json.dumps(line)))


@pytest.mark.parametrize(
    ("field", "wrong"), [("id", None), ("id", 7), ("id", ["m"]), ("content", 5), ("session", 5), ("raw", "{}")]
)
def test_a_value_of_another_type_is_named_by_its_line(full: Memory, tmp_path: Path, field: str, wrong: object) -> None:
    full.export_to(tmp_path / "all.jsonl")
    line = json.loads((tmp_path / "all.jsonl").read_text().splitlines()[2])
    line["record"][field] = wrong
    with Memory(":memory:", owner="copy") as other, pytest.raises(InvalidInput, match=f"line 3: {field} can't be"):
        other.import_from(changed(tmp_path / "all.jsonl", 2, json.dumps(line)))


@pytest.mark.parametrize(
    ("field", "wrong", "said"),
    [
        ("sources", [{"message": 5, "quote": "q"}], "line 5: not a fact: message can't be 5"),
        ("sources", [{"message": "m"}], "line 5: not a fact: not a source"),
        ("confidence", float("nan"), "nan can't be kept"),
    ],
)
def test_a_fact_with_parts_of_another_type_is_refused(
    full: Memory, tmp_path: Path, field: str, wrong: object, said: str
) -> None:
    full.export_to(tmp_path / "all.jsonl")
    line = json.loads((tmp_path / "all.jsonl").read_text().splitlines()[4])
    line["record"][field] = wrong
    with Memory(":memory:", owner="copy") as other:
        with pytest.raises(InvalidInput, match=said):
            other.import_from(changed(tmp_path / "all.jsonl", 4, json.dumps(line)))
        assert other.owners() == []


@pytest.mark.parametrize(("kind", "field"), [("message", "role"), ("fact", "origin"), ("change", "kind")])
def test_a_word_that_a_field_does_not_know_is_refused(full: Memory, tmp_path: Path, kind: str, field: str) -> None:
    full.export_to(tmp_path / "all.jsonl")
    lines = [json.loads(line) for line in (tmp_path / "all.jsonl").read_text().splitlines()]
    next(line for line in lines if line.get("kind") == kind)["record"][field] = "wizard"
    (tmp_path / "bad.jsonl").write_text("\n".join(map(json.dumps, lines)))
    with Memory(":memory:", owner="copy", embedder=None) as other:
        with pytest.raises(InvalidInput, match=f"line .*{field} can't be 'wizard'"):
            other.import_from(tmp_path / "bad.jsonl")
        assert (other.facts(), other.store.read("copy", Message)) == ([], [])


def test_a_change_of_nothing_that_is_there_is_not_undone(full: Memory, tmp_path: Path) -> None:
    full.export_to(tmp_path / "all.jsonl")
    lines = (tmp_path / "all.jsonl").read_text().splitlines()
    kept = [line for line in lines if not line.startswith('{"kind": "fact"')]
    (tmp_path / "no_facts.jsonl").write_text("\n".join(kept))
    with Memory(":memory:", owner="copy", embedder=None) as other:
        other.import_from(tmp_path / "no_facts.jsonl")
        with pytest.raises(NotFound, match="is not there any more"):
            other.undo(next(change for change in other.changes() if change.record == "fact"))


def test_nothing_is_kept_before_every_line_was_read(memory: Memory, tmp_path: Path) -> None:
    memory.add([f"Saying {number}." for number in range(600)])
    memory.export_to(tmp_path / "all.jsonl")
    told: list[tuple[int, int]] = []
    with Memory(":memory:", owner="copy") as other:
        with pytest.raises(InvalidInput, match="line 601 is not JSON"):
            other.import_from(
                changed(tmp_path / "all.jsonl", 600, "oh"), progress=lambda done, total: told.append((done, total))
            )
        assert told == []
        other.import_from(tmp_path / "all.jsonl", progress=lambda done, total: told.append((done, total)))
        assert told[-1] == (600, 600)


def test_others_write_while_an_import_waits_for_its_file(full: Memory, tmp_path: Path) -> None:
    records = full.export_to(tmp_path / "all.jsonl")
    header, lines = (tmp_path / "all.jsonl").read_bytes().split(b"\n", 1)
    os.mkfifo(tmp_path / "slow.jsonl")
    with Memory(full.store.name, owner="copy") as other, ThreadPoolExecutor() as pool:
        importing = pool.submit(other.import_from, tmp_path / "slow.jsonl", form="jsonl")
        with (tmp_path / "slow.jsonl").open("wb", buffering=0) as slow:
            slow.write(header + b"\n" + lines[:2000])
            full.add("My locker is 17.")
            assert full.recall("locker") == "17"
            assert "copy" not in full.owners()
            slow.write(lines[2000:])
        assert importing.result() == records


def test_an_import_that_the_store_took_back_is_kept_without_reading_its_file_again(
    full: Memory, tmp_path: Path
) -> None:
    records = full.export_to(tmp_path / "all.jsonl")
    reading, writing = os.pipe()
    os.write(writing, (tmp_path / "all.jsonl").read_bytes())
    os.close(writing)
    tries = iter([Interrupted("a deadlock")])

    def fail_once(done: int, total: int) -> None:
        for error in tries:
            raise error

    with Memory(":memory:", owner="copy") as other:
        assert other.import_from(f"/dev/fd/{reading}", progress=fail_once) == records
    os.close(reading)


class OneByOne(SQLiteStore):
    """A store that looks at each record, as those of others may."""

    def save_facts(self, owner: str, facts: Sequence[Fact]) -> None:
        super().save(owner, [replace(fact, confidence=1.0) for fact in facts[:]])

    def save_changes(self, owner: str, changes: Sequence[Change]) -> None:
        super().save(owner, [replace(one, after=one.after and {**one.after}) for one in changes])


def test_a_store_that_takes_records_one_by_one_gets_the_same(full: Memory, tmp_path: Path) -> None:
    full.export_to(tmp_path / "all.jsonl")
    with Memory(OneByOne(tmp_path / "other.db"), owner=full.owner) as other:
        other.import_from(tmp_path / "all.jsonl")
        assert other.store.read(full.owner, Change) == full.store.read(full.owner, Change)
        assert [fact.id for fact in other.store.read(full.owner, Fact)] == [
            one.id for one in full.store.read(full.owner, Fact)
        ]
        other.undo()


def test_records_that_stand_twice_in_a_file_are_refused(memory: Memory, tmp_path: Path) -> None:
    memory.add([f"Saying {number}." for number in range(600)])
    memory.export_to(tmp_path / "all.jsonl")
    lines = (tmp_path / "all.jsonl").read_text().splitlines()
    for again in (lines[1], lines[-1]):
        (tmp_path / "twice.jsonl").write_text("\n".join([*lines, again]))
        with Memory(":memory:", owner="copy") as other:
            with pytest.raises(InvalidInput, match="twice"):
                other.import_from(tmp_path / "twice.jsonl")
            assert other.owners() == []


def test_fields_in_another_order_and_fields_left_out_are_read_all_the_same(full: Memory, tmp_path: Path) -> None:
    full.export_to(tmp_path / "all.jsonl")
    header, *lines = [json.loads(line) for line in (tmp_path / "all.jsonl").read_text().splitlines()]
    turned = [
        {
            "record": {name: part for name, part in sorted(line["record"].items()) if part not in (None, [])},
            "kind": line["kind"],
        }
        for line in lines
    ]
    (tmp_path / "turned.jsonl").write_text("\r\n".join(map(json.dumps, [header, *turned[::-1]])))
    with Memory(":memory:", owner=full.owner) as other:
        assert other.import_from(tmp_path / "turned.jsonl") == len(lines)
        assert {fact.id: fact for fact in other.store.read(full.owner, Fact)} == {
            fact.id: fact for fact in full.store.read(full.owner, Fact)
        }
        assert other.store.read(full.owner, Message)[::-1] == full.store.read(full.owner, Message)


def test_what_is_there_with_other_content_is_not_overwritten(full: Memory, tmp_path: Path) -> None:
    full.export_to(tmp_path / "all.jsonl")
    with Memory(tmp_path / "other.db", owner="copy") as other:
        other.import_from(tmp_path / "all.jsonl")
        line = json.loads((tmp_path / "all.jsonl").read_text().splitlines()[1])
        line["record"]["content"] = "Something else."
        with pytest.raises(InvalidInput, match="other content"):
            other.import_from(changed(tmp_path / "all.jsonl", 1, json.dumps(line)))


def test_the_plain_dictionary_has_what_holds_now(full: Memory, tmp_path: Path) -> None:
    full.export_to(tmp_path / "now.json", form="json")
    data = json.loads((tmp_path / "now.json").read_text())
    assert data["home"] == "Porto"
    assert data["seat preference"] == "window"
    assert sorted(data["allergy"]) == ["nuts", "shellfish"]
    assert data["sister: home"] == "Berlin"


def test_a_plain_dictionary_can_be_imported(tmp_path: Path, memory: Memory) -> None:
    (tmp_path / "in.json").write_text(
        '{"home": "Porto", "allergy": ["nuts", "eggs"], "sister: home": "Berlin", "n": 3}'
    )
    assert memory.import_from(tmp_path / "in.json") == 5
    assert memory.recall("home") == "Porto"
    assert memory.recall("n") == "3"
    assert memory.recall("home", subject="sister") == "Berlin"
    assert {fact.value for fact in memory.facts(attribute="allergy")} == {"nuts", "eggs"}
    assert {fact.origin for fact in memory.facts()} == {"import"}


SAID = [{"role": "user", "content": "I live in Porto."}, {"role": "assistant", "content": "A fine city."}]


@pytest.mark.parametrize("shape", [lambda said: said, lambda said: {"messages": said}])
def test_messages_are_imported_as_a_conversation(tmp_path: Path, memory: Memory, shape: Any) -> None:
    (tmp_path / "chat.json").write_text(json.dumps(shape(SAID)))
    assert memory.import_from(tmp_path / "chat.json") == 2
    [info] = memory.sessions()
    assert memory.session(info.session).messages() == SAID
    assert (memory.recall("home"), memory.facts()[0].origin) == ("Porto", "user")


def test_an_id_of_another_conversation_is_counted_as_new(tmp_path: Path, memory: Memory) -> None:
    for text in ("I live in Porto.", "I like tea."):
        (tmp_path / "talk.json").write_text(json.dumps([{"id": "1", "role": "user", "content": text}]))
        assert memory.import_from(tmp_path / "talk.json") == 1
    assert memory.import_from(tmp_path / "talk.json") == 0
    assert len(memory.store.read(memory.owner, Message)) == 2


def test_one_message_alone_is_a_conversation_too(tmp_path: Path, memory: Memory) -> None:
    (tmp_path / "one.json").write_text(json.dumps({"role": "user", "content": "I live in Porto."}))
    assert memory.import_from(tmp_path / "one.json") == 1
    assert [fact.text for fact in memory.facts()] == ["lives in Porto"]
    assert [message.content for message in memory.store.read(memory.owner, Message)] == ["I live in Porto."]


def test_messages_that_are_imported_again_are_passed_over(tmp_path: Path, memory: Memory) -> None:
    more = [*SAID, {"role": "user", "content": "I moved to Faro.", "id": "m9", "at": "2030-01-01"}]
    for said, new in ((SAID, 2), (SAID, 0), (more, 1), (more, 0)):
        (tmp_path / "chat.json").write_text(json.dumps(said))
        assert memory.import_from(tmp_path / "chat.json") == new
    assert [fact.value for fact in memory.history("home")] == ["Porto", "Faro"]
    assert memory.sessions()[0].messages == 3


NO_FACTS = [
    {"messages": [{"kind": "user", "parts": ["hi"]}]},
    {"messages": [SAID[0], "hello"]},
    {"messages": [{"role": "user"}]},
    [{"title": "chat", "mapping": {"a": {"message": None}}}],
    [{"uuid": "1", "chat_messages": [{"text": "hi", "sender": "human"}]}],
    {"results": [{"id": "1", "memory": "likes tea"}]},
    {"home": {"city": "Porto"}},
    {"home": None},
    {"likes": []},
    {"likes": [["tea"]]},
    ["likes tea"],
    [],
    "likes tea",
    3,
    [{"role": "wizard", "content": "hi"}],
]


@pytest.mark.parametrize("given", NO_FACTS, ids=str)
def test_other_json_is_refused_and_nothing_of_it_is_kept(tmp_path: Path, memory: Memory, given: object) -> None:
    (tmp_path / "in.json").write_text(json.dumps(given))
    with pytest.raises(InvalidInput) as refused:
        memory.import_from(tmp_path / "in.json")
    assert "import reads" in str(refused.value) or "wizard" in str(refused.value)
    assert memory.stats().messages == memory.stats().facts == 0


def test_a_dictionary_with_one_bad_value_is_refused_whole(tmp_path: Path, memory: Memory) -> None:
    (tmp_path / "in.json").write_text('{"home": "Porto", "car": {"make": "Fiat"}}')
    with pytest.raises(InvalidInput, match="'car'"):
        memory.import_from(tmp_path / "in.json")
    assert memory.facts() == []


def test_keys_of_ones_own_survive_the_round_trip(memory: Memory, tmp_path: Path) -> None:
    memory.remember("phone number", "+351 912 345 678")
    memory.remember("phone", "iPhone 15")
    memory.remember("User wants replies in German")
    memory.export_to(tmp_path / "a.json", form="json")
    with Memory(":memory:", owner="copy") as other:
        other.import_from(tmp_path / "a.json")
        assert {fact.text for fact in other.facts()} == {fact.text for fact in memory.facts()}
        assert (other.recall("phone"), other.recall("phone number")) == ("iPhone 15", "+351 912 345 678")


def test_the_round_trip_of_a_dictionary_is_exact(full: Memory, tmp_path: Path) -> None:
    full.export_to(tmp_path / "a.json", form="json")
    with Memory(":memory:", owner="copy") as other:
        other.import_from(tmp_path / "a.json")
        other.export_to(tmp_path / "b.json", form="json")
    assert json.loads((tmp_path / "a.json").read_text()) == json.loads((tmp_path / "b.json").read_text())


def test_a_file_that_is_not_there_and_a_strange_form_are_refused(memory: Memory, tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="nowhere"):
        memory.import_from(tmp_path / "nowhere.jsonl")
    with pytest.raises(InvalidInput, match="form"):
        memory.export_to(tmp_path / "x", form="xml")


def test_an_export_is_private_whatever_stood_there(memory: Memory, tmp_path: Path) -> None:
    memory.add("I live in Lisbon.")
    (tmp_path / "all.jsonl").write_text("old")
    (tmp_path / "all.jsonl").chmod(0o644)
    for form in ("jsonl", "json"):
        memory.export_to(tmp_path / "all.jsonl", form=form)
        assert stat.S_IMODE((tmp_path / "all.jsonl").stat().st_mode) == 0o600


def test_an_export_takes_the_place_of_files_only(memory: Memory, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "link").symlink_to(tmp_path / "all.jsonl")
    with pytest.raises(InvalidInput, match="no file"):
        memory.export_to(tmp_path / "pipe")
    memory.export_to(tmp_path / "link")
    assert stat.S_ISFIFO((tmp_path / "pipe").stat().st_mode)
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "all.jsonl").is_file()


def test_an_export_that_fails_leaves_nothing(memory: Memory, tmp_path: Path) -> None:
    memory.add("I live in Lisbon.")
    (tmp_path / "there").mkdir()
    before = sorted(tmp_path.iterdir())

    def on_a_full_disk() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (10, resource.getrlimit(resource.RLIMIT_FSIZE)[1]))
        with pytest.raises(InvalidInput, match="cannot write"):
            memory.export_to(tmp_path / "all.jsonl")

    in_child(on_a_full_disk)
    with pytest.raises(InvalidInput, match="cannot write"):
        memory.export_to(tmp_path / "there")
    assert sorted(tmp_path.iterdir()) == before


def test_an_export_that_is_killed_leaves_no_file_that_others_can_read(memory: Memory, tmp_path: Path) -> None:
    memory.add("I live in Lisbon.")

    def work(tell: Callable[[str], None]) -> None:
        os.umask(0)
        os.fsync = lambda handle: os.kill(os.getpid(), signal.SIGKILL)  # type: ignore[assignment]
        memory.export_to(tmp_path / "out" / "all.jsonl")

    (tmp_path / "out").mkdir()
    Writer(work).join()
    [part] = (tmp_path / "out").iterdir()
    assert part.name != "all.jsonl"
    assert stat.S_IMODE(part.stat().st_mode) == 0o600
