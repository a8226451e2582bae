"""Pasted talk, titled pages and texts that are judged state nothing about the user; they are kept as words."""

from __future__ import annotations

import pytest

from recollect import Memory

STATEMENTS = [
    "I moved to Moscow.",
    "I'm allergic to nuts.",
    "I'm not allergic to nuts.",
    "My name is Victor.",
    "I work at Globex.",
    "I no longer use my car.",
]
TALKS = [
    "Human: {s}\nAssistant: noted",
    "Mallory: {s}\nMe: ok",
    "Me: how are you?\nMallory: {s}",
    "[10:32] Mallory: {s}\n[10:33] Me: ok",
    "10:32 Mallory: {s}\n10:33 Bob: ok",
    "mallory: {s}\nme: ok",
    "**Mallory:** {s}\n**Bob:** fine",
    "<mallory> {s}\n<bob> ok",
    "Q: Tell me about yourself.\nA: {s}",
    "Mallory (10:32): {s}\nBob (10:33): ok",
    "Mallory: hi all\n{s}\nBob: ok",
    "Mallory:\n{s}\n\nBob:\nok",
    "- Mallory: {s}\n- Bob: ok",
    "Agent: how can I help?\nCustomer: {s}\nAgent: done",
    "Mallory: {s}",
]
PAGES = [
    "About me\n{s}",
    "About me:\n{s} I love pizza.",
    "# About me\n\n{s}\n\nContact: x@example.com",
    "Home | Blog | Contact\n\nAbout me\n\n{s}",
    "## Bio\n{s}",
    "Profile\n-------\n{s}",
    "Look at this\n---\n{s}\n---\nWhat should I answer them?",
    "From a forum post:\n\n{s}",
    "Below is a letter of our tenant.\n\n{s}\n\nHow do I reply?",
]
VERDICTS = [
    "{s}\n\nThat's what the applicant wrote.",
    "{s}\nThat is what she told me.",
    "{s}\n\nThis is the applicant's answer. Is it any good?",
    "{s}\n\nThe above is from a customer.",
    "“{s}” That's what the applicant wrote.",
    "> {s}\n\nWhat do you think of her reply?",
    "{s}\n\n— Mallory",
    "```\n{s}\n```\nIs this English correct?",
    "The applicant wrote:\n\n{s}",
]
WRAPPED = [wrapper.format(s=one) for wrapper in (*TALKS, *PAGES, *VERDICTS) for one in STATEMENTS]


def test_wrapped_statements_are_no_facts_of_the_user(memory: Memory) -> None:
    passing = [text for text in WRAPPED if memory.of(f"owner {len(text)} {text}").add(text).receipts]
    assert len(WRAPPED) > 190
    assert len(passing) <= 0.03 * len(WRAPPED), passing


def test_pasted_talk_ends_nothing_and_is_found(memory: Memory) -> None:
    memory.add("I'm allergic to nuts.")
    memory.add("Human: I'm not allergic to nuts.\nAssistant: noted, the walnut cake is fine")
    assert memory.recall("allergy") == "nuts"
    assert any("walnut" in hit.text for hit in memory.search("What about the walnut cake?"))


def test_what_the_user_says_before_the_paste_is_read(memory: Memory) -> None:
    memory.add("I moved to Porto. What do I answer?\nMallory: I moved to Moscow.\nBob: I live in Rome.")
    assert memory.recall("home") == "Porto"


ORDINARY = [
    "Hi!\n\n{s}\n\nThanks",
    "Hello Claude,\n\n{s}\n\nThanks,\nDana",
    "Good morning\n{s}\nMy favorite color is green.",
    "{s}\nCan you suggest a restaurant?",
    "{s}\n\nWhat should I do next?\n\nMy favorite color is green.",
    "- {s}\n- My favorite color is green.",
    "A few things about me:\n- {s}\n- My favorite color is green.",
    "For your notes:\n- {s}",
    "Please remember this:\n{s}",
    "Good news: {s}",
    "Update:\n{s}",
    "PS: {s}",
    "{s}\nThat's why I need a new plan.",
]


@pytest.mark.parametrize("layout", ORDINARY)
def test_ordinary_messages_of_several_lines_still_give_their_facts(memory: Memory, layout: str) -> None:
    unread = [one for one in STATEMENTS[:5] if not memory.of(one).add(layout.format(s=one)).receipts]
    assert unread == []


def test_keys_and_values_are_no_talk(memory: Memory) -> None:
    memory.add("Blood type: O neg\nAllergies: penicillin, latex")
    assert memory.recall("blood type") == "O neg"


def test_a_talk_that_is_a_document_states_nothing_of_the_user(memory: Memory) -> None:
    memory.add("Human: I moved to Moscow.\nAssistant: noted", origin="document")
    assert memory.facts(subject="user") == []


LINES_OF_OTHERS = [
    "12/05/2024, 10:32 - Mallory: {s}\n12/05/2024, 10:33 - Me: ok",
    "12/05/2024, 10:32 - Mallory: {s}",
    "Dr. Mallory van der Berg: {s}\nProf. Bob: ok",
    "[Mallory]: {s}\n[Bob]: ok",
    "1. Mallory: {s}\n2. Bob: ok",
    "Mallory, 10:32: {s}\nBob, 10:33: ok",
    "Mallory> {s}\nBob> ok",
    "@mallory: {s}",
    "**About me**\n{s}",
    "== About me ==\n{s}",
    "@mallory\n{s}",
    "u/mallory · 3h\n{s}",
]


@pytest.mark.parametrize("layout", LINES_OF_OTHERS)
def test_whatever_stands_before_a_statement_says_whose_it_is(memory: Memory, layout: str) -> None:
    passing = [one for one in STATEMENTS if memory.of(one).add(layout.format(s=one)).receipts]
    assert passing == []
