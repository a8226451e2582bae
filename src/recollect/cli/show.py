"""Records as people read them: short lines and small tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from recollect import Fact, Hit, Message, Note
from recollect.cli.output import aside, date_of, one_line, plural, printable, stacked, table, words
from recollect.facts.trust import attribution
from recollect.records import Added, Change, Context, Erasure, Explanation, Graph, Receipt, SessionInfo, Spent, Stats

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.text import Text

COLOURS = {
    "stored": "green",
    "confirmed": "green",
    "replaced": "cyan",
    "corrected": "cyan",
    "planned": "cyan",
    "ended": "yellow",
    "retired": "yellow",
    "disputed": "magenta",
    "doubted": "magenta",
    "refused": "red",
}


def outcome(what: str, text: str, *, note: str = "") -> Text:
    """A line such as "stored: lives in Lisbon"."""
    from rich.text import Text

    line = Text.assemble((f"{what}: ", COLOURS.get(what, "bold")), one_line(text))
    return line.append(f" ({one_line(note)})", style="dim") if note else line


# What was done


def added(done: Added) -> RenderableType:
    """The receipts of an add, in words."""
    said = [line for receipt in done.receipts for line in receipt_lines(receipt)]
    said += [outcome("removed", kind, note="before anything was kept") for kind in done.redactions]
    said += [outcome("warning", warning) for warning in done.warnings]
    return stacked(said, otherwise=f"kept: {plural(len(done.messages), 'message')}, with no facts in plain words")


def receipt_lines(receipt: Receipt) -> list[Text]:
    """What became of one draft, and of the facts it touched."""
    text = receipt.fact.text if receipt.fact else receipt.draft.text
    note = receipt.why if receipt.outcome in ("refused", "disputed") else ""
    touched = [fact for fact in receipt.affected if receipt.fact is None or fact.id != receipt.fact.id]
    return [outcome(receipt.outcome, text, note=note), *(touched_line(fact) for fact in touched)]


def touched_line(fact: Fact) -> Text:
    """A fact that another one closed."""
    if fact.retired:
        return outcome("  retired", fact.text, note="was never so")
    return outcome("  ended", fact.text, note=date_of(fact.until)) if fact.until else outcome("  kept", fact.text)


def settled(fact: Fact) -> RenderableType:
    """What was decided of a fact that was in doubt."""
    return outcome("ended" if fact.until or fact.retired else "confirmed", fact.text, note=fact.id)


def pinned(record: Fact | Note) -> RenderableType:
    """Whether a fact or a note is in core."""
    text = record.text if isinstance(record, Fact) else record.path
    return outcome("pinned" if record.pinned else "unpinned", text)


def changed(changes: Sequence[Change]) -> RenderableType:
    """What a forget or an undo did."""
    lines = [outcome("undone" if one.undoes else one.kind, changed_text(one), note=one.why) for one in changes]
    return stacked(lines, otherwise="Nothing had to change.")


def changed_text(change: Change) -> str:
    """The text or the path of the record that a change was about."""
    record: Mapping[str, Any] = change.after or change.before or {}
    return str(record.get("path") or record.get("text") or change.record_id)


def erasure(done: Erasure) -> RenderableType:
    """The receipt: what went, what was scanned, what was found."""
    went = [(done.facts, "fact"), (done.messages, "message"), (done.notes, "note"), (done.vectors, "vector")]
    gone = ", ".join(plural(number, what) for number, what in went if number)
    found = words("verified: nothing of it is left in these files", style="green")
    if not done.verified:
        found = words("NOT verified: something may be left", style="bold red")
    scanned = [words(f"scanned: {path}") for path in done.scanned]
    return stacked([outcome("erased", gone), *scanned, found, *(words(f"  {place}") for place in done.residue)])


# What is known


def hits(found: Sequence[Hit]) -> RenderableType:
    """Ranked rows, each with what found it."""
    rows = [
        (one_line(hit_text(hit)), when(hit), ", ".join(hit.found_by[:3]), f"{hit.score:.2f}", hit.id) for hit in found
    ]
    return table(("what", "when", "found by", "score", "id"), rows, otherwise="Nothing found.")


def hit_text(hit: Hit) -> str:
    """A hit as a sentence, with what a reader must know to weigh it."""
    record = hit.record
    if isinstance(record, Message):
        text = f"{attribution(record)}: “{record.content}”"
        return f"{text} (no longer so: {hit.ended.why or 'it ended'})" if hit.ended else text
    if isinstance(record, Note):
        return f"note {record.path}: {record.text}"
    text = f"{hit.text} (planned, not confirmed)" if record.planned else hit.text
    return f"{text} (disputed: contradicts “{hit.dispute.text}”)" if hit.dispute else text


def when(hit: Hit) -> str:
    record = hit.record
    if isinstance(record, Fact):
        return date_of(record.since or record.said)
    return date_of(record.at if isinstance(record, Message) else record.learned)


def facts(known: Sequence[Fact]) -> RenderableType:
    """What holds, newest first."""
    rows = [
        (one_line(fact.text + marks(fact)), one_line(fact.category), date_of(fact.since), teller(fact), fact.id)
        for fact in known
    ]
    return table(("what", "category", "since", "said", "id"), rows, otherwise="Nothing is known.")


def marks(fact: Fact) -> str:
    """What sets a fact apart from the others."""
    known = {
        "pinned": fact.pinned,
        "disputed": fact.disputes,
        "may be outdated": fact.doubted_by,
        "planned, not confirmed": fact.planned,
    }
    found = [name for name, given in known.items() if given]
    return f" [{', '.join(found)}]" if found else ""


def teller(fact: Fact) -> str:
    said = date_of(fact.said)[:10]
    return said if fact.origin == "user" else f"{said}, {fact.origin}"


def history(known: Sequence[Fact]) -> RenderableType:
    """Every value with its window."""
    rows = [
        (
            one_line(fact.value),
            date_of(fact.since) if fact.since else f"told {date_of(fact.said)}",
            "never so" if fact.retired else date_of(fact.until, missing="now"),
            one_line(fact.why),
            fact.id,
        )
        for fact in known
    ]
    return table(("value", "from", "until", "why", "id"), rows, otherwise="Nothing was ever known under that key.")


def context(given: Context) -> RenderableType:
    """The text alone on stdout, for a pipe into a model; its price beside it."""
    aside(price(given.tokens, given.history_tokens, given.saved))
    return words(given.text)


def price(tokens: int, whole: int, saved: int) -> str:
    """What a context costs, next to the whole history."""
    share = f" ({saved * 100 // whole} %)" if saved else ""
    return f"{plural(tokens, 'token')}; the whole history has {whole:,}; saved {saved:,}{share}"


def explanation(told: Explanation) -> RenderableType:
    return stacked([words(told.headline, style="bold"), *(words(f"  {one_line(step)}") for step in told.steps)])


def graph(drawn: Graph) -> RenderableType:
    """The links between subjects."""
    rows = [(one.subject, one.attribute, one.object, date_of(one.fact.since), one.fact.id) for one in drawn.edges]
    unlinked = f"No links between subjects yet ({plural(len(drawn.facts), 'fact')} known)."
    return table(("subject", "link", "to", "since", "id"), rows, otherwise=unlinked)


def changes(log: Sequence[Change]) -> RenderableType:
    """The log, newest first."""
    rows = [(date_of(one.at), one.kind, one_line(changed_text(one), most=80), one_line(one.why), one.id) for one in log]
    return table(("when", "what", "record", "why", "id"), rows, otherwise="Nothing was changed yet.")


def sessions(known: Sequence[SessionInfo]) -> RenderableType:
    """Conversations, newest first."""
    rows = [(one_line(one.session), str(one.messages), date_of(one.first), date_of(one.last)) for one in known]
    return table(("session", "messages", "from", "until"), rows, otherwise="No sessions yet.")


def conversation(said: Sequence[Mapping[str, Any]]) -> RenderableType:
    """Who said what, in order."""
    from rich.text import Text

    lines = []
    for message in said:
        who = str(message.get("name") or message.get("role") or "?")
        lines.append(Text.assemble((f"{printable(who)}: ", "bold"), printable(content(message))))
    return stacked(lines, otherwise="Nothing was said.")


def content(message: Mapping[str, Any]) -> str:
    """The words of a message, or its parts where it has more than words."""
    held = message.get("content")
    if isinstance(held, list):
        held = " ".join(str(part.get("text") or f"[{part.get('type')}]") for part in held if isinstance(part, Mapping))
    calls = [f"[calls {call['function']['name']}]" for call in message.get("tool_calls") or () if "function" in call]
    return " ".join([*([str(held)] if held else []), *calls])


def notes(known: Sequence[Note]) -> RenderableType:
    """Texts at paths."""
    rows = [
        (
            note.path,
            str(note.version),
            "yes" if note.pinned else "",
            date_of(note.learned),
            one_line(note.text, most=60),
        )
        for note in known
    ]
    return table(("path", "version", "pinned", "when", "begins"), rows, otherwise="No notes.")


def names(known: Sequence[str]) -> RenderableType:
    return stacked([words(one_line(name)) for name in known], otherwise="Nobody has anything here yet.")


def stats(counted: Stats) -> RenderableType:
    """How much there is."""
    rows = [
        ("messages", f"{counted.messages:,} in {plural(counted.sessions, 'session')}"),
        ("tokens", f"{counted.tokens:,} in all messages"),
        ("facts", f"{counted.facts:,}, {counted.current_facts:,} hold now"),
        ("notes", f"{counted.notes:,}"),
        ("changes", f"{counted.changes:,}"),
    ]
    if counted.waiting:
        rows.append(("waiting", f"{plural(counted.waiting, 'message')} that the reader has still to read"))
    if counted.spent is not None:
        rows.append((f"calls to {counted.spent.model}", spent(counted.spent)))
    return table(("owner", counted.owner), rows)


def spent(cost: Spent) -> str:
    """What a model has cost: today, in all, and for what."""
    caps = [(cost.daily_calls, "calls"), (cost.daily_tokens, "tokens")]
    capped = " and ".join(f"{most:,} {what}" for most, what in caps if most is not None)
    today = f"{cost.calls_today:,} today with {cost.tokens_today:,} tokens" + (f" (of {capped})" if capped else "")
    whole = f"{cost.calls:,} in all with {cost.tokens:,} tokens"
    priced = f", {cost.cost:,.4f} in money" if cost.cost is not None else ""
    kinds = ", ".join(f"{number:,} for {what}" for what, number in sorted(cost.purposes.items()))
    return f"{today}; {whole}{priced}" + (f"; {kinds}" if kinds else "")
