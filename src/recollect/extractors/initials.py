"""Names whose first letter is no plain capital: "Özge", "Łódź", "eBay".

The rules know a name by its capital, so these are read with a plain one and get their own back afterwards.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from recollect.records import Draft
from recollect.text.words import fold

_NAME = re.compile(r"(?<![\w@/.#_-])(?:[^\W\d_a-zA-Z]\w+|[a-z][A-Z][a-z]\w*)")


def plain_initials(text: str, names: dict[str, str]) -> str:
    """The text with plain capitals; what was changed is entered in `names`, with what it was."""
    if text.isascii() and text.casefold() == text:
        return text

    def plain(match: re.Match[str]) -> str:
        word = match[0]
        first = fold(word[0]).upper()
        stand_in = first + word[1:]
        if not (word[0].isupper() or word[0].isascii()) or len(first) != 1 or not first.isascii():
            return word
        if names.get(stand_in, word) != word or re.search(rf"\b{re.escape(stand_in)}\b", text):
            return word
        names[stand_in] = word
        return stand_in

    return _NAME.sub(plain, text)


def with_own_initials(drafts: Sequence[Draft], names: Mapping[str, str]) -> list[Draft]:
    """The drafts with the names as they were written."""
    if not names:
        return list(drafts)
    pattern = re.compile(rf"\b(?:{'|'.join(map(re.escape, names))})\b")

    def own(text: str) -> str:
        return pattern.sub(lambda match: names[match[0]], text)

    return [
        replace(
            draft,
            subject=own(draft.subject),
            value=own(draft.value),
            text=own(draft.text),
            instead_of=draft.instead_of and own(draft.instead_of),
        )
        for draft in drafts
    ]
