"""Posts that there is only one of: "the release manager", "our CTO"."""

from __future__ import annotations

import re

from recollect.text.values import word_set

_POST = re.compile(
    r"(?:er|or|ist|ian|ant|man|woman|lead|head|chief|pope|king|queen|boss|captain|chair|dean|chef|coach|judge|"
    r"president|"
    r"superintendent|C[ETFOI]O)$",
)
_NO_POST = word_set(
    "weather answer number server paper dinner water order color computer winter summer letter router printer folder "
    "floor door favor restaurant plant power winner killer matter error factor cover poster user character other"
)


def is_post(words: str) -> bool:
    """Whether a noun names a post that somebody holds."""
    last = words.split()[-1]
    if is_one_post(words):
        return True
    return last.lower() not in _NO_POST and _POST.search(last) is not None


_ROLES = word_set(
    "cleaner nanny gardener babysitter driver plumber electrician cook tutor trainer assistant housekeeper carer "
    "handyman "
    "bookkeeper agent broker childminder intern lodger tenant"
) | {"au pair", "dog walker"}
"""Who works for someone at home or beside them."""


def is_role(words: str) -> bool:
    """Whether words name someone who works for the speaker."""
    return words.lower() in _ROLES


_ONE_POST = re.compile(
    r"(?i)(?:c[a-z]o|(?:(?:team|tech|scrum|squad|product|engineering|release|account|project|office) )?(?:lead|"
    r"captain|master|"
    r"manager)|chair(?:man|woman|person)?|president|treasurer|secretary|foreman|principal|head (?:of \w+|teacher|"
    r"chef))$"
)
"""Posts that there is one of."""


def is_one_post(words: str) -> bool:
    """Whether words name a post that a team or a company has one of."""
    return _ONE_POST.match(words) is not None
