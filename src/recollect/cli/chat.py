"""`recollect chat`: a conversation with memory, with a model or, without one, with the memory itself."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterator
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer

from recollect import Fact, Hit, Memory, Message, Note, RecollectError
from recollect.cli import output, show
from recollect.cli.command import TELL, app, bare_command
from recollect.cli.output import aside, complain, words
from recollect.cli.settings import Settings
from recollect.errors import InvalidInput, NotFound

if TYPE_CHECKING:
    from recollect import Agent
    from recollect.agent.trace import Step

BUDGET = 400
HELP = """\
/facts [WORDS]    what is known, or what is known about something
/why WHAT         where a fact comes from: its key, its id, or some words
/forget WHAT      end a fact, by its key or id; `recollect undo` brings it back
/context [WORDS]  what a model would be given, and what it costs
/quit             leave; what was said is kept"""
IRREGULAR = {"is": "are", "has": "have", "was": "were", "does": "do", "goes": "go"}
ADVERBS = frozenset("always usually often never sometimes rarely really also still only".split())
NOUN_IS = re.compile(r"^(?:\S+ ){1,4}?(?:is|are|include|includes)\b")
QUESTION = re.compile(
    r"(?i)^(?:and |so |but |ok,? |hey,? )?(?:who|whom|whose|what|when|where|which|why|how|do|does|did|am|is|are|was|"
    r"were|can|could|should|would|will|have|has|tell me|remind me)\b"
)


def answer_from_memory(memory: Memory, session: str, budget: int, line: str) -> None:
    """Keep what was said, and answer from what is stored, or say that it does not know."""
    asked = question_in(line)
    given = memory.context(asked or line, budget=budget)
    found = answers(memory, asked) if asked else []
    added = memory.add(line, session=session)
    if added.receipts or not asked:
        output.put(show.added(added))
    for sentence in found:
        output.put(words(sentence))
    for hit in given.hits:
        aside(f"  remembered: {output.one_line(hit.text)}")
    aside(f"  {show.price(given.tokens, given.history_tokens, given.saved)}")


def answer_from_model(agent: Agent, memory: Memory, line: str) -> None:
    """Let a model answer, which is given what is remembered and may use the memory's tools."""
    done = agent.ask(line, on_text=print_piece, on_step=print_step)
    sys.stdout.write("\n")
    if done.stopped != "done":
        aside(f"(the answer ended early: {done.stopped})")
    for step in done.steps:
        if step.kind == "memory":
            for item in (part[2:] for part in step.text.splitlines() if part.startswith("- ")):
                aside(f"  remembered: {output.one_line(item)}")
            aside(f"  {output.plural(step.tokens, 'token')} of memory; the whole history has {memory.stats().tokens:,}")
    usage = done.usage
    aside(f"  the model read {usage.input:,} tokens ({usage.cached:,} from its cache) and wrote {usage.output:,}")


def print_piece(piece: str) -> None:
    """A piece of the answer as it comes."""
    sys.stdout.write(output.printable(piece))
    sys.stdout.flush()


def print_step(step: Step) -> None:
    """What the model does with its tools, beside the answer."""
    if step.kind in ("call", "result"):
        aside(f"  {step}")


# Commands


def facts(memory: Memory, about: str) -> None:
    """What holds, or what of it is about something."""
    output.put(show.facts(facts_about(memory, about, 10) if about else memory.facts()))


def facts_about(memory: Memory, what: str, most: int) -> list[Fact]:
    return [hit.record for hit in memory.search(what, limit=most) if isinstance(hit.record, Fact)]


def why(memory: Memory, what: str) -> None:
    """Where a fact comes from; one that is not found by its key is searched for."""
    try:
        output.put(show.explanation(memory.why(what)))
    except NotFound:
        hits = memory.search(what, limit=1)
        if not hits:
            raise
        output.put(show.explanation(memory.why(hits[0])))


def forget(memory: Memory, what: str) -> None:
    """End what is known under a key or an id; other words only show what they might mean."""
    try:
        output.put(show.changed(memory.forget(what)))
    except NotFound as error:
        meant = "; ".join(f"/forget {fact.id} ({fact.text})" for fact in facts_about(memory, what, 3))
        raise NotFound(f"{error}. Did you mean: {meant}" if meant else str(error)) from error


def context(memory: Memory, about: str) -> None:
    """What a model would be given."""
    given = memory.context(about or None, budget=BUDGET)
    output.put(words(given.text or "Nothing is pinned: give some words to see what they bring back."))
    aside(f"  {show.price(given.tokens, given.history_tokens, given.saved)}")


COMMANDS: dict[str, Callable[[Memory, str], None]] = {"facts": facts, "why": why, "forget": forget, "context": context}


def run_chat_command(memory: Memory, line: str) -> None:
    """Run a line that begins with a slash."""
    name, _, rest = line[1:].partition(" ")
    if name in ("help", "?", ""):
        output.put(words(HELP))
    elif name not in COMMANDS:
        raise InvalidInput(f"there is no /{name}: /help lists what there is")
    elif name in ("why", "forget") and not rest.strip():
        raise InvalidInput(f"say what: /{name} WHAT")
    else:
        COMMANDS[name](memory, rest.strip())


# The conversation


