"""The text that make_quick.py learns from: WordNet, and sentences made by quick_grammar.txt.

| text | where from | licence |
| --- | --- | --- |
| WordNet 3.0: examples, glosses, words by kind | Debian package wordnet-base | WordNet 3.0, free use with its notice |
| everyday statements, questions and small talk | quick_grammar.txt, written for this project | Apache-2.0 |

Nothing comes from a benchmark.
"""

from __future__ import annotations

import random
import re
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

SLOT = re.compile(r"\{(\w+)(?::(\w+))?\}")

# The sense of a word whose kinds are meant, where it is not the first one.
SENSES = {"act": 2, "dish": 2, "party": 2, "plant": 2, "spice": 2}
PERSON = 18  # WordNet's number for the topic; instances of persons are famous names, which are no kinds

VERB_TOPICS = {"change": 30, "communication": 32, "consumption": 34, "creation": 36, "motion": 38, "social": 41}


@dataclass
class Synset:
    """One meaning in WordNet: its words, what it is explained by, examples, and the meanings below it."""

    words: list[str]
    topic: int
    gloss: str
    examples: list[str]
    above: list[str]
    below: list[str] = field(default_factory=list)


class WordNet:
    """WordNet's nouns, verbs, adjectives and adverbs, read from its text files."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.parts = {part: dict(self._read(part)) for part in ("noun", "verb", "adj", "adv")}
        for offset, synset in self.parts["noun"].items():
            for parent in synset.above:
                self.parts["noun"][parent].below.append(offset)

    def _read(self, part: str) -> Iterator[tuple[str, Synset]]:
        for line in (self.folder / f"data.{part}").read_text("latin-1").splitlines():
            if line.startswith("  "):
                continue
            head, _, text = line.partition("|")
            fields = head.split()
            last = 4 + 2 * int(fields[3], 16)
            words = [word.partition("(")[0].replace("_", " ") for word in fields[4:last:2]]
            quoted = text.split('"')
            kinds = ("@",) if int(fields[1]) == PERSON else ("@", "@i")
            above = [fields[at + 1] for at in range(last + 1, len(fields)) if fields[at] in kinds]
            yield fields[0], Synset(words, int(fields[1]), quoted[0].strip(" ;"), quoted[1::2], above)

    def examples(self) -> list[str]:
        """The example sentences of three words and more."""
        quoted = (text.strip() for part in self.parts.values() for each in part.values() for text in each.examples)
        return [text for text in quoted if len(text.split()) > 2]

    def glosses(self) -> list[str]:
        """Each meaning as "word: explanation"."""
        return [f"{each.words[0]}: {each.gloss}" for part in self.parts.values() for each in part.values()]

    def kinds_of(self, word: str) -> list[str]:
        """The words for kinds and instances of what the word means."""
        found: dict[str, None] = {}
        waiting = [self._offset(word)]
        seen = set(waiting)
        while waiting:
            synset = self.parts["noun"][waiting.pop()]
            found.update(dict.fromkeys(synset.words[:2]))
            fresh = [each for each in synset.below if each not in seen]
            seen.update(fresh)
            waiting += fresh
        return list(found)

    def _offset(self, word: str) -> str:
        for line in (self.folder / "index.noun").read_text("latin-1").splitlines():
            if line.startswith(word + " "):
                offsets: list[str] = re.findall(r"\b\d{8}\b", line)
                return offsets[min(SENSES.get(word, 1), len(offsets)) - 1]
        raise SystemExit(f"WordNet has no noun {word!r}")

    def verbs_of(self, topic: str) -> list[str]:
        """The verbs of one of WordNet's topics."""
        number = {"change": 30, "communication": 32, "consumption": 34, "creation": 36, "motion": 38, "social": 41}[
            topic
        ]
        return [each.words[0] for each in self.parts["verb"].values() if each.topic == number]


class Grammar:
    """Sentences drawn from quick_grammar.txt, with WordNet's words in the slots that name a kind."""

    def __init__(self, path: Path, wordnet: WordNet, common: set[str], seed: int) -> None:
        self.rules: dict[str, list[str]] = {}
        for line in path.read_text("utf-8").splitlines():
            if line and not line.startswith("#"):
                name, _, choices = line.partition(": ")
                self.rules.setdefault(name, []).extend(choices.split(" | "))
        self.wordnet, self.common, self.random = wordnet, common, random.Random(seed)
        self.drawn: dict[tuple[str, str], list[str]] = {}

    def texts(self, start: str, count: int) -> list[str]:
        """So many different texts that the rule gives."""
        found: dict[str, None] = {}
        while len(found) < count:
            text = self._expand("{" + start + "}")
            found[text[0].upper() + text[1:]] = None
        return list(found)

    def _expand(self, text: str) -> str:
        return SLOT.sub(lambda slot: self._fill(slot[1], slot[2]), text)

    def _fill(self, name: str, kind: str | None) -> str:
        if kind is None:
            return self._expand(self.random.choice(self.rules[name]))
        if (name, kind) not in self.drawn:
            words = self.wordnet.kinds_of(kind) if name == "noun" else self.wordnet.verbs_of(kind)
            self.drawn[name, kind] = [word for word in words if set(word.lower().split()) <= self.common]
        return self.random.choice(self.drawn[name, kind])


def fetch_wordnet(folder: Path) -> WordNet:
    """WordNet out of its Debian package."""
    if not (folder / "wordnet").exists():
        subprocess.run(["apt-get", "download", "-q", "wordnet-base"], cwd=folder, check=True)
        package = next(folder.glob("wordnet-base_*.deb"))
        subprocess.run(["dpkg-deb", "-x", str(package), str(folder / "wordnet")], check=True)
    return WordNet(folder / "wordnet/usr/share/wordnet")
