"""What someone is in a club, a school or a charity, beside their work: "captain of the hockey team"."""

from __future__ import annotations

from recollect.extractors import values
from recollect.extractors.patterns import Found, Groups, rows_of
from recollect.extractors.verbs import Predicate
from recollect.unsure import LOOSE

row = rows_of(__name__)

_POSTS = (
    r"(?:trustee|(?:school )?governor|patron|(?:vice |deputy |honorary |acting )?(?:chair(?:man|woman|person)?|"
    r"president|secretary|treasurer|captain|head|director|warden|steward)|moderator|ambassador|delegate|guardian|convenor)"
)
_CLUB = (
    r"(?:club|team|society|association|choir|trust|council|committee|board|league|band|union|pta|school|group|forum|"
    r"church|charity|parish|chapter|guild|orchestra|foundation|allotments?|residents)"
)
"""Where a post is held beside one's work."""


def holds_post(groups: Groups, predicate: Predicate) -> list[Found]:
    """A post beside others: who is a trustee may be a nurse."""
    told = predicate.tense in ("present", "formerly") and not predicate.can
    return [Found("occupation", groups["v"], many=True, confidence=LOOSE)] if told else []


row("be", rf"(?:an? |the |our )?(?P<v>{_POSTS} (?:of|for) (?:the |our |my )?[\w' &-]*{_CLUB})$", holds_post)
row(
    "be",
    r"members of (?P<v>(?:the (?!same)|an? ).+|(?-i:[A-Z]).+)",
    lambda groups, p: [Found("member of", values.bare(values.one(groups["v"])))],
)
