"""What the caller gave comes back as given: what is taken out has a known form, is a setting, stands in the receipt."""

from __future__ import annotations

import pytest

from recollect import Memory
from recollect.errors import InvalidInput, NotAllowed

KEY = "sk-proj-" + "Ab12Cd34" * 5
IDS = {
    "booking": "X7QP2Z-48211-AbC9dEf0GhI1jKl2",
    "wallet": "bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq",
    "next_token": "AAMA-EFRSURBSGhrZ0R2QzZ4eTFvWjBxTjBv",
    "sha256": "n4bQgYhMfWWaL+qgxVrQFaO/TxsrC4Is0V1sFbDwCgg=",
    "signature": "MEUCIQDx9zK3vQmY8p7Tn2Rb5Wc4Ld6Fg0Hj1KsAiEA",
    "upload": "file-7Kq2mZx9Wp4Rt8Yb3Nc6Vd1S",
}


@pytest.fixture
def memory() -> Memory:
    return Memory(":memory:", embedder=None)


@pytest.mark.parametrize("key", IDS)
def test_an_id_that_the_caller_names_is_remembered(memory: Memory, key: str) -> None:
    memory.remember(key, IDS[key])
    assert memory.recall(key) == IDS[key]


def test_a_key_of_a_known_provider_is_not_remembered(memory: Memory) -> None:
    with pytest.raises(NotAllowed, match="a secret was taken out"):
        memory.remember("the key", KEY)


def test_words_lose_their_secrets_and_the_receipt_names_them(memory: Memory) -> None:
    added = memory.add(f"Use {KEY} and my password is hunter22.")
    assert added.redactions == ("OpenAI key", "secret")
    assert memory.session("default").messages() == [
        {"role": "user", "content": "Use [removed OpenAI key] and my password is [removed secret]."}
    ]


@pytest.mark.parametrize(
    "text",
    [
        "My boarding pass is 7QK2X9.",
        "the season pass: ski2025",
        "pin: column-3",
        "Merge branch sk-1234-fix-the-long-name-of-it",
        "the class is sk-toggleable__label-arrow-2",
    ],
)
def test_words_that_only_look_like_a_form_stay(memory: Memory, text: str) -> None:
    assert (memory.add(text).redactions, memory.session("default").messages()[0]["content"]) == ((), text)


@pytest.mark.parametrize(
    "text",
    ["my pin is 4821", "card PIN: 482190", "DB_PASS=tr0ub4dor", '{"pass": "tr0ub4dor"}', "my password is tr0ub4dor",
     "sk-" + "a1B2c3D4" * 6, "sk-or-v1-" + "0af3" * 16],
)  # fmt: skip
def test_values_of_a_known_form_go(memory: Memory, text: str) -> None:
    assert memory.add(text).redactions


def test_a_payload_comes_back_as_given_and_is_shown_without_its_secrets(memory: Memory) -> None:
    said = {"role": "user", "content": f"I live in Porto. The key is {KEY}.", "metadata": {"auth": KEY}}
    added = memory.add(said)
    assert (added.redactions, memory.session("default").messages()) == (("OpenAI key",), [said])
    assert KEY not in memory.context("Porto key").text + memory.session("default").summary()
    assert KEY not in str(memory.search("key Porto")[0].record.content)  # type: ignore[union-attr]


def test_payloads_and_notes_lose_their_secrets_when_that_is_asked() -> None:
    with Memory(":memory:", embedder=None, redact_raw=True) as memory:
        memory.add({"role": "user", "content": f"Use {KEY}.", "metadata": {"auth": KEY}})
        memory.notes.write("/memories/a.md", KEY)
        assert KEY not in str(memory.session("default").messages())
        assert memory.notes.read("/memories/a.md").text == "[removed OpenAI key]"


def test_a_note_comes_back_as_it_was_written(memory: Memory) -> None:
    memory.notes.write("/memories/config.md", f"token {KEY} and {IDS['wallet']}")
    assert memory.notes.read("/memories/config.md").text == f"token {KEY} and {IDS['wallet']}"


def test_nothing_is_taken_out_where_none_is_asked() -> None:
    with Memory(":memory:", embedder=None, redact="none") as memory:
        assert memory.add(f"Use {KEY}.").redactions == ()
        assert memory.remember("the key", KEY).value == KEY


def test_a_function_takes_out_what_it_likes() -> None:
    with Memory(":memory:", embedder=None, redact=lambda text: text.replace("Porto", "[city]")) as memory:
        assert memory.add("I like Porto.").redactions == ("custom",)
        assert memory.session("default").messages()[0]["content"] == "I like [city]."
    with pytest.raises(InvalidInput, match="redact must be"):
        Memory(":memory:", redact="some")  # type: ignore[arg-type]
