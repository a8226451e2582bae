"""Secrets taken out of a text: known forms of keys and tokens, values named as passwords, card numbers.

>>> redact("my password is hunter2")
('my password is [removed secret]', ['secret'])
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any, Literal, NamedTuple

from recollect.errors import InvalidInput
from recollect.text import lazy_regex

SECRETS = {
    "private key": lazy_regex(
        r"-----BEGIN [A-Z ]{0,30}PRIVATE KEY(?: BLOCK)?-----(?:(?!-----BEGIN )[\s\S]){0,20000}?"
        r"(?:-----END [A-Z ]{0,30}PRIVATE KEY(?: BLOCK)?-----|(?=-----BEGIN )|\Z)"
    ),
    "AWS access key": lazy_regex(r"\b(?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}\b"),
    "GitHub token": lazy_regex(r"\b(?:gh[pousr]_[A-Za-z0-9]{36,255}|github_pat_[A-Za-z0-9_]{60,255})\b"),
    "GitLab token": lazy_regex(r"\bgl(?:pat|dt|rt|cbt|ptt|ft|soat|agent)-[A-Za-z0-9_-]{20,255}"),
    "Anthropic key": lazy_regex(r"\bsk-ant-[A-Za-z0-9_-]{20,255}"),
    "OpenAI key": lazy_regex(r"\bsk-(?=[A-Za-z0-9_-]{0,200}[A-Za-z0-9]{16})[A-Za-z0-9_-]{20,255}"),
    "Google API key": lazy_regex(r"\bAIza[A-Za-z0-9_-]{35}"),
    "Google OAuth token": lazy_regex(r"\bya29\.[A-Za-z0-9_-]{20,500}"),
    "Slack token": lazy_regex(r"\bxox[abeoprs]-[A-Za-z0-9-]{10,255}|\bxapp-\d-[A-Za-z0-9-]{20,255}"),
    "Slack webhook": lazy_regex(r"https://hooks\.slack\.com/(?:services|workflows)/[A-Za-z0-9/_+-]{20,}"),
    "Stripe key": lazy_regex(r"\b(?:sk|rk|pk)_(?:live|test|prod)_[A-Za-z0-9]{10,255}|\bwhsec_[A-Za-z0-9]{20,}"),
    "Twilio key": lazy_regex(r"\b(?:SK|AC)[0-9a-f]{32}\b"),
    "SendGrid key": lazy_regex(r"\bSG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}"),
    "npm token": lazy_regex(r"\bnpm_[A-Za-z0-9]{36}\b"),
    "PyPI token": lazy_regex(r"\bpypi-[A-Za-z0-9_-]{50,}"),
    "Hugging Face token": lazy_regex(r"\b(?:hf|api_org)_[A-Za-z0-9]{30,}\b"),
    "DigitalOcean token": lazy_regex(r"\bdo[opr]_v1_[a-f0-9]{64}\b"),
    "Shopify token": lazy_regex(r"\bshp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}\b"),
    "Telegram bot token": lazy_regex(r"\b\d{8,10}:AA[A-Za-z0-9_-]{33}\b"),
    "JSON web token": lazy_regex(r"\beyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{5,}"),
    "age secret key": lazy_regex(r"\bAGE-SECRET-KEY-1[0-9A-Z]{58}\b"),
    "password in a URL": lazy_regex(r"(?<=://)[^\s:/@]{1,100}:[^\s/@]{3,200}(?=@)"),
    "bearer token": lazy_regex(r"(?i)(?<=\bbearer )(?=[A-Za-z._~+/=-]*\d)[A-Za-z0-9._~+/=-]{12,}"),
    "password hash": lazy_regex(
        r"\$(?:2[abxy]\$\d\d|argon2id?\$v=\d+|[156]|krb5\w*\$\d+)\$[A-Za-z0-9./+=,$*@:_-]{20,}"
    ),
}
SIGN = lazy_regex(
    r"PRIVATE KEY|AKIA|ASIA|ABIA|ACCA|gh[pousr]_|github_pat_|gl(?:pat|dt|rt|cbt|ptt|ft|soat|agent)-|sk-|AIza|ya29\."
    r"|xox|xapp-|hooks\.slack\.com|_(?:live|test|prod)_|whsec_|SK|AC|SG\.|npm_|pypi-|hf_|api_org_|_v1_"
    r"|shp(?:at|ca|pa|ss)_|:AA|eyJ|AGE-SECRET-KEY-1|://|\$"
)
"""Without one of these, or "bearer", no pattern of SECRETS has anything to find: quicker to ask than to try them."""
SENTENCE_SIGNS = ".,;:!?)"
"""Signs after a secret that belong to the sentence."""
SHORTEST_SECRET, SHORTEST_CARD = 8, 13
"""No secret of these patterns has a shorter run without blanks, or fewer digits."""

NAMED = lazy_regex(
    r"(?ix)(?P<name>(?:passw(?:or)?d|passwd|passphrase|pwd|(?<![a-z])(?<![a-z][ ])pass|(?<![a-z])pin(?![a-z])"
    r"|secret|api[ _-]?key)"
    r"(?-i:[A-Z0-9_.-][\w.-]{0,20})?)"
    r"[\"'`\])]{0,3}\s{0,3}(?:(?::=|=>|[!=]=|[:=,])\s{0,3}|\s(?:is|was)(?:\s(?:now|set\sto))?:?\s{1,3})[\"'`(]{0,3}"
    r"(?P<secret>[^\s\"'`<>]{4,400})"
)
"""A name that speaks of a secret, and the value given to it."""

NO_SECRET = lazy_regex(
    r"(?i)\\?\$[\w{(]|[#{%<\[(*.]|\w{2,8}\.\w+\.|os\.|env\b|null|none|true|false|undefined|required|optional|your|xxx|\w+[(\[)]"
)
"""What stands for a value instead of being one: a variable, a placeholder, a call."""

CARD = lazy_regex(
    r"(?<![\w.-])(?:\d{13,19}|\d{4}([ -])\d{4}\1\d{4}\1\d{1,4}(?:\1\d{1,3})?|3\d{3}([ -])\d{6}\2\d{4,5})(?![\w-]|[.]\d)"
)
"""Digits as they stand on a card: in one run, in groups of four, or in groups of four, six and the rest."""
ISSUERS = lazy_regex(
    r"4\d{12}(?:\d{3}){0,2}|5[1-5]\d{14}|2(?:22[1-9]|2[3-9]\d|[3-6]\d\d|7[01]\d|720)\d{12}|3[47]\d{13}"
    r"|3(?:0[0-5]|[689]\d)\d{11}|6(?:011|4[4-9]\d|5\d\d)\d{12}|35(?:2[89]|[3-8]\d)\d{12}|62\d{14,17}"
)
"""First digits and lengths that are given to issuers of cards."""

STEP_LETTERS, REACH_LETTERS = 200_000, 25_000
"""Letters that are looked through at once, and so many more to see the end of what begins in them."""

Judge = Callable[[re.Match[str]], str]
"""Tells what kind of secret a match is; empty for none."""
Redact = Literal["secrets", "none"] | Callable[[str], str]
"""What is taken out of texts before they are kept: known forms of secrets, nothing, or what a function takes out."""


class Redactor(NamedTuple):
    """What a memory takes out of texts, and whether out of payloads and notes of programs too."""

    how: Redact = "secrets"
    raw: bool = False

    def text(self, text: str) -> tuple[str, list[str]]:
        """The text as it may be kept, and the kinds of what was taken out."""
        if self.how == "secrets":
            return redact(text)
        if self.how == "none":
            return text, []
        kept = self.how(text)
        return kept, ["custom"] if kept != text else []

    def given(self, value: Any) -> tuple[Any, list[str]]:
        """The same for every string in what a program gave, which is kept as it is unless that was asked for."""
        if not self.raw:
            return value, []
        return each_text(value, self.text)


def redactor(how: Redact, *, raw: bool) -> Redactor:
    if how not in ("secrets", "none") and not callable(how):
        raise InvalidInput(f"redact must be 'secrets', 'none' or a function from text to text, not {how!r}")
    return Redactor(how, raw)


def redact(text: str) -> tuple[str, list[str]]:
    """The text with secrets replaced by what kind they were, and those kinds in order."""
    kinds: list[str] = []
    for pattern, judge in patterns_for(text):
        text = substitute_in_steps(pattern, partial(mask, judge=judge, kinds=kinds), text)
    return text, kinds


def patterns_for(text: str) -> Iterator[tuple[re.Pattern[str], Judge]]:
    """The patterns that can find something in a text, each with what tells the kind of a match."""
    lowered, longest = text.lower(), max(map(len, text.split()), default=0)
    if longest >= SHORTEST_SECRET and ("bearer " in lowered or SIGN.search(text)):
        yield from ((pattern, lambda _, kind=kind: kind) for kind, pattern in SECRETS.items())
    if any(word in lowered for word in ("pass", "pwd", "pin", "secret", "api")):  # the pattern itself is slow to say no
        yield NAMED, kind_of_named
    if len(re.findall(r"\d", text)) >= SHORTEST_CARD:
        yield CARD, kind_of_card


def mask(match: re.Match[str], *, judge: Judge, kinds: list[str]) -> str:
    """The match with its secret replaced by its kind, which is added to `kinds`; as it is where it holds none."""
    whole = match.group()
    if not (kind := judge(match)):
        return whole
    kinds.append(kind)
    secret = match["secret"].rstrip(SENTENCE_SIGNS) if "secret" in match.re.groupindex else whole
    return whole.replace(secret, f"[removed {kind}]")


def substitute_in_steps(pattern: re.Pattern[str], replaced: Callable[[re.Match[str]], str], text: str) -> str:
    """What `pattern.sub` gives, in steps between which other threads can run: one call would hold them up for as long
    as a text of megabytes takes. No match may be longer than REACH_LETTERS."""
    if len(text) <= STEP_LETTERS:
        return pattern.sub(replaced, text)
    pieces, done, start = list[str](), 0, 0
    while start < len(text):
        end = min(start + STEP_LETTERS, len(text))
        match = pattern.search(text, start, end + REACH_LETTERS)
        if match is None or match.start() >= end:
            start = end
        else:
            pieces += [text[done : match.start()], replaced(match)]
            done = start = match.end()
    return "".join([*pieces, text[done:]])


def each_text(value: Any, clean: Callable[[str], tuple[str, list[str]]]) -> tuple[Any, list[str]]:
    """A JSON-like value with every string inside cleaned, and what was found in them."""
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, Mapping):
        parts = {key: each_text(part, clean) for key, part in value.items()}
        return {key: part for key, (part, _) in parts.items()}, [kind for _, found in parts.values() for kind in found]
    if isinstance(value, list | tuple):
        items = [each_text(part, clean) for part in value]
        return [part for part, _ in items], [kind for _, found in items for kind in found]
    return value, []


def kind_of_named(match: re.Match[str]) -> str:
    """A value given to a name that speaks of a secret: any for a password, one that looks made for a key or token."""
    name, secret = match["name"], match["secret"].rstrip(SENTENCE_SIGNS)
    given = match.group()[len(name) : -len(match["secret"])]
    password = re.search(r"(?i)passw|passphrase|pwd|pass\b|pin\b|_pass", name) is not None
    digits = sum(letter.isdigit() for letter in secret)
    made = digits > 0 or not secret.isalpha() if password else digits > 1 and len(secret) > 7
    assigned = password and not re.search(r"\s(?:is|was)\b", given) and "," not in given[:4]
    if NO_SECRET.match(secret) or not (made or assigned):
        return ""
    pin = re.search(r"(?i)(?<![a-z])pin(?![a-z])", name)
    return "" if pin and not re.fullmatch(r"\d{4,12}", secret) else "secret"


def kind_of_card(match: re.Match[str]) -> str:
    """A card number: its check digit and its issuer's first digits tell it from order numbers and ids."""
    plain = "".join(filter(str.isdigit, match.group()))
    digits = [int(letter) for letter in plain]
    doubled = [digit * 2 - 9 * (digit > 4) for digit in digits[-2::-2]]
    checked = (sum(digits[-1::-2]) + sum(doubled)) % 10 == 0
    return "card number" if ISSUERS.fullmatch(plain) and len(set(digits)) > 1 and checked else ""