@bare_command(app, panel=TELL)
def chat(
    settings: Settings,
    model: Annotated[
        str | None,
        typer.Option("--model", "-m", metavar="NAME", help="Such as 'openai:gpt-5'; else RECOLLECT_MODEL, else none."),
    ] = None,
    session: Annotated[str | None, typer.Option(help="Go on with this conversation; a new one if not given.")] = None,
    budget: Annotated[int, typer.Option("--budget", "-b", help="Tokens of memory for each turn.")] = BUDGET,
) -> None:
    """Talk with memory: to a model, or without one to the memory itself. /help lists the commands in it."""
    if settings.as_json:
        raise InvalidInput("a conversation is for people: use add, search and context with --json")
    with settings.open() as memory:
        chosen = model or os.environ.get("RECOLLECT_MODEL")
        reply = replies(memory, chosen, session or memory.clock.new_id("s"), budget)
        counted = memory.stats()
        known = f"{output.plural(counted.current_facts, 'fact')} known of {memory.owner!r}"
        who = f"{chosen} answers" if chosen else "no model: the memory itself answers"
        aside(f"{who}; {known}. /help lists the commands, /quit leaves.")
        talk(memory, reply)


def replies(memory: Memory, model: str | None, session: str, budget: int) -> Callable[[str], None]:
    """What answers a line and prints the answer, with what it took: a model, or the memory itself."""
    if budget < 1:
        raise InvalidInput(f"--budget must be 1 or more, not {budget}")
    if model is None:
        return partial(answer_from_memory, memory, session, budget)
    from recollect import Agent  # it needs asyncio, which no other command waits for

    return partial(answer_from_model, Agent(memory, model, session=session, recall=budget), memory)


def talk(memory: Memory, reply: Callable[[str], None]) -> None:
    """Answer line by line. What goes wrong is said, and the conversation goes on."""
    for line in read_lines():
        try:
            if line.startswith("/"):
                run_chat_command(memory, line)
            else:
                reply(line)
        except RecollectError as error:
            complain(str(error))
        sys.stdout.flush()


def read_lines() -> Iterator[str]:
    """What is typed, or piped in, line by line, until it ends or someone leaves."""
    while True:
        try:
            line = input("> ") if sys.stdin.isatty() else next(sys.stdin).rstrip("\n")
        except (EOFError, StopIteration):
            return
        if line.strip() in ("/quit", "/exit", "/q"):
            return
        if line.strip():
            yield line.strip()


# What is remembered, as one would say it to its owner: "You prefer window seats. You said so on 3 May."


def question_in(line: str) -> str | None:
    """What a line asks, if it asks: its last sentence."""
    last = re.split(r"(?<=[.!?])\s+", line.strip())[-1]
    return last if last.endswith("?") or QUESTION.match(last) else None


def answers(memory: Memory, question: str) -> list[str]:
    """What is remembered about a question, best first, each with who said so and when."""
    hits = [
        hit  # another question answers none
        for hit in memory.search(question, limit=8)
        if not isinstance(hit.record, Message) or question_in(hit.record.content) is None
    ]
    facts = [hit for hit in hits if isinstance(hit.record, Fact)]  # messages are told only where there is none
    good = [hit for hit in facts or hits if hit.score >= hits[0].score * 0.75]  # almost as good as the best
    return [hit_sentence(hit, memory.tick()) for hit in good[:3]] or ["I do not know: you have not told me."]


def hit_sentence(hit: Hit, now: datetime) -> str:
    """One hit as a sentence or two."""
    record = hit.record
    if isinstance(record, Note):
        return f"There is a note {record.path}: {' '.join(record.text.split())[:300]}"
    if isinstance(record, Message):
        who = f"{record.name or 'you'} said" if record.origin == "user" else f"the {record.origin} said"
        words = " ".join(record.content.split())[:300]
        over = " That is no longer so." if hit.ended else ""
        return f"On {spoken_day(record.at, now)} {who}: “{words}”{'' if words.endswith(('.', '!', '?')) else '.'}{over}"
    doubt = f" But it contradicts “{hit.dispute.text}”." if hit.dispute else ""
    return f"{fact_sentence(record)} {source_sentence(record, now)}{doubt}"


def source_sentence(fact: Fact, now: datetime) -> str:
    """Who said so, and when."""
    when = spoken_day(fact.said, now)
    if fact.origin == "user":
        return f"You said so on {when}."
    return f"That was noted by the {fact.origin} on {when}, not said by you."


def fact_sentence(fact: Fact) -> str:
    """A fact as one says it to the owner."""
    text = fact.text
    if fact.subject == "user":
        is_noun = NOUN_IS.match(text) and text.split()[0] not in (*IRREGULAR, *ADVERBS)
        text = f"Your {text}" if is_noun else f"You {second_person(text)}"
    elif fact.subject.islower() and text.startswith(fact.subject):
        text = f"Your {text}"
    elif fact.subject not in text:
        text = f"{fact.subject}: {text}"
    return text[:1].upper() + text[1:].rstrip(".") + "."


def second_person(text: str) -> str:
    """The predicate for "you": "lives in Porto" becomes "live in Porto"."""
    first, _, rest = text.partition(" ")
    if first in ADVERBS:
        return f"{first} {second_person(rest)}"
    return f"{IRREGULAR.get(first) or plain_verb(first)} {rest}".strip()


def plain_verb(verb: str) -> str:
    if re.search(r"[^aeiou]ies$", verb):
        return verb[:-3] + "y"
    if re.search(r"(?:ch|sh|ss|x|zz|o)es$", verb):
        return verb[:-2]
    return verb[:-1] if verb.endswith("s") and not verb.endswith("ss") else verb


def spoken_day(moment: datetime, now: datetime) -> str:
    """A day as one says it, with the year where it is another one."""
    return f"{moment.day} {moment:%B}" + ("" if moment.year == now.year else f" {moment.year}")
