"""The short-term memory of one conversation: what was said, cut to a budget in whole exchanges."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING, Any

from recollect.errors import InvalidInput, ModelError, NotFound
from recollect.facts.timeline import is_open
from recollect.facts.trust import speaker
from recollect.messages import Given, check_session, from_message
from recollect.records import Added, Context, Message, SessionInfo
from recollect.store import Query, facts_from
from recollect.summary import Summariser, asked_summary, asker, cut, rolled, summarise, words_of
from recollect.text.dates import Time
from recollect.text.message_formats import calls_answered, calls_made
from recollect.text.tokens import count
from recollect.upkeep import catch_up

if TYPE_CHECKING:
    from recollect.memory import Memory

BRIEF_FACTS = 12
MESSAGE_TOKENS = 4
"""What a message costs beside its text: role and separators."""


@dataclass(frozen=True, slots=True)
class SessionContext:
    """What a model's window needs to go on with a conversation, all within one budget."""

    memory: Context
    """What is remembered beside this conversation's newest messages."""
    summary: str
    """Of what was said before `messages`; empty when nothing was left out."""
    messages: tuple[dict[str, Any], ...]
    """The newest exchanges, oldest first, as they were given."""
    tokens: int
    budget: int


class Session:
    """One conversation of one owner."""

    def __init__(self, memory: Memory, name: str) -> None:
        self._memory = memory
        self.name = check_session(name)

    def __len__(self) -> int:
        """How many messages it has."""
        found = self._info()
        return found.messages if found else 0

    def __bool__(self) -> bool:
        """A session is there even before anything was said in it."""
        return True

    def __repr__(self) -> str:
        return f"Session({self.name!r}, owner={self._memory.owner!r})"

    def info(self) -> SessionInfo:
        """How many messages it has, from when to when."""
        if found := self._info():
            return found
        raise NotFound(f"nothing was said in session {self.name!r} yet: add a message first")

    def add(self, said: Given, *, at: Time | None = None) -> Added:
        """Keep what was said in this conversation, and the facts in it."""
        return self._memory.add(said, session=self.name, at=at)

    def messages(
        self, *, budget: int | None = None, limit: int | None = None, model: str = "o200k"
    ) -> list[dict[str, Any]]:
        """The newest messages within `budget` tokens and `limit` messages, oldest first, as they were given.

        Only whole exchanges come back, each from a user's turn to before the next, and a tool call always with its
        result. An exchange longer than `limit` comes alone; one larger than `budget` raises InvalidInput.
        """
        for name, value in (("budget", budget), ("limit", limit)):
            if value is not None:
                check_positive(name, value)
        most = [limit] if limit else []
        most += [budget // MESSAGE_TOKENS] if budget else []
        groups = self._newest_groups(min(most)) if most else exchanges(self._read())
        return [from_message(message) for message in newest(groups, budget=budget, limit=limit, model=model)]

    def summary(self, *, budget: int = 200, summarise: Summariser | None = None) -> str:
        """What was said so far, within `budget` tokens: its most telling sentences, or what `summarise` writes.

        `summarise` is a model such as "openai:gpt-5", or any function that takes a prompt and gives a model's answer.
        """
        check_positive("budget", budget)
        said = self._read_all()
        return asked_summary(said, budget, asker(summarise)) if summarise and said else self._own_words(said, budget)

    def context(
        self,
        query: str | None = None,
        *,
        budget: int = 4000,
        recall: int | None = None,
        summarise: Summariser | None = None,
        model: str = "o200k",
    ) -> SessionContext:
        """What a model needs for the next turn within `budget` tokens: what is remembered for `query` (or for the
        last thing the user said), the newest exchanges, and a summary of the older ones.

        `recall`: how many of them what is remembered may take beside what is pinned; a quarter for both if not given.
        `summarise`: the model that writes the summary, as in `summary`; when it fails, sentences stand in for it.
        """
        check_positive("budget", budget)
        said = self._read_all()
        groups = exchanges(said)
        needed = newest_cost(groups, budget, model)
        wanted = budget // 4 if recall is None else self._memory.context(budget=1, model=model).tokens + recall
        share = max(1, min(wanted, budget - needed))
        told = (message.content for message in reversed(said) if message.role == "user" and message.content)
        asked = query or next(told, "")[:2_000] or None

        def remembered(share: int, shown: Sequence[Message]) -> Context:
            return self._memory.context(asked, budget=share, shown=[message.id for message in shown], model=model)

        # What may stand in the window as it was said is not recalled: it would outdo what is far, and say it twice.
        known = remembered(share, newest(groups, budget=budget, limit=None, model=model))
        left = budget - known.tokens
        if left < needed:
            raise InvalidInput(
                f"what is pinned needs {known.tokens} tokens and the newest exchange {needed}, the budget is {budget}: "
                "raise it, or unpin something"
            )
        kept, summary = self._window(groups, left, needed, summarise, model, step=budget // 4)
        spent = count(summary, model) + sum(cost(message, model) for message in kept)
        if len(kept) < len(said):
            known = remembered(max(1, min(share, budget - spent)), kept)
        messages = tuple(from_message(message) for message in kept)
        return SessionContext(known, summary, messages, known.tokens + spent, budget)

    def brief(self) -> str:
        """What the next session should know of this one: when it was, what was learned, what is planned, how it
        ended. Empty when nothing was said."""
        said = self._read_all()
        if not said:
            return ""
        now = self._memory.tick()
        facts = facts_from(self._memory.store, self._memory.owner, [message.id for message in said])
        told = {fact.id: fact for message in said for fact in facts.get(message.id, ())}
        present, ahead = list[str](), list[str]()
        for fact in told.values():
            line = f"{fact.text} (disputed)" if fact.disputes else fact.text
            if is_open(fact, now) and fact.since is not None and fact.since > now:
                ahead.append(f"{line} (from {fact.since:%Y-%m-%d})")
            elif is_open(fact, now):
                present.append(line)
        talk = [message for message in exchanges(said)[-1] if message.origin in ("user", "assistant")]
        ended = [(message, cut(words_of(message), 200)) for message in talk]
        parts = [
            f"Session {self.name!r}, {len(said)} messages, last active {said[-1].at:%Y-%m-%d %H:%M} UTC.",
            listed("Learned in it:", present[-BRIEF_FACTS:]),
            listed("Planned:", ahead[-BRIEF_FACTS:]),
            listed("It ended with:", [f"{speaker(one)}: {words}" for one, words in ended if words]),
        ]
        return "\n".join(part for part in parts if part)

    def _info(self) -> SessionInfo | None:
        infos = self._memory.store.read(self._memory.owner, SessionInfo)
        return next((info for info in infos if info.session == self.name), None)

    def _read_all(self) -> list[Message]:
        """All that was said, once the facts in it were looked for."""
        catch_up(self._memory._runtime, self._memory.owner, asked=False)
        return self._read()

    def _read(self, last: int | None = None) -> list[Message]:
        return self._memory.store.read(self._memory.owner, Message, Query(session=self.name, last=last))

    def _newest_groups(self, most: int) -> list[list[Message]]:
        """Groups of the newest messages, from which at most so many will be taken: a long session is not read whole."""
        said = self._read(last=most + 1)
        groups = exchanges(said)
        # The first group may have begun earlier. It is one too many to be taken, unless it is the only one.
        if len(said) <= most or (len(groups) > 1 and not answers_earlier(groups[1:])):
            return groups
        return exchanges(self._read())

    def _window(
        self,
        groups: Sequence[Sequence[Message]],
        budget: int,
        needed: int,
        summarise: Summariser | None,
        model: str,
        *,
        step: int,
    ) -> tuple[list[Message], str]:
        """The newest groups and a summary of those before them, within the budget."""
        said = [message for group in groups for message in group]
        kept = newest(groups, budget=budget, limit=None, model=model)
        if len(kept) == len(said):
            return kept, ""
        share = min(budget // 5, budget - needed)
        kept = steady(groups, budget=budget - share, step=step, model=model)
        return kept, self._summary(said[: len(said) - len(kept)], share, summarise, model)

    def _summary(self, said: Sequence[Message], budget: int, ask: Summariser | None, model: str) -> str:
        """What a model makes of it, taken up where it left off, or the most telling sentences when there is none."""
        if ask is None or not said or budget < 1:
            return self._own_words(said, budget, model)
        parts, key = self._memory._runtime, (self._memory.owner, self.name)
        try:
            text, parts.digests[key] = rolled(
                said, budget, asker(ask), before=parts.digests.get(key), own_words=self._own_words
            )
        except ModelError as error:
            parts.problems["summariser"] = str(error)
            return self._own_words(said, budget, model)
        parts.problems.pop("summariser", None)
        return text

    def _own_words(self, said: Sequence[Message], budget: int, model: str = "o200k") -> str:
        if not said or budget < 1:
            return ""
        facts = facts_from(self._memory.store, self._memory.owner, [message.id for message in said])
        return summarise(said, facts, budget=budget, now=self._memory.tick(), model=model)


def listed(title: str, lines: Sequence[str]) -> str:
    return "\n".join([title, *(f"- {line}" for line in lines)]) if lines else ""


# Conversations in pieces that must not be split, and what they cost.


def check_positive(name: str, value: object) -> None:
    if not isinstance(value, int) or isinstance(value, bool) or value < 1:
        raise InvalidInput(f"{name} must be a whole number of 1 or more, got {value!r}")


def exchanges(messages: Sequence[Message]) -> list[list[Message]]:
    """The messages in groups that must not be split: a user's turn with all that follows from it."""
    glued = between_calls_and_results(messages)
    starts = [place for place in range(1, len(messages)) if opens(messages, place) and place not in glued]
    edges = [0, *starts, len(messages)] if messages else []
    return [list(messages[start:end]) for start, end in pairwise(edges)]


def opens(messages: Sequence[Message], place: int) -> bool:
    """Whether an exchange begins here: at a user's turn, or at the instructions that stand before one."""
    if is_instruction(messages[place - 1]):
        return False
    here_on = (messages[later] for later in range(place, len(messages)))
    speaker = next((message for message in here_on if not is_instruction(message)), None)
    return speaker is not None and speaker.role == "user" and not calls_answered(speaker.raw or {})


def is_instruction(message: Message) -> bool:
    return message.role in ("system", "developer")


def between_calls_and_results(messages: Sequence[Message]) -> set[int]:
    """The places at which a cut would part a tool call from its result."""
    called: dict[str, int] = {}
    glued: set[int] = set()
    for place, message in enumerate(messages):
        for call in calls_answered(message.raw or {}):
            glued.update(range(called.get(call, place) + 1, place + 1))
        called.update(dict.fromkeys(calls_made(message.raw or {}), place))
    return glued


def answers_earlier(groups: Sequence[Sequence[Message]]) -> bool:
    """Whether these groups hold the result of a tool call that stands before them."""
    raws = [message.raw for group in groups for message in group if message.raw]
    made = {call for raw in raws for call in calls_made(raw)}
    return any(calls_answered(raw) - made for raw in raws)


def newest(groups: Sequence[Sequence[Message]], *, budget: int | None, limit: int | None, model: str) -> list[Message]:
    """The last groups that fit, oldest first."""
    if budget is not None:
        newest_cost(groups, budget, model)
    taken: list[Sequence[Message]] = []
    left, room = budget, limit
    for group in reversed(groups):
        room = None if room is None else room - len(group)
        left = None if left is None else left - sum(cost(message, model) for message in group)
        if taken and ((room is not None and room < 0) or (left is not None and left < 0)):
            break
        taken.append(group)
    return [message for group in reversed(taken) for message in group]


def steady(groups: Sequence[Sequence[Message]], *, budget: int, step: int, model: str) -> list[Message]:
    """As `newest`, but where something is left out its beginning moves on seldom, by about `step` tokens at once: a
    prompt cache can keep what stays in its place."""
    fitting = newest(groups, budget=budget, limit=None, model=model)
    begins = list(accumulate(map(len, groups), initial=0))
    if len(fitting) == begins[-1]:
        return fitting
    costs = (sum(cost(message, model) for message in group) for group in groups)
    # The steps are counted from the first word of the conversation, so that they stay where they are.
    steps = [spent // max(1, step) for spent in accumulate(costs, initial=0)]
    left_out = begins[-1] - len(fitting)
    edges = [place for place in range(1, len(groups)) if steps[place] > steps[place - 1]]
    start = next((place for place in edges if begins[place] >= left_out), None)
    return fitting if start is None else [message for group in groups[start:] for message in group]


def newest_cost(groups: Sequence[Sequence[Message]], budget: int, model: str) -> int:
    """What the newest group costs; one that is larger than the budget is refused, not dropped."""
    needed = sum(cost(message, model) for message in groups[-1]) if groups else 0
    if needed > budget:
        raise InvalidInput(f"the newest exchange needs {needed} tokens, the budget is {budget}: raise it")
    return needed


def cost(message: Message, model: str) -> int:
    """The tokens of one message in a window; images and files, which no tokenizer counts, are estimated."""
    if message.raw is None:
        return MESSAGE_TOKENS + count(message.content, model)
    texts, files = without_files(message.raw)
    return MESSAGE_TOKENS + count(json.dumps(texts, ensure_ascii=False), model) + 1_000 * files  # an estimate


def without_files(value: Any) -> tuple[Any, int]:
    """The value with the data of images and files left out, and how many there were."""
    if isinstance(value, list):
        parts = [without_files(part) for part in value]
        return [part for part, _ in parts], sum(files for _, files in parts)
    if not isinstance(value, Mapping):
        return value, 0
    if is_file(value):
        return {"type": value["type"]}, 1
    named = {key: without_files(part) for key, part in value.items()}
    return {key: part for key, (part, _) in named.items()}, sum(files for _, files in named.values())


def is_file(part: Mapping[str, Any]) -> bool:
    kind, source = part.get("type"), part.get("source")
    if kind == "document" and isinstance(source, Mapping):
        return source.get("type") not in ("text", "content")
    return kind in ("image", "image_url", "input_image", "input_audio", "input_file", "file")
