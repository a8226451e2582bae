"""A memory with something in every view: moves, jobs, a family, a dispute, a secret, a long conversation."""

from __future__ import annotations

from recollect import Memory

SAID = (
    ("first hello", "2022-03-02T09:00", "user", "Hi! My name is Ana and I live in Rome. I work at Helios."),
    ("first hello", "2022-03-02T09:01", "assistant", "Nice to meet you, Ana. Helios, the lighting studio?"),
    ("first hello", "2022-03-02T09:02", "user", "Yes. My languages are Italian and English. I have a cat named Miso."),
    ("dinner", "2022-09-10T18:00", "user", "I'm allergic to peanuts."),
    ("dinner", "2022-09-10T18:04", "user", "My favourite colour is blue. I like jazz and long walks."),
    ("the move", "2023-06-01T10:00", "user", "I moved to Lisbon in May 2023."),
    ("family", "2023-08-11T10:00", "user", "My sister Anna lives in Berlin. She works at Siemens."),
    ("family", "2023-08-11T10:03", "user", "My brother Leo lives in Madrid."),
    ("colours", "2024-02-01T08:00", "user", "My favourite colour is green now."),
    ("new job", "2024-03-15T09:00", "user", "I quit Helios. I work at Acme since March 2024."),
    ("new job", "2024-03-20T09:00", "user", "My manager is Priya. My budget is 2000 euros."),
    ("porto", "2025-06-01T09:00", "user", "I moved to Porto in May 2025."),
    ("porto", "2025-06-01T09:03", "user", "I prefer window seats."),
    ("trip", "2025-09-01T09:00", "user", "My budget is 3500 euros. Please remember: my password is hunter2-Zx9!"),
    ("trip", "2025-10-01T09:00", "user", "My car is a Renault Clio. My phone is a Pixel 9."),
    ("family", "2026-02-01T09:00", "user", "My dog is called Bolt. My sister lives in Vienna since January 2026."),
    ("food", "2026-03-01T09:00", "user", "My diet is vegetarian."),
    ("food", "2026-03-01T09:02", "user", "My favourite restaurant is Cantinho."),
)
DRAFT = (
    "Draft {} of the lamp brochure is in the shared folder; the client would like a warmer paper, a calmer cover and a "
    "second look at the photographs from the workshop before Thursday."
)
ANSWER = (
    "Understood. I will go through draft {}, list what changed since the last one, check the captions against the "
    "price list and come back with a short summary that can be forwarded as it is."
)


def tell(memory: Memory) -> None:
    """Tell the whole story."""
    for session, at, role, words in SAID:
        memory.add(words, session=session, at=at, role=role)
    for number in range(1, 25):
        memory.add(DRAFT.format(number), session="brochure", at=f"2026-04-{number:02}T09:00")
        memory.add(ANSWER.format(number), session="brochure", at=f"2026-04-{number:02}T09:05", role="assistant")
    memory.remember("home", "Braga", origin="assistant")
    memory.remember("editor", "Helix", origin="assistant")
    memory.pin("name")
    memory.pin("allergy")
    memory.notes.write("/memories/style.md", "Short answers, metric units.", pinned=True)
