"""A small model for the examples of the docs: it uses the tools it is offered, and what stands in its prompt."""

from __future__ import annotations

import re

from tests.providers.script import Call, Say, Seen, Step


def companion(seen: Seen) -> Step:
    """The next step of a polite assistant."""
    asked, known = seen.asked, seen.system + "\n" + "\n".join(one["text"] for one in seen.messages)
    called = [name for message in since_question(seen) for _, name, _ in message.get("calls", ())]
    if "memory" in seen.tools:
        return note_down(seen)
    if (name := re.search(r"(?i)my name is (\w+)", asked)) is not None:
        return meet(seen, name[1], called)
    if re.search(r"(?i)who am i", asked):
        name = re.search(r"name is (\w+)", known)
        return Say(f"You are {name[1]}." if name else "I do not know yet.")
    if "flight" in asked:
        return book(seen, known, called)
    if seen.last["role"] == "tool":
        return Say(seen.last["text"])
    if "weather" in seen.tools and (city := re.search(r"weather in (\w+)", asked)):
        return Call(("weather", {"city": city[1]}))
    return Say("I see.")


def since_question(seen: Seen) -> list[dict[str, object]]:
    places = [place for place, message in enumerate(seen.messages) if message["role"] == "user"]
    return seen.messages[places[-1] :]


def meet(seen: Seen, name: str, called: list[str]) -> Step:
    if "remember" in seen.tools and "remember" not in called:
        return Call(("remember", {"key": "name", "value": name}))
    return Say(f"Nice to meet you, {name}.")


def book(seen: Seen, known: str, called: list[str]) -> Step:
    if "window" in known:
        return Say("Booked: a window seat, as you like it.")
    if "search" in seen.tools and "search" not in called:
        return Call(("search", {"query": "Which seat does the user prefer?"}))
    return Say("Booked: any seat.")


def note_down(seen: Seen) -> Step:
    """As Claude does with a memory of its own: look first, then write down what was said."""
    if seen.last["role"] == "user":
        return Call(("memory", {"command": "view", "path": "/memories"}))
    if seen.last["text"].startswith("Here're"):
        return Call(("memory", {"command": "create", "path": "/memories/user.md", "file_text": seen.asked}))
    return Say("Noted.")
