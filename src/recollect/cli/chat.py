"""`recollect chat`: a conversation with memory, with a model or, without one, with the memory itself."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Protocol

import typer

from recollect import Fact, Memory, RecollectError
from recollect.cli import output, show
from recollect.cli.command import TELL, Db, Json, Owner, app, reporting
from recollect.cli.output import aside, complain, words
from recollect.cli.speaking import answer, question_in
from recollect.errors import InvalidInput, NotFound
from recollect.records import Context

if TYPE_CHECKING:
    from recollect import Agent
    from recollect.agent.trace import Answer, Step

BUDGET = 400
HELP = """\
/facts [WORDS]    what is known, or what is known about something
/why WHAT         where a fact comes from: its key, its id, or some words
/forget WHAT      end a fact, by its key or id; `recollect undo` brings it back
/context [WORDS]  what a model would be given, and what it costs
/quit             leave; what was said is kept"""


class Partner(Protocol):
    """Who answers."""

    def reply(self, line: str) -> None:
        """Keep what was said, and print the answer with what it took."""
        ...


@dataclass
class Console:
    """The memory itself: it answers from what is stored, and says so when it does not know."""

    memory: Memory
    session: str
    budget: int

    def reply(self, line: str) -> None:
        asked = question_in(line)
        given = self.memory.context(asked or line, budget=self.budget)
        found = answer(self.memory, asked) if asked else []
        added = self.memory.add(line, session=self.session)
        if added.receipts or not asked:
            output.put(show.added(added))
        for sentence in found:
            output.put(words(sentence))
        injected(given)


@dataclass
class WithModel:
    """A model that is given what is remembered, and may use the memory's tools."""

    agent: Agent
    memory: Memory

    def reply(self, line: str) -> None:
        done = self.agent.ask(line, on_text=printed, on_step=called)
        sys.stdout.write("\n")
        if done.stopped != "done":
            aside(f"(the answer ended early: {done.stopped})")
        spent(done, self.memory)


def printed(piece: str) -> None:
    """A piece of the answer as it comes."""
    sys.stdout.write(output.safe(piece))
    sys.stdout.flush()


def called(step: Step) -> None:
    """What the model does with its tools, beside the answer."""
    if step.kind in ("call", "result"):
        aside(f"  {step}")


def injected(given: Context) -> None:
    """What a model would have been given, and its price."""
    for hit in given.hits:
        aside(f"  remembered: {output.one_line(hit.text)}")
    aside(f"  {show.price(given.tokens, given.history_tokens, given.saved)}")


def spent(done: Answer, memory: Memory) -> None:
    """What the model was given of the memory, and what the turn cost."""
    for step in done.steps:
        if step.kind == "memory":
            lines = [line[2:] for line in step.text.splitlines() if line.startswith("- ")]
            for line in lines:
                aside(f"  remembered: {output.one_line(line)}")
            aside(f"  {output.count(step.tokens, 'token')} of memory; the whole history has {memory.stats().tokens:,}")
    usage = done.usage
    aside(f"  the model read {usage.input:,} tokens ({usage.cached:,} from its cache) and wrote {usage.output:,}")


# Commands


def facts(memory: Memory, about: str) -> None:
    """What holds, or what of it is about something."""
    if not about:
        output.put(show.facts(memory.facts()))
        return
    found = [hit.record for hit in memory.search(about, limit=10) if isinstance(hit.record, Fact)]
    output.put(show.facts(found))


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
        near = [hit.record for hit in memory.search(what, limit=3) if isinstance(hit.record, Fact)]
        meant = "; ".join(f"/forget {fact.id} ({fact.text})" for fact in near)
        raise NotFound(f"{error}. Did you mean: {meant}" if meant else str(error)) from error


def context(memory: Memory, about: str) -> None:
    """What a model would be given."""
    given = memory.context(about or None, budget=BUDGET)
    output.put(words(given.text or "Nothing is pinned: give some words to see what they bring back."))
    aside(f"  {show.price(given.tokens, given.history_tokens, given.saved)}")


COMMANDS: dict[str, Callable[[Memory, str], None]] = {"facts": facts, "why": why, "forget": forget, "context": context}
NEED = ("why", "forget")


def obey(memory: Memory, line: str) -> None:
    """Run a line that begins with a slash."""
    name, _, rest = line[1:].partition(" ")
    if name in ("help", "?", ""):
        output.put(words(HELP))
    elif name not in COMMANDS:
        raise InvalidInput(f"there is no /{name}: /help lists what there is")
    elif name in NEED and not rest.strip():
        raise InvalidInput(f"say what: /{name} WHAT")
    else:
        COMMANDS[name](memory, rest.strip())


# The conversation


def lines() -> Iterator[str]:
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


def talk(memory: Memory, partner: Partner) -> None:
    """Answer line by line. What goes wrong is said, and the conversation goes on."""
    for line in lines():
        try:
            if line.startswith("/"):
                obey(memory, line)
            else:
                partner.reply(line)
        except RecollectError as error:
            complain(str(error))
        sys.stdout.flush()


@app.command(rich_help_panel=TELL)
def chat(
    ctx: typer.Context,
    model: Annotated[
        str | None,
        typer.Option("--model", "-m", metavar="NAME", help="Such as 'openai:gpt-5'; else RECOLLECT_MODEL, else none."),
    ] = None,
    session: Annotated[str | None, typer.Option(help="Go on with this conversation; a new one if not given.")] = None,
    budget: Annotated[int, typer.Option("--budget", "-b", help="Tokens of memory for each turn.")] = BUDGET,
    owner: Owner = None,
    db: Db = None,
    as_json: Json = False,
) -> None:
    """Talk with memory: to a model, or without one to the memory itself. /help lists the commands in it."""
    settings = ctx.obj.over(owner, db, as_json)
    with reporting(as_json=settings.as_json):
        if settings.as_json:
            raise InvalidInput("a conversation is for people: use add, search and context with --json")
        with settings.open() as memory:
            name = session or memory.clock.new_id("s")
            chosen = model or os.environ.get("RECOLLECT_MODEL")
            partner = partner_for(memory, chosen, name, budget)
            greet(memory, chosen)
            talk(memory, partner)


def partner_for(memory: Memory, model: str | None, session: str, budget: int) -> Partner:
    if budget < 1:
        raise InvalidInput(f"--budget must be 1 or more, not {budget}")
    if model is None:
        return Console(memory, session, budget)
    from recollect import Agent  # it needs asyncio, which no other command waits for

    return WithModel(Agent(memory, model, session=session, recall=budget), memory)


def greet(memory: Memory, model: str | None) -> None:
    """Who answers, whose memory it is, and how much is in it."""
    counted = memory.stats()
    known = f"{output.count(counted.current_facts, 'fact')} known of {memory.owner!r}"
    who = f"{model} answers" if model else "no model: the memory itself answers"
    aside(f"{who}; {known}. /help lists the commands, /quit leaves.")
