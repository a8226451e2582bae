"""The block of recalled text that stands in a prompt: how it is marked, and how it is taken out of what comes back."""

from __future__ import annotations

import re

BLOCK_TAG = "recollect-memory"
"""The tag around recalled text in a prompt; whatever stands inside it was ours, not the speaker's."""


def without_memory_blocks(text: str) -> str:
    """The text without the blocks that we ourselves injected, so that a memory never confirms itself.

    >>> without_memory_blocks("Hi <recollect-memory mark='x'>lives in Oslo</recollect-memory> there").split()
    ['Hi', 'there']
    """
    if BLOCK_TAG not in text:
        return text
    return re.sub(rf"<{BLOCK_TAG}\b.*?(?:</{BLOCK_TAG}[^>]*>|\Z)", " ", text, flags=re.DOTALL)
