"""Reads plain shapes into drafts, without a model: where both attribute and value are sure, and nowhere else."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

from recollect.facts.attributes import attribute, note_key, sentence
from recollect.facts.subjects import relation_of, relation_words
from recollect.reader import ReadingContext
from recollect.reader.clauses import (
    MOST_LETTERS,
    MOST_SENTENCES,
    Clause,
    Sentence,
    Statement,
    clause_tokens,
    is_cut,
    is_verb,
    sentences,
    statement_in,
    verb_groups,
)
from recollect.reader.drafting import Drafting, People, Understood, effect_of, is_denial, relative
from recollect.reader.tables import NAME, tables
from recollect.reader.values import (
    is_date,
    is_exact,
    is_key,
    is_name,
    is_phrase,
    lower_words,
    told_as,
    value_for,
    value_of,
)
from recollect.records import USER, Draft, Effect, Message, Source, Target
from recollect.text.dates import When, find, may_tell
from recollect.text.time_phrases import in_future_tense, in_past_tense
from recollect.text.values import is_plural
from recollect.text.words import is_small_talk

MOST_WORDS = 7
"""An answer that needs its question is short."""
MOST_LINES = 20
AND = r",|,? ?(?:and|&)"


class PlainReader:
    """Reads plain shapes: "I live in Porto", "my blood type is O+", "the api runs on port 4010"."""

    name = "plain"
    instant = True

    def read(self, messages: Sequence[Message], context: ReadingContext) -> list[Draft]:
        """Drafts in the order they were said; only what users themselves say is read."""
        drafts, casts = list[Draft](), dict[str, People]()
        for message in messages:
            told = message.role == "user" and message.origin in ("user", "operator")
            if told and not is_small_talk(message.content):
                speaker = message.name or USER
                cast = casts.setdefault(speaker, People(context.known, speaker, context.spoken_of))
                drafts += MessageReading(message, cast).all(context.before.get(message.id))
        return drafts

    def notices(self, messages: Sequence[Message]) -> list[str]:
        """That some of these messages are longer than what was read of them."""
        long = [one for one in messages if one.role == "user" and len(one.content) > MOST_SENTENCES]
        cut = [message.id for message in long if is_cut(message.content)]
        most = f"only the first {MOST_LETTERS:,} characters or {MOST_SENTENCES} sentences were read for facts"
        return [f"message {one!r} is kept whole and can be found; {most}" for one in cut]


class MessageReading(Drafting):
    """One message, read clause by clause."""

    def all(self, before: Message | None) -> list[Draft]:
        """The drafts of the message; `before`: what it may answer."""
        text = self.message.content
        self.lines(text)
        for one in sentences(text):
            self.sentence(one)
        if not self.drafts and before is not None:
            self.answer(before.content)
        return self.drafts

    # Sentences

    def sentence(self, one: Sentence) -> None:
        """What a sentence states: what is only asked, supposed or wished states nothing."""
        whole = self.message.content[one.clauses[0].start : one.clauses[-1].end]
        for clause in one.clauses:
            for match in relative().finditer(clause.text):
                self.introduce(match, clause)
        if self.wished(whole, one) or self.set_right(one.clauses):
            return
        kept, count, told = tables().phrases["keep"].match(whole), len(self.drafts), None
        clauses = self.with_fronted_times(one.clauses)
        for place, clause in enumerate(clauses):
            if (kept or not one.asked or is_before_question(clauses, place)) and is_real(clauses, place):
                told = self.clause(clause, clauses[place + 1 :], told)
        if kept and len(self.drafts) == count and (note := note_in(whole, kept)):
            self.add(USER, note_key(note), note, "states", replace(clauses[0], end=clauses[-1].end), text=note)

    def introduce(self, match: re.Match[str], clause: Clause) -> None:
        """The name of a relative, told in passing: "a present for my sister Anna"."""
        relation, name = relation_words()[match["relation"].lower()], match["name"] or ""
        if value_of("person", name) and not name.isupper():
            self.people.mention(self.people.subject(relation, name))
            start = clause.start + match.start()
            self.add(USER, relation, name, "states", replace(clause, start=start, end=start + len(match[0])))

    def with_fronted_times(self, clauses: Sequence[Clause]) -> list[Clause]:
        """The clauses, a time before a comma with the one that it belongs to: "Tomorrow only, the standup is at 11"."""
        found = list[Clause]()
        for clause in clauses:
            if found and clause.joined == "," and self.is_time(found[-1]):
                first = found.pop()
                text = self.message.content[first.start : clause.end]
                clause = Clause(text, first.start, clause.end, first.joined)
            found.append(clause)
        return found

    def is_time(self, clause: Clause) -> bool:
        """Whether a clause tells nothing but a time: "tomorrow only", "just for this week"."""
        words, times = tables().words, self.times(clause)
        return bool(times) and set(statement_in(clause, times).words) <= words["prepositions"] | words["adverbs"]

    def wished(self, whole: str, one: Sentence) -> bool:
        """What an assistant is asked to do from now on: "always reply in German"; or no more."""
        match = tables().patterns["wish"].fullmatch(whole)
        if match is None or self.message.name or self.message.origin not in ("user", "operator"):
            return False
        verb = (match["verb"] or re.sub(r"(?<=..)ing$", "", match["over"])).lower()
        words = tables().words
        if verb in words["function"] | words["prepositions"] or verb.endswith("ing") or in_past_tense(verb):
            return False
        asked, never = f"{verb} {match['rest'] or match['left']}", (match["how"] or "").lower() not in ("always", "")
        language = None if never else tables().patterns["language"].fullmatch(asked)
        key, value = asked, "never" if never else "always"
        text = f"wants: {whole.strip()}"
        if language:
            key, value = "reply language", language["value"].title()
            text = sentence(USER, key, value)
        more = {"text": text, "category": "instruction", "pinned": not match["over"], "many": False}
        place = replace(one.clauses[0], end=one.clauses[-1].end)
        self.add(USER, key, value, "ends" if match["over"] else "states", place, **more)
        return True

    def set_right(self, clauses: Sequence[Clause]) -> bool:
        """ "Not Lisbon but Porto", "Porto, not Lisbon": an old value and the one in its place, of whatever has it."""
        if len(clauses) != 2 or clauses[1].joined not in (",", "but", ", but", "–", "—", "-"):
            return False
        first, second = statement_in(clauses[0]).text, clauses[1].text
        shape = tables().patterns["not"]
        if (match := shape.fullmatch(first)) and not shape.match(second):
            old, new = match["old"], tables().patterns["link"].sub("", second)
            sure = is_phrase(new, 4) and is_phrase(old, 4)
        elif match := shape.fullmatch(second):
            old, new = match["old"], tables().patterns["link"].sub("", first)
            sure = is_exact(new) and is_exact(old)
        if match and sure:
            self.add(USER, "", new, "corrects", replace(clauses[0], end=clauses[1].end), target=Target(old))
        return match is not None and sure

    # Clauses

    def clause(self, clause: Clause, following: Sequence[Clause], last: Understood | None) -> Understood | None:
        """What a clause tells, read first without its words of time, then with the last of them as its value."""
        times = self.times(clause)
        ends_in_time = times and times[-1].at[1] >= len(clause.text.rstrip(" .!"))
        ends_in_time = ends_in_time and tables().words["pointing"].isdisjoint(lower_words(times[-1].text))
        for whens in (times, times[:-1]) if ends_in_time else (times,):
            said = statement_in(clause, whens)
            if not said.words or not tables().words["unreal"].isdisjoint(said.words):
                return None
            if told := self.whole(said, following) or self.stated(said, following, last):
                return self.tell(said, told)
        return None

    def times(self, clause: Clause) -> tuple[When, ...]:
        """The words of time in a clause."""
        if not may_tell(clause.text):
            return ()
        low = clause.text.lower()
        ahead = in_future_tense(low)
        return tuple(find(clause.text, self.message.at, future=ahead, present=not in_past_tense(low)))

    def whole(self, said: Statement, following: Sequence[Clause]) -> Understood | None:
        """Clauses that are read as a whole: "call me Dee", "Anna is my sister", "we switched from Jest to Vitest"."""
        for row in tables().clauses:
            match = row["shape"].fullmatch(said.text)
            if match is None or not value_of(row["value"], match["value"], low=self.low):
                continue
            groups, effect = match.groupdict(), row.get("effect", "states")
            old = groups.get("old") or (self.denied(following) if effect == "corrects" else None)
            if effect in ("replaces", "corrects") and not (old and is_phrase(old, 4)):
                continue
            if "relation" not in groups:
                values = [match["value"]] if row["value"] != "job" else [""]
                return Understood(USER, row.get("attribute", ""), effect, values, old=old)
            relation = relation_of(groups["relation"]) or relation_of(groups["relation"].rstrip("s"))
            if relation:
                names = [match["value"], *self.items(following, lambda one: value_of("person", one))]
                for name in names:
                    self.people.mention(self.people.subject(relation, name))
                return Understood(USER, relation, "states", names)
        return None

    def stated(self, said: Statement, following: Sequence[Clause], last: Understood | None) -> Understood | None:
        """A subject, a verb and a value, in the ways that the words can be cut so."""
        words, adverbs = said.words, tables().words["adverbs"] | {"no", "longer"}
        if last and last.effect == "ends" and (said.clause.joined.endswith("but") or words[0] == "it"):
            shape, text = last.row.value if last.row else "", tables().patterns["link"].sub("", said.text)
            if values := self.values(last.attribute, shape, text, ()):
                return Understood(last.who, last.attribute, "replaces", values, last.row)
        verbs = [place for place, word in enumerate(words[:8]) if is_verb(word)]
        if last and said.clause.joined in ("and", "but", ", and", ", but") and verbs[:1] == [0]:
            return self.verbed(said, last.who, 0, following)
        for place in verbs if words[0] not in tables().words["pronouns"] else [1]:
            while place > 1 and words[place - 1] in adverbs:
                place -= 1
            if not 0 < place < len(words):
                continue
            subject = said.text[: said.tokens[place - 1].end]
            if told := self.keyed(said, subject, place, following):
                return told
            if (who := self.subject(subject)) and (told := self.verbed(said, who, place, following)):
                return told
        return None

    def subject(self, words: str) -> str | None:
        """Whom or what a statement is about."""
        low = words.lower()
        if low in ("i", "we"):
            return USER
        if low in ("he", "she", "they"):
            return self.people.by_pronoun(low)
        if found := self.people.someone(words):
            return found
        bare = re.sub(r"(?i)^(?:the|our|my) ", "", words)
        plain = is_phrase(bare, 3) and not relation_of(bare.split()[0]) and bare.lower() != USER
        return bare if plain else None

    def verbed(self, said: Statement, who: str, place: int, following: Sequence[Clause]) -> Understood | None:
        """A verb of the table with its value."""
        of = "person" if who == USER or self.people.is_someone(who) else "thing"
        for verb in verb_groups(said.words, place):
            for row in tables().rows.get(verb.base, ()):
                rest = verb.rest + len(row.words)
                effect, name = effect_of(row, verb, said)
                if row.of not in (of, "any") or said.words[verb.rest : rest] != row.words or not effect:
                    continue
                text = said.rest(rest)
                instead = tables().patterns["instead"].fullmatch(text)
                values = self.values(name, row.value, instead["value"] if instead else text, following)
                if values:
                    name, values = told_as(name, values)
                    old = instead["old"] if instead else self.denied(following)
                    return Understood(who, name, effect, values, row, old, effect == "ends" and is_denial(verb, said))
        return None

    def keyed(self, said: Statement, subject: str, place: int, following: Sequence[Clause]) -> Understood | None:
        """ "my blood type is O+", "Anna's birthday is 3 May", "the api port is 4010"."""
        short = said.words[place] == "'s" and not subject.lower().endswith(" name")
        verb = next((one for one in verb_groups(said.words, place) if one.base == "be" and not short), None)
        changed = tables().patterns["changed"].match(said.rest(place))
        found = self.key_of(subject) if verb or changed else None
        if found is None or (changed and not verb and attribute(found[1]).relation):
            return None  # "my sister moved to Vienna" tells where she lives, not who she is
        text = said.rest(verb.rest) if verb else said.rest(place)[changed.end() if changed else 0 :]
        values = self.values(found[1], "", re.sub(r"(?i)^(?:called|named|set to) ", "", text), following)
        news = changed or (said.is_news and attribute(found[1]).holds == "one")
        effect: Effect | None = "replaces" if news else "states"
        if verb and verb.tense != "present":
            effect = "past" if verb.tense == "used" else "plans" if verb.tense == "future" and said.whens else None
        elif said.is_over or (verb and verb.said & {"not", "no longer"}):
            effect = "ends"
        negated = verb is not None and is_denial(verb, said)
        if not values or effect is None or (verb and "never" in verb.said) or (negated and found[0] != USER):
            return None
        return Understood(found[0], found[1], effect, values, old=self.denied(following), negated=negated)

    def key_of(self, subject: str) -> tuple[str, str] | None:
        """Whose attribute the subject of "… is …" names."""
        subject = re.sub(r"^[Tt]he ([\w-]+(?: [\w-]+)?) of ((?:the |my |our |[A-Z]).+)$", r"\2's \1", subject)
        match, named = tables().patterns["key"].fullmatch(subject), relative().fullmatch(subject)
        if match is None or not is_key(match["key"]) or (named and named["name"]):
            return None
        key, whose = match["key"], (match["whose"] or "").lower()
        if match["who"] or match["owner"]:
            who = self.people.by_pronoun(match["who"].lower()) if match["who"] else self.subject(match["owner"])
            return (who, key) if who else None
        known, (thing, _, last) = attribute(key), key.rpartition(" ")
        if not known.known and thing and attribute(last).category == "project" and is_phrase(thing, 3):
            return thing, last
        ours = whose == "the" and known.known and known.category in ("project", "finance")
        return (USER, key) if ours or whose in ("my", "our") else None

    # Values

    def values(self, key: str, shape: str, text: str, following: Sequence[Clause]) -> list[str]:
        """The value that is left of a clause and, where many hold, those after it: "nuts, eggs and milk"."""

        def read(one: str) -> str:
            one = one.strip("*_ ")
            return (value_of(shape, one, low=self.low) if shape else value_for(key, one, low=self.low)) if one else ""

        first, after = read(text), following[0] if following else None
        if not first or after is None or after.joined == "or":
            return [first] if first and after is None else []
        if attribute(key or "likes").holds == "many":
            more = self.items(following, read) if text.endswith(first) else []
            cut = not more and re.fullmatch(AND, after.joined) and is_phrase(after.text, 4)
            return [] if cut else [first, *more]
        beside = is_exact(first) and re.fullmatch(NAME, after.text) and is_name(after.text)
        joint = {",": ", ", "and": " and "}.get(after.joined)
        return [f"{first}{joint}{after.text}"] if beside and joint else [first]

    def items(self, following: Sequence[Clause], read: Callable[[str], str]) -> list[str]:
        """Further values of a list that ends with "and"."""
        found = list[str]()
        for clause in following:
            text = statement_in(clause).text
            value = read(text) if re.fullmatch(AND, clause.joined) and len(text.split()) <= 4 else ""
            first = lower_words(text)[:1]
            if not value or is_verb(first[0]) or first[0] == "not":
                return []
            found.append(value)
            if clause.joined != ",":
                return found
        return []

    def denied(self, following: Sequence[Clause]) -> str | None:
        """The old value in ", not Lisbon"."""
        match = tables().patterns["not"].fullmatch(following[0].text) if following else None
        return match["old"] if match and (is_phrase(match["old"], 4) or is_date(match["old"])) else None

    # Lines and answers

    def lines(self, text: str) -> None:
        """ "Blood type: O+", "PORT=8080", in a message of such lines alone, or under "my …:"."""
        shape, own = tables().patterns["line"], tables().patterns["own"]
        found, rest = list(shape.finditer(text)), shape.sub("", text).strip()
        headed = len(rest) <= 120 and rest.endswith(":") and own.search(rest) is not None
        for match in found if (headed or not rest) and len(found) <= MOST_LINES else ():
            value, constant = match["value"], match["mark"] == "=" and match["key"].isupper()
            known = attribute(match["key"])
            if not (constant or (known.known and match["mark"] == ":" and is_key(match["key"]))):
                continue
            pieces = re.split(r", (?:and )?| and ", value) if known.holds == "many" and not constant else [value]
            read = partial(value_for, known.name, low=self.low, labelled=True)
            fits = " " not in value if constant else all(map(read, pieces))
            for one in pieces if fits and (constant or not known.relation or is_name(pieces[0])) else ():
                place = Clause(match[0], match.start(), match.end())
                self.add(USER, known.name, one, "states", place, many=True if len(pieces) > 1 else None)

    def answer(self, question: str) -> None:
        """A short answer, read as the statement that its question makes of it."""
        said = tables().patterns["answers"].sub("", self.message.content.strip(), count=1).rstrip(" .!")
        asked = re.split(r"[.!,:]\s+", question.strip())[-1].rstrip(" ?") if question.count("?") == 1 else ""
        asked = re.sub(r"(?i)\b(what|where|when|who)['’]s\b", r"\1 is", tables().patterns["aside"].sub("", asked))
        if not said or not asked or len(said.split()) > MOST_WORDS or re.search(r"[?\n]", said):
            return
        for row in tables().questions:
            if match := row["shape"].fullmatch(asked):
                key = match.groupdict().get("key") or ""
                several = is_plural((key or "key").split()[-1])
                means = row["means"].replace(" is {}", " are {}") if several else row["means"]
                reading = MessageReading(replace(self.message, content=means.format(said, key=key)), self.people)
                source = Source(self.message.id, self.message.content)
                self.drafts += [replace(draft, source=source) for draft in reading.all(None)]
                return


def is_before_question(clauses: Sequence[Clause], place: int) -> bool:
    """Whether a clause of a sentence that asks is a statement before its question: "I'm vegan, what can I eat?"."""
    shapes, texts = tables().patterns, [f"{one.joined.lstrip(', ')} {one.text}".strip() for one in clauses]
    asks = [number for number, text in enumerate(texts) if shapes["asks"].match(text)]
    return bool(asks) and asks[0] > place and shapes["own"].match(clauses[place].text) is not None


def is_real(clauses: Sequence[Clause], place: int) -> bool:
    """Whether a clause is neither a condition nor what holds under one."""
    words, joined = tables().words, [one.joined.lstrip(",;:()–—- ") for one in clauses]
    if not words["conditions"].isdisjoint((joined[0], *lower_words(clauses[0].text)[:1])):
        return False
    conditional = place + 1 < len(clauses) and clauses[place + 1].joined in ("if", "unless")
    return joined[place] not in words["subordinate"] and not conditional


def note_in(whole: str, kept: re.Match[str]) -> str:
    """What follows "remember that", to be kept in its words; nothing where it is a task or looks back at the talk."""
    note = whole[kept.end() :].strip(" :,")
    words = [token.word for token in clause_tokens(note)]
    told = whole[kept.end() :].startswith(":") or kept[0].lower().endswith("that")
    backwards = {"you", "your"} & set(words) or (words[:1] == ["we"] and in_past_tense(note.lower()))
    fair = told and 2 < len(words) <= 40 and words[0] not in ("to", "when", "how", "this")
    return note if fair and not backwards else ""
