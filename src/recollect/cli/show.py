"""Records as people read them: short lines and small tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from recollect import Fact, Hit, Message, Note
from recollect.cli.output import aside, count, day, one_line, safe, stacked, table, words
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


def lines(texts: Sequence[RenderableType], *, otherwise: str) -> RenderableType:
    """One line each, or what to say when there is none."""
    return stacked(texts) if texts else words(otherwise, style="dim")


def outcome(what: str, text: str, *, note: str = "") -> Text:
    """A line such as "stored: lives in Lisbon"."""
    from rich.text import Text

    line = Text.assemble((f"{what}: ", COLOURS.get(what, "bold")), one_line(text))
    return line.append(f" ({one_line(note)})", style="dim") if note else line


def added(done: Added) -> RenderableType:
    """The receipts of an add, in words."""
    said = [line for receipt in done.receipts for line in receipt_lines(receipt)]
    said += [outcome("removed", kind, note="before anything was kept") for kind in done.redactions]
    said += [outcome("warning", warning) for warning in done.warnings]
    return lines(said, otherwise=f"kept: {count(len(done.messages), 'message')}, with no facts in plain words")


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
    return outcome("  ended", fact.text, note=day(fact.until)) if fact.until else outcome("  kept", fact.text)


def remembered(fact: Fact) -> RenderableType:
    return outcome("pinned" if fact.pinned else "remembered", fact.text, note=fact.id)


def corrected(fact: Fact) -> RenderableType:
    return outcome("corrected", fact.text, note=fact.id)


def settled(fact: Fact) -> RenderableType:
    """What was decided of a fact that was in doubt."""
    return outcome("ended" if fact.until or fact.retired else "confirmed", fact.text, note=fact.id)


def pinned(record: Fact | Note) -> RenderableType:
    """Whether a fact or a note is in core."""
    text = record.text if isinstance(record, Fact) else record.path
    return outcome("pinned" if record.pinned else "unpinned", text)


def changed(changes: Sequence[Change]) -> RenderableType:
    """What a forget or an undo did."""
    return lines([change_line(change) for change in changes], otherwise="Nothing had to change.")


def change_line(change: Change) -> Text:
    return outcome("undone" if change.undoes else change.kind, logged(change), note=change.why)


def logged(change: Change) -> str:
    """The text or the path of the record that a change was about."""
    record: Mapping[str, Any] = change.after or change.before or {}
    return str(record.get("path") or record.get("text") or change.record_id)


def value(held: Mapping[str, str]) -> RenderableType:
    return words(held["value"])


def hits(found: Sequence[Hit]) -> RenderableType:
    """Ranked rows, each with what found it."""
    if not found:
        return words("Nothing found.", style="dim")
    rows = table("what", "when", "found by", "score", "id")
    for hit in found:
        rows.add_row(one_line(hit_text(hit)), when(hit), ", ".join(hit.found_by[:3]), f"{hit.score:.2f}", hit.id)
    return rows


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
        return day(record.since or record.said)
    return day(record.at if isinstance(record, Message) else record.learned)


def facts(known: Sequence[Fact]) -> RenderableType:
    """What holds, newest first."""
    if not known:
        return words("Nothing is known.", style="dim")
    rows = table("what", "category", "since", "said", "id")
    for fact in known:
        rows.add_row(one_line(fact.text + marks(fact)), one_line(fact.category), day(fact.since), teller(fact), fact.id)
    return rows


def marks(fact: Fact) -> str:
    """What sets a fact apart from the others."""
    known = (
        ("pinned", fact.pinned),
        ("disputed", fact.disputes),
        ("may be outdated", fact.doubted_by),
        ("planned, not confirmed", fact.planned),
    )
    found = [name for name, given in known if given]
    return f" [{', '.join(found)}]" if found else ""


def teller(fact: Fact) -> str:
    said = day(fact.said)[:10]
    return said if fact.origin == "user" else f"{said}, {fact.origin}"


def history(known: Sequence[Fact]) -> RenderableType:
    """Every value with its window."""
    if not known:
        return words("Nothing was ever known under that key.", style="dim")
    rows = table("value", "from", "until", "why", "id")
    for fact in known:
        rows.add_row(one_line(fact.value), began(fact), ended(fact), one_line(fact.why), fact.id)
    return rows


def began(fact: Fact) -> str:
    return day(fact.since) if fact.since else f"told {day(fact.said)}"


def ended(fact: Fact) -> str:
    if fact.retired:
        return "never so"
    return day(fact.until, missing="now")


def context(given: Context) -> RenderableType:
    """The text alone on stdout, for a pipe into a model; its price beside it."""
    aside(price(given.tokens, given.history_tokens, given.saved))
    return words(given.text) if given.text else words("")


def price(tokens: int, whole: int, saved: int) -> str:
    """What a context costs, next to the whole history."""
    share = f" ({saved * 100 // whole} %)" if saved else ""
    return f"{count(tokens, 'token')}; the whole history has {whole:,}; saved {saved:,}{share}"


def changes(log: Sequence[Change]) -> RenderableType:
    """The log, newest first."""
    if not log:
        return words("Nothing was changed yet.", style="dim")
    rows = table("when", "what", "record", "why", "id")
    for change in log:
        rows.add_row(day(change.at), change.kind, one_line(logged(change), most=80), one_line(change.why), change.id)
    return rows


def explanation(told: Explanation) -> RenderableType:
    return stacked([words(told.headline, style="bold"), *(words(f"  {one_line(step)}") for step in told.steps)])


def graph(drawn: Graph) -> RenderableType:
    """The links between subjects."""
    if not drawn.edges:
        return words(f"No links between subjects yet ({count(len(drawn.facts), 'fact')} known).", style="dim")
    rows = table("subject", "link", "to", "since", "id")
    for edge in drawn.edges:
        rows.add_row(safe(edge.subject), safe(edge.attribute), safe(edge.object), day(edge.fact.since), edge.fact.id)
    return rows


def sessions(known: Sequence[SessionInfo]) -> RenderableType:
    """Conversations, newest first."""
    if not known:
        return words("No sessions yet.", style="dim")
    rows = table("session", "messages", "from", "until")
    for info in known:
        rows.add_row(one_line(info.session), str(info.messages), day(info.first), day(info.last))
    return rows


def conversation(said: Sequence[Mapping[str, Any]]) -> RenderableType:
    """Who said what, in order."""
    from rich.text import Text

    spoken = []
    for message in said:
        who = str(message.get("name") or message.get("role") or "?")
        spoken.append(Text.assemble((f"{safe(who)}: ", "bold"), safe(content(message))))
    return lines(spoken, otherwise="Nothing was said.")


def content(message: Mapping[str, Any]) -> str:
    """The words of a message, or its parts where it has more than words."""
    held = message.get("content")
    if isinstance(held, list):
        held = " ".join(str(part.get("text") or f"[{part.get('type')}]") for part in held if isinstance(part, Mapping))
    calls = [f"[calls {call['function']['name']}]" for call in message.get("tool_calls") or () if "function" in call]
    return " ".join([*([str(held)] if held else []), *calls])


def text(written: str) -> RenderableType:
    return words(written)


def notes(known: Sequence[Note]) -> RenderableType:
    """Texts at paths."""
    if not known:
        return words("No notes.", style="dim")
    rows = table("path", "version", "pinned", "when", "begins")
    for note in known:
        begins = one_line(note.text, most=60)
        rows.add_row(safe(note.path), str(note.version), "yes" if note.pinned else "", day(note.learned), begins)
    return rows


def note(read: Note) -> RenderableType:
    return words(read.text)


def written(kept: Note) -> RenderableType:
    return outcome("written", kept.path, note=f"version {kept.version}" + (", pinned" if kept.pinned else ""))


def deleted(gone: Note) -> RenderableType:
    return outcome("deleted", gone.path, note="`recollect undo` brings it back")


def erasure(done: Erasure) -> RenderableType:
    """The receipt: what went, what was scanned, what was found."""
    went = [(done.facts, "fact"), (done.messages, "message"), (done.notes, "note"), (done.vectors, "vector")]
    gone = ", ".join(count(number, what) for number, what in went if number)
    found = words("verified: nothing of it is left in these files", style="green")
    if not done.verified:
        found = words("NOT verified: something may be left", style="bold red")
    scanned = [words(f"scanned: {path}") for path in done.scanned]
    return stacked([outcome("erased", gone), *scanned, found, *(words(f"  {place}") for place in done.residue)])


def stats(counted: Stats) -> RenderableType:
    """How much there is."""
    rows = table("owner", safe(counted.owner))
    rows.add_row("messages", f"{counted.messages:,} in {count(counted.sessions, 'session')}")
    rows.add_row("tokens", f"{counted.tokens:,} in all messages")
    rows.add_row("facts", f"{counted.facts:,}, {counted.current_facts:,} hold now")
    rows.add_row("notes", f"{counted.notes:,}")
    rows.add_row("changes", f"{counted.changes:,}")
    if counted.waiting:
        rows.add_row("waiting", f"{count(counted.waiting, 'message')} that the reader has still to read")
    if counted.spent is not None:
        rows.add_row(f"calls to {safe(counted.spent.model)}", spent(counted.spent))
    return rows


def spent(cost: Spent) -> str:
    """What a model has cost: today, in all, and for what."""
    most = [f"{cost.daily_calls:,} calls" if cost.daily_calls is not None else ""]
    most += [f"{cost.daily_tokens:,} tokens" if cost.daily_tokens is not None else ""]
    capped = " and ".join(one for one in most if one)
    today = f"{cost.calls_today:,} today with {cost.tokens_today:,} tokens" + (f" (of {capped})" if capped else "")
    whole = f"{cost.calls:,} in all with {cost.tokens:,} tokens"
    priced = f", {cost.cost:,.4f} in money" if cost.cost is not None else ""
    kinds = ", ".join(f"{number:,} for {what}" for what, number in sorted(cost.purposes.items()))
    return f"{today}; {whole}{priced}" + (f"; {kinds}" if kinds else "")


def names(known: Sequence[str]) -> RenderableType:
    return lines([words(one_line(name)) for name in known], otherwise="Nobody has anything here yet.")
