"""A case with other people, places, firms and numbers in what is said and in what is expected of it. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from truth_variations import Case, Variation, chosen, expected, triples

PLACES = (
    "São Paulo", "Ulaanbaatar", "New Orleans", "Kuala Lumpur", "Tromsø", "La Paz", "Zürich", "Stoke-on-Trent",
    "Rio de Janeiro", "Frankfurt am Main", "Cluj-Napoca", "St. Gallen", "Newcastle upon Tyne", "Wrocław", "Xi'an",
    "Łódź", "Örebro", "Évora", "Ålesund", "İzmir", "The Hague", "L'Aquila", "Ho Chi Minh City", "Čačak",
    "Isle of Wight",
)  # fmt: skip
FIRMS = (
    "Brightwater & Sons", "Grupo Andina", "Nagasawa Heavy Industries", "Okafor Logistics", "H&L Partners", "McAllister",
    "Société Martin", "Müller Bau GmbH", "T-Mobile", "Bank of Oslo", "eBay", "Łódź Textiles", "KPMG", "Zalando SE",
)  # fmt: skip
PEOPLE = (
    "Zoë", "Jean-Luc", "Siobhán", "Xiuying", "D'Angelo", "Oluwaseun", "Björn", "María José", "Priya", "Anne-Marie",
    "Kwabena", "Mehmet", "Ng", "Émile", "Łukasz", "Özge", "Åsa O'Brien", "Maria de la Cruz", "JP", "Bo",
    "Aleksandra Nowak", "Chukwuemeka Obi", "Fatima al-Sayed", "Ludwig van Dijk",
)  # fmt: skip
PLACE_KEYS = {"home", "hometown", "birthplace", "visited", "lives in"}
FIRM_KEYS = {"employer", "bank", "client"}
PERSON_KEYS = {
    "boss", "dog", "cat", "daughter", "son", "sister", "brother", "wife", "husband", "partner", "girlfriend",
    "boyfriend",
    "landlord", "dentist", "doctor", "therapist", "vet", "best friend", "friend", "roommate", "owner", "tech lead",
    "maintainer", "accountant", "coach", "nephew", "niece", "child",
}  # fmt: skip
NAME = re.compile(r"[A-Z][\w'-]+(?: [A-Z][\w'-]+)*")


def names_of(case: Case, keys: set[str]) -> list[str]:
    """Names that are values of these attributes."""
    values = [one[2].split("|")[0] for one in triples(case) if one[1].split("|")[0] in keys]
    return list(dict.fromkeys(value for value in values if NAME.fullmatch(value)))


def renamed(keys: set[str], others: Sequence[str]) -> Variation:
    def vary(case: Case) -> Case | None:
        start = others.index(chosen(case, others))
        told = " ".join(turn["text"] for turn in case["said"])
        new = {
            name: others[(start + place) % len(others)]
            for place, name in enumerate(names_of(case, keys))
            if name in told
        }
        varied = replaced(case, {re.escape(name): other for name, other in new.items()}) if new else None
        return varied if varied and all(told_of(varied, name, case) for name in new) else None

    return vary


def told_of(varied: Case, name: str, case: Case) -> bool:
    """Whether no part of the old name is left, in another form or by its first word only."""
    text = " ".join([*(turn["text"] for turn in varied["said"]), *expected(varied)])
    return not any(re.search(rf"(?i)\b{re.escape(part)}", text) for part in name.split() if len(part) > 2)


def replaced(case: Case, new: dict[str, str]) -> Case:
    """The case with other words for these patterns in all that is said and expected."""
    pattern = re.compile("|".join(rf"(?<![\w-])(?:{old})(?![\w-])" for old in new))
    plain = {re.sub(r"\\(.)", r"\1", old): other for old, other in new.items()}

    def change(value: Any) -> Any:
        if isinstance(value, str):
            return pattern.sub(lambda match: plain[match[0]], value)
        if isinstance(value, dict):
            return {key: change(part) for key, part in value.items()}
        return [change(part) for part in value] if isinstance(value, list) else value

    parts = {key: change(case[key]) for key in ("said", "receipts", "holds", "not", "at", "known_at") if key in case}
    return {**case, **parts}


NUMBER = re.compile(r"(?<![\w.,:/@+-])[$€£]?(\d{2,}|\d{1,3},\d{3})(?![\w:/@-]|[.,]\d)")
KEYS_OF_DATES = {"birthday", "phone", "wake up time", "bed time", "deadline", "expires", "date", "number", "age"}


def with_other_numbers(case: Case) -> Case | None:
    """Each number of what is expected a little higher; years, dates and times of day stay."""
    values = [one[2] for one in triples(case) if not KEYS_OF_DATES & set(one[1].split("|"))]
    found = {match[1] for value in values for match in NUMBER.finditer(value)}
    found = {one for one in found if not re.fullmatch(r"(?:19|20)\d\d", one)}
    if case["kind"] == "confirmation" or any(
        len({"".join(re.findall(r"\d", one)) for one in v.split("|")}) > 1 for v in values
    ):
        return None  # "1.80 m" and "180 cm" are one measure
    if not found or any(re.search(rf"(?i)\b(?:{'|'.join(found)}) ?(?:am|pm)\b", one) for one in values):
        return None
    varied = replaced(case, {one: higher(one) for one in found})
    text = " ".join([*(turn["text"] for turn in varied["said"]), *expected(varied)])
    return None if any(re.search(rf"(?<!\d){one}", text) for one in found) else varied


def higher(number: str) -> str:
    value = int(number.replace(",", ""))
    more = value + (13 if value > 99 else 2 if value < 98 else 1)
    return f"{more:,}" if "," in number else str(more)
